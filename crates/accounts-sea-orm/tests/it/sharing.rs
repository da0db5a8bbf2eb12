//! Several processes may share one file: here each is a database value of its own, with its own
//! connections, and SQLite keeps them apart as it does processes.

use std::fs;
use std::path::Path;

use sports_accounts::MAX_ACTIVE_KEYS;
use sports_accounts::testing::{a_customer, a_key_record, second};
use sports_accounts_sea_orm::{AccountsDatabase, LockError, ServerLock};
use sports_ports::accounts::{CustomerCreation, Customers, KeyIssue, KeyRevocation, KeyRing};
use tokio::task::JoinSet;

async fn connect(file: &Path) -> AccountsDatabase {
    AccountsDatabase::connect(&format!("sqlite:{}", file.display())).await.expect("a database")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_start_together_agree_on_one_new_database() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("deep/down/sports.db");
        let mut starting = JoinSet::new();
        for seed in 1..=8 {
            let file = file.clone();
            starting.spawn(async move {
                let customer = a_customer().seeded(seed).build();
                let outcome = connect(&file).await.create(&customer).await.expect("create answers");
                assert_eq!(outcome, CustomerCreation::Created);
            });
        }
        starting.join_all().await;
        assert_eq!(connect(&file).await.list().await.expect("list answers").len(), 8);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn issues_from_several_processes_stop_at_the_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.db");
    let customer = a_customer().build();
    let outcome = connect(&file).await.create(&customer).await.expect("create answers");
    assert_eq!(outcome, CustomerCreation::Created);

    let mut processes = Vec::new();
    for _ in 0..4 {
        processes.push(connect(&file).await);
    }
    let mut racing = JoinSet::new();
    for (seed, process) in (1..=60).zip(processes.iter().cycle()) {
        let (process, id) = (process.clone(), customer.id);
        racing.spawn(async move { process.issue(id, &a_key_record().seeded(seed).build()).await });
    }
    let outcomes = racing.join_all().await;
    let count = |wanted| outcomes.iter().filter(|outcome| *outcome.as_ref().expect("issue answers") == wanted).count();
    assert_eq!(count(KeyIssue::Issued), MAX_ACTIVE_KEYS);
    assert_eq!(count(KeyIssue::LimitReached), 60 - MAX_ACTIVE_KEYS);
    assert_eq!(processes[0].keys_of(customer.id).await.expect("keys_of answers").len(), MAX_ACTIVE_KEYS);
}

#[tokio::test]
async fn a_revocation_is_seen_by_the_other_process_at_once_and_survives_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.db");
    let (one, other) = (connect(&file).await, connect(&file).await);
    let (customer, key) = (a_customer().build(), a_key_record().build());
    assert_eq!(one.create(&customer).await.expect("create answers"), CustomerCreation::Created);
    assert_eq!(one.issue(customer.id, &key).await.expect("issue answers"), KeyIssue::Issued);

    let outcome = other.revoke(customer.id, &key.digest, second(5)).await.expect("revoke answers");
    assert_eq!(outcome, KeyRevocation::Revoked);
    drop(other);
    for process in [one, connect(&file).await] {
        let held = process.holder(&key.digest).await.expect("holder answers").expect("a holder");
        assert_eq!(held.key.revoked_at, Some(second(5)));
    }
}

#[tokio::test]
async fn a_database_has_one_server_whatever_it_is_called() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.db");
    let lock = ServerLock::take(&file).expect("there is no server");
    // A command that is no server works beside it.
    let outcome = connect(&file).await.create(&a_customer().build()).await.expect("create answers");
    assert_eq!(outcome, CustomerCreation::Created);

    let (hard, soft) = (folder.path().join("hard.db"), folder.path().join("soft.db"));
    fs::hard_link(&file, &hard).expect("linked");
    std::os::unix::fs::symlink(&file, &soft).expect("linked");
    let moved = folder.path().join("moved.db");
    let refuses = |name: &Path| {
        let refused = ServerLock::take(name).expect_err("there is a server");
        assert!(matches!(&refused, LockError::Taken { .. }), "{name:?}: {refused:?}");
    };
    for name in [&file, &folder.path().join("./../").join(&file), &hard, &soft] {
        refuses(name);
    }
    fs::rename(&file, &moved).expect("moved");
    refuses(&moved);
    fs::rename(&moved, &file).expect("moved");
    drop(lock);
    let _lock = ServerLock::take(&hard).expect("there is no server any more");
    refuses(&file);
}

#[tokio::test]
async fn a_secret_is_made_once_for_all_processes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.db");
    let (one, other) = (connect(&file).await, connect(&file).await);
    let both = futures::join!(one.secret_or("links", "first"), other.secret_or("links", "second"));
    let (kept, same) = (both.0.expect("answers"), both.1.expect("answers"));
    assert_eq!(kept, same);
    assert!(["first", "second"].contains(&kept.as_str()));
    assert_eq!(connect(&file).await.secret_or("links", "third").await.expect("answers"), kept);
    assert_eq!(one.secret_or("another", "fourth").await.expect("answers"), "fourth");
}

#[tokio::test]
async fn a_database_that_must_be_there_is_not_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("deep/mistyped.db");
    let refused = AccountsDatabase::connect_existing(&format!("sqlite:{}", file.display())).await;
    let message = refused.expect_err("it is not there").to_string();
    assert!(message.starts_with(&format!("there is no database {}; `sportsctl customer create`", file.display())));
    assert!(!folder.path().join("deep").exists());
    connect(&file).await;
    AccountsDatabase::connect_existing(&format!("sqlite:{}", file.display())).await.expect("it is there");
}
