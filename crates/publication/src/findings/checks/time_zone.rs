use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use foldhash::fast::RandomState;
use sports_domain::{FinalScore, GameKey, TeamSlug, eastern_instant};

use crate::SeasonArchive;
use crate::findings::season_games::SeasonGames;
use crate::findings::share::{Share, percent};
use crate::findings::{Finding, FindingKind, Severity};

/// Starts of one game are within this time of each other.
const WITHIN: TimeDelta = TimeDelta::hours(36);
/// The largest shift of a time zone, in hours.
const FARTHEST: i64 = 14;
/// The number of games with one shift from which the release is refused, unless a tenth of the season is fewer.
const REFUSES: usize = 20;
/// The smallest number of games with one shift that refuses a release.
const FEWEST: usize = 2;
/// Above this share of starts at night a first import has a warning.
const AT_NIGHT: f64 = 0.1;

/// Teams and final of a game.
type Played<'r> = (&'r TeamSlug, &'r TeamSlug, FinalScore);

/// Refuses starts that are moved by the same hours from games with the same teams and final. On a first import, warns of
/// too many starts at night.
pub(super) fn finding(season: &SeasonGames<'_>) -> Option<Finding> {
    let shifts = shifts(season);
    let (hours, games) = shifts.iter().max_by_key(|(_, games)| **games)?;
    let needed = REFUSES.min(season.listed.len().div_ceil(10)).max(FEWEST);
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
            let is_whole = shift == TimeDelta::hours(hours) && shift.abs() <= WITHIN;
            if is_whole && (1..=FARTHEST).contains(&hours.abs()) {
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
