//! The command line.

mod accounts;
mod backtest;
mod door;
mod help;
mod history;
mod publishing;
mod setup;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, Utc};
use clap::{Args, FromArgMatches, Parser, Subcommand, value_parser};
use clap_complete::Shell;
use sports_accounts::CustomerId;
use sports_domain::{ModelName, ModelType, Sport};
use sports_program::settings::{Sources, WitnessAddress};
use sports_transparency::{StatedHead, VerifierKey};
use sports_usecases::game_histories::{DEFAULT_DAYS, MOST_DAYS};

use crate::{report, signing};

pub use accounts::{Accounts, Customer, Dataset, Entitlement, Key, PlanChoice};
pub use backtest::{Backtest, flag};
pub use door::{NewToken, Publisher, Receive, Token};
pub use help::command;
pub use history::{Game, Subject};
pub use publishing::{Convert, Known, ModelOfTable, OddsFeed, Publish, Settle, Source, Store, Tables, TemplateKind};
pub use setup::{Init, Jobs, address, public, site_name};

/// Publish sports model data, verify its record, manage customers, keys and datasets.
#[derive(Debug, Parser)]
#[command(name = "sportsctl", version = env!("SPORTS_VERSION"), propagate_version = true)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// The options of every command.
    #[command(flatten)]
    pub options: Options,
}

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make the folder of a publisher on one machine: settings, inbox, key, map, and the files that run the service
    Init(Init),
    /// Check a release folder and publish it, all of it or nothing
    Publish(Publish),
    /// Add finals to the games on record
    Settle(Settle),
    /// Walk the publication log and check its chain and every object
    Verify {
        /// One league; every league if absent
        sport: Option<Sport>,
        /// Also list the files that no entry names, and what killed writers left; nothing is removed
        #[arg(long)]
        unused: bool,
    },
    /// Move the numbers of a league's log aside that do not continue its record, which stop publishing
    Repair {
        /// The league
        sport: Sport,
        /// Move them; without it they are listed
        #[arg(long)]
        yes: bool,
    },
    /// List releases, newest first
    Releases {
        /// The league
        sport: Sport,
        /// The number of releases to list
        #[arg(long, default_value = "20", value_name = "N")]
        limit: NonZeroUsize,
        /// The release that was the newest at this RFC 3339 instant, the one before and the one after
        #[arg(long, value_name = "INSTANT", conflicts_with = "limit")]
        at: Option<String>,
    },
    /// Print the published lines or forecasts of a game before its start, each where it changed
    History {
        /// The lines (odds), or the forecasts of a model type
        subject: Subject,
        /// The league
        sport: Sport,
        /// The game: its `game_id`, a match id, or "DATE TIME AWAY at HOME"
        game: Game,
        /// The days before the start from which releases are read
        #[arg(long, value_name = "N", default_value_t = DEFAULT_DAYS, value_parser = value_parser!(u16).range(1..=i64::from(MOST_DAYS)))]
        days: u16,
    },
    /// Print what is published, what is fresh and until when, and the next step
    Status {
        /// One league; every league with releases if absent
        sport: Option<Sport>,
    },
    /// Publish each release folder that is moved into a folder, and move it on
    Watch {
        /// The folder; it gets the folders published/ and refused/
        folder: PathBuf,
        /// Publish the folders that are there and end
        #[arg(long)]
        once: bool,
        /// Open the publishers' door at this address, too, as `receive` does
        #[arg(long, value_name = "ADDRESS", conflicts_with = "once")]
        receive: Option<SocketAddr>,
    },
    /// Open the publishers' door: take releases, finals and tables over HTTP, and publish them
    Receive(Receive),
    /// The publishers' door: tokens, and what was sent with them
    #[command(subcommand)]
    Publisher(Publisher),
    /// List the games of the season that predictions are recorded in, oldest first
    Games {
        /// The league
        sport: Sport,
        /// The games of this season
        #[arg(long, value_name = "LABEL")]
        season: Option<String>,
        /// Only games of days before today that have no final and were not called off
        #[arg(long, visible_alias = "unsettled")]
        awaiting: bool,
    },
    /// Write a season as it was known some time before each start to a new file, for a backtest without look-ahead
    Known(Known),
    /// Print what a rule of your own would have won, and how much of it is luck
    Backtest(Backtest),
    /// Convert another program's file for a release folder
    #[command(subcommand)]
    Convert(Convert),
    /// List the models that a league declared
    Models {
        /// The league
        sport: Sport,
        /// List the extra columns on record that look like probabilities, and the block that declares them
        #[arg(long)]
        undeclared: bool,
    },
    /// Print a kind of input file with no rows, what each column holds, and a JSON Schema
    Template {
        /// The kind of file
        kind: TemplateKind,
        /// Add a column for a model of your own; repeat it for more
        #[arg(long, value_name = "NAME")]
        model: Vec<ModelName>,
        /// Print the empty CSV file and nothing else
        #[arg(long)]
        csv: bool,
    },
    /// Sign the record, and check proofs of it
    #[command(subcommand)]
    Record(Record),
    /// Open and look up accounts
    #[command(subcommand)]
    Customer(Customer),
    /// Issue, list and revoke API keys
    #[command(subcommand)]
    Key(Key),
    /// Add, list and remove the files that customers buy
    #[command(subcommand)]
    Dataset(Dataset),
    /// Copy customers and all that is theirs into another database
    #[command(subcommand)]
    Accounts(Accounts),
    /// List the changes of accounts, and the publishes: who, when, from where
    AuditLog {
        /// The changes of this customer's account
        #[arg(long, value_name = "ID")]
        customer: Option<CustomerId>,
        /// The changes since this RFC 3339 instant
        #[arg(long, value_name = "INSTANT", value_parser = report::read_instant)]
        since: Option<DateTime<Utc>>,
    },
    /// Grant, list and revoke rights to datasets
    #[command(subcommand)]
    Entitlement(Entitlement),
    /// Copy the database and the store into a folder, beside a running server or not, and verify the copy
    Backup {
        /// The target: a folder that is new or empty
        folder: PathBuf,
    },
    /// Put a backup into the places of the settings, if they are empty, and verify it
    Restore {
        /// The backup
        folder: PathBuf,
    },
    /// Make the database, or bring its tables up to date
    Migrate,
    /// Copy what is published, and the files that customers buy, from one store to another
    #[command(subcommand)]
    Store(Store),
    /// Print the script with which a shell completes commands and options
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual, a page for each command, into a folder
    Man {
        /// The folder
        folder: PathBuf,
    },
}

/// Parses the arguments of the process.
///
/// # Errors
///
/// The parser's message: help, the version, or an error of the arguments.
pub fn parse() -> Result<Cli, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The provable record.
#[derive(Debug, Subcommand)]
pub enum Record {
    /// Check the proof of one forecast, offline, and print what was forecast
    Check(Check),
    /// Write the proof of one forecast from the store to a file
    Prove(Prove),
    /// Prove that the newest checkpoint of a service extends the kept one, a head, and those of witnesses
    Watch(WatchRecord),
    /// Check a whole season of a service from outside
    Audit(Audit),
    /// Print the SHA-256 of verify.py, the verifier in Python, and where it is served
    Verifier,
    /// Make the key file of the settings and print the public key of each league's log
    Init,
    /// Print what to publish elsewhere: the public keys, as a DNS record and as a line of a page
    Announce {
        /// One league; every league if absent
        sport: Option<Sport>,
    },
    /// Print the public keys of the key file, or add a new key
    Keys {
        /// The change, if there is one
        #[command(subcommand)]
        command: Option<RecordKeys>,
    },
    /// Begin a record anew under another `record.origin`, after a store was restored from an older backup
    Restart {
        /// The newest signed checkpoint of the lost tree
        #[arg(long, value_name = "CHECKPOINT")]
        after: PathBuf,
    },
    /// Store tiles, sign the newest trees, and send them to witnesses and timestamp servers that lack them
    Sign {
        /// One league; every league if absent
        sport: Option<Sport>,
    },
}

/// A forecast, and the file that its proof is written to.
#[derive(Debug, Args)]
pub struct Prove {
    /// The league
    pub sport: Sport,
    /// The model type that names the market in the paths of the API
    pub model_type: ModelType,
    /// The game: its `game_id`, a match id, or "DATE TIME AWAY at HOME"
    pub game: Game,
    /// The size of the signed checkpoint to lead to, instead of the earliest one with the strongest evidence
    #[arg(long, value_name = "N")]
    pub size: Option<u64>,
    /// The new file, such as game.tlog-proof
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// The record of a league at a service, and the keys of its logs.
#[derive(Debug, Args)]
pub struct RemoteRecord {
    /// The base address of the service, such as <https://example.com>
    #[arg(long, value_name = "URL")]
    pub url: String,
    /// The key of the league's log, as the publisher announced it; repeat it after a rotation, a loss or a restart
    #[arg(long, value_name = "VKEY", value_parser = signing::log_key, required = true)]
    pub log: Vec<VerifierKey>,
}

/// A record, and what its newest checkpoint is compared with.
#[derive(Debug, Args)]
pub struct WatchRecord {
    /// The league
    pub sport: Sport,
    /// The record
    #[command(flatten)]
    pub record: RemoteRecord,
    /// The folder of the kept checkpoints
    #[arg(long, value_name = "FOLDER", required_unless_present_any = ["head", "witness", "from_url"])]
    pub state: Option<PathBuf>,
    /// A head as the header X-Record-Head had it: "nfl 4145 ROOT"
    #[arg(long, value_name = "HEAD")]
    pub head: Option<StatedHead>,
    /// A witness that you trust, whose newest checkpoint is compared; repeat it for more
    #[arg(long, value_name = "VKEY@URL")]
    pub witness: Vec<WitnessAddress>,
    /// The longest time since a witness of yours cosigned the checkpoint, such as 90m, 26h or 7d
    #[arg(long, value_name = "AGE", requires = "witness", value_parser = humantime::parse_duration)]
    pub max_age: Option<Duration>,
    /// A page elsewhere on which the publisher announces the keys, or a DNS name: `dns:NAME`
    #[arg(long, value_name = "URL")]
    pub from_url: Option<String>,
}

/// A season of a record to audit.
#[derive(Debug, Args)]
pub struct Audit {
    /// The league
    pub sport: Sport,
    /// The label of the season
    pub season: String,
    /// The record
    #[command(flatten)]
    pub record: RemoteRecord,
    /// The API key of a customer; `-` reads it from standard input. Without one, a season that is open is checked, as far as it began
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// The voices that its reader trusts
    #[command(flatten)]
    pub trust: Trust,
    /// The one model whose record is printed, and whose values have to be committed to
    #[arg(long, value_name = "MODEL")]
    pub model: Option<ModelName>,
    /// A schedule from a source of your own, with which starts and endings are compared: the columns of a file of finals, and `status`
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// The age that the newest word of a trusted witness may have, such as 26h
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub max_age: Option<Duration>,
}

/// The voices that a reader trusts on the time of a record.
#[derive(Debug, Args)]
pub struct Trust {
    /// The key of a witness that you trust; repeat it for more
    #[arg(long, value_name = "VKEY[@URL]", value_parser = signing::trusted_witness)]
    pub witness: Vec<signing::TrustedWitness>,
    /// The certificate of a timestamp authority that you trust, in a PEM file, or `bundled` for public ones; repeat it for more
    #[arg(long, value_name = "PEM|bundled")]
    pub tsa_cert: Vec<String>,
    /// The number of witnesses and authorities that have to agree; all that are named if absent
    #[arg(long, value_name = "N", conflicts_with = "policy")]
    pub quorum: Option<usize>,
    /// The witnesses and their quorum as a C2SP tlog-policy; each --tsa-cert is needed beside it
    #[arg(long, value_name = "FILE", conflicts_with = "witness")]
    pub policy: Option<PathBuf>,
}

/// Changes of the key file.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum RecordKeys {
    /// Make a new key, which signs from the next publish on; the key before it signs beside it for a while
    Add {
        /// The time for which both keys sign, such as 30d
        #[arg(long, value_name = "TIME", default_value = "30d", value_parser = humantime::parse_duration)]
        overlap: Duration,
    },
}

/// A proof, and the keys and the start that its reader trusts.
#[derive(Debug, Args)]
pub struct Check {
    /// The proof
    pub file: PathBuf,
    /// The key of the league's log, as the publisher announced it
    #[arg(long, value_name = "VKEY", value_parser = signing::log_key)]
    pub log: VerifierKey,
    /// The start of the game by your own knowledge, as an RFC 3339 instant
    #[arg(long, value_name = "INSTANT", value_parser = report::read_instant)]
    pub start: DateTime<Utc>,
    /// A timestamp of the checkpoint in the proof, a file that `record prove` and the service name; repeat it for more
    #[arg(long, value_name = "FILE")]
    pub token: Vec<PathBuf>,
    /// The voices that its reader trusts
    #[command(flatten)]
    pub trust: Trust,
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct Options {
    /// Print one JSON object
    #[arg(long, global = true)]
    pub json: bool,
    /// Read settings from this TOML file
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Publish here: `store.url`
    #[arg(long, global = true, value_name = "URL")]
    store: Option<String>,
    /// Keep customers and keys here: `database.url`
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
    /// Use this RFC 3339 instant as the current time: `clock.as_of`
    #[arg(long, global = true, value_name = "INSTANT")]
    as_of: Option<String>,
}

/// Returns whether a command line that does not parse requests JSON.
pub fn requests_json(words: impl Iterator<Item = OsString>) -> bool {
    words.take_while(|word| word != "--").any(|word| word == "--json")
}

impl Options {
    /// Returns the sources of settings, with the given flags on top.
    pub fn sources(&self) -> Sources {
        Sources::from_process(self.config.clone(), self.flags())
    }

    /// Returns an option that is given and names settings, or one of them.
    pub fn of_settings(&self) -> Option<&'static str> {
        let flag = self.flags().into_iter().find_map(|(name, _, value)| value.as_ref().map(|_| name));
        self.config.as_ref().map(|_| "--config").or(flag)
    }

    /// Returns the options that name the file of settings, the store and the database, for a process of the same settings.
    pub fn of_places(&self) -> Vec<OsString> {
        let config = self.config.as_ref().map(|config| ["--config".into(), config.into()]);
        let named = [("--store", &self.store), ("--database", &self.database)];
        let named = named.into_iter().filter_map(|(name, value)| Some([name.into(), value.as_ref()?.into()]));
        config.into_iter().chain(named).flatten().collect()
    }

    const fn flags(&self) -> [(&'static str, &'static str, &Option<String>); 3] {
        [
            ("--store", "store.url", &self.store),
            ("--database", "database.url", &self.database),
            ("--as-of", "clock.as_of", &self.as_of),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn an_option_requests_json_and_an_argument_does_not() {
        let requests = |words: &str| requests_json(words.split(' ').map(OsString::from));
        assert!(requests("--json verify") && requests("verify cricket --json"));
        assert!(!requests("verify") && !requests("publish -- --json"));
    }
}
