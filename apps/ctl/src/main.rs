//! `sportsctl`: see the crate's README.

mod backup;
mod cli;
mod commands;
mod failure;
mod opened;
mod places;
mod report;
mod retries;
mod signing;
mod whole_file;

use std::ffi::OsString;
use std::process::ExitCode;
use std::{env, io};

use sports_accounts::hide_keys;
use sports_domain::{is_hidden, printable};
use sports_program::print_error_line;
use sports_program::settings::Settings;

use cli::{Cli, Command};
use failure::Failure;
use opened::Target;
use places::Places;
use report::{Report, print_warnings};
use retries::Retries;

// Work for several cores has threads of its own.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    sports_program::ignore_file_size_signal();
    limit_parallelism();
    // The cryptography of TLS connections; it is chosen once for the program.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let cli = match cli::parse() {
        Ok(cli) => cli,
        Err(error) => return print_usage_error(&error),
    };
    let json = cli.options.json;
    match run(cli).await {
        Ok(report) => exit_code_of(report.print(json), report.exit_code),
        Err(failure) => {
            failure.print(json);
            failure.exit_code()
        }
    }
}

/// Limits parallel work to four threads: each keeps a table of the release or a season in memory.
fn limit_parallelism() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // The pool exists already if this fails, and works as well.
    drop(rayon::ThreadPoolBuilder::new().num_threads(cores.min(4)).build_global());
}

/// Prints the parser's message: help and version as answers, an error as the parser words it, or as JSON with
/// `--json`.
fn print_usage_error(error: &clap::Error) -> ExitCode {
    let is_failure = error.use_stderr();
    if is_failure && cli::requests_json(env::args_os().skip(1)) {
        let failure = Failure::usage_error(error);
        failure.print(true);
        return failure.exit_code();
    }
    let message = error.render().to_string();
    // The parser would repeat a key that was given as an argument by mistake, and hidden characters, which its text without
    // styles may lack.
    let shown = printable(&hide_keys(&message)).into_owned();
    if shown == message && !env::args_os().any(|argument| argument.to_string_lossy().contains(is_hidden)) {
        // Even if the output was closed, the exit code is returned.
        drop(error.print());
    } else {
        print_error_line!("{}", shown.trim_end());
    }
    if is_failure { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// Returns the exit code of a report after printing. A closed output, such as that of `head`, is no failure; an answer
/// that could not be written is a failure.
fn exit_code_of(outcome: io::Result<()>, exit_code: u8) -> ExitCode {
    match outcome {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            print_error_line!("sportsctl: done, but the answer could not be printed: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::from(exit_code),
    }
}

async fn run(cli: Cli) -> Result<Report, Failure> {
    // A converted file and the manual belong to the person, who decides who may read them; every other file is the service's own.
    if !matches!(cli.command, Command::Convert(_) | Command::Man { .. } | Command::Init(_)) {
        sports_program::permissions::restrict_new_files();
    }
    if let (Command::Init(_), Some(option)) = (&cli.command, cli.options.of_settings()) {
        let reason = "`init` makes settings of its own: leave it out, and change sports.toml in the folder afterwards";
        return Err(Failure::bad_input(format!("{option}: {reason}")));
    }
    let sources = cli.options.sources();
    let settings = Settings::load(&sources).map_err(Failure::bad_input)?;
    print_warnings(sources.ignored_service_links().as_slice());
    let (target, json) = (Target::of(&cli.command), cli.options.json);
    let retries = Retries::reported_as(json);
    let mut places = target.checked(&cli.command, Places::from_settings(&settings, retries.clone()));
    if !json {
        places = target.print(places);
    }
    let options = cli.options.of_places();
    let mut outcome = Box::pin(run_command(&places, cli.command, options, json)).await;
    places.close().await;
    if let Ok(report) = &mut outcome {
        target.add_to(&mut report.json, &places);
    }
    retries.added_to(outcome)
}

async fn run_command(
    places: &Places<'_>,
    command: Command,
    options: Vec<OsString>,
    json: bool,
) -> Result<Report, Failure> {
    match command {
        Command::Init(init) => commands::init::run(&init),
        Command::Publish(publish) => commands::publish::run(places, &publish).await,
        Command::Settle(settle) => commands::settle::run(places, &settle).await,
        Command::Verify { sport, unused } => commands::verify::run(places, sport, unused).await,
        Command::Repair { sport, yes } => commands::repair::run(places, sport, yes).await,
        Command::Releases { sport, at: Some(at), .. } => commands::releases::at(places, sport, &at).await,
        Command::Releases { sport, limit, at: None } => commands::releases::run(places, sport, limit.get()).await,
        Command::History { subject, sport, game, days } => {
            commands::history::run(places, subject, sport, &game, days).await
        }
        Command::Games { sport, season, awaiting } => {
            commands::games::run(places, sport, season.as_deref(), awaiting).await
        }
        Command::Known(known) => commands::known::run(places, &known).await,
        Command::Backtest(backtest) => Box::pin(commands::backtest::run(places, &backtest)).await,
        Command::Status { sport } => commands::status::run(places, sport).await,
        Command::Watch { folder, once, receive } => {
            let door = receive.map(|address| (address, options));
            Box::pin(commands::watch::run(places, &folder, once, door, json)).await
        }
        Command::Receive(receive) => Box::pin(commands::receive::run(places, &receive, options)).await,
        Command::Publisher(publisher) => commands::publisher::run(places, publisher),
        Command::Convert(convert) => commands::convert::run(places, &convert),
        Command::Models { sport, undeclared } => commands::models::run(places, sport, undeclared).await,
        Command::Template { kind, model, csv } => commands::template::run(kind, &model, csv),
        Command::Record(record) => commands::record::run(places, &record).await,
        Command::Customer(customer) => commands::customer::run(places, customer).await,
        Command::Dataset(dataset) => commands::dataset::run(places, dataset).await,
        Command::AuditLog { customer, since } => commands::audit_log::run(places, customer, since).await,
        Command::Entitlement(entitlement) => commands::entitlement::run(places, entitlement).await,
        Command::Backup { folder } => commands::backup::run(places, &folder).await,
        Command::Restore { folder } => commands::restore::run(places, &folder).await,
        Command::Accounts(accounts) => commands::accounts::run(places, accounts).await,
        Command::Migrate => commands::migrate::run(places).await,
        Command::Store(store) => commands::store::run(places, store, json).await,
        Command::Key(key) => commands::key::run(places, key).await,
        Command::Completions { shell } => Ok(commands::shell_files::completions(shell)),
        Command::Man { folder } => commands::shell_files::man(&folder),
    }
}
