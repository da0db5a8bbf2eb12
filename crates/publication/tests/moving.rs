//! Which game a release means when it tells of one under another time.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sports_domain::{Forecasts, GameKey, LineColumn, ModelColumn, ModelType, Probability, Sport, Total};
use sports_publication::live::{Record, SlateReport, Told, publish_slate};
use sports_publication::testing::{a_release, key, place, season};
use sports_publication::{Extras, Located, Move, PredictedGame, PredictionsFile, Release, ReleaseId};
use sports_slate::SlateGame;

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
            lines: sports_domain::GameLines::default(),
            forecasts: Forecasts::default().with(ModelColumn::Blend, Probability::new(0.6).expect("a probability")),
        };
        game.lines.total = Total::new(43.5).ok();
        let value = PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() };
        Located { place: place(2), value }
    };
    let file = PredictionsFile { given: vec![LineColumn::OverUnder], rows: games.iter().map(row).collect() };
    let season = Some(season(Sport::Nfl, "2024-25"));
    let bare = a_release(Sport::Nfl, "2024-25", Vec::new());
    Release { season, predictions: BTreeMap::from([(MARKET, file)]), history: Vec::new(), ..bare }
}

fn publish(release: &Release, record: Record, now: DateTime<Utc>) -> Result<(Record, SlateReport), String> {
    let release_id = ReleaseId::new(release.slate_date, now, &release.content);
    let told = Told { release, catalog: None, release_id: &release_id, now };
    let problems = |problems: Vec<sports_publication::Problem>| {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    publish_slate(&told, record).map_err(problems)
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
        publish(&stated("13:00:00", "19:00:00"), known(), morning()).expect_err("taken").contains("beside this one")
    );
    assert!(publish(&stated("12:00:00", "12:30:00"), known(), morning()).expect_err("unknown").contains("on record"));
}
