//! Servers that count in one database.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use sports_accounts::testing::{a_customer, second};
use sports_accounts::{Limits, ProcessId, Tier};
use sports_accounts_sea_orm::{AccountsDatabase, DatabaseMeter};
use sports_ports::metering::{Admission, CommittedCounts, Meter, UsageCounts};
use sports_testkit::metering::contract::{self, arrival, limits};
use sports_testkit::services::{Condition, Network, Postgres};

async fn meter(address: &str, process: u8, limits: Limits) -> DatabaseMeter {
    let database = AccountsDatabase::connect(address).await.expect("a database");
    let process = ProcessId::from_random([process; 8]);
    DatabaseMeter::start(database, process, limits, second(0), Arc::new(|| {})).await.expect("it starts")
}

async fn whole(address: &str) -> u64 {
    let database = AccountsDatabase::connect(address).await.expect("a database");
    database.of_month(arrival(second(0)).month).await.expect("answers").iter().map(|count| count.calls).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_meter_in_the_database_keeps_the_contract() {
    if Postgres::database().is_none() {
        return;
    }
    let fresh = async |limits| meter(&Postgres::database().expect("there is a server"), 1, limits).await;
    contract::meter(&fresh).await;
    contract::committed_counts(&fresh).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn meters_that_share_a_database_keep_the_contract_of_a_shared_month() {
    if Postgres::database().is_none() {
        return;
    }
    let fresh = async |limits| {
        let address = Postgres::database().expect("there is a server");
        join_all([1, 2, 3].map(|process| meter(&address, process, limits))).await
    };
    contract::meters_that_share_the_month(fresh).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_admitted_while_the_database_hangs_are_counted_afterwards() {
    let Some(postgres) = Postgres::start() else { return };
    let direct = postgres.fresh_database();
    let (_, name) = direct.rsplit_once('/').expect("a name");
    let network = Network::to(postgres.address());
    let meter = meter(&postgres.url(name, network.address()), 1, limits(10, 1_000)).await;
    let customer = a_customer().build().id;
    let admit = async || match meter.admit(customer, Tier::Ai, arrival(second(0))).await.expect("answers") {
        Admission::Admitted(call) => Some(call),
        _ => None,
    };
    assert_eq!(admit().await.map(|call| call.used), Some(1));
    network.becomes(Condition::Hanging);
    let mut last = None;
    for used in 2..=6 {
        last = admit().await;
        assert_eq!(last.map(|call| call.used), Some(used));
    }
    assert_eq!(meter.give_back(last.expect("admitted")).await.expect("answers"), 5);
    assert_eq!(meter.pending(), 1);
    assert!(meter.commit(second(0)).await.is_err());
    network.becomes(Condition::Well);
    for _ in 0..100 {
        if meter.commit(second(0)).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(meter.pending(), 0);
    // The statement that got no answer may have been carried out: what was hanging is passed on.
    let counted = whole(&direct).await;
    assert!((5..=6).contains(&counted), "{counted}");
    let mut admitted = 0;
    while admit().await.is_some() {
        admitted += 1;
    }
    assert_eq!(admitted, 10 - counted);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_commits_at_once_take_a_call_given_back_out_once() {
    let Some(postgres) = Postgres::start() else { return };
    let direct = postgres.fresh_database();
    let (_, name) = direct.rsplit_once('/').expect("a name");
    let network = Network::to(postgres.address());
    let meter = meter(&postgres.url(name, network.address()), 1, limits(10, 1_000)).await;
    let customer = a_customer().build().id;
    let mut admitted = Vec::new();
    for _ in 0..3 {
        match meter.admit(customer, Tier::Ai, arrival(second(0))).await.expect("answers") {
            Admission::Admitted(call) => admitted.push(call),
            refused => panic!("{refused:?}"),
        }
    }
    network.becomes(Condition::Refusing);
    let other = a_customer().seeded(2).build().id;
    let _ = meter.admit(other, Tier::Ai, arrival(second(0))).await.expect("answers");
    assert_eq!(meter.give_back(admitted[0]).await.expect("answers"), 2);
    network.becomes(Condition::Well);
    for _ in 0..100 {
        let (one, two) = tokio::join!(meter.commit(second(0)), meter.commit(second(0)));
        if one.is_ok() && two.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!((meter.pending(), whole(&direct).await), (0, 3), "two calls of one customer and one of the other");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_given_back_without_an_answer_is_not_given_back_again() {
    let Some(postgres) = Postgres::start() else { return };
    let address = postgres.fresh_database();
    let meter = meter(&address, 1, limits(10, 1_000)).await;
    let customer = a_customer().build().id;
    let mut last = None;
    for _ in 0..5 {
        if let Admission::Admitted(call) = meter.admit(customer, Tier::Ai, arrival(second(0))).await.expect("answers") {
            last = Some(call);
        }
    }
    // The server gets the statement, and carries it out when it goes on.
    postgres.pause();
    assert_eq!(meter.give_back(last.expect("admitted")).await.expect("answers"), 5);
    postgres.go_on();
    for _ in 0..100 {
        if meter.commit(second(0)).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(meter.pending(), 0);
    let counted = whole(&address).await;
    assert!((4..=5).contains(&counted), "{counted}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_second_is_no_full_month_when_another_server_gave_calls_back() {
    let Some(address) = Postgres::database() else { return };
    let [one, other] = [1, 2].map(|process| meter(&address, process, limits(2, 1)));
    let (one, other, mut given_back) = (one.await, other.await, Vec::new());
    let customer = a_customer().build().id;
    let admit = async |at| one.admit(customer, Tier::Ai, arrival(second(at))).await.expect("answers");
    for at in [0, 2] {
        let Admission::Admitted(call) = admit(at).await else { panic!("there is room") };
        if at == 2 {
            assert!(matches!(admit(at).await, Admission::MonthIsFull { used: 2 }));
        }
        given_back.push(call);
    }
    for call in given_back {
        other.give_back(call).await.expect("answers");
    }
    assert!(matches!(admit(5).await, Admission::Admitted(_)));
    let refused = admit(5).await;
    assert!(matches!(refused, Admission::SecondIsFull { .. }), "{refused:?}");
}
