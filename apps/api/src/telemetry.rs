//! Logs: to the standard error stream, for people or as JSON.

use std::io;

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::FromEnvError;

use crate::access_log::Lines;

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

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum NoLog {
    /// `RUST_LOG` is set and is no filter.
    #[error("RUST_LOG cannot be read")]
    BadFilter(#[source] FromEnvError),
    /// There is no thread to write it.
    #[error("the thread that writes the log cannot be started")]
    NoThread(#[source] io::Error),
}

/// Starts logging at the levels that `RUST_LOG` names, and at `usual` where it names none. Gives where the lines of requests
/// go.
///
/// # Errors
///
/// [`NoLog`].
pub fn start(format: LogFormat, usual: LevelFilter) -> Result<Lines, NoLog> {
    let filter = EnvFilter::builder().with_default_directive(usual.into()).from_env().map_err(NoLog::BadFilter)?;
    let filter = filter.add_directive(LIBRARY.parse().map_err(|error| NoLog::BadFilter(FromEnvError::from(error)))?);
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Human => lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
    Lines::start(format, std::io::stderr()).map_err(NoLog::NoThread)
}
