//! Club names: one name for a club in a season.

use std::borrow::Cow;

use sports_domain::{GameKey, Sport};
use sports_publication::testing::{a_game, a_release, key, season};
use sports_publication::{LeagueRecord, Odds, Release, SeasonArchive, as_recorded};

use crate::releases_and_records::{MARKET, quoting};

const LABEL: &str = "2024-25";

fn game(away: &str, home: &str) -> GameKey {
    key("2024-11-24", "13:00:00", away, home)
}

fn listing(away: &str, home: &str) -> Release {
    let games = vec![a_game().with(|game_row| game_row.facts.key = game(away, home)).build()];
    a_release(Sport::Nfl, LABEL, games)
}

fn recording(away: &str, home: &str) -> LeagueRecord {
    let games = vec![a_game().with(|game_row| game_row.facts.key = game(away, home)).build()];
    let (market, season) = (sports_domain::Market::new(Sport::Nfl, MARKET), season(Sport::Nfl, LABEL));
    let archive = SeasonArchive::new(market, season, games).expect("no key repeats");
    LeagueRecord { archives: [((MARKET, season), archive)].into(), ..LeagueRecord::default() }
}

/// Returns the only game of a release's history as it is to be recorded.
fn recorded(release: &Release, record: &LeagueRecord) -> GameKey {
    as_recorded(release, record, None).history[0].shared[0].rows[0].value.key.clone()
}

#[test]
fn a_club_keeps_the_name_it_is_on_record_with_in_the_season() {
    let record = recording("oakland_raiders", "buffalo_bills");
    assert_eq!(
        recorded(&listing("buffalo_bills", "las_vegas_raiders"), &record),
        game("buffalo_bills", "oakland_raiders")
    );
    let later = recording("las_vegas_raiders", "buffalo_bills");
    assert_eq!(
        recorded(&listing("oakland_raiders", "miami_dolphins"), &later),
        game("las_vegas_raiders", "miami_dolphins")
    );
    let spelt = recording("ny_jets", "buffalo_bills");
    assert_eq!(recorded(&listing("new_york_jets", "new_york_giants"), &spelt), game("ny_jets", "new_york_giants"));
}

#[test]
fn only_clubs_on_record_are_renamed() {
    let record = recording("oakland_raiders", "buffalo_bills");
    let unchanged = [
        listing("oakland_raiders", "miami_dolphins"),
        listing("canal_foxes", "harbor_gulls"),
        // Both names in one release are two teams.
        listing("oakland_raiders", "las_vegas_raiders"),
    ];
    for release in unchanged {
        assert!(matches!(as_recorded(&release, &record, None), Cow::Borrowed(_)));
    }
    let other_season = a_release(Sport::Nfl, "2023-24", vec![a_game().visited_by("las_vegas_raiders").build()]);
    assert!(matches!(as_recorded(&other_season, &record, None), Cow::Borrowed(_)));
}

#[test]
fn teams_of_a_slate_are_named_as_in_its_season() {
    let mut release = Release { sport: Sport::Nfl, ..quoting(&[("13:00:00", "a", 41.5)]) };
    release.odds.as_mut().expect("odds")[0].value.key = game("las_vegas_raiders", "buffalo_bills");
    let record = recording("oakland_raiders", "buffalo_bills");
    let named = as_recorded(&release, &record, Some(season(Sport::Nfl, LABEL)));
    assert_eq!(named.odds.as_ref().expect("odds")[0].value.key, game("oakland_raiders", "buffalo_bills"));
    assert!(matches!(as_recorded(&release, &record, None), Cow::Borrowed(_)));
}

#[test]
fn the_published_slate_is_on_record_in_its_season_alone() {
    let slate = |away: &str| {
        let mut release = Release { sport: Sport::Nfl, ..quoting(&[("13:00:00", "a", 41.5)]) };
        release.odds.as_mut().expect("odds")[0].value.key = game(away, "buffalo_bills");
        release
    };
    let odds = slate("oakland_raiders").odds.into_iter().flatten().map(|row| row.value).collect();
    let record = LeagueRecord { odds: Some(Odds::new(odds).expect("no key repeats")), ..LeagueRecord::default() };
    let (release, live) = (slate("las_vegas_raiders"), season(Sport::Nfl, LABEL));
    let named = as_recorded(&release, &record, Some(live));
    assert_eq!(named.odds.as_ref().expect("odds")[0].value.key, game("oakland_raiders", "buffalo_bills"));
    let played = a_game().with(|played| played.facts.key = game("las_vegas_raiders", "buffalo_bills")).build();
    let history = a_release(Sport::Nfl, "2023-24", vec![played]);
    assert!(matches!(as_recorded(&history, &record, Some(live)), Cow::Borrowed(_)));
}
