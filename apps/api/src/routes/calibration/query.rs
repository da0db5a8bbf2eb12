use sports_publication::ForecastSource;
use utoipa::IntoParams;

use crate::codes::CalibrationSourceCode;
use crate::error::ApiError;
use crate::params::{FromParams, ParamReader};

/// The games of a calibration: a season, a span of dates, and a source of forecasts.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CalibrationQuery {
    /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others; the latest season if absent.
    pub season: Option<String>,
    /// The first date that counts, Eastern; the season's first if absent.
    #[param(value_type = Option<chrono::NaiveDate>)]
    pub from: Option<chrono::NaiveDate>,
    /// The last date that counts, Eastern; the season's last if absent.
    #[param(value_type = Option<chrono::NaiveDate>)]
    pub to: Option<chrono::NaiveDate>,
    /// The only source of forecasts to include; every source has its own entry if absent.
    #[param(value_type = Option<CalibrationSourceCode>)]
    pub forecast_source: Option<ForecastSource>,
}

impl FromParams for CalibrationQuery {
    const TAKES: &'static [&'static str] = &["season", "from", "to", "forecast_source"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self {
            season: params.text("season").map(str::to_owned),
            from: params.date("from")?,
            to: params.date("to")?,
            forecast_source: params.parsed("forecast_source")?,
        })
    }
}
