//! Steps whose instructions `.ci/instructions` counts under callgrind. Each step is a function of `counted`, by its
//! name; callgrind counts only while such a function runs.

mod recorded;
mod world;

use std::hint::black_box;

use actix_web::body::{MessageBody, to_bytes};
use actix_web::dev::{Service, ServiceResponse};
use actix_web::test::{TestRequest, call_service, init_service};
use bytes::Bytes;
use sports_accounts::testing::a_key;
use sports_api::api::Worker;
use sports_domain::{Market, ModelType, Sport};
use sports_publication::identity::{OnRecord, Resolution};
use sports_publication::testing::{a_release, identify, place};
use sports_publication::{
    Extras, ForecastRow, LeagueRecord, Located, Release, RowIds, SeasonArchive, SeasonHistory, merge_history,
};
use sports_tables::archive::ParquetArchives;

use recorded::{proof_of, publish_forecasts};
use world::{LABEL, published, season, state};

const GAMES: u32 = 500;
const FORECASTS: u32 = 150;
const MARKET: Market = Market::new(Sport::Ncaab, ModelType::WonOnSpread);

/// Steps that are never inlined, so that each is a symbol of its own.
mod counted {
    use std::future::Future;

    use bytes::Bytes;
    use sports_domain::Season;
    use sports_ports::publication::ArchiveCodec;
    use sports_publication::SeasonArchive;
    use sports_tables::RenderedSeason;
    use tokio::runtime::Runtime;
    use tokio::task::LocalSet;

    use super::MARKET;

    #[inline(never)]
    pub fn decoding_an_archive(codec: &impl ArchiveCodec, season: Season, bytes: Bytes) -> SeasonArchive {
        codec.decode(MARKET, season, bytes).expect("decodes")
    }

    #[inline(never)]
    pub fn encoding_an_archive(codec: &impl ArchiveCodec, archive: &SeasonArchive) -> Bytes {
        codec.encode(archive).expect("encodes")
    }

    #[inline(never)]
    pub fn merging_an_archive(existing: &SeasonArchive, merge: &super::Merge<'_>) -> SeasonArchive {
        merge(existing)
    }

    #[inline(never)]
    pub fn writing_rows(archive: SeasonArchive) -> RenderedSeason {
        RenderedSeason::from_archive(archive)
    }

    #[inline(never)]
    pub fn one_authenticated_request<T>(runtime: &Runtime, request: impl Future<Output = T>) -> T {
        LocalSet::new().block_on(runtime, request)
    }

    #[inline(never)]
    pub fn one_first_proof<T>(runtime: &Runtime, request: impl Future<Output = T>) -> T {
        LocalSet::new().block_on(runtime, request)
    }
}

/// A merge of a release into an archive.
type Merge<'m> = dyn Fn(&SeasonArchive) -> SeasonArchive + 'm;

fn main() {
    steps();
    requests();
}

/// Runs the steps over a season whose games have identities, as every archive is stored.
fn steps() {
    let archive = archive();
    let bytes = counted::encoding_an_archive(&ParquetArchives, &archive);
    assert_eq!(counted::decoding_an_archive(&ParquetArchives, archive.season(), bytes), archive);
    with_merge(&archive, |on_record, merge| {
        assert_eq!(counted::merging_an_archive(on_record, merge).games().len(), archive.games().len());
    });
    black_box(counted::writing_rows(archive));
}

fn archive() -> SeasonArchive {
    let label = sports_publication::testing::season(Sport::Ncaab, LABEL);
    let archive = SeasonArchive::new(MARKET, label, season(GAMES)).expect("no key repeats");
    record_of(&archive).archives.into_values().next().expect("the archive")
}

/// Returns the archive in a record of its own, whose games have identities.
fn record_of(archive: &SeasonArchive) -> LeagueRecord {
    let place = (MARKET.model_type, archive.season());
    let mut record = LeagueRecord { archives: [(place, archive.clone())].into(), ..LeagueRecord::default() };
    identify(MARKET.sport, &mut record);
    record
}

/// Returns a release's history with the same games and forecasts.
fn history(archive: &SeasonArchive) -> SeasonHistory {
    let forecasts = archive.games().iter().enumerate().map(|(row, game)| Located {
        place: place(row + 2),
        value: ForecastRow {
            key: game.facts.key.clone(),
            ids: RowIds::default(),
            record: game.forecast.clone(),
            extras: Extras::default(),
        },
    });
    let forecasts = forecasts.collect();
    let mut history = a_release(MARKET.sport, LABEL, archive.games().to_vec()).history.remove(0);
    history.markets.entry(MARKET.model_type).or_default().forecasts = forecasts;
    history
}

/// Calls `run` with the archive as it is on record, and with the merge of a history of the same games into it.
fn with_merge(archive: &SeasonArchive, run: impl FnOnce(&SeasonArchive, &Merge<'_>)) {
    let (record, history) = (record_of(archive), history(archive));
    let release = Release { history: vec![history.clone()], ..a_release(MARKET.sport, LABEL, Vec::new()) };
    let now = "2024-12-01T12:00:00Z".parse().expect("an instant");
    let resolution = Resolution::of(&release, &OnRecord::of(&record, None), history.season, now);
    let merge = |existing: &SeasonArchive| {
        merge_history(MARKET, Some(existing), &history, &resolution, None, now).expect("merges").archive
    };
    let on_record = record.archives.values().next().expect("the archive");
    run(on_record, &merge);
}

/// Runs requests for a page, of which the last finds everything in memory and caches that were tidied up by the one before, however
/// long the first took. Then runs one for a proof, after some for proofs of other games in the same entry, for the same reason.
fn requests() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let app = runtime
        .block_on(async { init_service(Worker::new(&state(&published(GAMES).await, 1 << 30).await).app()).await });
    let recorded = runtime.block_on(async {
        let published = published(GAMES).await;
        publish_forecasts(&published, FORECASTS).await;
        init_service(Worker::new(&state(&published, 1 << 30).await).app()).await
    });
    let page = format!("/api/v1/results/ncaab/won_on_spread?season={LABEL}&limit=100");
    let request =
        |path: &str| TestRequest::get().uri(path).insert_header(("X-API-Key", a_key(1).reveal())).to_request();
    let local = tokio::task::LocalSet::new();
    for _ in 0..2 {
        local.block_on(&runtime, answer(&app, request(&page)));
    }
    black_box(counted::one_authenticated_request(&runtime, answer(&app, request(&page))));
    for game in [1, 2, 1] {
        local.block_on(&runtime, answer(&recorded, request(&proof_of(game))));
    }
    // However slow callgrind is, the files of a proof are not listed again.
    runtime.block_on(async { tokio::time::pause() });
    black_box(counted::one_first_proof(&runtime, answer(&recorded, request(&proof_of(FORECASTS / 2)))));
}

/// Returns the body of an answer.
async fn answer<R, B: MessageBody>(
    app: &impl Service<R, Response = ServiceResponse<B>, Error = actix_web::Error>,
    request: R,
) -> Option<Bytes> {
    let answer = call_service(app, request).await;
    assert!(answer.status().is_success(), "{}", answer.status());
    to_bytes(answer.into_body()).await.ok()
}
