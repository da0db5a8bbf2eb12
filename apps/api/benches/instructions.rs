//! Steps whose instructions `.ci/instructions` counts under callgrind. Each step is a function of `counted`, by its
//! name; callgrind counts only while such a function runs.

mod world;

use std::hint::black_box;

use actix_web::body::to_bytes;
use actix_web::test::{TestRequest, call_service, init_service};
use sports_accounts::testing::a_key;
use sports_archive_parquet::ParquetArchives;
use sports_domain::{Market, ModelType, Sport};
use sports_ports::publication::ArchiveCodec;
use sports_publication::SeasonArchive;

use world::{LABEL, api, published, season};

const GAMES: u32 = 500;
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

    #[inline(never)]
    pub fn decoding_an_archive(codec: &impl ArchiveCodec, season: Season, bytes: Bytes) -> SeasonArchive {
        codec.decode(MARKET, season, bytes).expect("decodes")
    }

    #[inline(never)]
    pub fn writing_rows(archive: SeasonArchive) -> RenderedSeason {
        RenderedSeason::from_archive(archive)
    }

    #[inline(never)]
    pub fn one_authenticated_request<T>(runtime: &tokio::runtime::Runtime, request: impl Future<Output = T>) -> T {
        tokio::task::LocalSet::new().block_on(runtime, request)
    }
}

fn main() {
    let label = sports_publication::testing::season(Sport::Ncaab, LABEL);
    let archive = SeasonArchive::new(MARKET, label, season(GAMES)).expect("no key repeats");
    let bytes = ArchiveCodec::encode(&ParquetArchives, &archive).expect("encodes");
    assert_eq!(counted::decoding_an_archive(&ParquetArchives, label, bytes), archive);
    black_box(counted::writing_rows(archive));
    request();
}

/// Runs two requests, of which the second finds everything in memory.
fn request() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let app = runtime.block_on(async {
        let api = api(&published(GAMES).await, 1 << 30).await;
        init_service(api.app()).await
    });
    let path = format!("/api/v1/results/ncaab/won_on_spread?season={LABEL}&limit=100");
    let request = || TestRequest::get().uri(&path).insert_header(("X-API-Key", a_key(1).reveal())).to_request();
    let answer = |request| async {
        let answer = call_service(&app, request).await;
        assert!(answer.status().is_success());
        to_bytes(answer.into_body()).await.ok()
    };
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, answer(request()));
    let counted = request();
    black_box(counted::one_authenticated_request(&runtime, answer(counted)));
}
