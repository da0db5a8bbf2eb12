//! Tests that every league plays on the day of the world, whatever the day.

use chrono::Duration;
use sports_demo::simulation::{Run, World};
use sports_domain::{Sport, eastern_date};

use crate::table::{at, rows};

#[test]
fn every_league_plays_on_the_day_of_the_world() {
    let instants = [
        "2025-12-31T23:59:00Z",
        "2026-01-01T04:59:00Z",
        "2026-01-01T05:00:00Z",
        "2026-01-04T15:00:00Z",
        "2026-01-05T15:00:00Z",
        // Daylight saving time starts and ends.
        "2026-03-08T06:59:59Z",
        "2026-03-08T07:00:00Z",
        "2026-11-01T05:30:00Z",
        "2026-11-01T06:30:00Z",
        "2027-01-01T04:59:59Z",
        "2028-02-29T12:00:00Z",
        "2028-12-31T12:00:00Z",
    ];
    let evenly = (0..10).map(|step| at("2026-01-20T17:00:00Z") + Duration::days(36 * step));
    for now in instants.map(at).into_iter().chain(evenly) {
        let world = World::new(9, now, 1);
        for sport in Sport::ALL {
            let release = world.day_release(sport, now, Run::First);
            let odds = rows(release.get("odds.csv").unwrap_or_else(|| panic!("{sport} {now}: no games")));
            let today = eastern_date(now).to_string();
            let least = if sport == Sport::Mlb { 10 } else { 5 };
            let games = odds.iter().filter(|game| game.text("date") == today).count();
            assert!(games >= least, "{sport} {now}: {games} games today");
        }
    }
}

#[test]
fn a_world_at_the_edge_of_a_year_reads_without_a_problem() {
    for now in ["2026-01-01T15:00:00Z", "2026-12-31T15:00:00Z"].map(at) {
        let world = World::new(9, now, 2);
        for sport in Sport::ALL {
            let folder = tempfile::tempdir().expect("a folder");
            world.history_release(sport, now + Duration::hours(12)).write(folder.path()).expect("written");
            let read = sports_publisher_files::read(folder.path(), now);
            assert!(read.is_ok(), "{sport} {now}: {read:?}");
        }
    }
}

#[test]
fn a_day_without_games_is_a_slate_of_none() {
    let now = at("2026-02-14T15:30:00Z");
    let world = World::new(9, now, 1);
    let later = now + Duration::days(300);
    for sport in Sport::ALL {
        let files = world.day_release(sport, later, Run::First);
        assert_eq!(files.iter().map(|(path, _)| path).collect::<Vec<_>>(), ["release.json"]);
        assert!(files.get("release.json").is_some_and(|text| text.contains("\"slate\": \"none\"")), "{sport}");
        assert_eq!(world.odds_refresh(sport, later), None);
    }
}
