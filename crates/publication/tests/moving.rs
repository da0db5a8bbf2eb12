//! Which game a release means when it tells of one under another time.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{
    Forecasts, GameKey, GameLines, HomeSpread, LineColumn, ModelColumn, ModelType, Probability, Sport, Total,
};
use sports_publication::live::{Publishing, Record, SlateReport, publish_slate};
use sports_publication::settle::{Permissions, settle};
use sports_publication::testing::{a_release, key, place, season};
use sports_publication::{Ending, Extras, FinalRow, Located, Move, PredictedGame, PredictionsFile, Release, ReleaseId};
use sports_slate::{OddsGame, SlateGame};

const MARKET: ModelType = ModelType::OverUnder;

fn morning() -> DateTime<Utc> {
    "2024-11-24T14:50:00Z".parse().expect("an instant")
}

fn at(time: &str) -> GameKey {
    key("2024-11-24", time, "away_team", "home_team")
}

/// A release of predictions of games, each with its start and perhaps an id.
fn telling(games: &[(&str, Option<&str>)]) -> Release {
    let row = |(time, id): &(&str, Option<&str>)| {
        let mut game = SlateGame {
            key: at(time),
            match_id: id.map(str::to_owned),
            lines: GameLines::default(),
            forecasts: Forecasts::default().with(ModelColumn::Blend, Probability::new(0.6).expect("a probability")),
        };
        game.lines.total = Total::new(43.5).ok();
        let value = PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() };
        Located { place: place(2), value }
    };
    let file = PredictionsFile { given: vec![LineColumn::OverUnder], rows: games.iter().map(row).collect() };
    let season = Some(season(Sport::Nfl, "2024-25"));
    let bare = a_release(Sport::Nfl, "2024-25", Vec::new());
    let predictions = if games.is_empty() { BTreeMap::new() } else { BTreeMap::from([(MARKET, file)]) };
    Release { season, predictions, history: Vec::new(), ..bare }
}

fn publish(release: &Release, record: Record, now: DateTime<Utc>) -> Result<(Record, SlateReport), String> {
    let release_id = ReleaseId::new(release.slate_date, now, &release.content);
    let publishing = Publishing { release, catalog: None, release_id: &release_id, now };
    let problems = |problems: Vec<sports_publication::Problem>| {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    publish_slate(&publishing, record).map_err(problems)
}

/// The starts on record after a release over what another one made.
fn starts(record: &Record) -> Vec<String> {
    let archive = record.archives.values().next().expect("an archive");
    archive.games().iter().map(|game| game.facts.key.time.expect("timed").to_string()).collect()
}

fn after(first: &[(&str, Option<&str>)]) -> Record {
    publish(&telling(first), Record::default(), morning()).expect("publishes").0
}

#[test]
fn one_game_told_at_one_new_time_has_moved() {
    let (record, report) =
        publish(&telling(&[("14:00:00", None)]), after(&[("13:00:00", None)]), morning()).expect("moves");
    assert_eq!(report.moved, [Move { from: at("13:00:00"), to: at("14:00:00") }]);
    assert_eq!(starts(&record), ["14:00:00"]);
    assert_eq!(report.markets[&MARKET].new, Vec::<GameKey>::new(), "it was on record");
}

#[test]
fn both_times_in_a_file_are_a_doubleheader() {
    let both = telling(&[("13:00:00", None), ("19:00:00", None)]);
    let (record, report) = publish(&both, after(&[("13:00:00", None)]), morning()).expect("publishes");
    assert_eq!((report.moved.len(), starts(&record)), (0, vec!["13:00:00".to_owned(), "19:00:00".to_owned()]));
    // The second of them moves; the first is told where it was.
    let later = telling(&[("13:00:00", None), ("20:00:00", None)]);
    let (record, _) = publish(&later, record, morning()).expect("publishes");
    assert_eq!(starts(&record), ["13:00:00", "20:00:00"]);
}

#[test]
fn a_new_time_that_could_be_of_two_games_is_refused() {
    let both = after(&[("13:00:00", None), ("19:00:00", None)]);
    let refused = publish(&telling(&[("16:00:00", None)]), both, morning()).expect_err("which of the two?");
    assert!(
        refused.contains("`moved` in release.json") && refused.contains("13:00:00") && refused.contains("19:00:00")
    );
}

#[test]
fn an_id_tells_games_apart_and_together() {
    let known = [("13:00:00", Some("a")), ("19:00:00", Some("b"))];
    let (record, _) = publish(&telling(&[("16:00:00", Some("b"))]), after(&known), morning()).expect("the second");
    assert_eq!(starts(&record), ["13:00:00", "16:00:00"]);
    let other = telling(&[("16:00:00", Some("c"))]);
    let (record, report) = publish(&other, after(&[("13:00:00", Some("a"))]), morning()).expect("another game");
    assert_eq!((report.moved.len(), starts(&record).len()), (0, 2));
}

#[test]
fn nothing_moves_once_a_start_has_passed() {
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let told = telling(&[("14:00:00", Some("a"))]);
    let (record, report) = publish(&told, after(&[("13:00:00", Some("a"))]), afternoon).expect("publishes");
    assert_eq!(starts(&record), ["13:00:00"], "the same game, which began as it was announced");
    assert_eq!(report.markets[&MARKET].frozen, [at("13:00:00")]);
    let mut stated = telling(&[]);
    stated.moved = vec![Located { place: place(1), value: Move { from: at("13:00:00"), to: at("14:00:00") } }];
    let refused = publish(&stated, after(&[("13:00:00", None)]), afternoon).expect_err("it has begun");
    assert!(refused.contains("a game that has not started, at either time"), "{refused}");
}

#[test]
fn a_stated_move_needs_a_game_and_a_free_time_and_is_made_once() {
    let stated = |from: &str, to: &str| {
        let mut release = telling(&[]);
        release.moved = vec![Located { place: place(1), value: Move { from: at(from), to: at(to) } }];
        release
    };
    let known = || after(&[("13:00:00", None), ("19:00:00", None)]);
    let (record, _) = publish(&stated("13:00:00", "16:00:00"), known(), morning()).expect("moves");
    assert_eq!(starts(&record), ["16:00:00", "19:00:00"]);
    let (again, report) = publish(&stated("13:00:00", "16:00:00"), record, morning()).expect("was made before");
    assert_eq!((starts(&again).len(), report.moved.len()), (2, 0));
    assert!(
        publish(&stated("13:00:00", "19:00:00"), known(), morning())
            .expect_err("taken")
            .contains("no other game stands")
    );
    assert!(publish(&stated("12:00:00", "12:30:00"), known(), morning()).expect_err("unknown").contains("on record"));
}

/// Starts and ids on record, in order.
fn named(record: &Record) -> Vec<(String, String)> {
    let archive = record.archives.values().next().expect("an archive");
    let named = archive.games().iter().map(|game| {
        let id = game.facts.match_id.clone().unwrap_or_default();
        (game.facts.key.time.expect("timed").to_string(), id)
    });
    named.collect()
}

fn pair(first: (&str, &str), second: (&str, &str)) -> Vec<(String, String)> {
    [first, second].map(|(time, id)| (time.to_owned(), id.to_owned())).to_vec()
}

/// A release of odds alone.
fn quoting(games: &[(&str, &str, f64)]) -> Release {
    let row = |(time, id, total): &(&str, &str, f64)| {
        let lines = GameLines { total: Total::new(*total).ok(), ..GameLines::default() };
        let match_id = Some((*id).to_owned());
        let value = OddsGame { key: at(time), match_id, lines, quote_source: None, last_updated: None };
        Located { place: place(3), value }
    };
    Release { odds: Some(games.iter().map(row).collect()), predictions: BTreeMap::new(), ..telling(&[]) }
}

#[test]
fn games_that_change_places_keep_their_rows_and_first_quotes() {
    let first = quoting(&[("13:00:00", "a", 41.5), ("19:00:00", "b", 49.5)]);
    let (record, _) = publish(&first, Record::default(), morning()).expect("quoted");
    let known = telling(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    let (record, _) = publish(&known, record, morning()).expect("publishes");
    let swapped = telling(&[("13:00:00", Some("b")), ("19:00:00", Some("a"))]);
    let (record, report) = publish(&swapped, record, morning()).expect("both move");
    assert_eq!(report.moved.len(), 2);
    assert_eq!(named(&record), pair(("13:00:00", "b"), ("19:00:00", "a")));
    let opener = |time: &str| record.openers.get(&at(time)).and_then(|opener| opener.lines.open_total);
    assert_eq!(opener("13:00:00"), Total::new(49.5).ok());
    assert_eq!(opener("19:00:00"), Total::new(41.5).ok());
    // Told again, nothing changes places; an odds feed alone can say the same.
    let (record, report) = publish(&swapped, record, morning()).expect("told before");
    assert_eq!((report.moved.len(), named(&record)), (0, pair(("13:00:00", "b"), ("19:00:00", "a"))));
    let back = quoting(&[("13:00:00", "a", 42.0), ("19:00:00", "b", 50.0)]);
    let (record, report) = publish(&back, record, morning()).expect("both move back");
    assert_eq!((report.moved.len(), named(&record)), (2, pair(("13:00:00", "a"), ("19:00:00", "b"))));
}

#[test]
fn a_game_may_take_the_start_of_one_that_moves_on() {
    let known = || after(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    let chain = telling(&[("19:00:00", Some("a")), ("21:00:00", Some("b"))]);
    let (record, report) = publish(&chain, known(), morning()).expect("by their ids");
    assert_eq!((report.moved.len(), named(&record)), (2, pair(("19:00:00", "a"), ("21:00:00", "b"))));
    let mut stated = telling(&[]);
    let moves = [("13:00:00", "19:00:00"), ("19:00:00", "21:00:00")];
    stated.moved =
        moves.map(|(from, to)| Located { place: place(1), value: Move { from: at(from), to: at(to) } }).to_vec();
    let (record, report) = publish(&stated, known(), morning()).expect("as stated");
    assert_eq!((report.moved.len(), named(&record)), (2, pair(("19:00:00", "a"), ("21:00:00", "b"))));
    let (record, report) = publish(&stated, record, morning()).expect("was made before");
    assert_eq!((report.moved.len(), named(&record)), (0, pair(("19:00:00", "a"), ("21:00:00", "b"))));
}

#[test]
fn a_stated_change_of_places_needs_ids_to_be_made_once() {
    let known = |ids: [Option<&str>; 2]| after(&[("13:00:00", ids[0]), ("19:00:00", ids[1])]);
    let stated = |games: &[(&str, Option<&str>)]| {
        let mut release = telling(games);
        let moves = [("13:00:00", "19:00:00"), ("19:00:00", "13:00:00")];
        release.moved =
            moves.map(|(from, to)| Located { place: place(1), value: Move { from: at(from), to: at(to) } }).to_vec();
        release
    };
    let nameless = stated(&[("13:00:00", None), ("19:00:00", None)]);
    let refused = publish(&nameless, known([None, None]), morning()).expect_err("once or twice?");
    assert!(refused.contains("the `match_id` of both games"), "{refused}");
    let told = stated(&[("13:00:00", Some("b")), ("19:00:00", Some("a"))]);
    let (record, _) = publish(&told, known([Some("a"), Some("b")]), morning()).expect("moves");
    let (record, report) = publish(&told, record, morning()).expect("was made before");
    assert_eq!((report.moved.len(), named(&record)), (0, pair(("13:00:00", "b"), ("19:00:00", "a"))));
}

#[test]
fn a_move_onto_a_game_that_stays_is_refused() {
    let known = after(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    let refused = publish(&telling(&[("19:00:00", Some("a"))]), known, morning()).expect_err("where is b?");
    assert!(refused.contains("a start at which no other game stands"), "{refused}");
}

#[test]
fn games_that_change_places_after_a_start_stand_as_they_are() {
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let known = after(&[("13:00:00", Some("a")), ("19:00:00", Some("b"))]);
    let swapped = telling(&[("13:00:00", Some("b")), ("19:00:00", Some("a"))]);
    let (record, report) = publish(&swapped, known, afternoon).expect("publishes");
    assert_eq!(named(&record), pair(("13:00:00", "a"), ("19:00:00", "b")));
    assert_eq!(report.markets[&MARKET].frozen.len(), 2, "one of the two starts has passed, for each");
}

#[test]
fn a_game_that_was_called_off_does_not_come_back_under_another_time() {
    let known = after(&[("13:00:00", Some("a"))]);
    let off = Ending::CalledOff { status: "postponed".to_owned() };
    let row = Located { place: place(2), value: FinalRow { key: at("13:00:00"), ending: off } };
    let (archives, _) = settle(known.archives.clone(), &[row], Permissions::default(), morning()).expect("called off");
    let told = telling(&[("16:00:00", Some("a"))]);
    let (record, report) = publish(&told, Record { archives, ..Record::default() }, morning()).expect("a new game");
    assert_eq!((report.moved.len(), starts(&record)), (0, vec!["13:00:00".to_owned(), "16:00:00".to_owned()]));
}

#[test]
fn one_id_is_one_game_in_all_files_of_a_release() {
    let both = |odds: &[(&str, &str, f64)], games: &[(&str, Option<&str>)]| {
        publish(&Release { odds: quoting(odds).odds, ..telling(games) }, Record::default(), morning())
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
    let mut told = telling(&[("13:00:00", Some("a"))]);
    let row = &mut told.predictions.get_mut(&MARKET).expect("told").rows[0].value.game.key;
    std::mem::swap(&mut row.away, &mut row.home);
    let refused = publish(&told, known(), morning()).expect_err("home and away exchanged");
    assert!(refused.contains("an id no other game has") && refused.contains("cancelled"), "{refused}");
    // Once that game has begun, its id may be a number of the day.
    let evening = "2024-11-24T18:00:00Z".parse().expect("an instant");
    assert!(publish(&told, known(), evening).is_ok());
}

#[test]
fn games_that_are_not_told_any_more_are_counted() {
    let known = || after(&[("13:00:00", None), ("19:00:00", None)]);
    let (record, report) = publish(&telling(&[("13:00:00", None)]), known(), morning()).expect("publishes");
    assert_eq!(report.markets[&MARKET].dropped, [at("19:00:00")]);
    assert_eq!(starts(&record).len(), 2, "its row stays");
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let (_, report) = publish(&telling(&[("19:00:00", None)]), known(), afternoon).expect("publishes");
    assert_eq!(report.markets[&MARKET].dropped, Vec::<GameKey>::new(), "what has begun leaves by itself");
    let (record, _) =
        publish(&quoting(&[("13:00:00", "a", 41.5), ("19:00:00", "b", 44.5)]), known(), morning()).expect("quoted");
    let (_, report) = publish(&quoting(&[("13:00:00", "a", 41.5)]), record, morning()).expect("quoted");
    assert_eq!(report.unquoted, [at("19:00:00")]);
}

#[test]
fn a_slate_is_not_emptied_by_an_empty_file() {
    let mut empty = telling(&[("13:00:00", None)]);
    empty.predictions.get_mut(&MARKET).expect("told").rows.clear();
    let refused = publish(&empty, Record::default(), morning()).expect_err("nothing told");
    assert!(refused.contains("predictions/over_under: expected one game or more"), "{refused}");
    let (quoted, _) = publish(&quoting(&[("13:00:00", "a", 41.5)]), Record::default(), morning()).expect("quoted");
    let refused = publish(&quoting(&[]), quoted, morning()).expect_err("nothing quoted any more");
    assert!(refused.contains("odds: expected one game or more"), "{refused}");
    // A market may be held whole.
    empty.held_games = BTreeMap::from([(MARKET, vec![Located { place: place(1), value: at("13:00:00") }])]);
    let (_, report) = publish(&empty, after(&[("13:00:00", None)]), morning()).expect("held");
    assert_eq!(report.markets[&MARKET].held.len(), 1);
}

#[test]
fn a_game_is_held_while_every_release_names_it() {
    let (dropped, _) =
        publish(&telling(&[("13:00:00", None)]), after(&[("13:00:00", None), ("19:00:00", None)]), morning())
            .expect("publishes");
    let mut held = telling(&[("13:00:00", None)]);
    held.held_games = BTreeMap::from([(MARKET, vec![Located { place: place(1), value: at("19:00:00") }])]);
    let refused = publish(&held, dropped, morning()).expect_err("left the air in between");
    assert!(refused.contains("a game that has predictions on air"), "{refused}");
}

#[test]
fn what_a_file_lacks_comes_from_the_odds_with_its_source() {
    let mut quoted = quoting(&[("13:00:00", "a", 41.5)]);
    let quote = &mut quoted.odds.as_mut().expect("quoted")[0].value;
    quote.quote_source = Some("a book".to_owned());
    quote.lines.spread = HomeSpread::new(0.0).ok();
    let published = |given: &[LineColumn]| {
        let mut told = telling(&[("13:00:00", None)]);
        told.predictions.get_mut(&MARKET).expect("told").given = given.to_vec();
        let (record, _) = publish(&quoted, Record::default(), morning()).expect("quoted");
        let (record, _) = publish(&told, record, morning()).expect("publishes");
        let facts = record.archives.values().next().expect("an archive").games()[0].facts.clone();
        let served = record.predictions[&MARKET].games()[0].clone();
        assert_eq!((served.game.lines, &served.quote_source), (facts.lines, &facts.quote_source));
        facts
    };
    let facts = published(&[]);
    assert_eq!((facts.match_id.as_deref(), facts.quote_source.as_deref()), (Some("a"), Some("a book")));
    assert_eq!(facts.lines.total, Total::new(41.5).ok());
    assert_eq!(
        (facts.lines.spread, facts.lines.open_spread),
        (HomeSpread::new(0.0).ok(), None),
        "a placeholder opener"
    );
    let own = published(&[LineColumn::OverUnder]);
    assert_eq!((own.lines.total, own.quote_source), (Total::new(43.5).ok(), None));
}

#[test]
fn the_prices_of_another_id_are_not_a_games_own() {
    let (record, _) =
        publish(&quoting(&[("19:00:00", "a", 41.5)]), Record::default(), morning()).expect("one is quoted");
    let mut told = telling(&[("19:00:00", Some("b"))]);
    told.predictions.get_mut(&MARKET).expect("told").given.clear();
    let (record, _) = publish(&told, record, morning()).expect("the other is predicted");
    let lines = record.predictions[&MARKET].games()[0].game.lines;
    assert_eq!((lines.total, lines.open_total), (None, None));
}

#[test]
fn first_quotes_are_of_the_game_that_was_quoted_last_under_a_start() {
    let first = quoting(&[("13:00:00", "a", 41.5), ("19:00:00", "b", 49.5)]);
    let (record, _) = publish(&first, Record::default(), morning()).expect("quoted");
    let (record, _) = publish(&telling(&[("19:00:00", Some("b"))]), record, morning()).expect("the second is told");
    // Once the first has begun nothing changes places any more, though the book says so.
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let swapped = quoting(&[("13:00:00", "b", 50.0), ("19:00:00", "a", 42.0)]);
    let (record, report) = publish(&swapped, record, afternoon).expect("quoted late");
    assert_eq!(report.moved, Vec::<Move>::new());
    let opener = |record: &Record, time: &str| record.openers.get(&at(time)).and_then(|seen| seen.lines.open_total);
    assert_eq!(opener(&record, "19:00:00"), Total::new(42.0).ok());
    // The second moves, and leaves behind what was quoted of the first under its start.
    let (record, report) = publish(&telling(&[("20:00:00", Some("b"))]), record, afternoon).expect("it moves");
    assert_eq!(report.moved, [Move { from: at("19:00:00"), to: at("20:00:00") }]);
    assert_eq!((opener(&record, "19:00:00"), opener(&record, "20:00:00")), (Total::new(42.0).ok(), None));
    assert_eq!(record.odds.expect("odds").get(&at("19:00:00")).expect("stays").match_id.as_deref(), Some("a"));
}

#[test]
fn a_game_that_was_called_off_is_so_in_a_market_that_tells_of_it_later() {
    let known = after(&[("13:00:00", None)]);
    let off = Ending::CalledOff { status: "postponed".to_owned() };
    let row = Located { place: place(2), value: FinalRow { key: at("13:00:00"), ending: off } };
    let (archives, _) = settle(known.archives.clone(), &[row], Permissions::default(), morning()).expect("called off");
    let mut told = telling(&[("13:00:00", None)]);
    let file = told.predictions.remove(&MARKET).expect("told");
    told.predictions.insert(ModelType::WonOnSpread, file);
    let (record, _) = publish(&told, Record { archives, ..Record::default() }, morning()).expect("another market");
    let statuses: Vec<_> =
        record.archives.values().map(|archive| archive.games()[0].facts.settlement_status.clone()).collect();
    assert_eq!(statuses, [Some("postponed".to_owned()), Some("postponed".to_owned())]);
}

#[test]
fn odds_that_lose_their_start_to_another_game_are_counted() {
    let known = || {
        let quoted = quoting(&[("13:00:00", "a", 41.5), ("21:00:00", "b", 49.5)]);
        let (record, _) = publish(&quoted, Record::default(), morning()).expect("quoted");
        publish(&telling(&[("13:00:00", Some("a")), ("21:00:00", Some("b"))]), record, morning()).expect("told").0
    };
    // The first is delayed: what has begun is not moved, though the book has another time for it.
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let delayed = quoting(&[("19:00:00", "a", 40.5), ("21:00:00", "b", 49.5)]);
    let (record, report) = publish(&delayed, known(), afternoon).expect("quoted late");
    assert_eq!((report.moved.len(), named(&record)), (0, pair(("13:00:00", "a"), ("21:00:00", "b"))));
    let later = quoting(&[("19:30:00", "a", 40.5), ("21:00:00", "b", 49.5)]);
    let (record, report) = publish(&later, record, afternoon).expect("quoted later still");
    assert_eq!(report.moved, Vec::<Move>::new());
    let (record, report) = publish(&telling(&[("19:30:00", Some("b"))]), record, afternoon).expect("the second moves");
    assert_eq!(report.moved, [Move { from: at("21:00:00"), to: at("19:30:00") }]);
    assert_eq!(report.unquoted, [at("19:30:00")], "of the first, which stood there");
    let odds = record.odds.expect("odds");
    assert_eq!(odds.games().iter().map(|game| game.match_id.as_deref()).collect::<Vec<_>>(), [Some("b")]);
}

#[test]
fn odds_run_out_once_every_game_has_started() {
    let (record, _) = publish(&quoting(&[("13:00:00", "a", 41.5)]), Record::default(), morning()).expect("quoted");
    assert!(publish(&quoting(&[]), record.clone(), morning()).is_err(), "it is still to come");
    let afternoon = "2024-11-24T18:30:00Z".parse().expect("an instant");
    let (record, report) = publish(&quoting(&[]), record, afternoon).expect("nothing is left to quote");
    assert_eq!((record.odds.expect("odds").games().len(), report.unquoted.len()), (0, 0));
}
