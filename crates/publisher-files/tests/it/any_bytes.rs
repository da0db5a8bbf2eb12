//! Property tests: any content of a folder is read or refused, without a panic.

use std::sync::{Arc, OnceLock};

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use proptest::prelude::*;
use sports_domain::Sport;
use sports_publisher_files::{ReadError, read_finals};

use crate::folder::Folder;
use crate::parquet_files;

const CSV: &str = "date,time_est,season,away_team,home_team,away_score,home_score,home_money_line,home_point_spread,\
                   away_point_spread,over_under,stadium\n\
                   2024-09-08,13:00:00,2024-25,bills,dolphins,20,24,-150,-3.5,3.5,44,\"Invented Park, North\"\n\
                   2024-09-15,,2024-25,jets,bills,,,,0,-0,0,\n";

fn a_parquet_file() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let text = |text: &str| Arc::new(StringArray::from(vec![text; 20])) as ArrayRef;
        parquet_files::file(vec![
            ("date", text("2024-09-08")),
            ("away_team", Arc::new(StringArray::from((0..20).map(|team| format!("team {team}")).collect::<Vec<_>>()))),
            ("home_team", text("bills")),
            ("home_money_line", Arc::new(Int64Array::from(vec![-110; 20]))),
            ("over_under", Arc::new(Float64Array::from(vec![44.5; 20]))),
        ])
    })
}

/// Mutates up to five bytes of `file` by replacement, insertion or removal, and may truncate it.
fn mutated(file: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    let place = || 0..file.len();
    let change = (place(), prop_oneof![Just(None), any::<u8>().prop_map(Some)], any::<bool>());
    (proptest::collection::vec(change, 0..6), proptest::option::of(place())).prop_map(move |(changes, end)| {
        let mut bytes = file.to_vec();
        for (at, byte, replaces) in changes {
            let at = at.min(bytes.len().saturating_sub(1));
            match byte {
                Some(byte) if replaces => bytes[at] = byte,
                Some(byte) => bytes.insert(at, byte),
                None => drop(bytes.remove(at)),
            }
        }
        bytes.truncate(end.unwrap_or(bytes.len()));
        bytes
    })
}

const ODDS: &str = r#"{"games": [
    {"match_id": "1", "date": "2024-09-08", "time": "13:00:00", "away_team": "bills", "home_team": "dolphins",
     "home_money_line": -150, "home_point_spread": -3.5, "over_under": 44.5, "last_updated": "2024-09-08 07:55:00"},
    {"date": "2024-09-15", "time": "13:00", "away_team": "jets", "home_team": "bills", "over_line": null}
]}"#;

const MANIFEST: &str = r#"{"sport": "nfl", "season": "2024-25", "slate_date": "2024-09-08",
    "held_games": {"over_under": [{"date": "2024-09-08", "time": "13:00", "away_team": "bills", "home_team": "jets"}]},
    "moved": [{"from": {"date": "2024-09-08", "time": "13:00", "away_team": "bills", "home_team": "jets"},
               "to": {"date": "2024-09-09", "time": "13:00", "away_team": "bills", "home_team": "jets"}}]}"#;

/// The tables of a slate; each is also read as a file of finals, in every format.
const SLATE: [&str; 3] = ["odds", "predictions/over_under", "predictions/won_on_spread"];
const ENDINGS: [&str; 3] = ["csv", "json", "parquet"];

/// Asserts that a slate with these bytes is read or refused, and so is a file of finals.
fn check_slate_and_finals(ending: &str, bytes: &[u8]) {
    for name in SLATE.map(|name| format!("{name}.{ending}")) {
        let folder = Folder::of_season("nfl", "2024-25", "").with(&name, bytes);
        assert!(folder.problems().iter().all(|problem| *problem.place.file == *name));
        let finals = folder.path().join(&name);
        match read_finals(&finals, Sport::Nfl) {
            Ok(read) => assert!(read.rows.iter().all(|row| row.place.row.is_some())),
            Err(ReadError::Problems(problems)) => assert!(!problems.is_empty()),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Asserts that a folder with this file is read or refused, and that every problem names this file.
fn check_folder(name: &str, bytes: &[u8]) {
    let folder = Folder::for_sport("nfl").with(name, bytes);
    assert!(folder.problems().iter().all(|problem| &*problem.place.file == name));
}

proptest! {
    #[test]
    fn any_bytes_as_csv_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check_folder("games/2024-25.csv", &bytes);
        check_folder("probabilities/over_under/2024-25.csv", &bytes);
    }

    #[test]
    fn any_text_as_csv_is_read_or_refused(text in "(?s)([a-z_,\"\r\n 0-9]|.){0,300}") {
        check_folder("results/over_under/2024-25.csv", text.as_bytes());
    }

    #[test]
    fn any_cells_are_read_or_refused(cells in proptest::collection::vec("[-0-9.:eE+a-zA-Z]{0,12}", 12)) {
        let header = CSV.lines().next().expect("a header");
        check_folder("games/2024-25.csv", format!("{header}\n{}\n", cells.join(",")).as_bytes());
    }

    #[test]
    fn a_damaged_csv_is_read_or_refused(bytes in mutated(CSV.as_bytes())) {
        check_folder("games/2024-25.csv", &bytes);
    }

    #[test]
    fn any_bytes_as_parquet_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let framed = [b"PAR1", &bytes[..], b"PAR1"].concat();
        check_folder("games/2024-25.parquet", &bytes);
        check_folder("games/2024-25.parquet", &framed);
    }

    #[test]
    fn a_damaged_parquet_file_is_read_or_refused(bytes in mutated(a_parquet_file())) {
        check_folder("games/2024-25.parquet", &bytes);
    }

    #[test]
    fn any_bytes_as_release_json_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        check_folder("release.json", &bytes);
    }

    #[test]
    fn any_bytes_as_a_slate_or_finals_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for ending in ENDINGS {
            check_slate_and_finals(ending, &bytes);
        }
    }

    #[test]
    fn any_json_as_a_slate_or_finals_is_read_or_refused(text in "[\\[{]([\\[\\]{}:,\"]|\"[a-z_]{0,9}\"|[-0-9.eE]{1,5}|null|true| ){0,60}") {
        check_slate_and_finals("json", text.as_bytes());
    }

    #[test]
    fn any_cells_of_a_slate_or_finals_are_read_or_refused(cells in proptest::collection::vec("[-0-9.:eE+a-zA-Z]{0,12}", 12)) {
        let header = "date,time,away_team,home_team,match_id,over_under,over_line,BLEND,away_score,home_score,\
                      settlement_status,last_updated";
        check_slate_and_finals("csv", format!("{header}\n{}\n", cells.join(",")).as_bytes());
        let columns = header.split(',').zip(&cells).map(|(name, cell)| format!("\"{name}\":\"{cell}\""));
        check_slate_and_finals("json", format!("[{{{}}}]", columns.collect::<Vec<_>>().join(",")).as_bytes());
    }

    #[test]
    fn a_damaged_json_is_read_or_refused(bytes in mutated(ODDS.as_bytes())) {
        check_slate_and_finals("json", &bytes);
    }

    #[test]
    fn a_damaged_release_json_is_read_or_refused(bytes in mutated(MANIFEST.as_bytes())) {
        check_folder("release.json", &bytes);
    }
}
