//! The cost of a results page: the first of a season that is not in memory, a page of a season in memory, and the
//! steps of the first. `cargo bench -p sports-api --bench results`

mod world;

use std::hint::black_box;

use actix_web::test::{TestRequest, call_service, init_service, read_body};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::{Deserialize, Serialize};
use sports_accounts::testing::a_key;
use sports_api::api::Worker;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_domain::paging::Order;
use sports_grading::Verdict;
use sports_http_transport::{Encoding, KeptBody};
use sports_ports::publication::ArchiveCodec;
use sports_publication::{ArchivedGame, SeasonArchive};
use sports_tables::RenderedSeason;
use sports_tables::archive::ParquetArchives;

use world::{LABEL, published, season, state};

const GAMES: u32 = 5_500;

fn pages(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let local = tokio::task::LocalSet::new();
    let published = runtime.block_on(published(GAMES));
    let mut group = criterion.benchmark_group("results");
    for (name, capacity, query) in [
        ("first page, cold", 0, "limit=100"),
        ("first page, warm", 1 << 30, "limit=100"),
        ("whole season, warm", 1 << 30, "limit=100000"),
        ("newest first, warm", 1 << 30, ""),
    ] {
        let app = local
            .block_on(&runtime, async { init_service(Worker::new(&state(&published, capacity).await).app()).await });
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
    let archive = SeasonArchive::new(market, label, season(GAMES)).expect("no key repeats");
    let bytes = ArchiveCodec::encode(&ParquetArchives, &archive).expect("encodes");
    let mut group = criterion.benchmark_group("season of 5,500 games");
    group.throughput(Throughput::Elements(GAMES.into()));
    group.bench_function("encode", |bencher| bencher.iter(|| ArchiveCodec::encode(&ParquetArchives, &archive)));
    group.bench_function("decode", |bencher| {
        bencher.iter(|| ParquetArchives.decode(market, label, bytes.clone()).expect("decodes"));
    });
    group.bench_function("check the hash", |bencher| bencher.iter(|| ObjectHash::from_bytes(black_box(&bytes))));
    group.bench_function("grade", |bencher| {
        let graded = |game: &ArchivedGame| matches!(game.market_game(market.model_type).verdict(), Verdict::Graded(_));
        bencher.iter(|| archive.games().iter().filter(|game| graded(game)).count());
    });
    group.bench_function("grade and render", |bencher| {
        bencher.iter_batched(|| archive.clone(), RenderedSeason::from_archive, criterion::BatchSize::LargeInput);
    });
    group.finish();
}

/// Measures the compression of a page on its first request.
fn compression(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let market = sports_domain::Market::new(Sport::Ncaab, sports_domain::ModelType::WonOnSpread);
    let label = sports_publication::testing::season(Sport::Ncaab, LABEL);
    let archive = SeasonArchive::new(market, label, season(GAMES)).expect("no key repeats");
    let rendered = RenderedSeason::from_archive(archive);
    let mut group = criterion.benchmark_group("compression");
    for rows in [20, 100, GAMES as usize] {
        let page = [rendered.json(Order::OldestFirst).slice(&(0..rows))];
        group.throughput(Throughput::Bytes(page[0].len() as u64));
        for encoding in Encoding::COMPRESSED {
            group.bench_function(format!("{rows} rows, {}", encoding.name()), |bencher| {
                bencher.iter(|| runtime.block_on(KeptBody::json_in(encoding, page.clone())));
            });
        }
    }
    group.finish();
}

/// A row of that season, typed: what a program that writes rows with serde would have.
#[derive(Serialize, Deserialize)]
struct Row {
    date: chrono::NaiveDate,
    time_est: Option<chrono::NaiveTime>,
    season: String,
    game_type: String,
    away_team: String,
    home_team: String,
    away_score: Option<u16>,
    home_score: Option<u16>,
    won_on_spread: Option<u8>,
    #[serde(rename = "IMPLIED")]
    implied: Option<f64>,
    #[serde(rename = "BLEND")]
    blend: Option<f64>,
    #[serde(rename = "CATB")]
    catb: Option<f64>,
    #[serde(rename = "RF")]
    rf: Option<f64>,
    #[serde(rename = "LGB")]
    lgb: Option<f64>,
    #[serde(rename = "LOGR")]
    logr: Option<f64>,
    #[serde(rename = "XGB")]
    xgb: Option<f64>,
    #[serde(rename = "XT")]
    xt: Option<f64>,
    home_money_line: Option<i32>,
    away_money_line: Option<i32>,
    open_home_money_line: Option<i32>,
    open_away_money_line: Option<i32>,
    home_point_spread: Option<f64>,
    away_point_spread: Option<f64>,
    home_point_spread_line: Option<i32>,
    away_point_spread_line: Option<i32>,
    open_home_point_spread: Option<f64>,
    open_away_point_spread: Option<f64>,
    over_under: Option<f64>,
    over_line: Option<i32>,
    under_line: Option<i32>,
    open_over_under: Option<f64>,
    quote_source: Option<String>,
    settlement_status: Option<String>,
    push: Option<bool>,
    graded: bool,
    ungraded_reason: Option<String>,
    model_probability_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forecast_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forecast_run: Option<String>,
}

/// The reference for a cold page: the same rows, already in memory, written once by `serde_json`.
fn serialisation(criterion: &mut Criterion) {
    let market = sports_domain::Market::new(Sport::Ncaab, sports_domain::ModelType::WonOnSpread);
    let label = sports_publication::testing::season(Sport::Ncaab, LABEL);
    let archive = SeasonArchive::new(market, label, season(GAMES)).expect("no key repeats");
    let written = RenderedSeason::from_archive(archive).json(Order::OldestFirst).slice(&(0..GAMES as usize));
    let written = [b"[", &written[..], b"]"].concat();
    let rows: Vec<Row> = serde_json::from_slice(&written).expect("rows");
    assert!(serde_json::to_vec(&rows).expect("serialises") == written, "not the same text");
    criterion.bench_function("season of 5,500 games/one serde_json serialisation of its typed rows", |bencher| {
        bencher.iter(|| serde_json::to_vec(black_box(&rows)).expect("serialises"));
    });
}

criterion_group!(benches, pages, compression, steps, serialisation);
criterion_main!(benches);
