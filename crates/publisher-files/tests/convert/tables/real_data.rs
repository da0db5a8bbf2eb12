//! The real seasons in three foreign shapes: converted back, every cell equals the real one.

use std::collections::BTreeMap;

use sports_domain::Sport;
use sports_testkit::foreign::{ForeignFile, nflverse, real_seasons, sheet, wide};
use sports_testkit::programs::real_data;

use super::support::{Trial, file};

type Rows = BTreeMap<String, BTreeMap<String, String>>;

/// Returns the rows of a table by game, without empty cells; numbers have one spelling.
fn rows(text: &str) -> Rows {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let cell = |cell: &str| cell.parse::<f64>().map_or_else(|_| cell.to_owned(), |number| (number + 0.0).to_string());
    let row = |record: csv::StringRecord| {
        let cells = header.iter().zip(&record).filter(|(_, text)| !text.is_empty());
        cells.map(|(name, text)| (name.to_owned(), cell(text))).collect::<BTreeMap<_, _>>()
    };
    let game = |row: &BTreeMap<String, String>| {
        ["date", "time_est", "away_team", "home_team", "game_number"]
            .map(|name| row.get(name).cloned().unwrap_or_default())
            .join(" ")
    };
    let rows = reader.records().map(|record| row(record.expect("a row")));
    rows.map(|row| (game(&row), row)).collect()
}

/// Converts a file and asserts that every table has the cells of the real one. Spreads of the away team follow from those of the
/// home team, and the season from the file's name.
fn converts_back(trial: &Trial, foreign: &ForeignFile) -> usize {
    let conversion = trial.converted(&foreign.text);
    let mut cells = 0;
    for (path, direct) in &foreign.direct {
        let (mut real, mut converted) = (rows(direct), rows(file(&conversion, path)));
        let derived = ["season", "away_point_spread", "open_away_point_spread"];
        for row in real.values_mut().chain(converted.values_mut()) {
            for name in derived {
                row.remove(name);
            }
        }
        assert_eq!(real.len(), converted.len(), "{path}");
        for (game, row) in &real {
            assert_eq!(converted.get(game), Some(row), "{path}: {game}");
            cells += row.len();
        }
    }
    assert_eq!(conversion.files.len(), foreign.direct.len() + 1, "and release.json");
    assert_eq!((conversion.unread.len(), conversion.left_out.len()), (0, 0), "{conversion:?}");
    cells
}

#[test]
fn every_cell_of_the_nfl_survives_the_columns_of_nflverse() {
    let Some(data) = real_data() else { return };
    let foreign = nflverse(&data, &real_seasons(&data, Sport::Nfl));
    let trial = Trial::of(Sport::Nfl).preset("nflverse").map(&foreign.map);
    assert!(converts_back(&trial, &foreign) > 100_000);
}

#[test]
fn every_cell_of_five_leagues_survives_sheets_of_two_rows_a_game() {
    let Some(data) = real_data() else { return };
    let mut cells = 0;
    for sport in [Sport::Nfl, Sport::Nba, Sport::Mlb, Sport::Ncaaf, Sport::Ncaab] {
        for season in real_seasons(&data, sport) {
            // This one distinguishes games of a date by their times, which sheets do not have.
            if (sport, season.first_year()) == (Sport::Mlb, 2016) {
                continue;
            }
            let (mut foreign, postseason) = sheet(&data, sport, season);
            without_preseason(&mut foreign);
            let trial =
                Trial::of(sport).preset("sportsbookreviewsonline").map(&foreign.map).season(&season.to_string());
            let trial = trial.postseason_from(postseason.as_deref().unwrap_or("none"));
            cells += converts_back(&trial, &foreign);
            // The games of a day of baseball are numbered by their order.
            if sport != Sport::Mlb && season.first_year() % 3 == 0 {
                foreign.text = newest_first(&foreign.text);
                cells += converts_back(&trial, &foreign);
            }
        }
    }
    assert!(cells > 500_000, "{cells}");
}

/// Reverses the games of a sheet, which have two rows each.
fn newest_first(sheet: &str) -> String {
    let (header, rows) = sheet.split_once('\n').expect("a header");
    let rows: Vec<_> = rows.lines().collect();
    let games = rows.chunks(2).rev().map(|game| game.join("\n") + "\n");
    std::iter::once(format!("{header}\n")).chain(games).collect()
}

/// Calls preseason games regular, since a sheet has no such column.
fn without_preseason(foreign: &mut ForeignFile) {
    foreign.direct.values_mut().for_each(|table| *table = table.replace(",preseason,", ",regular,"));
}

#[test]
fn every_cell_of_timed_seasons_survives_wide_tables() {
    let Some(data) = real_data() else { return };
    let mut cells = 0;
    for (sport, years) in
        [(Sport::Nfl, 2000..=2023), (Sport::Nba, 2022..=2022), (Sport::Mlb, 2016..=2016), (Sport::Ncaab, 2015..=2023)]
    {
        for season in real_seasons(&data, sport).into_iter().filter(|season| years.contains(&season.first_year())) {
            let foreign = wide(&data, sport, season);
            cells += converts_back(&Trial::of(sport).preset("kaggle-wide").map(&foreign.map), &foreign);
        }
    }
    assert!(cells > 500_000, "{cells}");
}
