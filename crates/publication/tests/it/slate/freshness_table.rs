//! Every row of the specification's status table, and every reason.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sports_domain::ModelType;
use sports_publication::slate::freshness::{
    Degradation, Evidence, OddsEvidence, PredictionsEvidence, PublishedEvidence, RunEvidence, Status, judge,
};

/// 09:00 and 11:00 in New York on a winter day.
const MORNING: &str = "2024-11-24T14:00:00Z";
const AFTER: &str = "2024-11-24T16:00:00Z";

fn at(instant: &str) -> DateTime<Utc> {
    instant.parse().expect("an instant")
}

fn today() -> NaiveDate {
    "2024-11-24".parse().expect("a date")
}

fn yesterday() -> NaiveDate {
    "2024-11-23".parse().expect("a date")
}

/// Returns all data of one slate, created at 08:00 in New York.
fn complete(slate_date: NaiveDate) -> PublishedEvidence {
    let source_as_of = at("2024-11-24T13:00:00Z");
    PublishedEvidence {
        completed_run: Some(RunEvidence { slate_date, active_slate: true }),
        run_begun_for: Some(slate_date),
        odds: Some(OddsEvidence { slate_date, source_as_of }),
        predictions: [Some(PredictionsEvidence { slate_date, source_as_of, newer_odds_since: None }); 3],
        results: [Some(slate_date); 3],
        oldest_unsettled: Some(slate_date),
        games_left_today: true,
        ..PublishedEvidence::default()
    }
}

fn expect(published: PublishedEvidence, now: &str, status: Status, operational: bool, reason: Option<Degradation>) {
    expect_evidence(&Evidence::Published(Box::new(published)), now, status, operational, reason);
}

fn expect_evidence(evidence: &Evidence, now: &str, status: Status, operational: bool, reason: Option<Degradation>) {
    let assessment = judge(evidence, at(now));
    assert_eq!(
        (assessment.status(), assessment.operational(), assessment.degradation()),
        (status, operational, reason),
        "{evidence:?} at {now}"
    );
    let is_trusted = matches!(status, Status::Fresh | Status::OffDay)
        && matches!(reason, None | Some(Degradation::ResultsAwaitingSettlement));
    assert_eq!(assessment.trusted(), is_trusted, "{evidence:?} at {now}");
    assert!(assessment.trusted_reason().ends_with('.'), "{evidence:?} at {now}");
}

#[test]
fn a_league_without_todays_data_is_pending_until_the_deadline() {
    expect(complete(yesterday()), MORNING, Status::Pending, true, None);
    expect(complete(yesterday()), AFTER, Status::Stale, false, Some(Degradation::DailyOutputStale));
    expect_evidence(&Evidence::NeverPublished, MORNING, Status::Pending, true, None);
    let missing = Some(Degradation::ReleaseMissing);
    expect_evidence(&Evidence::NeverPublished, AFTER, Status::Stale, false, missing);
}

#[test]
fn a_league_with_some_of_todays_data_is_updating_until_the_deadline_then_partial() {
    let mut some = complete(yesterday());
    some.odds = complete(today()).odds;
    expect(some.clone(), MORNING, Status::Updating, true, None);
    expect(some, AFTER, Status::Partial, false, Some(Degradation::DailyOutputStale));
}

#[test]
fn a_run_that_started_and_made_nothing_is_updating_then_stale() {
    let mut started = complete(yesterday());
    started.run_begun_for = Some(today());
    expect(started.clone(), MORNING, Status::Updating, true, None);
    expect(started, AFTER, Status::Stale, false, Some(Degradation::DailyOutputStale));
}

#[test]
fn a_league_is_fresh_with_a_run_and_every_artifact_even_of_a_later_slate() {
    for slate_date in [today(), today().succ_opt().expect("a date")] {
        expect(complete(slate_date), MORNING, Status::Fresh, true, None);
        expect(complete(slate_date), AFTER, Status::Fresh, true, None);
    }
}

#[test]
fn every_single_artifact_is_needed() {
    let incomplete: [fn(&mut PublishedEvidence); 8] = [
        |all| all.odds = None,
        |all| all.predictions[0] = None,
        |all| all.predictions[1] = None,
        |all| all.predictions[2] = None,
        |all| all.results[0] = None,
        |all| all.results[1] = Some(yesterday()),
        |all| all.results[2] = None,
        |all| (all.completed_run, all.run_begun_for) = (None, None),
    ];
    for remove in incomplete {
        let mut published = complete(today());
        remove(&mut published);
        expect(published.clone(), MORNING, Status::Updating, true, None);
        expect(published, AFTER, Status::Partial, false, Some(Degradation::DailyOutputStale));
    }
}

#[test]
fn an_off_day_needs_nothing_but_its_run() {
    let completed_run = Some(RunEvidence { slate_date: today(), active_slate: false });
    let off_day = PublishedEvidence { completed_run, run_begun_for: Some(today()), ..PublishedEvidence::default() };
    expect(off_day.clone(), MORNING, Status::OffDay, true, None);
    expect(off_day.clone(), AFTER, Status::OffDay, true, None);
    let tomorrow = PublishedEvidence { run_begun_for: today().succ_opt(), ..off_day };
    expect(tomorrow, AFTER, Status::OffDay, true, None);
}

#[test]
fn a_run_that_has_only_begun_does_not_replace_a_completed_one() {
    for begun_for in [today(), today().succ_opt().expect("a date")] {
        let begun = PublishedEvidence { run_begun_for: Some(begun_for), ..complete(today()) };
        expect(begun.clone(), MORNING, Status::Fresh, true, None);
        expect(begun, AFTER, Status::Fresh, true, None);
    }
}

#[test]
fn a_league_of_an_unavailable_store_is_unknown() {
    for now in [MORNING, AFTER] {
        let reason = Some(Degradation::ReleaseUnavailable);
        expect_evidence(&Evidence::Unreadable, now, Status::Unknown, false, reason);
    }
}

#[test]
fn newer_odds_make_a_refresh_pending_until_one_cycle_after_they_arrived() {
    let mut waiting = complete(today());
    waiting.odds = Some(OddsEvidence { slate_date: today(), source_as_of: at("2024-11-24T15:00:00Z") });
    let arrived = Some(at("2024-11-24T15:05:00Z"));
    for predictions in waiting.predictions.iter_mut().flatten().skip(1) {
        predictions.newer_odds_since = arrived;
    }
    // The first market is rebuilt already.
    waiting.predictions[0] = waiting.predictions[0]
        .map(|predictions| PredictionsEvidence { source_as_of: at("2024-11-24T15:00:00Z"), ..predictions });
    let evidence = Evidence::Published(Box::new(waiting));

    let in_time = judge(&evidence, at("2024-11-24T17:05:00Z"));
    assert_eq!((in_time.status(), in_time.operational(), in_time.degradation()), (Status::Fresh, true, None));
    assert!(in_time.refresh_pending());
    let deadlines = in_time.markets().map(|market| market.refresh_deadline);
    let due = Some(at("2024-11-24T17:05:00Z"));
    assert_eq!(deadlines, [None, due, due]);

    let late = judge(&evidence, at("2024-11-24T17:05:01Z"));
    assert_eq!((late.status(), late.operational()), (Status::Stale, true));
    assert_eq!(late.degradation(), Some(Degradation::PredictionsStale));
    assert!(late.refresh_pending());
    let statuses = late.markets().map(|market| market.status);
    assert_eq!(statuses, [Status::Fresh, Status::Partial, Status::Partial]);
}

#[test]
fn odds_over_four_hours_old_are_a_stale_source_only_while_games_are_left_today() {
    let made = at("2024-11-24T13:00:00Z");
    let late = (made + TimeDelta::hours(4) + TimeDelta::seconds(1)).to_rfc3339();
    expect(complete(today()), &late, Status::Fresh, true, Some(Degradation::SourceStale));
    let in_time = (made + TimeDelta::hours(4)).to_rfc3339();
    expect(complete(today()), &in_time, Status::Fresh, true, None);
    let mut over = complete(today());
    over.games_left_today = false;
    expect(over, &late, Status::Fresh, true, None);
}

#[test]
fn unsettled_games_of_earlier_days_degrade_a_league_only_after_the_deadline() {
    let mut unsettled = complete(today());
    unsettled.oldest_unsettled = Some(yesterday());
    expect(unsettled.clone(), MORNING, Status::Fresh, true, None);
    expect(unsettled, AFTER, Status::Fresh, true, Some(Degradation::ResultsAwaitingSettlement));
}

#[test]
fn markets_are_listed_in_the_order_of_the_model_types() {
    let assessment = judge(&Evidence::Published(Box::new(complete(today()))), at(MORNING));
    assert_eq!(assessment.markets().map(|market| market.model_type), ModelType::ALL);
}

#[test]
fn words_are_those_of_the_specification() {
    let statuses = [
        Status::Pending,
        Status::Updating,
        Status::Fresh,
        Status::OffDay,
        Status::Partial,
        Status::Stale,
        Status::Unknown,
    ];
    let words = ["pending", "updating", "fresh", "off_day", "partial", "stale", "unknown"];
    assert_eq!(statuses.map(Status::word), words);
    let reasons = [
        Degradation::SourceStale,
        Degradation::PredictionsStale,
        Degradation::ResultsAwaitingSettlement,
        Degradation::DailyOutputStale,
        Degradation::ReleaseMissing,
        Degradation::ReleaseUnavailable,
    ];
    let words = [
        "source_stale",
        "predictions_stale",
        "results_awaiting_settlement",
        "daily_output_stale",
        "release_missing",
        "release_unavailable",
    ];
    assert_eq!(reasons.map(Degradation::word), words);
}
