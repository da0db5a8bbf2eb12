//! Games that a release lists under another time.

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, Market, Sport, TeamSlug, Total};
use sports_publication::slate_update::{AtStart, Returns};
use sports_publication::testing::{a_game, called_off, place, season};
use sports_publication::{ArchivedGame, LeagueRecord, Located, Release, Reschedule, SeasonArchive};

use crate::releases_and_records::{
    GAME_ID, MARKET, after, at, ended, listing, morning, named, on, pair, postponed, publish, publish_onto, quoting,
    starts, won,
};

/// Returns an instant five hours after a start at 13:00.
fn evening() -> DateTime<Utc> {
    "2024-11-24T23:00:00Z".parse().expect("an instant")
}

#[test]
fn a_game_listed_at_one_new_time_is_rescheduled() {
    let (record, report) =
        publish(&listing(&[("14:00:00", None)]), after(&[("13:00:00", None)]), morning()).expect("reschedules");
    assert_eq!(report.moved, [Reschedule { from: at("13:00:00"), to: at("14:00:00") }]);
    assert_eq!(starts(&record), ["14:00:00"]);
    assert_eq!(report.markets[&MARKET].new, Vec::<GameKey>::new(), "it was on record");
}

#[test]
fn two_times_in_a_file_are_a_doubleheader() {
    let both = listing(&[("13:00:00", None), ("19:00:00", None)]);
    let (record, report) = publish(&both, after(&[("13:00:00", None)]), morning()).expect("publishes");
    assert_eq!((report.moved.len(), starts(&record)), (0, vec!["13:00:00".to_owned(), "19:00:00".to_owned()]));
    // The second game is rescheduled; the first is listed at its own start.
    let later = listing(&[("13:00:00", None), ("20:00:00", None)]);
    let (record, _) = publish(&later, record, morning()).expect("publishes");
    assert_eq!(starts(&record), ["13:00:00", "20:00:00"]);
}

#[test]
fn a_new_time_that_could_be_of_two_games_is_refused() {
    let both = after(&[("13:00:00", None), ("19:00:00", None)]);
    let refused = publish(&listing(&[("16:00:00", None)]), both, morning()).expect_err("which of the two?");
    assert!(
        refused.contains("`moved` in release.json") && refused.contains("13:00:00") && refused.contains("19:00:00")
    );
}

#[test]
fn a_game_is_not_delayed_past_a_played_one_by_the_order_of_rows() {
    let both = after(&[("13:00:00", None), ("16:00:00", None)]);
    let played = || ended(&both, &at("16:00:00"), won(), evening());
    // By their order the rows are of both games, and the second keeps its start. Were the first delayed to 17:00, its row
    // would be the second's when the release is published again.
    let refused = publish(&listing(&[("17:00:00", None), ("18:00:00", None)]), played(), evening());
    assert!(refused.expect_err("which of the two?").contains("`moved` in release.json"));
    let before = listing(&[("14:00:00", None), ("18:00:00", None)]);
    let (record, _) = publish(&before, played(), evening()).expect("the first stays the first");
    assert_eq!(starts(&record), ["14:00:00", "16:00:00"]);
    let (again, report) = publish(&before, record, evening()).expect("published before");
    assert_eq!((starts(&again), report.moved.len()), (vec!["14:00:00".to_owned(), "16:00:00".to_owned()], 0));
}

#[test]
fn an_id_says_which_games_are_the_same() {
    let games = [("13:00:00", Some("a")), ("19:00:00", Some("b"))];
    let (record, _) = publish(&listing(&[("16:00:00", Some("b"))]), after(&games), morning()).expect("the second");
    assert_eq!(starts(&record), ["13:00:00", "16:00:00"]);
    let other = listing(&[("16:00:00", Some("c"))]);
    let (record, report) = publish(&other, after(&[("13:00:00", Some("a"))]), morning()).expect("another game");
    assert_eq!((report.moved.len(), starts(&record).len()), (0, 2));
}

#[test]
fn a_game_that_is_delayed_stays_closed() {
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let incoming = listing(&[("14:00:00", Some("a"))]);
    let (record, report) = publish(&incoming, after(&[("13:00:00", Some("a"))]), afternoon).expect("publishes");
    assert_eq!(starts(&record), ["14:00:00"], "a delayed start");
    assert_eq!(report.markets[&MARKET].frozen, [at("14:00:00")]);
    assert_eq!(report.frozen, [at("14:00:00")].into(), "it closed at the start it had");
    let mut stated = listing(&[]);
    stated.moved =
        vec![Located { place: place(1), value: Reschedule { from: at("13:00:00"), to: at("14:00:00") }.into() }];
    let (_, report) = publish(&stated, after(&[("13:00:00", None)]), afternoon).expect("delayed");
    assert_eq!(report.frozen, [at("14:00:00")].into());
}

#[test]
fn a_stated_reschedule_needs_a_game_and_a_free_time_and_is_made_once() {
    let stated = |from: &str, to: &str| {
        let mut release = listing(&[]);
        release.moved = vec![Located { place: place(1), value: Reschedule { from: at(from), to: at(to) }.into() }];
        release
    };
    let existing = || after(&[("13:00:00", None), ("19:00:00", None)]);
    let (record, _) = publish(&stated("13:00:00", "16:00:00"), existing(), morning()).expect("reschedules");
    assert_eq!(starts(&record), ["16:00:00", "19:00:00"]);
    let (again, report) = publish(&stated("13:00:00", "16:00:00"), record, morning()).expect("was made before");
    assert_eq!((starts(&again).len(), report.moved.len()), (2, 0));
    assert!(
        publish(&stated("13:00:00", "19:00:00"), existing(), morning())
            .expect_err("taken")
            .contains("a start that no other game has")
    );
    assert!(
        publish(&stated("12:00:00", "12:30:00"), existing(), morning()).expect_err("unknown").contains("on record")
    );
}

#[test]
fn games_that_change_places_keep_their_rows_and_first_quotes() {
    let first = quoting(&[("13:00:00", "a", 41.5), ("19:00:00", "b", 49.5)]);
    let (record, _) = publish(&first, LeagueRecord::default(), morning()).expect("quoted");
    let again = quoting(&[("13:00:00", "a", 42.0), ("19:00:00", "b", 50.5)]);
    let (record, _) = publish(&again, record, morning()).expect("quoted again");
    let release = listing(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    let (record, _) = publish(&release, record, morning()).expect("publishes");
    let swapped = listing(&[("13:00:00", Some("b")), ("19:00:00", Some("a"))]);
    let (record, report) = publish(&swapped, record, morning()).expect("both are rescheduled");
    assert_eq!(report.moved.len(), 2);
    assert_eq!(named(&record), pair(("13:00:00", "b"), ("19:00:00", "a")));
    let opener = |time: &str| record.openers.get(&at(time)).and_then(|opener| opener.lines.open_total);
    assert_eq!(opener("13:00:00"), Total::new(49.5).ok());
    assert_eq!(opener("19:00:00"), Total::new(41.5).ok());
    // Publishing the same release again moves no game; odds alone can reschedule both, too.
    let (record, report) = publish(&swapped, record, morning()).expect("published before");
    assert_eq!((report.moved.len(), named(&record)), (0, pair(("13:00:00", "b"), ("19:00:00", "a"))));
    let back = quoting(&[("13:00:00", "a", 42.0), ("19:00:00", "b", 50.0)]);
    let (record, report) = publish(&back, record, morning()).expect("both go back");
    assert_eq!((report.moved.len(), named(&record)), (2, pair(("13:00:00", "a"), ("19:00:00", "b"))));
}

#[test]
fn a_game_may_take_the_start_of_one_that_is_rescheduled() {
    let existing = || after(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    let chain = listing(&[("19:00:00", Some("a")), ("21:00:00", Some("b"))]);
    let (record, report) = publish(&chain, existing(), morning()).expect("by their ids");
    assert_eq!((report.moved.len(), named(&record)), (2, pair(("19:00:00", "a"), ("21:00:00", "b"))));
    let mut stated = listing(&[]);
    let reschedules = [("13:00:00", "19:00:00"), ("19:00:00", "21:00:00")];
    stated.moved = reschedules
        .map(|(from, to)| Located { place: place(1), value: Reschedule { from: at(from), to: at(to) }.into() })
        .to_vec();
    let (record, report) = publish(&stated, existing(), morning()).expect("as stated");
    assert_eq!((report.moved.len(), named(&record)), (2, pair(("19:00:00", "a"), ("21:00:00", "b"))));
    let (record, report) = publish(&stated, record, morning()).expect("was made before");
    assert_eq!((report.moved.len(), named(&record)), (0, pair(("19:00:00", "a"), ("21:00:00", "b"))));
}

#[test]
fn a_stated_change_of_places_needs_ids_to_be_made_once() {
    let existing = |ids: [Option<&str>; 2]| after(&[("13:00:00", ids[0]), ("19:00:00", ids[1])]);
    let stated = |games: &[(&str, Option<&str>)]| {
        let mut release = listing(games);
        let reschedules = [("13:00:00", "19:00:00"), ("19:00:00", "13:00:00")];
        release.moved = reschedules
            .map(|(from, to)| Located { place: place(1), value: Reschedule { from: at(from), to: at(to) }.into() })
            .to_vec();
        release
    };
    let nameless = stated(&[("13:00:00", None), ("19:00:00", None)]);
    let refused = publish(&nameless, existing([None, None]), morning()).expect_err("once or twice?");
    assert!(refused.contains("the `match_id` of both games"), "{refused}");
    let incoming = stated(&[("13:00:00", Some("b")), ("19:00:00", Some("a"))]);
    let (record, _) = publish(&incoming, existing([Some("a"), Some("b")]), morning()).expect("reschedules");
    let (record, report) = publish(&incoming, record, morning()).expect("was made before");
    assert_eq!((report.moved.len(), named(&record)), (0, pair(("13:00:00", "b"), ("19:00:00", "a"))));
}

#[test]
fn a_reschedule_onto_a_game_that_stays_is_refused() {
    let record = after(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    let refused = publish(&listing(&[("19:00:00", Some("a"))]), record, morning()).expect_err("where is b?");
    assert!(refused.contains("a start that no other game has"), "{refused}");
}

#[test]
fn games_that_change_places_after_a_start_are_closed() {
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let record = after(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    let swapped = listing(&[("13:00:00", Some("b")), ("19:00:00", Some("a"))]);
    let (record, report) = publish(&swapped, record, afternoon).expect("publishes");
    assert_eq!(named(&record), pair(("13:00:00", "b"), ("19:00:00", "a")));
    assert_eq!(report.markets[&MARKET].frozen.len(), 2, "one of the two starts has passed, for each");
}

#[test]
fn a_game_that_was_called_off_does_not_come_back_under_another_time() {
    let record = after(&[("13:00:00", Some("a"))]);
    let archives = ended(&record, &at("13:00:00"), called_off("postponed"), morning()).archives;
    let incoming = listing(&[("16:00:00", Some("a"))]);
    let (record, report) =
        publish(&incoming, LeagueRecord { archives, ..LeagueRecord::default() }, morning()).expect("a new game");
    assert_eq!((report.moved.len(), starts(&record)), (0, vec!["13:00:00".to_owned(), "16:00:00".to_owned()]));
}

#[test]
fn a_game_on_record_in_another_season_is_refused() {
    let mut record = imported(&[("13:00:00", None)]);
    let archive = record.archives.remove(&(MARKET, season(Sport::Mlb, "2024"))).expect("it is there");
    let wrong = season(Sport::Mlb, "2025");
    let archive = SeasonArchive::new(archive.market(), wrong, archive.games().to_vec()).expect("one game");
    record.archives.insert((MARKET, wrong), archive);
    for listed in [("13:00:00", None), ("13:05:00", None)] {
        let refused = publish(&listing(&[listed]), record.clone(), morning()).expect_err("of 2025");
        assert!(refused.contains("the season 2025 for") && refused.contains(GAME_ID), "{refused}");
    }
}

#[test]
fn a_game_that_is_over_returns_only_to_a_start_that_has_passed() {
    let over = || ended(&after(&[("13:00:00", Some("a"))]), &at("13:00:00"), won(), evening());
    let stated = |to: &str, back: Option<AtStart>| {
        let made = Reschedule { from: at("13:00:00"), to: at(to) };
        let moved = vec![Located { place: place(1), value: made.clone().into() }];
        let returns: Returns = back.into_iter().map(|then| (GAME_ID.to_owned(), then)).collect();
        publish_onto(None, &returns, &Release { moved, ..listing(&[]) }, over(), evening())
    };
    let refused = stated("23:30:00", None).expect_err("it would be still to come");
    assert!(refused.ends_with("expected a game that is not over"), "{refused}");
    let then = after(&[("13:00:00", Some("a"))]).archives[&(MARKET, season(Sport::Mlb, "2024"))].games()[0].clone();
    let at_start = AtStart { rows: [(MARKET, then)].into(), ..AtStart::default() };
    let (record, _) = stated("12:30:00", Some(at_start)).expect("the start it had before");
    assert_eq!(starts(&record), ["12:30:00"]);
}

/// Returns a record whose archive has upcoming games, as a file of games lists them.
fn imported(games: &[(&str, Option<&str>)]) -> LeagueRecord {
    let label = season(Sport::Mlb, "2024");
    let game = |(time, id): &(&str, Option<&str>)| {
        let change = |game: &mut ArchivedGame| {
            (game.facts.key, game.facts.match_id) = (at(time), id.map(str::to_owned));
        };
        a_game().unplayed().unforecast().with(change).build()
    };
    let archive = SeasonArchive::new(Market::new(Sport::Mlb, MARKET), label, games.iter().map(game).collect());
    LeagueRecord { archives: [((MARKET, label), archive.expect("no key repeats"))].into(), ..LeagueRecord::default() }
}

/// Returns a record with odds only.
fn quoted(games: &[(&str, &str, f64)]) -> LeagueRecord {
    publish(&quoting(games), LeagueRecord::default(), morning()).expect("quoted").0
}

fn moved(release: &Release, record: LeagueRecord, now: DateTime<Utc>) -> Vec<(String, String)> {
    let (_, report) = publish(release, record, now).expect("publishes");
    let start = |key: &GameKey| key.time.expect("timed").to_string();
    report.moved.iter().map(|made| (start(&made.from), start(&made.to))).collect()
}

fn from_to(from: &str, to: &str) -> Vec<(String, String)> {
    vec![(from.to_owned(), to.to_owned())]
}

#[test]
fn a_start_listed_with_its_own_id_is_no_other_games() {
    let twice = imported(&[("13:00:00", Some("a")), ("19:00:00", Some("a"))]);
    assert_eq!(moved(&listing(&[("13:00:00", Some("a"))]), twice, morning()), []);
    // A repeated start in the odds is no news, whatever was recorded since.
    let record =
        LeagueRecord { archives: imported(&[("16:00:00", Some("a"))]).archives, ..quoted(&[("13:00:00", "a", 41.5)]) };
    assert_eq!(moved(&quoting(&[("13:00:00", "a", 41.5)]), record, morning()), []);
}

#[test]
fn of_two_starts_with_an_id_the_one_on_record_is_rescheduled() {
    let record =
        LeagueRecord { archives: imported(&[("16:00:00", Some("a"))]).archives, ..quoted(&[("13:00:00", "a", 41.5)]) };
    assert_eq!(moved(&listing(&[("19:00:00", Some("a"))]), record, morning()), from_to("16:00:00", "19:00:00"));
}

#[test]
fn an_id_reschedules_a_game_by_fourteen_days_at_most() {
    let incoming = || listing(&[("13:00:00", Some("a"))]);
    let (_, report) =
        publish(&on("2024-12-08", incoming()), after(&[("13:00:00", Some("a"))]), morning()).expect("reschedules");
    assert_eq!(report.moved.len(), 1);
    for date in ["2024-12-09", "2024-12-30"] {
        let refused =
            publish(&on(date, incoming()), after(&[("13:00:00", Some("a"))]), morning()).expect_err("too far");
        assert!(refused.contains("a date within 14 days of the one on record, 2024-11-24 13:00:00"), "{refused}");
    }
}

#[test]
fn new_games_of_other_teams_or_days_leave_no_doubt_which_game_was_rescheduled() {
    let mut incoming = listing(&[("14:00:00", None), ("15:00:00", None), ("16:00:00", None)]);
    let rows = &mut incoming.predictions.get_mut(&MARKET).expect("predicted").rows;
    rows[1].value.game.key.date = "2024-11-25".parse().expect("a date");
    rows[2].value.game.key.away = TeamSlug::normalise("others").expect("a team");
    assert_eq!(moved(&incoming, after(&[("13:00:00", None)]), morning()), from_to("13:00:00", "14:00:00"));
}

#[test]
fn a_start_that_a_stated_reschedule_leads_to_is_not_new() {
    let stated =
        vec![Located { place: place(1), value: Reschedule { from: at("13:00:00"), to: at("16:00:00") }.into() }];
    let release = Release { moved: stated, ..listing(&[("16:00:00", None)]) };
    let record = after(&[("13:00:00", None), ("19:00:00", None)]);
    assert_eq!(moved(&release, record, morning()), from_to("13:00:00", "16:00:00"));
}

#[test]
fn an_id_is_of_the_game_on_record_before_one_that_is_only_quoted() {
    let incoming = || listing(&[("22:00:00", Some("a"))]);
    let with = |record: LeagueRecord| LeagueRecord { archives: record.archives, ..quoted(&[("21:00:00", "a", 41.5)]) };
    let begun = || imported(&[("13:00:00", Some("a"))]);
    assert_eq!(moved(&incoming(), with(LeagueRecord::default()), morning()), from_to("21:00:00", "22:00:00"));
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    // For the game that has started, the start is delayed.
    assert_eq!(moved(&incoming(), with(begun()), afternoon), from_to("13:00:00", "22:00:00"));
    // A game that was called off, or that has another id, is not the quoted game.
    let off = ended(&with(begun()), &at("13:00:00"), postponed(), afternoon);
    for (why, record) in [
        ("called off", off),
        ("another id", with(imported(&[("13:00:00", Some("b"))]))),
        (
            "only quoted",
            publish(&quoting(&[("21:00:00", "a", 41.5)]), quoted(&[("13:00:00", "a", 40.5)]), afternoon)
                .expect("quoted")
                .0,
        ),
    ] {
        assert_eq!(moved(&incoming(), record, afternoon), from_to("21:00:00", "22:00:00"), "{why}");
    }
}
