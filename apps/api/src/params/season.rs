use sports_domain::Season;
use utoipa::IntoParams;

use super::{FromParams, ParamReader, SEASON};
use crate::error::ApiError;

/// The season of a request, with a label in the form of the league in its path.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SeasonQuery {
    /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others.
    #[param(value_type = Option<String>)]
    pub season: Option<Season>,
}

impl FromParams for SeasonQuery {
    const TAKES: &'static [&'static str] = &[SEASON];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self { season: params.season()? })
    }
}
