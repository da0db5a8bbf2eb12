use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sports_accounts::CallerNetwork;
use sports_settings::{Http, Networks, Patience};
use tokio::time::{Instant, sleep};

use super::connection::{Connection, Phase};
use super::tally::Tally;
use sports_telemetry::metrics::{Exposition, Kind};

/// Room for so many connections, and for so many of one address.
pub(crate) struct Room {
    total: usize,
    per_address: usize,
    trusted_proxies: Networks,
    patience: Patience,
    started: Instant,
    taken: Mutex<Taken>,
    tally: Arc<Tally>,
}

/// The connections there are.
#[derive(Default)]
struct Taken {
    count: usize,
    next: u64,
    by_caller: HashMap<CallerNetwork, Neighbours>,
}

/// The connections of one address, by their age.
#[derive(Default)]
struct Neighbours {
    is_proxy: bool,
    connections: BTreeMap<u64, Arc<Connection>>,
}

/// Among which connections one has to go.
#[derive(Debug, Clone, Copy)]
enum Among {
    /// Those of one address.
    Of(CallerNetwork),
    /// All, but only addresses that have as many give one up.
    All { of_at_least: usize },
}

/// A connection's place, given up with the drop.
pub(super) struct Place {
    room: Arc<Room>,
    caller: CallerNetwork,
    number: u64,
    connection: Arc<Connection>,
}

impl Place {
    pub(super) const fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.room.taken().give_up(self.caller, self.number);
    }
}

impl Room {
    /// Between two looks for connections that take too long.
    const TICK: Duration = Duration::from_millis(250);

    /// Between two lines of the log that say there is no room.
    const QUIET: Duration = Duration::from_mins(1);

    /// As the settings say, and never more than `most`.
    pub(crate) fn new(http: &Http, most: usize, tally: Arc<Tally>) -> Self {
        let number = |setting: u32| usize::try_from(setting).unwrap_or(usize::MAX);
        Self {
            total: number(http.max_connections.get()).min(most),
            per_address: number(http.max_connections_per_address.get()),
            trusted_proxies: http.trusted_proxies.clone(),
            patience: http.patience(),
            started: Instant::now(),
            taken: Mutex::default(),
            tally,
        }
    }

    /// For how many connections there is room.
    pub(crate) const fn total(&self) -> usize {
        self.total
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a newcomer a place; none where every other connection is being answered. Where there is no room, that of the
    /// connection whose client has been waited for longest: of the newcomer's address where that has its share, else of the address that has most, and never of one that has fewer
    /// than the newcomer's.
    ///
    /// Newcomers that came together may be more than there is room for, until it is known which of them are slow.
    /// [`Listener`](super::Listener) bounds how many these are.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let is_proxy = self.trusted_proxies.contains(address);
        let caller = CallerNetwork::from(address);
        let mut taken = self.taken();
        let has_share = is_proxy || self.make_room(&mut taken, Among::Of(caller), self.per_address);
        let all = Among::All { of_at_least: taken.connections_of(caller) };
        if !has_share || !self.make_room(&mut taken, all, self.total) {
            self.tally.one_turned_away();
            return None;
        }
        let connection = Arc::new(Connection::new(self.patience, self.started));
        let number = taken.take(caller, is_proxy, &connection);
        Some(Place { room: Arc::clone(self), caller, number, connection })
    }

    /// Whether there is room for one more among these, perhaps because some of them had to go.
    fn make_room(&self, taken: &mut Taken, among: Among, most: usize) -> bool {
        while taken.count(among) >= most {
            let Some((caller, number)) = taken.longest_waiting(among) else {
                return taken.count_arrived(among) < most;
            };
            taken.give_up(caller, number).inspect(|connection| connection.end());
            self.tally.one_made_room();
        }
        true
    }

    /// Has those go that came together with too many others, once there are some that wait.
    fn end_surplus(&self) {
        let mut taken = self.taken();
        let per_address = self.per_address;
        let is_over = |group: &Neighbours| !group.is_proxy && group.connections.len() > per_address;
        let over: Vec<_> =
            taken.by_caller.iter().filter(|(_, group)| is_over(group)).map(|(caller, _)| *caller).collect();
        for caller in over {
            self.make_room(&mut taken, Among::Of(caller), per_address.saturating_add(1));
        }
        let most = taken.by_caller.values().map(|group| group.connections.len()).max().unwrap_or_default();
        self.make_room(&mut taken, Among::All { of_at_least: most }, self.total.saturating_add(1));
    }

    /// How many connections there are, by what they are at.
    pub(crate) fn expose(&self, exposition: &mut Exposition) {
        let mut counts = [0_u32; Phase::ALL.len()];
        let taken = self.taken();
        let all = taken.by_caller.values().flat_map(|neighbours| neighbours.connections.values());
        all.for_each(|connection| counts[connection.phase() as usize] += 1);
        drop(taken);
        let help = "Open connections by what they are at; those in `work` are being answered.";
        let mut family = exposition.family("http_connections", Kind::Gauge, help);
        for (phase, count) in Phase::ALL.iter().zip(counts) {
            family.sample(&[("phase", phase.name())], count);
        }
    }

    /// Ends connections whose client was waited for too long, for as long as it is polled.
    pub(crate) async fn keep(self: Arc<Self>) {
        let mut said: Option<(Instant, u64, u64)> = None;
        loop {
            sleep(Self::TICK).await;
            self.end_overdue();
            self.end_surplus();
            let (made_room, turned_away) = (self.tally.made_room(), self.tally.turned_away());
            let (at, made_room_then, turned_away_then) = said.unwrap_or((self.started, 0, 0));
            let is_quiet = said.is_some() && at.elapsed() < Self::QUIET;
            if is_quiet || (made_room, turned_away) == (made_room_then, turned_away_then) {
                continue;
            }
            let (made_room_now, turned_away_now) = (made_room - made_room_then, turned_away - turned_away_then);
            tracing::warn!(
                made_room = made_room_now,
                turned_away = turned_away_now,
                "there are as many connections as there may be: {made_room_now} that waited were closed for others and \
                 {turned_away_now} were turned away"
            );
            said = Some((Instant::now(), made_room, turned_away));
        }
    }

    fn end_overdue(&self) {
        let taken = self.taken();
        let all = taken.by_caller.values().flat_map(|neighbours| neighbours.connections.values());
        all.filter(|connection| connection.is_overdue()).for_each(|connection| connection.end());
    }
}

impl Taken {
    fn take(&mut self, caller: CallerNetwork, is_proxy: bool, connection: &Arc<Connection>) -> u64 {
        let number = self.next;
        self.next += 1;
        self.count += 1;
        let neighbours = self.by_caller.entry(caller).or_default();
        neighbours.is_proxy |= is_proxy;
        neighbours.connections.insert(number, Arc::clone(connection));
        number
    }

    /// The place is free; nothing happens where it was already.
    fn give_up(&mut self, caller: CallerNetwork, number: u64) -> Option<Arc<Connection>> {
        let neighbours = self.by_caller.get_mut(&caller)?;
        let connection = neighbours.connections.remove(&number)?;
        if neighbours.connections.is_empty() {
            self.by_caller.remove(&caller);
        }
        self.count -= 1;
        Some(connection)
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

    /// How many are more than newcomers.
    fn count_arrived(&self, among: Among) -> usize {
        let groups = self.by_caller.iter().filter(|(caller, _)| match among {
            Among::Of(one) => **caller == one,
            Among::All { .. } => true,
        });
        let all = groups.flat_map(|(_, group)| group.connections.values());
        all.filter(|connection| !connection.is_arriving()).count()
    }

    /// That of the addresses with most connections, where one of them waits; else of any other. Proxies come last: each
    /// speaks for many clients.
    fn longest_waiting(&self, among: Among) -> Option<(CallerNetwork, u64)> {
        let fewest = match among {
            Among::Of(caller) => {
                let (_, number) = self.by_caller.get(&caller)?.longest_waiting()?;
                return Some((caller, number));
            }
            Among::All { of_at_least } => of_at_least,
        };
        let size = |group: &Neighbours| (!group.is_proxy, group.connections.len());
        let largest = self.by_caller.values().map(size).max()?;
        let chosen = |is_chosen: &dyn Fn(&Neighbours) -> bool| {
            let groups = self.by_caller.iter().filter(|(_, group)| is_chosen(group));
            let waiting =
                groups.filter_map(|(caller, group)| Some((group.is_proxy, group.longest_waiting()?, *caller)));
            waiting.min().map(|(_, (_, number), caller)| (caller, number))
        };
        chosen(&|group| size(group) == largest).or_else(|| chosen(&|group| group.connections.len() >= fewest))
    }
}

impl Neighbours {
    /// Since when the longest waiting one waits, and its number.
    fn longest_waiting(&self) -> Option<(u64, u64)> {
        self.connections.iter().filter_map(|(number, connection)| Some((connection.waiting_since()?, *number))).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(total: u32, per_address: u32) -> Arc<Room> {
        let mut http = sports_settings::Settings::default().http;
        http.max_connections = total.try_into().expect("above zero");
        http.max_connections_per_address = per_address.try_into().expect("above zero");
        http.trusted_proxies = "10.0.0.0/8".parse().expect("networks");
        Arc::new(Room::new(&http, usize::MAX, Arc::new(Tally::default())))
    }

    fn admit(room: &Arc<Room>, address: &str, phase: Phase, since: u64) -> Place {
        let place = room.admit(address.parse().expect("an address")).expect("a place");
        place.connection().put(phase, since);
        place
    }

    fn ended(places: &[Place]) -> Vec<usize> {
        places.iter().enumerate().filter(|(_, place)| place.connection().is_ending()).map(|(at, _)| at).collect()
    }

    #[test]
    fn an_address_with_its_share_gives_up_its_own_longest_waiting_connection() {
        let room = room(100, 3);
        let mut places = vec![
            admit(&room, "192.0.2.9", Phase::Idle, 1),
            admit(&room, "192.0.2.1", Phase::Work, 1),
            admit(&room, "192.0.2.1", Phase::Sending, 9),
            admit(&room, "::ffff:192.0.2.1", Phase::Head, 8),
        ];
        places.push(admit(&room, "192.0.2.1", Phase::Work, 10));
        assert_eq!(ended(&places), [3]);
        places.push(admit(&room, "192.0.2.1", Phase::Work, 11));
        assert_eq!(ended(&places), [2, 3]);
        assert!(room.admit("192.0.2.1".parse().expect("an address")).is_none(), "all are being answered");
        assert_eq!((room.tally.made_room(), room.tally.turned_away()), (2, 1));
    }

    #[test]
    fn a_network_of_64_bits_has_one_share_and_a_trusted_proxy_any() {
        let room = room(100, 1);
        let places = [
            admit(&room, "2001:db8::1", Phase::Idle, 1),
            admit(&room, "2001:db8::2", Phase::Idle, 2),
            admit(&room, "10.0.0.1", Phase::Idle, 1),
            admit(&room, "10.0.0.1", Phase::Idle, 1),
        ];
        assert_eq!(ended(&places), [0]);
    }

    #[test]
    fn a_full_room_takes_from_the_address_that_has_most_and_from_proxies_last() {
        let room = room(6, 100);
        let mut places = vec![
            admit(&room, "10.0.0.1", Phase::Idle, 0),
            admit(&room, "10.0.0.1", Phase::Idle, 0),
            admit(&room, "10.0.0.1", Phase::Idle, 0),
            admit(&room, "192.0.2.1", Phase::Idle, 1),
            admit(&room, "192.0.2.2", Phase::Head, 3),
            admit(&room, "192.0.2.2", Phase::Body, 2),
        ];
        places.push(admit(&room, "192.0.2.3", Phase::Work, 4));
        assert_eq!(ended(&places), [5]);
        places.push(admit(&room, "192.0.2.3", Phase::Work, 5));
        assert_eq!(ended(&places), [3, 5], "of those with as many, the longest waiting");
        places.push(admit(&room, "192.0.2.3", Phase::Work, 6));
        assert_eq!(ended(&places), [0, 3, 5], "of the untrusted ones the largest has none that waits");
        assert!(
            places[4].connection().waiting_since().is_some(),
            "a smaller one does, and gives none up for the largest"
        );
        places.push(admit(&room, "192.0.2.4", Phase::Work, 7));
        assert_eq!(ended(&places), [0, 3, 4, 5], "but for one that has none");
        places.push(admit(&room, "192.0.2.4", Phase::Work, 8));
        assert_eq!(ended(&places).len(), 5, "the proxy has the only ones that wait");
    }

    #[test]
    fn a_connection_that_was_just_made_has_time_to_ask() {
        let room = room(1, 1);
        let newest = room.admit("192.0.2.1".parse().expect("an address")).expect("a place");
        newest.connection().on_empty_read();
        let places =
            [newest, admit(&room, "192.0.2.1", Phase::Head, 60_000), admit(&room, "192.0.2.2", Phase::Work, 0)];
        assert_eq!(ended(&places), [1]);
        assert!(room.admit("192.0.2.1".parse().expect("an address")).is_none());
    }

    #[test]
    fn connections_that_came_together_are_all_looked_at_before_one_goes() {
        let room = room(2, 2);
        let mut places: Vec<_> = (1..=5).map(|since| admit(&room, "192.0.2.1", Phase::New, since)).collect();
        assert!(ended(&places).is_empty());
        room.end_surplus();
        assert!(ended(&places).is_empty(), "none of them is known to wait");
        for (since, place) in (0..).zip(&places) {
            place.connection().put(Phase::Head, since);
        }
        room.end_surplus();
        assert_eq!(ended(&places), [0, 1, 2]);
        places.push(admit(&room, "192.0.2.1", Phase::New, 0));
        assert_eq!(ended(&places), [0, 1, 2, 3]);
    }

    #[test]
    fn a_place_is_given_up_once() {
        let room = room(2, 2);
        let first = admit(&room, "192.0.2.1", Phase::Idle, 1);
        let second = admit(&room, "192.0.2.1", Phase::Idle, 2);
        let third = admit(&room, "192.0.2.1", Phase::Idle, 3);
        assert!(first.connection().is_ending());
        drop((first, second));
        assert_eq!(room.taken().count, 1);
        drop(third);
        let taken = room.taken();
        assert_eq!((taken.count, taken.by_caller.len()), (0, 0));
    }
}
