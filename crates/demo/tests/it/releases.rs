//! Tests that every folder of the world is a release without a problem.

use chrono::{DateTime, Duration, Utc};
use sports_demo::simulation::{ReleaseFiles, Run, Settlement, World};
use sports_domain::{ModelType, Sport};
use sports_publication::findings::examine;
use sports_publication::{Ending, Release, SeasonArchives, SlateActivity};
use sports_publisher_files::{read, read_finals};

use crate::table::{WORLD, at, now, rows};

/// Reads files as a release; asserts that there is no warning.
fn release(files: &ReleaseFiles, instant: DateTime<Utc>) -> Release {
    let folder = tempfile::tempdir().expect("a folder");
    files.write(folder.path()).expect("written");
    let read = read(folder.path(), instant).unwrap_or_else(|error| panic!("{instant}: {error:#?}"));
    assert_eq!(read.warnings, [""; 0], "{instant}");
    read.release
}

fn games(files: &ReleaseFiles, path: &str) -> usize {
    files.get(path).map_or(0, |text| rows(text).len())
}

/// Returns instants before, during and after a day's games, and on the next day.
fn instants() -> [DateTime<Utc>; 5] {
    [0, 2, 7, 14, 30].map(|hours| now() + Duration::hours(hours))
}

#[test]
fn every_day_release_is_read_row_by_row() {
    for instant in instants() {
        for (sport, run) in Sport::ALL.into_iter().flat_map(|sport| [(sport, Run::First), (sport, Run::Rebuild)]) {
            let files = WORLD.day_release(sport, instant, run);
            let release = release(&files, instant);
            assert_eq!(release.odds.as_ref().map_or(0, Vec::len), games(&files, "odds.csv"), "{sport} {instant}");
            for model_type in ModelType::ALL {
                let read = release.predictions.get(&model_type).map_or(0, |file| file.rows.len());
                let path = format!("predictions/{model_type}.csv");
                assert_eq!(read, games(&files, &path), "{sport} {instant} {path}");
            }
            let held: usize = release.held_games.values().map(Vec::len).sum();
            let expected = if run == Run::First { 0 } else { WORLD.held_games(sport, instant).len() };
            assert_eq!(held, expected, "{sport} {instant}");
            assert_eq!(release.season, WORLD.seasons(sport).next(), "{sport} {instant}");
        }
    }
}

#[test]
fn every_odds_refresh_is_read_row_by_row() {
    for instant in instants() {
        for sport in Sport::ALL {
            let Some(files) = WORLD.odds_refresh(sport, instant) else { continue };
            let release = release(&files, instant);
            assert_eq!(release.odds.map_or(0, |odds| odds.len()), games(&files, "odds.csv"), "{sport} {instant}");
            assert!(release.run.is_none() && release.predictions.is_empty(), "{sport} {instant}");
        }
    }
}

/// Returns what a publisher of these files would be told: warnings and findings.
fn remarks(files: &ReleaseFiles, instant: DateTime<Utc>) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    files.write(folder.path()).expect("written");
    let read = read(folder.path(), instant).unwrap_or_else(|error| panic!("{instant}: {error:#?}"));
    let findings = examine(&read.release, &SeasonArchives::new());
    read.warnings.into_iter().chain(findings.iter().map(ToString::to_string)).collect()
}

#[test]
fn no_day_of_two_hundred_and_no_history_has_a_warning_or_a_finding() {
    let mut found = Vec::new();
    let start = at("2026-03-01T15:00:00Z");
    for (seed, days) in [(5, 0..100), (6, 100..200)] {
        let world = World::new(seed, start, 1);
        for sport in Sport::ALL {
            found.extend(remarks(&world.history_release(sport, start), start));
            for instant in days.clone().map(|day| start + Duration::days(day)) {
                found.extend(remarks(&world.day_release(sport, instant, Run::First), instant));
                let refresh = world.odds_refresh(sport, instant);
                found.extend(refresh.iter().flat_map(|files| remarks(files, instant)));
            }
        }
    }
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_release_at_the_edge_of_a_year_is_read() {
    for instant in ["2026-01-01T15:00:00Z", "2026-07-05T15:00:00Z", "2026-12-31T15:00:00Z"].map(at) {
        let world = World::new(9, instant, 1);
        for sport in Sport::ALL {
            let release = release(&world.day_release(sport, instant, Run::Rebuild), instant);
            assert!(release.odds.is_some_and(|odds| !odds.is_empty()), "{sport} {instant}");
        }
    }
}

/// Returns the header of a file.
fn header<'f>(files: &'f ReleaseFiles, path: &str) -> Vec<&'f str> {
    files.get(path).and_then(|text| text.lines().next()).map(|header| header.split(',').collect()).unwrap_or_default()
}

/// Returns the cells of a column; none if the file lacks it.
fn column<'f>(files: &'f ReleaseFiles, path: &str, name: &str) -> Vec<&'f str> {
    let Some(place) = header(files, path).iter().position(|known| *known == name) else { return Vec::new() };
    let rows = files.get(path).unwrap_or_default().lines().skip(1);
    rows.filter_map(|row| row.split(',').nth(place)).collect()
}

#[test]
fn a_world_with_own_models_differs_from_another_in_them_alone() {
    let (plain, world) = (World::new(7, now(), 1), World::new(7, now(), 1).with_own_models());
    let yesterday = now() - Duration::days(1);
    for sport in Sport::ALL {
        let of =
            |world: &World| [world.history_release(sport, yesterday), world.day_release(sport, yesterday, Run::First)];
        if sport != Sport::Nhl {
            assert_eq!(of(&world), of(&plain), "{sport}");
            continue;
        }
        for (own, plain) in of(&world).iter().zip(&of(&plain)) {
            for (path, _) in own.iter().filter(|(path, _)| *path != "release.json") {
                for name in header(plain, path) {
                    assert_eq!(column(own, path, name), column(plain, path, name), "{path} {name}");
                }
                let mut added = header(own, path);
                added.retain(|name| !header(plain, path).contains(name));
                let expected: &[&str] = match path {
                    path if !path.starts_with("pr") => &[],
                    path if path.contains("over_under") => &["goalie_net"],
                    _ => &["ELO", "goalie_net"],
                };
                assert_eq!(added, expected, "{path}");
            }
        }
    }
}

#[test]
fn an_own_model_has_versions_and_gaps_and_another_is_retired() {
    let world = World::new(7, now(), 1).with_own_models();
    let (history, before, today) = (
        world.history_release(Sport::Nhl, now()),
        world.day_release(Sport::Nhl, now() - Duration::days(1), Run::First),
        world.day_release(Sport::Nhl, now(), Run::First),
    );
    for files in [&history, &before, &today] {
        let read = release(files, now());
        assert_eq!(read.models.declarations.models.len(), 2);
    }
    let path = history.iter().map(|(path, _)| path).find(|path| path.contains("won_on_points/")).expect("a season");
    let gaps = |name: &str| {
        let cells = column(&history, path, name);
        (cells.iter().filter(|cell| cell.is_empty()).count(), cells.len())
    };
    let ((missing, games), (none, _)) = (gaps("goalie_net"), gaps("ELO"));
    assert!(missing * 10 > games && missing * 10 < 3 * games && none == 0, "{missing} of {games}, {none}");
    let manifests = [&before, &today].map(|files| files.get("release.json").expect("a manifest"));
    assert!(manifests[0].contains("\"1.0\"") && !manifests[0].contains("retired"), "{}", manifests[0]);
    assert!(manifests[1].contains("\"1.1\"") && manifests[1].contains("\"retired\": true"), "{}", manifests[1]);
    let predictions = "predictions/won_on_points.csv";
    assert_eq!([&before, &today].map(|files| column(files, predictions, "goalie_net").is_empty()), [false, true]);
    assert!(!column(&today, predictions, "ELO").is_empty());
}

#[test]
fn a_day_without_games_is_a_confirmed_off_day() {
    let later = now() + Duration::days(300);
    for sport in Sport::ALL {
        let release = release(&WORLD.day_release(sport, later, Run::First), later);
        assert_eq!(release.run.map(|run| run.slate), Some(SlateActivity::None), "{sport}");
        assert!(release.odds.is_none() && release.predictions.is_empty(), "{sport}");
    }
}

#[test]
fn every_file_of_finals_has_each_outcome_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("finals.csv");
    let mut called_off = 0;
    for sport in Sport::ALL {
        let settlements = WORLD.finals(sport, now() - Duration::days(40), now() + Duration::hours(20));
        std::fs::write(&path, Settlement::file(&settlements)).expect("written");
        let read = read_finals(&path, sport).unwrap_or_else(|error| panic!("{sport}: {error:#?}"));
        assert_eq!((read.rows.len(), read.warnings.len()), (settlements.len(), 0), "{sport}");
        for (row, settlement) in read.rows.iter().zip(&settlements) {
            assert_eq!(row.value.key, settlement.key, "{sport}");
            let score = match &row.value.ending {
                Ending::Final { score, .. } => Some(*score),
                Ending::CalledOff { .. } => None,
            };
            called_off += usize::from(score.is_none());
            assert_eq!(score, settlement.outcome.score(), "{sport} {}", settlement.key);
        }
    }
    assert!(called_off > 0, "some game of six weeks was called off");
}
