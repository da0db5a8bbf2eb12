//! The counts and limits of calls.

use std::error::Error;
use std::sync::{Arc, Weak};

use futures::FutureExt;
use futures::future::OptionFuture;
use sports_accounts::ProcessId;
use sports_accounts_sea_orm::AccountsDatabase;
use sports_limits::{
    Commits, Link, LocalAddressLimit, LocalMeter, RedisAddress, RedisAddressLimit, RedisMeter, Seconds,
};
use sports_ports::metering::{AddressLimit, Meter};
use sports_ports::{Clock, random_bytes};
use sports_program::SystemRandom;
use sports_program::settings::{Limits, Settings};
use sports_telemetry::dependencies::Dependencies;
use sports_telemetry::{BackgroundTasks, Pulse};
use sports_usecases::probes::{Ping, RestrictionCheck};

use crate::state::CallLimits;

/// The parts that count calls and limit callers.
pub(super) struct Metering {
    pub meter: Arc<dyn Meter>,
    pub addresses: Arc<dyn AddressLimit>,
    pub failed_keys: Arc<dyn AddressLimit>,
    /// The commits of the counts to the database.
    pub counts: Commits,
    /// The ping of the shared limits, if servers share them.
    pub shared_ping: Option<Ping>,
    /// The check of the configuration of the shared limits.
    pub restriction_check: Option<RestrictionCheck>,
}

/// Builds the parts: calls are counted in memory, or in Redis if the settings name one.
pub(super) async fn metering(
    tasks: &BackgroundTasks,
    dependencies: &Dependencies,
    settings: &Settings,
    database: &AccountsDatabase,
    clock: &Arc<dyn Clock>,
) -> Result<Metering, Box<dyn Error + Send + Sync>> {
    // Checked before any database query: a bad address is a bad setting.
    let redis = settings.limits.redis.as_ref().map(|address| RedisAddress::new(address.reveal())).transpose()?;
    let process = ProcessId::from_random(random_bytes(&SystemRandom)?);
    // The database observes its own calls.
    let local = LocalMeter::start(Arc::new(database.clone()), process, customer_limits(settings), clock.now()).await?;
    let local = Arc::new(local);
    let counts = Commits::new(Arc::clone(&local), Arc::clone(clock));
    let running = counts.clone();
    drop(tasks.supervise("counts", move |pulse| running.clone().run(move || pulse.beat())));
    let per_second = settings.limits.public_per_second;
    let local_addresses = LocalAddressLimit::new(per_second);
    // Each machine limits by itself: the limit protects its own lookups.
    let failed_keys = Arc::new(LocalAddressLimit::new(settings.limits.failed_keys_per_second));
    let Some(address) = redis else {
        let addresses = Arc::new(local_addresses);
        return Ok(Metering {
            meter: local,
            addresses,
            failed_keys,
            counts,
            shared_ping: None,
            restriction_check: None,
        });
    };
    let link = link(tasks, address, process, dependencies).await;
    let seconds = Seconds::OfRedis;
    let meter = Arc::new(RedisMeter::new(local, Arc::clone(&link), seconds));
    let counting = Arc::downgrade(&meter);
    drop(tasks.supervise("counts in Redis", move |pulse| {
        let catching_up = counting.upgrade().map(|meter| meter.catching_up(move || pulse.beat()));
        async move { OptionFuture::from(catching_up).await.unwrap_or_default() }
    }));
    let addresses =
        Arc::new(RedisAddressLimit { link: Arc::clone(&link), per_second, seconds, local: local_addresses });
    let configured = Arc::clone(&link);
    let check: RestrictionCheck = Box::new(move || configured.restriction());
    let ping: Ping = Box::new(move || {
        let link = Arc::clone(&link);
        async move { link.ping().await }.boxed()
    });
    Ok(Metering { meter, addresses, failed_keys, counts, shared_ping: Some(ping), restriction_check: Some(check) })
}

/// Connects to Redis; returns after the first connection, or when a start cannot wait longer.
async fn link(
    tasks: &BackgroundTasks,
    address: RedisAddress,
    process: ProcessId,
    dependencies: &Dependencies,
) -> Arc<Link> {
    let link = Arc::new(Link::new(address, process, dependencies.limits.observer()));
    let connected = Arc::downgrade(&link);
    let connecting = move |pulse: Pulse| Link::run(Weak::clone(&connected), move || pulse.beat());
    drop(tasks.supervise("connection to Redis", connecting));
    link.connected().await;
    link
}

/// Logs that other servers use the database, where none of them knows the calls of this one.
pub(super) fn warn_of_unshared(settings: &Settings, others: usize) {
    if others > 0 && settings.limits.redis.is_none() {
        tracing::warn!(
            "quotas and limits per second are per server: limits.redis is not set, and other servers use this database \
             ({others})"
        );
    }
}

/// Returns the numbers of calls that are admitted.
pub(super) fn call_limits(settings: &Settings) -> CallLimits {
    let Limits { public_per_second, failed_keys_per_second, key_creations_per_minute, .. } = settings.limits;
    CallLimits {
        customer: customer_limits(settings),
        public_per_second,
        failed_keys_per_second,
        key_creations_per_minute,
    }
}

fn customer_limits(settings: &Settings) -> sports_accounts::Limits {
    let Limits { monthly, per_second, .. } = settings.limits;
    sports_accounts::Limits { monthly, per_second }
}
