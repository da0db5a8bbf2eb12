//! Logs: to the standard error stream, for people or as JSON.

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::FromEnvError;

/// The library whose errors are not logged: it reports one for whatever a client sends that is no HTTP. `connections` logs
/// how each connection ended.
const LIBRARY: &str = "actix_http::h1=off";

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Human,
    /// One JSON object a line.
    Json,
}

/// `RUST_LOG` is set and is no filter.
#[derive(Debug, thiserror::Error)]
#[error("RUST_LOG cannot be read")]
pub struct BadFilter(#[source] FromEnvError);

/// Starts logging at the levels that `RUST_LOG` names, and at `usual` where it names none.
///
/// # Errors
///
/// [`BadFilter`] when `RUST_LOG` cannot be read.
pub fn start(format: LogFormat, usual: LevelFilter) -> Result<(), BadFilter> {
    let filter = EnvFilter::builder().with_default_directive(usual.into()).from_env().map_err(BadFilter)?;
    let filter = filter.add_directive(LIBRARY.parse().map_err(|error| BadFilter(FromEnvError::from(error)))?);
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Human => lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
    Ok(())
}
