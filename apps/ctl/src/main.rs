//! `sportsctl`: see the README beside this crate.

mod cli;
mod commands;
mod failure;
mod places;
mod report;

use std::io;
use std::process::ExitCode;

use clap::Parser;
use cli::{Cli, Command};
use failure::Failure;
use places::Places;
use report::Report;
use sports_settings::Settings;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let json = cli.options.json;
    match run(cli).await {
        Ok(report) => said(report.print(json)),
        Err(failure) => {
            failure.print(json);
            failure.exit_code()
        }
    }
}

/// A reader that has seen enough, such as `head`, is no failure; an answer nobody got is.
fn said(printed: io::Result<()>) -> ExitCode {
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("sportsctl: done, but the answer could not be printed: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

async fn run(cli: Cli) -> Result<Report, Failure> {
    let settings = Settings::load(&cli.options.sources()).map_err(Failure::bad_input)?;
    let places = Places::of(&settings);
    match cli.command {
        Command::Publish(publish) => commands::publish::run(&places, &publish).await,
        Command::Settle(settle) => commands::settle::run(&places, &settle).await,
        Command::Verify { sport } => commands::verify::run(&places, sport).await,
        Command::Releases { sport, limit } => commands::releases::run(&places, sport, limit.get()).await,
        Command::Convert(convert) => commands::convert::run(&places, &convert),
        Command::Template { kind } => Ok(commands::template::run(kind)),
        Command::Customer(customer) => commands::customer::run(&places, customer).await,
        Command::Dataset(dataset) => commands::dataset::run(&places, dataset).await,
        Command::Entitlement(entitlement) => commands::entitlement::run(&places, entitlement).await,
        Command::Migrate => commands::migrate::run(&places).await,
        Command::Key(key) => commands::key::run(&places, key).await,
    }
}
