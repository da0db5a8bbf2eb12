//! Files of other programs that were put into a release folder as they are.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use sports_testkit::programs::TestFolder;

use crate::support::run;

/// The games of an nflverse season: 285, as in 2023.
const GAMES: usize = 285;

/// Publishes a release with a table of this header and these cells of each game; returns the exit code and standard error.
fn published(file: &str, header: &str, row: impl Fn(usize) -> String) -> (Option<i32>, String) {
    let place = TestFolder::fresh();
    let folder = place.path().join("release");
    let path = folder.join(file);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(folder.join("release.json"), r#"{"sport":"nfl","slate_date":"2024-01-07"}"#).expect("written");
    let mut table = format!("{header}\n");
    (0..GAMES).for_each(|game| writeln!(table, "{}", row(game)).expect("written"));
    fs::write(path, table).expect("written");
    let output = run(&place, [Path::new("publish"), &folder]);
    (output.code, output.err)
}

#[test]
fn a_raw_table_of_a_preset_is_one_problem_that_names_the_conversion() {
    let header = "game_id,season,game_type,week,gameday,weekday,gametime,away_team,away_score,home_team,home_score,location,result,\
                  total,overtime,away_moneyline,home_moneyline,spread_line,away_spread_odds,home_spread_odds,total_line,\
                  under_odds,over_odds";
    let row = |game: usize| {
        format!(
            "2023_{:02}_T{game}_KC,2023,REG,1,2023-09-07,Thursday,20:20,DET,21,KC,20,Home,-1,41,0,164,-198,4,-110,-110,53,-110,-110",
            game / 16 + 1
        )
    };
    for file in ["games/2023-24.csv", "games.csv", "odds.csv"] {
        let (code, err) = published(file, header, row);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("Problems found: 1\n"), "{file}: {err}");
        assert!(err.contains(&format!("{file}: expected a file with the columns of a release")), "{err}");
        assert!(err.contains("`sportsctl convert csv FILE --preset nflverse --sport nfl --out FOLDER`"), "{err}");
    }
}

#[test]
fn ids_of_another_source_are_one_problem_that_names_the_conversion() {
    let header = "game_id,date,time_est,away_team,home_team,away_score,home_score";
    let row = |game: usize| {
        format!(
            "2023_{:02}_T{game}_KC,2023-09-{:02},20:20:00,team_{game},chiefs_{game},21,20",
            game / 16 + 1,
            1 + game % 28
        )
    };
    let (code, err) = published("games/2023-24.csv", header, row);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("Problems found: 1\n") && err.contains("--preset nflverse"), "{err}");
}
