use std::time::Duration;

use sports_ports::{PortError, error_chain};
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The time for which a value counts as recent.
const FRESH: Duration = Duration::from_secs(1);

/// A value that is read again after a second. Requests that need it at the same time share one reading, its failure included.
pub(super) struct Recent<T>(Mutex<LastReadings<T>>);

struct LastReadings<T> {
    /// The last value, and the begin of its reading.
    value: Option<(Instant, T)>,
    /// The last failure since, and the begin of its reading.
    failure: Option<(Instant, PortError)>,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self(Mutex::new(LastReadings { value: None, failure: None }))
    }
}

impl<T: Clone> Recent<T> {
    /// Returns the value; reads it from the value before if it is not recent. Of requests that wait for a reading that fails, one
    /// reads again, and its failure answers all that came before it began: otherwise each would wait for a store that hangs.
    pub(super) async fn get<F: Future<Output = Result<T, PortError>>>(
        &self,
        read: impl FnOnce(Option<T>) -> F,
    ) -> Result<T, PortError> {
        self.with_end(read).await.map(|(value, _)| value)
    }

    /// Returns the value as [`Self::get`] does, and the instant from which it is not recent.
    pub(super) async fn with_end<F: Future<Output = Result<T, PortError>>>(
        &self,
        read: impl FnOnce(Option<T>) -> F,
    ) -> Result<(T, Instant), PortError> {
        let arrived = Instant::now();
        let mut kept = self.0.lock().await;
        if let Some((read_at, value)) = kept.value.as_ref().filter(|(read_at, _)| read_at.elapsed() < FRESH) {
            return Ok((value.clone(), *read_at + FRESH));
        }
        if let Some((_, error)) = kept.failure.as_ref().filter(|(begun, _)| *begun > arrived) {
            return Err(same(error));
        }
        // Before the reading: what is stored meanwhile may be missing from it.
        let read_at = Instant::now();
        match read(kept.value.as_ref().map(|(_, value)| value.clone())).await {
            Ok(value) => {
                *kept = LastReadings { value: Some((read_at, value.clone())), failure: None };
                Ok((value, read_at + FRESH))
            }
            Err(error) => {
                kept.failure = Some((read_at, same(&error)));
                Err(error)
            }
        }
    }
}

/// Returns the error for another request.
fn same(error: &PortError) -> PortError {
    match error {
        PortError::Unavailable { port, source } => PortError::unavailable(port, error_chain(&**source)),
        PortError::Corrupt { port, source } => PortError::corrupt(port, error_chain(&**source)),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures::future::join_all;
    use tokio::time::{advance, sleep};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_value_is_read_once_a_second_from_the_one_before() {
        let (recent, reads) = (Recent::default(), Cell::new(0));
        let get = async || {
            let read = |before: Option<u32>| {
                reads.set(reads.get() + 1);
                async move { Ok(before.map_or(1, |before| before + 1)) }
            };
            recent.get(read).await.expect("read")
        };
        assert_eq!(join_all([get(), get()]).await, [1, 1]);
        advance(FRESH.saturating_sub(Duration::from_millis(1))).await;
        assert_eq!((get().await, reads.get()), (1, 1));
        advance(Duration::from_millis(1)).await;
        assert_eq!((get().await, reads.get()), (2, 2));
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_is_not_kept() {
        let recent = Recent::default();
        assert!(recent.get(|_: Option<u32>| async { Err(PortError::unavailable("a store", "away")) }).await.is_err());
        assert_eq!(recent.get(|_| async { Ok(3) }).await.expect("read"), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn requests_that_wait_for_a_store_that_hangs_do_not_wait_one_after_the_other() {
        let (recent, begun) = (Recent::<u32>::default(), Instant::now());
        let get = || {
            recent.get(|_| async {
                sleep(Duration::from_secs(8)).await;
                Err(PortError::unavailable("a store", "hangs"))
            })
        };
        let answers = join_all((0..60).map(|_| get())).await;
        assert!(answers.iter().all(|answer| matches!(answer, Err(PortError::Unavailable { .. }))));
        assert_eq!(begun.elapsed(), Duration::from_secs(16));
    }
}
