//! The slate and the record after a release.

use std::collections::BTreeMap;

use sports_domain::{GameKey, ModelType, Sport};
use sports_publication::slate::{TeamName, TeamNames};
use sports_publication::testing::{called_off, place, season};
use sports_publication::{LeagueRecord, Located, Predictions, Release, Run, SlateActivity};

use crate::releases_and_records::{MARKET, after, at, ended, listing, morning, publish, quoting, starts};

#[test]
fn games_that_are_no_longer_listed_are_counted() {
    let known = || after(&[("13:00:00", None), ("19:00:00", None)]);
    let (record, report) = publish(&listing(&[("13:00:00", None)]), known(), morning()).expect("publishes");
    assert_eq!(report.markets[&MARKET].dropped, [at("19:00:00")]);
    assert_eq!(starts(&record).len(), 2, "its row stays");
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let (_, report) = publish(&listing(&[("19:00:00", None)]), known(), afternoon).expect("publishes");
    assert_eq!(report.markets[&MARKET].dropped, Vec::<GameKey>::new(), "what has begun leaves by itself");
    let (record, _) =
        publish(&quoting(&[("13:00:00", "a", 41.5), ("19:00:00", "b", 44.5)]), known(), morning()).expect("quoted");
    let (_, report) = publish(&quoting(&[("13:00:00", "a", 41.5)]), record, morning()).expect("quoted");
    assert_eq!(report.unquoted, [at("19:00:00")]);
}

#[test]
fn a_slate_is_not_emptied_by_an_empty_file() {
    let mut empty = listing(&[("13:00:00", None)]);
    empty.predictions.get_mut(&MARKET).expect("predicted").rows.clear();
    let refused = publish(&empty, LeagueRecord::default(), morning()).expect_err("empty");
    assert!(refused.contains("predictions/over_under: expected one game or more"), "{refused}");
    let (quoted, _) =
        publish(&quoting(&[("13:00:00", "a", 41.5)]), LeagueRecord::default(), morning()).expect("quoted");
    let refused = publish(&quoting(&[]), quoted.clone(), morning()).expect_err("nothing quoted any more");
    assert!(refused.contains("odds: expected one game or more"), "{refused}");
    // A predicted game is upcoming, whatever was quoted before.
    let incoming = || Release { odds: Some(Vec::new()), ..listing(&[("19:00:00", None)]) };
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    for record in [LeagueRecord::default(), quoted] {
        let refused = publish(&incoming(), record, afternoon).expect_err("it has no odds");
        assert!(refused.contains("odds: expected one game or more"), "{refused}");
    }
    assert!(publish(&quoting(&[]), LeagueRecord::default(), morning()).is_err(), "there never were any");
    // All games of a market may be held.
    empty.held_games = BTreeMap::from([(MARKET, vec![Located { place: place(1), value: at("13:00:00") }])]);
    let (_, report) = publish(&empty, after(&[("13:00:00", None)]), morning()).expect("held");
    assert_eq!(report.markets[&MARKET].held.len(), 1);
}

#[test]
fn a_day_without_games_is_declared_in_the_manifest() {
    let said = |slate| {
        let (started_at, completed_at) = (morning(), Some(morning()));
        let run = Run { id: "r".to_owned(), started_at, completed_at, slate };
        let mut empty = Release { run: Some(run), ..listing(&[("13:00:00", None)]) };
        empty.predictions.get_mut(&MARKET).expect("there is one").rows.clear();
        publish(&empty, LeagueRecord::default(), morning())
    };
    assert!(said(SlateActivity::None).is_ok());
    assert!(said(SlateActivity::Active).expect_err("its games are missing").contains("expected one game or more"));
}

#[test]
fn games_are_held_out_of_a_file_of_their_market() {
    let held = |games: Vec<Located<GameKey>>| {
        let held_games = BTreeMap::from([(ModelType::WonOnSpread, games)]);
        publish(&Release { held_games, ..listing(&[("13:00:00", None)]) }, LeagueRecord::default(), morning())
    };
    assert!(held(Vec::new()).is_ok());
    let refused = held(vec![Located { place: place(1), value: at("13:00:00") }]).expect_err("held out of what?");
    let expected = "release.json, column held_games.won_on_spread: expected predictions/won_on_spread in the same release: \
                    without it every game stays as it is";
    assert_eq!(refused, expected);
}

#[test]
fn a_game_is_held_while_every_release_names_it() {
    let (dropped, _) =
        publish(&listing(&[("13:00:00", None)]), after(&[("13:00:00", None), ("19:00:00", None)]), morning())
            .expect("publishes");
    let mut held = listing(&[("13:00:00", None)]);
    held.held_games = BTreeMap::from([(MARKET, vec![Located { place: place(1), value: at("19:00:00") }])]);
    let refused = publish(&held, dropped, morning()).expect_err("left the air in between");
    assert!(refused.contains("a game that has published predictions"), "{refused}");
}

#[test]
fn a_game_called_off_is_called_off_in_a_market_that_lists_it_later() {
    let known = after(&[("13:00:00", None)]);
    let archives = ended(&known, &at("13:00:00"), called_off("postponed"), morning()).archives;
    let mut incoming = listing(&[("13:00:00", None)]);
    let file = incoming.predictions.remove(&MARKET).expect("predicted");
    incoming.predictions.insert(ModelType::WonOnSpread, file);
    let (record, _) =
        publish(&incoming, LeagueRecord { archives, ..LeagueRecord::default() }, morning()).expect("another market");
    let statuses: Vec<_> =
        record.archives.values().map(|archive| archive.games()[0].facts.settlement_status()).collect();
    assert_eq!(statuses, [Some("postponed"), Some("postponed")]);
}

#[test]
fn predictions_call_teams_by_the_names_given_last() {
    let called = |name: &str| {
        let mut names = TeamNames::default();
        names.add(at("13:00:00").away, TeamName::new(name).expect("a name"));
        names
    };
    let bare = Predictions::new(MARKET, season(Sport::Mlb, "2024"), Vec::new()).expect("no key repeats");
    assert_eq!(bare.names(), &TeamNames::default());
    let first = bare.naming(called("UConn"));
    assert_eq!(first.names(), &called("UConn"));
    assert_eq!(first.naming(called("Connecticut")).names(), &called("Connecticut"));
}

/// Returns the visiting team's name in a record's predictions.
fn name_of_away(record: &LeagueRecord) -> Option<&str> {
    record.predictions[&MARKET].names().get(&at("13:00:00").away).map(TeamName::as_str)
}

#[test]
fn a_team_keeps_its_name_until_another_is_written() {
    let naming = |name: Option<&str>| {
        let mut release = listing(&[("13:00:00", None)]);
        let names = &mut release.predictions.get_mut(&MARKET).expect("predicted").names;
        if let Some(name) = name {
            names.add(at("13:00:00").away, TeamName::new(name).expect("a name"));
        }
        release
    };
    let (record, _) = publish(&naming(Some("UConn")), LeagueRecord::default(), morning()).expect("publishes");
    assert_eq!(name_of_away(&record), Some("UConn"));
    let (record, _) = publish(&naming(None), record, morning()).expect("publishes");
    assert_eq!(name_of_away(&record), Some("UConn"), "a slug takes no name away");
    let (record, _) = publish(&quoting(&[("13:00:00", "a", 41.5)]), record, morning()).expect("quoted");
    assert_eq!(name_of_away(&record), Some("UConn"), "odds name no team");
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let (record, report) = publish(&naming(Some("Connecticut")), record, afternoon).expect("publishes");
    assert_eq!(report.markets[&MARKET].frozen, [at("13:00:00")]);
    assert_eq!(name_of_away(&record), Some("Connecticut"), "a name is no forecast: started games have the newest, too");
}
