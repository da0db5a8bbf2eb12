use sports_domain::FinalScore;

use super::season_games::{Game, SeasonGames};
use super::{Finding, FindingKind, Severity, first_named};

/// Refuses scores outside the bounds of the league, which old seasons of college football have. In `results/` such a score is a
/// problem of its cell.
pub(crate) fn range(season: &SeasonGames<'_>) -> Option<Finding> {
    let sport = season.sport;
    let beyond = |game: &&Game<'_>| game.score.is_some_and(|score| !score.is_within_bounds(sport));
    let first = season.listed.iter().find(beyond)?;
    let games = season.listed.iter().filter(beyond);
    let named = games.clone().filter_map(|game| Some(format!("{} ({})", game.key, game.score?)));
    let bounds = FinalScore::bounds(sport);
    let message = format!(
        "{} scores are outside {} to {}, the range of {sport}: {}",
        games.clone().count(),
        bounds.start(),
        bounds.end(),
        first_named(named),
    );
    Some(Finding::of(FindingKind::ScoreRange, Severity::Refusal, Some(season.season), first, message))
}
