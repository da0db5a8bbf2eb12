use chrono::NaiveDate;
use sports_usecases::analytics::{CloseWithin, TakenRule};
use utoipa::IntoParams;

use crate::codes::TakenForecastCode;
use crate::error::ApiError;
use crate::params::{FromParams, ParamReader};

/// The forecasts, the closes and the dates of closing-line values.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ClvQuery {
    /// The forecast of each game that is measured: the one that holds for the record (`standing`), or the first one with a
    /// probability of the model (`first`).
    #[param(value_type = Option<TakenForecastCode>, default = json!(TakenRule::default().word()))]
    pub taken: TakenRule,
    /// The oldest close that counts: the minutes from the reading of its source to the start of the game.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1440, default = 120)]
    pub close_within: CloseWithin,
    /// The first date that counts, Eastern; the season's first if absent.
    pub from: Option<NaiveDate>,
    /// The last date that counts, Eastern; the season's last if absent.
    pub to: Option<NaiveDate>,
}

impl FromParams for ClvQuery {
    const TAKES: &'static [&'static str] = &["taken", "close_within", "from", "to"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let minutes = params.whole_number("close_within", CloseWithin::MINUTES)?;
        Ok(Self {
            taken: params.read("taken", "first or standing", TakenRule::named)?.unwrap_or_default(),
            close_within: minutes.and_then(CloseWithin::of_minutes).unwrap_or_default(),
            from: params.date("from")?,
            to: params.date("to")?,
        })
    }
}
