//! Work that would hold up a thread which answers requests.

use std::panic::resume_unwind;

use sports_ports::PortError;
use tokio::task::spawn_blocking;

/// Does work of milliseconds or more on a thread made for that, and waits for it.
///
/// A panic in it goes on in the task that waits: it is a fault of the program, not of what it read.
///
/// # Errors
///
/// [`PortError::Unavailable`] of `port` when the program ends before the work was begun.
pub async fn off_thread<T: Send + 'static>(
    port: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PortError> {
    spawn_blocking(work).await.map_err(|failed| match failed.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(cancelled) => PortError::unavailable(port, cancelled),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_comes_back_and_a_panic_in_it_goes_on() {
        assert_eq!(off_thread("a sum", || 1 + 1).await.expect("done"), 2);
        let waiting = tokio::spawn(off_thread("a sum", || panic!("overflow")));
        let panic = waiting.await.expect_err("panicked").into_panic();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"overflow"));
    }
}
