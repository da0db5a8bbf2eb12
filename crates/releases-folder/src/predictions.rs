use sports_domain::{GameType, Sport};
use sports_publication::{Located, PredictedGame, PredictionsFile};
use sports_slate::SlateGame;

use crate::columns::Field;
use crate::file_kind::FileKind;
use crate::findings::Findings;
use crate::key::{KeyRules, Keys};
use crate::layout::Layout;
use crate::lines::LineColumns;
use crate::match_ids::MatchIds;
use crate::models::ModelColumns;
use crate::table::{Row, Table};

/// Reads a file of predictions and notes whatever is wrong with any row.
pub(crate) fn read(table: &Table, rules: KeyRules, found: &mut Findings) -> PredictionsFile {
    if table.is_blank() {
        return PredictionsFile::default();
    }
    let Some(layout) = Layout::from_columns(FileKind::Predictions, table.columns(), found) else {
        return PredictionsFile::default();
    };
    let sport = rules.sport;
    let (mut keys, mut match_ids) = (Keys::in_layout(rules, &layout), MatchIds::in_layout(&layout));
    let (lines, models) = (LineColumns::in_layout(&layout), ModelColumns::in_layout(&layout));
    let (game_type, quote_source) = (layout.find(Field::GameType), layout.find(Field::QuoteSource));
    let mut file = PredictionsFile { given: layout.given(), ..PredictionsFile::default() };
    for row in table.rows() {
        // Everything is read before the key's failure ends the row: all problems at once.
        let key = keys.read(row, found);
        let match_id = match_ids.read(row, found);
        let (lines, forecasts) = (lines.read(row, found), models.read(row, found));
        let game_type = read_game_type(row, game_type, sport, found);
        if let Some(key) = key {
            let quote_source = quote_source.and_then(|column| row.cell(column).written()).map(Into::into);
            let game = SlateGame { key, match_id, lines, forecasts };
            let value = PredictedGame { game, game_type, quote_source, extras: layout.extras(row) };
            file.rows.push(Located { place: found.place(Some(row.number())), value });
        }
    }
    file.names = keys.into_names();
    file
}

/// A prediction becomes part of the record for good, so a game that does not count there is refused.
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
