//! What a client reads of a page is the page, whatever the rows and whichever of them.

use std::io::{Read, Write};
use std::ops::Range;

use proptest::prelude::*;
use sports_row_compression::{CompressedRows, Compression, Rows};

const COMPRESSIONS: [Compression; 3] = [Compression::Gzip, Compression::Brotli, Compression::Zstd];
const HEAD: &str = r#"{"sport":"nfl","model_type":"won_on_spread","season":"2023-24","results":["#;
const TAIL: &str = r#"],"last_updated":"2024-02-14T15:04:05Z","total":285,"offset":0,"next_offset":null}"#;

/// Rows with a comma behind each.
struct Season {
    text: Vec<u8>,
    starts: Vec<usize>,
}

impl Season {
    fn new(rows: &[Vec<u8>]) -> Self {
        let (mut text, mut starts) = (Vec::new(), vec![0]);
        for row in rows {
            text.extend_from_slice(row);
            text.push(b',');
            starts.push(text.len());
        }
        Self { text, starts }
    }

    fn rows(&self) -> Rows<'_> {
        Rows::new(&self.text, &self.starts)
    }

    fn page(&self, range: Range<usize>) -> Vec<u8> {
        let rows =
            if range.is_empty() { &[] } else { &self.text[self.starts[range.start]..self.starts[range.end] - 1] };
        [HEAD.as_bytes(), rows, TAIL.as_bytes()].concat()
    }
}

/// What other programs than ours read of it.
fn read(compression: Compression, compressed: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match compression {
        Compression::Gzip => flate2::read::GzDecoder::new(compressed).read_to_end(&mut plain),
        Compression::Brotli => brotli::Decompressor::new(compressed, 4096).read_to_end(&mut plain),
        Compression::Zstd => zstd::stream::copy_decode(compressed, &mut plain).map(|()| plain.len()),
    }
    .expect("a whole page");
    plain
}

/// What other programs make of it.
fn usual(compression: Compression, plain: &[u8]) -> usize {
    match compression {
        Compression::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
            encoder.write_all(plain).expect("memory");
            encoder.finish().expect("memory").len()
        }
        Compression::Brotli => {
            let mut encoder = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 5, 22);
            encoder.write_all(plain).expect("memory");
            encoder.flush().expect("memory");
            encoder.into_inner().len()
        }
        Compression::Zstd => zstd::bulk::compress(plain, 3).expect("memory").len(),
    }
}

const TEAMS: [&str; 8] = [
    "arizona_cardinals",
    "boston_celtics",
    "new_orleans_saints",
    "las_vegas_raiders",
    "denver_broncos",
    "pittsburgh_steelers",
    "philadelphia_76ers",
    "miami_heat",
];

/// A game with random figures, as long as a real one.
fn game(seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
    let mut below = |most: u32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % most
    };
    let mut team = || TEAMS[usize::try_from(below(8)).expect("small")];
    let (away, home) = (team(), team());
    let models = ["IMPLIED", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];
    let models = models.map(|model| format!(r#""{model}":0.{}"#, 4_000 + below(2_000))).join(",");
    let prices = ["home_money_line", "away_money_line", "home_point_spread_line", "over_line", "under_line"];
    let prices = prices.map(|price| format!(r#""{price}":-{}"#, 100 + below(80))).join(",");
    let (month, day, hour) = (1 + below(12), 10 + below(18), 12 + below(9));
    let (scored, conceded, covered) = (80 + below(50), 80 + below(50), below(2));
    let (spread, total) = (below(12), 190 + below(50));
    format!(
        r#"{{"date":"2024-{month:02}-{day:02}","time_est":"{hour}:30:00","season":"2023-24","game_type":"regular",\
"away_team":"{away}","home_team":"{home}","away_score":{scored},"home_score":{conceded},"won_on_spread":{covered},\
{models},{prices},"home_point_spread":{spread}.5,"over_under":{total}.5,"quote_source":null,\
"settlement_status":"settled","push":false,"graded":true,"ungraded_reason":null,"forecast_source":"walk_forward",\
"forecast_run":"walk-forward-2024-02"}}"#,
    )
    .replace("\\\n", "")
    .into_bytes()
}

/// JSON objects, some with texts in other scripts, some very long.
fn objects() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let text = prop_oneof![8 => "[ -~]{0,40}", 2 => "\\PC{0,20}", 1 => "[a-c]{0,3000}"];
    let row = (any::<i64>(), text, any::<bool>()).prop_map(|(number, text, flag)| {
        format!(r#"{{"number":{number},"text":{text:?},"flag":{flag}}}"#).into_bytes()
    });
    prop::collection::vec(row, 0..60)
}

/// Anything at all.
fn anything() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..40)
}

fn pages_are_read_back(rows: &[Vec<u8>], first: prop::sample::Index, last: prop::sample::Index, always: bool) {
    let season = Season::new(rows);
    let (first, last) = (first.index(rows.len() + 1), last.index(rows.len() + 1));
    let range = first.min(last)..first.max(last);
    for compression in COMPRESSIONS {
        let compressed = CompressedRows::new(compression, season.rows());
        let page =
            compressed.and_then(|rows| rows.page(HEAD.as_bytes(), season.rows(), range.clone(), TAIL.as_bytes()));
        assert!(page.is_some() || !always, "{compression:?} has no page");
        if let Some(page) = page {
            assert!(read(compression, &page) == season.page(range.clone()), "{compression:?} {range:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_page_of_objects_is_read_back(rows in objects(), first: prop::sample::Index, last: prop::sample::Index) {
        pages_are_read_back(&rows, first, last, true);
    }

    #[test]
    fn a_page_of_any_bytes_is_read_back_or_there_is_none(
        rows in anything(), first: prop::sample::Index, last: prop::sample::Index,
    ) {
        pages_are_read_back(&rows, first, last, false);
    }

    #[test]
    fn every_page_of_games_is_read_back(
        games in 0_u32..300, seed in 0_u32..1_000_000, first: prop::sample::Index, last: prop::sample::Index,
    ) {
        let rows: Vec<_> = (0..games).map(|number| game(seed + number)).collect();
        pages_are_read_back(&rows, first, last, true);
    }
}

#[test]
fn a_page_is_little_larger_than_if_it_were_compressed_as_a_whole() {
    let season = Season::new(&(0..2_000).map(game).collect::<Vec<_>>());
    for compression in COMPRESSIONS {
        let rows = CompressedRows::new(compression, season.rows()).expect("games");
        for (games, most) in [(1, 140), (10, 140), (100, 140), (1_000, 140), (2_000, 140)] {
            let start = (2_000 - games) / 3;
            let page =
                rows.page(HEAD.as_bytes(), season.rows(), start..start + games, TAIL.as_bytes()).expect("a page");
            let usual = usual(compression, &season.page(start..start + games));
            assert!(100 * page.len() <= most * usual, "{compression:?} {games}: {} for {usual}", page.len());
        }
        assert!(rows.weight() < season.text.len() / 2, "{compression:?} takes {}", rows.weight());
    }
}
