//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use sports_program::settings::Sources;

use sports_telemetry::LogFormat;

/// The sports model data service.
#[derive(Debug, Parser)]
#[command(name = "sports-api", version = env!("SPORTS_VERSION"), propagate_version = true)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// The options of every command.
    #[command(flatten)]
    pub options: Options,
}

/// The commands of the program.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Serve the API
    Serve,
    /// Serve a simulated world of six leagues, published continuously, with a key to try it
    #[cfg(feature = "demo")]
    Demo(sports_demo::DemoOptions),
    /// Print the OpenAPI document
    Openapi,
    /// Print the settings in effect, secrets masked
    Config,
    /// Request the liveness of the server at `http.bind`: exit status 0 if it answers
    Healthcheck,
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct Options {
    /// Read settings from this TOML file
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Listen here: `http.bind`
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub bind: Option<String>,
    /// Read published data here: `store.url`
    #[arg(long, global = true, value_name = "URL")]
    pub store: Option<String>,
    /// Keep customers and keys here: `database.url`
    #[arg(long, global = true, value_name = "URL")]
    pub database: Option<String>,
    /// Start the clock at this RFC 3339 instant: `clock.as_of`
    #[arg(long, global = true, value_name = "INSTANT")]
    pub as_of: Option<String>,
    /// The log format
    #[arg(long, global = true, value_enum, default_value_t)]
    pub log_format: LogFormat,
}

impl Options {
    /// Returns the sources of settings, with the given flags on top.
    pub fn sources(&self) -> Sources {
        let flags = [
            ("--bind", "http.bind", &self.bind),
            ("--store", "store.url", &self.store),
            ("--database", "database.url", &self.database),
            ("--as-of", "clock.as_of", &self.as_of),
        ];
        Sources::from_process(self.config.clone(), flags)
    }
}

#[cfg(test)]
mod tests {
    use sports_program::settings::Flag;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_may_stand_before_or_after_the_command() {
        for line in [["sports-api", "serve", "--bind", "0.0.0.0:1"], ["sports-api", "--bind", "0.0.0.0:1", "serve"]] {
            let cli = Cli::try_parse_from(line).expect("a command line");
            assert_eq!(cli.command, Command::Serve);
            let flag = Flag { name: "--bind", key: "http.bind", value: "0.0.0.0:1".to_owned() };
            assert_eq!(cli.options.sources().flags, [flag]);
        }
    }
}
