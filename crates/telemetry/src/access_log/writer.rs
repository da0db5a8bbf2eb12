use std::io::{self, BufWriter, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};

use crate::log_format::LogFormat;
use crate::metrics::{Exposition, Kind};

/// The queue of lines of all workers, and the thread that writes them to the log.
pub struct LogWriter {
    queue: NonBlocking,
    format: LogFormat,
    thread: Mutex<Option<WorkerGuard>>,
}

impl LogWriter {
    /// The most lines in the queue. Further lines are dropped and counted.
    const QUEUE: usize = 8_192;

    /// Starts writing lines to `log`.
    pub fn start(format: LogFormat, log: impl Write + Send + 'static) -> Self {
        let builder = NonBlockingBuilder::default().lossy(true).buffered_lines_limit(Self::QUEUE);
        let (queue, thread) = builder.thread_name("access-log").finish(Batches(BufWriter::new(log)));
        Self { queue, format, thread: Mutex::new(Some(thread)) }
    }

    /// Writes the remaining lines and ends the thread. Later lines are dropped.
    pub fn finish(&self) {
        drop(self.thread.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Returns the number of lines that were dropped.
    #[cfg(test)]
    fn dropped_lines(&self) -> usize {
        self.queue.error_counter().dropped_lines()
    }

    /// Returns a source of the number of dropped lines.
    pub fn figures(&self) -> impl Fn(&mut Exposition<'_>) + Send + Sync + use<> {
        let dropped = self.queue.error_counter();
        move |exposition| {
            let help = "Lines of requests that were dropped, since the log was read too slowly.";
            exposition.family("log_lines_dropped_total", Kind::Counter, help).sample(&[], dropped.dropped_lines());
        }
    }

    /// Returns the format of lines.
    pub(super) const fn format(&self) -> LogFormat {
        self.format
    }

    /// Returns a handle to the queue.
    pub(super) fn queue(&self) -> NonBlocking {
        self.queue.clone()
    }
}

/// A log that is written in batches. The thread flushes it when the queue is empty.
struct Batches<W: Write>(BufWriter<W>);

impl<W: Write> Batches<W> {
    /// The time after a batch in which lines are queued. Until it has passed, a new line needs no wake-up of the thread.
    const PAUSE: Duration = Duration::from_millis(20);
}

impl<W: Write> Write for Batches<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.0.flush();
        thread::park_timeout(Self::PAUSE);
        flushed
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A log whose reader receives it through a channel, after a notice that a write has begun.
    struct Sent(mpsc::Sender<()>, mpsc::SyncSender<Vec<u8>>);

    impl Write for Sent {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(());
            self.1.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_line_is_written_once_in_the_order_of_its_worker() {
        let ((begun, _), (sender, written)) = (mpsc::channel(), mpsc::sync_channel(10_000));
        let writer = LogWriter::start(LogFormat::Human, Sent(begun, sender));
        thread::scope(|scope| {
            for worker in 0..2 {
                let mut queue = writer.queue();
                scope.spawn(move || (0..1000).for_each(|number| drop(writeln_whole(&mut queue, worker, number))));
            }
        });
        writer.finish();
        assert_eq!(writer.dropped_lines(), 0);
        let text = String::from_utf8(written.try_iter().flatten().collect()).expect("text");
        for worker in ["0 ", "1 "] {
            let numbers = text.lines().filter_map(|line| line.strip_prefix(worker));
            assert!(numbers.eq((0..1000).map(|number| number.to_string())), "{text}");
        }
    }

    /// Writes a line at once: each write to the queue is an entry of it.
    fn writeln_whole(queue: &mut NonBlocking, worker: u8, number: u32) -> io::Result<()> {
        queue.write_all(format!("{worker} {number}\n").as_bytes())
    }

    #[test]
    fn a_log_that_is_not_read_costs_a_bounded_queue_and_counts_dropped_lines() {
        // The channel has no room and no reader: the first write blocks.
        let ((begun, has_begun), (sender, written)) = (mpsc::channel(), mpsc::sync_channel(0));
        let writer = LogWriter::start(LogFormat::Human, Sent(begun, sender));
        let mut queue = writer.queue();
        queue.write_all(b"first\n").expect("queued");
        has_begun.recv().expect("the thread writes");
        (0..LogWriter::QUEUE).for_each(|_| queue.write_all(b"queued\n").expect("queued"));
        assert_eq!(writer.dropped_lines(), 0);
        (0..100).for_each(|_| queue.write_all(b"dropped\n").expect("never fails"));
        assert_eq!(writer.dropped_lines(), 100);
        drop(written);
        writer.finish();
    }
}
