//! What a results page costs: the first of a season not yet asked for, one of a season in memory,
//! and how the cold one is spent. `cargo bench -p sports-api --bench results`

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use actix_web::test::{TestRequest, call_service, init_service, read_body};
use chrono::{DateTime, Utc};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_api::api::Api;
use sports_api::auth::CallLimits;
use sports_api::render_seasons::RenderSeasons;
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::{ArtifactStore, JsonSlates};
use sports_cache_moka::{CachedKeyRing, CachedSeasonViews};
use sports_domain::{ModelColumn, Probability, Sport};
use sports_grading::Verdict;
use sports_limits_memory::LocalMeter;
use sports_ports::Clock;
use sports_ports::accounts::{Customers, KeyRing};
use sports_ports::metering::Meter;
use sports_ports::publication::ArchiveCodec;
use sports_ports::seasons::SeasonViews;
use sports_ports::tables::TableFormat;
use sports_publication::testing::{a_game, a_release};
use sports_publication::{ArchivedGame, SeasonArchive};
use sports_season_rows::RenderedSeason;
use sports_testkit::accounts::AccountsFake;
use sports_testkit::clock::ClockFake;
use sports_testkit::metering::contract::limits;
use sports_usecases::publish::{Mode, Publisher};
use sports_usecases::record::{Archives, CurrentGenerations, CurrentSeasons, Slates};
use sports_usecases::results::Results;

const GAMES: u32 = 5_500;
const LABEL: &str = "2023-24";

/// A college basketball season: every model, every price, scores that settle every way.
fn season() -> Vec<ArchivedGame> {
    let game = |number: u32| {
        let (day, away) = (number / 50, format!("team {}", number % 50));
        let date = chrono::NaiveDate::from_ymd_opt(2023, 11, 6).expect("a date") + chrono::Days::new(day.into());
        let points = |spread: u32| u16::try_from(60 + (number * 7 + spread) % 40).expect("small");
        a_game().on(&date.to_string()).visited_by(&away).ending(points(3), points(11)).with(|game| {
            for (place, model) in ModelColumn::INDIVIDUAL.into_iter().enumerate() {
                let tenth = (number as usize + place * 31) % 1_000;
                let probability = Probability::new(f64::from(u32::try_from(tenth).expect("small")) / 1_000.0);
                game.forecast.forecasts = game.forecast.forecasts.with(model, probability.expect("a probability"));
            }
        })
    };
    (0..GAMES).map(|number| game(number).build()).collect()
}

/// A store with the season published.
struct Published {
    store: ArtifactStore,
    archives: Archives,
    clock: Arc<ClockFake>,
}

async fn published() -> Published {
    let store = ArtifactStore::in_memory();
    let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
    let clock = Arc::new(ClockFake::at("2024-04-01T12:00:00Z"));
    let games = season();
    let mut release = a_release(Sport::Ncaab, LABEL, games.clone());
    let spread_history = release.history[0].markets.entry(sports_domain::ModelType::WonOnSpread).or_default();
    spread_history.forecasts = games
        .iter()
        .map(|game| sports_publication::Located {
            place: sports_publication::testing::place(2),
            value: sports_publication::ForecastRow {
                key: game.facts.key.clone(),
                record: game.forecast.clone(),
                extras: sports_publication::Extras::default(),
            },
        })
        .collect();
    let publisher = Publisher::new(Arc::new(store.clone()), archives.clone(), slates(&store), clock.clone());
    publisher.publish(&release, Mode::Commit).await.expect("publishes");
    Published { store, archives, clock }
}

fn slates(store: &ArtifactStore) -> Slates {
    Slates::new(Arc::new(store.clone()), Arc::new(JsonSlates))
}

/// Has run for a quarter of a second more each time it is asked, so that no caller is ever too fast.
#[derive(Default)]
struct Hurrying(AtomicU32);

impl Clock for Hurrying {
    fn now(&self) -> DateTime<Utc> {
        second(0)
    }

    fn uptime(&self) -> Duration {
        self.0.fetch_add(1, Ordering::Relaxed) * Duration::from_millis(250)
    }
}

/// The whole API over that store; `capacity` 0 keeps no season in memory.
async fn api(published: &Published, capacity: u64) -> Api {
    let accounts = Arc::new(AccountsFake::new());
    let (customer, key) = (a_customer().build(), a_key_record().issued(second(0)).build());
    let _ = accounts.create(&customer).await.expect("answers");
    let _ = accounts.issue(customer.id, &key).await.expect("answers");
    let keys: Arc<dyn KeyRing> = Arc::new(CachedKeyRing::new(accounts.clone()));
    let rendered = RenderSeasons(published.archives.clone());
    let seasons: Arc<dyn SeasonViews<RenderedSeason>> = Arc::new(CachedSeasonViews::new(Arc::new(rendered), capacity));
    let current = Arc::new(CurrentSeasons { views: Arc::clone(&seasons) });
    let generations = Arc::new(CurrentGenerations::new(
        Arc::new(published.store.clone()),
        slates(&published.store),
        current,
        published.clock.clone(),
    ));
    generations.poll().await;
    let tables: Arc<dyn TableFormat> = Arc::new(ParquetArchives);
    let customer = limits(u64::MAX - 1, 50);
    let meter = LocalMeter::start(accounts, customer, second(0)).await.expect("answers");
    let meter: Arc<dyn Meter> = Arc::new(meter);
    Api::new(Arc::new(Hurrying::default()))
        .provide(meter)
        .provide(Arc::new(CallLimits { customer, public_per_second: customer.per_second }))
        .provide(keys)
        .provide(Arc::new(Results::new(generations, published.clock.clone())))
        .provide(seasons)
        .provide(tables)
}

fn pages(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let local = tokio::task::LocalSet::new();
    let published = runtime.block_on(published());
    let mut group = criterion.benchmark_group("results");
    for (name, capacity, query) in [
        ("first page, cold", 0, "limit=100"),
        ("first page, warm", 1 << 30, "limit=100"),
        ("whole season, warm", 1 << 30, "limit=100000"),
        ("newest first, warm", 1 << 30, ""),
    ] {
        let app = local.block_on(&runtime, async {
            let api = api(&published, capacity).await;
            init_service(api.app()).await
        });
        let season = if query.is_empty() { String::new() } else { format!("?season={LABEL}&{query}") };
        let path = format!("/api/v1/results/ncaab/won_on_spread{season}");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                local.block_on(&runtime, async {
                    let request = TestRequest::get().uri(&path).insert_header(("X-API-Key", a_key(1).reveal()));
                    let response = call_service(&app, request.to_request()).await;
                    assert!(response.status().is_success());
                    black_box(read_body(response).await)
                })
            });
        });
    }
    group.finish();
}

fn steps(criterion: &mut Criterion) {
    let market = sports_domain::Market::new(Sport::Ncaab, sports_domain::ModelType::WonOnSpread);
    let label = sports_publication::testing::season(Sport::Ncaab, LABEL);
    let archive = SeasonArchive::new(market, label, season()).expect("no key repeats");
    let bytes = ArchiveCodec::encode(&ParquetArchives, &archive).expect("encodes");
    let mut group = criterion.benchmark_group("season of 5,500 games");
    group.throughput(Throughput::Elements(GAMES.into()));
    group.bench_function("encode", |bencher| bencher.iter(|| ArchiveCodec::encode(&ParquetArchives, &archive)));
    group.bench_function("decode", |bencher| {
        bencher.iter(|| ParquetArchives.decode(market, label, bytes.clone()).expect("decodes"));
    });
    group.bench_function("grade", |bencher| {
        let graded = |game: &ArchivedGame| matches!(game.market_game(market.model_type).verdict(), Verdict::Graded(_));
        bencher.iter(|| archive.games().iter().filter(|game| graded(game)).count());
    });
    group.bench_function("grade and render", |bencher| {
        bencher.iter_batched(|| archive.clone(), RenderedSeason::from_archive, criterion::BatchSize::LargeInput);
    });
    group.finish();
}

criterion_group!(benches, pages, steps);
criterion_main!(benches);
