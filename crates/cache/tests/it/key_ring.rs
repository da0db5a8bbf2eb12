//! The key ring behind the cache.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::future::join_all;
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_accounts::{Customer, CustomerId, Email, KeyDigest, KeyName, KeyRecord, Plan};
use sports_cache::CachedKeyRing;
use sports_ports::PortError;
use sports_ports::accounts::{
    CustomerCreation, Customers, EmailChange, KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing, PlanChange,
};
use sports_testkit::accounts::{AccountsFake, contract};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;

async fn a_ring() -> (Arc<AccountsFake>, CachedKeyRing, Customer, KeyRecord) {
    let accounts = Arc::new(AccountsFake::new());
    let (customer, key) = (a_customer().build(), a_key_record().issued(second(0)).build());
    assert_eq!(accounts.create(&customer).await.expect("answers"), CustomerCreation::Created);
    assert_eq!(accounts.issue(customer.id, &key).await.expect("answers"), KeyIssue::Issued);
    let cached = CachedKeyRing::new(accounts.clone());
    (accounts, cached, customer, key)
}

/// Accounts whose key ring is behind the cache.
struct Cached {
    accounts: Arc<AccountsFake>,
    ring: CachedKeyRing,
}

#[async_trait]
impl Customers for Cached {
    async fn create(&self, customer: &Customer) -> Result<CustomerCreation, PortError> {
        self.accounts.create(customer).await
    }

    async fn find(&self, id: CustomerId) -> Result<Option<Customer>, PortError> {
        self.accounts.find(id).await
    }

    async fn change_plan(&self, id: CustomerId, plan: Option<Plan>) -> Result<PlanChange, PortError> {
        self.accounts.change_plan(id, plan).await
    }

    async fn change_email(&self, id: CustomerId, email: &Email) -> Result<EmailChange, PortError> {
        self.accounts.change_email(id, email).await
    }

    async fn delete(&self, id: CustomerId) -> Result<bool, PortError> {
        self.accounts.delete(id).await
    }

    async fn list(&self) -> Result<Vec<Customer>, PortError> {
        self.accounts.list().await
    }
}

#[async_trait]
impl KeyRing for Cached {
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyHolder>>, PortError> {
        self.ring.holder(digest).await
    }

    async fn holders(&self, digests: &[KeyDigest]) -> Result<Vec<Option<Arc<KeyHolder>>>, PortError> {
        self.ring.holders(digests).await
    }

    async fn keys_of(&self, customer: CustomerId) -> Result<Vec<KeyRecord>, PortError> {
        self.ring.keys_of(customer).await
    }

    async fn issue_limited(
        &self,
        customer: CustomerId,
        key: &KeyRecord,
        per_minute: NonZeroU32,
    ) -> Result<KeyIssue, PortError> {
        self.ring.issue_limited(customer, key, per_minute).await
    }

    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError> {
        self.ring.rename(customer, digest, name).await
    }

    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError> {
        self.ring.revoke(customer, digest, at).await
    }
}

#[tokio::test]
async fn a_cached_ring_keeps_the_contract_of_key_rings() {
    let fresh = async || {
        let accounts = Arc::new(AccountsFake::new());
        Cached { accounts: accounts.clone(), ring: CachedKeyRing::new(accounts) }
    };
    // What becomes of a customer elsewhere shows a second later, so the customers' own contract is not the cache's.
    Box::pin(contract::key_ring(fresh)).await;
}

/// The cache has a clock of its own, so the test sleeps.
async fn past_the_fresh_second() {
    tokio::time::sleep(Duration::from_millis(1_100)).await;
}

#[tokio::test]
async fn a_key_that_was_seen_works_while_the_ring_is_unavailable_and_another_is_no_401() {
    let (accounts, cached, customer, key) = a_ring().await;
    cached.holder(&key.digest).await.expect("answers").expect("held");
    accounts.become_unavailable();
    past_the_fresh_second().await;
    let holder = cached.holder(&key.digest).await.expect("remembered").expect("held");
    assert_eq!(holder.customer, customer);
    let unknown = cached.holder(&a_key(2).digest()).await;
    assert!(matches!(unknown, Err(PortError::Unavailable { .. })), "{unknown:?}");
}

#[tokio::test]
async fn an_unknown_key_is_never_kept() {
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

/// A ring whose next lookup reads its result and returns it when the test releases it. It counts its lookups.
struct HeldRing {
    inner: Arc<AccountsFake>,
    hold_next: AtomicBool,
    look_ups: AtomicUsize,
    read: Notify,
    let_go: Notify,
}

impl HeldRing {
    fn over(inner: Arc<AccountsFake>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            hold_next: true.into(),
            look_ups: AtomicUsize::new(0),
            read: Notify::new(),
            let_go: Notify::new(),
        })
    }

    async fn hand_out<A>(&self, answer: A) -> A {
        self.look_ups.fetch_add(1, Ordering::SeqCst);
        if self.hold_next.swap(false, Ordering::SeqCst) {
            self.read.notify_one();
            self.let_go.notified().await;
        }
        answer
    }
}

#[async_trait]
impl KeyRing for HeldRing {
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyHolder>>, PortError> {
        let holder = self.inner.holder(digest).await;
        self.hand_out(holder).await
    }

    async fn holders(&self, digests: &[KeyDigest]) -> Result<Vec<Option<Arc<KeyHolder>>>, PortError> {
        let holders = self.inner.holders(digests).await;
        self.hand_out(holders).await
    }

    async fn keys_of(&self, customer: CustomerId) -> Result<Vec<KeyRecord>, PortError> {
        self.inner.keys_of(customer).await
    }

    async fn issue_limited(
        &self,
        customer: CustomerId,
        key: &KeyRecord,
        per_minute: NonZeroU32,
    ) -> Result<KeyIssue, PortError> {
        self.inner.issue_limited(customer, key, per_minute).await
    }

    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError> {
        self.inner.rename(customer, digest, name).await
    }

    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError> {
        self.inner.revoke(customer, digest, at).await
    }
}

/// A key that was revoked after a lookup had read its result, which is still held.
struct Revoked {
    accounts: Arc<AccountsFake>,
    ring: Arc<HeldRing>,
    cached: Arc<CachedKeyRing>,
    held: JoinHandle<Arc<KeyHolder>>,
    key: KeyRecord,
}

async fn revoked_during_a_look_up() -> Revoked {
    let (accounts, _, customer, key) = a_ring().await;
    let ring = HeldRing::over(accounts.clone());
    let cached = Arc::new(CachedKeyRing::new(ring.clone()));
    let (asking, digest) = (Arc::clone(&cached), key.digest);
    let held = tokio::spawn(async move { asking.holder(&digest).await.expect("answers").expect("held") });
    ring.read.notified().await;
    assert_eq!(cached.revoke(customer.id, &key.digest, second(5)).await.expect("answers"), KeyRevocation::Revoked);
    Revoked { accounts, ring, cached, held, key }
}

#[tokio::test]
async fn a_look_up_under_way_brings_no_revoked_key_back() {
    let Revoked { ring, cached, held, key, .. } = revoked_during_a_look_up().await;
    let revoked = async || cached.holder(&key.digest).await.expect("answers").expect("held").key.revoked_at;
    assert_eq!(revoked().await, Some(second(5)), "a look-up from before the revocation is not waited for");
    ring.let_go.notify_one();
    assert_eq!(held.await.expect("no panic").key.revoked_at, Some(second(5)), "it asks again");
    assert_eq!(revoked().await, Some(second(5)));
}

#[tokio::test]
async fn a_look_up_under_way_leaves_no_revoked_key_for_when_the_ring_is_unavailable() {
    let Revoked { accounts, ring, cached, held, key } = revoked_during_a_look_up().await;
    accounts.become_unavailable();
    ring.let_go.notify_one();
    assert!(held.await.is_err(), "it asks again, and the ring is unavailable");
    let unavailable = cached.holder(&key.digest).await;
    assert!(matches!(unavailable, Err(PortError::Unavailable { .. })), "{unavailable:?}");
}

/// The lookup from before the revocation is released amid later lookups on other threads.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_look_up_under_way_leaves_no_revoked_key_for_a_moment_either() {
    for _ in 0..200 {
        let Revoked { accounts, ring, cached, held, key } = revoked_during_a_look_up().await;
        accounts.become_unavailable();
        let others = [(); 3].map(|()| {
            let cached = Arc::clone(&cached);
            tokio::spawn(async move {
                for _ in 0..100 {
                    let unavailable = cached.holder(&key.digest).await;
                    assert!(matches!(unavailable, Err(PortError::Unavailable { .. })), "{unavailable:?}");
                }
            })
        });
        ring.let_go.notify_one();
        for other in others {
            other.await.expect("no key is brought back");
        }
        assert!(held.await.is_err(), "it asks again, and the ring is unavailable");
    }
}

/// Keys with the same first byte share a count of changes: a change to one key makes the others be looked up again, no more.
#[tokio::test]
async fn a_change_to_one_key_takes_no_other_from_memory() {
    let (accounts, cached, customer, key) = a_ring().await;
    let mut bytes = *key.digest.as_bytes();
    bytes[31] ^= 1;
    let neighbour =
        KeyRecord { digest: KeyDigest::from_bytes(bytes), ..a_key_record().seeded(2).issued(second(0)).build() };
    assert_eq!(accounts.issue(customer.id, &neighbour).await.expect("answers"), KeyIssue::Issued);
    cached.holder(&neighbour.digest).await.expect("answers").expect("held");
    accounts.become_unavailable();
    assert!(cached.revoke(customer.id, &key.digest, second(5)).await.is_err());
    assert!(cached.holder(&neighbour.digest).await.expect("remembered").is_some());
}

/// A ring that holds its next look-up, a cache before it, and a key on record that the cache has not seen.
async fn a_held_ring() -> (Arc<AccountsFake>, Arc<HeldRing>, Arc<CachedKeyRing>, Customer, KeyRecord) {
    let (accounts, _, customer, key) = a_ring().await;
    let ring = HeldRing::over(accounts.clone());
    let cached = Arc::new(CachedKeyRing::new(ring.clone()));
    (accounts, ring, cached, customer, key)
}

/// Starts a lookup.
fn lookup(cached: &Arc<CachedKeyRing>, digest: KeyDigest) -> JoinHandle<Option<Arc<KeyHolder>>> {
    let cached = Arc::clone(cached);
    tokio::spawn(async move { cached.holder(&digest).await.expect("answers") })
}

fn a_guess(number: u32) -> KeyDigest {
    let mut bytes = [7; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    KeyDigest::from_bytes(bytes)
}

#[tokio::test]
async fn a_flood_of_guesses_is_looked_up_together_and_a_key_among_them_is_found() {
    let (_, ring, cached, customer, key) = a_held_ring().await;
    let first = lookup(&cached, a_guess(0));
    ring.read.notified().await;
    let guesses: Vec<_> = (1..=1_500).map(|number| lookup(&cached, a_guess(number))).collect();
    let first_use = lookup(&cached, key.digest);
    tokio::task::yield_now().await;
    assert_eq!(ring.look_ups.load(Ordering::SeqCst), 1, "nothing else is looked up meanwhile");
    ring.let_go.notify_one();
    assert_eq!(first.await.expect("no panic"), None);
    assert_eq!(first_use.await.expect("no panic").expect("held").customer, customer);
    for guess in join_all(guesses).await {
        assert_eq!(guess.expect("no panic"), None);
    }
    let look_ups = ring.look_ups.load(Ordering::SeqCst);
    assert!(look_ups <= 4, "1,502 keys in {look_ups} look-ups");
}

#[tokio::test]
async fn a_key_that_was_seen_waits_for_no_guess() {
    let (_, ring, cached, _, key) = a_held_ring().await;
    ring.hold_next.store(false, Ordering::SeqCst);
    cached.holder(&key.digest).await.expect("answers").expect("held");
    ring.hold_next.store(true, Ordering::SeqCst);
    let guess = lookup(&cached, a_guess(0));
    ring.read.notified().await;
    past_the_fresh_second().await;
    assert!(cached.holder(&key.digest).await.expect("answers").is_some(), "while the guess is looked up");
    ring.let_go.notify_one();
    assert_eq!(guess.await.expect("no panic"), None);
}

/// The second of two callers may know more than the lookup of the first.
#[tokio::test]
async fn a_key_issued_during_its_lookup_is_found_by_the_next_lookup() {
    let accounts = Arc::new(AccountsFake::new());
    let ring = HeldRing::over(accounts.clone());
    let cached = Arc::new(CachedKeyRing::new(ring.clone()));
    let (customer, key) = (a_customer().build(), a_key_record().issued(second(0)).build());
    let before = lookup(&cached, key.digest);
    ring.read.notified().await;
    assert_eq!(accounts.create(&customer).await.expect("answers"), CustomerCreation::Created);
    assert_eq!(accounts.issue(customer.id, &key).await.expect("answers"), KeyIssue::Issued);
    let afterwards = lookup(&cached, key.digest);
    tokio::task::yield_now().await;
    ring.let_go.notify_one();
    assert_eq!(before.await.expect("no panic"), None);
    assert!(afterwards.await.expect("no panic").is_some());
}

#[tokio::test]
async fn a_client_that_hangs_up_costs_no_other_its_answer() {
    let (_, ring, cached, _, key) = a_held_ring().await;
    let first = lookup(&cached, a_guess(0));
    ring.read.notified().await;
    let gone: Vec<_> = (1..100).map(|number| lookup(&cached, a_guess(number))).collect();
    let waiting = lookup(&cached, key.digest);
    tokio::task::yield_now().await;
    first.abort();
    gone.iter().for_each(JoinHandle::abort);
    ring.let_go.notify_one();
    assert!(waiting.await.expect("no panic").is_some());
}

/// There are more guesses than keys in memory.
#[tokio::test]
async fn guesses_push_no_known_key_out_of_memory() {
    let (accounts, cached, _, key) = a_ring().await;
    cached.holder(&key.digest).await.expect("answers").expect("held");
    for chunk in 0..110 {
        let guesses = (0..1_000).map(|number| a_guess(chunk * 1_000 + number)).collect::<Vec<_>>();
        for guess in join_all(guesses.iter().map(|guess| cached.holder(guess))).await {
            assert_eq!(guess.expect("answers"), None);
        }
    }
    accounts.become_unavailable();
    past_the_fresh_second().await;
    assert!(cached.holder(&key.digest).await.expect("remembered").is_some());
}

#[tokio::test]
async fn an_outage_of_the_ring_fails_concurrent_lookups_and_not_the_next() {
    let (accounts, ring, cached, _, key) = a_held_ring().await;
    accounts.become_unavailable();
    let first = {
        let cached = Arc::clone(&cached);
        tokio::spawn(async move { cached.holder(&a_guess(0)).await })
    };
    ring.read.notified().await;
    accounts.come_back();
    let next = lookup(&cached, key.digest);
    ring.let_go.notify_one();
    let first = first.await.expect("no panic");
    assert!(matches!(first, Err(PortError::Unavailable { .. })), "{first:?}");
    assert!(next.await.expect("no panic").is_some());
}

/// The first request takes until the timeout, later ones no time, though lookups go on.
#[tokio::test]
async fn a_key_that_was_seen_is_answered_at_once_while_the_ring_hangs() {
    let (_, ring, cached, customer, key) = a_held_ring().await;
    ring.hold_next.store(false, Ordering::SeqCst);
    cached.holder(&key.digest).await.expect("answers").expect("held");
    for _ in 0..3 {
        past_the_fresh_second().await;
        ring.hold_next.store(true, Ordering::SeqCst);
        let answered = timeout(Duration::from_secs(2), cached.holder(&key.digest)).await;
        assert!(answered.expect("in time").expect("answers").is_some());
    }
    let before = ring.look_ups.load(Ordering::SeqCst);
    assert!((2..=3).contains(&before), "one look-up hangs, and no caller starts another: {before}");
    // Its answer is from before the revocation, and so is not kept.
    assert_eq!(ring.inner.revoke(customer.id, &key.digest, second(5)).await.expect("answers"), KeyRevocation::Revoked);
    ring.hold_next.store(false, Ordering::SeqCst);
    ring.let_go.notify_one();
    let started = tokio::time::Instant::now();
    while cached.holder(&key.digest).await.expect("answers").expect("held").key.revoked_at.is_none() {
        assert!(started.elapsed() < Duration::from_secs(10), "a revocation elsewhere shows once the ring answers");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
