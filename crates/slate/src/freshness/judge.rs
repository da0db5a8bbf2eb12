use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sports_domain::ModelType;

use crate::freshness::assessment::{Caveat, State};
use crate::freshness::{Assessment, Evidence, MarketAssessment, PublishedEvidence, SlateDay, Status};

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
    let state = arrival(published, &ModelType::ALL, day);
    let markets = ModelType::ALL.map(|model_type| market(published, model_type, state, day, now));
    let state = match state {
        State::Fresh(_) if markets.iter().any(|market| market.status == Status::Partial) => State::RefreshMissed,
        State::Fresh(_) => State::Fresh(caveat(published, day, now)),
        other => other,
    };
    Assessment { day, state, markets }
}

/// Returns an assessment in which the league and all of its markets have one state.
fn everywhere(day: SlateDay, state: State) -> Assessment {
    let blank = |model_type| MarketAssessment { model_type, status: Status::Pending, refresh_deadline: None };
    let mut assessment = Assessment { day, state, markets: ModelType::ALL.map(blank) };
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
    let mut artifacts = vec![is_for_today_or_later(published.odds.map(|odds| odds.slate_date))];
    for model_type in model_types {
        let predictions = published.predictions_of(*model_type).map(|predictions| predictions.slate_date);
        artifacts
            .extend([is_for_today_or_later(predictions), is_for_today_or_later(published.results_of(*model_type))]);
    }
    let (all, any) = (artifacts.iter().all(|published| *published), artifacts.iter().any(|published| *published));
    let begun = completed.is_some() || is_for_today_or_later(published.run_begun_for);
    match (completed.is_some() && all, any || begun, day.overdue) {
        (true, _, _) => State::Fresh(None),
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
    let refresh_deadline =
        if matches!(league, State::Fresh(_)) { refresh_deadline(published, model_type) } else { None };
    let late = refresh_deadline.is_some_and(|deadline| now > deadline);
    MarketAssessment { model_type, status: if late { Status::Partial } else { own }, refresh_deadline }
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
