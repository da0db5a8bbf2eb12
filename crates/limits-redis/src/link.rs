use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sports_ports::{PortError, in_one_line};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::session::Session;

/// The link with Redis: the session in which machines count together, if there is one.
pub struct Link {
    state: watch::Sender<State>,
    on_failure: OnFailure,
    /// The policy by which Redis evicts keys, where it has one.
    evicts: Mutex<Option<String>>,
}

/// An action on each error of Redis, and on each reply that is late.
pub type OnFailure = Arc<dyn Fn() + Send + Sync>;

#[derive(Clone)]
enum State {
    /// A session is about to begin: calls are delayed until then at most.
    Pending(Instant),
    /// The session in which machines count together.
    Shared(Arc<Session>),
    /// No session, with the reason: each machine counts by itself.
    Unshared(String),
}

/// The reason of the end of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Redis lost its data. Another session is likely to begin at once.
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
    /// The longest delay of calls until the session that replaces a session in which Redis lost its data.
    const REPLACING: Duration = Duration::from_millis(500);

    /// Returns a link without a session, whose calls are delayed for at most `timeout` until the first session.
    pub(crate) fn pending(timeout: Duration, on_failure: OnFailure) -> Self {
        Self {
            state: watch::Sender::new(State::Pending(Instant::now() + timeout)),
            on_failure,
            evicts: Mutex::default(),
        }
    }

    /// Returns the session, if there is one now.
    pub(crate) fn session_now(&self) -> Option<Arc<Session>> {
        match &*self.state.borrow() {
            State::Shared(session) => Some(Arc::clone(session)),
            State::Pending(_) | State::Unshared(_) => None,
        }
    }

    /// Returns the session, if there is one or will be soon.
    pub(crate) async fn session(&self) -> Option<Arc<Session>> {
        let until = match &*self.state.borrow() {
            State::Shared(session) => return Some(Arc::clone(session)),
            State::Pending(until) => *until,
            State::Unshared(_) => return None,
        };
        let mut seen = self.state.subscribe();
        let _ = timeout_at(until, seen.wait_for(|state| !matches!(state, State::Pending(_)))).await;
        self.session_now()
    }

    pub(crate) fn begin(&self, session: Arc<Session>) {
        self.state.send_replace(State::Shared(session));
    }

    /// Notes that no session could begin, with the reason.
    pub(crate) fn fail(&self, reason: String) {
        (self.on_failure)();
        self.state.send_replace(State::Unshared(reason));
    }

    /// Ends a session, unless another one has replaced it.
    pub(crate) fn end(&self, session: &Session, ending: Ending) {
        if let Ending::Failed(_) = ending {
            (self.on_failure)();
        }
        self.state.send_if_modified(|state| {
            let is_current = matches!(state, State::Shared(current) if current.number() == session.number());
            if is_current {
                *state = match ending {
                    Ending::Emptied => State::Pending(Instant::now() + Self::REPLACING),
                    Ending::Failed(reason) => State::Unshared(reason),
                };
            }
            is_current
        });
    }

    /// Completes when there is no session any more; returns the reason.
    pub(crate) async fn ended(&self) -> Ending {
        let mut seen = self.state.subscribe();
        let state = seen.wait_for(|state| !matches!(state, State::Shared(_))).await.map(|state| state.clone());
        match state {
            Ok(State::Unshared(reason)) => Ending::Failed(reason),
            Ok(State::Pending(_) | State::Shared(_)) | Err(_) => Ending::Emptied,
        }
    }

    /// Notes the policy by which Redis makes room; logs one that evicts keys.
    pub(crate) fn note_policy(&self, policy: Option<String>) {
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

    /// Checks that machines count together, by a request to Redis.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] with the reason, when they do not.
    pub async fn ping(&self) -> Result<(), PortError> {
        let reason = match &*self.state.borrow() {
            State::Shared(session) => Ok(Arc::clone(session)),
            State::Pending(_) => Err("there is no connection yet".to_owned()),
            State::Unshared(reason) => Err(reason.clone()),
        };
        let session = reason.map_err(|reason| PortError::unavailable("limits", reason))?;
        match session.is_whole().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(PortError::unavailable("limits", "it lost what it had")),
            Err(error) => {
                (self.on_failure)();
                Err(PortError::unavailable("limits", error))
            }
        }
    }
}
