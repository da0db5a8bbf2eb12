//! Either database keeps the same contract as the fake.

use std::sync::atomic::{AtomicU32, Ordering};

use chrono::DateTime;
use sports_accounts::testing::{a_customer, a_key_record, an_entitlement, second};
use sports_accounts::{Actor, Email, KeyDigest};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_ports::accounts::{Customers, KeyIssue, KeyRenaming, KeyRevocation, KeyRing};
use sports_ports::datasets::Entitlements;
use sports_testkit::services::Postgres;
use sports_testkit::{accounts, datasets, metering, nodes};

/// Returns an actor at `second(seconds)`, with a key or without.
fn actor(seconds: i64, key: Option<KeyDigest>) -> Actor {
    Actor { name: "ann".to_owned(), place: "db1".to_owned(), at: second(seconds), key }
}

async fn each_change_is_in_the_log_under_its_actor(database: &AccountsDatabase) {
    let (customer, key) = (a_customer().build(), a_key_record().build());
    let at = |seconds| database.acting(actor(seconds, None));
    let _ = at(0).create(&customer).await.expect("answers");
    let _ = at(1).issue(customer.id, &key).await.expect("answers");
    let _ = at(2).rename(customer.id, &key.digest, &key.name).await.expect("answers");
    let _ = at(3).revoke(customer.id, &key.digest, second(3)).await.expect("answers");
    let _ = at(4).change_plan(customer.id, None).await.expect("answers");
    let email = Email::new("new@example.com").expect("an email");
    let _ = at(5).change_email(customer.id, &email).await.expect("answers");
    let right = an_entitlement().build();
    let _ = at(6).grant(&right).await.expect("answers");
    let _ = at(7).revoke_entitlement(customer.id, &right.product, right.sport, second(7)).await.expect("answers");
    at(8).note("publish", "nfl generation 1").await.expect("answers");
    // A change without an effect has no entry, nor has one without an actor.
    let _ = at(9).revoke(customer.id, &key.digest, second(9)).await.expect("answers");
    let _ = at(9).create(&customer).await.expect("answers");
    let _ = database.change_plan(customer.id, None).await.expect("answers");
    assert!(at(10).delete(customer.id).await.expect("answers"));

    let log = database.audit_log(None, None).await.expect("answers");
    let masked = key.masked.to_string();
    let expected = [
        ("customer.create", "ai"),
        ("key.issue", &format!("{masked} full")),
        ("key.rename", &masked),
        ("key.revoke", &masked),
        ("customer.plan", "none"),
        ("customer.email", ""),
        ("entitlement.grant", "historical-odds nfl"),
        ("entitlement.revoke", "historical-odds nfl"),
        ("publish", "nfl generation 1"),
        ("customer.delete", ""),
    ];
    assert_eq!(log.iter().map(|entry| (entry.action.as_str(), entry.detail.as_str())).collect::<Vec<_>>(), expected);
    assert!(log.iter().all(|entry| (entry.actor.as_str(), entry.place.as_str()) == ("ann", "db1")));
    let times = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10].map(second);
    assert!(log.iter().map(|entry| entry.at).eq(times));
    let hers = database.audit_log(Some(customer.id), Some(second(7))).await.expect("answers");
    assert!(hers.iter().map(|entry| entry.action.as_str()).eq(["entitlement.revoke", "customer.delete"]), "{hers:?}");
}

async fn a_change_by_a_revoked_key_is_refused(database: &AccountsDatabase) {
    let customer = a_customer().build();
    let (leaked, own) = (a_key_record().build(), a_key_record().seeded(2).build());
    let _ = database.create(&customer).await.expect("answers");
    for key in [&leaked, &own] {
        assert_eq!(database.issue(customer.id, key).await.expect("answers"), KeyIssue::Issued);
    }
    let attacker = database.acting(actor(1, Some(leaked.digest)));
    let made = a_key_record().seeded(3).build();
    assert_eq!(attacker.issue(customer.id, &made).await.expect("answers"), KeyIssue::Issued);
    let spare = Some(&own.digest);
    database.revoke_all(customer.id, DateTime::UNIX_EPOCH, spare, second(2)).await.expect("answers");
    let another = a_key_record().seeded(4).build();
    assert_eq!(attacker.issue(customer.id, &another).await.expect("answers"), KeyIssue::ActorRevoked);
    let renamed = attacker.rename(customer.id, &own.digest, &own.name).await.expect("answers");
    assert_eq!(renamed, KeyRenaming::ActorRevoked);
    let revoked = attacker.revoke(customer.id, &own.digest, second(3)).await.expect("answers");
    assert_eq!(revoked, KeyRevocation::ActorRevoked);
    let keys = database.keys_of(customer.id).await.expect("answers");
    assert_eq!(keys.iter().filter(|key| key.is_active(second(3))).collect::<Vec<_>>(), [&own]);
}

async fn keys_that_expire_soon_are_listed_by_expiry(database: &AccountsDatabase) {
    let customer = a_customer().build();
    let _ = database.create(&customer).await.expect("answers");
    let until = |seed: u8, end: i64| a_key_record().seeded(seed).expiring(second(end)).build();
    let forever = a_key_record().seeded(5).build();
    for key in [&until(1, 30), &until(2, 20), &until(3, 10), &until(4, 40), &forever] {
        let _ = database.issue(customer.id, key).await.expect("answers");
    }
    let soon = database.keys_expiring(second(10), second(40)).await.expect("answers");
    assert!(soon.iter().map(|holder| holder.key.clone()).eq([until(2, 20), until(1, 30)]), "{soon:?}");
}

async fn keeps_the_contracts(fresh: impl AsyncFn() -> AccountsDatabase) {
    accounts::contract::run_all(&fresh).await;
    Box::pin(accounts::webhooks::run_all(&fresh)).await;
    metering::contract::usage_counts(&fresh).await;
    datasets::contract::records(&fresh).await;
    nodes::node_registry(&fresh().await).await;
    each_change_is_in_the_log_under_its_actor(&fresh().await).await;
    a_change_by_a_revoked_key_is_refused(&fresh().await).await;
    keys_that_expire_soon_are_listed_by_expiry(&fresh().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sqlite_file_keeps_the_contracts() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = AtomicU32::new(0);
    let fresh = async || {
        let file = folder.path().join(format!("{}.db", files.fetch_add(1, Ordering::Relaxed)));
        AccountsDatabase::connect(&format!("sqlite:{}", file.display())).await.expect("a new database")
    };
    keeps_the_contracts(fresh).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_on_postgresql_keeps_the_contracts() {
    if Postgres::database().is_none() {
        return;
    }
    keeps_the_contracts(async || {
        let address = Postgres::database().expect("there is a server");
        AccountsDatabase::connect(&address).await.expect("a new database")
    })
    .await;
}
