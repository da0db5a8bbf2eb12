//! The database keeps the same contract as the fake.

use std::sync::atomic::{AtomicU32, Ordering};

use sports_accounts_sea_orm::AccountsDatabase;
use sports_testkit::accounts::contract;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_keeps_the_contract() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = AtomicU32::new(0);
    contract::run_all(async || {
        let file = folder.path().join(format!("{}.db", files.fetch_add(1, Ordering::Relaxed)));
        AccountsDatabase::connect(&format!("sqlite:{}", file.display())).await.expect("a new database")
    })
    .await;
}
