//! The checks, each with its threshold.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use foldhash::fast::RandomState;
use sports_domain::{FinalScore, GameKey, LineColumn, ModelId, ModelType, TeamSlug, eastern_instant};

use super::report::{Share, error, mean, percent};
use super::season_games::{Game, MarketGames};
use super::{FindingKind, START_COLUMN, Severity};
use crate::SeasonArchive;
use crate::findings::Finding;
use crate::findings::season_games::SeasonGames;

/// Returns the findings of the games of a season, which its markets share.
pub(crate) fn of_season(season: &SeasonGames<'_>) -> Vec<Finding> {
    [nothing_kept(season), time_zone(season), final_total(season)].into_iter().flatten().collect()
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
    Some(Finding::of(FindingKind::FinalTotal, Severity::Refusal, Some(season.season), first, message))
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
    Some(Finding { kind, severity, season: Some(season.season), file, message })
}

/// Returns the part of the season that a word of the trade means.
fn season_part(word: &str) -> Option<&'static str> {
    match word {
        "reg" | "r" | "rs" | "regular season" | "regular-season" | "regular_season" => Some("regular"),
        "post" | "wc" | "div" | "con" | "sb" | "playoff" | "playoffs" | "p" => Some("postseason"),
        _ => None,
    }
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
            "{START_COLUMN}: {games} games start {} {unit} {direction} a game of the same teams with the same final, and {needed} \
             are enough for a mistake: starts are in Eastern time",
            hours.abs()
        );
        (Severity::Refusal, message)
    } else {
        (Severity::Warning, at_night(season)?)
    };
    Some(Finding {
        kind: FindingKind::TimeZone,
        severity,
        season: Some(season.season),
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
        "{START_COLUMN}: {} of {} starts lie between 00:00 and 07:00, more than {}; they may be in another time zone, \
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
        Some(Finding { kind, severity, season: Some(season.season), file: season.file.to_owned(), message })
    };
    market.models.forecasts().filter_map(of_model).collect()
}
