use sports_domain::{GameType, Sport};
use sports_publication::season_table::GAME_TYPE;
use sports_publication::{ArchivedGame, GameFacts, Located, PredictedGame, PredictionsFile};
use sports_slate::SlateGame;

use crate::file_kind::FileKind;
use crate::findings::Findings;
use crate::game_columns::GameColumns;
use crate::key::{KeyRules, Keys};
use crate::layout::{FileMarket, Layout};
use crate::match_ids::MatchIds;
use crate::spreads::SpreadColumns;
use crate::table::{Row, Table};

/// Reads a file of predictions and records the problems of every row.
pub(crate) fn read(table: &Table, market: FileMarket<'_>, rules: KeyRules, found: &mut Findings) -> PredictionsFile {
    if table.is_blank() {
        return PredictionsFile::default();
    }
    let Some(layout) = Layout::from_columns(FileKind::Predictions, market, table.columns(), found) else {
        return PredictionsFile::default();
    };
    found.undeclared = layout.undeclared(table);
    let sport = rules.sport;
    let (mut keys, mut match_ids) = (Keys::in_layout(rules, &layout), MatchIds::in_layout(&layout));
    let (columns, spreads) = (GameColumns::in_layout(&layout), SpreadColumns::in_layout(&layout));
    let game_type = layout.find(GAME_TYPE);
    let mut file = PredictionsFile { given: layout.given(), ..PredictionsFile::default() };
    for row in table.rows() {
        // The row is read to its end before an invalid key discards it, so that all problems are reported at once.
        let key = keys.read(row, found);
        let match_id = match_ids.read(row, found);
        let read = columns.read(row, found);
        spreads.check(&read, row, found);
        let extras = layout.extras(row, found);
        let game_type = read_game_type(row, game_type, sport, found);
        if let Some(ArchivedGame { facts, forecast }) = key.and_then(|key| read.game(key, row, found)) {
            let GameFacts { key, game_id, lines, quote_source, .. } = facts;
            let game = SlateGame { key, game_id, match_id, lines, forecasts: forecast.forecasts, own: forecast.own };
            let value = PredictedGame { game, game_type, quote_source, extras };
            file.rows.push(Located { place: found.place(Some(row.number())), value });
        }
    }
    file.names = keys.into_names();
    file
}

/// Reads the game type; records a problem if games of this type do not count, since predictions become part of the
/// record.
fn read_game_type(row: Row<'_>, column: Option<usize>, sport: Option<Sport>, found: &mut Findings) -> Option<GameType> {
    let word = row.cell(column?).written()?;
    let game_type = GameType::from_word(&word);
    if let (Some(column), Some(sport)) = (column, sport)
        && !game_type.counts_in(sport)
    {
        found.cell(row, column, format!("`regular` or `postseason`: other games of {sport} are not in the record"));
    }
    Some(game_type)
}
