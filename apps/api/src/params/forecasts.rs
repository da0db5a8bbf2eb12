use sports_publication::CountedForecasts;

use super::Given;
use crate::codes::CountedForecastsCode;
use crate::query_params;

query_params! {
    /// The forecasts that an answer counts.
    #[derive(Debug, Clone, Copy)]
    pub struct ForecastsQuery {
        /// The only forecasts that count, as if the season had no other games: `live`, `walk_forward`, or the live ones that this log
        /// published before the start (`recorded`). All games count if absent.
        #[param(value_type = Option<CountedForecastsCode>)]
        pub forecast_source: Option<CountedForecasts> = Given::parsed,
    }
}
