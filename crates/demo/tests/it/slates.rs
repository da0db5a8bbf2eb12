//! Tests that predictions, odds, finals and history describe the same games.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, Utc};
use sports_demo::simulation::{Run, Settlement};
use sports_domain::{ModelType, Sport, eastern_instant};

use crate::table::{Row, WORLD, now, rows, seasons};

const LINES: [&str; 9] = [
    "away_point_spread",
    "away_point_spread_line",
    "home_point_spread",
    "home_point_spread_line",
    "away_money_line",
    "home_money_line",
    "over_under",
    "over_line",
    "under_line",
];

fn odds(sport: Sport, instant: DateTime<Utc>) -> Vec<Row> {
    let files = WORLD.odds_refresh(sport, instant).expect("games today");
    assert!(files.get("release.json").is_some_and(|text| !text.contains("\"run\"")));
    rows(files.get("odds.csv").expect("odds"))
}

fn by_id(rows: Vec<Row>) -> BTreeMap<String, Row> {
    rows.into_iter().map(|row| (row.text("match_id").to_owned(), row)).collect()
}

fn games(sport: Sport, instant: DateTime<Utc>) -> BTreeMap<String, Row> {
    let seasons = seasons(&WORLD.history_release(sport, instant), "games/");
    by_id(seasons.into_iter().flat_map(|(_, games)| games).collect())
}

fn starts(row: &Row) -> DateTime<Utc> {
    let time = row.text("time").parse().expect("a time");
    eastern_instant(row.text("date").parse().expect("a date"), time)
}

#[test]
fn the_last_line_before_the_start_is_the_closing_line_of_history() {
    for sport in Sport::ALL {
        let history = games(sport, now() + Duration::days(9));
        let mut compared = 0;
        for (id, game) in by_id(odds(sport, now())) {
            let last = by_id(odds(sport, (starts(&game) - Duration::seconds(1)).max(now())));
            let Some(last) = last.get(&id) else { continue };
            let closed = &history[&id];
            assert_eq!(closed.key(), game.key(), "{sport} {id}");
            assert_eq!(LINES.map(|line| last.text(line)), LINES.map(|line| closed.text(line)), "{sport} {id}");
            compared += 1;
        }
        assert!(compared >= 5, "{sport}: {compared}");
    }
}

#[test]
fn lines_move_before_the_start_and_not_after_it() {
    let (mut moved, mut unchanged) = (0, 0);
    for sport in Sport::ALL {
        let (earlier, later) = (by_id(odds(sport, now())), by_id(odds(sport, now() + Duration::hours(9))));
        let latest = by_id(odds(sport, now() + Duration::hours(11)));
        for (id, game) in &later {
            let differs = |other: &Row| LINES.iter().any(|line| other.text(line) != game.text(line));
            moved += usize::from(earlier.get(id).is_some_and(differs));
            if starts(game) <= now() + Duration::hours(9) {
                assert!(!differs(&latest[id]) && latest[id].text("last_updated") == game.text("last_updated"));
                unchanged += 1;
            }
        }
    }
    assert!(moved > 30 && unchanged > 30, "{moved} moved, {unchanged} unchanged");
}

#[test]
fn predictions_and_odds_are_of_the_same_games_and_lines() {
    for sport in Sport::ALL {
        let release = WORLD.day_release(sport, now(), Run::First);
        let odds = by_id(rows(release.get("odds.csv").expect("odds")));
        for model_type in ModelType::ALL {
            let file = release.get(&format!("predictions/{model_type}.csv")).expect("predictions");
            let predictions = by_id(rows(file));
            assert_eq!(predictions.keys().collect::<Vec<_>>(), odds.keys().collect::<Vec<_>>(), "{sport}");
            for (id, game) in &predictions {
                assert_eq!(game.key(), odds[id].key());
                for line in LINES
                    .into_iter()
                    .filter(|line| file.lines().next().is_some_and(|h| h.split(',').any(|c| c == *line)))
                {
                    assert_eq!(game.text(line), odds[id].text(line), "{sport} {id} {line}");
                }
            }
            assert!(predictions.values().any(|game| game.number("BLEND").is_some()), "{sport}");
        }
    }
}

#[test]
fn finals_turn_one_history_into_the_next() {
    let later = now() + Duration::days(2);
    for sport in Sport::ALL {
        let (before, after) = (games(sport, now()), games(sport, later));
        let news: BTreeSet<_> =
            after.iter().filter(|(id, _)| !before.contains_key(*id)).map(|(_, game)| outcome(game)).collect();
        let finals = rows(&Settlement::file(&WORLD.finals(sport, now(), later)));
        assert!(finals.len() >= 5, "{sport}");
        assert_eq!(finals.iter().map(outcome).collect::<BTreeSet<_>>(), news, "{sport}");
    }
}

fn outcome(game: &Row) -> String {
    let cells = ["away_score", "home_score", "settlement_status"].map(|column| game.text(column));
    format!("{} {}", game.key(), cells.join(" "))
}

#[test]
fn only_upcoming_games_are_held_and_only_in_a_rebuild() {
    let mut held = 0;
    for (sport, day) in Sport::ALL.into_iter().flat_map(|sport| (0..6).map(move |day| (sport, day))) {
        let instant = now() + Duration::days(day);
        let manifest = |run| WORLD.day_release(sport, instant, run).get("release.json").map(str::to_owned);
        assert!(manifest(Run::First).is_some_and(|text| !text.contains("held_games")));
        let games = WORLD.held_games(sport, instant);
        for (_, game) in &games {
            assert!(eastern_instant(game.date, game.time.expect("a time")) > instant);
        }
        let text = manifest(Run::Rebuild).expect("a manifest");
        assert_eq!(text.matches("\"home_team\"").count(), games.len(), "{sport}");
        held += games.len();
    }
    assert!(held > 10, "{held}");
}

#[test]
fn football_publishes_a_week_and_other_leagues_publish_a_day() {
    for sport in Sport::ALL {
        let dates: BTreeSet<_> = odds(sport, now()).iter().map(|game| game.text("date").to_owned()).collect();
        let is_football = matches!(sport, Sport::Nfl | Sport::Ncaaf);
        assert_eq!(dates.len() > 1, is_football, "{sport}: {dates:?}");
    }
}
