//! The response cache: whole responses, head and body, that are sent before the HTTP library receives their request.
//!
//! A response that depends on published content and the date alone is the same, byte for byte, until a generation changes (that
//! of the league its path names, if it names one) or the day is over. Its handler marks the request as [`Repeatable`]. The
//! outermost middleware, [`store`], then keeps it under its path, query and negotiated form. A plain `GET` for it is answered
//! from here: its caller is admitted, counted, logged and measured as any other. Everything else goes to the library
//! untouched: another method, a body, an unusual header, a header twice, a caller who is refused, a server that is stopping.
//!
//! Each worker has a cache of its own, so nothing is shared between threads.

mod admission;
mod entries;
mod entry;
mod key;
mod reply;
mod store;

use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;

use actix_web::{HttpMessage, HttpRequest};
use chrono::{DateTime, Utc};
use sports_ports::Clock;
use sports_telemetry::RequestRecorder;
use sports_usecases::record::CurrentGenerations;

use crate::draining::Draining;
use entries::Entries;

pub(crate) use admission::CachedAdmission;
pub(crate) use store::store;

/// The mark that a handler leaves in the extensions of a request whose response depends on published content, the date, the
/// path and query, `Accept` and `Accept-Encoding` alone; if the path names a league, on the content of that one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repeatable;

impl Repeatable {
    /// Marks a request.
    pub(crate) fn mark(request: &HttpRequest) {
        request.extensions_mut().insert(Self);
    }
}

/// The cached responses of one worker.
#[derive(Clone)]
pub(crate) struct ResponseCache(Rc<Worker>);

struct Worker {
    entries: RefCell<Entries>,
    generations: Arc<CurrentGenerations>,
    clock: Arc<dyn Clock>,
    draining: Arc<Draining>,
    admission: CachedAdmission,
    recorder: RequestRecorder,
}

impl ResponseCache {
    /// Returns an empty cache.
    pub(crate) fn new(
        generations: Arc<CurrentGenerations>,
        clock: Arc<dyn Clock>,
        draining: Arc<Draining>,
        admission: CachedAdmission,
        recorder: RequestRecorder,
    ) -> Self {
        Self(Rc::new(Worker { entries: RefCell::default(), generations, clock, draining, admission, recorder }))
    }

    /// Brings the entries up to date with the current generations and the Eastern day; returns them and the current time.
    fn current(&self) -> (RefMut<'_, Entries>, DateTime<Utc>) {
        let Worker { entries, generations, clock, .. } = &*self.0;
        let mut entries = entries.borrow_mut();
        let (changes, now) = (generations.changes(), clock.now());
        entries.update(changes, now);
        (entries, now)
    }
}
