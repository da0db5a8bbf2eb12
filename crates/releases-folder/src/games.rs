use sports_domain::{FinalScore, GameKey, GameType};
use sports_publication::{Extras, GameFacts, GamesFile};

use crate::cells;
use crate::columns::Field;
use crate::findings::Findings;
use crate::layout::Layout;
use crate::lines::LineColumns;
use crate::table::Row;

/// Where a file says what happened in a game and what was posted for it.
#[derive(Debug)]
pub(crate) struct GameColumns {
    game_type: Option<usize>,
    match_id: Option<usize>,
    away_score: Option<usize>,
    home_score: Option<usize>,
    quote_source: Option<usize>,
    settlement_status: Option<usize>,
    lines: LineColumns,
}

impl GameColumns {
    pub(crate) fn of(layout: &Layout) -> Self {
        Self {
            game_type: layout.find(Field::GameType),
            match_id: layout.find(Field::MatchId),
            away_score: layout.find(Field::AwayScore),
            home_score: layout.find(Field::HomeScore),
            quote_source: layout.find(Field::QuoteSource),
            settlement_status: layout.find(Field::SettlementStatus),
            lines: LineColumns::of(layout),
        }
    }

    /// A file with these columns and no row yet; its line columns in the order rows carry them.
    pub(crate) fn file(&self, layout: &Layout) -> GamesFile {
        let mut given: Vec<_> = layout.lines().map(|(column, _)| column).collect();
        given.sort_unstable();
        GamesFile { given, gives_game_type: self.game_type.is_some(), rows: Vec::new() }
    }

    /// Reads everything but the extra columns. Without a key, only what is wrong with the row matters.
    pub(crate) fn read(&self, key: Option<GameKey>, row: Row<'_>, found: &mut Findings) -> Option<GameFacts> {
        let score = self.score(row, found);
        let lines = self.lines.read(row, found);
        let text = |column: Option<usize>| column.and_then(|column| row.cell(column).written());
        Some(GameFacts {
            key: key?,
            match_id: text(self.match_id).map(Into::into),
            game_type: game_type(text(self.game_type).as_deref().unwrap_or_default(), found),
            score,
            settlement_status: text(self.settlement_status).map(Into::into),
            lines,
            quote_source: text(self.quote_source).map(Into::into),
            extras: Extras::default(),
        })
    }

    fn score(&self, row: Row<'_>, found: &mut Findings) -> Option<FinalScore> {
        let away = found.take(row, self.away_score, cells::score);
        let home = found.take(row, self.home_score, cells::score);
        match (away.ok()?, home.ok()?) {
            (Some(away), Some(home)) => Some(FinalScore { away, home }),
            (None, None) => None,
            (Some(_), None) => missing_score(row, self.home_score, "home_score", found),
            (None, Some(_)) => missing_score(row, self.away_score, "away_score", found),
        }
    }
}

fn missing_score(row: Row<'_>, column: Option<usize>, name: &str, found: &mut Findings) -> Option<FinalScore> {
    let name = column.map_or(name, |column| row.column(column));
    found.named_cell(row.number(), name, None, "both scores or neither");
    None
}

/// A part of the season; a word that is none of the known ones may be a misspelling of one that counts.
fn game_type(word: &str, found: &mut Findings) -> GameType {
    let game_type = GameType::from_word(word);
    if let GameType::Other(other) = &game_type
        && other != "preseason"
    {
        let known = "regular, postseason and preseason";
        found.warn(&format!("game_type `{other}` is none of {known}: professional leagues leave such games out"));
    }
    game_type
}
