use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sports_testkit::programs::{TestFolder, copy_folder, real_data};

use crate::support::{publish, verified};

/// By league and season: rows, and the number of preseason games among them.
type Table = BTreeMap<(String, String), (u64, u64)>;

/// Reads the table of files in the data's README.
fn table(data: &Path) -> Table {
    let readme = fs::read_to_string(data.join("README.md")).expect("the README");
    let rows = readme.lines().filter_map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let (sport, season) = cells.get(1)?.split_once('/')?;
        let preseason = cells.get(4)?.parse().unwrap_or(0);
        Some(((sport.to_owned(), season.to_owned()), (cells[2].parse().ok()?, preseason)))
    });
    rows.collect()
}

/// Writes a release of all seasons of a league.
pub fn release(data: &Path, sport: &str, folder: &Path) {
    for kind in ["games", "probabilities"] {
        copy_folder(&data.join(kind).join(sport), &folder.join(kind));
    }
    let manifest = serde_json::json!({
        "sport": sport, "slate_date": "2024-04-09", "slate": "none",
        "run": {"id": "history", "started_at": "2024-04-09T09:00:00Z", "completed_at": "2024-04-09T10:00:00Z"},
    });
    fs::write(folder.join("release.json"), manifest.to_string()).expect("written");
}

fn count(season: &Value, field: &str) -> u64 {
    season[field].as_u64().expect("a count")
}

/// Returns the seasons of a folder that have an opening spread of 0.
fn with_openers_of_zero(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder.join("games")).expect("a folder").map(|file| file.expect("a file").path());
    let has_zero = |path: &PathBuf| {
        // No cell of these files is quoted.
        let text = fs::read_to_string(path).expect("a table");
        let mut rows = text.lines().map(|row| row.split(','));
        let place = rows.next().and_then(|mut names| names.position(|name| name == "open_home_point_spread"));
        place.is_some_and(|place| rows.any(|mut row| row.nth(place).is_some_and(|cell| cell.parse() == Ok(0.0))))
    };
    let label = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    files.filter(has_zero).map(label).collect()
}

/// Returns the warnings of a publish, each up to its first colon. Warnings about the months of seasons are left out:
/// two seasons were played late. So are those about openers of 0.
fn warnings(published: &Value) -> Vec<&str> {
    let all = published["warnings"].as_array().expect("a list").iter().map(|warning| warning.as_str().expect("text"));
    let odd = all.filter(|warning| !["2019-20", "2020-21", "zero-openers"].iter().any(|word| warning.contains(word)));
    odd.map(|warning| warning.split(':').next().unwrap_or_default()).collect()
}

#[test]
fn a_league_of_real_seasons_is_published_with_one_command() {
    let Some(data) = real_data() else { return };
    let table = table(&data);
    assert!(table.len() > 50, "the README has its table");
    // Columns of a season with rare lines, which are right but for an opener of 1955.5, a -2.51 and a 169.6; and seasons of which
    // some games have two clear favourites.
    for (sport, rare, two_favourites) in [("nfl", 8, 0), ("nba", 6, 5), ("mlb", 0, 1), ("ncaaf", 5, 1), ("ncaab", 4, 0)]
    {
        let place = TestFolder::fresh();
        let folder = place.path().join(sport);
        release(&data, sport, &folder);
        let published = publish(&place, &folder);
        assert_eq!(published["outcome"], "on_air");
        // The data lists 15 games of ncaaf on two dates each; two pairs of ncaab games on consecutive dates have one final.
        let twice = "listed 12 to 36 hours apart with one final, which may be one game";
        let twice = ["ncaaf", "ncaab"].contains(&sport).then_some(twice);
        let expected: Vec<_> = twice.into_iter().chain(["nothing was published in this store before"]).collect();
        let warnings = warnings(&published);
        let (of_games, others): (Vec<_>, Vec<_>) = warnings.into_iter().partition(|file| file.starts_with("games/"));
        assert_eq!(others, expected);
        let findings = published["findings"].as_array().expect("a list").iter();
        let (of_openers, findings): (Vec<_>, Vec<_>) = findings.partition(|it| it["finding"] == "zero-openers");
        let seasons = of_openers.iter().map(|it| it["season"].as_str().expect("a label").to_owned());
        assert_eq!(seasons.collect::<BTreeSet<_>>(), with_openers_of_zero(&folder), "{sport}");
        assert!(
            findings.iter().all(|it| (&it["finding"], &it["severity"]) == (&"spread-signs".into(), &"warning".into()))
        );
        let late =
            findings.iter().filter(|it| ["2019-20", "2020-21"].contains(&it["season"].as_str().unwrap_or_default()));
        assert_eq!((findings.len(), of_games.len()), (two_favourites, rare + two_favourites - late.count()), "{sport}");
        let mut seen = 0;
        for season in published["seasons"].as_array().expect("a list") {
            let label = season["season"].as_str().expect("a label").to_owned();
            let (rows, preseason) = table[&(sport.to_owned(), label.clone())];
            let (kept, left_out) = (count(season, "games"), count(season, "left_out"));
            assert_eq!((kept, left_out), (rows - preseason, preseason), "{sport} {label}");
            assert_eq!(count(season, "added"), kept, "{sport} {label}");
            seen += 1;
        }
        assert_eq!(
            seen,
            3 * table.keys().filter(|(of, _)| of == sport).count(),
            "{sport}: every season, three markets"
        );
        assert_eq!(verified(&place, sport)["head"], published["head"], "{sport}");
        let again = publish(&place, &folder);
        assert_eq!(again["outcome"], "already_on_air", "{sport}: what is read back is what was written");
    }
}
