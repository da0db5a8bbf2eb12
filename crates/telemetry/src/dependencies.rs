//! Counts of failures of the services behind the ports. Ports are wrapped in [`Watched`], beneath their caches, so the counts
//! include failures that a cache or a retry hides.

use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use sports_accounts::{
    CalendarMonth, CustomerId, Dataset, Entitlement, FileName, KeyDigest, KeyName, KeyRecord, Product,
};
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::accounts::{KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing};
use sports_ports::datasets::{
    DatasetFiles, Datasets, EntitlementRevocation, Entitlements, Grant, Pieces, Refreshes, StoredFile,
};
use sports_ports::metering::{ProcessCount, ProcessCounts, UsageChange, UsageCount, UsageCounts};
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::publication::{Appended, LogEntry, ObjectKind, Objects, PublicationLog};
use sports_ports::record::{CheckpointFile, RecordFile, RecordFiles, StoredAs};
use sports_publication::{Catalog, Generation};
use sports_transparency::{KeyId, TilePath};

use crate::metrics::{Exposition, Kind};

/// The number of failures of each dependency.
#[derive(Debug, Default, Clone)]
pub struct Dependencies {
    /// The database of customers, keys and counts.
    pub database: Failures,
    /// The store of published data.
    pub store: Failures,
    /// The service that nodes share limits through.
    pub limits: Failures,
    /// The prediction market.
    pub prices: Failures,
}

/// The number of failures of one dependency.
#[derive(Debug, Default, Clone)]
pub struct Failures(Arc<AtomicU64>);

impl Failures {
    /// Counts a result if it is a failure; returns it unchanged.
    ///
    /// # Errors
    ///
    /// The error of the result.
    pub fn count_in<T, E>(&self, answer: Result<T, E>) -> Result<T, E> {
        if answer.is_err() {
            self.count();
        }
        answer
    }

    /// Counts a failure.
    pub fn count(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// Wraps a port so that its failures are counted.
    pub fn watch<P>(&self, port: P) -> Watched<P> {
        Watched { port, failures: self.clone() }
    }
}

impl Dependencies {
    /// Writes the counts.
    pub fn expose(&self, exposition: &mut Exposition) {
        let help = "Calls to a dependency that failed, also where a cache or another attempt made up for it.";
        let mut family = exposition.family("dependency_errors_total", Kind::Counter, help);
        let Self { database, store, limits, prices } = self;
        for (name, failures) in [("database", database), ("store", store), ("limits", limits), ("prices", prices)] {
            family.sample(&[("dependency", name)], failures.0.load(Relaxed));
        }
    }
}

/// A port whose failures are counted.
#[derive(Debug, Clone)]
pub struct Watched<P> {
    port: P,
    failures: Failures,
}

/// Implements each method by a call of the port and counts its failures.
macro_rules! watched {
    ($($port:ident { $(fn $method:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)* })*) => {$(
        #[async_trait]
        impl<P: $port> $port for Watched<P> {
            $(async fn $method(&self, $($argument: $kind),*) -> Result<$answer, PortError> {
                self.failures.count_in(self.port.$method($($argument),*).await)
            })*
        }
    )*};
}

watched! {
    KeyRing {
        fn holder(digest: &KeyDigest) -> Option<Arc<KeyHolder>>;
        fn holders(digests: &[KeyDigest]) -> Vec<Option<Arc<KeyHolder>>>;
        fn keys_of(customer: CustomerId) -> Vec<KeyRecord>;
        fn issue(customer: CustomerId, key: &KeyRecord) -> KeyIssue;
        fn rename(customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> KeyRenaming;
        fn revoke(customer: CustomerId, digest: &KeyDigest, at: DateTime<Utc>) -> KeyRevocation;
    }
    UsageCounts {
        fn of_month(month: CalendarMonth) -> Vec<UsageCount>;
        fn of_customer(customer: CustomerId) -> Vec<UsageCount>;
        fn record(changes: &[UsageChange]) -> ();
    }
    ProcessCounts {
        fn of_month_by_process(month: CalendarMonth) -> Vec<ProcessCount>;
        fn record_of_processes(counts: &[ProcessCount]) -> ();
    }
    Datasets {
        fn add_dataset(dataset: &Dataset) -> Option<Dataset>;
        fn remove_dataset(product: &Product, sport: Sport, file_name: Option<&FileName>) -> Vec<Dataset>;
        fn datasets() -> Vec<Dataset>;
    }
    Entitlements {
        fn grant(entitlement: &Entitlement) -> Grant;
        fn revoke_entitlement(
            customer: CustomerId, product: &Product, sport: Sport, at: DateTime<Utc>
        ) -> EntitlementRevocation;
        fn entitlements_of(customer: CustomerId) -> Vec<Entitlement>;
    }
    Refreshes {
        fn refreshes_taken(customer: CustomerId, month: CalendarMonth) -> u32;
        fn take_refresh(customer: CustomerId, month: CalendarMonth) -> Option<u32>;
        fn give_back_refresh(customer: CustomerId, month: CalendarMonth) -> ();
    }
    DatasetFiles {
        fn put_file(file: &Path) -> StoredFile;
        fn file_size(object: &ObjectHash) -> Option<u64>;
        fn read_file(object: &ObjectHash, range: Range<u64>) -> Option<Pieces>;
    }
    PublicationLog {
        fn numbers(sport: Sport) -> Vec<Generation>;
        fn numbers_after(sport: Sport, generation: Generation) -> Vec<Generation>;
        fn entry(sport: Sport, generation: Generation) -> Option<LogEntry>;
        fn append(catalog: &Catalog) -> Appended;
        fn honours_put_if_absent() -> bool;
        fn ping() -> ();
    }
    Objects {
        fn put(sport: Sport, kind: ObjectKind, bytes: Bytes) -> ObjectHash;
        fn get(sport: Sport, kind: ObjectKind, object: &ObjectHash) -> Option<Bytes>;
    }
    RecordFiles {
        fn record_file(file: &RecordFile) -> Option<Bytes>;
        fn put_record_file(file: &RecordFile, bytes: Bytes) -> StoredAs;
        fn checkpoints(sport: Sport, sizes: RangeInclusive<u64>) -> Vec<CheckpointFile>;
        fn first_checkpoints(sport: Sport, sizes: RangeInclusive<u64>, trees: usize) -> Vec<CheckpointFile>;
        fn tiles(sport: Sport) -> Vec<TilePath>;
        fn record_keys() -> Vec<KeyId>;
    }
    GamePrices {
        fn prices(sport: Sport) -> Option<Arc<PriceList>>;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_counted_and_results_are_unchanged() {
        let dependencies = Dependencies::default();
        assert_eq!(dependencies.store.count_in(Ok::<_, ()>(3)), Ok(3));
        assert_eq!(dependencies.store.clone().count_in(Err::<(), _>("gone")), Err("gone"));
        let mut exposition = Exposition::default();
        dependencies.expose(&mut exposition);
        let text = exposition.into_text();
        assert!(text.contains("dependency=\"store\"} 1\n") && text.contains("dependency=\"database\"} 0\n"), "{text}");
    }
}
