use std::collections::HashMap;
use std::hash::BuildHasher;
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use chrono::{DateTime, Days, NaiveTime, Utc};
use sports_domain::{eastern_date, eastern_instant};
use sports_usecases::record::Changes;

use super::entry::CachedResponse;
use super::key::{CacheKey, NegotiatedForm};

/// The responses of one state of the record, on one Eastern day.
///
/// # Contract
///
/// - A response is found by its key alone, and is stored on the second request for its path and query.
/// - A response is dropped when the generation of its league changes (of any league, if its path names none) and when the day
///   ends. One that was begun before is not stored after.
/// - Everything that is stored is weighed. When a response would exceed [`MOST_BYTES`], all others are dropped first.
#[derive(Default)]
pub(super) struct Entries {
    changes: Changes,
    day: Option<Range<DateTime<Utc>>>,
    by_target: HashMap<Box<str>, Forms>,
    bytes: usize,
    recent: RecentTargets,
}

/// The forms of one path and query: at most one for each format and encoding.
type Forms = Vec<(NegotiatedForm, Rc<CachedResponse>)>;

/// A place for a response that is being made.
pub(super) struct Reservation {
    changes: Changes,
    day: Option<Range<DateTime<Utc>>>,
    target: Box<str>,
    form: NegotiatedForm,
}

/// The most bytes that the responses of one worker have together.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The bytes of an entry in its maps, about.
const OVERHEAD: usize = 256;

impl Entries {
    /// Brings the entries up to date with a state of the record and an instant.
    pub(super) fn update(&mut self, changes: Changes, now: DateTime<Utc>) {
        if !self.day.as_ref().is_some_and(|day| day.contains(&now)) {
            self.begin_day(now);
        }
        if self.changes != changes {
            let before = mem::replace(&mut self.changes, changes);
            self.by_target.retain(|_, forms| {
                forms.retain(|(_, response)| changes.leave_alone(response.sport(), before));
                !forms.is_empty()
            });
            self.bytes = self
                .by_target
                .iter()
                .flat_map(|(target, forms)| forms.iter().map(|(_, response)| weight(target, response)))
                .sum();
        }
    }

    /// Returns the response of a key.
    pub(super) fn get(&self, key: CacheKey<'_>) -> Option<Rc<CachedResponse>> {
        let forms = self.by_target.get(key.target)?;
        forms.iter().find(|(form, _)| *form == key.form).map(|(_, response)| Rc::clone(response))
    }

    /// Reserves a place for the response of a key, if it is not there and its path and query were requested before.
    pub(super) fn reserve(&mut self, key: CacheKey<'_>) -> Option<Reservation> {
        let is_wanted = self.get(key).is_none_or(|response| !response.is_whole())
            && self.recent.insert(self.by_target.hasher().hash_one(key.target));
        is_wanted.then(|| Reservation {
            changes: self.changes,
            day: self.day.clone(),
            target: key.target.into(),
            form: key.form,
        })
    }

    /// Stores a response, unless the record changed or the day ended since its place was reserved.
    pub(super) fn store(&mut self, reservation: Reservation, response: CachedResponse) {
        let Reservation { changes, day, target, form } = reservation;
        if self.day != day || !self.changes.leave_alone(response.sport(), changes) {
            return;
        }
        self.remove(CacheKey { target: &target, form });
        let weight = weight(&target, &response);
        if self.bytes + weight > MOST_BYTES {
            // Those that are requested again are soon there again.
            self.clear();
        }
        self.bytes += weight;
        self.by_target.entry(target).or_default().push((form, Rc::new(response)));
    }

    fn remove(&mut self, key: CacheKey<'_>) {
        let Some(forms) = self.by_target.get_mut(key.target) else { return };
        if let Some(place) = forms.iter().position(|(form, _)| *form == key.form) {
            let (_, removed) = forms.swap_remove(place);
            self.bytes -= weight(key.target, &removed);
        }
    }

    fn begin_day(&mut self, now: DateTime<Utc>) {
        self.clear();
        let midnight = |date| eastern_instant(date, NaiveTime::MIN);
        let today = eastern_date(now);
        self.day = today.checked_add_days(Days::new(1)).map(|tomorrow| midnight(today)..midnight(tomorrow));
    }

    fn clear(&mut self) {
        self.by_target.clear();
        self.bytes = 0;
    }
}

/// Returns the bytes of a response and of what it is found by.
fn weight(target: &str, response: &CachedResponse) -> usize {
    OVERHEAD + target.len() + response.weight()
}

/// The paths and queries requested lately, by their hashes: one that is requested once is not worth storing.
struct RecentTargets(Box<[u64]>);

impl Default for RecentTargets {
    fn default() -> Self {
        Self(vec![0; 4096].into())
    }
}

impl RecentTargets {
    /// Adds one; returns true if it was there.
    fn insert(&mut self, hash: u64) -> bool {
        let places = self.0.len() as u64;
        let place = usize::try_from(hash % places).unwrap_or_default();
        mem::replace(&mut self.0[place], hash) == hash
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use sports_domain::Sport;

    use super::*;

    fn hour(hour: u32) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + i64::from(hour) * 3600, 0).expect("an instant")
    }

    fn reserve(entries: &mut Entries, target: &str, encoding: &str) -> Reservation {
        let request = TestRequest::with_uri(target).insert_header(("Accept-Encoding", encoding)).to_http_request();
        let key = CacheKey::of_request(request.head()).expect("a key");
        entries.reserve(key);
        entries.reserve(key).expect("requested again")
    }

    fn weighed(entries: &Entries) -> usize {
        let forms = entries.by_target.iter();
        forms.flat_map(|(target, forms)| forms.iter().map(move |(_, response)| weight(target, response))).sum()
    }

    #[test]
    fn a_response_is_stored_while_its_league_and_the_day_stay_the_same() {
        let (nfl, nba) = (Some(Sport::Nfl), Some(Sport::Nba));
        let none = Changes::default();
        for (sport, changes, later, is_stored) in [
            (nfl, none, 1, true),
            (nfl, none.and_one_of(Sport::Nfl), 0, false),
            (nba, none.and_one_of(Sport::Nfl), 0, true),
            (None, none.and_one_of(Sport::Nfl), 0, false),
            (nfl, none, 24, false),
        ] {
            for is_made_before in [true, false] {
                let mut entries = Entries::default();
                entries.update(none, hour(0));
                let reservation = reserve(&mut entries, "/a", "gzip");
                let response = CachedResponse::with_body(b"old".to_vec(), sport);
                if is_made_before {
                    entries.store(reservation, response);
                    entries.update(changes, hour(later));
                } else {
                    entries.update(changes, hour(later));
                    entries.store(reservation, response);
                }
                let found = !entries.by_target.is_empty();
                assert_eq!(found, is_stored, "{sport:?} {changes:?} {later} {is_made_before}");
            }
        }
    }

    #[test]
    fn the_first_request_for_a_path_has_no_place() {
        let mut entries = Entries::default();
        let request = TestRequest::with_uri("/a").to_http_request();
        let key = CacheKey::of_request(request.head()).expect("a key");
        assert!(entries.reserve(key).is_none());
        assert!(entries.reserve(key).is_some());
    }

    #[test]
    fn all_that_is_stored_is_weighed_and_never_exceeds_the_bound() {
        let mut entries = Entries::default();
        entries.update(Changes::default(), hour(0));
        let (mut most, mut fewest) = (0, usize::MAX);
        for number in 0..1_500 {
            let target = format!("/{}{number}", "x".repeat(3_000));
            let places: Vec<_> = [(); 3].map(|()| reserve(&mut entries, &target, "gzip")).into();
            // Requests of one time replace each other's response.
            for (copy, reservation) in places.into_iter().enumerate() {
                entries.store(reservation, CachedResponse::with_body(vec![0; (number + copy) * 7_919 % 50_000], None));
                assert_eq!(entries.bytes, weighed(&entries));
                assert!(entries.bytes <= MOST_BYTES);
                most = most.max(entries.bytes);
                fewest = if most > MOST_BYTES / 2 { fewest.min(entries.bytes) } else { fewest };
            }
        }
        assert!(most > MOST_BYTES - 100_000 && fewest < 100_000, "{most} {fewest}");
    }
}
