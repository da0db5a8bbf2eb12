use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::rc::Rc;

use chrono::{DateTime, Utc};
use quick_cache::Weighter;
use quick_cache::unsync::Cache;

use super::entry::{CacheKey, CachePolicy, CachedResponse, OwnedKey, Revision};

/// The responses in the cache of a worker.
///
/// # Contract
///
/// - A response is stored on the second request for its path and query, unless any content changed since its request.
/// - It is found while the revision of its league (of all content, if its path names none) is current, and the condition of its
///   handler holds.
/// - The sizes of all responses are counted, and never exceed the most bytes. Responses in demand stay: those that were not
///   requested since they were stored go first.
pub(super) struct Entries<R> {
    responses: RefCell<Cache<OwnedKey, Entry<R>, Size>>,
    recent: RecentTargets,
}

/// A response, and the revision of the content that it was made of.
struct Entry<R> {
    revision: Revision,
    response: Rc<CachedResponse<R>>,
}

/// A reservation for a response that is being made.
pub(crate) struct Reservation {
    revision: Revision,
    key: OwnedKey,
}

/// The approximate size of a response and its key, in bytes.
#[derive(Clone)]
struct Size;

impl<R: Copy + 'static> Weighter<OwnedKey, Entry<R>> for Size {
    fn weight(&self, key: &OwnedKey, entry: &Entry<R>) -> u64 {
        (OVERHEAD + key.target.len() + entry.response.size()) as u64
    }
}

/// The approximate size of an entry in its maps, in bytes.
const OVERHEAD: usize = 256;

/// The most bytes of all responses.
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// The number of responses that there is space for from the beginning.
const USUAL_NUMBER: usize = 1024;

impl<R: Copy + 'static> Entries<R> {
    pub(super) fn new() -> Self {
        let responses = Cache::with_weighter(USUAL_NUMBER, MOST_BYTES, Size);
        Self { responses: RefCell::new(responses), recent: RecentTargets::default() }
    }

    /// Returns the current response of a key. Drops one that is out of date.
    pub(super) fn get(
        &self,
        key: CacheKey<'_>,
        policy: &dyn CachePolicy,
        now: DateTime<Utc>,
    ) -> Option<Rc<CachedResponse<R>>> {
        let mut responses = self.responses.borrow_mut();
        let Entry { revision, response } = responses.get(&key)?;
        let properties = &response.properties;
        if *revision == policy.revision(properties.league, now) && properties.repeatable.holds() {
            return Some(Rc::clone(response));
        }
        responses.remove(&key);
        None
    }

    /// Reserves a place for the response of a key, unless it is stored or this is the first request for its path and query.
    pub(super) fn reserve(
        &self,
        key: CacheKey<'_>,
        policy: &dyn CachePolicy,
        now: DateTime<Utc>,
    ) -> Option<Reservation> {
        let stored = key.to_stored()?;
        let is_wanted = self.get(key, policy, now).is_none_or(|response| !response.is_whole());
        let is_repeated = is_wanted && self.recent.insert(key.target);
        is_repeated.then(|| Reservation { revision: policy.revision(None, now), key: stored })
    }

    /// Stores a response, unless content changed or the day ended since its reservation.
    pub(super) fn store(
        &self,
        reservation: Reservation,
        response: CachedResponse<R>,
        policy: &dyn CachePolicy,
        now: DateTime<Utc>,
    ) {
        let Reservation { revision, key } = reservation;
        if revision == policy.revision(None, now) {
            let revision = policy.revision(response.properties.league, now);
            self.responses.borrow_mut().insert(key, Entry { revision, response: Rc::new(response) });
        }
    }
}

/// The hashes of recently requested paths and queries: a response that is requested once is not worth storing.
struct RecentTargets {
    hasher: RandomState,
    hashes: Box<[Cell<u64>]>,
}

impl Default for RecentTargets {
    fn default() -> Self {
        Self { hasher: RandomState::new(), hashes: vec![Cell::new(0); 4096].into() }
    }
}

impl RecentTargets {
    /// Adds a path and query; returns true if it was there.
    fn insert(&self, target: &str) -> bool {
        let hash = self.hasher.hash_one(target);
        let slot = usize::try_from(hash % self.hashes.len() as u64).unwrap_or_default();
        self.hashes[slot].replace(hash) == hash
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use sports_domain::Sport;

    use super::super::entry::Variant;
    use super::super::repeatable::Repeatable;
    use super::*;

    /// A policy with one number of changes for the NFL, and another for all leagues.
    #[derive(Default)]
    struct Content {
        day: Cell<NaiveDate>,
        nfl: Cell<u64>,
    }

    impl CachePolicy for Content {
        fn variant(&self, _: Option<&[u8]>, _: Option<&[u8]>) -> Option<Variant> {
            Some(VARIANT)
        }

        fn revision(&self, league: Option<Sport>, _: DateTime<Utc>) -> Revision {
            let changes = if league.is_none_or(|league| league == Sport::Nfl) { self.nfl.get() } else { 0 };
            Revision { day: self.day.get(), changes }
        }
    }

    const VARIANT: Variant = Variant([0, 0]);

    const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn key(target: &str) -> CacheKey<'_> {
        CacheKey { target, variant: VARIANT }
    }

    fn reserve(entries: &Entries<()>, content: &Content, target: &str) -> Reservation {
        entries.reserve(key(target), content, NOW);
        entries.reserve(key(target), content, NOW).expect("requested again")
    }

    #[test]
    fn a_response_is_found_while_its_league_and_the_day_stay_the_same() {
        let (nfl, nba) = (Some(Sport::Nfl), Some(Sport::Nba));
        for (league, changes, days, is_found) in
            [(nfl, 0, 0, true), (nfl, 1, 0, false), (nba, 1, 0, true), (None, 1, 0, false), (nfl, 0, 1, false)]
        {
            let (entries, content) = (Entries::new(), Content::default());
            let reservation = reserve(&entries, &content, "/a");
            entries.store(reservation, CachedResponse::with_body(b"old".to_vec(), league), &content, NOW);
            content.nfl.set(changes);
            content.day.set(NaiveDate::default() + chrono::Days::new(days));
            let found = entries.get(key("/a"), &content, NOW).is_some();
            assert_eq!(found, is_found, "{league:?} {changes} {days}");
            assert_eq!(entries.responses.borrow().is_empty(), !is_found, "what is out of date is dropped");
        }
    }

    #[test]
    fn a_response_that_was_begun_before_a_change_is_not_stored() {
        for (league, changes, days) in [(Some(Sport::Nfl), 1, 0), (None, 1, 0), (Some(Sport::Nfl), 0, 1)] {
            let (entries, content) = (Entries::new(), Content::default());
            let reservation = reserve(&entries, &content, "/a");
            content.nfl.set(changes);
            content.day.set(NaiveDate::default() + chrono::Days::new(days));
            entries.store(reservation, CachedResponse::with_body(b"old".to_vec(), league), &content, NOW);
            assert!(entries.get(key("/a"), &content, NOW).is_none(), "{league:?} {changes} {days}");
        }
    }

    #[test]
    fn a_response_with_a_condition_is_found_while_it_holds_and_is_stored_again() {
        let (entries, content, holds) = (Entries::new(), Content::default(), Rc::new(Cell::new(true)));
        let condition = Rc::clone(&holds);
        let response = CachedResponse::with_body(b"one".to_vec(), None);
        let reservation = reserve(&entries, &content, "/a");
        let response = response.repeatable(Repeatable::while_true(move || condition.get()));
        entries.store(reservation, response, &content, NOW);
        assert!(entries.get(key("/a"), &content, NOW).is_some());
        holds.set(false);
        assert!(entries.get(key("/a"), &content, NOW).is_none() && entries.responses.borrow().is_empty());
        let reservation = entries.reserve(key("/a"), &content, NOW).expect("requested often");
        entries.store(reservation, CachedResponse::with_body(b"two".to_vec(), None), &content, NOW);
        assert!(entries.get(key("/a"), &content, NOW).is_some());
    }

    #[test]
    fn the_first_request_for_a_path_reserves_nothing() {
        let (entries, content) = (Entries::<()>::new(), Content::default());
        assert!(entries.reserve(key("/a"), &content, NOW).is_none());
        assert!(entries.reserve(key("/a"), &content, NOW).is_some());
    }

    #[test]
    fn all_stored_bytes_are_counted_and_never_exceed_the_bound() {
        let (entries, content) = (Entries::new(), Content::default());
        let mut most = 0;
        for number in 0..1_500 {
            let target = format!("/{}{number}", "x".repeat(3_000));
            let reservations: Vec<_> = [(); 3].map(|()| reserve(&entries, &content, &target)).into();
            // Concurrent requests replace each other's response.
            for (copy, reservation) in reservations.into_iter().enumerate() {
                let response = CachedResponse::with_body(vec![0; (number + copy) * 7_919 % 50_000], None);
                entries.store(reservation, response, &content, NOW);
                let responses = entries.responses.borrow();
                let counted: u64 = responses.iter().map(|(key, entry)| Size.weight(key, entry)).sum();
                assert_eq!(responses.weight(), counted);
                most = most.max(counted);
            }
        }
        assert!((MOST_BYTES - 100_000..=MOST_BYTES).contains(&most), "{most}");
    }

    #[test]
    fn a_client_that_requests_ever_new_answers_replaces_none_in_demand() {
        let (entries, content) = (Entries::new(), Content::default());
        let store = |target: &str| {
            let reservation = reserve(&entries, &content, target);
            entries.store(reservation, CachedResponse::with_body(vec![0; 100_000], None), &content, NOW);
        };
        let is_found = |target: &str| entries.get(key(target), &content, NOW).is_some();
        let in_demand: Vec<_> = (0..20).map(|number| format!("/in-demand/{number}")).collect();
        for target in &in_demand {
            store(target);
        }
        assert!(in_demand.iter().all(|target| is_found(target)));
        let flood = |first: usize, in_demand: &[String]| {
            for number in first..first + 1_000 {
                store(&format!("/once/{number}"));
                let target = &in_demand[number % in_demand.len()];
                assert!(is_found(target), "{target} after {number}");
            }
        };
        flood(0, &in_demand);
        // So does an answer that is in demand only now.
        store("/newcomer");
        assert!(is_found("/newcomer"));
        flood(1_000, &[in_demand, vec!["/newcomer".to_owned()]].concat());
        let kept = (0..2_000).filter(|number| is_found(&format!("/once/{number}"))).count();
        assert!(kept < 100, "{kept}");
    }
}
