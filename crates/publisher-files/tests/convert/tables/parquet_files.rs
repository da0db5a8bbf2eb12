use sports_domain::Sport;

use super::support::{Trial, column, file};

/// The fixture has the defaults of pandas: dates as timestamps, a category column and an index column.
#[test]
fn a_parquet_file_is_converted_like_its_csv() {
    let parquet = include_bytes!("../../data/pandas.parquet");
    let csv = include_bytes!("../../../../../fixtures/nfl-2023-week-18/release/games/2023-24.csv");
    let map = "[columns]\ndate = \"date\"\ntime_est = { column = \"time_est\", zone = \"eastern\" }\naway_team = \"away_team\"\n\
               home_team = \"home_team\"\ngame_type = \"game_type\"\naway_score = \"away_score\"\nhome_score = \"home_score\"\n\
               home_money_line = \"home_money_line\"\nhome_point_spread = \"home_point_spread\"\nover_under = \"over_under\"\n";
    let trial = Trial::of(Sport::Nfl).season("2023-24").map(map);
    let converted = |bytes: &[u8]| {
        let conversion = trial.run(&[("games", bytes)]).expect("a conversion");
        file(&conversion, "games/2023-24.csv").to_owned()
    };
    let (parquet, csv) = (converted(parquet), converted(csv));
    assert_eq!(parquet, csv);
    assert_eq!(column(&csv, "date").len(), 16);
}
