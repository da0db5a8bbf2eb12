//! The formats in which rows are served.

use actix_web::HttpRequest;
use actix_web::http::header::{ACCEPT, Accept, HeaderValue, from_comma_delimited};
use serde::Serialize;
use utoipa::ToSchema;

/// The format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = AnswerFormat)]
pub enum Format {
    /// One JSON object with the rows in a list.
    Json,
    /// A header line, then a line a row.
    Csv,
    /// One JSON object a line.
    Ndjson,
    /// A Parquet file.
    Parquet,
}

impl Format {
    /// Every format, JSON first.
    pub const ALL: [Self; 4] = [Self::Json, Self::Csv, Self::Ndjson, Self::Parquet];

    /// The allowed names, as a phrase for messages.
    pub const ALLOWED: &'static str = "json, csv, ndjson or parquet";

    /// Returns the format with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the format that the `Accept` header of a request prefers; JSON if the header names no known format. A
    /// browser's or a library's default header is not refused.
    pub fn accepted_by(request: &HttpRequest) -> Self {
        Self::preferred(request.headers().get_all(ACCEPT))
    }

    /// Returns the preferred format for the values of `Accept`.
    pub(crate) fn preferred<'a>(values: impl Iterator<Item = &'a HeaderValue> + 'a) -> Self {
        let ranked = from_comma_delimited(values).map(|media| Accept(media).ranked()).unwrap_or_default();
        let known = |media: &str| Self::ALL.into_iter().find(|format| format.essence() == media);
        ranked.iter().find_map(|media| known(media.essence_str())).unwrap_or(Self::Json)
    }

    /// Returns whether the format has rows and no fields beside them.
    pub const fn is_table(self) -> bool {
        !matches!(self, Self::Json)
    }

    /// Returns the name, as in `?format=`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Parquet => "parquet",
        }
    }

    /// Returns the media type without parameters.
    pub const fn essence(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv",
            Self::Ndjson => "application/x-ndjson",
            Self::Parquet => "application/vnd.apache.parquet",
        }
    }
}

/// The form of a table that has no form as JSON.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = TableFormat)]
pub enum TableForm {
    /// A Parquet file.
    Parquet,
    /// A header line, then a line a row.
    Csv,
    /// One JSON object a line.
    Ndjson,
}

impl TableForm {
    /// Every form.
    pub const ALL: [Self; 3] = [Self::Parquet, Self::Csv, Self::Ndjson];

    /// Returns the form with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| Format::from(*format).name() == name)
    }
}

impl From<TableForm> for Format {
    fn from(format: TableForm) -> Self {
        match format {
            TableForm::Parquet => Self::Parquet,
            TableForm::Csv => Self::Csv,
            TableForm::Ndjson => Self::Ndjson,
        }
    }
}
