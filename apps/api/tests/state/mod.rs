//! A complete state of the application over fakes. A test replaces the parts that it is about.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use sports_accounts::{Limits, ProcessId};
use sports_api::state::{
    AppState, CallLimits, Callers, CustomerWebhooks, KeyChanges, Operations, Published, RequestLog, Site, StoredData,
};
use sports_api::{api, routes};
use sports_http_transport::ComputeQueue;
use sports_limits::{LocalAddressLimit, LocalMeter};
use sports_ports::Clock;
use sports_ports::accounts::KeyRing;
use sports_ports::prices::NoPrices;
use sports_program::settings::Settings;
use sports_store::HmacSigner;
use sports_testkit::accounts::AccountsFake;
use sports_testkit::datasets::DatasetFilesFake;
use sports_testkit::random::RandomFake;
use sports_usecases::datasets::{CheckedFiles, DatasetService};
use sports_usecases::key_uses::CommittedKeyUses;
use sports_usecases::probes::{DatabasePings, Pings, Probes, RestrictionChecks};

/// The queue's timeout: no request is refused, on however slow a machine.
const NEVER: Duration = Duration::from_hours(24);

/// Creates a state over stored data, with caches of so many bytes and the accounts in `accounts`. Addresses have the limit per
/// second, too, and the same limit of invalid keys.
pub fn complete(
    clock: Arc<dyn Clock>,
    stored: &StoredData,
    accounts: &Arc<AccountsFake>,
    limits: Limits,
    memory: u64,
) -> AppState {
    let queue = Arc::new(ComputeQueue::start(ComputeQueue::cores(), NEVER).expect("threads"));
    let published = Published::new(stored, memory, queue, Arc::new(NoPrices), &clock);
    let per_second = limits.per_second;
    let record = Arc::new(AccountsFake::new());
    let meter = LocalMeter::start(record, ProcessId::from_random([1; 8]), limits, clock.now());
    let meter = meter.now_or_never().expect("at once").expect("the fake answers");
    let keys: Arc<dyn KeyRing> = accounts.clone();
    let same_keys = Arc::clone(&keys);
    AppState {
        random: Arc::new(RandomFake::default()),
        interface: api::interface(routes::all),
        site: Site { warnings: Vec::new(), ..Site::from_settings(&Settings::default()).expect("no logo") },
        operations: Operations::new(Arc::default(), None, RequestLog::Off),
        callers: Callers {
            keys,
            key_changes: KeyChanges::new(move |_| Arc::clone(&same_keys)),
            key_uses: Arc::new(CommittedKeyUses::new(accounts.clone(), Arc::clone(&clock))),
            meter: Arc::new(meter),
            addresses: Arc::new(LocalAddressLimit::new(per_second)),
            failed_keys: Arc::new(LocalAddressLimit::new(per_second)),
            limits: CallLimits {
                customer: limits,
                public_per_second: per_second,
                failed_keys_per_second: per_second,
                key_creations_per_minute: NonZeroU32::new(10).expect("more than none"),
            },
            proxies: Arc::default(),
        },
        probes: Probes::new(pings(), Arc::clone(&stored.log), Arc::clone(&published.generations)),
        published,
        past_requests: Arc::default(),
        streams: Arc::default(),
        datasets: Arc::new(DatasetService {
            datasets: accounts.clone(),
            files: Arc::new(DatasetFilesFake::default()),
            entitlements: accounts.clone(),
            refreshes: accounts.clone(),
            signer: Arc::new(HmacSigner::new(b"a secret of the tests")),
            clock: Arc::clone(&clock),
            checked: CheckedFiles::default(),
        }),
        webhooks: CustomerWebhooks { records: accounts.clone(), queue: accounts.clone(), may_be_http: false },
        clock,
    }
}

/// Returns the pings of a database that answers.
fn pings() -> Pings {
    let ping = || async { Ok(()) }.boxed();
    Pings {
        database: DatabasePings { reading: Box::new(ping), writing: Box::new(ping) },
        limits: None,
        restrictions: RestrictionChecks { database: None, clock: Box::new(|| None), limits: None, settings: None },
    }
}
