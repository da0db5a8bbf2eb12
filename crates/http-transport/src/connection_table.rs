use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sports_accounts::{CallerNetwork, Networks};
use sports_program::settings::{ConnectionTimeouts, Http};
use sports_telemetry::Pulse;
use sports_telemetry::metrics::{Exposition, Kind};
use tokio::time::{Instant, sleep};

use crate::connection::{Connection, Draining};
use crate::phase::Phase;
use crate::tally::Tally;

/// The open connections, limited in total and for each address.
pub(crate) struct ConnectionTable {
    total: usize,
    per_address: usize,
    trusted_proxies: Networks,
    timeouts: ConnectionTimeouts,
    started: Instant,
    open: Mutex<Open>,
    tally: Arc<Tally>,
}

#[derive(Default)]
struct Open {
    next: u64,
    entries: HashMap<u64, Entry>,
    /// The number of connections of each address.
    counts: HashMap<CallerNetwork, usize>,
}

struct Entry {
    caller: CallerNetwork,
    is_proxy: bool,
    connection: Arc<Connection>,
}

/// The connections among which one is evicted.
#[derive(Debug, Clone, Copy)]
enum Among {
    /// The connections of one address.
    Of(CallerNetwork),
    /// The connections of addresses that have at least this many.
    All { of_at_least: usize },
}

/// The slot of a connection in the table, which the drop frees.
pub(crate) struct Slot {
    table: Arc<ConnectionTable>,
    number: u64,
    connection: Arc<Connection>,
}

impl Slot {
    pub(crate) const fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.table.open().remove(self.number);
    }
}

impl ConnectionTable {
    /// The time between two checks for slow connections.
    const TICK: Duration = Duration::from_millis(250);

    /// The time between two log lines about a full table.
    const QUIET: Duration = Duration::from_mins(1);

    /// Creates a table with the limits of the settings, and never more than `most` connections.
    pub(crate) fn new(http: &Http, most: usize, tally: Arc<Tally>) -> Self {
        let number = |setting: u32| usize::try_from(setting).unwrap_or(usize::MAX);
        Self {
            total: number(http.max_connections.get()).min(most),
            per_address: number(http.max_connections_per_address.get()),
            trusted_proxies: http.trusted_proxies.clone(),
            timeouts: http.connection_timeouts(),
            started: Instant::now(),
            open: Mutex::default(),
            tally,
        }
    }

    /// Returns the most connections.
    pub(crate) const fn total(&self) -> usize {
        self.total
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection. When full, evicts the longest-idle one: of the same address if that has its share, else of the
    /// address with most connections, and never of an address with fewer than this one. Returns `None` if all are busy.
    ///
    /// Connections that arrive together may exceed the limits until it is known which of them are slow. The limit of
    /// concurrent connections of the listener bounds their number.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Slot> {
        let is_proxy = self.trusted_proxies.contains(address);
        let caller = CallerNetwork::from(address);
        let mut open = self.open();
        let has_share = is_proxy || self.make_room(&mut open, Among::Of(caller), self.per_address);
        let all = Among::All { of_at_least: open.count(Among::Of(caller)) };
        if !has_share || !self.make_room(&mut open, all, self.total) {
            self.tally.count_rejected();
            return None;
        }
        let connection = Arc::new(Connection::new(self.timeouts, self.started));
        let number = open.insert(Entry { caller, is_proxy, connection: Arc::clone(&connection) });
        Some(Slot { table: Arc::clone(self), number, connection })
    }

    /// Evicts connections until there are fewer than `most`; returns false if all others are busy.
    fn make_room(&self, open: &mut Open, among: Among, most: usize) -> bool {
        while open.count(among) >= most {
            let Some(number) = open.longest_waiting(among) else {
                return open.count_arrived(among) < most;
            };
            open.remove(number).inspect(|entry| entry.connection.end());
            self.tally.count_evicted();
        }
        true
    }

    /// Evicts connections beyond the limits that arrived together, once some of them wait.
    fn evict_surplus(&self) {
        let mut open = self.open();
        let is_over = |entry: &Entry| !entry.is_proxy && open.count(Among::Of(entry.caller)) > self.per_address;
        let over: HashSet<_> = open.entries.values().filter(|entry| is_over(entry)).map(|entry| entry.caller).collect();
        for caller in over {
            self.make_room(&mut open, Among::Of(caller), self.per_address.saturating_add(1));
        }
        let most = open.counts.values().copied().max().unwrap_or_default();
        self.make_room(&mut open, Among::All { of_at_least: most }, self.total.saturating_add(1));
    }

    /// Writes the number of connections in each phase.
    pub(crate) fn expose(&self, exposition: &mut Exposition<'_>) {
        let mut counts = [0_u32; Phase::ALL.len()];
        self.open().entries.values().for_each(|entry| counts[entry.connection.phase() as usize] += 1);
        let help = "Open connections by state; those in `work` wait for the application.";
        let mut family = exposition.family("http_connections", Kind::Gauge, help);
        for (phase, count) in Phase::ALL.iter().zip(counts) {
            family.sample(&[("phase", phase.name())], count);
        }
    }

    /// Ends slow connections until it is dropped, and idle ones of HTTP/2 once the server drains: the library ends those of HTTP/1.
    pub(crate) async fn supervise(self: Arc<Self>, pulse: Pulse, draining: Arc<Draining>) {
        let mut logged = None;
        loop {
            sleep(Self::TICK).await;
            let is_left = |connection: &Connection| {
                draining.has_begun() && connection.is_multiplexed() && connection.phase() == Phase::Idle
            };
            let ended = |connection: &&Arc<Connection>| connection.is_overdue() || is_left(connection);
            let open = self.open();
            open.entries.values().map(|entry| &entry.connection).filter(ended).for_each(|connection| connection.end());
            drop(open);
            self.evict_surplus();
            self.log_pressure(&mut logged);
            pulse.beat();
        }
    }

    /// Logs how many connections were evicted and rejected since the last line, at most once a minute.
    fn log_pressure(&self, logged: &mut Option<(Instant, [u64; 2])>) {
        let counts = [self.tally.evicted(), self.tally.rejected()];
        let (at, before) = logged.unwrap_or((self.started, [0; 2]));
        let is_quiet = logged.is_some() && at.elapsed() < Self::QUIET;
        if is_quiet || counts == before {
            return;
        }
        let [evicted, rejected] = [counts[0] - before[0], counts[1] - before[1]];
        tracing::warn!(
            made_room = evicted,
            turned_away = rejected,
            "the limit of connections is reached: {evicted} idle or slow ones were closed for others and {rejected} were \
             not accepted"
        );
        *logged = Some((Instant::now(), counts));
    }
}

impl Open {
    fn insert(&mut self, entry: Entry) -> u64 {
        let number = self.next;
        self.next += 1;
        *self.counts.entry(entry.caller).or_default() += 1;
        self.entries.insert(number, entry);
        number
    }

    /// Removes a connection; `None` if it was removed before.
    fn remove(&mut self, number: u64) -> Option<Entry> {
        let entry = self.entries.remove(&number)?;
        if let Some(count) = self.counts.get_mut(&entry.caller) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&entry.caller);
            }
        }
        Some(entry)
    }

    fn count(&self, among: Among) -> usize {
        match among {
            Among::Of(caller) => self.counts.get(&caller).copied().unwrap_or_default(),
            Among::All { .. } => self.entries.len(),
        }
    }

    /// Returns the number of connections that have had time for a first request.
    fn count_arrived(&self, among: Among) -> usize {
        let all = match among {
            Among::Of(caller) => Among::Of(caller),
            Among::All { .. } => Among::All { of_at_least: 0 },
        };
        self.among(all).filter(|(_, entry)| !entry.connection.is_arriving()).count()
    }

    fn among(&self, among: Among) -> impl Iterator<Item = (&u64, &Entry)> {
        self.entries.iter().filter(move |(_, entry)| match among {
            Among::Of(caller) => entry.caller == caller,
            Among::All { of_at_least } => self.count(Among::Of(entry.caller)) >= of_at_least,
        })
    }

    /// Returns the connection that waits longest, of the addresses with most connections. Proxies come last, because each acts
    /// for many clients.
    fn longest_waiting(&self, among: Among) -> Option<u64> {
        let waiting = self.among(among).filter_map(|(number, entry)| {
            let size = Reverse(self.count(Among::Of(entry.caller)));
            Some((entry.is_proxy, size, entry.connection.waiting_since()?, *number))
        });
        waiting.min().map(|(.., number)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(total: u32, per_address: u32) -> Arc<ConnectionTable> {
        let mut http = sports_program::settings::Settings::default().http;
        http.max_connections = total.try_into().expect("above zero");
        http.max_connections_per_address = per_address.try_into().expect("above zero");
        http.trusted_proxies = "10.0.0.0/8".parse().expect("networks");
        Arc::new(ConnectionTable::new(&http, usize::MAX, Arc::new(Tally::default())))
    }

    fn admit(table: &Arc<ConnectionTable>, address: &str, phase: Phase, since: u64) -> Slot {
        let slot = table.admit(address.parse().expect("an address")).expect("a slot");
        slot.connection().put(phase, since);
        slot
    }

    fn ended(slots: &[Slot]) -> Vec<usize> {
        slots.iter().enumerate().filter(|(_, slot)| slot.connection().was_ended()).map(|(index, _)| index).collect()
    }

    #[test]
    fn a_full_address_loses_its_own_longest_waiting_connection() {
        let table = table(100, 3);
        let mut slots = vec![
            admit(&table, "192.0.2.9", Phase::Idle, 1),
            admit(&table, "192.0.2.1", Phase::Work, 1),
            admit(&table, "192.0.2.1", Phase::Sending, 9),
            admit(&table, "::ffff:192.0.2.1", Phase::Head, 8),
        ];
        slots.push(admit(&table, "192.0.2.1", Phase::Work, 10));
        assert_eq!(ended(&slots), [3]);
        slots.push(admit(&table, "192.0.2.1", Phase::Work, 11));
        assert_eq!(ended(&slots), [2, 3]);
        assert!(table.admit("192.0.2.1".parse().expect("an address")).is_none(), "all are busy");
        assert_eq!((table.tally.evicted(), table.tally.rejected()), (2, 1));
    }

    #[test]
    fn a_network_of_64_bits_has_one_share_and_a_trusted_proxy_any() {
        let table = table(100, 1);
        let slots = [
            admit(&table, "2001:db8::1", Phase::Idle, 1),
            admit(&table, "2001:db8::2", Phase::Idle, 2),
            admit(&table, "10.0.0.1", Phase::Idle, 1),
            admit(&table, "10.0.0.1", Phase::Idle, 1),
        ];
        assert_eq!(ended(&slots), [0]);
    }

    #[test]
    fn a_full_table_evicts_from_the_largest_address_and_from_proxies_last() {
        let table = table(6, 100);
        let mut slots = vec![
            admit(&table, "10.0.0.1", Phase::Idle, 0),
            admit(&table, "10.0.0.1", Phase::Idle, 0),
            admit(&table, "10.0.0.1", Phase::Idle, 0),
            admit(&table, "192.0.2.1", Phase::Idle, 1),
            admit(&table, "192.0.2.2", Phase::Head, 3),
            admit(&table, "192.0.2.2", Phase::Body, 2),
        ];
        slots.push(admit(&table, "192.0.2.3", Phase::Work, 4));
        assert_eq!(ended(&slots), [5]);
        slots.push(admit(&table, "192.0.2.3", Phase::Work, 5));
        assert_eq!(ended(&slots), [3, 5], "the longest-waiting one of the largest addresses");
        slots.push(admit(&table, "192.0.2.3", Phase::Work, 6));
        assert_eq!(ended(&slots), [0, 3, 5], "the largest untrusted address has no waiting connection");
        assert!(slots[4].connection().waiting_since().is_some(), "a smaller address has one, and keeps it");
        slots.push(admit(&table, "192.0.2.4", Phase::Work, 7));
        assert_eq!(ended(&slots), [0, 3, 4, 5], "a new address takes it");
        slots.push(admit(&table, "192.0.2.4", Phase::Work, 8));
        assert_eq!(ended(&slots).len(), 5, "only connections of the proxy wait");
    }

    #[test]
    fn a_new_connection_has_time_for_its_first_request() {
        let table = table(1, 1);
        let newest = table.admit("192.0.2.1".parse().expect("an address")).expect("a slot");
        newest.connection().await_client();
        let slots =
            [newest, admit(&table, "192.0.2.1", Phase::Head, 60_000), admit(&table, "192.0.2.2", Phase::Work, 0)];
        assert_eq!(ended(&slots), [1]);
        assert!(table.admit("192.0.2.1".parse().expect("an address")).is_none());
    }

    #[test]
    fn connections_that_arrive_together_are_all_read_before_an_eviction() {
        let table = table(2, 2);
        let mut slots: Vec<_> = (1..=5).map(|since| admit(&table, "192.0.2.1", Phase::New, since)).collect();
        assert!(ended(&slots).is_empty());
        table.evict_surplus();
        assert!(ended(&slots).is_empty(), "no connection waits yet");
        for (since, slot) in (0..).zip(&slots) {
            slot.connection().put(Phase::Head, since);
        }
        table.evict_surplus();
        assert_eq!(ended(&slots), [0, 1, 2]);
        slots.push(admit(&table, "192.0.2.1", Phase::New, 0));
        assert_eq!(ended(&slots), [0, 1, 2, 3]);
    }

    #[test]
    fn a_slot_is_freed_once() {
        let table = table(2, 2);
        let first = admit(&table, "192.0.2.1", Phase::Idle, 1);
        let second = admit(&table, "192.0.2.1", Phase::Idle, 2);
        let third = admit(&table, "192.0.2.1", Phase::Idle, 3);
        assert!(first.connection().was_ended());
        drop((first, second));
        assert_eq!(table.open().entries.len(), 1);
        drop(third);
        let open = table.open();
        assert_eq!((open.entries.len(), open.counts.len()), (0, 0));
    }
}
