//! A schedule of the auditor's own, against which starts and endings are compared.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use sports_domain::{Club, FinalScore, GameKey, Sport, TeamSlug, eastern_instant};

use super::FindingKind;
use super::judged_game::{DatedLeaves, JudgedGame, LateStatement};
use super::leaf_history::start_of;
use crate::RecordedEnding;

/// The games of a league as another source than the publisher has them.
#[derive(Debug, Clone, Default)]
pub struct Schedule {
    pub games: Vec<ScheduledGame>,
}

/// A game of a schedule.
#[derive(Debug, Clone)]
pub struct ScheduledGame {
    pub date: NaiveDate,
    /// The start in Eastern time, if the source has it.
    pub time: Option<NaiveTime>,
    pub away: TeamSlug,
    pub home: TeamSlug,
    /// `true` if it was not played.
    pub is_called_off: bool,
    pub score: Option<FinalScore>,
}

impl ScheduledGame {
    fn start(&self) -> Option<i64> {
        self.time.map(|time| eastern_instant(self.date, time).timestamp())
    }
}

impl Schedule {
    /// Returns the game of a key: of several of the pairing on its date the one with the nearest start.
    fn game(&self, sport: Sport, key: &GameKey) -> Option<&ScheduledGame> {
        let is_same = |one: &TeamSlug, other: &TeamSlug| Club::is_same(sport, one, other);
        let of_pair = self
            .games
            .iter()
            .filter(|game| game.date == key.date && is_same(&game.away, &key.away) && is_same(&game.home, &key.home));
        of_pair.min_by_key(|game| game.start().map_or(0, |start| start.abs_diff(start_of(key))))
    }

    /// Returns `true` if a late statement is confirmed, `false` if it is contradicted; `None` without a word about it.
    pub(super) fn confirms(
        &self,
        sport: Sport,
        judged: &JudgedGame<'_>,
        late: &LateStatement,
        (stated, ending): (&GameKey, Option<&RecordedEnding>),
    ) -> Option<bool> {
        let then = self.game(sport, &judged.key);
        match late.kind {
            FindingKind::LateMove => {
                let was_played_then = then.is_some_and(|game| !game.is_called_off && is_at(game, &judged.key));
                let now = self.game(sport, stated).filter(|game| is_at(game, stated));
                if was_played_then { Some(false) } else { now.map(|_| true) }
            }
            FindingKind::LateCallOff => {
                let has_final = matches!(ending, Some(RecordedEnding::Final { .. }));
                // A schedule that has the game on no such date confirms that it was not played then.
                let was_off = then.map(|game| game.is_called_off).or(self.covers(judged.key.date).then_some(true));
                was_off.map(|was_off| was_off != has_final)
            }
            _ => None,
        }
    }

    /// Compares a game of this key and ending, of whose leaves that count `leaf` is the last; returns what differs.
    pub(super) fn compare(
        &self,
        sport: Sport,
        dated: DatedLeaves<'_>,
        (key, ending): (&GameKey, Option<&RecordedEnding>),
        (leaf, has_forecast): (u64, bool),
    ) -> Option<Compared> {
        if !self.covers(key.date) {
            return None;
        }
        let Some(game) = self.game(sport, key) else {
            return has_forecast.then(|| Compared::Contradicts("the schedule has no such game".to_owned()));
        };
        let stated = key.time.map_or(i64::MAX, |_| start_of(key));
        let earlier = game.start().filter(|start| *start < stated);
        if earlier.is_some_and(|start| !dated.evidence.is_before(leaf, start)) {
            let sentence = format!("it began at {} by the schedule, before leaf {leaf} was evident", start_text(game));
            return Some(Compared::Contradicts(sentence));
        }
        let contradicted = match (ending, game.score) {
            (Some(RecordedEnding::Final { score, .. }), Some(played)) if *score != played => Some(format!(
                "its final is {} {} in the log and {} {} in the schedule",
                score.away, score.home, played.away, played.home
            )),
            (Some(RecordedEnding::Final { .. }), _) if game.is_called_off => {
                Some("it has a final in the log, and the schedule has it as called off".to_owned())
            }
            (Some(RecordedEnding::CalledOff { .. }), Some(_)) => {
                Some("it was called off in the log, and the schedule has its final".to_owned())
            }
            _ => None,
        };
        let is_far = earlier.is_some_and(|start| key.time.is_some() && stated - start > DELAY.num_seconds());
        let other_start = || format!("it began at {} by the schedule, and at {key} by the log", start_text(game));
        contradicted.map(Compared::Contradicts).or_else(|| is_far.then(|| Compared::OtherStart(other_start())))
    }

    /// Returns `true` for a date from the first to the last of the schedule.
    fn covers(&self, date: NaiveDate) -> bool {
        let days = || self.games.iter().map(|game| game.date);
        days().min().zip(days().max()).is_some_and(|(first, last)| (first..=last).contains(&date))
    }
}

/// What differs between a game and the schedule.
pub(super) enum Compared {
    Contradicts(String),
    /// A later start than the schedule's, on which nothing depends.
    OtherStart(String),
}

/// The most by which a start that is later than the schedule's is a delay.
const DELAY: TimeDelta = TimeDelta::hours(1);

/// Returns `true` if a game has the start of a key, or no time.
fn is_at(game: &ScheduledGame, key: &GameKey) -> bool {
    game.time.is_none() || game.time == key.time
}

fn start_text(game: &ScheduledGame) -> String {
    game.time.map_or_else(|| game.date.to_string(), |time| format!("{} {time}", game.date))
}
