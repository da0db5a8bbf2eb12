use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::Error;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use chrono::{DateTime, Utc};
use sports_ports::Clock;
use sports_telemetry::RequestRecorder;

use super::admission::Admission;
use super::entry::{CacheKey, CachePolicy, CachedResponse, Revision, Variant};
use super::repeatable::Share;
use crate::connection::Draining;
use crate::response_body::ResponseBody;

/// The responses in the cache.
///
/// # Contract
///
/// - A response is stored on the second request for its path and query, unless any content changed since its request.
/// - It is found while the revision of its league (of all content, if its path names none) is current, and the condition of its
///   handler holds.
/// - The sizes of all responses are counted. When a new one would exceed the most bytes of its [`Share`], all others of the share
///   are dropped first.
pub(super) struct Entries<R> {
    by_target: HashMap<Box<str>, Vec<Entry<R>>>,
    bytes: [usize; 2],
    recent: RecentTargets,
}

/// A variant of one path and query.
struct Entry<R> {
    variant: Variant,
    revision: Revision,
    response: Rc<CachedResponse<R>>,
}

/// A reservation for a response that is being made.
pub(super) struct Reservation {
    revision: Revision,
    target: Box<str>,
    variant: Variant,
}

impl Share {
    /// Returns the most bytes of its responses of one worker.
    const fn most_bytes(self) -> usize {
        match self {
            Self::Present => 7 * 1024 * 1024,
            Self::Past => 1024 * 1024,
        }
    }
}

/// The approximate size of an entry in its maps, in bytes.
const OVERHEAD: usize = 256;

impl<R> Default for Entries<R> {
    fn default() -> Self {
        Self { by_target: HashMap::new(), bytes: [0; 2], recent: RecentTargets::default() }
    }
}

impl<R: Copy + 'static> Entries<R> {
    /// Returns the current response of a key. Drops one that is out of date.
    pub(super) fn get(
        &mut self,
        key: CacheKey<'_>,
        policy: &dyn CachePolicy,
        now: DateTime<Utc>,
    ) -> Option<Rc<CachedResponse<R>>> {
        let entry = self.by_target.get(key.target)?.iter().find(|entry| entry.variant == key.variant)?;
        if entry.revision == policy.revision(entry.response.properties.league, now) && entry.response.is_repeatable() {
            return Some(Rc::clone(&entry.response));
        }
        self.remove(key);
        None
    }

    /// Reserves a place for the response of a key, unless it is stored or this is the first request for its path and query.
    pub(super) fn reserve(
        &mut self,
        key: CacheKey<'_>,
        policy: &dyn CachePolicy,
        now: DateTime<Utc>,
    ) -> Option<Reservation> {
        let is_wanted = self.get(key, policy, now).is_none_or(|response| !response.is_whole())
            && self.recent.insert(self.by_target.hasher().hash_one(key.target));
        let CacheKey { target, variant } = key;
        is_wanted.then(|| Reservation { revision: policy.revision(None, now), target: target.into(), variant })
    }

    /// Stores a response, unless content changed or the day ended since its reservation.
    pub(super) fn store(
        &mut self,
        reservation: Reservation,
        response: CachedResponse<R>,
        policy: &dyn CachePolicy,
        now: DateTime<Utc>,
    ) {
        let Reservation { revision, target, variant } = reservation;
        if revision != policy.revision(None, now) {
            return;
        }
        self.remove(CacheKey { target: &target, variant });
        let (size, share) = (size(&target, &response), response.share());
        if self.bytes[share as usize] + size > share.most_bytes() {
            // Responses in demand are soon stored again.
            self.clear(share);
        }
        self.bytes[share as usize] += size;
        let revision = policy.revision(response.properties.league, now);
        self.by_target.entry(target).or_default().push(Entry { variant, revision, response: Rc::new(response) });
    }

    fn clear(&mut self, share: Share) {
        self.by_target.retain(|_, entries| {
            entries.retain(|entry| entry.response.share() != share);
            !entries.is_empty()
        });
        self.bytes[share as usize] = 0;
    }

    fn remove(&mut self, key: CacheKey<'_>) {
        let Some(entries) = self.by_target.get_mut(key.target) else { return };
        if let Some(index) = entries.iter().position(|entry| entry.variant == key.variant) {
            let response = entries.swap_remove(index).response;
            self.bytes[response.share() as usize] -= size(key.target, &response);
        }
        if entries.is_empty() {
            self.by_target.remove(key.target);
        }
    }
}

/// Returns the approximate size of a response and its key, in bytes.
fn size<R: Copy + 'static>(target: &str, response: &CachedResponse<R>) -> usize {
    OVERHEAD + target.len() + response.size()
}

/// The hashes of recently requested paths and queries: a response that is requested once is not worth storing.
struct RecentTargets(Box<[u64]>);

impl Default for RecentTargets {
    fn default() -> Self {
        Self(vec![0; 4096].into())
    }
}

impl RecentTargets {
    /// Adds a hash; returns true if it was there.
    fn insert(&mut self, hash: u64) -> bool {
        let slots = self.0.len() as u64;
        let slot = usize::try_from(hash % slots).unwrap_or_default();
        mem::replace(&mut self.0[slot], hash) == hash
    }
}

/// The cached responses of one worker.
pub struct ResponseCache<A: Admission>(pub(super) Rc<Worker<A>>);

/// The parts of a cache.
pub(super) struct Worker<A: Admission> {
    pub(super) entries: RefCell<Entries<A::Rule>>,
    pub(super) admission: A,
    pub(super) policy: Box<dyn CachePolicy>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) draining: Arc<Draining>,
    pub(super) recorder: RequestRecorder,
}

impl<A: Admission> Clone for ResponseCache<A> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<A: Admission> ResponseCache<A> {
    /// Creates an empty cache.
    pub fn new(
        admission: A,
        policy: Box<dyn CachePolicy>,
        clock: Arc<dyn Clock>,
        draining: Arc<Draining>,
        recorder: RequestRecorder,
    ) -> Self {
        Self(Rc::new(Worker { entries: RefCell::default(), admission, policy, clock, draining, recorder }))
    }
}

/// The middleware that stores cacheable responses of the application. It has to be the outermost one.
///
/// # Errors
///
/// The application's own.
pub async fn store_response<A: Admission>(
    request: ServiceRequest,
    next: Next<ResponseBody>,
) -> Result<ServiceResponse<ResponseBody>, Error> {
    let Some(cache) = request.app_data::<ResponseCache<A>>().cloned() else { return next.call(request).await };
    let Worker { entries, policy, clock, .. } = &*cache.0;
    let key = CacheKey::of_request(request.head(), &**policy);
    let reservation = key.and_then(|key| entries.borrow_mut().reserve(key, &**policy, clock.now()));
    let response = next.call(request).await?;
    let Some(reservation) = reservation else { return Ok(response) };
    let (cached, response) = CachedResponse::of_response(response).await?;
    if let Some(cached) = cached {
        entries.borrow_mut().store(reservation, cached, &**policy, clock.now());
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use chrono::NaiveDate;
    use sports_domain::Sport;

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

    fn reserve(entries: &mut Entries<()>, content: &Content, target: &str) -> Reservation {
        entries.reserve(key(target), content, NOW);
        entries.reserve(key(target), content, NOW).expect("requested again")
    }

    fn counted(entries: &Entries<()>, share: Share) -> usize {
        let all =
            entries.by_target.iter().flat_map(|(target, entries)| entries.iter().map(move |entry| (target, entry)));
        let of_share = all.filter(|(_, entry)| entry.response.share() == share);
        of_share.map(|(target, entry)| size(target, &entry.response)).sum()
    }

    #[test]
    fn a_response_is_found_while_its_league_and_the_day_stay_the_same() {
        let (nfl, nba) = (Some(Sport::Nfl), Some(Sport::Nba));
        for (league, changes, days, is_found) in
            [(nfl, 0, 0, true), (nfl, 1, 0, false), (nba, 1, 0, true), (None, 1, 0, false), (nfl, 0, 1, false)]
        {
            let (mut entries, content) = (Entries::default(), Content::default());
            let reservation = reserve(&mut entries, &content, "/a");
            entries.store(reservation, CachedResponse::with_body(b"old".to_vec(), league), &content, NOW);
            content.nfl.set(changes);
            content.day.set(NaiveDate::default() + chrono::Days::new(days));
            let found = entries.get(key("/a"), &content, NOW).is_some();
            assert_eq!(found, is_found, "{league:?} {changes} {days}");
            assert_eq!(entries.by_target.is_empty(), !is_found, "what is out of date is dropped");
        }
    }

    #[test]
    fn a_response_that_was_begun_before_a_change_is_not_stored() {
        for (league, changes, days) in [(Some(Sport::Nfl), 1, 0), (None, 1, 0), (Some(Sport::Nfl), 0, 1)] {
            let (mut entries, content) = (Entries::default(), Content::default());
            let reservation = reserve(&mut entries, &content, "/a");
            content.nfl.set(changes);
            content.day.set(NaiveDate::default() + chrono::Days::new(days));
            entries.store(reservation, CachedResponse::with_body(b"old".to_vec(), league), &content, NOW);
            assert!(entries.get(key("/a"), &content, NOW).is_none(), "{league:?} {changes} {days}");
        }
    }

    #[test]
    fn a_response_with_a_condition_is_found_while_it_holds_and_is_stored_again() {
        let (mut entries, content, holds) = (Entries::default(), Content::default(), Rc::new(Cell::new(true)));
        let condition = Rc::clone(&holds);
        let response = CachedResponse::with_body(b"one".to_vec(), None);
        let reservation = reserve(&mut entries, &content, "/a");
        let response = response.repeatable(Repeatable::while_true(move || condition.get()));
        entries.store(reservation, response, &content, NOW);
        assert!(entries.get(key("/a"), &content, NOW).is_some());
        holds.set(false);
        assert!(entries.get(key("/a"), &content, NOW).is_none() && entries.by_target.is_empty());
        let reservation = entries.reserve(key("/a"), &content, NOW).expect("requested often");
        entries.store(reservation, CachedResponse::with_body(b"two".to_vec(), None), &content, NOW);
        assert!(entries.get(key("/a"), &content, NOW).is_some());
    }

    #[test]
    fn the_first_request_for_a_path_reserves_nothing() {
        let (mut entries, content) = (Entries::<()>::default(), Content::default());
        assert!(entries.reserve(key("/a"), &content, NOW).is_none());
        assert!(entries.reserve(key("/a"), &content, NOW).is_some());
    }

    #[test]
    fn all_stored_bytes_are_counted_and_never_exceed_the_bound() {
        let (mut entries, content) = (Entries::default(), Content::default());
        let (mut most, mut fewest, bound) = (0, usize::MAX, Share::Present.most_bytes());
        for number in 0..1_500 {
            let target = format!("/{}{number}", "x".repeat(3_000));
            let reservations: Vec<_> = [(); 3].map(|()| reserve(&mut entries, &content, &target)).into();
            // Concurrent requests replace each other's response.
            for (copy, reservation) in reservations.into_iter().enumerate() {
                let response = CachedResponse::with_body(vec![0; (number + copy) * 7_919 % 50_000], None);
                entries.store(reservation, response, &content, NOW);
                let bytes = entries.bytes[Share::Present as usize];
                assert_eq!(bytes, counted(&entries, Share::Present));
                assert!(bytes <= bound);
                most = most.max(bytes);
                fewest = if most > bound / 2 { fewest.min(bytes) } else { fewest };
            }
        }
        assert!(most > bound - 100_000 && fewest < 100_000, "{most} {fewest}");
    }

    #[test]
    fn responses_about_earlier_moments_replace_none_about_the_present() {
        let (mut entries, content) = (Entries::default(), Content::default());
        let mut store = |target: &str, share| {
            let reservation = reserve(&mut entries, &content, target);
            let response = CachedResponse::with_body(vec![0; 100_000], None).repeatable(Repeatable::of_share(share));
            entries.store(reservation, response, &content, NOW);
            let [present, past] = [Share::Present, Share::Past].map(|share| {
                assert_eq!(entries.bytes[share as usize], counted(&entries, share));
                assert!(entries.bytes[share as usize] <= share.most_bytes());
                entries.bytes[share as usize]
            });
            (present, past, entries.get(key("/now"), &content, NOW).is_some())
        };
        let (present, ..) = store("/now", Share::Present);
        let past: Vec<_> = (0..100).map(|number| store(&format!("/{number}"), Share::Past)).collect();
        assert!(past.iter().all(|(bytes, _, is_found)| (*bytes, *is_found) == (present, true)));
        assert!(past.windows(2).any(|pair| pair[1].1 < pair[0].1), "their share was full");
        let (_, last, _) = past[99];
        let later: Vec<_> = (100..200).map(|number| store(&format!("/{number}"), Share::Present)).collect();
        assert!(later.iter().all(|(_, past, _)| *past == last) && !later[99].2);
    }
}
