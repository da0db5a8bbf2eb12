//! Arguments about files of other programs.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use sports_convert_sources::tables::Postseason;
use sports_domain::Sport;

/// Files of other programs.
#[derive(Debug, Subcommand)]
pub enum Convert {
    /// The odds feed of The Odds API, version 4, requested with oddsFormat=american
    TheOddsApi(OddsFeed),
    /// Tables of games in CSV or Parquet, by a map of their columns, into a release folder
    Csv(Tables),
}

/// The tables, and the map of their columns.
#[derive(Debug, Args)]
pub struct Tables {
    /// The tables: CSV or Parquet
    pub files: Vec<PathBuf>,
    /// A map that ships with the program; `list` prints them
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// A map of your own, in TOML; its entries replace those of the preset
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// The league
    #[arg(long)]
    pub sport: Option<Sport>,
    /// The release folder to write
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// The season of tables that do not name one; of other tables, the season whose rows are converted
    #[arg(long, value_name = "LABEL")]
    pub season: Option<String>,
    /// The first date of the postseason, or `none`, for tables without game types
    #[arg(long, value_name = "DATE")]
    pub postseason_from: Option<Postseason>,
    /// Convert the games that have not started into odds and predictions, instead of those that have into a history
    #[arg(long)]
    pub slate: bool,
    /// Print the map and convert nothing
    #[arg(long)]
    pub print_map: bool,
}

/// The feed, and the games and prices to take from it.
#[derive(Debug, Args)]
pub struct OddsFeed {
    /// The API's answer; `-` reads it from standard input
    pub file: PathBuf,
    /// The league
    #[arg(long)]
    pub sport: Sport,
    /// The bookmaker whose prices are taken, such as draftkings
    #[arg(long, value_name = "NAME")]
    pub bookmaker: String,
    /// The odds file to write, such as release/odds.csv
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The file that keeps starts from one conversion to the next [default: .odds.csv.starts beside --out]
    #[arg(long, value_name = "FILE")]
    pub starts: Option<PathBuf>,
    /// A CSV table with the columns name (as the feed has it) and team (as you have it)
    #[arg(long, value_name = "FILE")]
    pub teams: Option<PathBuf>,
}
