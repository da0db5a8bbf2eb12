use std::mem;
use std::sync::Arc;
use std::time::Duration;

use sports_accounts::KeyDigest;
use sports_ports::PortError;
use sports_ports::accounts::{KeyHolder, KeyRing};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

/// How many keys are looked up at once.
const TOGETHER: usize = 1_000;

/// How long the ring is left alone after a look-up that met a key which was never issued.
const REST: Duration = Duration::from_millis(20);

/// How long a look-up may keep the next one waiting.
const PATIENCE: Duration = Duration::from_millis(250);

/// Looks up keys that are not in memory.
///
/// Any of them may be a customer's first, so each is looked up; but most of a flood are guesses. So there is one look-up
/// at a time, unless it hangs; it answers all that waited for it; and after one that met a guess the ring rests. A
/// look-up begins after its questions were asked: that a key is unknown is never older than the question.
pub(super) struct UnknownKeyLookups(mpsc::Sender<Question>);

/// What becomes of a question; look-ups that failed together share the reason.
pub(super) type Found = Result<Option<Arc<KeyHolder>>, Arc<PortError>>;

struct Question {
    digest: KeyDigest,
    answer: oneshot::Sender<Found>,
}

impl UnknownKeyLookups {
    /// Answers questions from now on.
    pub(super) fn meet(ring: Arc<dyn KeyRing>) -> Self {
        let (questions, waiting) = mpsc::channel(TOGETHER);
        tokio::spawn(answer(ring, waiting));
        Self(questions)
    }

    pub(super) async fn holder(&self, digest: &KeyDigest) -> Found {
        let (answer, found) = oneshot::channel();
        // Where nothing looks keys up any more, the answer is dropped with its question.
        let _ = self.0.send(Question { digest: *digest, answer }).await;
        found.await.unwrap_or_else(|dropped| Err(Arc::new(PortError::unavailable("key ring", dropped))))
    }
}

async fn answer(ring: Arc<dyn KeyRing>, mut waiting: mpsc::Receiver<Question>) {
    let mut questions = Vec::new();
    while waiting.recv_many(&mut questions, TOGETHER).await > 0 {
        // A task of its own: neither a look-up that hangs nor one that panics ends those to come.
        let look_up = tokio::spawn(look_up(Arc::clone(&ring), mem::take(&mut questions)));
        if let Ok(Ok(Met::Guesses)) = timeout(PATIENCE, look_up).await {
            sleep(REST).await;
        }
    }
}

/// Whom a look-up met.
enum Met {
    Customers,
    Guesses,
}

async fn look_up(ring: Arc<dyn KeyRing>, mut questions: Vec<Question>) -> Met {
    // A caller that hung up needs no answer.
    questions.retain(|question| !question.answer.is_closed());
    let digests: Vec<_> = questions.iter().map(|question| question.digest).collect();
    let found = match ring.holders(&digests).await {
        Ok(holders) => holders.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(Arc::new(error)); digests.len()],
    };
    let met = if found.iter().any(|found| matches!(found, Ok(None))) { Met::Guesses } else { Met::Customers };
    for (question, found) in questions.into_iter().zip(found) {
        let _ = question.answer.send(found);
    }
    met
}
