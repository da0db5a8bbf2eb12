use sports_usecases::games::GamesError;

use crate::error::ApiError;

impl From<GamesError> for ApiError {
    fn from(error: GamesError) -> Self {
        match error {
            GamesError::NotReadYet(error) => error.into(),
            GamesError::NoSeason(error) => error.into(),
            GamesError::SnapshotChanged { sport, season } => Self::Conflict(format!(
                "Season {season} of {sport} was published anew since this snapshot, or never had it; start again from the first \
                 page, without `snapshot` and `offset`"
            )),
            GamesError::AnotherMoment { season } => Self::Conflict(format!(
                "This is not the snapshot of season {season} as of {{as_of}}: start again from the first page"
            )),
        }
    }
}
