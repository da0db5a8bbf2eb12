//! Counts of requests for earlier moments, for the metrics.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use actix_web::dev::ServiceResponse;
use actix_web::{Error, ResponseError};
use sports_telemetry::metrics::{Exposition, Kind, Timings};
use tokio::time::Instant;

use crate::error::ApiError;

tokio::task_local! {
    /// The time that the request of this task spent on loads; `None` until it is found to be for an earlier moment.
    static LOADING: Cell<Option<Duration>>;
}

/// The counts of requests for earlier moments.
#[derive(Debug, Default)]
pub struct PastRequests {
    by_result: [AtomicU64; PastResult::ALL.len()],
    loads: Timings,
}

/// The result of a request for an earlier moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PastResult {
    /// All data was in memory.
    Kept,
    /// Data was loaded or computed.
    Loaded,
    /// A load was in the queue too long.
    Busy,
    /// The server could not answer.
    Failed,
}

impl PastResult {
    const ALL: [(Self, &'static str); 4] =
        [(Self::Kept, "kept"), (Self::Loaded, "loaded"), (Self::Busy, "busy"), (Self::Failed, "failed")];

    fn of<B>(answered: &Result<ServiceResponse<B>, Error>, loading: Duration) -> Self {
        let error = match answered {
            Ok(answer) => answer.response().error(),
            Err(error) => Some(error),
        };
        match error.and_then(|error| error.as_error::<ApiError>()) {
            Some(ApiError::PastBusy | ApiError::Busy | ApiError::BeingRead) => Self::Busy,
            Some(error) if error.status_code().is_server_error() => Self::Failed,
            _ if loading.is_zero() => Self::Kept,
            _ => Self::Loaded,
        }
    }
}

impl PastRequests {
    /// Awaits the answer to a request, and counts the request if it is for an earlier moment.
    ///
    /// # Errors
    ///
    /// The error of the answer.
    pub async fn count<B>(
        &self,
        answer: impl Future<Output = Result<ServiceResponse<B>, Error>>,
    ) -> Result<ServiceResponse<B>, Error> {
        let counted = async {
            let answered = answer.await;
            if let Some(loading) = LOADING.with(Cell::get) {
                let result = PastResult::of(&answered, loading);
                self.by_result[result as usize].fetch_add(1, Relaxed);
                if result == PastResult::Loaded {
                    self.loads.observe(loading);
                }
            }
            answered
        };
        LOADING.scope(Cell::new(None), counted).await
    }

    /// Writes the counts, and the times of loads.
    pub fn expose(&self, exposition: &mut Exposition<'_>) {
        let help = "Requests for earlier moments without a cached response, by whether all data was kept in memory or some had to be loaded.";
        let mut family = exposition.family("past_requests_total", Kind::Counter, help);
        for (result, name) in PastResult::ALL {
            family.sample(&[("result", name)], self.by_result[result as usize].load(Relaxed));
        }
        let help = "The time that a request for an earlier moment spent on loads, in the queue and in work.";
        self.loads.expose(exposition, "past_load_seconds", help);
    }
}

/// Notes that the request of this task is for an earlier moment.
pub(crate) fn begin() {
    // Without a scope, nothing is counted.
    let _ = LOADING.try_with(|loading| loading.set(Some(loading.get().unwrap_or_default())));
}

/// Awaits a load for an earlier moment, and notes its time for the request of this task.
pub async fn noting_load<T>(load: impl Future<Output = T>) -> T {
    let begun = Instant::now();
    let done = load.await;
    let _ = LOADING.try_with(|loading| loading.set(Some(loading.get().unwrap_or_default() + begun.elapsed())));
    done
}
