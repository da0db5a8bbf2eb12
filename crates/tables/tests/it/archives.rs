//! The codec's contract, and bytes that are not an archive.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use proptest::prelude::*;
use sports_domain::HomeSpread;
use sports_ports::PortError;
use sports_ports::publication::ArchiveCodec;
use sports_publication::testing::a_game;
use sports_publication::{SeasonArchive, Value};
use sports_tables::archive::ParquetArchives;
use sports_tables::bounded::testing::bombs;
use sports_testkit::publication::contract;

#[test]
fn parquet_archives_keep_the_contract() {
    contract::codec(&ParquetArchives);
}

/// JSON cannot express such a number, so clients would not receive it.
#[test]
fn an_extra_column_with_a_number_that_is_not_finite_is_refused() {
    let archive = contract::an_archive();
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut games = archive.games().to_vec();
        games[0].facts.extras.insert("wind", Value::Number(number));
        let spoilt = SeasonArchive::new(archive.market(), archive.season(), games).expect("no game twice");
        let bytes = ParquetArchives.encode(&spoilt).expect("encodes");
        let decoded = ParquetArchives.decode(archive.market(), archive.season(), bytes);
        assert!(matches!(decoded, Err(PortError::Corrupt { .. })), "{number}: {decoded:?}");
    }
}

/// A publisher's own column may have the name of a column that a later version adds to every season.
#[test]
fn an_extra_column_with_a_name_of_the_season_table_is_read_once() {
    let archive = contract::an_archive();
    let mut games = archive.games().to_vec();
    for game in &mut games {
        game.facts.match_id = None;
        game.facts.extras.insert("match_id", Value::Text("of the publisher".into()));
    }
    let archive = SeasonArchive::new(archive.market(), archive.season(), games).expect("no game twice");
    let bytes = ParquetArchives.encode(&archive).expect("encodes");
    let decoded = ParquetArchives.decode(archive.market(), archive.season(), bytes).expect("decodes");
    for game in decoded.games() {
        assert_eq!(game.facts.extras.get("match_id"), None);
    }
}

/// Returns the bytes of an archive without a column.
fn without_column(bytes: Bytes, name: &str) -> Bytes {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).expect("Parquet").build().expect("a reader");
    let batches: Vec<_> = reader.map(|batch| batch.expect("rows")).collect();
    let kept: Vec<_> =
        (0..batches[0].num_columns()).filter(|at| batches[0].schema().field(*at).name() != name).collect();
    assert_eq!(kept.len() + 1, batches[0].num_columns());
    let mut writer =
        ArrowWriter::try_new(Vec::new(), batches[0].project(&kept).expect("columns").schema(), None).expect("a writer");
    for batch in batches {
        writer.write(&batch.project(&kept).expect("columns")).expect("written");
    }
    writer.into_inner().expect("a file").into()
}

#[test]
fn rows_from_before_the_column_are_recorded_by_the_name_of_their_release() {
    let at: DateTime<Utc> = "2024-11-24T14:50:00.123456Z".parse().expect("an instant");
    let runs = [
        ("2024-11-24.20241124T145000123Z.0123456789ab", true),
        ("2024-11-24.20241124T145000124Z.0123456789ab", false),
        ("nightly", false),
        ("2024-11-24.20241124T145000123Z", false),
    ];
    let game = |(index, (run, _)): (usize, &(&str, bool))| {
        let game = a_game().visited_by(&format!("team_{index}")).blend(0.6).live(run, at);
        game.with(|game| (game.facts.game_id, game.forecast.recorded) = (Some(index.to_string()), false)).build()
    };
    let games: Vec<_> = runs.iter().enumerate().map(game).collect();
    let (market, season) = (contract::an_archive().market(), contract::an_archive().season());
    let archive = SeasonArchive::new(market, season, games).expect("no game twice");
    let bytes = ParquetArchives.encode(&archive).expect("encodes");
    let recorded = |bytes: Bytes| {
        let decoded = ParquetArchives.decode(market, season, bytes).expect("decodes");
        decoded.games().iter().map(|game| game.forecast.recorded).collect::<Vec<_>>()
    };
    assert_eq!(recorded(bytes.clone()), [false; 4], "the column decides");
    assert_eq!(recorded(without_column(bytes, "recorded")), runs.map(|(_, recorded)| recorded));
}

#[test]
fn an_archive_with_a_game_without_an_identity_is_corrupt() {
    let archive = contract::an_archive();
    let mut games = archive.games().to_vec();
    games[0].facts.game_id = None;
    let archive = SeasonArchive::new(archive.market(), archive.season(), games).expect("no game twice");
    let bytes = ParquetArchives.encode(&archive).expect("encodes");
    let decoded = ParquetArchives.decode(archive.market(), archive.season(), bytes);
    assert!(matches!(decoded, Err(PortError::Corrupt { .. })), "{decoded:?}");
}

#[test]
fn small_files_that_decode_to_far_more_are_corrupt() {
    let archive = contract::an_archive();
    for (what, bytes) in bombs() {
        let decoded = ParquetArchives.decode(archive.market(), archive.season(), Bytes::from(bytes));
        assert!(matches!(decoded, Err(PortError::Corrupt { .. })), "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A file with some bytes changed decodes as an archive or is corrupt; decoding never panics.
    #[test]
    fn damaged_bytes_are_corrupt(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let archive = contract::an_archive();
        let mut bytes = ParquetArchives.encode(&archive).expect("encodes").to_vec();
        for (index, byte) in changes {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        let decoded = ParquetArchives.decode(archive.market(), archive.season(), Bytes::from(bytes));
        let kept = matches!(decoded, Ok(_) | Err(PortError::Corrupt { .. }));
        prop_assert!(kept, "{decoded:?}");
    }
}

/// Archives without such an opener have the bytes that they had before the column.
#[test]
fn an_archive_notes_a_placeholder_opener_and_has_no_column_without_one() {
    let archive = contract::an_archive();
    let names = |bytes: &Bytes| {
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes.clone()).expect("Parquet");
        let names: Vec<_> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        names.iter().any(|name| name == "open_spread_placeholder")
    };
    let bytes = ParquetArchives.encode(&archive).expect("encodes");
    assert!(!names(&bytes));
    let mut games = archive.games().to_vec();
    games[0].facts.lines.open_spread = HomeSpread::new(0.0).ok();
    games[0].facts.lines = games[0].facts.lines.without_placeholder_openers();
    let noted = SeasonArchive::new(archive.market(), archive.season(), games).expect("no game twice");
    let bytes = ParquetArchives.encode(&noted).expect("encodes");
    assert!(names(&bytes));
    let decoded = ParquetArchives.decode(archive.market(), archive.season(), bytes).expect("decodes");
    let read: Vec<_> = decoded.games().iter().map(|game| game.facts.lines).collect();
    assert_eq!((read[0].open_spread, read[0].open_spread_placeholder.0), (None, true));
    assert!(read[1..].iter().all(|lines| !lines.open_spread_placeholder.0));
}
