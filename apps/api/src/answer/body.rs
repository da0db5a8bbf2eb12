use std::sync::Arc;

use serde::Serialize;
use sports_http_transport::KeptBody;
use sports_ports::PortError;
use sports_ports::tables::TableFormat;
use sports_usecases::record::off_thread;

use crate::wire::Tabular;

/// The body of an answer before it is written.
pub trait Body: Send + 'static {
    /// Writes the body in the format of a table; as JSON if that is `None`.
    ///
    /// # Errors
    ///
    /// [`PortError`] if it cannot be written.
    fn write(self, tables: Option<Arc<dyn TableFormat>>) -> impl Future<Output = Result<KeptBody, PortError>> + Send;
}

/// A body that has no other format than JSON.
pub struct Json<T>(pub T);

/// A body that is JSON or a table.
pub struct Rows<T>(pub T);

/// A body that is a table.
pub struct Table<T>(pub T);

/// Returns the format of a body that is a table alone.
///
/// # Errors
///
/// [`PortError`] for JSON, which no handler of such a body accepts.
pub fn expect_table(tables: Option<Arc<dyn TableFormat>>) -> Result<Arc<dyn TableFormat>, PortError> {
    tables.ok_or_else(|| PortError::corrupt("a table", "it has no form as JSON"))
}

/// A body that is written already.
impl Body for KeptBody {
    async fn write(self, _: Option<Arc<dyn TableFormat>>) -> Result<KeptBody, PortError> {
        Ok(self)
    }
}

impl<T: Serialize + Send + 'static> Body for Json<T> {
    async fn write(self, _: Option<Arc<dyn TableFormat>>) -> Result<KeptBody, PortError> {
        // A season's worth of text takes milliseconds.
        let written = off_thread("an answer", move || serde_json::to_vec(&self.0)).await?;
        written.map(|text| KeptBody::json(text.into())).map_err(|error| PortError::corrupt("an answer", error))
    }
}

impl<T: Serialize + Tabular + Send + 'static> Body for Rows<T> {
    async fn write(self, tables: Option<Arc<dyn TableFormat>>) -> Result<KeptBody, PortError> {
        match tables {
            Some(_) => Table(self.0).write(tables).await,
            None => Json(self.0).write(None).await,
        }
    }
}

impl<T: Tabular + Send + 'static> Body for Table<T> {
    async fn write(self, tables: Option<Arc<dyn TableFormat>>) -> Result<KeptBody, PortError> {
        let tables = expect_table(tables)?;
        let written = off_thread("a table", move || tables.encode(self.0.table())).await?;
        Ok(KeptBody::from_table(written?))
    }
}
