/// Makes a write beyond the file size limit fail like a write to a full disk. Without a handler for its signal, the
/// system would end the process. Other systems than Unix have no such signal.
///
/// # Panics
///
/// Panics outside of a Tokio runtime.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        /// SIGXFSZ, on all systems but those for MIPS.
        const SIZE_LIMIT: i32 = 25;
        // The program works without the handler, too.
        drop(signal(SignalKind::from_raw(SIZE_LIMIT)));
    }
}
