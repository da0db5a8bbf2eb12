use std::rc::Rc;
use std::sync::Arc;

use sports_telemetry::BackgroundTasks;
use sports_telemetry::metrics::Metrics;

use crate::draining::Draining;
use crate::refusal::Refusals;
use crate::requests::ReadyResponses;
use crate::tally::Tally;

/// The parts of a server that its workers share.
#[derive(Clone)]
pub struct Server {
    /// The responses to input that is not HTTP.
    pub refusals: Arc<dyn Refusals>,
    /// The counts of what happens on connections.
    pub tally: Arc<Tally>,
    /// The draining state.
    pub draining: Arc<Draining>,
    /// The metrics, if there are any.
    pub metrics: Option<Arc<Metrics>>,
    /// The tasks in the background.
    pub tasks: Arc<BackgroundTasks>,
}

/// The application of one worker, and its source of ready responses.
pub struct Worker<A> {
    pub application: A,
    /// The ready responses, if there are any.
    pub ready: Option<Rc<dyn ReadyResponses>>,
}
