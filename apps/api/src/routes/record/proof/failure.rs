use sports_usecases::record::{NoProof, ProofError};

use crate::error::ApiError;

impl From<ProofError> for ApiError {
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::Port(error) => error.into(),
            ProofError::Refused(NoProof::SeveralGames(several)) => several.into(),
            ProofError::Refused(reason @ NoProof::NotSigned(_)) => Self::NotYet(reason.to_string()),
            ProofError::Refused(
                reason @ (NoProof::NeverMade
                | NoProof::Imported
                | NoProof::BeforeTree(_)
                | NoProof::NoSuchSize { .. }
                | NoProof::BeforeLeaf { .. }),
            ) => Self::NotFound(reason.to_string()),
        }
    }
}
