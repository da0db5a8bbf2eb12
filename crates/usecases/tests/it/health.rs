//! The state of the service by the results of its probes.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_publication::Generation;
use sports_usecases::probes::{Checkup, HealthState, ProbeResult, Restrictions, ServiceHealth};
use sports_usecases::record::{FailingGeneration, FailureKind, StoreStatus};

fn when() -> DateTime<Utc> {
    "2025-01-15T14:00:00Z".parse().expect("an instant")
}

fn checkup(database: bool, object_storage: bool) -> Checkup {
    let probe = |answers| ProbeResult { answers, latency: Duration::from_micros(1500) };
    let log = StoreStatus { first_look: true, ..StoreStatus::default() };
    let (database, object_storage) = (probe(database), probe(object_storage));
    Checkup { database, writing: probe(true), object_storage, limits: None, log, restrictions: Restrictions::default() }
}

#[test]
fn one_unavailable_part_is_degraded_and_both_are_unhealthy() {
    let table = [
        (true, true, HealthState::Healthy),
        (false, true, HealthState::Degraded),
        (true, false, HealthState::Degraded),
        (false, false, HealthState::Unhealthy),
    ];
    for (database, object_storage, expected) in table {
        let health = checkup(database, object_storage).health();
        assert_eq!(health.state, expected, "{database} {object_storage}");
        assert_eq!(health.database.latency, Some(Duration::from_micros(1500)));
    }
}

#[test]
fn limits_are_shown_where_machines_share_them_and_degrade_at_most() {
    let table =
        [(None, HealthState::Healthy), (Some(true), HealthState::Healthy), (Some(false), HealthState::Degraded)];
    for (answers, expected) in table {
        let mut checkup = checkup(true, true);
        checkup.limits = answers.map(|answers| ProbeResult { answers, latency: Duration::from_micros(1500) });
        let health = checkup.health();
        assert_eq!(health.state, expected, "{answers:?}");
        let shown = health.limits;
        assert_eq!(shown.as_ref().map(|limits| limits.detail.is_none()), answers);
        assert_eq!(shown.map(|limits| limits.state), answers.map(|_| expected));
    }
}

#[test]
fn a_concern_degrades_a_service_whose_parts_answer() {
    let restriction = || Some("It evicts".to_owned());
    let degrading = [
        Restrictions { clock: restriction(), ..Restrictions::default() },
        Restrictions { limits: restriction(), ..Restrictions::default() },
        Restrictions { settings: restriction(), ..Restrictions::default() },
    ];
    for restrictions in degrading {
        let mut checkup = Checkup { restrictions, ..checkup(true, true) };
        checkup.limits = Some(checkup.database);
        let health = checkup.health();
        assert_eq!(health.state, HealthState::Degraded);
        let ServiceHealth { limits, clock, settings, .. } = health;
        let details: Vec<_> = [limits, clock, settings].into_iter().flatten().filter_map(|part| part.detail).collect();
        assert_eq!(details, ["It evicts"]);
    }
}

#[test]
fn a_database_that_takes_no_writes_is_degraded_unless_it_answers_nothing_at_all() {
    for (answers, expected) in [(true, HealthState::Degraded), (false, HealthState::Unhealthy)] {
        let mut checkup = checkup(answers, true);
        checkup.writing.answers = false;
        let health = checkup.health();
        assert_eq!((health.state, health.database.state), (HealthState::Degraded, expected));
        assert!(health.database.detail.is_some());
    }
}

#[test]
fn a_generation_that_cannot_be_loaded_is_named_without_its_reason() {
    let mut checkup = checkup(true, true);
    let generation = Generation::new(12).expect("a generation");
    checkup.log.failing = vec![FailingGeneration {
        sport: Sport::Nfl,
        generation,
        kind: FailureKind::Unloadable,
        reason: "bad bytes at /srv".to_owned(),
    }];
    let health = checkup.health();
    assert_eq!(health.state, HealthState::Degraded);
    let detail = health.object_storage.detail.expect("a detail");
    assert!(detail.contains("nfl") && detail.contains("12") && !detail.contains("/srv"), "{detail}");
}

#[test]
fn each_kind_of_failure_names_its_leagues() {
    let mut checkup = checkup(true, true);
    let failing = |sport, number, kind| {
        let generation = Generation::new(number).expect("a generation");
        FailingGeneration { sport, generation, kind, reason: String::new() }
    };
    checkup.log = StoreStatus {
        first_look: true,
        unreachable_since: Some(when()),
        unreachable: vec![Sport::Nba],
        unserved: vec![Sport::Mlb],
        failing: vec![failing(Sport::Mlb, 1, FailureKind::Unloadable), failing(Sport::Nfl, 9, FailureKind::Unlinked)],
    };
    let detail = checkup.health().object_storage.detail.expect("a detail");
    let since = when().to_rfc3339();
    let expected = format!(
        "The log of nba could not be read since {since}; Leagues of which nothing can be served: mlb; \
         Generations that cannot be loaded: mlb 1; Generations that do not continue the record: nfl 9"
    );
    assert_eq!(detail, expected);
}

#[test]
fn a_log_that_cannot_be_read_degrades_the_store() {
    let mut checkup = checkup(true, true);
    checkup.log.unreachable_since = Some(when());
    checkup.log.unreachable = Sport::ALL.to_vec();
    let health = checkup.health();
    assert_eq!(health.state, HealthState::Degraded);
    assert_eq!(health.object_storage.state, HealthState::Degraded);
}
