//! `sports-api`: see the crate's README.

use std::env;
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use sports_accounts::hide_keys;
use sports_api::cli::{Cli, Command};
use sports_api::openapi::Document;
use sports_api::state::{RequestLog, Site};
use sports_api::{failure, healthcheck, prices, server, wiring};
use sports_domain::{is_hidden, printable, printable_line};
use sports_http_transport::{ComputeQueue, Listeners};
use sports_ports::error_chain;
use sports_program::print_error_line;
use sports_program::settings::{Settings, SettingsError, Sources};
use sports_telemetry::{LogFormat, start_log};
use tokio::runtime::Runtime;
use tracing::Level;
use tracing::level_filters::LevelFilter;

fn main() -> ExitCode {
    let runtime = match Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            print_error_line!("sports-api: the runtime cannot be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(program());
    // A thread may hang in a call of a file system that does not respond.
    runtime.shutdown_background();
    code
}

async fn program() -> ExitCode {
    sports_program::ignore_file_size_signal();
    sports_program::permissions::restrict_new_files();
    prices::use_ring();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return print_usage_error(&error),
    };
    let log_format = cli.options.log_format;
    match run(cli).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_failure(&printable_line(&hide_keys(&error_chain(&*error))), log_format);
            failure::exit_code(&*error)
        }
    }
}

/// Prints the reason for the end of the program, in JSON as the last line of the log.
fn print_failure(message: &str, log_format: LogFormat) {
    if log_format == LogFormat::Json && tracing::enabled!(Level::ERROR) {
        tracing::error!("{message}");
    } else {
        print_error_line!("sports-api: {message}");
    }
}

/// Prints the parser's message, without a key that was given as an argument by mistake and without hidden characters.
fn print_usage_error(error: &clap::Error) -> ExitCode {
    let message = error.render().to_string();
    let shown = printable(&hide_keys(&message)).into_owned();
    // The text without styles may lack hidden characters.
    if shown == message && !env::args_os().any(|argument| argument.to_string_lossy().contains(is_hidden)) {
        drop(error.print());
    } else {
        print_error_line!("{}", shown.trim_end());
    }
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// Loads settings that name the store and the database.
fn settings_with_places(sources: &Sources) -> Result<Settings, SettingsError> {
    let settings = Settings::load(sources)?;
    settings.expect_places()?;
    settings.expect_public_url()?;
    Ok(settings)
}

/// Prints the answer of a command. A closed output, such as that of `head`, is no failure.
fn print_answer(answer: &impl Display) -> io::Result<()> {
    let written = io::stdout().write_all(answer.to_string().as_bytes());
    written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

async fn run(cli: Cli) -> Result<(), Box<dyn Error + Send + Sync>> {
    match cli.command {
        Command::Openapi => print_answer(&Document::for_routes(sports_api::routes::all))?,
        Command::Config => {
            let sources = cli.options.sources();
            let settings = settings_with_places(&sources)?;
            print_answer(&settings)?;
            let weak = settings.warnings(ComputeQueue::cores());
            for warning in sources.ignored_service_links().into_iter().chain(weak) {
                print_error_line!("warning: {warning}");
            }
        }
        Command::Healthcheck => {
            let sources = cli.options.sources();
            healthcheck::run(&Settings::load(&sources)?).await?;
        }
        Command::Serve => {
            let sources = cli.options.sources();
            // First, so that its form is that of a failure, too.
            let log = start_log(cli.options.log_format, LevelFilter::INFO)?;
            let settings = settings_with_places(&sources)?;
            if let Some(warning) = sources.ignored_service_links() {
                tracing::warn!("environment variables are {warning}");
            }
            // First, so that an address that is taken shows at once.
            let listeners = Listeners::bind(&settings)?;
            let lock = wiring::lock(&settings)?;
            let (site, log) = (Site::from_settings(&settings)?, RequestLog::from_settings(&settings, log));
            let service = Box::pin(wiring::wire(&settings, site, lock, log)).await?;
            server::serve(service, &settings, listeners, |_| {}).await?;
        }
        #[cfg(feature = "demo")]
        Command::Demo(options) => {
            let settings = sports_demo::settings(cli.options.sources(), &options.data_dir)?;
            // Request lines would hide the lines that the demo prints.
            let log = start_log(cli.options.log_format, LevelFilter::WARN)?;
            Box::pin(sports_api::demo::serve(settings, &options, log)).await?;
        }
    }
    Ok(())
}
