use sports_domain::LineColumn;

use crate::findings::season_games::{Game, SeasonGames};
use crate::findings::share::{Share, percent};
use crate::findings::{Finding, FindingKind, Severity};

/// Above this share of totals that equal the score the release is refused.
const REFUSES: f64 = 0.2;

/// Compares the total with the sum of the scores.
pub(super) fn finding(season: &SeasonGames<'_>) -> Option<Finding> {
    let share = Share::of(season.listed.iter().map(is_final_total));
    let same = share.judged().filter(|same| *same > REFUSES)?;
    let first = season.listed.iter().find(|game| is_final_total(game) == Some(true))?;
    let message = format!(
        "column {}: it equals the sum of the scores in {} of {} games, more than {}; it looks like the final total \
         and not the line",
        LineColumn::OverUnder.name(),
        percent(same),
        share.known,
        percent(REFUSES),
    );
    let (kind, severity) = (FindingKind::FinalTotal, Severity::Refusal);
    Some(Finding { kind, severity, season: season.season, file: first.file.unwrap_or(season.file).to_owned(), message })
}

fn is_final_total(game: &Game<'_>) -> Option<bool> {
    let beyond = f64::from(game.score?.combined()) - game.lines.total?.get();
    Some(beyond.abs() < f64::EPSILON)
}
