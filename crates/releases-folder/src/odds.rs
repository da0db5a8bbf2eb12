use sports_publication::{ArchivedGame, GameFacts, Located};
use sports_slate::OddsGame;

use crate::cells;
use crate::columns::Field;
use crate::file_kind::FileKind;
use crate::findings::Findings;
use crate::game_columns::GameColumns;
use crate::key::{KeyRules, Keys};
use crate::layout::{FileMarket, Layout};
use crate::match_ids::MatchIds;
use crate::spreads::SpreadColumns;
use crate::table::Table;

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
