//! Words beside scores in files of games, of results and of finals.

use std::fs;

use sports_domain::{Sport, VoidMarkets};
use sports_publisher_files::{ReadError, read_finals};

use crate::folder::Folder;

const HEADER: &str = "date,time_est,away_team,home_team,away_score,home_score,settlement_status";
const FILES: [&str; 2] = ["games/2024-25.csv", "results/over_under/2024-25.csv"];

/// The ending that a file of a history or of finals gives its one game: score and status, or the problem.
type Ending = Result<(Option<(u16, u16)>, Option<String>), Vec<String>>;

fn table(score: &str, word: &str) -> String {
    format!("{HEADER}\n2024-09-08,13:00,Buffalo Bills,Miami Dolphins,{score},{word}\n")
}

fn history(file: &str, score: &str, word: &str) -> Ending {
    let folder = Folder::for_sport("nfl").with(file, table(score, word));
    let read = folder.read().map_err(|_| folder.sentences())?;
    let history = &read.release.history[0];
    let files = history.shared.iter().chain(history.markets.values().flat_map(|market| &market.games));
    let [row] = files.flat_map(|file| &file.rows).collect::<Vec<_>>().try_into().expect("one game");
    let ending = &row.value.ending;
    Ok((ending.score.map(|score| (score.away, score.home)), ending.status.clone()))
}

fn finals(score: &str, word: &str) -> Ending {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("finals.csv");
    fs::write(&path, table(score, word)).expect("written");
    match read_finals(&path, Sport::Nfl) {
        Ok(read) => {
            let ending = read.rows.first().map(|row| &row.value.ending);
            let score = ending.and_then(sports_publication::Ending::score).map(|score| (score.away, score.home));
            Ok((score, ending.map(|ending| ending.status().to_owned())))
        }
        Err(ReadError::Problems(problems)) => Err(problems.iter().map(ToString::to_string).collect()),
        Err(error) => panic!("{error}"),
    }
}

/// Four spellings of a word: capitals and three separators.
fn spellings(word: &str) -> [String; 4] {
    [word.to_uppercase(), word.replace(' ', "_"), word.replace(' ', "-"), word.replace(' ', "/")]
}

#[test]
fn every_spelling_of_a_word_beside_a_score_is_taken_or_refused_alike_in_every_file() {
    for (word, status) in [
        ("final", Some("settled")),
        ("f ot", Some("settled")),
        ("game over", Some("settled")),
        ("under review", Some("under review")),
        ("provisional", Some("provisional")),
        ("postponed", None),
        ("no contest", None),
        ("rain out", None),
        ("in progress", None),
        ("end of 3rd", None),
        ("pre game", None),
        ("an own word", None),
    ] {
        for written in spellings(word) {
            let read = FILES.map(|file| history(file, "45,50", &written));
            for ending in read.into_iter().chain([finals("45,50", &written)]) {
                match (status, ending) {
                    (Some(status), ending) => {
                        assert_eq!(ending, Ok((Some((45, 50)), Some(status.to_owned()))), "{written}");
                    }
                    (None, Ok(ending)) => panic!("{written} beside a score is {ending:?}"),
                    (None, Err(problems)) => {
                        let [problem] = problems.try_into().expect("one problem");
                        let names = format!("column settlement_status: `{written}`: expected ");
                        let is_known = word != "an own word";
                        assert!(problem.contains(&names) && problem.contains("45-50") == is_known, "{problem}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_word_without_a_score_calls_a_game_off_or_leaves_it_open() {
    let words = [
        ("PPD", Some("postponed"), true),
        ("own reason", Some("own reason"), true),
        ("Suspended", None, true),
        ("In Progress", None, false),
        ("Scheduled", None, false),
        ("pending", None, false),
        ("open", None, false),
        ("Resumed", None, false),
        ("not completed", None, false),
    ];
    for (written, status, is_settled) in words {
        let expected = (None, status.map(str::to_owned));
        assert_eq!(FILES.map(|file| history(file, ",", written)), [Ok(expected.clone()), Ok(expected.clone())]);
        assert_eq!(finals(",", written).ok(), is_settled.then_some(expected), "{written}");
    }
    for written in ["provisional", "under review", "complete pending"] {
        assert!(
            FILES.iter().all(|file| history(file, ",", written).is_err()) && finals(",", written).is_err(),
            "{written}"
        );
    }
}

#[test]
fn void_markets_are_read_beside_a_final_in_every_file() {
    let table = |score: &str, void: &str| {
        let row = format!("2024-09-08,13:00,Buffalo Bills,Miami Dolphins,{score},{void}");
        format!("date,time_est,away_team,home_team,away_score,home_score,void_markets\n{row}\n")
    };
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("finals.csv");
    let read = |score: &str, void: &str| {
        let of_history = FILES.map(|file| {
            let folder = Folder::for_sport("nfl").with(file, table(score, void));
            let read = folder.read().map_err(|_| folder.sentences())?;
            let history = &read.release.history[0];
            let files = history.shared.iter().chain(history.markets.values().flat_map(|market| &market.games));
            Ok(files.flat_map(|file| &file.rows).map(|row| row.value.ending.void.clone()).collect::<Vec<_>>())
        });
        fs::write(&path, table(score, void)).expect("written");
        let of_finals = match read_finals(&path, Sport::Nfl) {
            Ok(read) => Ok(read.rows.iter().map(|row| row.value.void.clone()).collect()),
            Err(ReadError::Problems(problems)) => Err(problems.iter().map(ToString::to_string).collect()),
            Err(error) => panic!("{error}"),
        };
        of_history.into_iter().chain([of_finals]).collect::<Vec<Result<_, Vec<String>>>>()
    };
    for (written, void) in [("Total; run_line", Some("over_under won_on_spread")), ("none", Some("")), ("", None)] {
        let void: Option<VoidMarkets> = void.map(|list| list.parse().expect("markets"));
        assert!(read("5,3", written).iter().all(|read| *read == Ok(vec![void.clone()])), "{written}");
    }
    for (score, written, expected) in [
        ("5,3", "first_half", "column void_markets: `first_half`: expected markets of a void final"),
        (",", "total", "column void_markets: `total`: expected both scores beside the void markets"),
    ] {
        for read in read(score, written) {
            let problems = read.expect_err(written);
            assert!(problems[0].contains(expected), "{problems:?}");
        }
    }
}

#[test]
fn nil_nil_beside_a_game_that_was_called_off_is_dropped_with_a_count() {
    let text = format!("{}2024-09-09,13:00,New York Jets,Miami Dolphins,0,0,Cancelled\n", table("0,0", "Postponed"));
    for file in FILES {
        let read = Folder::for_sport("nfl").with(file, text.clone()).read().expect("no problems");
        let warning = format!("{file}: the score 0-0 of 2 games that were called off is dropped");
        assert_eq!(read.warnings, [warning]);
    }
    assert!(finals("0,0", "Postponed").is_err(), "a settlement takes no such row");
}
