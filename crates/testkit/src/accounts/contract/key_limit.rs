use futures::future::join_all;
use sports_accounts::testing::{a_key_record, second};
use sports_accounts::{Customer, MAX_ACTIVE_KEYS};
use sports_ports::accounts::{Customers, KeyIssue, KeyRevocation, KeyRing};

use super::{an_account, issue, keys};

/// Issues the maximum number of active keys to a customer, with the seeds from 1 on.
async fn fill(accounts: &impl KeyRing, holder: &Customer) {
    for seed in (1..).take(MAX_ACTIVE_KEYS) {
        issue(accounts, holder, &a_key_record().seeded(seed).build()).await;
    }
}

/// Checks that a key above [`MAX_ACTIVE_KEYS`] is not recorded.
pub async fn the_26th_active_key_is_refused(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    fill(accounts, &customer).await;
    let before = keys(accounts, &customer).await;
    let key = a_key_record().seeded(100).build();
    let outcome = accounts.issue(customer.id, &key).await.expect("issue answers");
    assert_eq!(outcome, KeyIssue::LimitReached, "{MAX_ACTIVE_KEYS} active keys are enough");
    assert_eq!(accounts.holder(&key.digest).await.expect("holder answers"), None, "a refused key is not on record");
    assert_eq!(keys(accounts, &customer).await, before, "a refused issue changes nothing");
}

/// Checks that the keys of one customer do not count for another.
pub async fn the_limit_is_each_customers_own(accounts: &(impl Customers + KeyRing)) {
    let rich = an_account(accounts, 1).await;
    let poor = an_account(accounts, 2).await;
    fill(accounts, &rich).await;
    issue(accounts, &poor, &a_key_record().seeded(100).build()).await;
}

/// Checks that revoked keys make room, and so do keys that have expired by the creation time of the new key.
pub async fn inactive_keys_leave_room(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    let expiring = a_key_record().seeded(100).expiring(second(10)).build();
    issue(accounts, &customer, &expiring).await;
    for seed in (1..).take(MAX_ACTIVE_KEYS - 1) {
        issue(accounts, &customer, &a_key_record().seeded(seed).build()).await;
    }
    let too_early = a_key_record().seeded(101).issued(second(9)).build();
    let outcome = accounts.issue(customer.id, &too_early).await.expect("issue answers");
    assert_eq!(outcome, KeyIssue::LimitReached, "a key counts until it expires");
    issue(accounts, &customer, &a_key_record().seeded(101).issued(second(10)).build()).await;

    let first = a_key_record().build();
    let outcome = accounts.revoke(customer.id, &first.digest, second(11)).await.expect("revoke answers");
    assert_eq!(outcome, KeyRevocation::Revoked);
    issue(accounts, &customer, &a_key_record().seeded(102).issued(second(12)).build()).await;
    let one_more = a_key_record().seeded(103).issued(second(13)).build();
    let outcome = accounts.issue(customer.id, &one_more).await.expect("issue answers");
    assert_eq!(outcome, KeyIssue::LimitReached, "one revocation makes room for one key");
}

/// Checks that racing issues do not exceed the limit.
pub async fn racing_issues_stop_at_the_limit(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    let racers: Vec<_> = (1..).take(MAX_ACTIVE_KEYS + 10).map(|seed| a_key_record().seeded(seed).build()).collect();
    let outcomes = join_all(racers.iter().map(|key| accounts.issue(customer.id, key))).await;
    let issued = outcomes.into_iter().filter(|outcome| match outcome.as_ref().expect("issue answers") {
        KeyIssue::Issued => true,
        KeyIssue::LimitReached => false,
        outcome @ (KeyIssue::UnknownCustomer | KeyIssue::AlreadyIssued | KeyIssue::ActorRevoked) => {
            panic!("{outcome:?} is not so")
        }
    });
    assert_eq!(issued.count(), MAX_ACTIVE_KEYS, "racing does not lift the limit");
    assert_eq!(keys(accounts, &customer).await.len(), MAX_ACTIVE_KEYS);
}
