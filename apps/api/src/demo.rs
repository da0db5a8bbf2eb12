//! A server with something to serve: one real week of games, a customer and a key.

pub mod exchange;

use std::error::Error;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_accounts::{ApiKey, CustomerId, CustomerName, Email, KeyName, KeySelector, Plan};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::ArtifactStore;
use sports_clock_system::SystemClock;
use sports_ports::accounts::{Customers, KeyRing};
use sports_ports::{Clock, PortError};
use sports_settings::{Flag, Settings, Sources};
use sports_usecases::accounts::{AccountError, issue_key, open_account, revoke_key};
use sports_usecases::archives::Archives;
use sports_usecases::publish::{Mode, Publisher};

type Failure = Box<dyn Error + Send + Sync>;

/// What the root of a demo says.
pub const MESSAGE: &str = "A demo: one real week of the NFL (6 and 7 January 2024) with reconstructed forecasts. Model \
                           outputs are research signals, not a validated betting selector, and no edge is guaranteed.";

/// The release folder `fixtures/nfl-2023-week-18/release`, carried along so that the program needs no source tree.
const RELEASE: [(&str, &str); 5] = [
    ("release.json", include_str!("../../../fixtures/nfl-2023-week-18/release/release.json")),
    ("games/2023-24.csv", include_str!("../../../fixtures/nfl-2023-week-18/release/games/2023-24.csv")),
    (
        "probabilities/over_under/2023-24.csv",
        include_str!("../../../fixtures/nfl-2023-week-18/release/probabilities/over_under/2023-24.csv"),
    ),
    (
        "probabilities/won_on_points/2023-24.csv",
        include_str!("../../../fixtures/nfl-2023-week-18/release/probabilities/won_on_points/2023-24.csv"),
    ),
    (
        "probabilities/won_on_spread/2023-24.csv",
        include_str!("../../../fixtures/nfl-2023-week-18/release/probabilities/won_on_spread/2023-24.csv"),
    ),
];

const EMAIL: &str = "demo@example.com";

/// The settings of a demo: its own store and database in `folder`, whatever else was set.
///
/// # Errors
///
/// When the settings cannot be loaded, or the folder cannot be made.
pub fn settings(mut sources: Sources, folder: &Path) -> Result<Settings, Failure> {
    fs::create_dir_all(folder)?;
    let flag = |key, kind: &str, name: &str| Flag {
        name: "--data-dir",
        key,
        value: format!("{kind}:{}", folder.join(name).display()),
    };
    sources.flags.push(flag("store.url", "file", "store"));
    sources.flags.push(flag("database.url", "sqlite", "sports.db"));
    Ok(Settings::load(&sources)?)
}

/// Publishes the week and opens the demo account; gives its key. A demo started again in the same
/// folder finds its data there and gets a new key.
///
/// # Errors
///
/// When the store or the database cannot be used.
pub async fn prepare(settings: &Settings, folder: &Path) -> Result<ApiKey, Failure> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::starting_at(settings.clock.as_of));
    let release = unpacked(folder)?;
    println!("publishing {}", release.display());
    let release = sports_releases_folder::read(&release, clock.now())?.release;
    let store = ArtifactStore::open(settings.store.url.reveal())?;
    let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
    Publisher::new(Arc::new(store), archives, Arc::clone(&clock)).publish(&release, Mode::Commit).await?;

    let accounts = AccountsDatabase::connect(settings.database.url.reveal()).await?;
    let customer = demo_customer(&accounts, clock.as_ref()).await?;
    match fresh_key(&accounts, customer, clock.now()).await {
        Err(AccountError::KeyLimit) => {
            // Many demos were started in this folder: the keys of those before make room.
            for key in accounts.keys_of(customer).await?.iter().filter(|key| key.is_active(clock.now())) {
                revoke_key(&accounts, customer, &KeySelector::Full(key.digest), clock.now()).await?;
            }
            Ok(fresh_key(&accounts, customer, clock.now()).await?)
        }
        issued => Ok(issued?),
    }
}

async fn fresh_key(ring: &dyn KeyRing, customer: CustomerId, now: DateTime<Utc>) -> Result<ApiKey, AccountError> {
    let random = random().map_err(|error| PortError::unavailable("the system's randomness", error))?;
    let name = KeyName::new("demo").map_err(|error| PortError::corrupt("the demo", error))?;
    issue_key(ring, customer, (name, None), now, random).await.map(|(key, _)| key)
}

/// Says what to try.
pub fn greet(key: &ApiKey, addresses: &[SocketAddr]) {
    let Some(address) = addresses.first() else { return };
    let (base, key) = (format!("http://{address}"), key.reveal());
    println!("demo key: {key}");
    println!("try:");
    println!("  curl -H 'X-API-Key: {key}' '{base}/api/v1/results/nfl/won_on_spread?limit=1'");
    println!("  curl -H 'X-API-Key: {key}' '{base}/api/v1/results/nfl/over_under?season=2023-24&format=csv'");
    println!("  curl -H 'X-API-Key: {key}' '{base}/api/v1/results/nfl/won_on_points/seasons'");
    println!("  the documentation is at {base}/docs");
}

fn unpacked(folder: &Path) -> Result<PathBuf, Failure> {
    let release = folder.join("release");
    for (name, content) in RELEASE {
        let path = release.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, content)?;
    }
    Ok(release)
}

async fn demo_customer(accounts: &AccountsDatabase, clock: &dyn Clock) -> Result<CustomerId, Failure> {
    if let Some(known) = accounts.list().await?.into_iter().find(|customer| customer.email.as_str() == EMAIL) {
        return Ok(known.id);
    }
    let account = (Email::new(EMAIL)?, CustomerName::new("Demo")?, Some(Plan::Ai));
    Ok(open_account(accounts, account, clock.now(), random()?).await?.id)
}

fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}
