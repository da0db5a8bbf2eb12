use sports_domain::{GameKey, GameType};
use sports_publication::{Extras, GameFacts, GamesFile};

use crate::columns::Field;
use crate::findings::Findings;
use crate::layout::Layout;
use crate::lines::LineColumns;
use crate::score::ScoreColumns;
use crate::table::Row;

/// Where a file says what happened in a game and what was posted for it.
#[derive(Debug)]
pub(crate) struct GameColumns {
    game_type: Option<usize>,
    match_id: Option<usize>,
    score: ScoreColumns,
    quote_source: Option<usize>,
    settlement_status: Option<usize>,
    lines: LineColumns,
}

impl GameColumns {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self {
            game_type: layout.find(Field::GameType),
            match_id: layout.find(Field::MatchId),
            score: ScoreColumns::in_layout(layout),
            quote_source: layout.find(Field::QuoteSource),
            settlement_status: layout.find(Field::SettlementStatus),
            lines: LineColumns::in_layout(layout),
        }
    }

    /// A file with these columns and no row yet; its line columns in the order rows carry them.
    pub(crate) fn file(&self, layout: &Layout) -> GamesFile {
        GamesFile { given: layout.given(), gives_game_type: self.game_type.is_some(), rows: Vec::new() }
    }

    /// Reads everything but the extra columns. Without a key, only what is wrong with the row matters.
    pub(crate) fn read(&self, key: Option<GameKey>, row: Row<'_>, found: &mut Findings) -> Option<GameFacts> {
        let score = self.score.read(row, found).ok().flatten();
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
