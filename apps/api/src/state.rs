//! The state of the application: the parts that operations, scopes and the shell share.

mod callers;
mod one_click;
mod operations;
mod published;
mod site;
mod streams;
mod webhooks;

use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::HttpRequest;
use sports_ports::{Clock, Random};
use sports_telemetry::RequestRecorder;
use sports_usecases::datasets::DatasetService;
use sports_usecases::probes::Probes;

use crate::arguments::{Argument, from_request};
use crate::error::ApiError;
use crate::openapi::Interface;
use crate::past_requests::PastRequests;

pub use callers::{CallLimits, Callers, KeyChanges};
pub use one_click::OneClick;
pub use operations::{Operations, RequestLog};
pub use published::{CachedAnswers, Published, Records, StoredData};
pub use site::Site;
pub(crate) use streams::standings;
pub(crate) use streams::{OpenStream, Standing, Standings, StreamEnd};
pub use streams::{Streams, start_streams};
pub use webhooks::CustomerWebhooks;

/// All parts of the application.
pub struct AppState {
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
    pub interface: Interface,
    pub site: Site,
    pub operations: Operations,
    pub callers: Callers,
    pub published: Published,
    pub past_requests: Arc<PastRequests>,
    pub streams: Arc<Streams>,
    pub datasets: Arc<DatasetService>,
    pub webhooks: CustomerWebhooks,
    pub probes: Probes,
}

/// The state, as the handlers of one worker take it. A clone writes to no memory that other workers use.
#[derive(Clone)]
pub struct State(Rc<OfWorker>);

struct OfWorker {
    state: Arc<AppState>,
    recorder: RequestRecorder,
}

impl State {
    /// Creates the handle of one worker.
    pub(crate) fn of_worker(state: &Arc<AppState>) -> Self {
        Self(Rc::new(OfWorker { recorder: state.operations.recorder(), state: Arc::clone(state) }))
    }

    /// Returns the recorder of the worker's requests.
    pub(crate) fn recorder(&self) -> &RequestRecorder {
        &self.0.recorder
    }

    /// Returns the state of the application that a request came to.
    ///
    /// # Errors
    ///
    /// [`ApiError::Internal`] for a request that came to no application.
    pub(crate) fn of(request: &HttpRequest) -> Result<&Self, ApiError> {
        request.app_data().ok_or_else(|| ApiError::Internal("the application has no state".into()))
    }
}

impl Deref for State {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0.state
    }
}

from_request! { State, request => Self::of(request).cloned() }

impl Argument for State {}
