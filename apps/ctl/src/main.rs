//! `sportsctl`: see the crate's README.

mod backup;
mod cli;
mod commands;
mod failure;
mod instant;
mod opened;
mod places;
mod report;
mod retries;
mod whole_file;

use std::borrow::Cow;
use std::process::ExitCode;
use std::{env, io};

use clap::Parser;
use cli::{Cli, Command};
use failure::Failure;
use opened::Target;
use places::Places;
use report::{Report, print_warnings};
use retries::Retries;
use sports_accounts::hide_keys;
use sports_settings::Settings;

#[tokio::main]
async fn main() -> ExitCode {
    outlive_size_limits();
    limit_parallelism();
    // The cryptography of TLS connections; it is chosen once for the program.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error),
    };
    let json = cli.options.json;
    match run(cli).await {
        Ok(report) => printed(report.print(json)),
        Err(failure) => {
            failure.print(json);
            failure.exit_code()
        }
    }
}

/// Makes a write beyond the size that files may have fail like one on a full disk. Without a handler for its signal, the
/// system would end the process.
fn outlive_size_limits() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        /// SIGXFSZ, on all systems but those for MIPS.
        const SIZE_LIMIT: i32 = 25;
        // The program works without the handler, too.
        drop(signal(SignalKind::from_raw(SIZE_LIMIT)));
    }
}

/// Limits parallel work to four threads: each keeps a table of the release or a season in memory.
fn limit_parallelism() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // The pool exists already if this fails, and works as well.
    drop(rayon::ThreadPoolBuilder::new().num_threads(cores.min(4)).build_global());
}

/// Help and version are answers, and an error is printed as the parser words it; with `--json` as JSON.
fn not_understood(error: &clap::Error) -> ExitCode {
    let is_failure = error.use_stderr();
    if is_failure && cli::asks_for_json(env::args_os().skip(1)) {
        let failure = Failure::misunderstood(error);
        failure.print(true);
        return failure.exit_code();
    }
    match hide_keys(&error.render().to_string()) {
        // A key given in the wrong place: the parser would repeat it.
        Cow::Owned(hidden) => eprint!("{hidden}"),
        // A reader that is gone still gets the exit code.
        Cow::Borrowed(_) => drop(error.print()),
    }
    if is_failure { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// A reader that stops early, such as `head`, is no failure; an answer that could not be written is.
fn printed(outcome: io::Result<()>) -> ExitCode {
    match outcome {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("sportsctl: done, but the answer could not be printed: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

async fn run(cli: Cli) -> Result<Report, Failure> {
    // A converted file belongs to the publisher, who decides who reads it; everything else is the service's own.
    if !matches!(cli.command, Command::Convert(_)) {
        sports_system::permissions::restrict_new_files();
    }
    let sources = cli.options.sources();
    let settings = Settings::load(&sources).map_err(Failure::bad_input)?;
    print_warnings(sources.ignored_service_links().as_slice());
    let (target, json) = (Target::of(&cli.command), cli.options.json);
    let retries = Retries::reported_as(json);
    let mut places = Places::from_settings(&settings, retries.clone());
    if !json {
        places = target.print(places);
    }
    let mut outcome = run_command(&places, cli.command, json).await;
    places.close().await;
    if let Ok(report) = &mut outcome {
        target.add_to(&mut report.json, &places);
    }
    retries.added_to(outcome)
}

async fn run_command(places: &Places<'_>, command: Command, json: bool) -> Result<Report, Failure> {
    match command {
        Command::Publish(publish) => commands::publish::run(places, &publish).await,
        Command::Settle(settle) => commands::settle::run(places, &settle).await,
        Command::Verify { sport, unused } => commands::verify::run(places, sport, unused).await,
        Command::Releases { sport, limit } => commands::releases::run(places, sport, limit.get()).await,
        Command::Games { sport, awaiting } => commands::games::run(places, sport, awaiting).await,
        Command::Convert(convert) => commands::convert::run(places, &convert),
        Command::Template { kind } => Ok(commands::template::run(kind)),
        Command::Customer(customer) => commands::customer::run(places, customer).await,
        Command::Dataset(dataset) => commands::dataset::run(places, dataset).await,
        Command::Entitlement(entitlement) => commands::entitlement::run(places, entitlement).await,
        Command::Backup { folder } => commands::backup::run(places, &folder).await,
        Command::Restore { folder } => commands::restore::run(places, &folder).await,
        Command::Accounts(accounts) => commands::accounts::run(places, accounts).await,
        Command::Migrate => commands::migrate::run(places).await,
        Command::Store(store) => commands::store::run(places, store, json).await,
        Command::Key(key) => commands::key::run(places, key).await,
    }
}
