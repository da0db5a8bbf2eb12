use std::io;
use std::sync::Arc;
use std::time::Duration;

use actix_server::ServerHandle;
use sports_program::StopSignals;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::connection::Draining;

/// The shutdown of a server: it drains, accepts no more connections and finishes pending requests, and ends. A signal begins
/// the first step; each further signal skips to the next one.
pub(super) struct Shutdown {
    signals: StopSignals,
    drain: Duration,
    draining: Arc<Draining>,
    drained: Option<oneshot::Sender<()>>,
}

/// The time from the last accepted connection until workers end: they still serve it, but none is accepted for a worker that
/// has ended.
const LAST_ACCEPTED: Duration = Duration::from_millis(20);

impl Shutdown {
    /// Begins to handle signals. Draining takes the time `drain`.
    pub(super) fn on_signals(drain: Duration, draining: Arc<Draining>) -> io::Result<Self> {
        Ok(Self { signals: StopSignals::listen()?, drain, draining, drained: None })
    }

    /// Returns a future that completes when workers are to finish.
    pub(super) fn drained(&mut self) -> impl Future<Output = ()> + Send + use<> {
        let (drained, is_over) = oneshot::channel();
        self.drained = Some(drained);
        async move { drop(is_over.await) }
    }

    /// Runs the steps; completes when the server is to end at once.
    pub(super) async fn run(mut self, server: ServerHandle) {
        self.signals.next().await;
        self.draining.begin();
        if !self.drain.is_zero() {
            let seconds = self.drain.as_secs_f64();
            tracing::info!(seconds, "asked to stop: not ready from now on, and answering for another {seconds} s");
            let _: Result<(), _> = timeout(self.drain, self.signals.next()).await;
        }
        server.pause().await;
        sleep(LAST_ACCEPTED).await;
        drop(self.drained.take());
        self.signals.next().await;
        tracing::warn!("asked to end at once: requests that have begun are not finished");
    }
}
