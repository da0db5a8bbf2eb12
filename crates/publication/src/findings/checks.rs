//! The checks, each with its threshold.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use foldhash::fast::RandomState;
use sports_domain::{FinalScore, GameKey, LineColumn, ModelId, ModelType, Side, TeamSlug, eastern_instant};

use super::report::{Share, error, mean, percent, vig as vig_of};
use super::season_games::{Game, MarketGames};
use super::{FindingKind, Severity};
use crate::SeasonArchive;
use crate::findings::Finding;
use crate::findings::season_games::SeasonGames;

/// Returns the findings of the games of a season, which its markets share.
pub(crate) fn of_season(season: &SeasonGames<'_>) -> Vec<Finding> {
    let found = [nothing_kept(season), spread_signs(season), time_zone(season), final_total(season)];
    found.into_iter().flatten().chain(vig(season)).chain(missing_lines(season)).collect()
}

/// Above this share of totals that equal the score the release is refused.
const FINAL_TOTALS: f64 = 0.2;

/// Compares the total with the sum of the scores.
fn final_total(season: &SeasonGames<'_>) -> Option<Finding> {
    let share = Share::of(season.listed.iter().map(is_final_total));
    let same = share.judged().filter(|same| *same > FINAL_TOTALS)?;
    let first = season.listed.iter().find(|game| is_final_total(game) == Some(true))?;
    let message = format!(
        "column {}: it equals the sum of the scores in {} of {} games, more than {}; it looks like the final total \
         and not the line",
        LineColumn::OverUnder.name(),
        percent(same),
        share.known,
        percent(FINAL_TOTALS),
    );
    let (kind, severity) = (FindingKind::FinalTotal, Severity::Refusal);
    Some(Finding { kind, severity, season: season.season, file: first.file.unwrap_or(season.file).to_owned(), message })
}

fn is_final_total(game: &Game<'_>) -> Option<bool> {
    let beyond = f64::from(game.score?.combined()) - game.lines.total?.get();
    Some(beyond.abs() < f64::EPSILON)
}

/// Words for parts of a season that a file may have alone, without being a mistake.
const NOT_COUNTED: [&str; 4] = ["preseason", "pre", "exhibition", "all-star"];

/// Refuses a season of which every row is left out, unless all rows are of a part that is known not to count.
fn nothing_kept(season: &SeasonGames<'_>) -> Option<Finding> {
    let unknown = season.left_out.keys().any(|word| !NOT_COUNTED.contains(word));
    if !season.listed.is_empty() || !unknown {
        return None;
    }
    let word = |(word, count): (&&str, &usize)| {
        let hint = season_part(word).map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default();
        format!("{count} of `{word}`{hint}")
    };
    let words: Vec<_> = season.left_out.iter().map(word).collect();
    let message = format!("every row is left out: {}; `regular` and `postseason` count in game_type", words.join(", "));
    let (kind, severity, file) = (FindingKind::NothingKept, Severity::Refusal, season.file.to_owned());
    Some(Finding { kind, severity, season: season.season, file, message })
}

/// Returns the part of the season that a word of the trade means.
fn season_part(word: &str) -> Option<&'static str> {
    match word {
        "reg" | "r" | "rs" | "regular season" | "regular-season" | "regular_season" => Some("regular"),
        "post" | "wc" | "div" | "con" | "sb" | "playoff" | "playoffs" | "p" => Some("postseason"),
        _ => None,
    }
}

// Checks of the prices of each market.

/// The usual range of the sum of implied probabilities, minus 1.
const USUAL_VIG: std::ops::RangeInclusive<f64> = -0.02..=0.2;

/// From this share of games outside the range the market has a warning.
const UNUSUAL_PRICES: f64 = 0.1;

/// Warns of each market whose two prices do not fit together.
fn vig(season: &SeasonGames<'_>) -> Vec<Finding> {
    let of_market = |model_type: ModelType| {
        let is_unusual = |game: &Game<'_>| Some(!USUAL_VIG.contains(&vig_of(&game.market_game(model_type))?));
        let share = Share::of(season.listed.iter().map(is_unusual));
        let unusual = share.judged().filter(|unusual| *unusual >= UNUSUAL_PRICES)?;
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
fn missing_lines(season: &SeasonGames<'_>) -> Vec<Finding> {
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

/// Below this share of equal favourites the season has a warning.
const EQUAL_FAVOURITES: f64 = 0.9;

/// Below this share the release is refused.
const OPPOSITE_FAVOURITES: f64 = 0.5;

/// Compares the favourite by the spread with the favourite by the moneyline, over games where both name one.
fn spread_signs(season: &SeasonGames<'_>) -> Option<Finding> {
    let share = Share::of(season.listed.iter().map(same_favourite));
    let same = share.judged().filter(|same| *same < EQUAL_FAVOURITES)?;
    let first = season.listed.iter().find(|game| same_favourite(game) == Some(false))?;
    let severity = if same < OPPOSITE_FAVOURITES { Severity::Refusal } else { Severity::Warning };
    let (column, known, threshold) = (
        LineColumn::HomePointSpread.name(),
        share.known,
        percent(if same < OPPOSITE_FAVOURITES { OPPOSITE_FAVOURITES } else { EQUAL_FAVOURITES }),
    );
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

/// Starts of one game are within this time of each other.
const SHIFTED_WITHIN: TimeDelta = TimeDelta::hours(36);

/// The largest shift of a time zone, in hours.
const FARTHEST_SHIFT: i64 = 14;

/// The number of games with one shift from which the release is refused, unless a tenth of the season is fewer.
const SHIFTED_GAMES: usize = 20;

/// The smallest number of games with one shift that refuses a release.
const FEWEST_SHIFTED: usize = 2;

/// Above this share of starts at night a first import has a warning.
const AT_NIGHT: f64 = 0.1;

/// Teams and final of a game.
type Played<'r> = (&'r TeamSlug, &'r TeamSlug, FinalScore);

/// Refuses starts that are moved by the same hours from games with the same teams and final. On a first import, warns of
/// too many starts at night.
fn time_zone(season: &SeasonGames<'_>) -> Option<Finding> {
    let shifts = shifts(season);
    let (hours, games) = shifts.iter().max_by_key(|(_, games)| **games)?;
    let needed = SHIFTED_GAMES.min(season.listed.len().div_ceil(10)).max(FEWEST_SHIFTED);
    let (severity, message) = if *games >= needed {
        let unit = if hours.abs() == 1 { "hour" } else { "hours" };
        let direction = if hours.is_negative() { "before" } else { "after" };
        let message = format!(
            "column time_est: {games} games start {} {unit} {direction} a game of the same teams with the same final, and {needed} \
             are enough for a mistake: time_est is Eastern time",
            hours.abs()
        );
        (Severity::Refusal, message)
    } else {
        (Severity::Warning, at_night(season)?)
    };
    Some(Finding {
        kind: FindingKind::TimeZone,
        severity,
        season: season.season,
        file: season.file.to_owned(),
        message,
    })
}

/// Counts the games by their shift in whole hours.
fn shifts(season: &SeasonGames<'_>) -> BTreeMap<i64, usize> {
    let recorded = season.on_record.map(SeasonArchive::games).unwrap_or_default();
    let keys: HashSet<&GameKey, RandomState> = recorded.iter().map(|game| &game.facts.key).collect();
    let mut known: HashMap<Played<'_>, Vec<DateTime<Utc>>, RandomState> = HashMap::default();
    for facts in recorded.iter().map(|game| &game.facts) {
        if let (Some(played), Some(start)) = (played(&facts.key, facts.score()), start(&facts.key)) {
            known.entry(played).or_default().push(start);
        }
    }
    // Without a shift, so that the number of games at night is judged in any case.
    let mut shifts = BTreeMap::from([(0, 0)]);
    for game in season.listed.iter().filter(|game| !keys.contains(game.key)) {
        let (Some(played), Some(start)) = (played(game.key, game.score), start(game.key)) else { continue };
        let others = known.entry(played).or_default();
        if let Some(nearest) = others.iter().min_by_key(|other| (start - **other).abs()) {
            let shift = start - *nearest;
            let hours = shift.num_hours();
            let is_whole = shift == TimeDelta::hours(hours) && shift.abs() <= SHIFTED_WITHIN;
            if is_whole && (1..=FARTHEST_SHIFT).contains(&hours.abs()) {
                *shifts.entry(hours).or_default() += 1;
            }
        }
        others.push(start);
    }
    shifts
}

fn played(key: &GameKey, score: Option<FinalScore>) -> Option<Played<'_>> {
    Some((&key.away, &key.home, score?))
}

fn start(key: &GameKey) -> Option<DateTime<Utc>> {
    Some(eastern_instant(key.date, key.time?))
}

/// Describes too many starts at night in a season that is not on record.
fn at_night(season: &SeasonGames<'_>) -> Option<String> {
    let morning = NaiveTime::from_hms_opt(7, 0, 0)?;
    let share = Share::of(season.listed.iter().map(|game| Some(game.key.time? < morning)));
    let at_night = share.judged().filter(|share| season.on_record.is_none() && *share > AT_NIGHT)?;
    Some(format!(
        "column time_est: {} of {} starts lie between 00:00 and 07:00, more than {}; they may be in another time zone, \
         such as UTC",
        percent(at_night),
        share.known,
        percent(AT_NIGHT),
    ))
}

/// A model is reported if the complements of its probabilities score better by this much.
const BETTER: f64 = 0.03;

/// The smallest number of decided games in which a model is judged.
const FEWEST_DECIDED: usize = 100;

/// Warns of each model whose probabilities look like those of the other side.
pub(crate) fn flipped_probabilities(
    season: &SeasonGames<'_>,
    model_type: ModelType,
    market: &MarketGames<'_>,
) -> Vec<Finding> {
    let graded = market.graded(model_type);
    let other = match model_type {
        ModelType::OverUnder => "the under's probability",
        ModelType::WonOnPoints => "the away team's probability",
        ModelType::WonOnSpread => "the away cover's probability",
    };
    let of_model = |model: ModelId| {
        let errors = graded.iter().filter_map(|game| {
            let probability = game.probability(model)?;
            Some((error(game, probability)?, error(game, probability.complement())?))
        });
        let errors: Vec<_> = errors.collect();
        let (own, flipped) = (mean(errors.iter().map(|it| it.0))?, mean(errors.iter().map(|it| it.1))?);
        if errors.len() < FEWEST_DECIDED || own - flipped < BETTER {
            return None;
        }
        let message = format!(
            "{} of {model_type} looks like {other}: its Brier score over {} games is {own:.4}, and {flipped:.4} with 1 − p",
            market.models.name(model),
            errors.len(),
        );
        let (kind, severity) = (FindingKind::FlippedProbabilities, Severity::Warning);
        Some(Finding { kind, severity, season: season.season, file: season.file.to_owned(), message })
    };
    market.models.forecasts().filter_map(of_model).collect()
}
