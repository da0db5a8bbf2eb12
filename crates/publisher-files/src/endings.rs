//! The endings of games in files of history and of finals: the scores, and the word beside them.

use std::borrow::Cow;

use sports_domain::{FinalScore, FormError, GameKey, Season, Sport, VoidMarkets};
use sports_publication::season_table::{AWAY_SCORE, HOME_SCORE, SETTLEMENT_STATUS, SeasonColumn};
use sports_publication::{CalledOffStatus, Ending, GameStatus, ReportedEnding, Value, beside_score, without_score};

use crate::columns::{Field, FileKind};
use crate::findings::{Findings, Noted};
use crate::game_columns::GameRow;
use crate::key::KeyRules;
use crate::layout::Layout;
use crate::table::Row;

/// A reader of the endings of a history.
pub(crate) struct HistoryEndings {
    status: Option<usize>,
    void: Option<usize>,
    league: Option<(Sport, Season)>,
    /// Findings of the release judge the bounds of scores in `games/`, where they can be overridden.
    are_bounded: bool,
    /// The games that were called off and have a score of 0-0.
    unplayed: usize,
}

impl HistoryEndings {
    pub(crate) fn in_layout(kind: FileKind, rules: &KeyRules, layout: &Layout) -> Self {
        let league = rules.sport.zip(rules.season.map(|season| season.season));
        let (status, void) = (layout.find(SETTLEMENT_STATUS), layout.find(Field::VoidMarkets));
        Self { status, void, league, are_bounded: kind != FileKind::Games, unplayed: 0 }
    }

    /// Returns the ending that a row reports; none if its problem is recorded.
    pub(crate) fn read(&mut self, read: &GameRow<'_>, row: Row<'_>, found: &mut Findings) -> ReportedEnding {
        let Ok(score) = read_score(read, row, found) else { return ReportedEnding::default() };
        let mut ending = match ReportedEnding::in_history(score, read.text(SETTLEMENT_STATUS)) {
            Ok((ending, is_dropped)) => {
                self.unplayed += usize::from(is_dropped);
                ending
            }
            Err(expected) => {
                refuse(self.status, expected, row, found);
                return ReportedEnding::default();
            }
        };
        ending.void = void(self.void, ending.score, row, found);
        if let (Some(score), Some((sport, season))) = (ending.score, self.league) {
            check_level(score, sport, season, row, found);
            if self.are_bounded {
                check_bounds(score, sport, row, found);
            }
        }
        ending
    }

    /// Warns of the scores that were dropped.
    pub(crate) fn warn(&self, found: &mut Findings) {
        if self.unplayed > 0 {
            found.warn(&format!("the score 0-0 of {} games that were called off is dropped", self.unplayed));
        }
    }
}

/// A reader of the endings of a file of finals.
pub(crate) struct FinalsEndings {
    sport: Sport,
    status: Option<usize>,
    void: Option<usize>,
}

impl FinalsEndings {
    /// Creates the reader; `None` if the file describes no endings.
    pub(crate) fn in_layout(sport: Sport, layout: &Layout) -> Option<Self> {
        let (status, void) = (layout.find(SETTLEMENT_STATUS), layout.find(Field::VoidMarkets));
        let has_scores = [AWAY_SCORE, HOME_SCORE].into_iter().any(|column| layout.find(column).is_some());
        (has_scores || status.is_some()).then_some(Self { sport, status, void })
    }

    /// Returns the ending of the game with this key, and the void markets that the row states; `None` for a row that is passed over
    /// or whose problem is recorded.
    pub(crate) fn read(
        &self,
        read: &GameRow<'_>,
        key: Option<&GameKey>,
        row: Row<'_>,
        found: &mut Findings,
    ) -> Option<(Ending, Option<VoidMarkets>)> {
        let score = read_score(read, row, found).ok()?;
        let written = read.get(SETTLEMENT_STATUS).ok()?.and_then(Value::text);
        let void = void(self.void, score, row, found);
        let Some(score) = score else { return Some((self.unscored(written, row, found)?, None)) };
        let status = beside_score(score, written.unwrap_or(Ending::SETTLED));
        let status = status.map_err(|expected| refuse(self.status, expected, row, found)).ok()?;
        check_bounds(score, self.sport, row, found);
        if let Some(key) = key {
            check_level(score, self.sport, Season::around(self.sport, key.date), row, found);
        }
        Some((Ending::Final { score, status: status.to_owned() }, void))
    }

    fn unscored(&self, written: Option<&str>, row: Row<'_>, found: &mut Findings) -> Option<Ending> {
        let status = without_score(written.unwrap_or(Ending::SETTLED))
            .map_err(|expected| refuse(self.status, expected, row, found))
            .ok()?;
        match status.map(CalledOffStatus::new) {
            Some(Ok(status)) => return Some(Ending::CalledOff { status }),
            None if written.is_some_and(GameStatus::is_called_off) => {
                let number = row.number();
                found.warn(&format!("row {number}: a suspended game awaits its final, so the row is passed over"));
            }
            Some(Err(_)) | None => {
                let expected = "both scores, or a settlement_status such as `cancelled` or `postponed`";
                refuse(self.status, expected, row, found);
            }
        }
        None
    }
}

/// Records a problem of the status, or of a row without one.
fn refuse(status: Option<usize>, expected: impl Into<String>, row: Row<'_>, found: &mut Findings) {
    match status.filter(|column| !row.cell(*column).is_empty()) {
        Some(column) => found.cell(row, column, expected),
        None => found.row(row.number(), expected),
    }
}

/// Returns the void markets that a row states beside its final, if any; none if their problem is recorded.
fn void(column: Option<usize>, score: Option<FinalScore>, row: Row<'_>, found: &mut Findings) -> Option<VoidMarkets> {
    let read = |written: Cow<'_, str>| match score {
        Some(_) => written.parse().map_err(|unknown: FormError| format!("markets of a void final: {unknown}")),
        None => Err("both scores beside the void markets".to_owned()),
    };
    let void = found.take(row, column, |cell| cell.written().map(read).transpose().map_err(Cow::Owned));
    void.ok().flatten()
}

/// Records a final that the league cannot have because its games go on until one team has won.
fn check_level(score: FinalScore, sport: Sport, season: Season, row: Row<'_>, found: &mut Findings) {
    if score.can_end(sport, season) {
        return;
    }
    let first = FinalScore::overtime_since(sport).and_then(|year| Season::starting_in(sport, year));
    let since = first.map(|first| format!("since {first} ")).unwrap_or_default();
    let expected = format!(
        "a winner: {since}games of {sport} go into overtime until one team has won, and this looks like the score of regulation; write \
         the final after overtime"
    );
    found.named_cell(row.number(), "away_score, home_score", Some(score.to_string()), expected);
}

fn check_bounds(score: FinalScore, sport: Sport, row: Row<'_>, found: &mut Findings) {
    if !score.is_within_bounds(sport) {
        let bounds = FinalScore::bounds(sport);
        let expected = format!("scores of {sport}, which are {} to {}", bounds.start(), bounds.end());
        found.named_cell(row.number(), "away_score, home_score", Some(score.to_string()), expected);
    }
}

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
