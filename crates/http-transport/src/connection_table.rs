use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sports_accounts::{CallerNetwork, Networks};
use sports_settings::{ConnectionTimeouts, Http};
use sports_telemetry::Pulse;
use sports_telemetry::metrics::{Exposition, Kind};
use tokio::time::{Instant, sleep};

use crate::connection::Connection;
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
    count: usize,
    next: u64,
    by_caller: HashMap<CallerNetwork, Group>,
}

/// The connections of one address, by age.
#[derive(Default)]
struct Group {
    is_proxy: bool,
    connections: BTreeMap<u64, Arc<Connection>>,
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
    caller: CallerNetwork,
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
        self.table.open().remove(self.caller, self.number);
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
        let all = Among::All { of_at_least: open.connections_of(caller) };
        if !has_share || !self.make_room(&mut open, all, self.total) {
            self.tally.count_rejected();
            return None;
        }
        let connection = Arc::new(Connection::new(self.timeouts, self.started));
        let number = open.insert(caller, is_proxy, &connection);
        Some(Slot { table: Arc::clone(self), caller, number, connection })
    }

    /// Evicts connections until there are fewer than `most`; returns false if all others are busy.
    fn make_room(&self, open: &mut Open, among: Among, most: usize) -> bool {
        while open.count(among) >= most {
            let Some((caller, number)) = open.longest_waiting(among) else {
                return open.count_arrived(among) < most;
            };
            open.remove(caller, number).inspect(|connection| connection.end());
            self.tally.count_evicted();
        }
        true
    }

    /// Evicts connections beyond the limits that arrived together, once some of them wait.
    fn evict_surplus(&self) {
        let mut open = self.open();
        let per_address = self.per_address;
        let is_over = |group: &Group| !group.is_proxy && group.connections.len() > per_address;
        let over: Vec<_> =
            open.by_caller.iter().filter(|(_, group)| is_over(group)).map(|(caller, _)| *caller).collect();
        for caller in over {
            self.make_room(&mut open, Among::Of(caller), per_address.saturating_add(1));
        }
        let most = open.by_caller.values().map(|group| group.connections.len()).max().unwrap_or_default();
        self.make_room(&mut open, Among::All { of_at_least: most }, self.total.saturating_add(1));
    }

    /// Writes the number of connections in each phase.
    pub(crate) fn expose(&self, exposition: &mut Exposition<'_>) {
        let mut counts = [0_u32; Phase::ALL.len()];
        self.open().connections().for_each(|connection| counts[connection.phase() as usize] += 1);
        let help = "Open connections by state; those in `work` wait for the application.";
        let mut family = exposition.family("http_connections", Kind::Gauge, help);
        for (phase, count) in Phase::ALL.iter().zip(counts) {
            family.sample(&[("phase", phase.name())], count);
        }
    }

    /// Ends slow connections until it is dropped.
    pub(crate) async fn supervise(self: Arc<Self>, pulse: Pulse) {
        let mut logged = None;
        loop {
            sleep(Self::TICK).await;
            self.end_overdue();
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

    fn end_overdue(&self) {
        let open = self.open();
        open.connections().filter(|connection| connection.is_overdue()).for_each(|connection| connection.end());
    }
}

impl Open {
    fn insert(&mut self, caller: CallerNetwork, is_proxy: bool, connection: &Arc<Connection>) -> u64 {
        let number = self.next;
        self.next += 1;
        self.count += 1;
        let group = self.by_caller.entry(caller).or_default();
        group.is_proxy |= is_proxy;
        group.connections.insert(number, Arc::clone(connection));
        number
    }

    /// Removes a connection; `None` if it was removed before.
    fn remove(&mut self, caller: CallerNetwork, number: u64) -> Option<Arc<Connection>> {
        let group = self.by_caller.get_mut(&caller)?;
        let connection = group.connections.remove(&number)?;
        if group.connections.is_empty() {
            self.by_caller.remove(&caller);
        }
        self.count -= 1;
        Some(connection)
    }

    fn connections(&self) -> impl Iterator<Item = &Arc<Connection>> {
        self.by_caller.values().flat_map(|group| group.connections.values())
    }

    fn connections_of(&self, caller: CallerNetwork) -> usize {
        self.by_caller.get(&caller).map_or(0, |group| group.connections.len())
    }

    fn count(&self, among: Among) -> usize {
        match among {
            Among::Of(caller) => self.connections_of(caller),
            Among::All { .. } => self.count,
        }
    }

    /// Returns the number of connections that have had time for a first request.
    fn count_arrived(&self, among: Among) -> usize {
        let groups = self.by_caller.iter().filter(|(caller, _)| match among {
            Among::Of(one) => **caller == one,
            Among::All { .. } => true,
        });
        let all = groups.flat_map(|(_, group)| group.connections.values());
        all.filter(|connection| !connection.is_arriving()).count()
    }

    /// Returns the connection that waits longest: of the addresses with most connections if one of those waits, else of any
    /// other. Proxies come last, because each acts for many clients.
    fn longest_waiting(&self, among: Among) -> Option<(CallerNetwork, u64)> {
        let fewest = match among {
            Among::Of(caller) => {
                let (_, number) = self.by_caller.get(&caller)?.longest_waiting()?;
                return Some((caller, number));
            }
            Among::All { of_at_least } => of_at_least,
        };
        let size = |group: &Group| (!group.is_proxy, group.connections.len());
        let largest = self.by_caller.values().map(size).max()?;
        let chosen = |is_chosen: &dyn Fn(&Group) -> bool| {
            let groups = self.by_caller.iter().filter(|(_, group)| is_chosen(group));
            let waiting =
                groups.filter_map(|(caller, group)| Some((group.is_proxy, group.longest_waiting()?, *caller)));
            waiting.min().map(|(_, (_, number), caller)| (caller, number))
        };
        chosen(&|group| size(group) == largest).or_else(|| chosen(&|group| group.connections.len() >= fewest))
    }
}

impl Group {
    /// Returns the beginning of the longest wait, and the number of its connection.
    fn longest_waiting(&self) -> Option<(u64, u64)> {
        self.connections.iter().filter_map(|(number, connection)| Some((connection.waiting_since()?, *number))).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(total: u32, per_address: u32) -> Arc<ConnectionTable> {
        let mut http = sports_settings::Settings::default().http;
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
        slots.iter().enumerate().filter(|(_, slot)| slot.connection().is_ending()).map(|(index, _)| index).collect()
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
        newest.connection().on_empty_read();
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
        assert!(first.connection().is_ending());
        drop((first, second));
        assert_eq!(table.open().count, 1);
        drop(third);
        let open = table.open();
        assert_eq!((open.count, open.by_caller.len()), (0, 0));
    }
}
