//! Ids in a release and on record: one id is one game.

use chrono::{DateTime, Utc};
use sports_domain::{FinalScore, GameKey, Market, Sport};
use sports_publication::slate_update::Returns;
use sports_publication::testing::{a_game, a_release, place, season};
use sports_publication::{ArchivedGame, Ending, LeagueRecord, Located, Release, Reschedule, SeasonArchive};

use crate::releases_and_records::{
    MARKET, after, at, ended, listing, morning, named, on, pair, postponed, publish, publish_onto, quoting, won,
};

#[test]
fn one_id_is_one_game_in_all_files_of_a_release() {
    let both = |odds: &[(&str, &str, f64)], games: &[(&str, Option<&str>)]| {
        publish(&Release { odds: quoting(odds).odds, ..listing(games) }, LeagueRecord::default(), morning())
    };
    let refused = both(&[("13:05:00", "a", 41.5)], &[("13:00:00", Some("a"))]).expect_err("two starts");
    assert!(refused.contains("one game for each match_id") && refused.contains("13:05:00"), "{refused}");
    let refused = both(&[("13:00:00", "a", 41.5)], &[("13:00:00", Some("b"))]).expect_err("two names");
    assert!(refused.contains("one match_id for each game") && refused.contains("`a`"), "{refused}");
    assert!(both(&[("13:00:00", "a", 41.5)], &[("13:00:00", Some("a"))]).is_ok());
}

#[test]
fn an_id_on_record_is_of_no_other_teams() {
    let known = || after(&[("13:00:00", Some("a"))]);
    let mut incoming = listing(&[("13:00:00", Some("a"))]);
    let row = &mut incoming.predictions.get_mut(&MARKET).expect("predicted").rows[0].value.game.key;
    std::mem::swap(&mut row.away, &mut row.home);
    let refused = publish(&incoming, known(), morning()).expect_err("home and away exchanged");
    assert!(refused.contains("an id no other game has") && refused.contains("cancelled"), "{refused}");
    let evening = "2024-11-24T18:00:00Z".parse().expect("an instant");
    assert!(publish(&incoming, known(), evening).is_err(), "nor once that game has begun");
}

const NEXT_WEEK: &str = "2024-12-01";

/// Returns the key of a game of the same teams a week later.
fn next_week() -> GameKey {
    GameKey { date: NEXT_WEEK.parse().expect("a date"), ..at("13:00:00") }
}

/// Returns a release with the id `a` a week later.
fn again() -> Release {
    on(NEXT_WEEK, listing(&[("13:00:00", Some("a"))]))
}

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

/// Returns an instant on the day after the first game.
fn monday() -> DateTime<Utc> {
    instant("2024-11-25T12:00:00Z")
}

#[test]
fn a_game_that_began_or_was_played_keeps_its_id_on_every_other_date() {
    let known = || after(&[("13:00:00", Some("a"))]);
    let refused = publish(&again(), known(), monday()).expect_err("it has begun");
    let expected = "column match_id: `a`: expected an id of its own for 2024-12-01 13:00:00 away_team at home_team: on \
                    record it is that of 2024-11-24 13:00:00 away_team at home_team, which has started. If that one was";
    assert!(refused.contains(expected), "{refused}");
    let played = ended(&known(), &at("13:00:00"), won(), monday());
    let refused = publish(&again(), played, monday()).expect_err("it was played");
    assert!(refused.ends_with("which has a final"), "{refused}");
    // Before the game starts, the same listing reschedules it.
    let (record, report) = publish(&again(), known(), morning()).expect("reschedules");
    assert_eq!(report.moved, [Reschedule { from: at("13:00:00"), to: next_week() }]);
    assert_eq!(record.archives.values().next().expect("an archive").games()[0].facts.key, next_week());
}

#[test]
fn the_id_of_a_later_game_is_taken_once_that_has_started() {
    let (record, _) = publish(&again(), LeagueRecord::default(), morning()).expect("predicted");
    let late = instant("2024-12-02T12:00:00Z");
    let earlier = listing(&[("13:00:00", Some("a"))]);
    let refused = publish(&earlier, record.clone(), late).expect_err("it has begun");
    assert!(refused.contains("which has started"), "{refused}");
    let refused = publish(&earlier, ended(&record, &next_week(), won(), late), late).expect_err("it was played");
    assert!(refused.ends_with("which has a final"), "{refused}");
}

#[test]
fn the_id_of_a_game_called_off_is_free_and_stays_with_the_game_that_took_it() {
    let off = ended(&after(&[("13:00:00", Some("a"))]), &at("13:00:00"), postponed(), monday());
    let (record, _) = publish(&again(), off, monday()).expect("the id is free");
    assert_eq!(named(&record), pair(("13:00:00", ""), ("13:00:00", "a")));
    // The first game was played after all.
    let played = ended(&record, &at("13:00:00"), won(), monday());
    assert!(publish(&again(), played, monday()).is_ok());
}

#[test]
fn an_id_is_taken_by_games_on_record_and_on_other_dates_alone() {
    let (quoted, _) =
        publish(&quoting(&[("13:00:00", "a", 41.5)]), LeagueRecord::default(), morning()).expect("only quoted");
    assert!(publish(&again(), quoted, monday()).is_ok());
    let played = ended(&after(&[("13:00:00", Some("a"))]), &at("13:00:00"), won(), instant("2024-11-24T22:00:00Z"));
    let evening = listing(&[("19:00:00", Some("a"))]);
    assert!(publish(&evening, played, instant("2024-11-24T22:00:00Z")).is_ok(), "ids may be numbers of the day");
}

#[test]
fn a_stated_reschedule_brings_the_id_along() {
    let known = || after(&[("13:00:00", Some("a"))]);
    let stated = |to: GameKey| {
        let moved =
            vec![Located { place: place(1), value: Reschedule { from: at("13:00:00"), to: to.clone() }.into() }];
        let returns = Returns::new();
        publish_onto(None, &returns, &Release { moved, ..again() }, known(), monday())
    };
    assert!(stated(next_week()).is_ok());
    let elsewhere = GameKey { time: "16:00:00".parse().ok(), ..next_week() };
    assert!(stated(elsewhere).expect_err("moved to another start").contains("the start that `moved`"));
}

/// Returns a release of games at 13:00 and 19:00 under these identities.
fn under(ids: &[&str]) -> Release {
    let mut release = listing(&[("13:00:00", None), ("19:00:00", None)][..ids.len()]);
    let rows = &mut release.predictions.get_mut(&MARKET).expect("predicted").rows;
    rows.iter_mut().zip(ids).for_each(|(row, id)| row.value.game.game_id = Some((*id).to_owned()));
    release
}

#[test]
fn a_new_game_takes_an_identity_of_its_teams_and_season_that_no_game_has() {
    const FIRST: &str = "mlb-2024-11-20-away_team-home_team";
    let (second, third) = (format!("{FIRST}-2"), format!("{FIRST}-3"));
    for ids in [&[FIRST][..], &["mlb-2024-11-24-away_team-home_team"], &[&*second, FIRST], &[FIRST, &second]] {
        let (record, _) = publish(&under(ids), LeagueRecord::default(), morning()).expect("publishes");
        let games = record.archives.values().next().expect("an archive").games();
        let recorded: Vec<_> = games.iter().map(|game| game.facts.game_id.as_deref().expect("an identity")).collect();
        assert_eq!(recorded, ids);
    }
    let of_others = [
        "nfl-2024-11-20-away_team-home_team",
        "mlb-2023-11-20-away_team-home_team",
        "mlb-2024-11-20-home_team-away_team",
        "mlb-2024-11-31-away_team-home_team",
        "mlb-2024-11-20-away_team-home_team-1",
        "mlb-2024-11-20-away_team-home_team-x",
        "mlb-2024-11-2\u{e9}-away_team-home_team",
        "mlb",
    ];
    for id in of_others.into_iter().chain([&*second]) {
        let refused = publish(&under(&[id]), LeagueRecord::default(), morning()).expect_err(id);
        assert!(refused.contains("the game_id of a game on record or, for 2024-11-24 13:00:00"), "{refused}");
    }
    for ids in [[FIRST, FIRST], [FIRST, &*third]] {
        assert!(publish(&under(&ids), LeagueRecord::default(), morning()).is_err(), "{ids:?}");
    }
}

#[test]
fn a_listing_of_a_recorded_game_takes_no_other_identity() {
    let refused = publish(&under(&["mlb-2024-11-20-away_team-home_team"]), after(&[("13:00:00", None)]), morning());
    let expected = "the game_id of this game, 2024-11-24 13:00:00 away_team at home_team: `mlb-2024-11-24-away_team";
    assert!(refused.expect_err("it has its own").contains(expected));
}

/// Publishes two games of a date, each with a number and a score, of which the second has home and away exchanged.
fn exchanged(sport: Sport, label: &str, numbers: [Option<u8>; 2], second: Option<FinalScore>) -> Result<(), String> {
    let first = a_game().on("2024-08-05").without_time(numbers[0]).ending(1, 0).build();
    let mut other = a_game().on("2024-08-05").without_time(numbers[1]).build();
    std::mem::swap(&mut other.facts.key.away, &mut other.facts.key.home);
    other.facts.ending = second.map(Ending::settled);
    let market = Market::new(sport, MARKET);
    let of_record = |games: &[&ArchivedGame]| {
        let games = games.iter().map(|game| (*game).clone()).collect();
        let archive = SeasonArchive::new(market, season(sport, label), games).expect("no key repeats");
        LeagueRecord { archives: [((MARKET, season(sport, label)), archive)].into(), ..LeagueRecord::default() }
    };
    let listed = |games: &[&ArchivedGame], record| {
        let games = games.iter().map(|game| (*game).clone()).collect();
        publish(&a_release(sport, label, games), record, morning()).map(drop)
    };
    listed(&[&first, &other], LeagueRecord::default())?;
    listed(&[&other], of_record(&[&first]))?;
    listed(&[&first, &other], of_record(&[&first, &other]))
}

#[test]
fn numbers_or_finals_tell_untimed_games_with_home_and_away_exchanged_apart() {
    let score = |away, home| Some(FinalScore { away, home });
    for (numbers, second) in
        [([Some(1), Some(2)], None), ([Some(1), Some(2)], score(0, 1)), ([None, None], score(1, 2))]
    {
        assert_eq!(exchanged(Sport::Mlb, "2024", numbers, second), Ok(()), "{numbers:?} {second:?}");
    }
    for (numbers, second) in [([None, None], None), ([Some(1), Some(1)], None), ([None, None], score(0, 1))] {
        let refused = exchanged(Sport::Mlb, "2024", numbers, second).expect_err("one game in both orders");
        assert!(refused.contains("home and away as in"), "{refused}");
    }
    assert!(exchanged(Sport::Nfl, "2024-25", [None, None], score(1, 2)).is_err(), "no other league has two a day");
}
