//! Counting calls and holding callers to their limits.

use std::error::Error;
use std::sync::Arc;

use sports_accounts_sea_orm::{AccountsDatabase, COUNTS};
use sports_limits_memory::{KeptCounts, LocalAddressLimit, LocalMeter};
use sports_ports::Clock;
use sports_ports::metering::{AddressLimit, Meter, UsageCounts};
use sports_settings::{Limits, Settings};

use super::figures;
use crate::api::Api;
use crate::auth::{CallLimits, FailedKeys};
use crate::metering::CommittedMeter;

/// What counts calls, from what is on record and what the last process could not put there.
pub(super) async fn meter(
    api: &Api,
    settings: &Settings,
    database: &AccountsDatabase,
    clock: &Arc<dyn Clock>,
) -> Result<Arc<LocalMeter>, Box<dyn Error + Send + Sync>> {
    let record: Arc<dyn UsageCounts> = Arc::new(api.dependencies().database.watch(database.clone()));
    let mut kept = database.file().map(|file| KeptCounts::open(file.beside(COUNTS))).transpose()?;
    if let Some(kept) = &mut kept {
        kept.hand_over(record.as_ref()).await?;
    }
    let meter = LocalMeter::start(record, customer_limits(settings), clock.now()).await?;
    Ok(Arc::new(match kept {
        Some(kept) => meter.keeping(kept),
        None => meter,
    }))
}

/// Limits on calls; the counts are committed once more at the end.
pub(super) fn metering(api: Api, settings: &Settings, meter: Arc<LocalMeter>, counts: CommittedMeter) -> Api {
    let Limits { public_per_second, failed_keys_per_second, .. } = settings.limits;
    if let Some(metrics) = api.metrics() {
        let meter = Arc::clone(&meter);
        metrics.ask(figures::pending(move || meter.pending()));
    }
    let meter: Arc<dyn Meter> = meter;
    let addresses: Arc<dyn AddressLimit> = Arc::new(LocalAddressLimit::new(public_per_second));
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
