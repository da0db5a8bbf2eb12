//! Settings become adapters, adapters become pieces of the API.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use sports_accounts_sea_orm::{AccountsDatabase, COUNTS, ServerLock, make_folder, sqlite_file};
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::{ArtifactStore, JsonSlates};
use sports_cache_moka::{CachedKeyRing, CachedSeasonViews, KeptAnswers};
use sports_limits_memory::{KeptCounts, LocalAddressLimit, LocalMeter};
use sports_ports::accounts::KeyRing;
use sports_ports::answers::Answers;
use sports_ports::datasets::{DatasetFiles, LinkSigner};
use sports_ports::metering::{AddressLimit, Meter, UsageCounts};
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_ports::{Clock, PortError, Random, in_one_line, random_bytes};
use sports_prices_kalshi::SetupError;
use sports_season_rows::RenderedSeason;
use sports_settings::{Limits, Settings};
use sports_signer_hmac::HmacSigner;
use sports_system::{SystemClock, SystemRandom};
use sports_usecases::analytics::{AnalyseSeasons, Analytics, SeasonAnalytics};
use sports_usecases::data_status::DataStatus;
use sports_usecases::datasets::DatasetService;
use sports_usecases::markets::Markets;
use sports_usecases::record::{Archives, CurrentGenerations, CurrentSeasons, Slates};
use sports_usecases::results::Results;
use sports_usecases::today::Today;

use crate::answers::{KeptBody, SlateAnswers};
use crate::api::Api;
use crate::auth::{CallLimits, FailedKeys};
use crate::metering::CommittedMeter;
use crate::modes::warn_of_exposed;
use crate::prices::game_prices;
use crate::probes::{DatabasePings, Probes};
use crate::proxy_trust::ProxyTrust;
use crate::render_seasons::RenderSeasons;

/// Opens what the settings name and puts the API together.
///
/// # Errors
///
/// When the database or the store cannot be opened.
pub async fn wire(settings: &Settings) -> Result<Api, Box<dyn Error + Send + Sync>> {
    let lock = lock(settings)?;
    wire_locked(settings, lock).await
}

/// Takes the place of the one server on the database, before it is opened or anything is changed.
///
/// # Errors
///
/// When a server has it, or it can be no database.
pub fn lock(settings: &Settings) -> Result<ServerLock, Box<dyn Error + Send + Sync>> {
    let file = sqlite_file(settings.database.url.reveal())?;
    make_folder(&file)?;
    Ok(ServerLock::take(&file)?)
}

/// The same for the one server on the database.
///
/// # Errors
///
/// When the database or the store cannot be opened.
pub async fn wire_locked(settings: &Settings, lock: ServerLock) -> Result<Api, Box<dyn Error + Send + Sync>> {
    let database = AccountsDatabase::connect(settings.database.url.reveal()).await?;
    database.expect_undamaged().await?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::starting_at(settings.clock.as_of));
    let store = ArtifactStore::open(settings.store.url.reveal())?;

    let api = Api::new(Arc::clone(&clock)).provide(Arc::new(ProxyTrust::from_settings(&settings.http)));
    let meter = meter(settings, &database, &clock).await?;
    let counts = CommittedMeter::start(Arc::clone(&meter), Arc::clone(&clock))?;
    let (api, generations) = published(api, settings, pings(&database, &counts), &store, &clock)?;
    let api = accounts(api, &database);
    let api = datasets(api, settings, &database, &store, &clock).await?;
    let api = metering(api, settings, meter, counts);
    warn_of_exposed(settings, &database);
    follow(generations, settings.store.poll_interval).await;
    // Held for as long as there is an application.
    let api = api.provide(Arc::new(lock));
    // After the last counts.
    Ok(api.at_the_end(move || close(database.clone())))
}

/// Leaves the database's file whole, with nothing beside it.
async fn close(database: AccountsDatabase) {
    if let Err(error) = database.close().await {
        let causes = in_one_line(&error);
        tracing::warn!(causes, "the database could not be closed: {causes}");
    }
}

/// How the database is asked whether it can be read and written. Counts that fail to get there are an answer already.
fn pings(database: &AccountsDatabase, counts: &CommittedMeter) -> DatabasePings {
    let (read, written, counts) = (database.clone(), database.clone(), counts.clone());
    let reading = move || {
        let database = read.clone();
        async move { database.ping().await }.boxed()
    };
    let writing = move || {
        let (database, counts) = (written.clone(), counts.clone());
        async move { database.ping_writing().await.and(counts.expect_on_record()) }.boxed()
    };
    DatabasePings { reading: Box::new(reading), writing: Box::new(writing) }
}

/// The current generations and everything answered from them, and the probes of all parts.
fn published(
    api: Api,
    settings: &Settings,
    database: DatabasePings,
    store: &ArtifactStore,
    clock: &Arc<dyn Clock>,
) -> Result<(Api, Arc<CurrentGenerations>), SetupError> {
    let log: Arc<dyn PublicationLog> = Arc::new(store.clone());
    let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
    // One ceiling for all that is made of archives: rows are the heaviest by far.
    let eighth = settings.memory.archives.bytes() / 8;
    let rendered = CachedSeasonViews::new(Arc::new(RenderSeasons(archives.clone())), 6 * eighth);
    let seasons: Arc<dyn SeasonViews<RenderedSeason>> = Arc::new(rendered);
    let analysed = CachedSeasonViews::new(Arc::new(AnalyseSeasons(archives)), eighth);
    let analysed: Arc<dyn SeasonViews<SeasonAnalytics>> = Arc::new(analysed);
    let answers: Arc<dyn Answers<KeptBody>> = Arc::new(KeptAnswers::new(eighth));
    let tables: Arc<dyn TableFormat> = Arc::new(ParquetArchives);

    let current = CurrentSeasons { views: Arc::clone(&seasons) };
    let slates = Slates::new(Arc::new(store.clone()), Arc::new(JsonSlates));
    let generations = Arc::new(CurrentGenerations::new(Arc::clone(&log), slates, Arc::new(current), Arc::clone(clock)));
    let today = Today::new(Arc::clone(&generations), Arc::clone(clock));
    let prices = game_prices(&settings.prices, clock)?;
    let markets = Markets::new(today.clone(), prices, Arc::clone(clock));
    let api = api
        .provide(Arc::new(Probes::new(database, log, Arc::clone(&generations))))
        .provide(Arc::new(Results::new(Arc::clone(&generations), Arc::clone(clock))))
        .provide(Arc::new(Analytics::new(Arc::clone(&generations), analysed, Arc::clone(clock))))
        .provide(Arc::new(DataStatus::new(Arc::clone(&generations), Arc::clone(clock))))
        .provide(Arc::clone(&generations))
        .provide(Arc::new(today))
        .provide(Arc::new(markets))
        .provide(Arc::new(SlateAnswers::default()))
        .provide(seasons)
        .provide(answers)
        .provide(tables);
    Ok((api, generations))
}

/// Keys, and what new ones are made of.
fn accounts(api: Api, database: &AccountsDatabase) -> Api {
    let keys: Arc<dyn KeyRing> = Arc::new(CachedKeyRing::new(Arc::new(database.clone())));
    let random: Arc<dyn Random> = Arc::new(SystemRandom);
    api.provide(keys).provide(random)
}

/// What customers own, and links to it.
async fn datasets(
    api: Api,
    settings: &Settings,
    database: &AccountsDatabase,
    store: &ArtifactStore,
    clock: &Arc<dyn Clock>,
) -> Result<Api, PortError> {
    let secret = link_secret(settings, database).await?;
    let signer: Arc<dyn LinkSigner> = Arc::new(HmacSigner::new(secret.as_bytes()));
    let records = Arc::new(database.clone());
    let files: Arc<dyn DatasetFiles> = Arc::new(store.clone());
    let datasets = DatasetService {
        datasets: records.clone(),
        files: Arc::clone(&files),
        entitlements: records.clone(),
        refreshes: records,
        signer: Arc::clone(&signer),
        clock: Arc::clone(clock),
    };
    Ok(api.provide(Arc::new(datasets)).provide(files).provide(signer))
}

/// What signs download links: as set, else made at the first start and kept, so that a restart breaks no link.
async fn link_secret(settings: &Settings, database: &AccountsDatabase) -> Result<String, PortError> {
    match &settings.downloads.secret {
        Some(secret) => Ok(secret.reveal().to_owned()),
        None => database.secret_or("download links", &hex::encode(random_bytes::<32>(&SystemRandom)?)).await,
    }
}

/// What counts calls, from what is on record and what the last process could not put there.
async fn meter(
    settings: &Settings,
    database: &AccountsDatabase,
    clock: &Arc<dyn Clock>,
) -> Result<Arc<LocalMeter>, Box<dyn Error + Send + Sync>> {
    let mut kept = KeptCounts::open(database.beside(COUNTS))?;
    let record: Arc<dyn UsageCounts> = Arc::new(database.clone());
    kept.hand_over(record.as_ref()).await?;
    Ok(Arc::new(LocalMeter::start(record, customer_limits(settings), clock.now()).await?.keeping(kept)))
}

/// Limits on calls; the counts are committed once more at the end.
fn metering(api: Api, settings: &Settings, meter: Arc<LocalMeter>, counts: CommittedMeter) -> Api {
    let Limits { public_per_second, failed_keys_per_second, .. } = settings.limits;
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

/// How long a starting server waits for its first look at the logs. A store that takes longer is looked at while the
/// server answers what it can.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// Keeps looking for newer generations for as long as the program runs; waits for the first look, so that who finds the
/// server listening finds what is published.
async fn follow(generations: Arc<CurrentGenerations>, interval: Duration) {
    let (looked, first) = tokio::sync::oneshot::channel();
    tokio::spawn(async move {
        generations.poll().await;
        drop(looked);
        loop {
            tokio::time::sleep(interval).await;
            generations.poll().await;
        }
    });
    let _: Result<Result<(), _>, _> = tokio::time::timeout(FIRST_LOOK, first).await;
}
