use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use sports_accounts::ProcessId;
use sports_ports::calls::CallObserver;
use sports_ports::{PortError, error_chain};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::address::RedisAddress;
use super::connection::Connection;

/// The link with Redis: the connection on which servers count together, while there is one.
pub struct Link {
    client: RedisAddress,
    process: ProcessId,
    observer: CallObserver,
    state: watch::Sender<LinkState>,
    /// The number of connections so far.
    opened: AtomicU64,
    /// The policy by which Redis evicts keys, where it has one.
    evicts: Mutex<Option<String>>,
}

/// The connection, or the reason of its end.
pub type LinkState = Result<Arc<Connection>, Ending>;

/// The reason of the end of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Redis lost its data.
    Emptied,
    /// Redis did not reply in time, or with an error.
    Failed(String),
}

impl From<redis::RedisError> for Ending {
    fn from(error: redis::RedisError) -> Self {
        Self::Failed(error_chain(&error))
    }
}

impl Link {
    /// The longest time for the first connection, before a starting server counts without Redis.
    const START: Duration = Duration::from_secs(3);

    /// The interval between checks of Redis.
    const CHECK: Duration = Duration::from_secs(1);

    /// The pause before the next connection, at first and at most.
    const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(2)];

    /// The age of a connection that resets the pause.
    const WELL: Duration = Duration::from_secs(10);

    /// Creates the link with the Redis at an address, which [`run`](Self::run) connects. `observer` sees the requests to
    /// Redis. No other process ever has the name `process`.
    pub fn new(address: RedisAddress, process: ProcessId, observer: CallObserver) -> Self {
        let state = watch::Sender::new(Err(Ending::Failed("there is no connection yet".to_owned())));
        Self { client: address, process, observer, state, opened: AtomicU64::new(0), evicts: Mutex::default() }
    }

    /// Waits for the first connection, as long as a start may take.
    pub async fn connected(&self) {
        let mut state = self.state.subscribe();
        let _ = timeout(Self::START, state.wait_for(Result::is_ok)).await;
    }

    /// Returns the connection, if there is one.
    pub(crate) fn connection(&self) -> Option<Arc<Connection>> {
        self.state.borrow().as_ref().ok().map(Arc::clone)
    }

    /// Returns true if a connection has not ended.
    pub(crate) fn is_current(&self, connection: &Connection) -> bool {
        self.state.borrow().as_ref().is_ok_and(|current| current.number() == connection.number())
    }

    /// Returns the changes of the connection.
    pub(crate) fn changes(&self) -> watch::Receiver<LinkState> {
        self.state.subscribe()
    }

    /// Ends a connection, unless another one has replaced it.
    pub(crate) fn end(&self, connection: &Connection, ending: Ending) {
        self.state.send_if_modified(|state| {
            let is_current = state.as_ref().is_ok_and(|current| current.number() == connection.number());
            if is_current {
                *state = Err(ending);
            }
            is_current
        });
    }

    /// Completes when there is no connection any more; returns the reason.
    async fn ended(&self) -> Ending {
        let mut state = self.state.subscribe();
        let ended = state.wait_for(Result::is_err).await.map(|state| state.clone());
        ended.ok().and_then(Result::err).unwrap_or(Ending::Emptied)
    }

    /// Notes the policy by which Redis makes room; logs one that evicts keys. A Redis that refuses the request has no known
    /// policy.
    async fn check_policy(&self, connection: &Connection) {
        let Ok(policy) = connection.eviction_policy().await else { return };
        let evicts = policy.filter(|policy| policy != "noeviction");
        let before = std::mem::replace(&mut *self.evicts(), evicts.clone());
        if let (Some(warning), true) = (self.restriction(), before != evicts) {
            tracing::warn!("{warning}");
        }
    }

    /// Returns the fault of the configuration of Redis; `None` without one.
    pub fn restriction(&self) -> Option<String> {
        let policy = self.evicts().clone()?;
        Some(format!(
            "Redis evicts keys, and counts of calls with them: its maxmemory-policy is {policy}, set it to noeviction"
        ))
    }

    fn evicts(&self) -> MutexGuard<'_, Option<String>> {
        self.evicts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that servers count together, by a request to Redis.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] with the reason, when they do not.
    pub async fn ping(&self) -> Result<(), PortError> {
        let state = self.state.borrow().clone();
        let ending = match state {
            Ok(connection) => match connection.is_marked().await {
                Ok(true) => return Ok(()),
                Ok(false) => Ending::Emptied,
                Err(error) => error.into(),
            },
            Err(ending) => ending,
        };
        Err(PortError::unavailable(
            "limits",
            match ending {
                Ending::Emptied => "it lost what it had".to_owned(),
                Ending::Failed(reason) => reason,
            },
        ))
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("is_connected", &self.connection().is_some()).finish_non_exhaustive()
    }
}

impl Link {
    /// Connects to Redis whenever there is no connection, and checks the connection, for as long as the link is used
    /// elsewhere; calls `checked` after each check and each failed attempt. Logs outages.
    pub async fn run(link: Weak<Self>, checked: impl Fn()) {
        let [first_pause, longest_pause] = Self::PAUSES;
        let (mut pause, mut is_away) = (first_pause, false);
        while let Some(connecting) = link.upgrade() {
            let began = Instant::now();
            let opened = connecting.connect().await;
            drop(connecting);
            checked();
            let ending = match opened {
                Ok(connection) => {
                    if std::mem::take(&mut is_away) {
                        tracing::info!("limits are shared again");
                    }
                    watch(&link, &connection, &checked).await
                }
                Err(ending) => ending,
            };
            if began.elapsed() > Self::WELL {
                pause = first_pause;
            }
            match ending {
                Ending::Emptied => {
                    tracing::warn!("Redis lost the counts of calls, which are restored from the database");
                }
                Ending::Failed(reason) if !is_away => {
                    is_away = true;
                    tracing::warn!(reason, "limits are not shared, and each machine limits calls by itself: {reason}");
                }
                Ending::Failed(_) => {}
            }
            sleep(pause).await;
            pause = (2 * pause).min(longest_pause);
        }
    }

    /// Opens a connection, which takes the place of the one before.
    async fn connect(&self) -> LinkState {
        let number = self.opened.fetch_add(1, Relaxed) + 1;
        let opened = Connection::open(&self.client.0, self.process, number, self.observer.clone()).await;
        let state = match opened {
            Ok(connection) => {
                self.check_policy(&connection).await;
                Ok(Arc::new(connection))
            }
            Err(error) => Err(error.into()),
        };
        drop(self.state.send_replace(state.clone()));
        state
    }
}

/// Checks a connection until it has ended; returns the reason.
async fn watch(link: &Weak<Link>, connection: &Connection, checked: impl Fn()) -> Ending {
    loop {
        let Some(link) = link.upgrade() else { return Ending::Emptied };
        if let Ok(ending) = timeout(Link::CHECK, link.ended()).await {
            return ending;
        }
        match connection.is_marked().await {
            Ok(true) => link.check_policy(connection).await,
            Ok(false) => link.end(connection, Ending::Emptied),
            Err(error) => link.end(connection, error.into()),
        }
        checked();
    }
}
