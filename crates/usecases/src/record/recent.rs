use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

/// The time for which a value counts as recent.
const FRESH: Duration = Duration::from_secs(1);

/// A value that is read again after a second. Requests that need it at the same time share one reading.
pub(super) struct Recent<T>(Mutex<Option<(Instant, T)>>);

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Clone> Recent<T> {
    /// Returns the value; reads it from the value before if it is not recent. A failure is not kept.
    pub(super) async fn get<E, F: Future<Output = Result<T, E>>>(
        &self,
        read: impl FnOnce(Option<T>) -> F,
    ) -> Result<T, E> {
        self.with_end(read).await.map(|(value, _)| value)
    }

    /// Returns the value as [`Self::get`] does, and the instant from which it is not recent.
    pub(super) async fn with_end<E, F: Future<Output = Result<T, E>>>(
        &self,
        read: impl FnOnce(Option<T>) -> F,
    ) -> Result<(T, Instant), E> {
        let mut kept = self.0.lock().await;
        if let Some((read_at, value)) = kept.as_ref().filter(|(read_at, _)| read_at.elapsed() < FRESH) {
            return Ok((value.clone(), *read_at + FRESH));
        }
        // Before the reading: what is stored meanwhile may be missing from it.
        let read_at = Instant::now();
        let value = read(kept.as_ref().map(|(_, value)| value.clone())).await?;
        *kept = Some((read_at, value.clone()));
        Ok((value, read_at + FRESH))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_value_is_read_once_a_second_from_the_one_before() {
        let (recent, reads) = (Recent::default(), Cell::new(0));
        let get = || {
            recent.get(|before: Option<u32>| {
                reads.set(reads.get() + 1);
                async move { Ok::<_, ()>(before.map_or(1, |before| before + 1)) }
            })
        };
        assert_eq!(futures::future::join_all([get(), get()]).await, [Ok(1), Ok(1)]);
        advance(FRESH.saturating_sub(Duration::from_millis(1))).await;
        assert_eq!((get().await, reads.get()), (Ok(1), 1));
        advance(Duration::from_millis(1)).await;
        assert_eq!((get().await, reads.get()), (Ok(2), 2));
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_is_not_kept() {
        let recent = Recent::default();
        assert_eq!(recent.get(|_: Option<u32>| async { Err("away") }).await, Err("away"));
        assert_eq!(recent.get(|_| async { Ok::<_, &str>(3) }).await, Ok(3));
    }
}
