use sports_publication::ForecastSource;
use sports_usecases::analytics::Horizon;
use utoipa::IntoParams;

use crate::codes::{CalibrationHorizonCode, CalibrationSourceCode};
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
    /// The instant of the live forecasts to score, which are then the only entry: `24h`, `6h` or `1h` before the start of each
    /// game, the `first` forecast of each model, or the `standing` one. Each is judged by the line served with it.
    #[param(value_type = Option<CalibrationHorizonCode>)]
    pub horizon: Option<Horizon>,
}

impl FromParams for CalibrationQuery {
    const TAKES: &'static [&'static str] = &["from", "to", "forecast_source", "horizon"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let forecast_source = params.parsed("forecast_source")?;
        let horizon = params.read("horizon", "first, 24h, 6h, 1h or standing", Horizon::named)?;
        if horizon.is_some() && forecast_source == Some(ForecastSource::WalkForward) {
            return Err(ApiError::BadRequest("`horizon` is of live forecasts".to_owned()));
        }
        Ok(Self { from: params.date("from")?, to: params.date("to")?, forecast_source, horizon })
    }
}
