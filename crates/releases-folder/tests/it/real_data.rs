use std::fs;
use std::path::Path;

use sports_domain::ModelType;
use sports_testkit::programs::{copy_folder, real_data};

use crate::folder::Folder;

/// Lines under the headers of every file of a folder; none of them has a line break within a cell.
fn lines(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let files = entries.map(|entry| entry.expect("an entry").path());
    files.map(|file| fs::read_to_string(file).expect("text").lines().count() - 1).sum()
}

#[test]
fn every_row_of_the_historical_games_is_read() {
    let Some(data) = real_data() else { return };
    for sport in ["mlb", "nba", "ncaab", "ncaaf", "nfl"] {
        let folder = Folder::of(sport);
        for kind in ["games", "probabilities"] {
            copy_folder(&data.join(kind).join(sport), &folder.path().join(kind));
        }
        let read = folder.read().unwrap_or_else(|error| panic!("{sport}: {error:?}"));
        assert_eq!(read.warnings, [""; 0]);
        let history = &read.release.history;
        let games: usize = history.iter().flat_map(|season| &season.shared).map(|file| file.rows.len()).sum();
        assert_eq!(games, lines(&data.join("games").join(sport)), "{sport}");
        for model_type in ModelType::ALL {
            let markets = history.iter().filter_map(|season| season.markets.get(&model_type));
            let forecasts: usize = markets.map(|market| market.forecasts.len()).sum();
            let told = lines(&data.join("probabilities").join(sport).join(model_type.code()));
            assert_eq!(forecasts, told, "{sport} {model_type}");
        }
    }
}
