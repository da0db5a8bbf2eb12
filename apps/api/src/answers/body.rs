use std::sync::Arc;

use serde::Serialize;
use sports_http_transport::KeptBody;
use sports_ports::PortError;
use sports_ports::tables::TableFormat;
use sports_usecases::record::off_thread;

use crate::tables::Tabular;

/// Writes an answer as JSON.
///
/// # Errors
///
/// [`PortError`] if it cannot be written.
pub(super) async fn as_json<T: Serialize + Send + 'static>(answer: T) -> Result<KeptBody, PortError> {
    // A season's worth of text takes milliseconds.
    let written = off_thread("an answer", move || serde_json::to_vec(&answer)).await?;
    written.map(|text| KeptBody::json(text.into())).map_err(|error| PortError::corrupt("an answer", error))
}

/// Writes an answer as a table in the format `tables`; as JSON if that is `None`.
///
/// # Errors
///
/// [`PortError`] if it cannot be written.
pub(super) async fn in_form<T: Serialize + Tabular + Send + 'static>(
    answer: T,
    tables: Option<Arc<dyn TableFormat>>,
) -> Result<KeptBody, PortError> {
    match tables {
        Some(tables) => as_table(answer, tables).await,
        None => as_json(answer).await,
    }
}

/// Writes an answer as a table.
///
/// # Errors
///
/// [`PortError`] if it cannot be written.
pub(super) async fn as_table<T: Tabular + Send + 'static>(
    answer: T,
    tables: Arc<dyn TableFormat>,
) -> Result<KeptBody, PortError> {
    let written = off_thread("a table", move || tables.encode(answer.table())).await?;
    Ok(KeptBody::from_table(written?))
}
