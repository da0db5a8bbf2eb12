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
use sports_archive_parquet::ParquetArchives;
use sports_domain::{Market, ModelName, ModelSet, ModelType, Probability, Sport};
use sports_publication::identity::{OnRecord, Resolution};
use sports_publication::testing::{a_release, identify, place};
use sports_publication::{
    Extras, ForecastRow, LeagueRecord, Located, Release, RowIds, SeasonArchive, SeasonHistory, merge_history,
};

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
    use sports_row_formats::RenderedSeason;

    use super::MARKET;

    /// Steps over an archive of the specification's models, and over one with 32 own models as well.
    macro_rules! steps {
        ($($decoding:ident $encoding:ident $merging:ident $writing:ident $own:literal,)+) => {$(
            #[inline(never)]
            pub fn $decoding(codec: &impl ArchiveCodec, season: Season, bytes: Bytes) -> SeasonArchive {
                let archive = codec.decode(MARKET, season, bytes).expect("decodes");
                // The assertion keeps functions with equal code apart.
                assert_eq!(archive.models().own().len(), $own);
                archive
            }

            #[inline(never)]
            pub fn $encoding(codec: &impl ArchiveCodec, archive: &SeasonArchive) -> Bytes {
                assert_eq!(archive.models().own().len(), $own);
                codec.encode(archive).expect("encodes")
            }

            #[inline(never)]
            pub fn $merging(existing: &SeasonArchive, merge: &super::Merge<'_>) -> SeasonArchive {
                assert_eq!(existing.models().own().len(), $own);
                merge(existing)
            }

            #[inline(never)]
            pub fn $writing(archive: SeasonArchive) -> RenderedSeason {
                assert_eq!(archive.models().own().len(), $own);
                RenderedSeason::from_archive(archive)
            }
        )+};
    }

    steps! {
        decoding_an_archive encoding_an_archive merging_an_archive writing_rows 0,
        decoding_of_40_models encoding_of_40_models merging_of_40_models writing_rows_of_40_models 32,
    }

    macro_rules! requests {
        ($($request:ident)+) => {$(
            #[inline(never)]
            pub fn $request<T>(runtime: &tokio::runtime::Runtime, request: impl Future<Output = T>) -> T {
                tokio::task::LocalSet::new().block_on(runtime, request)
            }
        )+};
    }

    requests!(one_authenticated_request one_first_proof one_proof);
}

/// A merge of a release into an archive.
type Merge<'m> = dyn Fn(&SeasonArchive) -> SeasonArchive + 'm;

macro_rules! count_steps {
    ($archive:expr, $decoding:ident $encoding:ident $merging:ident $writing:ident) => {
        let (archive, history) = ($archive, history(&$archive));
        let label = archive.season();
        let bytes = counted::$encoding(&ParquetArchives, &archive);
        assert_eq!(counted::$decoding(&ParquetArchives, label, bytes), archive);
        with_merge(&archive, &history, |on_record, merge| {
            assert_eq!(counted::$merging(on_record, merge).games().len(), archive.games().len());
        });
        black_box(counted::$writing(archive));
    };
}

fn main() {
    count_steps!(archive(0), decoding_an_archive encoding_an_archive merging_an_archive writing_rows);
    count_steps!(archive(32), decoding_of_40_models encoding_of_40_models merging_of_40_models writing_rows_of_40_models);
    requests();
}

/// Builds the season with so many own models, and with identities, as every archive is stored.
fn archive(own: u16) -> SeasonArchive {
    let names: Vec<ModelName> = (0..own).map(|number| format!("m{number:02}").parse().expect("a name")).collect();
    let mut games = season(GAMES);
    for (number, game) in (0_u16..).zip(&mut games) {
        for (place, name) in (0_u16..).zip(&names) {
            let probability = Probability::new(f64::from((number * 7 + place * 31) % 997) / 997.0);
            game.forecast.own.insert(*name, probability.expect("a probability"));
        }
    }
    let label = sports_publication::testing::season(Sport::Ncaab, LABEL);
    let archive = SeasonArchive::new(MARKET, label, games).expect("no key repeats");
    let record = record_of(&archive.with_models(ModelSet::new(names).expect("a set")));
    record.archives.into_values().next().expect("the archive")
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

/// Calls `run` with the archive as it is on record, and with the merge of a history into it.
fn with_merge(archive: &SeasonArchive, history: &SeasonHistory, run: impl FnOnce(&SeasonArchive, &Merge<'_>)) {
    let record = record_of(archive);
    let release = Release { history: vec![history.clone()], ..a_release(MARKET.sport, LABEL, Vec::new()) };
    let now = "2024-12-01T12:00:00Z".parse().expect("an instant");
    let resolution = Resolution::of(&release, &OnRecord::of(&record, None), history.season, now);
    let merge = |existing: &SeasonArchive| {
        merge_history(MARKET, Some(existing), history, &resolution, None, now).expect("merges").archive
    };
    let on_record = record.archives.values().next().expect("the archive");
    run(on_record, &merge);
}

/// Runs requests for a page, of which the last finds everything in memory and caches that were tidied up by the one before, however
/// long the first took. Then runs two requests for a proof, after some for proofs of other games in the same entry, for the same reason.
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
    black_box(counted::one_proof(&runtime, answer(&recorded, request(&proof_of(FORECASTS / 2)))));
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
