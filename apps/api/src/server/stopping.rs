use std::io;
use std::sync::Arc;
use std::time::Duration;

use actix_server::ServerHandle;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::signals::StopSignals;
use crate::draining::Draining;

/// How a server stops: it drains, takes no more connections and finishes what it has begun, and ends. Each signal is the
/// beginning of the next of these, and none but the first is needed.
pub(super) struct Stopping {
    signals: StopSignals,
    drain: Duration,
    draining: Arc<Draining>,
    drained: Option<oneshot::Sender<()>>,
}

/// The time from the last accepted connection until workers end: they serve what was accepted for them, and none is accepted
/// for a worker that has ended.
const LAST_ACCEPTED: Duration = Duration::from_millis(20);

impl Stopping {
    /// From now on a signal is heard.
    pub(super) fn on_signals(drain: Duration, draining: Arc<Draining>) -> io::Result<Self> {
        Ok(Self { signals: StopSignals::listen()?, drain, draining, drained: None })
    }

    /// Ends when no more connections are to be taken.
    pub(super) fn drained(&mut self) -> impl Future<Output = ()> + Send + use<> {
        let (drained, is_over) = oneshot::channel();
        self.drained = Some(drained);
        async move { drop(is_over.await) }
    }

    /// Goes through it; ends where the server is asked to end at once.
    pub(super) async fn at_once(mut self, server: ServerHandle) {
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
