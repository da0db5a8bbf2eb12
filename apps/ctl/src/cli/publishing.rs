//! Arguments about what is published: folders, finals, templates, seasons and stores.

use std::path::PathBuf;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use clap::{Args, Subcommand, ValueEnum};
use sports_domain::{ModelName, ModelType, Sport, check_visible, trim_blanks};
use sports_publication::Override;
use sports_publication::movement::BeforeStart;
use sports_publication::registry::is_declarable;
use sports_publisher_files::convert::tables::Postseason;
use sports_publisher_files::did_you_mean;

use crate::report;

/// Whole stores.
#[derive(Debug, Subcommand)]
pub enum Store {
    /// Copy what the target lacks and verify the target; repeat it to go on, or for what was published since
    Copy {
        /// The store that is copied, as the setting store.url would name it
        #[arg(long, value_name = "URL")]
        from: String,
        /// The store that it is copied into
        #[arg(long, value_name = "URL")]
        to: String,
    },
}

/// Arguments of `publish`.
#[derive(Debug, Default, Args)]
pub struct Publish {
    /// The release folder: release.json and the files beside it
    #[arg(required_unless_present = "from", conflicts_with = "from")]
    pub folder: Option<PathBuf>,
    /// Convert tables as `convert csv` does, and publish the result instead of a folder; `-` reads standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub from: Vec<PathBuf>,
    #[command(flatten)]
    pub source: Source,
    /// With --from: publish the games of the newest season that have started, and so their finals
    #[arg(long, conflicts_with = "slate")]
    pub finals: bool,
    /// Check everything and print what would change, but write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Publish nothing if there is a warning
    #[arg(long)]
    pub strict: bool,
    /// Override a finding by its name, which its message has; the log entry records it
    #[arg(long, value_name = "NAME")]
    pub allow: Vec<Override>,
    /// Replace a season without live rows as a whole by that of the folder; the log entry records it
    #[arg(long, value_name = "LABEL")]
    pub replace_season: Vec<String>,
}

/// Arguments of `settle`.
#[derive(Debug, Args)]
pub struct Settle {
    /// The league
    pub sport: Sport,
    /// The file of finals: CSV, Parquet or JSON; `sportsctl template finals` prints an empty one
    pub file: PathBuf,
    /// Replace finals that are on record
    #[arg(long)]
    pub correct: bool,
    /// Skip games that are not on record
    #[arg(long)]
    pub allow_unknown: bool,
    /// Check everything and print what would change, but write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// A file that publishers write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TemplateKind {
    /// A file of games/
    Games,
    /// A file of probabilities/
    Probabilities,
    /// A file of results/
    Results,
    /// The file of odds
    Odds,
    /// A file of predictions/
    Predictions,
    /// A file of finals, for `settle`
    Finals,
    /// The manifest, release.json
    Release,
}

/// A season as it was known before play, and the file that it is written to.
#[derive(Debug, Args)]
pub struct Known {
    /// The league
    pub sport: Sport,
    /// The model type that names the market in the paths of the API
    pub model_type: ModelType,
    /// The label of the season
    pub season: String,
    /// The hours before the start of each game at which it is given, from 0.25 to 168
    #[arg(long, value_name = "K")]
    pub hours_before: BeforeStart,
    /// Add the finals, and the push and the outcome by the line of the row; they were not available before the start
    #[arg(long)]
    pub finals: bool,
    /// The new file, which ends with .parquet, .csv or .ndjson
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

// Arguments about files of other programs.

/// Files of other programs.
#[derive(Debug, Subcommand)]
pub enum Convert {
    /// A feed of The Odds API, version 4: odds requested with oddsFormat=american, or scores
    TheOddsApi(OddsFeed),
    /// Tables of games in CSV or Parquet, by a map of their columns, into a release folder
    Csv(Tables),
}

/// The tables, and the map of their columns.
#[derive(Debug, Args)]
pub struct Tables {
    /// The tables: CSV or Parquet; `-` reads standard input
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub source: Source,
    /// The release folder to write
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Replace what earlier conversions wrote into the folder; other files stay
    #[arg(long)]
    pub replace: bool,
    /// Print the map and convert nothing
    #[arg(long)]
    pub print_map: bool,
}

/// The meaning of tables.
#[derive(Debug, Default, Args)]
pub struct Source {
    /// A map that ships with the program; `list` prints them
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// A map of your own, in TOML; its entries replace those of the preset
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Add a model of your own to the map: its market, and the column of its probabilities if that has another name
    #[arg(long, value_name = "NAME:MARKET[=COLUMN]")]
    pub model: Vec<ModelOfTable>,
    /// Declare models of your own as public: readers without a key see them where the record of the league is public
    #[arg(long)]
    pub public: bool,
    /// The league of the tables
    #[arg(long)]
    pub sport: Option<Sport>,
    /// The season of tables that do not name one; of other tables, the season whose rows are converted
    #[arg(long, value_name = "LABEL")]
    pub season: Option<String>,
    /// The first date of the postseason, or `none`, for tables without game types
    #[arg(long, value_name = "DATE")]
    pub postseason_from: Option<Postseason>,
    /// Convert the games that have not started into odds and predictions, instead of those that have into a history
    #[arg(long)]
    pub slate: bool,
    /// The id of the run that made the forecasts of the slate [default: --run-completed]
    #[arg(long, value_name = "ID", requires = "slate", value_parser = run_id)]
    pub run_id: Option<String>,
    /// The start of the run [default: the time of the newest table, within the 24 hours before --run-completed]
    #[arg(long, value_name = "INSTANT", requires = "slate", value_parser = report::read_instant)]
    pub run_started: Option<DateTime<Utc>>,
    /// The end of the run [default: now]
    #[arg(long, value_name = "INSTANT", requires = "slate", value_parser = report::read_instant)]
    pub run_completed: Option<DateTime<Utc>>,
}

impl Source {
    /// Returns an option that is given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--preset", self.preset.is_some()),
            ("--map", self.map.is_some()),
            ("--model", !self.model.is_empty()),
            ("--sport", self.sport.is_some()),
            ("--season", self.season.is_some()),
            ("--postseason-from", self.postseason_from.is_some()),
            ("--slate", self.slate),
        ];
        given.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }

    /// Returns true if an option describes the run.
    pub const fn names_a_run(&self) -> bool {
        self.run_id.is_some() || self.run_started.is_some() || self.run_completed.is_some()
    }
}

fn run_id(text: &str) -> Result<String, String> {
    let id = trim_blanks(text);
    check_visible(id).map_err(|hidden| format!("the id of a run without hidden characters: {hidden}"))?;
    if id.is_empty() { Err("expected an id, such as sunday-2".to_owned()) } else { Ok(id.to_owned()) }
}

/// A model, and the column of a table that has its probabilities.
#[derive(Debug, Clone)]
pub struct ModelOfTable {
    pub name: ModelName,
    pub market: ModelType,
    pub column: String,
}

impl FromStr for ModelOfTable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "expected NAME:MARKET or NAME:MARKET=COLUMN, such as elo:won_on_points=p_home";
        let (name, rest) = text.split_once(':').ok_or(form)?;
        let (market, column) = rest.split_once('=').unwrap_or((rest, name));
        let name: ModelName = name.parse().map_err(|error| format!("{name}: {error}"))?;
        if !is_declarable(name) {
            return Err(format!("{name} is no name that a model can have: take another one, NAME:MARKET=COLUMN"));
        }
        let known = ModelType::ALL.map(ModelType::code);
        let market = ModelType::ALL
            .into_iter()
            .find(|known| known.code() == market)
            .ok_or_else(|| format!("`{market}` is no market: {}{}", known.join(", "), did_you_mean(market, known)))?;
        if column.trim().is_empty() {
            return Err(format!("the column is empty: {form}"));
        }
        Ok(Self { name, market, column: column.to_owned() })
    }
}

/// The feed, and the games and prices to take from it.
#[derive(Debug, Args)]
pub struct OddsFeed {
    /// The API's answer to a request for odds; `-` reads it from standard input
    #[arg(required_unless_present = "scores")]
    pub file: Option<PathBuf>,
    /// The API's answer to a request for scores instead: its completed games become a file for `sportsctl settle`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "bookmaker", "starts"])]
    pub scores: Option<PathBuf>,
    /// The league
    #[arg(long)]
    pub sport: Sport,
    /// The bookmaker whose prices are taken, such as draftkings
    #[arg(long, value_name = "NAME", required_unless_present = "scores")]
    pub bookmaker: Option<String>,
    /// The file to write, such as release/odds.csv
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The file that keeps starts from one conversion to the next [default: .odds.csv.starts beside --out]
    #[arg(long, value_name = "FILE")]
    pub starts: Option<PathBuf>,
    /// A CSV table with the columns name (as the feed has it) and team (as you have it)
    #[arg(long, value_name = "FILE")]
    pub teams: Option<PathBuf>,
}
