//! Files whose starts are all shifted by the same hours.

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, TeamSlug};
use sports_publication::testing::place;
use sports_publication::{LeagueRecord, Located, Release, Reschedule};

use crate::releases_and_records::{MARKET, at, listing, publish, quoting};

/// A visiting team, the date and time of its game and an optional id.
type Row<'r> = (&'r str, &'r str, Option<&'r str>);

/// Returns an instant before the first game.
fn before() -> DateTime<Utc> {
    "2024-11-01T12:00:00Z".parse().expect("an instant")
}

fn key((away, start, _): &Row<'_>) -> GameKey {
    let (date, time) = start.split_once(' ').expect("a date and a time");
    let away = TeamSlug::normalise(away).expect("a team");
    GameKey { date: date.parse().expect("a date"), time: time.parse().ok(), away, ..at("13:00:00") }
}

fn predicting(rows: &[Row<'_>]) -> Release {
    let mut release = listing(&rows.iter().map(|(_, _, id)| ("13:00:00", *id)).collect::<Vec<_>>());
    let listed = release.predictions.get_mut(&MARKET).into_iter().flat_map(|file| &mut file.rows);
    listed.zip(rows).for_each(|(listed, row)| listed.value.game.key = key(row));
    release
}

fn quoted(rows: &[Row<'_>]) -> Release {
    let mut release = quoting(&rows.iter().map(|_| ("13:00:00", "", 41.5)).collect::<Vec<_>>());
    for (listed, row) in release.odds.iter_mut().flatten().zip(rows) {
        (listed.value.key, listed.value.match_id) = (key(row), row.2.map(str::to_owned));
    }
    release
}

fn record_with(release: &Release) -> LeagueRecord {
    publish(release, LeagueRecord::default(), before()).expect("publishes").0
}

/// Returns the problem of a file whose starts are shifted; `None` if the file is accepted.
fn refusal(record: &LeagueRecord, release: &Release) -> Option<String> {
    let refused = publish(release, record.clone(), before()).err()?;
    assert!(refused.contains("column time: expected Eastern start times"), "{refused}");
    Some(refused)
}

const TWO: [Row<'_>; 2] = [("foxes", "2024-11-10 13:00:00", Some("a")), ("gulls", "2024-11-10 16:00:00", Some("b"))];

/// Returns the two games at other starts, with their ids.
fn two<'r>(foxes: &'r str, gulls: &'r str) -> [Row<'r>; 2] {
    [("foxes", foxes, Some("a")), ("gulls", gulls, Some("b"))]
}

#[test]
fn a_file_is_shifted_when_every_start_is_the_same_whole_hours_away() {
    let record = record_with(&predicting(&TWO));
    let table = [
        ("2024-11-10 18:00:00", "2024-11-10 21:00:00", Some("5 hours later")),
        ("2024-11-10 12:00:00", "2024-11-10 15:00:00", Some("1 hour earlier")),
        ("2024-11-11 14:00:00", "2024-11-11 17:00:00", Some("25 hours later")),
        ("2024-11-11 13:00:00", "2024-11-11 16:00:00", None), // by a day
        ("2024-11-10 13:30:00", "2024-11-10 16:30:00", None), // by half an hour
        ("2024-11-10 14:00:00", "2024-11-10 18:00:00", None), // by one and by two hours
        ("2024-11-10 13:00:00", "2024-11-10 21:00:00", None), // one of the two
        ("2024-11-10 13:00:00", "2024-11-10 16:00:00", None), // not at all
    ];
    for (foxes, gulls, shift) in table {
        let found = refusal(&record, &predicting(&two(foxes, gulls)));
        assert_eq!(found.is_some(), shift.is_some(), "{foxes} and {gulls}: {found:?}");
        if let (Some(found), Some(shift)) = (found, shift) {
            let expected = format!(
                "all 2 games of this file that are on record start hours away here, the first of them {shift},"
            );
            assert!(found.starts_with("games/test.csv, column time") && found.contains(&expected), "{found}");
        }
    }
    assert_eq!(refusal(&record, &predicting(&[("foxes", "2024-11-10 18:00:00", Some("a"))])), None, "one game");
}

#[test]
fn universal_times_are_four_or_five_hours_away() {
    // Clocks go back on 3 November.
    let record = record_with(&predicting(&two("2024-11-02 13:00:00", "2024-11-03 13:00:00")));
    let shifted = |foxes, gulls| refusal(&record, &predicting(&two(foxes, gulls))).is_some();
    assert!(shifted("2024-11-02 17:00:00", "2024-11-03 18:00:00"));
    assert!(!shifted("2024-11-02 17:00:00", "2024-11-03 19:00:00"));
    assert!(!shifted("2024-11-02 18:00:00", "2024-11-03 17:00:00"));
}

#[test]
fn a_stated_reschedule_is_no_shift() {
    let record = record_with(&predicting(&TWO));
    let later = two("2024-11-10 18:00:00", "2024-11-10 21:00:00");
    let stated = |games: &[usize]| {
        let moved = games.iter().map(|game| Reschedule { from: key(&TWO[*game]), to: key(&later[*game]) });
        let moved = moved.map(|made| Located { place: place(1), value: made.into() }).collect();
        refusal(&record, &Release { moved, ..predicting(&later) })
    };
    assert!(stated(&[]).is_some());
    assert_eq!((stated(&[1]), stated(&[0, 1])), (None, None));
}

#[test]
fn quotes_are_compared_with_earlier_quotes_and_predictions_with_the_record_alone() {
    let later = two("2024-11-10 18:00:00", "2024-11-10 21:00:00");
    let (on_record, only_quoted) = (record_with(&predicting(&TWO)), record_with(&quoted(&TWO)));
    assert!(refusal(&on_record, &quoted(&later)).is_some());
    assert!(refusal(&only_quoted, &quoted(&later)).is_some());
    assert_eq!(refusal(&only_quoted, &predicting(&later)), None);
}

#[test]
fn without_ids_a_row_is_of_the_nearest_game_of_its_teams_within_a_day() {
    let at = |foxes: &'static str, gulls: &'static str, ids: [Option<&'static str>; 2]| {
        [("foxes", foxes, ids[0]), ("gulls", gulls, ids[1])]
    };
    let (named, nameless) = ([Some("a"), Some("b")], [None, None]);
    let shifted = |before, after| {
        let record = record_with(&predicting(&at("2024-11-10 13:00:00", "2024-11-10 16:00:00", before)));
        refusal(&record, &predicting(&at("2024-11-10 18:00:00", "2024-11-10 21:00:00", after))).is_some()
    };
    assert!(shifted(nameless, nameless) && shifted(nameless, named) && shifted(named, nameless));
    assert!(!shifted(named, [Some("x"), Some("y")]), "other ids are other games");
    let one = record_with(&predicting(&[("foxes", "2024-11-10 13:00:00", None)]));
    let others = [("foxes", "2024-11-10 18:00:00", None), ("gulls", "2024-11-10 18:00:00", None)];
    assert_eq!(refusal(&one, &predicting(&others)), None, "the gulls are not on record");
}

/// Returns three games, two of them listed five hours later and the first, of the foxes, as given.
fn three(before: Row<'_>, after: Row<'_>) -> bool {
    let (gulls, kings) = (("gulls", "2024-11-10 16:00:00", Some("b")), ("kings", "2024-11-10 17:00:00", Some("c")));
    let record = record_with(&predicting(&[before, gulls, kings]));
    let later = [("gulls", "2024-11-10 21:00:00", Some("b")), ("kings", "2024-11-10 22:00:00", Some("c"))];
    refusal(&record, &predicting(&[after, later[0], later[1]])).is_some()
}

#[test]
fn one_start_that_is_as_it_was_clears_a_file() {
    let foxes = |id| ("foxes", "2024-11-10 13:00:00", id);
    for (before, after, shifted) in [
        (Some("a"), Some("a"), false),
        (Some("a"), None, false),
        (None, Some("a"), false),
        (None, None, false),
        // Under another id it is the same game, because the start is the same.
        (Some("a"), Some("x"), false),
    ] {
        assert_eq!(three(foxes(before), foxes(after)), shifted, "{before:?} then {after:?}");
    }
    let tomorrow = ("foxes", "2024-11-11 13:00:00", None);
    assert!(three(foxes(None), tomorrow), "a day away it is another game");
}
