use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use sports_ports::Clock;
use sports_telemetry::RequestRecorder;

use super::admission::Admission;
use super::entries::Entries;
use super::policy::CachePolicy;
use crate::draining::Draining;

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
