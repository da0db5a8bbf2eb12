use sports_publication::{Extras, ForecastRecord, ForecastRow, GameFacts, GamesFile, Located};

use crate::file_kind::FileKind;
use crate::findings::Findings;
use crate::forecasts::ForecastColumns;
use crate::games::GameColumns;
use crate::key::{KeyRules, Keys};
use crate::layout::Layout;
use crate::table::{Row, Table};

/// What the rows of one table tell.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// `None` from a file that tells of forecasts only.
    pub(crate) games: Option<GamesFile>,
    pub(crate) forecasts: Vec<Located<ForecastRow>>,
}

impl Rows {
    /// Reads every row and notes whatever is wrong with any.
    pub(crate) fn from_table(table: &Table, kind: FileKind, rules: KeyRules, found: &mut Findings) -> Self {
        let Some(layout) = Layout::from_columns(kind, table.columns(), found) else { return Self::default() };
        let mut keys = Keys::in_layout(rules, &layout);
        let games = (kind != FileKind::Probabilities).then(|| GameColumns::in_layout(&layout));
        let forecasts = (kind != FileKind::Games).then(|| ForecastColumns::in_layout(&layout));
        let file = games.as_ref().map(|columns| columns.file(&layout));
        let mut rows = Self { games: file, forecasts: Vec::new() };
        for row in table.rows() {
            // Both are read before the key's failure ends the row: all problems at once.
            let key = keys.read(row, found);
            let facts = games.as_ref().and_then(|columns| columns.read(key.clone(), row, found));
            let record = forecasts.as_ref().map(|columns| columns.read(key.as_ref(), row, found));
            let extras = layout.extras(row);
            match (key, facts) {
                (Some(_), Some(facts)) => rows.push_result(row, GameFacts { extras, ..facts }, record, found),
                (Some(key), None) => {
                    let value = ForecastRow { key, record: record.unwrap_or_default(), extras };
                    rows.forecasts.push(Located { place: found.place(Some(row.number())), value });
                }
                (None, _) => {}
            }
        }
        rows
    }

    /// A game, and its forecast where anything is said of one; extra columns are the game's.
    fn push_result(&mut self, row: Row<'_>, facts: GameFacts, record: Option<ForecastRecord>, found: &Findings) {
        let place = found.place(Some(row.number()));
        if let Some(record) = record.filter(|record| *record != ForecastRecord::default()) {
            let value = ForecastRow { key: facts.key.clone(), record, extras: Extras::default() };
            self.forecasts.push(Located { place: place.clone(), value });
        }
        if let Some(games) = &mut self.games {
            games.rows.push(Located { place, value: facts });
        }
    }
}
