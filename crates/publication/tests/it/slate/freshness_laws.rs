//! Random days of publishing, compared with a reference that checks the rules one by one.

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use proptest::prelude::*;
use sports_domain::ModelType;
use sports_publication::slate::freshness::{
    Degradation, Evidence, OddsEvidence, PredictionsEvidence, PublishedEvidence, RunEvidence, SlateDay, Status, judge,
};

/// An action of the publisher, the store or the clock.
#[derive(Debug, Clone)]
enum Event {
    Wait { minutes: i64 },
    StartRun { days_ahead: u64 },
    CompleteRun { active_slate: bool },
    PublishOdds,
    PublishPredictions { market: usize },
    PublishResults { market: usize },
    Settle,
    LastGameStarts,
    StoreBecomesUnavailable,
    StoreComesBack,
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (1..400_i64).prop_map(|minutes| Event::Wait { minutes }),
        2 => (0..2_u64).prop_map(|days_ahead| Event::StartRun { days_ahead }),
        2 => proptest::bool::weighted(0.8).prop_map(|active_slate| Event::CompleteRun { active_slate }),
        4 => Just(Event::PublishOdds),
        6 => (0..3_usize).prop_map(|market| Event::PublishPredictions { market }),
        6 => (0..3_usize).prop_map(|market| Event::PublishResults { market }),
        1 => Just(Event::Settle),
        1 => Just(Event::LastGameStarts),
        1 => Just(Event::StoreBecomesUnavailable),
        1 => Just(Event::StoreComesBack),
    ]
}

/// Generates starts near both changes of the clocks, and others.
fn any_start() -> impl Strategy<Value = DateTime<Utc>> {
    let days = prop_oneof![
        Just("2024-03-09T20:00:00Z".to_owned()),
        Just("2024-11-02T20:00:00Z".to_owned()),
        (1..=12_u32, 1..=28_u32, 0..24_u32)
            .prop_map(|(month, day, hour)| format!("2025-{month:02}-{day:02}T{hour:02}:00:00Z")),
    ];
    days.prop_map(|day| day.parse().expect("an instant"))
}

struct World {
    now: DateTime<Utc>,
    store_unavailable: bool,
    published: Option<PublishedEvidence>,
}

impl World {
    fn today(&self) -> NaiveDate {
        SlateDay::at(self.now).date
    }

    fn happen(&mut self, event: &Event) {
        let (now, today) = (self.now, self.today());
        match event {
            Event::Wait { minutes } => return self.now += TimeDelta::minutes(*minutes),
            Event::StoreBecomesUnavailable => return self.store_unavailable = true,
            Event::StoreComesBack => return self.store_unavailable = false,
            _ => {}
        }
        let published = self.published.get_or_insert_default();
        match event {
            Event::StartRun { days_ahead } => {
                published.run_begun_for = published.run_begun_for.max(Some(today + Days::new(*days_ahead)));
                published.games_left_today = true;
                published.oldest_unsettled = published.oldest_unsettled.or(Some(today));
            }
            Event::CompleteRun { active_slate } => {
                published.completed_run = Some(RunEvidence { slate_date: today, active_slate: *active_slate });
                published.run_begun_for = published.run_begun_for.max(Some(today));
            }
            Event::PublishOdds => {
                published.odds = Some(OddsEvidence { slate_date: today, source_as_of: now });
                for predictions in published.predictions.iter_mut().flatten() {
                    predictions.newer_odds_since = predictions.newer_odds_since.or(Some(now));
                }
            }
            Event::PublishPredictions { market } => {
                let rebuilt = PredictionsEvidence { slate_date: today, source_as_of: now, newer_odds_since: None };
                published.predictions[*market] = Some(rebuilt);
            }
            Event::PublishResults { market } => published.results[*market] = Some(today),
            Event::Settle => published.oldest_unsettled = None,
            Event::LastGameStarts => published.games_left_today = false,
            Event::Wait { .. } | Event::StoreBecomesUnavailable | Event::StoreComesBack => {}
        }
    }

    fn evidence(&self) -> Evidence {
        match &self.published {
            _ if self.store_unavailable => Evidence::Unreadable,
            None => Evidence::NeverPublished,
            Some(published) => Evidence::Published(Box::new(published.clone())),
        }
    }

    /// Computes the expected result by the rules, one `if` after the other.
    fn reference(&self) -> (Status, bool, Option<Degradation>) {
        let (today, now) = (self.today(), self.now);
        let overdue = now > SlateDay::at(now).deadline;
        if self.store_unavailable {
            return (Status::Unknown, false, Some(Degradation::ReleaseUnavailable));
        }
        let Some(all) = &self.published else {
            let missing = (Status::Stale, false, Some(Degradation::ReleaseMissing));
            return if overdue { missing } else { (Status::Pending, true, None) };
        };
        let completed = all.completed_run.filter(|run| run.slate_date >= today);
        if completed.is_some_and(|run| !run.active_slate) {
            return (Status::OffDay, true, None);
        }
        let mut there = usize::from(all.odds.is_some_and(|odds| odds.slate_date >= today));
        for market in 0..3 {
            there += usize::from(all.predictions[market].is_some_and(|made| made.slate_date >= today));
            there += usize::from(all.results[market].is_some_and(|slate_date| slate_date >= today));
        }
        if there < 7 || completed.is_none() {
            return match (overdue, there > 0, all.run_begun_for.is_some_and(|slate_date| slate_date >= today)) {
                (false, false, false) => (Status::Pending, true, None),
                (false, _, _) => (Status::Updating, true, None),
                (true, true, _) => (Status::Partial, false, Some(Degradation::DailyOutputStale)),
                (true, false, _) => (Status::Stale, false, Some(Degradation::DailyOutputStale)),
            };
        }
        let odds = all.odds.expect("all seven are published");
        for made in all.predictions.iter().flatten() {
            let since = made.newer_odds_since.unwrap_or(odds.source_as_of);
            if odds.source_as_of > made.source_as_of && now - since > TimeDelta::minutes(120) {
                return (Status::Stale, true, Some(Degradation::PredictionsStale));
            }
        }
        if now - odds.source_as_of > TimeDelta::minutes(240) && all.games_left_today {
            return (Status::Fresh, true, Some(Degradation::SourceStale));
        }
        if overdue && all.oldest_unsettled.is_some_and(|date| date < today) {
            return (Status::Fresh, true, Some(Degradation::ResultsAwaitingSettlement));
        }
        (Status::Fresh, true, None)
    }
}

proptest! {
    /// After any events, at any time, the assessment equals the reference, and its parts are consistent.
    #[test]
    fn an_assessment_follows_the_rules(start in any_start(), events in proptest::collection::vec(any_event(), 1..60)) {
        let mut world = World { now: start, store_unavailable: false, published: None };
        for event in events {
            world.happen(&event);
            let assessment = judge(&world.evidence(), world.now);
            let (status, operational, reason) = world.reference();
            prop_assert_eq!((assessment.status(), assessment.operational(), assessment.degradation()), (status, operational, reason));
            let late = reason.filter(|reason| *reason != Degradation::ResultsAwaitingSettlement);
            prop_assert_eq!(assessment.trusted(), [Status::Fresh, Status::OffDay].contains(&status) && late.is_none());
            invariant_a_pending_refresh_has_a_deadline(&assessment)?;
            invariant_nothing_is_late_before_the_deadline(&assessment, world.now)?;
            invariant_a_fresh_league_has_fresh_markets(&assessment)?;
        }
    }

    /// Once a day's run has completed, the beginning of another run changes nothing on that day.
    #[test]
    fn a_run_that_begins_after_a_completed_one_changes_nothing(
        start in any_start(),
        events in proptest::collection::vec(any_event(), 1..40),
        active_slate in any::<bool>(),
        days_ahead in 0..2_u64,
        minutes in 0..1440_i64,
    ) {
        let mut world = World { now: start, store_unavailable: false, published: None };
        for event in &events {
            world.happen(event);
        }
        world.happen(&Event::CompleteRun { active_slate });
        let completed_on = world.today();
        let before = world.evidence();
        if let Some(published) = &mut world.published {
            published.run_begun_for = Some(completed_on + Days::new(days_ahead));
        }
        let at = world.now + TimeDelta::minutes(minutes);
        if SlateDay::at(at).date == completed_on {
            prop_assert_eq!(judge(&world.evidence(), at), judge(&before, at));
        }
    }

    /// Without new data, time alone never improves a league's status within one day.
    #[test]
    fn time_alone_improves_no_status(start in any_start(), events in proptest::collection::vec(any_event(), 1..40), minutes in 1..600_i64) {
        let mut world = World { now: start, store_unavailable: false, published: None };
        for event in &events {
            world.happen(event);
        }
        let before = judge(&world.evidence(), world.now);
        let later = judge(&world.evidence(), world.now + TimeDelta::minutes(minutes));
        if later.day().date == before.day().date {
            prop_assert!(before.operational() || !later.operational());
            prop_assert!(!before.refresh_pending() || later.refresh_pending());
        }
    }
}

fn invariant_a_pending_refresh_has_a_deadline(
    assessment: &sports_publication::slate::freshness::Assessment,
) -> Result<(), TestCaseError> {
    let waiting = assessment.markets().iter().filter(|market| market.refresh_deadline.is_some()).count();
    prop_assert_eq!(assessment.refresh_pending(), waiting > 0);
    Ok(())
}

fn invariant_nothing_is_late_before_the_deadline(
    assessment: &sports_publication::slate::freshness::Assessment,
    now: DateTime<Utc>,
) -> Result<(), TestCaseError> {
    if now <= assessment.day().deadline {
        let late =
            matches!(assessment.degradation(), Some(Degradation::DailyOutputStale | Degradation::ReleaseMissing));
        prop_assert!(!late && assessment.status() != Status::Partial);
    }
    Ok(())
}

fn invariant_a_fresh_league_has_fresh_markets(
    assessment: &sports_publication::slate::freshness::Assessment,
) -> Result<(), TestCaseError> {
    if assessment.status() == Status::Fresh {
        prop_assert!(assessment.markets().iter().all(|market| market.status == Status::Fresh));
    }
    prop_assert_eq!(assessment.markets().map(|market| market.model_type), ModelType::ALL);
    Ok(())
}
