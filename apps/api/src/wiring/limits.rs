//! Provision of call counts and limits.

use std::error::Error;
use std::io::ErrorKind;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt;
use sports_accounts::{CustomerId, ProcessId, Tier};
use sports_accounts_sea_orm::{AccountsDatabase, COUNTS, DatabaseMeter};
use sports_limits_memory::{CrashFile, LocalAddressLimit, LocalMeter};
use sports_limits_redis::{OnFailure, RedisAddress, RedisAddressLimit, RedisMeter, Seconds, Setup};
use sports_ports::calls::observed;
use sports_ports::metering::{
    AddressLimit, Admission, Arrival, CommittedCounts, CountedCall, Meter, UncountedAdmission, UsageCounts,
};
use sports_ports::{Clock, PortError, in_one_line, random_bytes};
use sports_settings::{Limits, Settings};
use sports_system::SystemRandom;
use sports_telemetry::dependencies::Dependency;
use sports_usecases::metering::{COMMIT_INTERVAL, CommittedMeter};
use sports_usecases::probes::{Ping, RestrictionCheck};

use super::figures;
use crate::api::Api;
use crate::auth::{CallLimits, FailedKeys};

/// The parts that count calls and limit callers.
pub(super) struct Metering {
    meter: Arc<dyn Meter>,
    addresses: Arc<dyn AddressLimit>,
    /// The meter that commits the counts to the database.
    pub counts: CommittedMeter,
    /// The ping of the shared limits, if machines share them.
    pub shared_ping: Option<Ping>,
    /// The check of the configuration of the shared limits.
    pub restriction_check: Option<RestrictionCheck>,
}

/// Builds the parts from the recorded counts, and from those that the last process could not record.
pub(super) async fn metering(
    api: &Api,
    settings: &Settings,
    database: &AccountsDatabase,
    clock: &Arc<dyn Clock>,
) -> Result<Metering, Box<dyn Error + Send + Sync>> {
    match &settings.limits.redis {
        Some(address) => {
            // Checked before any database query: a bad address is a bad setting.
            let address = RedisAddress::new(address.reveal())?;
            in_redis(api, settings, database, clock, address).await
        }
        None if database.file().is_none() => in_database(api, settings, database, clock).await,
        None => in_memory(api, settings, database, clock).await,
    }
}

/// Commits the counts of a meter while the program runs.
fn committed(api: &Api, meter: Arc<dyn CommittedCounts>, clock: &Arc<dyn Clock>) -> CommittedMeter {
    let counts = CommittedMeter::new(meter, Arc::clone(clock));
    let running = counts.clone();
    drop(api.tasks().supervise("counts", move |pulse| running.clone().run(move || pulse.beat())));
    counts
}

/// Counts in the memory of this process.
async fn in_memory(
    api: &Api,
    settings: &Settings,
    database: &AccountsDatabase,
    clock: &Arc<dyn Clock>,
) -> Result<Metering, Box<dyn Error + Send + Sync>> {
    let record: Arc<dyn UsageCounts> = Arc::new(database.clone());
    let kept = recovered_counts(database).await?;
    let mut meter = LocalMeter::start(record, customer_limits(settings), clock.now()).await?;
    if let Some(kept) = kept {
        meter.resume(kept.changes()).await?;
        meter = meter.with_crash_file(kept);
    }
    let meter = Arc::new(meter);
    meter.keep_crash_file(COMMIT_INTERVAL)?;
    let addresses = Arc::new(LocalAddressLimit::new(settings.limits.public_per_second));
    let counts = committed(api, meter.clone(), clock);
    Ok(Metering { meter, addresses, counts, shared_ping: None, restriction_check: None })
}

/// Counts together with other machines, in the database that they share; each limits calls per second by itself.
async fn in_database(
    api: &Api,
    settings: &Settings,
    database: &AccountsDatabase,
    clock: &Arc<dyn Clock>,
) -> Result<Metering, Box<dyn Error + Send + Sync>> {
    let process = ProcessId::from_random(random_bytes(&SystemRandom)?);
    let limits = customer_limits(settings);
    // The database observes its own calls.
    let meter = DatabaseMeter::start(database.clone(), process, limits, clock.now(), Arc::new(|| ())).await?;
    let meter = Arc::new(meter);
    let addresses = Arc::new(LocalAddressLimit::new(settings.limits.public_per_second));
    let counts = committed(api, meter.clone(), clock);
    Ok(Metering { meter, addresses, counts, shared_ping: None, restriction_check: None })
}

/// Counts together with other machines, in Redis.
async fn in_redis(
    api: &Api,
    settings: &Settings,
    database: &AccountsDatabase,
    clock: &Arc<dyn Clock>,
    address: RedisAddress,
) -> Result<Metering, Box<dyn Error + Send + Sync>> {
    if let Some(kept) = recovered_counts(database).await?
        && kept.changes().is_empty()
    {
        kept.remove()?;
    }
    let (limits, seconds, clock) = (customer_limits(settings), Seconds::OfRedis, Arc::clone(clock));
    let process = ProcessId::from_random(random_bytes(&SystemRandom)?);
    let record = Arc::new(database.clone());
    let redis = api.dependencies().limits.clone();
    let failures = redis.clone();
    let on_failure: OnFailure = Arc::new(move || failures.count_failure());
    let meter = Setup { address, process, record, limits, clock: Arc::clone(&clock), on_failure, seconds };
    let meter = RedisMeter::start(meter).await?;
    let (link, meter) = (meter.link(), Arc::new(meter));
    let per_second: NonZeroU32 = settings.limits.public_per_second;
    let local = Arc::new(LocalAddressLimit::new(per_second));
    let addresses = Arc::new(RedisAddressLimit { link: Arc::clone(&link), per_second, seconds, local });
    let counts = committed(api, meter.clone(), &clock);
    let configured = Arc::clone(&link);
    let check: RestrictionCheck = Box::new(move || configured.restriction());
    let ping: Ping = Box::new(move || {
        let link = Arc::clone(&link);
        async move { link.ping().await }.boxed()
    });
    let meter = Arc::new(ObservedLimit { limit: meter, redis: redis.clone() });
    let addresses = Arc::new(ObservedLimit { limit: addresses, redis });
    Ok(Metering { meter, addresses, counts, shared_ping: Some(ping), restriction_check: Some(check) })
}

/// A limit whose calls of Redis are observed. Its failures are counted where a fallback hides them.
struct ObservedLimit<L> {
    limit: Arc<L>,
    redis: Dependency,
}

#[async_trait]
impl Meter for ObservedLimit<RedisMeter> {
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError> {
        observed(Some(&self.redis), self.limit.admit(customer, tier, arrival), |_| false).await
    }

    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError> {
        observed(Some(&self.redis), self.limit.admit_uncounted(customer, arrival), |_| false).await
    }

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        observed(Some(&self.redis), self.limit.give_back(call), |_| false).await
    }
}

#[async_trait]
impl AddressLimit for ObservedLimit<RedisAddressLimit> {
    async fn admits(&self, address: IpAddr, uptime: Duration) -> Result<bool, PortError> {
        observed(Some(&self.redis), self.limit.admits(address, uptime), |_| false).await
    }
}

/// Opens the file of counts beside the database, if there is one, and records its counts. If nothing can be written,
/// the file keeps them.
async fn recovered_counts(database: &AccountsDatabase) -> Result<Option<CrashFile>, Box<dyn Error + Send + Sync>> {
    let Some(file) = database.file() else { return Ok(None) };
    let mut kept = match CrashFile::open(file.beside(COUNTS)) {
        Err(error) if error.kind() == ErrorKind::StorageFull => {
            tracing::error!("counts cannot be kept for the next start: {error}");
            return Ok(None);
        }
        opened => opened?,
    };
    match kept.recover(database).await {
        Err(error @ PortError::Unavailable { .. }) => {
            let causes = in_one_line(&error);
            tracing::error!(causes, "the counts of the last process cannot be recorded yet: {causes}");
        }
        outcome => outcome?,
    }
    Ok(Some(kept))
}

/// Provides the limits on calls, and commits the counts once more at the end.
pub(super) fn provide(api: Api, settings: &Settings, metering: Metering) -> Api {
    let Limits { public_per_second, failed_keys_per_second, .. } = settings.limits;
    let Metering { meter, addresses, counts, .. } = metering;
    if let Some(metrics) = api.metrics() {
        let counts = counts.clone();
        metrics.add_source(figures::pending(move || counts.pending()));
    }
    // Each machine limits by itself: the limit protects its own lookups.
    let failed_keys = Arc::new(LocalAddressLimit::new(failed_keys_per_second));
    let failed_keys = FailedKeys::new(failed_keys, failed_keys_per_second);
    let at_the_end = move || {
        let counts = counts.clone();
        async move { counts.finish().await }
    };
    let limits = CallLimits { customer: customer_limits(settings), public_per_second };
    let api = api.provide(meter).provide(addresses).provide(Arc::new(failed_keys)).provide(Arc::new(limits));
    api.at_the_end(at_the_end)
}

fn customer_limits(settings: &Settings) -> sports_accounts::Limits {
    let Limits { monthly, per_second, .. } = settings.limits;
    sports_accounts::Limits { monthly, per_second }
}
