use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use sports_accounts::ProcessId;
use sports_ports::{PortError, in_one_line};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::address::RedisAddress;
use super::connection::Connection;

/// The link with Redis: the connection on which servers count together, while there is one.
pub struct Link {
    state: watch::Sender<LinkState>,
    on_failure: OnFailure,
    /// The policy by which Redis evicts keys, where it has one.
    evicts: Mutex<Option<String>>,
}

/// The connection, or the reason of its end.
pub type LinkState = Result<Arc<Connection>, Ending>;

/// An action on each error of Redis, and on each reply that is late.
pub type OnFailure = Arc<dyn Fn() + Send + Sync>;

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
        Self::Failed(in_one_line(&error))
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

    /// Connects to Redis, and connects again whenever a connection has ended, for as long as the link is used. No other
    /// process ever has the name `process`.
    pub async fn start(address: RedisAddress, process: ProcessId, on_failure: OnFailure) -> Arc<Self> {
        let none = Ending::Failed("there is no connection yet".to_owned());
        let state = watch::Sender::new(Err(none));
        let link = Arc::new(Self { state, on_failure, evicts: Mutex::default() });
        tokio::spawn(keep_connected(Arc::downgrade(&link), address, process));
        let mut state = link.state.subscribe();
        let _ = timeout(Self::START, state.wait_for(Result::is_ok)).await;
        link
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
        if let Ending::Failed(_) = ending {
            (self.on_failure)();
        }
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
                Err(error) => {
                    (self.on_failure)();
                    error.into()
                }
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

/// Connects whenever there is no connection, and checks the connection, until the link is dropped. Logs outages.
async fn keep_connected(link: Weak<Link>, address: RedisAddress, process: ProcessId) {
    let [first_pause, longest_pause] = Link::PAUSES;
    let (mut pause, mut is_away) = (first_pause, false);
    for number in 1.. {
        let began = Instant::now();
        let opened = Connection::open(&address.0, process, number).await;
        let ending = match (link.upgrade(), opened) {
            (None, _) => return,
            (Some(link), Ok(connection)) => {
                let connection = Arc::new(connection);
                link.check_policy(&connection).await;
                drop(link.state.send_replace(Ok(Arc::clone(&connection))));
                if std::mem::take(&mut is_away) {
                    tracing::info!("limits are shared again");
                }
                let link = Arc::downgrade(&link);
                watch(&link, &connection).await
            }
            (Some(link), Err(error)) => {
                let ending = Ending::from(error);
                (link.on_failure)();
                drop(link.state.send_replace(Err(ending.clone())));
                ending
            }
        };
        if began.elapsed() > Link::WELL {
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

/// Checks a connection until it has ended; returns the reason.
async fn watch(link: &Weak<Link>, connection: &Connection) -> Ending {
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
    }
}
