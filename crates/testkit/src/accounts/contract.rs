//! The contract suites of [`Customers`] and [`KeyRing`], one function per promise.
//!
//! Every function takes empty accounts, and panics if a promise is broken.
#![expect(clippy::missing_panics_doc, reason = "that is how every function here reports")]

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use chrono::{NaiveDate, TimeDelta};
use futures::future::join_all;
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_accounts::{Customer, CustomerId, Email, KeyName, KeyRecord, KeyUse, MAX_ACTIVE_KEYS, Plan};
use sports_ports::accounts::{
    CustomerCreation, Customers, DailyCalls, EmailChange, KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing,
    KeyUses, PlanChange,
};

/// Runs every check, each on new accounts from `fresh`.
pub async fn run_all<Accounts: Customers + KeyRing + KeyUses>(fresh: impl AsyncFn() -> Accounts) {
    Box::pin(customers(&fresh)).await;
    Box::pin(key_ring(&fresh)).await;
    the_last_use_of_a_key_is_the_latest(&fresh().await).await;
    calls_add_up_by_key_operation_and_day(&fresh().await).await;
}

/// Runs every check of customers, each on new accounts from `fresh`.
pub async fn customers<Accounts: Customers + KeyRing>(fresh: impl AsyncFn() -> Accounts) {
    a_created_customer_is_found_as_it_was(&fresh().await).await;
    an_unknown_id_finds_nothing(&fresh().await).await;
    an_email_belongs_to_one_customer(&fresh().await).await;
    an_id_belongs_to_one_customer(&fresh().await).await;
    racing_creations_open_one_account(&fresh().await).await;
    customers_are_listed_oldest_first(&fresh().await).await;
    a_change_of_plan_changes_the_plan_and_nothing_else(&fresh().await).await;
    an_unknown_customer_has_no_plan_to_change(&fresh().await).await;
    an_email_changes_unless_another_has_it(&fresh().await).await;
    a_deleted_customer_is_gone_with_all_keys(&fresh().await).await;
}

/// Runs every check of a key ring, each on new accounts from `fresh`.
pub async fn key_ring<Accounts: Customers + KeyRing>(fresh: impl AsyncFn() -> Accounts) {
    an_issued_key_finds_its_holder(&fresh().await).await;
    a_digest_never_issued_has_no_holder(&fresh().await).await;
    inactive_keys_still_find_their_holder(&fresh().await).await;
    a_lookup_of_several_digests_equals_single_lookups(&fresh().await).await;
    keys_are_listed_oldest_first_active_or_not(&fresh().await).await;
    a_digest_is_issued_once(&fresh().await).await;
    an_unknown_customer_gets_no_key(&fresh().await).await;
    a_key_is_revoked_once(&fresh().await).await;
    an_expired_key_is_not_revoked(&fresh().await).await;
    racing_revocations_have_one_winner(&fresh().await).await;
    a_renaming_changes_the_name_and_nothing_else(&fresh().await).await;
    a_customer_cannot_touch_the_keys_of_another(&fresh().await).await;
    a_revocation_of_all_keys_spares_one_and_the_older_ones(&fresh().await).await;

    the_26th_active_key_is_refused(&fresh().await).await;
    the_limit_is_each_customers_own(&fresh().await).await;
    inactive_keys_leave_room(&fresh().await).await;
    racing_issues_stop_at_the_limit(&fresh().await).await;
    a_minute_has_as_many_issues_as_its_limit(&fresh().await).await;
    racing_issues_stop_at_the_limit_per_minute(&fresh().await).await;
}

/// Creates a customer with an account; each seed gives a different customer.
async fn an_account(accounts: &impl Customers, seed: u8) -> Customer {
    let customer = a_customer().seeded(seed).build();
    let outcome = accounts.create(&customer).await.expect("create answers");
    assert_eq!(outcome, CustomerCreation::Created, "a customer like no other is created");
    customer
}

/// Records a valid key.
async fn issue(accounts: &impl KeyRing, holder: &Customer, key: &KeyRecord) {
    let outcome = accounts.issue(holder.id, key).await.expect("issue answers");
    assert_eq!(outcome, KeyIssue::Issued, "a key like no other is issued");
}

/// Returns a customer's keys on record.
async fn keys(accounts: &impl KeyRing, holder: &Customer) -> Vec<KeyRecord> {
    accounts.keys_of(holder.id).await.expect("keys_of answers")
}

/// Checks that every plan, a missing plan and every microsecond are kept.
pub async fn a_created_customer_is_found_as_it_was(accounts: &impl Customers) {
    let plans = Plan::ALL.into_iter().map(Some).chain([None]);
    for (seed, plan) in (1..).zip(plans) {
        let builder = a_customer().seeded(seed).created(second(1) + TimeDelta::microseconds(123_456));
        let customer = plan.map_or(builder.clone().without_plan(), |plan| builder.on(plan)).build();
        let outcome = accounts.create(&customer).await.expect("create answers");
        assert_eq!(outcome, CustomerCreation::Created);
        let found = accounts.find(customer.id).await.expect("find answers");
        assert_eq!(found, Some(customer), "a customer is found as created");
    }
}

/// Checks that absence is `None`, not a failure.
pub async fn an_unknown_id_finds_nothing(accounts: &impl Customers) {
    an_account(accounts, 1).await;
    let found = accounts.find(CustomerId::from_random([2; 10])).await.expect("absence is no failure");
    assert_eq!(found, None, "an unknown id finds no customer");
}

/// Checks that emails are compared without letter case.
pub async fn an_email_belongs_to_one_customer(accounts: &impl Customers) {
    let first = an_account(accounts, 1).await;
    for address in ["customer1@example.com", "Customer1@Example.COM"] {
        let second = a_customer().seeded(2).emailing(address).build();
        let outcome = accounts.create(&second).await.expect("create answers");
        assert_eq!(outcome, CustomerCreation::EmailTaken, "{address} is the first customer's");
    }
    assert_eq!(accounts.list().await.expect("list answers"), [first], "a refused creation changes nothing");
}

/// Checks that a second customer with the same id is refused.
pub async fn an_id_belongs_to_one_customer(accounts: &impl Customers) {
    let first = an_account(accounts, 1).await;
    let second = a_customer().emailing("somebody-else@example.com").build();
    assert_eq!(first.id, second.id);
    let outcome = accounts.create(&second).await.expect("create answers");
    assert_eq!(outcome, CustomerCreation::IdTaken, "the id is the first customer's");
    assert_eq!(accounts.list().await.expect("list answers"), [first], "a refused creation changes nothing");
}

/// Checks that of several concurrent creations with one email, one succeeds.
pub async fn racing_creations_open_one_account(accounts: &impl Customers) {
    let racers: Vec<_> = (1..=8).map(|seed| a_customer().seeded(seed).emailing("wanted@example.com").build()).collect();
    let outcomes = join_all(racers.iter().map(|customer| accounts.create(customer))).await;
    let created = outcomes.into_iter().filter(|outcome| match outcome.as_ref().expect("create answers") {
        CustomerCreation::Created => true,
        CustomerCreation::EmailTaken => false,
        CustomerCreation::IdTaken => panic!("every racer has an id of its own"),
    });
    assert_eq!(created.count(), 1, "one racer gets the email");
    assert_eq!(accounts.list().await.expect("list answers").len(), 1);
}

/// Checks that equal creation times are ordered by id.
pub async fn customers_are_listed_oldest_first(accounts: &impl Customers) {
    assert_eq!(accounts.list().await.expect("list answers"), [], "there is no account at first");
    let oldest_first = [
        a_customer().seeded(5).created(second(1)).build(),
        a_customer().seeded(1).created(second(2)).build(),
        a_customer().seeded(3).created(second(2)).build(),
        a_customer().seeded(2).created(second(2) + TimeDelta::microseconds(1)).build(),
        a_customer().seeded(4).created(second(3)).build(),
    ];
    for place in [3, 0, 4, 2, 1] {
        let outcome = accounts.create(&oldest_first[place]).await.expect("create answers");
        assert_eq!(outcome, CustomerCreation::Created);
    }
    assert_eq!(accounts.list().await.expect("list answers"), oldest_first, "oldest first, equal times by id");
}

/// Checks that the holders of the customer's keys have the new plan, too.
pub async fn a_change_of_plan_changes_the_plan_and_nothing_else(accounts: &(impl Customers + KeyRing)) {
    let (ann, bob) = (an_account(accounts, 1).await, an_account(accounts, 2).await);
    let key = a_key_record().seeded(1).build();
    issue(accounts, &ann, &key).await;
    for plan in [None, Some(Plan::Basic), Some(Plan::Basic), Some(Plan::Ai)] {
        let outcome = accounts.change_plan(ann.id, plan).await.expect("change_plan answers");
        assert_eq!(outcome, PlanChange::Changed);
        let expected = Customer { plan, ..ann.clone() };
        assert_eq!(accounts.find(ann.id).await.expect("find answers").as_ref(), Some(&expected));
        let holder = accounts.holder(&key.digest).await.expect("holder answers").expect("the key is held");
        assert_eq!((&holder.customer, &holder.key), (&expected, &key));
    }
    assert_eq!(accounts.find(bob.id).await.expect("find answers"), Some(bob), "one customer's plan is no other's");
}

/// Checks that a change of an unknown customer's plan creates no account.
pub async fn an_unknown_customer_has_no_plan_to_change(accounts: &impl Customers) {
    let stranger = CustomerId::from_random([9; 10]);
    let outcome = accounts.change_plan(stranger, Some(Plan::Ai)).await.expect("change_plan answers");
    assert_eq!(outcome, PlanChange::NoSuchCustomer);
    assert_eq!(accounts.list().await.expect("list answers"), []);
}

/// Checks that an email that another customer has stays that customer's.
pub async fn an_email_changes_unless_another_has_it(accounts: &impl Customers) {
    let (ann, bob) = (an_account(accounts, 1).await, an_account(accounts, 2).await);
    let new = Email::new("new@example.com").expect("an email");
    let table = [
        (ann.id, &new, EmailChange::Changed),
        (ann.id, &bob.email, EmailChange::EmailTaken),
        (CustomerId::from_random([9; 10]), &ann.email, EmailChange::NoSuchCustomer),
    ];
    for (id, email, expected) in table {
        assert_eq!(accounts.change_email(id, email).await.expect("change_email answers"), expected, "{email}");
    }
    assert_eq!(accounts.find(ann.id).await.expect("find answers"), Some(Customer { email: new, ..ann }));
    assert_eq!(accounts.find(bob.id).await.expect("find answers"), Some(bob));
}

/// Checks that the email can be used again, and that another customer keeps everything.
pub async fn a_deleted_customer_is_gone_with_all_keys(accounts: &(impl Customers + KeyRing)) {
    let (ann, bob) = (an_account(accounts, 1).await, an_account(accounts, 2).await);
    let (hers, his) = (a_key_record().build(), a_key_record().seeded(2).build());
    issue(accounts, &ann, &hers).await;
    issue(accounts, &bob, &his).await;
    assert!(accounts.delete(ann.id).await.expect("delete answers"));
    assert!(!accounts.delete(ann.id).await.expect("delete answers"), "she is gone");
    assert_eq!(accounts.list().await.expect("list answers"), std::slice::from_ref(&bob));
    assert_eq!(accounts.holder(&hers.digest).await.expect("holder answers"), None);
    assert_eq!(keys(accounts, &bob).await, [his]);
    let again = a_customer().seeded(3).emailing(ann.email.as_str()).build();
    assert_eq!(accounts.create(&again).await.expect("create answers"), CustomerCreation::Created);
}

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
        outcome @ (KeyIssue::MinuteIsFull(_)
        | KeyIssue::UnknownCustomer
        | KeyIssue::AlreadyIssued
        | KeyIssue::ActorRevoked) => {
            panic!("{outcome:?} is not so")
        }
    });
    assert_eq!(issued.count(), MAX_ACTIVE_KEYS, "racing does not lift the limit");
    assert_eq!(keys(accounts, &customer).await.len(), MAX_ACTIVE_KEYS);
}

/// The limit per minute of these checks.
const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();

/// Checks that a key is refused while two others are of the minute before it, revoked ones and those without a limit included, and
/// that other customers' keys do not count.
pub async fn a_minute_has_as_many_issues_as_its_limit(accounts: &(impl Customers + KeyRing)) {
    let (customer, other) = (an_account(accounts, 1).await, an_account(accounts, 2).await);
    issue(accounts, &other, &a_key_record().seeded(50).issued(second(1)).build()).await;
    let first = a_key_record().seeded(1).issued(second(0)).build();
    issue(accounts, &customer, &first).await;
    let limited = async |seed, at| {
        let key = a_key_record().seeded(seed).issued(second(at)).build();
        accounts.issue_limited(customer.id, &key, TWO).await.expect("issue answers")
    };
    assert_eq!(limited(2, 10).await, KeyIssue::Issued);
    let _ = accounts.revoke(customer.id, &first.digest, second(11)).await.expect("revoke answers");
    assert_eq!(limited(3, 12).await, KeyIssue::MinuteIsFull(second(60)));
    assert_eq!(limited(3, 59).await, KeyIssue::MinuteIsFull(second(60)));
    assert_eq!(limited(3, 60).await, KeyIssue::Issued, "refused keys do not count");
    assert_eq!(limited(4, 61).await, KeyIssue::MinuteIsFull(second(70)));
    issue(accounts, &customer, &a_key_record().seeded(5).issued(second(61)).build()).await;
    // The clock was set back: later keys do not count.
    assert_eq!(limited(6, -1).await, KeyIssue::Issued);
}

/// Checks that racing issues do not exceed the limit per minute.
pub async fn racing_issues_stop_at_the_limit_per_minute(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    let racers: Vec<_> = (1..10).map(|seed| a_key_record().seeded(seed).build()).collect();
    let outcomes = join_all(racers.iter().map(|key| accounts.issue_limited(customer.id, key, TWO))).await;
    let issued = outcomes.into_iter().filter(|outcome| matches!(outcome, Ok(KeyIssue::Issued))).count();
    assert_eq!((issued, keys(accounts, &customer).await.len()), (2, 2));
}

/// Checks that a key of another customer does not interfere, and every microsecond is kept.
pub async fn an_issued_key_finds_its_holder(accounts: &(impl Customers + KeyRing)) {
    for seed in [1, 2] {
        let customer = an_account(accounts, seed).await;
        let issued = second(3) + TimeDelta::microseconds(7);
        let key = a_key_record().seeded(seed).named("клавиша 🔑 'quoted'").issued(issued).expiring(second(9));
        let key = match seed {
            1 => key.reading().allowed_from("10.0.0.0/8, 2001:db8::/32").created_by("operator").build(),
            _ => key.created_by("sk_service_aB3z*****").build(),
        };
        issue(accounts, &customer, &key).await;
        let found = accounts.holder(&key.digest).await.expect("holder answers");
        assert_eq!(found, Some(Arc::new(KeyHolder { customer, key })), "a key finds its holder, both as put on record");
    }
}

/// Checks that absence is `None`, not a failure.
pub async fn a_digest_never_issued_has_no_holder(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    issue(accounts, &customer, &a_key_record().build()).await;
    let found = accounts.holder(&a_key(2).digest()).await.expect("absence is no failure");
    assert_eq!(found, None, "an unknown key has no holder");
}

/// Checks that expired and revoked keys are returned with the times of their expiry and revocation.
pub async fn inactive_keys_still_find_their_holder(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    let expired = a_key_record().expiring(second(1)).build();
    let mut revoked = a_key_record().seeded(2).build();
    for key in [&expired, &revoked] {
        issue(accounts, &customer, key).await;
    }
    let outcome = accounts.revoke(customer.id, &revoked.digest, second(5)).await.expect("revoke answers");
    assert_eq!(outcome, KeyRevocation::Revoked);
    revoked.revoked_at = Some(second(5));
    for key in [expired, revoked] {
        let found = accounts.holder(&key.digest).await.expect("holder answers");
        assert_eq!(found, Some(Arc::new(KeyHolder { customer: customer.clone(), key })), "inactive keys are found too");
    }
}

/// Looks up known and unknown digests in any order, a repeated digest, and an empty list.
pub async fn a_lookup_of_several_digests_equals_single_lookups(accounts: &(impl Customers + KeyRing)) {
    let mut digests = vec![a_key(9).digest()];
    for seed in [1, 2] {
        let customer = an_account(accounts, seed).await;
        let key = a_key_record().seeded(seed).build();
        issue(accounts, &customer, &key).await;
        digests.extend([key.digest, a_key(seed + 3).digest()]);
    }
    digests.push(digests[1]);
    let mut one_by_one = Vec::new();
    for digest in &digests {
        one_by_one.push(accounts.holder(digest).await.expect("holder answers"));
    }
    assert_eq!(one_by_one.iter().flatten().count(), 3, "two keys are held, one of them requested twice");
    assert_eq!(accounts.holders(&digests).await.expect("holders answers"), one_by_one);
    assert_eq!(accounts.holders(&[]).await.expect("holders answers"), []);
}

/// Checks that only the customer's own keys are listed; equal creation times are ordered by digest.
pub async fn keys_are_listed_oldest_first_active_or_not(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    let other = an_account(accounts, 2).await;
    let mut oldest_first = [
        a_key_record().seeded(9).issued(second(1)).expiring(second(2)).build(),
        a_key_record().seeded(1).issued(second(2)).build(),
        a_key_record().seeded(2).issued(second(2)).build(),
        a_key_record().seeded(3).issued(second(3)).build(),
    ];
    oldest_first.sort_by_key(|key| (key.created_at, key.digest));
    for place in [2, 0, 3, 1] {
        issue(accounts, &customer, &oldest_first[place]).await;
    }
    issue(accounts, &other, &a_key_record().seeded(4).build()).await;
    assert_eq!(keys(accounts, &customer).await, oldest_first, "oldest first, equal times by digest");
    let stranger = a_customer().seeded(3).build();
    assert_eq!(keys(accounts, &stranger).await, [], "a stranger has no keys");
}

/// Checks that neither the same customer nor another can be issued the digest again.
pub async fn a_digest_is_issued_once(accounts: &(impl Customers + KeyRing)) {
    let first = an_account(accounts, 1).await;
    let second = an_account(accounts, 2).await;
    let key = a_key_record().build();
    issue(accounts, &first, &key).await;
    let again = a_key_record().named("another name").build();
    for customer in [&first, &second] {
        let outcome = accounts.issue(customer.id, &again).await.expect("issue answers");
        assert_eq!(outcome, KeyIssue::AlreadyIssued, "a digest has one holder");
    }
    assert_eq!(keys(accounts, &first).await, [key], "a refused issue changes nothing");
    assert_eq!(keys(accounts, &second).await, [], "a refused issue changes nothing");
}

/// Checks that a key needs an existing customer.
pub async fn an_unknown_customer_gets_no_key(accounts: &(impl Customers + KeyRing)) {
    an_account(accounts, 1).await;
    let stranger = a_customer().seeded(2).build();
    let key = a_key_record().build();
    let outcome = accounts.issue(stranger.id, &key).await.expect("issue answers");
    assert_eq!(outcome, KeyIssue::UnknownCustomer, "only customers hold keys");
    assert_eq!(accounts.holder(&key.digest).await.expect("holder answers"), None);
}

/// Checks that only the first revocation takes effect, and a later one does not change its time.
pub async fn a_key_is_revoked_once(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    let key = a_key_record().build();
    issue(accounts, &customer, &key).await;
    issue(accounts, &customer, &a_key_record().seeded(2).build()).await;
    for (at, expected) in [(second(5), KeyRevocation::Revoked), (second(6), KeyRevocation::NotActive)] {
        let outcome = accounts.revoke(customer.id, &key.digest, at).await.expect("revoke answers");
        assert_eq!(outcome, expected, "only the first revocation finds an active key");
        for on_record in keys(accounts, &customer).await {
            let revoked_at = (on_record.digest == key.digest).then(|| second(5));
            assert_eq!(on_record.revoked_at, revoked_at, "the first revocation is kept, for that key alone");
        }
    }
    let stranger = a_key(3).digest();
    let outcome = accounts.revoke(customer.id, &stranger, second(7)).await.expect("absence is no failure");
    assert_eq!(outcome, KeyRevocation::NotActive, "an unknown key is not active");
}

/// Checks that a key is active until the instant of its expiry, to the microsecond.
pub async fn an_expired_key_is_not_revoked(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    let micros = TimeDelta::microseconds;
    let table = [
        (second(5), second(5), KeyRevocation::NotActive),
        (second(5), second(5) - micros(1), KeyRevocation::Revoked),
        (second(5), second(5) + micros(1), KeyRevocation::NotActive),
        (second(5) + micros(500_000), second(5), KeyRevocation::Revoked),
        (second(5) + micros(500_000), second(5) + micros(500_001), KeyRevocation::NotActive),
        (second(5) + micros(500_001), second(5) + micros(500_000), KeyRevocation::Revoked),
    ];
    for (seed, (expiry, at, expected)) in (1..).zip(table) {
        let key = a_key_record().seeded(seed).expiring(expiry).build();
        issue(accounts, &customer, &key).await;
        let outcome = accounts.revoke(customer.id, &key.digest, at).await.expect("revoke answers");
        assert_eq!(outcome, expected, "revoked at {at}, expiring at {expiry}");
    }
}

/// Checks that of several concurrent revocations, exactly one reports success.
pub async fn racing_revocations_have_one_winner(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    let key = a_key_record().build();
    issue(accounts, &customer, &key).await;
    let outcomes = join_all((1..=8).map(|at| accounts.revoke(customer.id, &key.digest, second(at)))).await;
    let winners =
        outcomes.into_iter().filter(|outcome| *outcome.as_ref().expect("revoke answers") == KeyRevocation::Revoked);
    assert_eq!(winners.count(), 1, "one racer revokes the key");
}

/// Checks that any key of the customer can be renamed, including an expired one.
pub async fn a_renaming_changes_the_name_and_nothing_else(accounts: &(impl Customers + KeyRing)) {
    let customer = an_account(accounts, 1).await;
    let active = a_key_record().issued(second(1)).build();
    let expired = a_key_record().seeded(2).issued(second(2)).expiring(second(3)).build();
    let untouched = a_key_record().seeded(3).issued(second(3)).build();
    for key in [&active, &expired, &untouched] {
        issue(accounts, &customer, key).await;
    }
    let name = KeyName::new("it's new").expect("a name");
    for key in [&active, &expired] {
        let outcome = accounts.rename(customer.id, &key.digest, &name).await.expect("rename answers");
        assert_eq!(outcome, KeyRenaming::Renamed, "a customer renames any key of theirs");
    }
    let renamed = |key: KeyRecord| KeyRecord { name: name.clone(), ..key };
    assert_eq!(keys(accounts, &customer).await, [renamed(active), renamed(expired), untouched]);
    let outcome = accounts.rename(customer.id, &a_key(4).digest(), &name).await.expect("absence is no failure");
    assert_eq!(outcome, KeyRenaming::NoSuchKey, "an unknown key cannot be renamed");
}

/// Checks that to another customer, a key appears not to exist.
pub async fn a_customer_cannot_touch_the_keys_of_another(accounts: &(impl Customers + KeyRing)) {
    let holder = an_account(accounts, 1).await;
    let other = an_account(accounts, 2).await;
    let key = a_key_record().build();
    issue(accounts, &holder, &key).await;
    let name = KeyName::new("mine").expect("a name");
    let renaming = accounts.rename(other.id, &key.digest, &name).await.expect("rename answers");
    assert_eq!(renaming, KeyRenaming::NoSuchKey, "another's key looks like none");
    let revocation = accounts.revoke(other.id, &key.digest, second(1)).await.expect("revoke answers");
    assert_eq!(revocation, KeyRevocation::NotActive, "another's key looks like none");
    assert_eq!(keys(accounts, &holder).await, [key], "and stays as it was");
}

/// Checks that an inactive key and those of another customer stay as they were, too.
pub async fn a_revocation_of_all_keys_spares_one_and_the_older_ones(accounts: &(impl Customers + KeyRing)) {
    let (ann, bob) = (an_account(accounts, 1).await, an_account(accounts, 2).await);
    let key = |seed: u8| a_key_record().seeded(seed).issued(second(i64::from(seed))).build();
    let expired = a_key_record().seeded(5).issued(second(5)).expiring(second(8)).build();
    for key in [&key(1), &key(2), &key(3), &key(4), &expired] {
        issue(accounts, &ann, key).await;
    }
    issue(accounts, &bob, &key(6)).await;
    let revoked = accounts.revoke_all(ann.id, second(2), Some(&a_key(3).digest()), second(9)).await;
    let named = |keys: Vec<KeyRecord>| keys.into_iter().map(|key| key.digest).collect::<Vec<_>>();
    assert_eq!(named(revoked.expect("revoke_all answers")), [2, 4].map(|seed| a_key(seed).digest()));
    let ended = |key: KeyRecord| KeyRecord { revoked_at: Some(second(9)), ..key };
    assert_eq!(keys(accounts, &ann).await, [key(1), ended(key(2)), key(3), ended(key(4)), expired]);
    assert_eq!(keys(accounts, &bob).await, [key(6)]);
    let rest = accounts.revoke_all(ann.id, second(0), None, second(9)).await.expect("revoke_all answers");
    assert_eq!(named(rest), [1, 3].map(|seed| a_key(seed).digest()));
}

/// Checks that an earlier use that is recorded late changes nothing, nor does a use of an unknown key.
pub async fn the_last_use_of_a_key_is_the_latest(accounts: &(impl Customers + KeyRing + KeyUses)) {
    let customer = an_account(accounts, 1).await;
    let key = a_key_record().build();
    issue(accounts, &customer, &key).await;
    let used = |at, address: [u8; 4]| KeyUse { at, network: IpAddr::from(address).into() };
    let (early, late) = (used(second(1), [192, 0, 2, 7]), used(second(2), [198, 51, 100, 7]));
    for (uses, expected) in [
        (vec![(key.digest, early)], early),
        (vec![(a_key(2).digest(), late), (key.digest, late)], late),
        (vec![(key.digest, early)], late),
    ] {
        accounts.record_uses(&uses).await.expect("record_uses answers");
        assert_eq!(keys(accounts, &customer).await, [KeyRecord { last_use: Some(expected), ..key.clone() }]);
    }
}

/// Checks that calls of any nodes add up by key, operation and day, and that old days are removed.
pub async fn calls_add_up_by_key_operation_and_day(accounts: &(impl Customers + KeyRing + KeyUses)) {
    let (ann, bob) = (an_account(accounts, 1).await, an_account(accounts, 2).await);
    let (first, second_key) = (a_key(1).digest().min(a_key(2).digest()), a_key(1).digest().max(a_key(2).digest()));
    let day = |number| NaiveDate::from_ymd_opt(2025, 5, number).expect("a day");
    let made = |customer: &Customer, key, operation: &str, number, calls| DailyCalls {
        customer: customer.id,
        key,
        operation: operation.to_owned(),
        day: day(number),
        calls,
    };
    let odds = "/api/v1/odds/{sport}";
    let one =
        [made(&ann, first, odds, 1, 2), made(&ann, second_key, "/api/v1/sports", 2, 1), made(&bob, first, odds, 2, 7)];
    let another = [made(&ann, first, odds, 1, 3), made(&ann, first, odds, 2, 1)];
    for calls in [&one[..], &another[..], &[]] {
        accounts.record_calls(calls, day(1)).await.expect("record_calls answers");
    }
    let since = async |customer: &Customer, number| {
        accounts.calls_since(customer.id, day(number)).await.expect("calls_since answers")
    };
    let of_second_day = [made(&ann, first, odds, 2, 1), made(&ann, second_key, "/api/v1/sports", 2, 1)];
    let all = [vec![made(&ann, first, odds, 1, 5)], of_second_day.to_vec()].concat();
    assert_eq!((since(&ann, 1).await, since(&ann, 2).await), (all, of_second_day.to_vec()));
    assert_eq!(since(&bob, 1).await, [made(&bob, first, odds, 2, 7)]);
    accounts.record_calls(&[made(&ann, first, odds, 3, 1)], day(2)).await.expect("record_calls answers");
    assert_eq!(since(&ann, 1).await, [of_second_day.to_vec(), vec![made(&ann, first, odds, 3, 1)]].concat());
}
