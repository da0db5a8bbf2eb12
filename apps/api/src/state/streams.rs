//! The open streams of this server, and what they wait for: the standing of each league, and the end of a caller's right.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use futures::StreamExt;
use futures::stream;
use sports_accounts::{CallerNetwork, CustomerId, KeyDigest};
use sports_domain::Sport;
use sports_ports::accounts::KeyHolder;
use sports_ports::metering::{Admission, Arrival};
use sports_publication::slate::freshness::Assessment;
use sports_telemetry::metrics::{Exposition, Kind};
use sports_usecases::record::EntryFacts;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep};

use super::AppState;
use crate::error::ApiError;

/// The streams that are open on this server.
#[derive(Default)]
pub struct Streams {
    open: Mutex<Open>,
    standings: watch::Sender<Standings>,
    /// The time at which the standings were determined last.
    determined: tokio::sync::Mutex<Option<Instant>>,
}

/// The standing of each league on this server.
pub(crate) type Standings = Arc<BTreeMap<Sport, Standing>>;

/// The current entry and the data status of a league.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Standing {
    /// `None` for a league without releases.
    pub(crate) current: Option<EntryFacts>,
    pub(crate) status: Assessment,
}

#[derive(Default)]
struct Open {
    next: u64,
    streams: HashMap<u64, Arc<StreamState>>,
    counts: HashMap<StreamOwner, usize>,
}

/// A caller with a limit on open streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum StreamOwner {
    Customer(CustomerId),
    Address(CallerNetwork),
    /// A trusted proxy, without a limit.
    Proxy,
}

/// The state of a stream, which its body and the background share.
struct StreamState {
    owner: StreamOwner,
    /// The key and the address that it is used from; `None` for a public stream.
    key: Option<(KeyDigest, IpAddr)>,
    /// The uptime from which another call counts, in seconds.
    charged_until: AtomicU64,
    end: OnceLock<StreamEnd>,
    ended: Notify,
}

/// The reason for which the server ends a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamEnd {
    /// The key gives no access any more.
    Key,
    /// The quota of the month is used up.
    Month,
    /// The server shuts down.
    Shutdown,
}

/// An open stream. The drop closes it.
pub(crate) struct OpenStream {
    streams: Arc<Streams>,
    number: u64,
    state: Arc<StreamState>,
}

impl OpenStream {
    /// Returns the reason for which the stream is to end; `None` while it is not.
    pub(crate) fn end(&self) -> Option<StreamEnd> {
        self.state.end.get().copied()
    }

    /// Waits until the stream is to end.
    pub(crate) async fn ended(&self) {
        if self.end().is_none() {
            self.state.ended.notified().await;
        }
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.streams.open().remove(self.number);
    }
}

impl StreamState {
    fn end(&self, end: StreamEnd) {
        // The first reason stays.
        let _ = self.end.set(end);
        // Kept for the one waiter, if it does not wait yet.
        self.ended.notify_one();
    }
}

impl Open {
    fn remove(&mut self, number: u64) {
        let Some(stream) = self.streams.remove(&number) else { return };
        if let Some(count) = self.counts.get_mut(&stream.owner) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&stream.owner);
            }
        }
    }
}

impl StreamOwner {
    /// Returns the most open streams, and whose they are.
    const fn limit(self) -> (usize, &'static str) {
        match self {
            Self::Customer(_) => (8, "of a customer"),
            Self::Address(_) => (32, "of an address"),
            Self::Proxy => (usize::MAX, "of a proxy"),
        }
    }
}

impl Streams {
    /// The time between two assessments of the leagues while a stream is open.
    const ASSESSED: Duration = Duration::from_secs(1);

    /// The time between two checks of the keys. Together with the second for which a key is cached, a revocation elsewhere takes
    /// less than two.
    const CHECKED: Duration = Duration::from_millis(500);

    /// The seconds for which one call is counted.
    const CALL: u64 = 60 * 60;

    /// The number of keys that are looked up at a time.
    const LOOKUPS: usize = 16;

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a stream of the holder of a key, or of an address.
    ///
    /// # Errors
    ///
    /// [`ApiError::TooManyRequests`] if the caller has too many.
    pub(crate) fn begin(
        self: &Arc<Self>,
        app: &AppState,
        holder: Option<&KeyHolder>,
        address: IpAddr,
    ) -> Result<OpenStream, ApiError> {
        let owner = match holder {
            Some(holder) => StreamOwner::Customer(holder.customer.id),
            None if app.callers.proxies.trusts(address) => StreamOwner::Proxy,
            None => StreamOwner::Address(address.into()),
        };
        let state = Arc::new(StreamState {
            owner,
            key: holder.map(|holder| (holder.key.digest, address)),
            charged_until: AtomicU64::new(app.clock.uptime().as_secs() + Self::CALL),
            end: OnceLock::new(),
            ended: Notify::new(),
        });
        let mut open = self.open();
        let count = open.counts.entry(owner).or_default();
        let (most, whose) = owner.limit();
        if *count >= most {
            return Err(ApiError::too_many_streams(most, whose));
        }
        *count += 1;
        let number = open.next;
        open.next += 1;
        open.streams.insert(number, Arc::clone(&state));
        drop(open);
        // After the registration: a shutdown that begins in between ends the stream, too.
        if app.operations.draining.has_begun() {
            state.end(StreamEnd::Shutdown);
        }
        Ok(OpenStream { streams: Arc::clone(self), number, state })
    }

    /// Returns a receiver of the standings, which are not older than a second.
    pub(crate) async fn standings(&self, app: &AppState) -> watch::Receiver<Standings> {
        let receiver = self.standings.subscribe();
        self.determine(app, Self::ASSESSED).await;
        receiver
    }

    /// Determines the standing of each league, unless they were determined within `recent`.
    async fn determine(&self, app: &AppState, recent: Duration) {
        let mut determined = self.determined.lock().await;
        if determined.is_some_and(|at| at.elapsed() < recent) {
            return;
        }
        let at = Instant::now();
        let standings = standings(app).await;
        self.standings.send_if_modified(|known| {
            let is_other = **known != standings;
            if is_other {
                *known = Arc::new(standings);
            }
            is_other
        });
        *determined = Some(at);
    }

    fn all(&self) -> Vec<Arc<StreamState>> {
        self.open().streams.values().cloned().collect()
    }

    /// Ends the streams of keys without access, and counts the calls that are due.
    async fn check_keys(&self, app: &AppState) {
        let keyed = self.all();
        let keys: HashSet<_> = keyed.iter().filter_map(|stream| stream.key.map(|(digest, _)| digest)).collect();
        let looked_up = stream::iter(keys).map(async |digest| (digest, app.callers.keys.holder(&digest).await));
        let mut looked_up = pin!(looked_up.buffer_unordered(Self::LOOKUPS));
        while let Some((digest, found)) = looked_up.next().await {
            // While keys cannot be looked up, streams go on.
            let Ok(holder) = found else { continue };
            for stream in &keyed {
                if let Some((_, address)) = stream.key.filter(|(key, _)| *key == digest) {
                    match holder.as_deref().filter(|holder| has_access(app, holder, address)) {
                        Some(holder) => charge(app, stream, holder).await,
                        None => stream.end(StreamEnd::Key),
                    }
                }
            }
        }
    }

    /// Writes the number of open streams.
    pub(crate) fn expose(&self, exposition: &mut Exposition<'_>) {
        let open = self.open();
        let keyed = open.streams.values().filter(|stream| stream.key.is_some()).count();
        let help = "Open streams of events, by whether their caller has a key.";
        let mut family = exposition.family("streams_open", Kind::Gauge, help);
        family.sample(&[("caller", "key")], keyed);
        family.sample(&[("caller", "public")], open.streams.len() - keyed);
    }
}

/// Returns the standing of each league that can be determined now.
pub(crate) async fn standings(app: &AppState) -> BTreeMap<Sport, Standing> {
    let mut standings = BTreeMap::new();
    for sport in Sport::ALL {
        let Ok(current) = app.published.generations.current(sport) else { continue };
        let Ok(status) = app.published.data_status.league(sport).await else { continue };
        let current = current.map(|league| EntryFacts::from(&league.entry));
        standings.insert(sport, Standing { current, status: status.verdict });
    }
    standings
}

fn has_access(app: &AppState, holder: &KeyHolder, address: IpAddr) -> bool {
    let networks = &holder.key.allowed_networks;
    let is_allowed = networks.is_empty() || networks.contains(address);
    is_allowed && holder.key.is_active(app.clock.now()) && holder.customer.is_subscribed()
}

/// The path of streams, by which their calls are counted.
pub const STREAM: &str = "/api/v1/stream";

/// Counts a call of a stream, if its hour is over.
async fn charge(app: &AppState, stream: &StreamState, holder: &KeyHolder) {
    let until = stream.charged_until.load(Relaxed);
    if stream.end.get().is_some() || app.clock.uptime().as_secs() < until {
        return;
    }
    let meter = &app.callers.meter;
    match meter.admit(holder.customer.id, holder.customer.tier(), Arrival::now(&*app.clock)).await {
        Ok(Admission::Admitted(call)) => {
            meter.keep(call);
            app.callers.key_uses.count(call.customer, holder.key.digest, STREAM);
            stream.charged_until.store(until + Streams::CALL, Relaxed);
        }
        Ok(Admission::MonthIsFull { .. }) => stream.end(StreamEnd::Month),
        // Tried again at the next check.
        Ok(Admission::SecondIsFull { .. }) | Err(_) => {}
    }
}

/// Starts the tasks of streams, which run for as long as the state exists.
pub fn start_streams(app: &Arc<AppState>) {
    let tasks = &app.operations.tasks;
    let state = Arc::downgrade(app);
    drop(tasks.supervise("streams", move |pulse| {
        let state = Weak::clone(&state);
        async move {
            let parts = state.upgrade();
            let parts = parts.map(|app| (app.published.generations.watch(), Arc::clone(&app.operations.draining)));
            let Some((mut changes, draining)) = parts else { return };
            let mut is_ending = false;
            loop {
                let recent = tokio::select! {
                    () = draining.begun(), if !is_ending => Streams::ASSESSED,
                    Ok(()) = changes.changed() => Duration::ZERO,
                    () = sleep(Streams::ASSESSED) => Streams::ASSESSED / 2,
                };
                let Some(app) = state.upgrade() else { return };
                if !is_ending && draining.has_begun() {
                    is_ending = true;
                    app.streams.all().iter().for_each(|stream| stream.end(StreamEnd::Shutdown));
                }
                if app.streams.standings.receiver_count() > 0 {
                    app.streams.determine(&app, recent).await;
                } else if recent.is_zero() {
                    // The next stream must not begin with what was current before.
                    *app.streams.determined.lock().await = None;
                }
                pulse.beat();
            }
        }
    }));
    let state = Arc::downgrade(app);
    drop(tasks.supervise("keys of streams", move |pulse| {
        let state = Weak::clone(&state);
        async move {
            while let Some(app) = state.upgrade() {
                app.streams.check_keys(&app).await;
                drop(app);
                pulse.beat();
                sleep(Streams::CHECKED).await;
            }
        }
    }));
}
