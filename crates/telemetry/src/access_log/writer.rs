use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::log_format::LogFormat;

/// The thread that writes the lines of all workers to the log.
pub struct LogWriter {
    shared: Arc<Shared>,
    format: LogFormat,
    writer: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    buffers: Mutex<Vec<Arc<Buffer>>>,
    /// True while the writer reads the buffers without being woken.
    is_awake: AtomicBool,
    is_ending: AtomicBool,
}

/// The unwritten lines of one worker.
pub(super) struct Buffer {
    unwritten: Mutex<Unwritten>,
    shared: Arc<Shared>,
    writer: thread::Thread,
}

#[derive(Default)]
struct Unwritten {
    text: Vec<u8>,
    /// The number of lines dropped because `text` was full.
    lost: u64,
}

/// The time between two writes.
const EVERY: Duration = Duration::from_millis(20);

/// The most unwritten bytes of one worker. Further lines are dropped and counted.
const MOST: usize = 1024 * 1024;

impl LogWriter {
    /// Starts writing lines to `log`.
    ///
    /// # Errors
    ///
    /// An error if the system has no thread left.
    pub fn start(format: LogFormat, log: impl Write + Send + 'static) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let all = Arc::clone(&shared);
        let writer = thread::Builder::new().name("access-log".to_owned()).spawn(move || all.write_to(log))?;
        Ok(Self { shared, format, writer: Mutex::new(Some(writer)) })
    }

    /// Writes the remaining lines and ends the thread. Later lines are lost.
    pub fn finish(&self) {
        let Some(writer) = locked(&self.writer).take() else { return };
        self.shared.is_ending.store(true, SeqCst);
        writer.thread().unpark();
        drop(writer.join());
    }

    /// Returns the format of lines.
    pub(super) const fn format(&self) -> LogFormat {
        self.format
    }

    /// Creates the buffer of one worker.
    pub(super) fn buffer(&self) -> Arc<Buffer> {
        // After `finish` no thread reads the buffer, so any thread will do.
        let writer = locked(&self.writer).as_ref().map_or_else(thread::current, |writer| writer.thread().clone());
        let buffer = Arc::new(Buffer { unwritten: Mutex::default(), shared: Arc::clone(&self.shared), writer });
        locked(&self.shared.buffers).push(Arc::clone(&buffer));
        buffer
    }
}

impl Buffer {
    /// Adds a line, and wakes the writer if it sleeps.
    pub(super) fn add(&self, line: impl FnOnce(&mut Vec<u8>)) {
        let mut unwritten = locked(&self.unwritten);
        if unwritten.text.len() >= MOST {
            unwritten.lost += 1;
            return;
        }
        line(&mut unwritten.text);
        drop(unwritten);
        // A load first keeps the cache line shared among workers that only read the flag.
        if !self.shared.is_awake.load(SeqCst) && !self.shared.is_awake.swap(true, SeqCst) {
            self.writer.unpark();
        }
    }
}

impl Shared {
    /// Writes lines until the log ends.
    fn write_to(&self, mut log: impl Write) {
        loop {
            let is_ending = self.is_ending.load(SeqCst);
            let found = self.write_pending(&mut log);
            if is_ending {
                return drop(log.flush());
            }
            if found {
                self.is_awake.store(true, SeqCst);
                thread::park_timeout(EVERY);
            } else if !self.is_awake.swap(false, SeqCst) {
                // A worker that adds a line from now on sees the flag and wakes this thread.
                thread::park();
            }
        }
    }

    /// Writes the lines in the buffers; returns true if there were any.
    fn write_pending(&self, log: &mut impl Write) -> bool {
        let mut found = false;
        for buffer in locked(&self.buffers).clone() {
            let Unwritten { text, lost } = std::mem::take(&mut *locked(&buffer.unwritten));
            // A failure to write the log cannot be logged.
            let _ = log.write_all(&text);
            if lost > 0 {
                tracing::warn!(lost, "the log is read too slowly: {lost} lines of requests are lost");
            }
            found |= !text.is_empty() || lost > 0;
        }
        found
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A log whose reader receives it through a channel.
    struct Sent(mpsc::SyncSender<Vec<u8>>);

    impl Write for Sent {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_line_is_written_once_in_the_order_of_its_worker() {
        let (sender, written) = mpsc::sync_channel(10_000);
        let lines = LogWriter::start(LogFormat::Human, Sent(sender)).expect("a thread");
        let buffers = [lines.buffer(), lines.buffer()];
        thread::scope(|scope| {
            for (worker, buffer) in buffers.iter().enumerate() {
                scope.spawn(move || {
                    (0..1000).for_each(|number| buffer.add(|text| drop(writeln!(text, "{worker} {number}"))));
                });
            }
        });
        lines.finish();
        let text = String::from_utf8(written.try_iter().flatten().collect()).expect("text");
        for worker in ["0 ", "1 "] {
            let numbers = text.lines().filter_map(|line| line.strip_prefix(worker));
            assert!(numbers.eq((0..1000).map(|number| number.to_string())), "{text}");
        }
    }

    #[test]
    fn a_log_that_is_not_read_costs_bounded_memory_and_counts_lost_lines() {
        // The channel has no room and no reader: the first write blocks.
        let (sender, written) = mpsc::sync_channel(0);
        let lines = LogWriter::start(LogFormat::Human, Sent(sender)).expect("a thread");
        let buffer = lines.buffer();
        buffer.add(|text| text.push(b'x'));
        while !locked(&buffer.unwritten).text.is_empty() {
            thread::yield_now();
        }
        (0..2000).for_each(|_| buffer.add(|text| text.extend_from_slice(&[b'x'; 1024])));
        let kept = MOST / 1024;
        assert_eq!(locked(&buffer.unwritten).text.len(), MOST);
        assert_eq!(locked(&buffer.unwritten).lost, 2000 - kept as u64);
        drop(written);
        lines.finish();
    }
}
