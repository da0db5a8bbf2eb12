use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sports_domain::{Club, ModelType, Season, Sport, TeamSlug};
use sports_testkit::programs::{copy_folder, real_data};

use crate::folder::Folder;

/// Counts the lines below the headers of a folder's files; no cell contains a line break.
fn lines(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let files = entries.map(|entry| entry.expect("an entry").path());
    files.map(|file| fs::read_to_string(file).expect("text").lines().count() - 1).sum()
}

/// Returns the teams in a folder's files as written: slugs of the names in that season.
fn teams(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let texts: Vec<_> = files.map(|file| fs::read_to_string(file).expect("text")).collect();
    let cells = |text: &str| {
        let header: Vec<_> = text.lines().next().expect("a header").split(',').map(str::to_owned).collect();
        let columns =
            ["away_team", "home_team"].map(|name| header.iter().position(|column| column == name).expect(name));
        let row = |line: &str| columns.map(|column| line.split(',').nth(column).expect("a cell").to_owned());
        text.lines().skip(1).flat_map(row).collect::<Vec<_>>()
    };
    texts.iter().flat_map(|text| cells(text)).collect()
}

#[test]
fn every_code_of_the_lists_of_teams_is_its_club() {
    let Some(data) = real_data() else { return };
    let rows = |file: &str, columns: [usize; 3]| {
        let text = fs::read_to_string(data.join(file)).expect("a list");
        let row = |line: &str| columns.map(|column| line.split(',').nth(column).expect("a cell").to_owned());
        text.lines().skip(1).map(row).collect::<Vec<_>>()
    };
    let lists = [rows("teams.csv", [0, 1, 3]), rows("teams.csv", [0, 1, 2]), rows("kalshi_teams.csv", [0, 2, 1])];
    let mut clubs = 0;
    for [sport, slug, called] in lists.into_iter().flatten() {
        let sport: Sport = sport.parse().expect("a league");
        let team = TeamSlug::normalise(&called).expect("a name");
        let season = Season::starting_in(sport, 2026).expect("a season");
        let found = Club::called(sport, season, &team).map(|name| name.slug().as_str());
        assert_eq!(found, Some(slug.as_str()), "{sport} {called}");
        clubs += 1;
    }
    assert_eq!(clubs, 3 * 124);
}

#[test]
fn every_row_of_the_historical_games_is_read() {
    let Some(data) = real_data() else { return };
    for sport in ["mlb", "nba", "ncaab", "ncaaf", "nfl"] {
        let folder = Folder::for_sport(sport);
        for kind in ["games", "probabilities"] {
            copy_folder(&data.join(kind).join(sport), &folder.path().join(kind));
        }
        let read = folder.read().unwrap_or_else(|error| panic!("{sport}: {error:?}"));
        // The misprints among 400,000 lines. Rare lines are named, too.
        let misprints = read.warnings.iter().filter(|warning| !warning.contains(": outside the usual "));
        let misprints = misprints.filter_map(|warning| Some(warning.split_once(": row ")?.1)).collect::<Vec<_>>();
        let expected: &[&str] = match sport {
            "nba" => &[
                "174, 2016-11-17 chicago_bulls at utah_jazz: 1955.5",
                "330, 2018-11-30 denver_nuggets at portland_trail_blazers: -2.51",
            ],
            "ncaab" => &["1623, 2016-01-09 19:00:00 green_bay at youngstown_state: 169.6"],
            _ => &[],
        };
        assert_eq!(misprints, expected, "{:?}", read.warnings);
        let history = &read.release.history;
        let games: usize = history.iter().flat_map(|season| &season.shared).map(|file| file.rows.len()).sum();
        assert_eq!(games, lines(&data.join("games").join(sport)), "{sport}");
        let rows = history.iter().flat_map(|season| &season.shared).flat_map(|file| &file.rows);
        let keys = rows.map(|row| &row.value.key);
        let read: BTreeSet<_> = keys.flat_map(|key| [key.away.to_string(), key.home.to_string()]).collect();
        assert_eq!(read, teams(&data.join("games").join(sport)), "{sport}: clubs keep the names of their seasons");
        for model_type in ModelType::ALL {
            let markets = history.iter().filter_map(|season| season.markets.get(&model_type));
            let forecasts: usize = markets.map(|market| market.forecasts.len()).sum();
            let rows = lines(&data.join("probabilities").join(sport).join(model_type.code()));
            assert_eq!(forecasts, rows, "{sport} {model_type}");
        }
    }
}
