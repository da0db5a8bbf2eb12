use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sports_ports::{PortError, in_one_line};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::session::Session;

/// Whether machines count together at the moment: the session with Redis, if there is one.
pub struct Link {
    state: watch::Sender<State>,
    on_failure: OnFailure,
    /// The policy by which Redis evicts keys, where it has one.
    evicts: Mutex<Option<String>>,
}

/// Called each time that Redis does not answer, or answers with an error.
pub type OnFailure = Arc<dyn Fn() + Send + Sync>;

#[derive(Clone)]
enum State {
    /// A session is about to begin: calls wait for it until then.
    Awaited(Instant),
    /// There is one.
    Together(Arc<Session>),
    /// There is none; with the reason.
    Alone(String),
}

/// Why a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Redis lost what it had. Another session is likely to begin at once.
    Emptied,
    /// Redis does not answer, or with an error.
    Failed(String),
}

impl From<redis::RedisError> for Ending {
    fn from(error: redis::RedisError) -> Self {
        Self::Failed(in_one_line(&error))
    }
}

impl Link {
    /// How long calls wait for a session that is to take the place of one in which Redis lost what it had.
    const REPLACING: Duration = Duration::from_millis(500);

    /// There is no session yet, and calls wait for the first one for so long.
    pub(crate) fn awaiting(patience: Duration, on_failure: OnFailure) -> Self {
        Self {
            state: watch::Sender::new(State::Awaited(Instant::now() + patience)),
            on_failure,
            evicts: Mutex::default(),
        }
    }

    /// The session, if there is one now.
    pub(crate) fn session_now(&self) -> Option<Arc<Session>> {
        match &*self.state.borrow() {
            State::Together(session) => Some(Arc::clone(session)),
            State::Awaited(_) | State::Alone(_) => None,
        }
    }

    /// The session, if there is one or will be soon.
    pub(crate) async fn session(&self) -> Option<Arc<Session>> {
        let until = match &*self.state.borrow() {
            State::Together(session) => return Some(Arc::clone(session)),
            State::Awaited(until) => *until,
            State::Alone(_) => return None,
        };
        let mut seen = self.state.subscribe();
        let _ = timeout_at(until, seen.wait_for(|state| !matches!(state, State::Awaited(_)))).await;
        self.session_now()
    }

    /// From now on there is one.
    pub(crate) fn begin(&self, session: Arc<Session>) {
        self.state.send_replace(State::Together(session));
    }

    /// There is none, for this reason.
    pub(crate) fn fail(&self, reason: String) {
        (self.on_failure)();
        self.state.send_replace(State::Alone(reason));
    }

    /// A session is over. It may have been before.
    pub(crate) fn end(&self, session: &Session, ending: Ending) {
        if let Ending::Failed(_) = ending {
            (self.on_failure)();
        }
        self.state.send_if_modified(|state| {
            let is_current = matches!(state, State::Together(current) if current.number() == session.number());
            if is_current {
                *state = match ending {
                    Ending::Emptied => State::Awaited(Instant::now() + Self::REPLACING),
                    Ending::Failed(reason) => State::Alone(reason),
                };
            }
            is_current
        });
    }

    /// Returns once there is no session any more; gives why.
    pub(crate) async fn ended(&self) -> Ending {
        let mut seen = self.state.subscribe();
        let state = seen.wait_for(|state| !matches!(state, State::Together(_))).await.map(|state| state.clone());
        match state {
            Ok(State::Alone(reason)) => Ending::Failed(reason),
            Ok(State::Awaited(_) | State::Together(_)) | Err(_) => Ending::Emptied,
        }
    }

    /// Notes the policy by which Redis makes room; logs one that evicts keys.
    pub(crate) fn note_policy(&self, policy: Option<String>) {
        let evicts = policy.filter(|policy| policy != "noeviction");
        let before = std::mem::replace(&mut *self.evicts(), evicts.clone());
        if let (Some(warning), true) = (self.concern(), before != evicts) {
            tracing::warn!("{warning}");
        }
    }

    /// Returns what is wrong with the configuration of Redis, if anything is.
    #[must_use]
    pub fn concern(&self) -> Option<String> {
        let policy = self.evicts().clone()?;
        Some(format!(
            "Redis evicts keys, and counts of calls with them: its maxmemory-policy is {policy}, set it to noeviction"
        ))
    }

    fn evicts(&self) -> MutexGuard<'_, Option<String>> {
        self.evicts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says whether machines count together, after a look at Redis.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] with the reason, when they do not.
    pub async fn ping(&self) -> Result<(), PortError> {
        let reason = match &*self.state.borrow() {
            State::Together(session) => Ok(Arc::clone(session)),
            State::Awaited(_) => Err("there is no connection yet".to_owned()),
            State::Alone(reason) => Err(reason.clone()),
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
