use sports_domain::LineColumn;
use sports_publication::season_table::{SEASON_COLUMNS, SeasonColumn};
use sports_publication::{ArchivedGame, GameFacts, Located, Value};
use sports_slate::OddsGame;

use crate::cells;
use crate::columns::Field;
use crate::file_kind::FileKind;
use crate::findings::Findings;
use crate::game_columns::{GameColumns, GameRow};
use crate::key::{KeyRules, Keys, MatchIds};
use crate::layout::{FileMarket, Layout};
use crate::table::{Row, Table};

/// Reads a file of odds and records the problems of every row.
pub(crate) fn read(table: &Table, rules: KeyRules, found: &mut Findings) -> Vec<Located<OddsGame>> {
    if table.is_blank() {
        return Vec::new();
    }
    let Some(layout) = Layout::from_columns(FileKind::Odds, FileMarket::none(), table.columns(), found) else {
        return Vec::new();
    };
    let (mut keys, mut match_ids) = (Keys::in_layout(rules, &layout), MatchIds::in_layout(&layout));
    let (columns, spreads) = (GameColumns::in_layout(&layout), SpreadColumns::in_layout(&layout));
    let last_updated = layout.find(Field::LastUpdated);
    let mut games = Vec::new();
    for row in table.rows() {
        // The row is read to its end before an invalid key discards it, so that all problems are reported at once.
        let key = keys.read(row, found);
        let match_id = match_ids.read(row, found);
        let read = columns.read(row, found);
        spreads.check(&read, row, found);
        let last_updated = found.take(row, last_updated, cells::wall_clock).ok().flatten();
        if let Some(ArchivedGame { facts, .. }) = key.and_then(|key| read.game(key, row, found)) {
            let GameFacts { key, game_id, lines, quote_source, .. } = facts;
            let value = OddsGame { key, game_id, listed_start: None, match_id, lines, quote_source, last_updated };
            games.push(Located { place: found.place(Some(row.number())), value });
        }
    }
    games
}

/// The largest difference between home spread and negated away spread: no more than rounding loses.
const OPPOSITE_WITHIN: f64 = 1e-9;

/// The spreads for which a file has the away side, which must be the negated home side.
#[derive(Debug)]
pub(crate) struct SpreadColumns(Vec<SpreadColumn>);

#[derive(Debug)]
struct SpreadColumn {
    home: &'static SeasonColumn,
    away: &'static SeasonColumn,
    place_of_away: usize,
}

impl SpreadColumns {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        let both_sides = [
            (LineColumn::HomePointSpread, LineColumn::AwayPointSpread),
            (LineColumn::OpenHomePointSpread, LineColumn::OpenAwayPointSpread),
        ];
        let column = |line| SEASON_COLUMNS.iter().find(|column| column.line_column() == Some(line));
        let spread = |(home, away)| {
            let (home, away) = (column(home)?, column(away)?);
            Some(SpreadColumn { home, away, place_of_away: layout.find(away)? })
        };
        Self(both_sides.into_iter().filter_map(spread).collect())
    }

    /// Records a problem if the two sides of a spread are not opposites; a single side is valid.
    pub(crate) fn check(&self, read: &GameRow<'_>, row: Row<'_>, found: &mut Findings) {
        for SpreadColumn { home, away, place_of_away } in &self.0 {
            let points = |column| read.get(column).ok().flatten().as_ref().and_then(Value::number);
            if let (Some(home), Some(away)) = (points(home), points(away))
                && (home + away).abs() > OPPOSITE_WITHIN
            {
                let expected = format!("{}, the opposite of the home team's spread", 0.0 - home);
                found.cell(row, *place_of_away, expected);
            }
        }
    }
}
