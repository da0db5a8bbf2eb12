//! What the health routes ask: the parts the service depends on, and how far it has read the log.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, OptionFuture};
use sports_ports::publication::PublicationLog;
use sports_ports::{PortError, in_one_line};
use sports_usecases::record::{CurrentGenerations, StoreStatus};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// Asks a part for a sign of life.
pub type Ping = Box<dyn Fn() -> BoxFuture<'static, Result<(), PortError>> + Send + Sync>;

/// The ways of asking the database.
pub struct DatabasePings {
    /// Reads.
    pub reading: Ping,
    /// Writes something.
    pub writing: Ping,
}

/// Reads from memory what health has to report of a part; `None` when there is nothing.
pub type Concern = Box<dyn Fn() -> Option<String> + Send + Sync>;

/// The concerns of parts that work, but not as they should.
pub struct Concerns {
    /// The disk of the database.
    pub database: Option<Concern>,
    /// The date of the service and the system clock.
    pub clock: Concern,
    /// The configuration of what machines limit calls with together.
    pub limits: Option<Concern>,
    /// The settings of this node and of the others.
    pub settings: Option<Concern>,
}

/// The concerns that there are: sentences for the operator, without secrets.
#[derive(Debug, Clone, Default)]
pub struct Raised {
    /// The disk of the database.
    pub database: Option<String>,
    /// The date of the service and the system clock.
    pub clock: Option<String>,
    /// The configuration of what machines limit calls with together.
    pub limits: Option<String>,
    /// The settings of this node and of the others.
    pub settings: Option<String>,
}

impl Concerns {
    fn raised(&self) -> Raised {
        let of = |concern: &Option<Concern>| concern.as_ref().and_then(|concern| concern());
        Raised {
            database: of(&self.database),
            clock: (self.clock)(),
            limits: of(&self.limits),
            settings: of(&self.settings),
        }
    }
}

/// The ways of asking all parts but the store.
pub struct Pings {
    /// The database.
    pub database: DatabasePings,
    /// What machines limit calls with together, where they are to.
    pub limits: Option<Ping>,
    /// The concerns beside the answers.
    pub concerns: Concerns,
}

/// Asks the parts for a sign of life, however often it is asked itself: an answer is kept for a second,
/// so a probe can be public.
pub struct Probes {
    pings: Pings,
    object_storage: Arc<dyn PublicationLog>,
    generations: Arc<CurrentGenerations>,
    latest: Mutex<Option<(Instant, Checkup)>>,
}

/// How the parts are.
#[derive(Debug, Clone)]
pub struct Checkup {
    /// The database of customers and keys, when it is read.
    pub database: Vital,
    /// The same, when something is written.
    pub writing: Vital,
    /// The store of published data.
    pub object_storage: Vital,
    /// What machines limit calls with together, where they are to.
    pub limits: Option<Vital>,
    /// How following the log goes.
    pub log: StoreStatus,
    /// The concerns beside the answers.
    pub raised: Raised,
}

/// How one part answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vital {
    /// Whether it did.
    pub answers: bool,
    /// After how long.
    pub latency: Duration,
}

impl Probes {
    /// How long a part may take to answer before it counts as unavailable: who asks for our health is answered within two
    /// seconds.
    const PATIENCE: Duration = Duration::from_millis(1_500);

    /// For how long an answer is good.
    const FRESH: Duration = Duration::from_secs(1);

    /// Asks these parts.
    #[must_use]
    pub fn new(pings: Pings, object_storage: Arc<dyn PublicationLog>, generations: Arc<CurrentGenerations>) -> Self {
        Self { pings, object_storage, generations, latest: Mutex::new(None) }
    }

    /// How the parts are now, or were within the last second.
    pub async fn checkup(&self) -> Checkup {
        let mut latest = self.latest.lock().await;
        if let Some((_, checkup)) = latest.as_ref().filter(|(at, _)| at.elapsed() < Self::FRESH) {
            let (log, raised) = (self.generations.status(), self.pings.concerns.raised());
            return Checkup { log, raised, ..checkup.clone() };
        }
        let Pings { database, limits, concerns } = &self.pings;
        let limits = limits.as_ref().map(|limits| vital("shared limits", limits()));
        let (database, writing, object_storage, limits) = futures::join!(
            vital("database", (database.reading)()),
            vital("database, when written to,", (database.writing)()),
            vital("object storage", self.object_storage.ping()),
            OptionFuture::from(limits)
        );
        let (log, raised) = (self.generations.status(), concerns.raised());
        let checkup = Checkup { database, writing, object_storage, limits, log, raised };
        *latest = Some((Instant::now(), checkup.clone()));
        checkup
    }
}

async fn vital(part: &str, ping: impl Future<Output = Result<(), PortError>>) -> Vital {
    let started = Instant::now();
    let answer = timeout(Probes::PATIENCE, ping).await;
    let trouble = match &answer {
        Ok(Ok(())) => None,
        Ok(Err(PortError::Unavailable { source, .. } | PortError::Corrupt { source, .. })) => {
            Some(in_one_line(&**source))
        }
        Err(_) => Some("no answer in time".to_owned()),
    };
    if let Some(trouble) = &trouble {
        tracing::warn!(part, trouble, "the {part} did not answer a probe: {trouble}");
    }
    Vital { answers: trouble.is_none(), latency: started.elapsed() }
}
