//! The access log: one line for each request, in the format of the other log lines, written by a separate thread.
//!
//! Workers queue their lines, and the thread writes the queue up to 50 times a second, so a slow or blocked reader of the log
//! delays no request. Lines beyond the capacity of the queue are dropped and counted.

use std::cell::RefCell;
use std::io::{BufWriter, Write};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

use sports_accounts::{ClientNetwork, CustomerId};
use sports_domain::Sport;
use sports_ports::Clock;
use sports_program::SystemClock;
use tracing::Level;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};

use crate::log_format::LogFormat;
use crate::metrics::{Exposition, Kind};
use crate::text::{SecondText, put, put_digits};
use crate::trace::TraceId;

/// The access log of one worker.
#[derive(Clone)]
pub struct AccessLog(Rc<WorkerLog>);

struct WorkerLog {
    /// The queue, and the memory in which a line is formatted.
    output: RefCell<(NonBlocking, Vec<u8>)>,
    format: LogFormat,
    stamp: Stamp,
}

impl AccessLog {
    /// Creates the log of one worker, whose lines `writer` writes.
    pub fn new(writer: &LogWriter) -> Self {
        let output = RefCell::new((writer.queue(), Vec::new()));
        Self(Rc::new(WorkerLog { output, format: writer.format(), stamp: Stamp::default() }))
    }

    /// Returns true if the filter of the log admits the lines.
    pub fn is_enabled() -> bool {
        tracing::enabled!(target: TARGET, Level::INFO)
    }

    pub fn write(&self, line: &Line<'_>) {
        let WorkerLog { output, format, stamp } = &*self.0;
        let (queue, text) = &mut *output.borrow_mut();
        text.clear();
        match format {
            LogFormat::Human => line.write_for_people(stamp, text),
            LogFormat::Json => line.write_as_json(stamp, text),
        }
        text.push(b'\n');
        // A full queue drops the line, counts it and is no error.
        let _ = queue.write_all(text);
    }
}

/// The tracing target of the lines, by which the log filters them.
const TARGET: &str = "sports_api::access";

/// The facts about one request. Paths and queries can contain keys, so a line has the route instead; the caller masks keys in
/// the method.
#[derive(Debug)]
pub struct Line<'a> {
    /// The method, masked where it looks like a key.
    pub method: &'a str,
    /// The pattern of its route, or `-`.
    pub route: &'a str,
    /// The status of the response.
    pub status: u16,
    /// The time from its head to the head of the response.
    pub took: Duration,
    /// The customer whose key it has.
    pub customer: Option<CustomerId>,
    /// The network of the client.
    pub network: Option<ClientNetwork>,
    /// The league in its path.
    pub sport: Option<Sport>,
    /// The id of the request: letters, digits, `.`, `_` and `-`.
    pub request_id: &'a str,
    /// The trace it is part of.
    pub trace: Option<TraceId>,
}

impl Line<'_> {
    /// Writes the line as text. Nothing needs escaping: methods, routes and ids have harmless characters only.
    fn write_for_people(&self, stamp: &Stamp, text: &mut Vec<u8>) {
        stamp.write(text);
        put(text, &["  INFO ", TARGET, ": "]);
        self.write_message(text);
        put(text, &[" method=\"", self.method, "\" route=\"", self.route, "\" status="]);
        put_digits(text, self.status.into(), 3);
        put(text, &[" ms="]);
        write_milliseconds(self.took, text);
        if let Some(customer) = self.customer {
            put(text, &[" customer=", customer.text().as_str()]);
        }
        if let Some(network) = self.network {
            put(text, &[" client=", &network.to_string()]);
        }
        if let Some(sport) = self.sport {
            put(text, &[" sport=", sport.code()]);
        }
        put(text, &[" request_id=", self.request_id]);
        if let Some(trace) = self.trace {
            put(text, &[" trace_id=", &trace.to_string()]);
        }
    }

    /// Writes the line as a JSON object.
    fn write_as_json(&self, stamp: &Stamp, text: &mut Vec<u8>) {
        put(text, &["{\"timestamp\":\""]);
        stamp.write(text);
        put(text, &["\",\"level\":\"INFO\",\"message\":\""]);
        self.write_message(text);
        put(text, &["\",\"method\":\"", self.method, "\",\"route\":\"", self.route, "\",\"status\":"]);
        put_digits(text, self.status.into(), 3);
        put(text, &[",\"ms\":"]);
        write_milliseconds(self.took, text);
        if let Some(customer) = self.customer {
            put(text, &[",\"customer\":\"", customer.text().as_str(), "\""]);
        }
        if let Some(network) = self.network {
            put(text, &[",\"client\":\"", &network.to_string(), "\""]);
        }
        if let Some(sport) = self.sport {
            put(text, &[",\"sport\":\"", sport.code(), "\""]);
        }
        put(text, &[",\"request_id\":\"", self.request_id, "\""]);
        if let Some(trace) = self.trace {
            put(text, &[",\"trace_id\":\"", &trace.to_string(), "\""]);
        }
        put(text, &[",\"target\":\"", TARGET, "\"}"]);
    }

    fn write_message(&self, text: &mut Vec<u8>) {
        put(text, &[self.method, " ", self.route, " answered "]);
        put_digits(text, self.status.into(), 3);
    }
}

/// Writes milliseconds to the microsecond, as a number with a decimal point.
fn write_milliseconds(took: Duration, text: &mut Vec<u8>) {
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    put_digits(text, micros / 1000, 1);
    put(text, &["."]);
    put_digits(text, micros % 1000, 3);
    // Like other numbers, without trailing zeros; one digit stays after the point.
    while text.ends_with(b"0") && !text.ends_with(b".0") {
        text.pop();
    }
}

/// The timestamp of log lines: the machine's time.
struct Stamp {
    clock: SystemClock,
    seconds: RefCell<SecondText>,
}

impl Default for Stamp {
    fn default() -> Self {
        Self { clock: SystemClock::new(), seconds: RefCell::new(SecondText::new("%Y-%m-%dT%H:%M:%S")) }
    }
}

impl Stamp {
    fn write(&self, text: &mut Vec<u8>) {
        let now = self.clock.now();
        put(text, &[self.seconds.borrow_mut().at(now), "."]);
        put_digits(text, now.timestamp_subsec_micros().into(), 6);
        put(text, &["Z"]);
    }
}

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
    const fn format(&self) -> LogFormat {
        self.format
    }

    /// Returns a handle to the queue.
    fn queue(&self) -> NonBlocking {
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
    use std::net::IpAddr;
    use std::sync::mpsc;

    use chrono::DateTime;
    use serde_json::{Value, json};

    use super::*;

    fn written(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut text = Vec::new();
        write(&mut text);
        String::from_utf8(text).expect("text")
    }

    fn line() -> Line<'static> {
        Line {
            method: "GET",
            route: "/api/v1/odds/{sport}",
            status: 200,
            took: Duration::from_nanos(1_230_999),
            customer: None,
            network: Some(IpAddr::from([192, 0, 2, 7]).into()),
            sport: Some(Sport::Nba),
            request_id: "a-1",
            trace: Some(TraceId::from_bytes([0xAB; 16])),
        }
    }

    #[test]
    fn both_formats_of_a_line_have_the_same_fields() {
        let stamp = Stamp::default();
        let people = written(|text| line().write_for_people(&stamp, text));
        let (time, rest) = people.split_once("  ").expect("a time");
        assert!(DateTime::parse_from_rfc3339(time).is_ok() && time.len() == 27, "{time}");
        let expected = "INFO sports_api::access: GET /api/v1/odds/{sport} answered 200 method=\"GET\" \
                        route=\"/api/v1/odds/{sport}\" status=200 ms=1.23 client=192.0.2.0/24 sport=nba request_id=a-1 \
                        trace_id=abababababababababababababababab";
        assert_eq!(rest, expected);
        let json: Value = serde_json::from_str(&written(|text| line().write_as_json(&stamp, text))).expect("JSON");
        let mut expected = json!({
            "level": "INFO", "message": "GET /api/v1/odds/{sport} answered 200", "method": "GET",
            "route": "/api/v1/odds/{sport}", "status": 200, "ms": 1.23, "client": "192.0.2.0/24", "sport": "nba",
            "request_id": "a-1", "trace_id": "abababababababababababababababab", "target": "sports_api::access"
        });
        expected["timestamp"] = json["timestamp"].clone();
        assert_eq!(json, expected);
    }

    #[test]
    fn milliseconds_are_a_number_to_the_microsecond() {
        for (micros, expected) in [(0, "0.0"), (1, "0.001"), (20, "0.02"), (1000, "1.0"), (12_345_600, "12345.6")] {
            assert_eq!(written(|text| write_milliseconds(Duration::from_micros(micros), text)), expected);
        }
    }

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
