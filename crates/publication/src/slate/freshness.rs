//! The status of a league's data: pending, updating, fresh, an off-day, partial, stale or unknown.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use sports_domain::{ModelType, eastern_date, eastern_instant};

use super::SlateCalendar;

/// The status of a league's daily data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// No data of today is published, and the deadline has not passed.
    Pending,
    /// Some of today's data is published, and the deadline has not passed.
    Updating,
    /// Today's run and all of its data are complete.
    Fresh,
    /// Today's run confirmed that there are no games, or no slate is due today and nothing of it is published.
    OffDay,
    /// Only some of today's data is published, and the deadline has passed.
    Partial,
    /// Today's data is missing after the deadline, or predictions missed their refresh.
    Stale,
    /// The state of the data is unknown.
    Unknown,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 7] =
        [Self::Pending, Self::Updating, Self::Fresh, Self::OffDay, Self::Partial, Self::Stale, Self::Unknown];

    /// Returns the served word, such as `off_day`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Updating => "updating",
            Self::Fresh => "fresh",
            Self::OffDay => "off_day",
            Self::Partial => "partial",
            Self::Stale => "stale",
            Self::Unknown => "unknown",
        }
    }
}

/// A problem of a league's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Degradation {
    /// The odds are old, and games of the day have not started.
    SourceStale,
    /// Predictions were not rebuilt in time after newer odds.
    PredictionsStale,
    /// Games of earlier days have no final yet.
    ResultsAwaitingSettlement,
    /// Today's data is missing or incomplete after the deadline.
    DailyOutputStale,
    /// The league was never published, and the deadline has passed.
    ReleaseMissing,
    /// The store is unavailable.
    ReleaseUnavailable,
}

impl Degradation {
    /// Every problem.
    pub const ALL: [Self; 6] = [
        Self::SourceStale,
        Self::PredictionsStale,
        Self::ResultsAwaitingSettlement,
        Self::DailyOutputStale,
        Self::ReleaseMissing,
        Self::ReleaseUnavailable,
    ];

    /// Returns the served word, such as `source_stale`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::SourceStale => "source_stale",
            Self::PredictionsStale => "predictions_stale",
            Self::ResultsAwaitingSettlement => "results_awaiting_settlement",
            Self::DailyOutputStale => "daily_output_stale",
            Self::ReleaseMissing => "release_missing",
            Self::ReleaseUnavailable => "release_unavailable",
        }
    }
}

/// The Eastern time by which a day's data is promised.
pub const DAILY_DEADLINE: NaiveTime = match NaiveTime::from_hms_opt(10, 15, 0) {
    Some(time) => time,
    None => NaiveTime::MIN,
};

/// An Eastern day, with its deadline, at some instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlateDay {
    /// The Eastern date.
    pub date: NaiveDate,
    pub deadline: DateTime<Utc>,
    /// `true` after the deadline; `false` at the deadline itself.
    pub overdue: bool,
}

impl SlateDay {
    /// Returns the Eastern day of `now`.
    pub fn at(now: DateTime<Utc>) -> Self {
        let date = eastern_date(now);
        let deadline = eastern_instant(date, DAILY_DEADLINE);
        Self { date, deadline, overdue: now > deadline }
    }
}

/// The known facts about a league's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// The store has been unavailable for so long that the last known data is not reliable.
    Unreadable,
    /// Nothing was ever published for the league.
    NeverPublished,
    /// Data is published.
    Published(Box<PublishedEvidence>),
}

/// A league's published data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedEvidence {
    /// The last run that completed.
    pub completed_run: Option<RunEvidence>,
    /// The slate of the last run that began, whether or not it has completed.
    pub run_begun_for: Option<NaiveDate>,
    pub odds: Option<OddsEvidence>,
    /// Predictions, indexed in the order of [`ModelType::ALL`].
    pub predictions: [Option<PredictionsEvidence>; 3],
    /// The slate dates of the results archives of the release's season, indexed in the order of [`ModelType::ALL`].
    pub results: [Option<NaiveDate>; 3],
    /// The earliest game of that season without final, cancellation or postponement.
    pub oldest_unsettled: Option<NaiveDate>,
    /// `true` if a game of today has not started.
    pub games_left_today: bool,
    /// The markets that the league does not have. They play no part in its status.
    pub left_out: BTreeSet<ModelType>,
    /// The days on which a slate is due.
    pub calendar: SlateCalendar,
    /// `true` if newer odds make predictions neither pending nor stale.
    pub odds_independent: bool,
}

/// A completed run of the publisher's models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEvidence {
    /// The date of its slate.
    pub slate_date: NaiveDate,
    /// `true` if it found games to serve, today or later in the league's week.
    pub active_slate: bool,
}

/// Published odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OddsEvidence {
    /// The date of their slate.
    pub slate_date: NaiveDate,
    /// The time of the source's data.
    pub source_as_of: DateTime<Utc>,
}

/// One market's published predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredictionsEvidence {
    /// The date of their slate.
    pub slate_date: NaiveDate,
    /// The time of the sources' data.
    pub source_as_of: DateTime<Utc>,
    /// The time at which the first odds newer than these predictions were published.
    pub newer_odds_since: Option<DateTime<Utc>>,
}

impl PublishedEvidence {
    pub fn predictions_of(&self, model_type: ModelType) -> Option<PredictionsEvidence> {
        index(model_type).and_then(|index| self.predictions[index])
    }

    /// Returns the slate date of one market's results.
    pub fn results_of(&self, model_type: ModelType) -> Option<NaiveDate> {
        index(model_type).and_then(|index| self.results[index])
    }
}

fn index(model_type: ModelType) -> Option<usize> {
    ModelType::ALL.iter().position(|known| *known == model_type)
}

/// The status of a league's data at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    pub(crate) day: SlateDay,
    pub(crate) state: State,
    pub(crate) markets: [MarketAssessment; 3],
    pub(crate) next_slate: Option<NaiveDate>,
}

/// The status of one market's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarketAssessment {
    /// The model type of the market.
    pub model_type: ModelType,
    /// `false` if the league does not have the market: it plays no part in the league's status.
    pub expected: bool,
    pub status: Status,
    /// The time by which its predictions must be rebuilt; `None` unless there are newer odds.
    pub refresh_deadline: Option<DateTime<Utc>>,
}

/// The state of a league's data, from which status, reason and operation follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Unreadable,
    NeverPublished { overdue: bool },
    Pending,
    Updating,
    OffDay,
    Fresh(Option<Caveat>),
    RefreshMissed,
    Partial,
    Missing,
}

/// A problem of a league with fresh data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caveat {
    OldOdds,
    UnsettledGames,
}

impl Assessment {
    /// Returns the Eastern day of the assessment.
    pub const fn day(&self) -> SlateDay {
        self.day
    }

    pub const fn status(&self) -> Status {
        match self.state {
            State::Unreadable => Status::Unknown,
            State::NeverPublished { overdue: false } | State::Pending => Status::Pending,
            State::Updating => Status::Updating,
            State::OffDay => Status::OffDay,
            State::Fresh(_) => Status::Fresh,
            State::Partial => Status::Partial,
            State::NeverPublished { overdue: true } | State::RefreshMissed | State::Missing => Status::Stale,
        }
    }

    /// Returns `true` if today's slate is being served. A missed refresh does not end that: earlier predictions stay
    /// available.
    pub const fn operational(&self) -> bool {
        match self.state {
            State::NeverPublished { overdue } => !overdue,
            State::Pending | State::Updating | State::OffDay | State::Fresh(_) | State::RefreshMissed => true,
            State::Unreadable | State::Partial | State::Missing => false,
        }
    }

    /// Returns the problem, if any.
    pub const fn degradation(&self) -> Option<Degradation> {
        match self.state {
            State::Unreadable => Some(Degradation::ReleaseUnavailable),
            State::NeverPublished { overdue: true } => Some(Degradation::ReleaseMissing),
            State::RefreshMissed => Some(Degradation::PredictionsStale),
            State::Fresh(Some(Caveat::OldOdds)) => Some(Degradation::SourceStale),
            State::Fresh(Some(Caveat::UnsettledGames)) => Some(Degradation::ResultsAwaitingSettlement),
            State::Partial | State::Missing => Some(Degradation::DailyOutputStale),
            State::NeverPublished { overdue: false }
            | State::Pending
            | State::Updating
            | State::OffDay
            | State::Fresh(None) => None,
        }
    }

    /// Returns `true` if today's data is complete, or no slate is due, and nothing but the finals of earlier days is late.
    pub const fn trusted(&self) -> bool {
        matches!(self.state, State::OffDay | State::Fresh(None | Some(Caveat::UnsettledGames)))
    }

    /// Returns the reason of [`Self::trusted`], a sentence.
    pub const fn trusted_reason(&self) -> &'static str {
        match self.state {
            State::Unreadable => "The store cannot be read now.",
            State::NeverPublished { overdue: false } => {
                "Nothing was ever published; today's data is due at 10:15 Eastern."
            }
            State::NeverPublished { overdue: true } => "Nothing was ever published, and the deadline has passed.",
            State::Pending => "Nothing of today is published yet; it is due at 10:15 Eastern.",
            State::Updating => "A part of today is published; the rest is due at 10:15 Eastern.",
            State::OffDay => "No slate is due: today's run found no games, or today is no slate day.",
            State::Fresh(None) => "Run, odds, predictions and results of today are complete.",
            State::Fresh(Some(Caveat::OldOdds)) => {
                "The odds are more than four hours old, and games of today have not started."
            }
            State::Fresh(Some(Caveat::UnsettledGames)) => {
                "Run, odds, predictions and results of today are complete; games of earlier days await their final."
            }
            State::RefreshMissed => "Predictions were not rebuilt on newer odds in time.",
            State::Partial => "A part of today is missing after the deadline.",
            State::Missing => "Today's data is missing after the deadline.",
        }
    }

    /// Returns `true` if predictions of a market must be rebuilt with newer odds.
    pub fn refresh_pending(&self) -> bool {
        self.markets.iter().any(MarketAssessment::refresh_pending)
    }

    /// Returns the next Eastern date on which a slate is due that is not published; `None` between seasons without a game
    /// on record.
    pub const fn next_slate(&self) -> Option<NaiveDate> {
        self.next_slate
    }

    /// Returns the assessment of each market, in the order of [`ModelType::ALL`].
    pub const fn markets(&self) -> &[MarketAssessment; 3] {
        &self.markets
    }
}

impl MarketAssessment {
    /// Returns `true` if this market's predictions must be rebuilt with newer odds.
    pub const fn refresh_pending(&self) -> bool {
        self.refresh_deadline.is_some()
    }
}

/// The time after newer odds by which predictions must be rebuilt.
pub const ODDS_CYCLE: TimeDelta = TimeDelta::hours(2);

/// The maximum age of odds while games of the day have not started.
pub const ODDS_GO_STALE: TimeDelta = TimeDelta::hours(4);

/// Assesses a league's data at an instant.
pub fn judge(evidence: &Evidence, now: DateTime<Utc>) -> Assessment {
    let day = SlateDay::at(now);
    let published = match evidence {
        Evidence::Unreadable => return everywhere(day, State::Unreadable),
        Evidence::NeverPublished => return everywhere(day, State::NeverPublished { overdue: day.overdue }),
        Evidence::Published(published) => published,
    };
    let expected: Vec<_> =
        ModelType::ALL.into_iter().filter(|model_type| !published.left_out.contains(model_type)).collect();
    let state = arrival(published, &expected, day);
    let markets = ModelType::ALL.map(|model_type| market(published, model_type, state, day, now));
    let is_late = |market: &MarketAssessment| market.expected && market.status == Status::Partial;
    let state = match state {
        State::Fresh(_) if markets.iter().any(is_late) => State::RefreshMissed,
        State::Fresh(_) => State::Fresh(caveat(published, day, now)),
        other => other,
    };
    let covered = published.completed_run.map(|run| run.slate_date).filter(|_| matches!(state, State::Fresh(_)));
    let next_slate = published.calendar.next_due(covered.map_or(day.date, |covered| covered.max(day.date)));
    Assessment { day, state, markets, next_slate }
}

/// Returns an assessment in which the league and all of its markets have one state.
fn everywhere(day: SlateDay, state: State) -> Assessment {
    let blank =
        |model_type| MarketAssessment { model_type, expected: true, status: Status::Pending, refresh_deadline: None };
    let mut assessment = Assessment { day, state, markets: ModelType::ALL.map(blank), next_slate: day.date.succ_opt() };
    let status = assessment.status();
    for market in &mut assessment.markets {
        market.status = status;
    }
    assessment
}

/// Returns the state of today's data for these markets.
fn arrival(published: &PublishedEvidence, model_types: &[ModelType], day: SlateDay) -> State {
    let is_for_today_or_later =
        |slate_date: Option<NaiveDate>| slate_date.is_some_and(|slate_date| slate_date >= day.date);
    // A run that has begun and not completed, even for a later slate, does not replace a completed run.
    let completed = published.completed_run.filter(|run| is_for_today_or_later(Some(run.slate_date)));
    if completed.is_some_and(|run| !run.active_slate) {
        return State::OffDay;
    }
    let mut slate = vec![is_for_today_or_later(published.odds.map(|odds| odds.slate_date))];
    slate.extend(model_types.iter().map(|model_type| {
        is_for_today_or_later(published.predictions_of(*model_type).map(|predictions| predictions.slate_date))
    }));
    let mut results = model_types.iter().map(|model_type| is_for_today_or_later(published.results_of(*model_type)));
    let has_slate = slate.iter().any(|there| *there);
    let any = has_slate || results.clone().any(|there| there);
    let all = slate.iter().all(|there| *there) && results.all(|there| there);
    let begun = completed.is_some() || is_for_today_or_later(published.run_begun_for);
    match (completed.is_some() && all, any || begun, day.overdue) {
        (true, _, _) => State::Fresh(None),
        // The finals of the games before make no slate of a day without one.
        (false, _, _) if !has_slate && !begun && !published.calendar.is_due(day.date) => State::OffDay,
        (false, true, false) => State::Updating,
        (false, false, false) => State::Pending,
        (false, _, true) if any => State::Partial,
        (false, _, true) => State::Missing,
    }
}

fn market(
    published: &PublishedEvidence,
    model_type: ModelType,
    league: State,
    day: SlateDay,
    now: DateTime<Utc>,
) -> MarketAssessment {
    let own = everywhere(day, arrival(published, &[model_type], day)).status();
    let expected = !published.left_out.contains(&model_type);
    let depends_on_odds = expected && !published.odds_independent && matches!(league, State::Fresh(_));
    let refresh_deadline = if depends_on_odds { refresh_deadline(published, model_type) } else { None };
    let late = refresh_deadline.is_some_and(|deadline| now > deadline);
    MarketAssessment { model_type, expected, status: if late { Status::Partial } else { own }, refresh_deadline }
}

/// Returns the time by which one market's predictions must be rebuilt; `None` unless the odds are newer.
fn refresh_deadline(published: &PublishedEvidence, model_type: ModelType) -> Option<DateTime<Utc>> {
    let (odds, predictions) = (published.odds?, published.predictions_of(model_type)?);
    let newer = odds.source_as_of > predictions.source_as_of;
    newer.then(|| predictions.newer_odds_since.unwrap_or(odds.source_as_of) + ODDS_CYCLE)
}

fn caveat(published: &PublishedEvidence, day: SlateDay, now: DateTime<Utc>) -> Option<Caveat> {
    let old = published.odds.is_some_and(|odds| now - odds.source_as_of > ODDS_GO_STALE);
    if old && published.games_left_today {
        return Some(Caveat::OldOdds);
    }
    let unsettled = published.oldest_unsettled.is_some_and(|date| date < day.date);
    (unsettled && day.overdue).then_some(Caveat::UnsettledGames)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deadline_is_a_quarter_past_ten_eastern_on_days_of_any_length() {
        let table = [
            ("2024-01-15T12:00:00Z", "2024-01-15T15:15:00+00:00"),
            ("2024-07-15T12:00:00Z", "2024-07-15T14:15:00+00:00"),
            ("2024-03-10T12:00:00Z", "2024-03-10T14:15:00+00:00"),
            ("2024-11-03T12:00:00Z", "2024-11-03T15:15:00+00:00"),
            ("2024-07-16T03:59:59Z", "2024-07-15T14:15:00+00:00"),
        ];
        for (now, deadline) in table {
            let day = SlateDay::at(now.parse().expect("an instant"));
            assert_eq!(day.deadline.to_rfc3339(), deadline, "{now}");
        }
    }

    #[test]
    fn a_day_is_overdue_once_its_deadline_has_passed() {
        let table = [("2024-07-15T14:14:59Z", false), ("2024-07-15T14:15:00Z", false), ("2024-07-15T14:15:01Z", true)];
        for (now, overdue) in table {
            assert_eq!(SlateDay::at(now.parse().expect("an instant")).overdue, overdue, "{now}");
        }
    }
}
