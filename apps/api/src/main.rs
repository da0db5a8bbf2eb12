//! `sports-api`: see the crate's README.

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use sports_api::cli::{Cli, Command};
use sports_api::demo::Demo;
use sports_api::openapi::Document;
use sports_api::routes::root::Greeting;
use sports_api::{demo, prices, server, telemetry, wiring};
use sports_ports::in_one_line;
use sports_settings::Settings;

#[tokio::main]
async fn main() -> ExitCode {
    prices::use_ring();
    match run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sports-api: {}", in_one_line(&*error));
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Result<(), Box<dyn Error + Send + Sync>> {
    match cli.command {
        Command::Openapi => print!("{}", Document::of_the_service()),
        Command::Config => print!("{}", Settings::load(&cli.options.sources())?),
        Command::Serve => {
            let settings = Settings::load(&cli.options.sources())?;
            telemetry::start(cli.options.log_format)?;
            let api = wiring::wire(&settings).await?;
            server::serve(api, &settings.http, |_| {}).await?;
        }
        Command::Demo(options) => {
            let mut settings = demo::settings(cli.options.sources(), &options.data_dir)?;
            telemetry::start(cli.options.log_format)?;
            let demo = Demo::prepare(&mut settings, &options).await?;
            let api = wiring::wire(&settings).await?.provide(Arc::new(Greeting(demo::MESSAGE.to_owned())));
            demo.keep_up(&settings);
            server::serve(api, &settings.http, |addresses| demo.greet(addresses)).await?;
        }
    }
    Ok(())
}
