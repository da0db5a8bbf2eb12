//! The database keeps the same contract as the fake.

use std::sync::atomic::{AtomicU32, Ordering};

use sports_accounts_sea_orm::AccountsDatabase;
use sports_testkit::{accounts, datasets, metering};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_keeps_the_contracts() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = AtomicU32::new(0);
    let fresh = async || {
        let file = folder.path().join(format!("{}.db", files.fetch_add(1, Ordering::Relaxed)));
        AccountsDatabase::connect(&format!("sqlite:{}", file.display())).await.expect("a new database")
    };
    accounts::contract::run_all(fresh).await;
    metering::contract::usage_counts(fresh).await;
    datasets::contract::records(fresh).await;
}
