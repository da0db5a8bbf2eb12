use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::FromEnvError;

use crate::access_log::LogWriter;
use crate::log_format::LogFormat;

/// The library whose errors are not logged: it reports one for all input that is not HTTP. The transport logs how each
/// connection ended.
const LIBRARY: &str = "actix_http::h1=off";

/// The reason that the log cannot be started, or traces cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// `RUST_LOG` is set and is no filter.
    #[error("RUST_LOG cannot be read")]
    Filter(#[source] FromEnvError),
    /// A variable of OpenTelemetry cannot be used. A value may be a secret, so the error does not contain it.
    #[error("environment variable {name} cannot be used: expected {expected}")]
    Variable { name: &'static str, expected: &'static str },
    /// The exporter refuses its variables. Its own message may have their values.
    #[error("the variables of OpenTelemetry (OTEL_…) cannot be used together")]
    Exporter,
    /// The HTTP client cannot be set up.
    #[error("the HTTP client of the traces' collector cannot be set up")]
    Client(#[from] reqwest::Error),
}

impl SetupError {
    /// Returns true if a variable of the environment is wrong.
    pub const fn blames_a_variable(&self) -> bool {
        matches!(self, Self::Filter(_) | Self::Variable { .. } | Self::Exporter)
    }
}

/// Starts logging to the standard error stream, at the levels that `RUST_LOG` names and by default at `level`. Returns the
/// writer of the access log.
///
/// # Errors
///
/// [`SetupError`].
pub fn start_log(format: LogFormat, level: LevelFilter) -> Result<LogWriter, SetupError> {
    let filter = EnvFilter::builder().with_default_directive(level.into()).from_env().map_err(SetupError::Filter)?;
    let filter = filter.add_directive(LIBRARY.parse().map_err(|error| SetupError::Filter(FromEnvError::from(error)))?);
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // Its own errors are printed to the same stream, and end the program if that is full.
    let lines = lines.log_internal_errors(false);
    match format {
        LogFormat::Human => lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
    Ok(LogWriter::start(format, std::io::stderr()))
}
