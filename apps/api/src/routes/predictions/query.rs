use sports_usecases::today::SlateScope;
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::format::Format;
use crate::params::{FORMAT, FromParams, ParamReader, format_of};

/// The part of a slate to return.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SlateQuery {
    /// `true` leaves out games before today's slate (Eastern date). As long as today's model run has not completed,
    /// the latest slate stays visible. `false` returns every game.
    #[param(default = true)]
    upcoming_only: Option<bool>,
}

impl FromParams for SlateQuery {
    const TAKES: &'static [&'static str] = &["upcoming_only"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self { upcoming_only: params.boolean("upcoming_only")? })
    }
}

impl SlateQuery {
    /// Converts the parameter to the scope of the answer.
    #[must_use]
    pub fn reach(&self) -> SlateScope {
        if self.upcoming_only.unwrap_or(true) { SlateScope::Upcoming } else { SlateScope::Whole }
    }
}

/// The part of a slate to return, and the format.
#[derive(Debug)]
pub struct PredictionsQuery {
    pub slate: SlateQuery,
    pub format: Option<Format>,
}

impl FromParams for PredictionsQuery {
    const TAKES: &'static [&'static str] = &["upcoming_only", FORMAT];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self { slate: SlateQuery::read(params)?, format: format_of(params)? })
    }
}
