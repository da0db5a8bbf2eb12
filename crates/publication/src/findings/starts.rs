//! Findings about start times: placeholders, and a slate in universal time.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDateTime, NaiveTime};
use sports_domain::{GameKey, Season, Sport, eastern_reading};

use super::{Finding, FindingKind, START_COLUMN, Severity, first_named};
use crate::{Override, Release};

/// Returns the findings about the starts of the slate, then of the history by season.
pub(crate) fn findings(release: &Release) -> Vec<Finding> {
    let mut starts: BTreeMap<Option<Season>, Starts<'_>> = BTreeMap::new();
    let is_judged = |season: Option<Season>, key: &GameKey| {
        (season.is_none() && key.time.is_some()) || key.has_placeholder(release.sport)
    };
    for (season, place, key) in release.starts().filter(|(season, _, key)| is_judged(*season, key)) {
        let (file, keys) = (&*place.file, BTreeSet::new());
        starts.entry(season).or_insert(Starts { release, history: season, file, keys }).keys.insert(key);
    }
    starts.values().flat_map(|starts| [starts.in_universal_time(), starts.placeholders()]).flatten().collect()
}

/// The games of the slate that have a time, or those of a season of the history that have a placeholder.
struct Starts<'r> {
    release: &'r Release,
    /// The season of the history; `None` for the slate.
    history: Option<Season>,
    /// The first file.
    file: &'r str,
    keys: BTreeSet<&'r GameKey>,
}

/// The first time at night at which no game begins in a professional league; placeholders are before it.
const NIGHT: NaiveTime = time(0, 5);

/// The end of the night.
const MORNING: NaiveTime = time(9, 0);

/// The smallest college slate of which the starts at night are counted. A larger share than a tenth is refused.
const COLLEGE_GAMES: usize = 10;

/// The form of a start in a message.
const MINUTE: &str = "%Y-%m-%d %H:%M";

const fn time(hour: u32, minute: u32) -> NaiveTime {
    match NaiveTime::from_hms_opt(hour, minute, 0) {
        Some(time) => time,
        None => NaiveTime::MIN,
    }
}

impl Starts<'_> {
    fn finding(&self, kind: FindingKind, severity: Severity, message: String) -> Finding {
        let season = self.history.or(self.release.season);
        Finding { kind, severity, season, file: self.file.to_owned(), message }
    }

    /// Refuses a slate with starts at night: evening games have such starts in universal time.
    fn in_universal_time(&self) -> Option<Finding> {
        let is_at_night = |key: &&&GameKey| key.time.is_some_and(|time| (NIGHT..MORNING).contains(&time));
        let (count, all) = (self.keys.iter().filter(is_at_night).count(), self.keys.len());
        let is_professional = self.release.sport.is_professional();
        let is_refused = if is_professional { count > 0 } else { all >= COLLEGE_GAMES && count * 10 > all };
        if self.history.is_some() || !is_refused {
            return None;
        }
        let message = format!(
            "{START_COLUMN}: {count} of {all} starts are between {} and {}, {}",
            NIGHT.format("%H:%M"),
            MORNING.format("%H:%M"),
            self.cause_of_nights()?
        );
        Some(self.finding(FindingKind::TimeZone, Severity::Refusal, message))
    }

    /// Returns the probable cause of starts at night: universal time if most of them are usual hours of the league in it.
    fn cause_of_nights(&self) -> Option<String> {
        let sport = self.release.sport;
        let early: Vec<_> = self.keys.iter().filter(|key| key.time.is_some_and(|time| time < MORNING)).collect();
        let universal = early.iter().filter_map(|key| Some((key, read_as_universal(key)?)));
        let usual: Vec<_> = universal.filter(|(_, eastern)| eastern.time() >= sport.earliest_start()).collect();
        let first = usual.first().filter(|_| usual.len() * 2 > early.len());
        Some(match first {
            Some((first, eastern)) => format!(
                "and look like universal time: {first} is {} Eastern. Write the Eastern date and time of every game, of those at \
                 00:00 too",
                eastern.format(MINUTE)
            ),
            None => format!(
                "at which {sport} does not usually play, the first is {}. Write the Eastern date and time of every game",
                early.first()?
            ),
        })
    }

    /// Names the placeholders.
    fn placeholders(&self) -> Option<Finding> {
        let sport = self.release.sport;
        let named = || self.keys.iter().filter(|key| key.has_placeholder(sport));
        let (count, first) = (named().count(), named().next()?);
        let until = sport.earliest_start().format("%H:%M");
        let unknown = if self.history.is_some() {
            "left empty".to_owned()
        } else {
            format!(
                "not known yet: the games take forecasts until {until} Eastern of their date or of an earlier slate date"
            )
        };
        let is_midnight = |key: &&GameKey| key.time == Some(NaiveTime::MIN);
        let is_usual_evening = matches!(sport, Sport::Mlb | Sport::Nba | Sport::Nhl);
        let hint = read_as_universal(first)
            .filter(|_| self.history.is_none() && is_usual_evening && self.keys.iter().all(is_midnight))
            .map(|eastern| {
                let eastern = eastern.format(MINUTE);
                format!(". Every start is 00:00: if that is universal time, the first is {eastern} Eastern")
            });
        let message = format!(
            "{START_COLUMN}: placeholders, which feeds write for a start that is not known, in {count} games. They are {unknown}; \
             --allow {} takes them as starts{}: {}",
            Override::PlaceholderStart,
            hint.unwrap_or_default(),
            first_named(named().map(ToString::to_string)),
        );
        Some(self.finding(FindingKind::PlaceholderStart, Severity::Warning, message))
    }
}

/// Returns the Eastern date and time of a start that is written in universal time.
fn read_as_universal(key: &GameKey) -> Option<NaiveDateTime> {
    Some(eastern_reading(key.date.and_time(key.time?).and_utc()))
}
