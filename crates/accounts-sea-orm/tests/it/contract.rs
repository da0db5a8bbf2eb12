//! Either database keeps the same contract as the fake.

use std::sync::atomic::{AtomicU32, Ordering};

use sports_accounts_sea_orm::AccountsDatabase;
use sports_testkit::services::Postgres;
use sports_testkit::{accounts, datasets, metering, nodes};

async fn keeps_the_contracts(fresh: impl AsyncFn() -> AccountsDatabase) {
    accounts::contract::run_all(&fresh).await;
    metering::contract::usage_counts(&fresh).await;
    metering::contract::process_counts(&fresh).await;
    datasets::contract::records(&fresh).await;
    nodes::contract::node_registry(&fresh().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sqlite_file_keeps_the_contracts() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = AtomicU32::new(0);
    let fresh = async || {
        let file = folder.path().join(format!("{}.db", files.fetch_add(1, Ordering::Relaxed)));
        AccountsDatabase::connect(&format!("sqlite:{}", file.display())).await.expect("a new database")
    };
    keeps_the_contracts(fresh).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_on_postgresql_keeps_the_contracts() {
    if Postgres::database().is_none() {
        return;
    }
    keeps_the_contracts(async || {
        let address = Postgres::database().expect("there is a server");
        AccountsDatabase::connect(&address).await.expect("a new database")
    })
    .await;
}
