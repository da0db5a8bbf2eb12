use std::mem;
use std::sync::Arc;
use std::time::Duration;

use sports_accounts::KeyDigest;
use sports_ports::PortError;
use sports_ports::accounts::{KeyHolder, KeyRing};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

/// The most keys of one lookup.
const TOGETHER: usize = 1_000;

/// The pause after a lookup in which a key was unknown.
const REST: Duration = Duration::from_millis(20);

/// The longest time for which a lookup delays the next.
const LONGEST_DELAY: Duration = Duration::from_millis(250);

/// Lookups of keys that are not in memory.
///
/// Any of these keys may be in its first use, but most of a flood are guesses. So lookups are batched and serialised, unless one
/// hangs, and back off after a miss. A lookup begins after its requests arrived, so a key is never reported unknown by a lookup
/// that is older than the request.
pub(super) struct UnknownKeyLookups(mpsc::Sender<Request>);

/// The result of a lookup. Lookups that failed together share the error.
pub(super) type Found = Result<Option<Arc<KeyHolder>>, Arc<PortError>>;

struct Request {
    digest: KeyDigest,
    reply: oneshot::Sender<Found>,
}

impl UnknownKeyLookups {
    /// Starts the task that looks keys up in `ring`.
    pub(super) fn start(ring: Arc<dyn KeyRing>) -> Self {
        let (sender, requests) = mpsc::channel(TOGETHER);
        tokio::spawn(serve(ring, requests));
        Self(sender)
    }

    pub(super) async fn holder(&self, digest: &KeyDigest) -> Found {
        let (reply, found) = oneshot::channel();
        // If the task has ended, the reply is dropped with its request.
        let _ = self.0.send(Request { digest: *digest, reply }).await;
        found.await.unwrap_or_else(|dropped| Err(Arc::new(PortError::unavailable("key ring", dropped))))
    }
}

async fn serve(ring: Arc<dyn KeyRing>, mut receiver: mpsc::Receiver<Request>) {
    let mut requests = Vec::new();
    while receiver.recv_many(&mut requests, TOGETHER).await > 0 {
        // A task of its own, so that a lookup that hangs or panics does not end the next ones.
        let look_up = tokio::spawn(look_up(Arc::clone(&ring), mem::take(&mut requests)));
        if let Ok(Ok(Batch::WithUnknown)) = timeout(LONGEST_DELAY, look_up).await {
            sleep(REST).await;
        }
    }
}

/// The keys of one lookup.
enum Batch {
    AllKnown,
    WithUnknown,
}

async fn look_up(ring: Arc<dyn KeyRing>, mut requests: Vec<Request>) -> Batch {
    // A caller that has gone needs no reply.
    requests.retain(|request| !request.reply.is_closed());
    let digests: Vec<_> = requests.iter().map(|request| request.digest).collect();
    let found = match ring.holders(&digests).await {
        Ok(holders) => holders.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(Arc::new(error)); digests.len()],
    };
    let has_unknown = found.iter().any(|found| matches!(found, Ok(None)));
    for (request, found) in requests.into_iter().zip(found) {
        let _ = request.reply.send(found);
    }
    if has_unknown { Batch::WithUnknown } else { Batch::AllKnown }
}
