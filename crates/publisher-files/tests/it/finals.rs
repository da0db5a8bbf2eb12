//! Tests of files of finals for `sportsctl settle`.

use std::fs;
use std::path::Path;

use sports_domain::{FinalScore, Sport};
use sports_publication::{CalledOffStatus, Ending};
use sports_publisher_files::{ReadError, ReadFinals, read_finals};
use tempfile::TempDir;

const KEY: &str = "date,time_est,away_team,home_team";
const GAME: &str = "2024-09-08,13:00,Buffalo Bills,Miami Dolphins";

fn reading(name: &str, content: &[u8]) -> Result<ReadFinals, ReadError> {
    let folder: TempDir = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a file");
    read_finals(&path, Sport::Nfl)
}

/// Reads a CSV file of one game; `columns` and `cells` follow its key.
fn game(columns: &str, cells: &str) -> Result<ReadFinals, ReadError> {
    reading("finals.csv", format!("{KEY}{columns}\n{GAME}{cells}\n").as_bytes())
}

fn sentences(read: Result<ReadFinals, ReadError>) -> Vec<String> {
    match read {
        Err(ReadError::Problems(problems)) => problems.iter().map(ToString::to_string).collect(),
        other => panic!("no list of problems: {other:?}"),
    }
}

fn ending(columns: &str, cells: &str) -> Ending {
    let [row] = game(columns, cells).expect("no problems").rows.try_into().expect("one row");
    assert_eq!((&*row.place.file, row.place.row), ("finals.csv", Some(2)));
    row.value.ending
}

fn called_off(status: &str) -> Ending {
    Ending::CalledOff { status: CalledOffStatus::new(status).expect("a status of a game without a final") }
}

fn played(away: u16, home: u16, status: &str) -> Ending {
    Ending::Final { score: FinalScore { away, home }, status: status.to_owned() }
}

#[test]
fn a_game_with_scores_is_settled_unless_its_status_says_otherwise() {
    let columns = ",away_score,home_score,settlement_status";
    assert_eq!(ending(",away_score,home_score", ",20,24.0"), played(20, 24, "settled"));
    assert_eq!(ending(columns, ",20,24,"), played(20, 24, "settled"));
    assert_eq!(ending(columns, ",20,24,settled"), played(20, 24, "settled"));
    assert_eq!(ending(columns, ",0,9,protested"), played(0, 9, "protested"));
}

#[test]
fn ids_tell_two_games_of_a_day_apart() {
    let rows = |ids: [&str; 2]| {
        let row = |id: &str| format!("{id},2024-09-08,Buffalo Bills,Miami Dolphins,20,24\n");
        format!("match_id,date,away_team,home_team,away_score,home_score\n{}{}", row(ids[0]), row(ids[1]))
    };
    assert_eq!(reading("finals.csv", rows(["a", "b"]).as_bytes()).expect("two games").rows.len(), 2);
    let refused = sentences(reading("finals.csv", rows(["", ""]).as_bytes()));
    assert!(refused[0].ends_with("expected a game number that tells this game from that of row 2, or its start time"));
}

#[test]
fn a_game_without_scores_has_a_status() {
    let columns = ",away_score,home_score,settlement_status";
    for status in ["cancelled", "postponed", "abandoned"] {
        assert_eq!(ending(columns, &format!(",,,{status}")), called_off(status));
        assert_eq!(ending(",settlement_status", &format!(",{status}")), called_off(status));
    }
}

#[test]
fn a_row_with_a_contradictory_or_no_ending_is_a_problem() {
    let columns = ",away_score,home_score,settlement_status";
    let status = "finals.csv, row 2, column settlement_status: ";
    let neither = "finals.csv, row 2: expected both scores, or a settlement_status such as `cancelled` or `postponed`";
    for (cells, expected) in [
        (",,,", neither.to_owned()),
        (",,,settled", neither.replace(": expected", ", column settlement_status: `settled`: expected")),
        (
            ",20,24,postponed",
            format!(
                "{status}`postponed`: expected a final: beside the score 20-24 (away-home), `postponed` says that the game is \
                 called off"
            ),
        ),
        (",20,,", "finals.csv, row 2, column home_score: expected both scores or neither".to_owned()),
        (",,24,cancelled", "finals.csv, row 2, column away_score: expected both scores or neither".to_owned()),
        (
            ",-1,24,",
            "finals.csv, row 2, column away_score: `-1`: expected a score: a whole number, 0 or more".to_owned(),
        ),
    ] {
        assert_eq!(sentences(game(columns, cells)), [expected]);
    }
    assert_eq!(
        sentences(game("", "")),
        ["finals.csv: expected columns away_score and home_score, or settlement_status"]
    );
}

#[test]
fn a_suspended_game_stays_open_and_its_row_is_passed_over() {
    let read = game(",settlement_status", ",Suspended: Rain").expect("no problems");
    let warning = "finals.csv: row 2: a suspended game awaits its final, so the row is passed over";
    assert_eq!((read.rows, read.warnings), (vec![], vec![warning.to_owned()]));
}

#[test]
fn columns_that_finals_do_not_have_are_ignored_with_a_warning_but_for_match_id() {
    let columns = ",away_score,home_score,match_id,stadium,over_under,home_scores,season";
    let read = game(columns, ",20,24,g1,x,44,1,2024-25").expect("no problems");
    let ignored = |column, why| format!("finals.csv: column {column} is ignored: {why}");
    assert_eq!(
        read.warnings,
        [
            ignored("stadium", "finals have no such column"),
            ignored("over_under", "finals have no lines"),
            ignored("home_scores", "it is not `home_score`"),
            ignored("season", "finals have no such column"),
        ]
    );
}

#[test]
fn a_file_is_of_one_league() {
    assert!(game(",away_score,home_score,sport", ",20,24,NFL").is_ok());
    assert_eq!(
        sentences(game(",away_score,home_score,sport", ",20,24,nba")),
        ["finals.csv, row 2, column sport: `nba`: expected nfl, the league settled"]
    );
}

#[test]
fn a_time_may_be_missing_from_a_row_or_from_the_file() {
    let times = |text: &str| {
        let rows = reading("finals.csv", text.as_bytes()).expect("no problems").rows;
        rows.iter().map(|row| row.value.key.to_string()).collect::<Vec<_>>()
    };
    let file = "date,time,away_team,home_team,away_score,home_score\n2024-09-08,,a,b,1,2\n2024-09-08,13:00,c,d,1,2\n";
    assert_eq!(times(file), ["2024-09-08 a at b", "2024-09-08 13:00:00 c at d"]);
    let numbered =
        "date,away_team,home_team,game_number,away_score,home_score\n2024-09-08,a,b,1,1,2\n2024-09-08,a,b,2,4,2\n";
    assert_eq!(times(numbered), ["2024-09-08 a at b (game 1)", "2024-09-08 a at b (game 2)"]);
}

#[test]
fn no_game_is_settled_twice() {
    let rows = |rows: [&str; 2]| {
        let text = format!("{KEY},away_score,home_score\n{},1,2\n{},1,2\n", rows[0], rows[1]);
        sentences(reading("finals.csv", text.as_bytes()))
    };
    assert_eq!(
        rows(["2024-09-08,13:00,a,b", "2024-09-08,13:00:00,A,B"]),
        ["finals.csv, row 3: expected each game once; row 2 has 2024-09-08 13:00:00 a at b already"]
    );
    assert_eq!(
        rows(["2024-09-08,,a,b", "2024-09-08,,a,b"]),
        [
            "finals.csv, row 3, column game_number: expected a game number that tells this game from that of row 2, or its start time"
        ]
    );
    for pair in [["2024-09-08,,a,b", "2024-09-08,13:00,a,b"], ["2024-09-08,13:00,a,b", "2024-09-08,,a,b"]] {
        assert_eq!(
            rows(pair),
            ["finals.csv, row 3: expected a start time in both rows of these teams and date, or in none; see row 2"]
        );
    }
}

#[test]
fn finals_are_read_from_json_and_counted_from_one() {
    let text = r#"[
        {"date": "2024-09-08", "away_team": "a", "home_team": "b", "away_score": 20, "home_score": 24},
        {"date": "2024-09-08", "away_team": "c", "home_team": "d", "settlement_status": "postponed"}
    ]"#;
    let rows = reading("finals.json", text.as_bytes()).expect("no problems").rows;
    let endings: Vec<_> = rows.iter().map(|row| row.value.ending.clone()).collect();
    assert_eq!(endings, [played(20, 24, "settled"), called_off("postponed")]);
    assert_eq!(rows[1].place.row, Some(2));
    assert_eq!(reading("finals.json", b"[]").expect("no problems").rows, []);
}

#[test]
fn a_missing_file_a_folder_or_no_table_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in [folder.path().join("gone.csv"), folder.path().to_owned()] {
        let error = read_finals(&path, Sport::Nfl).expect_err("nothing to read");
        assert!(matches!(error, ReadError::Io { .. }));
        assert_eq!(error.to_string(), format!("the file of finals {} cannot be read", path.display()));
    }
    assert_eq!(
        sentences(reading("finals.xlsx", b"")),
        ["finals.xlsx: expected a file whose name ends in .csv, .parquet or .json"]
    );
    assert_eq!(sentences(reading("finals.csv", b"")).len(), 1);
}

#[test]
fn the_content_of_finals_is_every_byte() {
    let content = |text: &str| reading("finals.csv", text.as_bytes()).expect("no problems").content;
    let header = format!("{KEY},away_score,home_score");
    assert_eq!(content(&format!("{header}\n")), content(&format!("{header}\n")));
    assert_ne!(content(&format!("{header}\n")), content(&format!("{header}\r\n")));
}

#[test]
fn the_finals_of_the_real_week_are_those_of_its_games() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let read = read_finals(&fixtures.join("nfl-2023-week-18-slate/finals.csv"), Sport::Nfl).expect("no problems");
    assert_eq!((read.rows.len(), read.warnings.len()), (16, 0));
    // Counted by hand in the README of the fixture: the away teams scored 284 points, the home teams 316.
    let scores = read.rows.iter().filter_map(|row| match &row.value.ending {
        Ending::Final { score, .. } => Some((u32::from(score.away), u32::from(score.home))),
        Ending::CalledOff { .. } => None,
    });
    let (away, home) = scores.fold((0, 0), |sum, score| (sum.0 + score.0, sum.1 + score.1));
    assert_eq!((away, home), (284, 316));
}
