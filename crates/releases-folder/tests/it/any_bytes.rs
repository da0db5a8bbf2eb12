//! Whatever a folder holds, reading it ends with an answer.

use std::sync::{Arc, OnceLock};

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use proptest::prelude::*;
use sports_domain::Sport;
use sports_releases_folder::{ReadError, read_finals};

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

/// Up to a few bytes of `file` replaced, put in or taken out, and perhaps its end cut off.
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

/// The files of a slate and of finals, in each form they can have.
const SLATE: [&str; 3] = ["odds", "predictions/over_under", "predictions/won_on_spread"];
const ENDINGS: [&str; 3] = ["csv", "json", "parquet"];

/// The slate's files with these bytes answer, and so does a file of finals.
fn slate_answers(ending: &str, bytes: &[u8]) {
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

/// A folder with this file answers, and every problem it has is of that file.
fn answers(name: &str, bytes: &[u8]) {
    let folder = Folder::for_sport("nfl").with(name, bytes);
    assert!(folder.problems().iter().all(|problem| &*problem.place.file == name));
}

proptest! {
    #[test]
    fn any_bytes_as_csv_have_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        answers("games/2024-25.csv", &bytes);
        answers("probabilities/over_under/2024-25.csv", &bytes);
    }

    #[test]
    fn any_text_as_csv_has_an_answer(text in "(?s)([a-z_,\"\r\n 0-9]|.){0,300}") {
        answers("results/over_under/2024-25.csv", text.as_bytes());
    }

    #[test]
    fn any_cells_have_an_answer(cells in proptest::collection::vec("[-0-9.:eE+a-zA-Z]{0,12}", 12)) {
        let header = CSV.lines().next().expect("a header");
        answers("games/2024-25.csv", format!("{header}\n{}\n", cells.join(",")).as_bytes());
    }

    #[test]
    fn a_damaged_csv_has_an_answer(bytes in mutated(CSV.as_bytes())) {
        answers("games/2024-25.csv", &bytes);
    }

    #[test]
    fn any_bytes_as_parquet_have_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let framed = [b"PAR1", &bytes[..], b"PAR1"].concat();
        answers("games/2024-25.parquet", &bytes);
        answers("games/2024-25.parquet", &framed);
    }

    #[test]
    fn a_damaged_parquet_file_has_an_answer(bytes in mutated(a_parquet_file())) {
        answers("games/2024-25.parquet", &bytes);
    }

    #[test]
    fn any_bytes_as_release_json_have_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        answers("release.json", &bytes);
    }

    #[test]
    fn any_bytes_as_a_slate_or_finals_have_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for ending in ENDINGS {
            slate_answers(ending, &bytes);
        }
    }

    #[test]
    fn any_json_as_a_slate_or_finals_has_an_answer(text in "[\\[{]([\\[\\]{}:,\"]|\"[a-z_]{0,9}\"|[-0-9.eE]{1,5}|null|true| ){0,60}") {
        slate_answers("json", text.as_bytes());
    }

    #[test]
    fn any_cells_of_a_slate_or_finals_have_an_answer(cells in proptest::collection::vec("[-0-9.:eE+a-zA-Z]{0,12}", 12)) {
        let header = "date,time,away_team,home_team,match_id,over_under,over_line,BLEND,away_score,home_score,\
                      settlement_status,last_updated";
        slate_answers("csv", format!("{header}\n{}\n", cells.join(",")).as_bytes());
        let columns = header.split(',').zip(&cells).map(|(name, cell)| format!("\"{name}\":\"{cell}\""));
        slate_answers("json", format!("[{{{}}}]", columns.collect::<Vec<_>>().join(",")).as_bytes());
    }

    #[test]
    fn a_damaged_json_has_an_answer(bytes in mutated(ODDS.as_bytes())) {
        slate_answers("json", &bytes);
    }

    #[test]
    fn a_damaged_release_json_has_an_answer(bytes in mutated(MANIFEST.as_bytes())) {
        answers("release.json", &bytes);
    }
}
