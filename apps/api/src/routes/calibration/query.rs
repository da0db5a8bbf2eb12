use sports_publication::ForecastSource;
use utoipa::IntoParams;

use crate::codes::CalibrationSourceCode;
use crate::error::ApiError;
use crate::params::{FromParams, ParamReader};

/// The span of dates and the source of forecasts of a calibration.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CalibrationQuery {
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
    const TAKES: &'static [&'static str] = &["from", "to", "forecast_source"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self {
            from: params.date("from")?,
            to: params.date("to")?,
            forecast_source: params.parsed("forecast_source")?,
        })
    }
}
