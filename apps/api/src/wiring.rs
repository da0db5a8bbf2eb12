//! Settings become adapters, adapters become pieces of the API.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use sports_accounts_sea_orm::AccountsDatabase;
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::{ArtifactStore, JsonSlates};
use sports_cache_moka::{CachedKeyRing, CachedSeasonViews, KeptAnswers};
use sports_clock_system::SystemClock;
use sports_ports::Clock;
use sports_ports::accounts::KeyRing;
use sports_ports::answers::Answers;
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_settings::Settings;
use sports_usecases::analytics::{AnalyseSeasons, Analytics, SeasonAnalytics};
use sports_usecases::archives::Archives;
use sports_usecases::data_status::DataStatus;
use sports_usecases::markets::Markets;
use sports_usecases::on_air::{CurrentSeasons, OnAir};
use sports_usecases::results::Results;
use sports_usecases::slates::Slates;
use sports_usecases::today::Today;

use crate::answers::{Body, SlateAnswers};
use crate::api::Api;
use crate::prices::game_prices;
use crate::probes::Probes;
use crate::render::{RenderSeasons, RenderedSeason};

/// Opens what the settings name and puts the API together.
///
/// # Errors
///
/// When the database or the store cannot be opened.
pub async fn wire(settings: &Settings) -> Result<Api, Box<dyn Error + Send + Sync>> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::starting_at(settings.clock.as_of));
    let database = AccountsDatabase::connect(settings.database.url.reveal()).await?;
    let store = ArtifactStore::open(settings.store.url.reveal())?;
    let log: Arc<dyn PublicationLog> = Arc::new(store.clone());
    let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
    let slates = Slates::new(Arc::new(store), Arc::new(JsonSlates));

    let keys: Arc<dyn KeyRing> = Arc::new(CachedKeyRing::new(Arc::new(database.clone())));
    // One ceiling for all that is made of archives: rows are the heaviest by far.
    let eighth = settings.memory.archives.bytes() / 8;
    let rendered = CachedSeasonViews::new(Arc::new(RenderSeasons(archives.clone())), 6 * eighth);
    let seasons: Arc<dyn SeasonViews<RenderedSeason>> = Arc::new(rendered);
    let analysed = CachedSeasonViews::new(Arc::new(AnalyseSeasons(archives)), eighth);
    let analysed: Arc<dyn SeasonViews<SeasonAnalytics>> = Arc::new(analysed);
    let answers: Arc<dyn Answers<Body>> = Arc::new(KeptAnswers::new(eighth));
    let tables: Arc<dyn TableFormat> = Arc::new(ParquetArchives);

    let current = CurrentSeasons { views: Arc::clone(&seasons), make_ready: RenderedSeason::make_ready };
    let on_air = Arc::new(OnAir::new(Arc::clone(&log), slates, Arc::new(current), Arc::clone(&clock)));
    let results = Results::new(Arc::clone(&on_air), Arc::clone(&clock));
    let today = Today::new(Arc::clone(&on_air), Arc::clone(&clock));
    let data_status = DataStatus::new(Arc::clone(&on_air), Arc::clone(&clock));
    let analytics = Analytics::new(Arc::clone(&on_air), Arc::clone(&clock));
    let markets = Markets::new(Arc::new(today.clone()), game_prices(&settings.prices, &clock)?, Arc::clone(&clock));
    follow(Arc::clone(&on_air), settings.store.poll_interval);
    let ping = move || {
        let database = database.clone();
        async move { database.ping().await }
    };
    let probes = Probes::new(ping, log, on_air);

    Ok(Api::new(clock)
        .provide(keys)
        .provide(Arc::new(probes))
        .provide(Arc::new(results))
        .provide(Arc::new(today))
        .provide(Arc::new(markets))
        .provide(Arc::new(data_status))
        .provide(Arc::new(SlateAnswers::default()))
        .provide(seasons)
        .provide(Arc::new(analytics))
        .provide(analysed)
        .provide(answers)
        .provide(tables))
}

/// Keeps looking for newer generations for as long as the program runs.
fn follow(on_air: Arc<OnAir>, interval: Duration) {
    tokio::spawn(async move {
        loop {
            on_air.poll().await;
            tokio::time::sleep(interval).await;
        }
    });
}
