//! Checks of the prices of each market.

use sports_domain::ModelType;

use crate::findings::report::vig as vig_of;
use crate::findings::season_games::{Game, SeasonGames};
use crate::findings::share::{Share, percent};
use crate::findings::{Finding, FindingKind, Severity};

/// The usual range of the sum of implied probabilities, minus 1.
const USUAL: std::ops::RangeInclusive<f64> = -0.02..=0.2;
/// From this share of games outside the range the market has a warning.
const WARNS: f64 = 0.1;

/// Warns of each market whose two prices do not fit together.
pub(super) fn vig(season: &SeasonGames<'_>) -> Vec<Finding> {
    let of_market = |model_type: ModelType| {
        let is_unusual = |game: &Game<'_>| Some(!USUAL.contains(&vig_of(&game.market_game(model_type))?));
        let share = Share::of(season.listed.iter().map(is_unusual));
        let unusual = share.judged().filter(|unusual| *unusual >= WARNS)?;
        let first = season.listed.iter().find(|game| is_unusual(game) == Some(true))?;
        let message = format!(
            "the prices of {model_type}: the implied probabilities of both sides, minus 1, are outside -2 % to 20 % in \
             {} of {} games, the first is {}",
            percent(unusual),
            share.known,
            first.key,
        );
        Some(warning(season, FindingKind::Vig, first, message))
    };
    ModelType::ALL.into_iter().filter_map(of_market).collect()
}

/// Warns of prices of a total or a spread without the line.
pub(super) fn missing_lines(season: &SeasonGames<'_>) -> Vec<Finding> {
    let lacks_spread = |game: &Game<'_>| game.lines.spread.is_none() && game.lines.spread_prices.any();
    let lacks_total = |game: &Game<'_>| game.lines.total.is_none() && game.lines.total_prices.any();
    let of_line = |name: &str, lacks: &dyn Fn(&Game<'_>) -> bool| {
        let first = season.listed.iter().find(|game| lacks(game))?;
        let count = season.listed.iter().filter(|game| lacks(game)).count();
        let message = format!("{count} games have prices of a {name} and no {name}, the first is {}", first.key);
        Some(warning(season, FindingKind::MissingLines, first, message))
    };
    [of_line("spread", &lacks_spread), of_line("total", &lacks_total)].into_iter().flatten().collect()
}

fn warning(season: &SeasonGames<'_>, kind: FindingKind, first: &Game<'_>, message: String) -> Finding {
    let file = first.file.unwrap_or(season.file).to_owned();
    Finding { kind, severity: Severity::Warning, season: season.season, file, message }
}
