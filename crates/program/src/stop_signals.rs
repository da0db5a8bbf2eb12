#[cfg(unix)]
use std::{fs, io};

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that stop a program: SIGTERM, SIGINT as Ctrl-C sends it, and SIGHUP as a terminal that closes sends it.
pub struct StopSignals {
    #[cfg(unix)]
    terminate: Signal,
    #[cfg(unix)]
    interrupt: Signal,
    /// `None` after the first one, since shells repeat it, and for a program that `nohup` started.
    #[cfg(unix)]
    hangup: Option<Signal>,
}

#[cfg(unix)]
impl StopSignals {
    /// Begins to handle the signals, which then no longer end the process.
    ///
    /// # Errors
    ///
    /// An error if the system permits no handler.
    ///
    /// # Panics
    ///
    /// Panics outside of a Tokio runtime.
    pub fn listen() -> io::Result<Self> {
        let hangup = if ignores_hangup() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())?, hangup })
    }

    /// Completes at the next signal.
    pub async fn next(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = hangup => self.hangup = None,
        }
    }
}

/// Returns true if the process was started with SIGHUP ignored. Only Linux shows it.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    // Bit 0 is signal 1.
    ignored.is_some_and(|signals| signals & 1 == 1)
}

#[cfg(not(unix))]
impl StopSignals {
    /// Returns the signals, which need no preparation here.
    ///
    /// # Errors
    ///
    /// None.
    pub const fn listen() -> std::io::Result<Self> {
        Ok(Self {})
    }

    /// Completes at the next signal.
    pub async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

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
