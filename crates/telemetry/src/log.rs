use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::FromEnvError;

use crate::access_log::LogWriter;
use crate::log_format::LogFormat;

/// The library whose errors are not logged: it reports one for all input that is not HTTP. The transport logs how each
/// connection ended.
const LIBRARY: &str = "actix_http::h1=off";

/// The reason that the log could not be started.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// `RUST_LOG` is set and is no filter.
    #[error("RUST_LOG cannot be read")]
    Filter(#[source] FromEnvError),
}

/// Starts logging to the standard error stream, at the levels that `RUST_LOG` names and by default at `level`. Returns the
/// writer of the access log.
///
/// # Errors
///
/// [`LogError`].
pub fn start_log(format: LogFormat, level: LevelFilter) -> Result<LogWriter, LogError> {
    let filter = EnvFilter::builder().with_default_directive(level.into()).from_env().map_err(LogError::Filter)?;
    let filter = filter.add_directive(LIBRARY.parse().map_err(|error| LogError::Filter(FromEnvError::from(error)))?);
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // Its own errors are printed to the same stream, and end the program if that is full.
    let lines = lines.log_internal_errors(false);
    match format {
        LogFormat::Human => lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
    Ok(LogWriter::start(format, std::io::stderr()))
}
