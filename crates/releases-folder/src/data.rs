//! The content of one table of the folder. Tables are read independently of each other.

use bytes::Bytes;
use sports_domain::{ModelType, Season, Sport};
use sports_publication::{Located, PredictionsFile};
use sports_slate::OddsGame;

use crate::findings::Findings;
use crate::folder::{Content, DataFile, SeasonContent};
use crate::key::{FileSeason, KeyRules, Times};
use crate::layout::FileMarket;
use crate::manifest::{Manifest, season_form};
use crate::name_problems::Names;
use crate::rows::Rows;
use crate::table::Table;
use crate::{odds, predictions};

/// The content of one table.
pub(crate) enum Data {
    Season(Season, SeasonContent, Rows),
    Slate { part: SlatePart, has_rows: bool },
}

/// A table of the slate.
pub(crate) enum SlatePart {
    Odds(Vec<Located<OddsGame>>),
    Predictions(ModelType, PredictionsFile),
}

impl DataFile {
    /// Parses the bytes of the file; records a problem and returns `None` if its rows cannot be checked.
    pub(crate) fn read(&self, bytes: &Bytes, manifest: &Manifest, found: &mut Findings) -> Option<Data> {
        let table = self.format.read(bytes.clone(), found)?;
        let part = match &self.content {
            Content::Season(content, label) => {
                return Some(season(&table, *content, season_of(label, manifest.sport)?, manifest, found));
            }
            Content::Odds => SlatePart::Odds(odds::read(&table, slate_keys(manifest), found)),
            Content::Predictions(model_type) => {
                let market = FileMarket { registry: &manifest.registry, model_type: Some(*model_type) };
                SlatePart::Predictions(*model_type, predictions::read(&table, market, slate_keys(manifest), found))
            }
        };
        Some(Data::Slate { part, has_rows: table.has_rows() })
    }

    /// Checks the file by its name alone; a file with an invalid name is not opened.
    pub(crate) fn check_name(&self, sport: Option<Sport>) -> Result<(), String> {
        match &self.content {
            Content::Season(_, label) if season_of(label, sport).is_none() => {
                let form = sport.map_or_else(|| "a season, such as 2024-25 or 2024".to_owned(), season_form);
                Err(format!("a file called by {form}"))
            }
            _ => Ok(()),
        }
    }
}

fn season(table: &Table, content: SeasonContent, season: Season, manifest: &Manifest, found: &mut Findings) -> Data {
    let season_of_file = Some(FileSeason::of_season(season, "the season of the file's name"));
    let keys =
        KeyRules { sport: manifest.sport, names: Names::History, season: season_of_file, times: Times::MayBeMissing };
    let market = FileMarket { registry: &manifest.registry, model_type: content.model_type() };
    Data::Season(season, content, Rows::from_table(table, content.kind(), market, keys, found))
}

/// Returns the rules for the keys of odds and predictions.
fn slate_keys(manifest: &Manifest) -> KeyRules {
    KeyRules {
        sport: manifest.sport,
        names: Names::SlateActivity,
        season: manifest.file_season(),
        times: Times::InEveryRow,
    }
}

/// Parses the season in a file name. While the league is unknown, accepts either form of season, so that the rows are
/// still checked.
fn season_of(label: &str, sport: Option<Sport>) -> Option<Season> {
    let either = [Sport::Nfl, Sport::Mlb];
    let leagues = sport.as_ref().map_or(either.as_slice(), std::slice::from_ref);
    leagues.iter().find_map(|sport| Season::parse(*sport, label).ok())
}
