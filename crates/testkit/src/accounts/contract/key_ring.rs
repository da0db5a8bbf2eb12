use std::net::IpAddr;
use std::sync::Arc;

use chrono::TimeDelta;
use futures::future::join_all;
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_accounts::{KeyName, KeyRecord, KeyUse};
use sports_ports::accounts::{Customers, KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing, KeyUses};

use super::{an_account, issue, keys};

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
