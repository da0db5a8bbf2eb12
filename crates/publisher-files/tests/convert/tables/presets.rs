//! Presets, each for ten invented games in the layout of its source.

use sports_domain::Sport;

use super::support::{Trial, column, file};

fn fixture(name: &str) -> String {
    let path = format!("{}/tests/data/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a fixture")
}

fn row(text: &str, index: usize) -> &str {
    text.lines().nth(index).expect("a row")
}

#[test]
fn game_logs_of_retrosheet_have_no_header() {
    let trial = Trial::of(Sport::Mlb).preset("retrosheet").season("2018").postseason_from("none");
    let conversion = trial.converted(&fixture("retrosheet"));
    let games = file(&conversion, "games/2018.csv");
    // The tenth game was forfeited.
    assert_eq!((conversion.read[0].rows, conversion.read[0].games, games.lines().count()), (10, 9, 10));
    assert_eq!(row(games, 0), "date,away_team,home_team,game_number,game_type,away_score,home_score");
    assert_eq!(row(games, 1), "2018-03-30,los_angeles_angels,oakland_athletics,,regular,2,1");
    assert_eq!(column(games, "game_number").concat(), "12");
}

#[test]
fn schedules_of_basketball_reference_have_two_columns_called_pts() {
    let trial = Trial::of(Sport::Nba).preset("basketball-reference").season("2023-24").postseason_from("2024-04-20");
    let conversion = trial.converted(&fixture("basketball-reference"));
    let games = file(&conversion, "games/2023-24.csv");
    assert_eq!(conversion.read[0].games, 10);
    assert_eq!(row(games, 1), "2023-10-24,19:30:00,los_angeles_lakers,denver_nuggets,regular,101,112");
    assert_eq!(row(games, 10), "2024-06-18,12:00:00,los_angeles_clippers,utah_jazz,postseason,100,98");
}

#[test]
fn the_file_of_spreadspoke_has_every_season_and_the_clubs_names_of_then() {
    let conversion = Trial::of(Sport::Nfl).preset("spreadspoke").converted(&fixture("spreadspoke"));
    let seasons: u64 = conversion.read.iter().map(|read| read.games).sum();
    assert_eq!((seasons, conversion.seasons.len()), (10, 7));
    let games = |season: &str| file(&conversion, &format!("games/{season}.csv")).to_owned();
    assert_eq!(row(&games("1979-80"), 2), "1979-09-02,kansas_city_chiefs,indianapolis_colts,regular,13,3,-1,1,40");
    assert_eq!(
        row(&games("1994-95"), 1),
        "1995-01-01,cleveland_browns,new_england_patriots,postseason,21,14,3.5,-3.5,"
    );
    assert_eq!(row(&games("2003-04"), 1), "2003-12-28,detroit_lions,st_louis_rams,regular,30,20,-11,11,48.5");
    assert_eq!(column(&games("1988-89"), "home_point_spread"), ["0"]);
}
