//! CPU-bound work off the threads that serve requests.

use std::panic::resume_unwind;

use sports_ports::PortError;
use tokio::task::spawn_blocking;

/// Runs work of milliseconds or more on a blocking thread and returns its result.
///
/// A panic of the work resumes in the caller: it is a fault of the program, not of the data.
///
/// # Errors
///
/// [`PortError::Unavailable`] of `port` if the program ends before the work starts.
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
    async fn work_returns_its_result_and_its_panic_resumes_in_the_caller() {
        assert_eq!(off_thread("a sum", || 1 + 1).await.expect("done"), 2);
        let waiting = tokio::spawn(off_thread("a sum", || panic!("overflow")));
        let panic = waiting.await.expect_err("panicked").into_panic();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"overflow"));
    }
}
