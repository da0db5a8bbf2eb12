use sports_movement::{BeforeStart, NotBeforeStart};
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::format::TableForm;
use crate::params::{FORMAT, FromParams, ParamReader};

/// The time before the start, the labels and the form of a season as it was known.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct KnownQuery {
    /// The hours before the start of each game at which it is given.
    #[param(rename = "hours_before", value_type = Option<f64>, minimum = 0.25, maximum = 168.0, default = 6.0)]
    pub before: BeforeStart,
    /// True to add the finals, and the push and the outcome by the line of the row. They are labels: they were not available before the start.
    #[param(rename = "finals", value_type = Option<bool>, default = false)]
    pub has_finals: bool,
    /// The form of the table.
    #[param(value_type = Option<TableForm>, default = json!("parquet"))]
    pub format: TableForm,
}

impl FromParams for KnownQuery {
    const TAKES: &'static [&'static str] = &["hours_before", "finals", FORMAT];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self {
            before: params
                .read("hours_before", &NotBeforeStart.to_string(), |text| text.parse().ok())?
                .unwrap_or_default(),
            has_finals: params.boolean("finals")?.unwrap_or(false),
            format: params.read(FORMAT, "parquet, csv or ndjson", TableForm::named)?.unwrap_or(TableForm::Parquet),
        })
    }
}
