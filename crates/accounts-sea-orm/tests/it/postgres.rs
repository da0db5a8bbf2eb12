//! A PostgreSQL server that several processes use, and that does not always answer.

use std::slice;
use std::thread;
use std::time::Duration;

use futures::future::join_all;
use sports_accounts::testing::{a_customer, a_key_record, second};
use sports_accounts::{CalendarMonth, MAX_ACTIVE_KEYS};
use sports_accounts_sea_orm::{AccountsDatabase, ConnectError};
use sports_ports::accounts::{CustomerCreation, Customers, KeyIssue, KeyRing};
use sports_ports::metering::{UsageCount, UsageCounts};
use sports_ports::{PortError, error_chain};
use sports_testkit::metering::contract::counts_outlast_an_unavailable_record;
use sports_testkit::services::{Condition, Network, Postgres};
use tokio::runtime;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

/// Twice the three seconds that callers of a port wait at most, for a busy machine.
const BOUNDED: Duration = Duration::from_secs(6);

async fn connect(address: &str) -> AccountsDatabase {
    AccountsDatabase::connect(address).await.expect("a database")
}

async fn is_well_within_seconds(database: &AccountsDatabase) {
    for _ in 0..150 {
        if database.ping_writing().await.is_ok() {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("the database is back and still not used");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_start_together_agree_on_the_tables_and_on_a_secret() {
    let Some(address) = Postgres::database() else { return };
    let starting = (1..=10).map(async |seed: u8| {
        let database = connect(&address).await;
        let created = database.create(&a_customer().seeded(seed).build()).await.expect("answers");
        assert_eq!(created, CustomerCreation::Created);
        database.secret_or("links", &seed.to_string()).await.expect("answers")
    });
    let secrets = join_all(starting).await;
    assert!(secrets.iter().all(|secret| *secret == secrets[0]), "{secrets:?}");
    assert_eq!(connect(&address).await.list().await.expect("answers").len(), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn issues_from_several_processes_stop_at_the_limit_and_none_fails() {
    let Some(address) = Postgres::database() else { return };
    let processes = [connect(&address).await, connect(&address).await, connect(&address).await];
    let customer = a_customer().build();
    assert_eq!(processes[0].create(&customer).await.expect("answers"), CustomerCreation::Created);
    let issues = (1..=60).zip(processes.iter().cycle()).map(async |(seed, process)| {
        process.issue(customer.id, &a_key_record().seeded(seed).build()).await.expect("answers")
    });
    let outcomes = join_all(issues).await;
    let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    assert_eq!((count(KeyIssue::Issued), count(KeyIssue::LimitReached)), (MAX_ACTIVE_KEYS, 60 - MAX_ACTIVE_KEYS));
}

#[tokio::test]
async fn counts_outlast_a_server_that_crashes() {
    let Some(postgres) = Postgres::start() else { return };
    let database = connect(&postgres.fresh_database()).await;
    let postgres = Mutex::new(postgres);
    counts_outlast_an_unavailable_record(
        &database,
        async || postgres.lock().await.stop(),
        async || {
            postgres.lock().await.start_again();
            is_well_within_seconds(&database).await;
        },
    )
    .await;
}

#[tokio::test]
async fn no_caller_waits_long_for_a_network_that_hangs_and_all_is_well_afterwards() {
    let Some(postgres) = Postgres::start() else { return };
    let network = Network::to(postgres.address());
    let direct = postgres.fresh_database();
    let (_, name) = direct.rsplit_once('/').expect("a name");
    let database = connect(&postgres.url(name, network.address())).await;
    let customer = a_customer().build();
    assert_eq!(database.create(&customer).await.expect("answers"), CustomerCreation::Created);
    for condition in [Condition::Hanging, Condition::Refusing, Condition::Slow(Duration::from_secs(5))] {
        network.becomes(condition);
        // More callers than there are connections.
        let callers = (1..=20).map(async |seed| {
            let started = Instant::now();
            let issued = database.issue(customer.id, &a_key_record().seeded(seed).build()).await;
            assert!(matches!(issued, Err(PortError::Unavailable { .. })), "{condition:?}: {issued:?}");
            let listed = database.list().await;
            assert!(matches!(listed, Err(PortError::Unavailable { .. })), "{condition:?}: {listed:?}");
            assert!(started.elapsed() < 2 * BOUNDED, "{condition:?}: {:?}", started.elapsed());
        });
        join_all(callers).await;
        network.becomes(Condition::Well);
        is_well_within_seconds(&database).await;
        assert_eq!(database.list().await.expect("answers"), slice::from_ref(&customer));
    }
}

#[tokio::test]
async fn a_paused_server_is_no_server_until_it_goes_on() {
    let Some(postgres) = Postgres::start() else { return };
    let database = connect(&postgres.fresh_database()).await;
    postgres.pause();
    let started = Instant::now();
    assert!(matches!(database.ping().await, Err(PortError::Unavailable { .. })));
    assert!(started.elapsed() < BOUNDED, "{:?}", started.elapsed());
    postgres.go_on();
    is_well_within_seconds(&database).await;
}

#[tokio::test]
async fn a_server_that_only_reads_is_well_for_reading_and_not_for_writing() {
    let Some(postgres) = Postgres::start() else { return };
    let address = postgres.fresh_database();
    connect(&address).await.close().await.expect("closed");
    let (_, name) = address.rsplit_once('/').expect("a name");
    let _ = postgres.run(name, &format!("ALTER DATABASE {name} SET default_transaction_read_only = on"));
    let database = connect(&address).await;
    database.ping().await.expect("it reads");
    assert!(matches!(database.ping_writing().await, Err(PortError::Unavailable { .. })));
}

#[tokio::test]
async fn a_database_of_a_newer_program_and_one_without_tables_are_said_to_be_that() {
    let Some(postgres) = Postgres::start() else { return };
    let address = postgres.fresh_database();
    let refused = AccountsDatabase::connect_existing(&address).await.expect_err("there are no tables");
    assert!(matches!(&refused, ConnectError::NoTables { .. }) && refused.blames_the_address(), "{refused}");
    connect(&address).await.close().await.expect("closed");
    let (_, name) = address.rsplit_once('/').expect("a name");
    let _ = postgres.run(name, "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m0999_later', 0)");
    let refused = AccountsDatabase::connect(&address).await.expect_err("newer");
    assert!(matches!(&refused, ConnectError::Newer { .. }) && refused.blames_the_address(), "{refused}");
}

#[tokio::test]
async fn a_refused_login_and_a_missing_server_are_different_errors_without_a_password() {
    let Some(mut postgres) = Postgres::start() else { return };
    let address = postgres.fresh_database();
    let wrong = [address.replace("not-a-secret", "hunter2"), format!("{address}_other")];
    for wrong in wrong {
        let refused = AccountsDatabase::connect(&wrong).await.expect_err("refused");
        assert!(matches!(&refused, ConnectError::Refused { .. }) && refused.blames_the_address(), "{refused}");
        let said = error_chain(&refused);
        assert!(said.contains(&postgres.address().to_string()) && !said.contains("hunter2"), "{said}");
        assert!(!said.contains(" at line "), "a line of the server's own source: {said}");
    }
    postgres.stop();
    let refused = AccountsDatabase::connect(&address).await.expect_err("not there");
    assert!(refused.may_pass() && !error_chain(&refused).contains("not-a-secret"), "{refused}");
}

#[tokio::test]
async fn a_month_with_more_counts_than_one_statement_may_read_is_read_whole() {
    let Some(postgres) = Postgres::start() else { return };
    let address = postgres.fresh_database();
    let database = connect(&address).await;
    let (customer, month) = (a_customer().build().id, CalendarMonth::containing(second(0)));
    let (_, name) = address.rsplit_once('/').expect("a name");
    // A customer with many processes, so that pages end within one.
    let many = format!(
        "INSERT INTO process_counts SELECT '{customer}', '{month}', lpad(to_hex(number), 16, '0'), 3, 1 \
         FROM generate_series(1, 35000) AS number; \
         INSERT INTO usage_counts VALUES ('{customer}', '{month}', 7)"
    );
    let _ = postgres.run(name, &many);
    let whole = database.of_month(month).await.expect("answers");
    assert_eq!(whole, [UsageCount { customer, month, calls: 70_007 }]);
}

/// Workers of a server each have a runtime, which ends with them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_outlive_the_runtime_whose_statement_opened_them() {
    let Some(address) = Postgres::database() else { return };
    let database = connect(&address).await;
    for _ in 0..5 {
        let of_a_worker = database.clone();
        let worker = thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async { join_all((0..8).map(|_| of_a_worker.ping())).await })
        });
        let answers = worker.join().expect("it ends");
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
        let answers = join_all((0..8).map(|_| database.ping())).await;
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    }
}
