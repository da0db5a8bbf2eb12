//! The key ring behind the cache.

use std::sync::Arc;
use std::time::Duration;

use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_accounts::{Customer, KeyRecord};
use sports_cache_moka::CachedKeyRing;
use sports_ports::PortError;
use sports_ports::accounts::{CustomerCreation, Customers, KeyIssue, KeyRevocation, KeyRing};
use sports_testkit::accounts::AccountsFake;

async fn a_ring() -> (Arc<AccountsFake>, CachedKeyRing, Customer, KeyRecord) {
    let accounts = Arc::new(AccountsFake::new());
    let (customer, key) = (a_customer().build(), a_key_record().issued(second(0)).build());
    assert_eq!(accounts.create(&customer).await.expect("answers"), CustomerCreation::Created);
    assert_eq!(accounts.issue(customer.id, &key).await.expect("answers"), KeyIssue::Issued);
    let cached = CachedKeyRing::new(accounts.clone());
    (accounts, cached, customer, key)
}

/// The cache keeps its own time, so the test has to let it pass.
async fn past_the_fresh_second() {
    tokio::time::sleep(Duration::from_millis(1_100)).await;
}

#[tokio::test]
async fn a_key_that_was_seen_works_while_the_ring_is_away_and_another_is_no_401() {
    let (accounts, cached, customer, key) = a_ring().await;
    cached.holder(&key.digest).await.expect("answers").expect("held");
    accounts.go_away();
    past_the_fresh_second().await;
    let holder = cached.holder(&key.digest).await.expect("remembered").expect("held");
    assert_eq!(holder.customer, customer);
    let unknown = cached.holder(&a_key(2).digest()).await;
    assert!(matches!(unknown, Err(PortError::Unavailable { .. })), "{unknown:?}");
}

#[tokio::test]
async fn that_a_key_is_unknown_is_never_kept() {
    let accounts = Arc::new(AccountsFake::new());
    let cached = CachedKeyRing::new(accounts.clone());
    let (customer, key) = (a_customer().build(), a_key_record().issued(second(0)).build());
    assert_eq!(cached.holder(&key.digest).await.expect("answers"), None);
    assert_eq!(accounts.create(&customer).await.expect("answers"), CustomerCreation::Created);
    assert_eq!(accounts.issue(customer.id, &key).await.expect("answers"), KeyIssue::Issued);
    assert!(cached.holder(&key.digest).await.expect("answers").is_some());
}

#[tokio::test]
async fn a_key_revoked_through_the_cache_shows_at_once() {
    let (_, cached, customer, key) = a_ring().await;
    cached.holder(&key.digest).await.expect("answers").expect("held");
    assert_eq!(cached.revoke(customer.id, &key.digest, second(5)).await.expect("answers"), KeyRevocation::Revoked);
    let holder = cached.holder(&key.digest).await.expect("answers").expect("held");
    assert_eq!(holder.key.revoked_at, Some(second(5)));
}

#[tokio::test]
async fn a_key_revoked_elsewhere_shows_within_two_seconds() {
    let (accounts, cached, customer, key) = a_ring().await;
    cached.holder(&key.digest).await.expect("answers").expect("held");
    assert_eq!(accounts.revoke(customer.id, &key.digest, second(5)).await.expect("answers"), KeyRevocation::Revoked);
    past_the_fresh_second().await;
    let holder = cached.holder(&key.digest).await.expect("answers").expect("held");
    assert_eq!(holder.key.revoked_at, Some(second(5)));
}
