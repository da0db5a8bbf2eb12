use sports_domain::{LineColumn, Side};

use crate::findings::season_games::{Game, SeasonGames};
use crate::findings::share::{Share, percent};
use crate::findings::{Finding, FindingKind, Severity};

/// Below this share of equal favourites the season has a warning.
const WARNS: f64 = 0.9;
/// Below this share the release is refused.
const REFUSES: f64 = 0.5;

/// Compares the favourite by the spread with the favourite by the moneyline, over games where both name one.
pub(super) fn finding(season: &SeasonGames<'_>) -> Option<Finding> {
    let share = Share::of(season.listed.iter().map(same_favourite));
    let same = share.judged().filter(|same| *same < WARNS)?;
    let first = season.listed.iter().find(|game| same_favourite(game) == Some(false))?;
    let severity = if same < REFUSES { Severity::Refusal } else { Severity::Warning };
    let (column, known, threshold) =
        (LineColumn::HomePointSpread.name(), share.known, percent(if same < REFUSES { REFUSES } else { WARNS }));
    let message = format!(
        "column {column}: spread and moneyline name the same favourite in {} of {known} games, less than {threshold}; \
         {column} looks like expected margin: use its negative, or `is = \"expected-margin\"` in a map of `sportsctl convert csv`",
        percent(same),
    );
    let file = first.file.unwrap_or(season.file).to_owned();
    Some(Finding { kind: FindingKind::SpreadSigns, severity, season: season.season, file, message })
}

/// Returns true if the spread and the moneyline name the same favourite; `None` unless both name one.
fn same_favourite(game: &Game<'_>) -> Option<bool> {
    let by_spread = Side::ahead(game.lines.spread?.away())?;
    let by_money = game.lines.money.no_vig()?.favoured()?;
    Some(by_spread == by_money)
}
