use sports_domain::FinalScore;
use sports_publication::Value;
use sports_publication::season_table::{AWAY_SCORE, HOME_SCORE, SeasonColumn};

use crate::findings::{Findings, Noted};
use crate::game_columns::GameRow;
use crate::table::Row;

/// Returns the final of a row: both scores or neither.
pub(crate) fn read_score(read: &GameRow<'_>, row: Row<'_>, found: &mut Findings) -> Result<Option<FinalScore>, Noted> {
    match (points(read, AWAY_SCORE)?, points(read, HOME_SCORE)?) {
        (Some(away), Some(home)) => Ok(Some(FinalScore { away, home })),
        (None, None) => Ok(None),
        (Some(_), None) => missing(row, HOME_SCORE, found),
        (None, Some(_)) => missing(row, AWAY_SCORE, found),
    }
}

fn points(read: &GameRow<'_>, column: &'static SeasonColumn) -> Result<Option<u16>, Noted> {
    let points = read.get(column)?.as_ref().and_then(Value::integer);
    Ok(points.and_then(|points| u16::try_from(points).ok()))
}

fn missing<T>(row: Row<'_>, column: &SeasonColumn, found: &mut Findings) -> Result<T, Noted> {
    found.named_cell(row.number(), column.name, None, "both scores or neither");
    Err(Noted)
}
