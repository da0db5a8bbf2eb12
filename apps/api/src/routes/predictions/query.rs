use sports_usecases::today::SlateScope;
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::params::{FromParams, ParamReader};

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
    pub fn reach(&self) -> SlateScope {
        if self.upcoming_only.unwrap_or(true) { SlateScope::Upcoming } else { SlateScope::Whole }
    }
}
