//! Tests that every edge case of real data occurs in every season of the leagues it applies to.

use std::collections::{BTreeMap, BTreeSet};

use sports_domain::Sport;
use sports_publisher_files::read;

use crate::table::{Row, WORLD, history, now, rows, seasons};

const MODELS: [&str; 6] = ["CATB", "RF", "LGB", "LOGR", "XGB", "XT"];
const PRICES: [&str; 6] = [
    "home_money_line",
    "away_money_line",
    "home_point_spread_line",
    "away_point_spread_line",
    "over_line",
    "under_line",
];

/// The name of an edge case, the leagues it applies to, and the condition that recognises it.
type Oddity = (&'static str, fn(Sport) -> bool, fn(&Row) -> bool);

const fn anywhere(_: Sport) -> bool {
    true
}

const fn has_fixed_spread(sport: Sport) -> bool {
    matches!(sport, Sport::Mlb | Sport::Nhl)
}

fn has_moving_spread(sport: Sport) -> bool {
    !has_fixed_spread(sport)
}

fn missing(game: &Row, columns: &[&str]) -> bool {
    columns.iter().all(|column| game.text(column).is_empty())
}

const OF_GAMES: [Oddity; 18] = [
    ("a spread push", has_moving_spread, |game| {
        game.margin().zip(game.number("home_point_spread")).is_some_and(|(margin, spread)| margin + spread == 0.0)
    }),
    ("a total push", anywhere, |game| {
        game.points().is_some_and(|points| game.number("over_under").is_some_and(|total| points - total == 0.0))
    }),
    ("a pick'em", has_moving_spread, |game| game.text("home_point_spread") == "0.0"),
    ("a tie", |sport| matches!(sport, Sport::Nfl | Sport::Mlb), |game| game.margin() == Some(0.0)),
    ("a favourite that changes sides", anywhere, |game| {
        let sides = ["open_home_point_spread", "home_point_spread"].map(|column| game.number(column));
        matches!(sides, [Some(open), Some(close)] if open * close < 0.0)
    }),
    (
        "two favourites",
        |sport| sport == Sport::Nba,
        |game| {
            let prices = ["home_money_line", "away_money_line"].map(|column| game.number(column));
            prices.iter().all(|price| price.is_some_and(|price| price <= -190.0))
        },
    ),
    (
        "a certain favourite",
        |sport| matches!(sport, Sport::Ncaaf | Sport::Ncaab),
        |game| ["home_money_line", "away_money_line"].iter().any(|column| game.text(column) == "-90000"),
    ),
    ("a game without openers", anywhere, |game| {
        missing(game, &["open_home_money_line", "open_home_point_spread", "open_over_under"])
            && !missing(game, &["home_money_line"])
    }),
    ("an opening spread of zero four points off", has_moving_spread, |game| {
        game.text("open_home_point_spread") == "0.0"
            && game.number("home_point_spread").is_some_and(|spread| spread.abs() >= 4.0)
    }),
    ("openers of zero", has_fixed_spread, |game| {
        game.text("open_home_money_line") == "0" && game.text("open_over_under") == "0"
    }),
    (
        "a one-sided money line",
        |sport| matches!(sport, Sport::Nba | Sport::Ncaaf),
        |game| missing(game, &["away_money_line"]) && !missing(game, &["home_money_line"]),
    ),
    ("lines without prices", anywhere, |game| missing(game, &PRICES) && !missing(game, &["over_under"])),
    ("a regular game without lines", anywhere, |game| {
        missing(game, &PRICES)
            && missing(game, &["over_under", "home_point_spread"])
            && game.text("game_type") == "regular"
    }),
    (
        "even prices",
        |sport| !matches!(sport, Sport::Nba | Sport::Ncaab),
        |game| !missing(game, &["over_line"]) && game.text("over_line") == game.text("under_line"),
    ),
    ("a cancelled game", anywhere, |game| {
        game.text("settlement_status") == "cancelled" && missing(game, &["home_score", "away_score"])
    }),
    (
        "a postponed game",
        |sport| !matches!(sport, Sport::Nfl | Sport::Ncaaf),
        |game| game.text("settlement_status") == "postponed" && missing(game, &["home_score", "away_score"]),
    ),
    ("a preseason game", Sport::is_professional, |game| {
        game.text("game_type") == "preseason" && missing(game, &PRICES) && game.margin().is_some()
    }),
    ("a final", anywhere, |game| game.text("settlement_status") == "settled" && game.margin().is_some()),
];

#[test]
fn every_oddity_happens_in_every_season_of_the_leagues_it_belongs_to() {
    for sport in Sport::ALL {
        for (label, games) in seasons(history(sport), "games/") {
            for (name, belongs, happens) in OF_GAMES {
                assert!(!belongs(sport) || games.iter().any(happens), "{sport} {label}: {name}");
            }
            let has_postseason = games.iter().any(|game| game.text("game_type") == "postseason");
            let is_current = WORLD.seasons(sport).next().is_some_and(|season| season.to_string() == label);
            assert_ne!(has_postseason, is_current, "{sport} {label}");
        }
    }
}

#[test]
fn some_finals_of_past_seasons_were_never_entered() {
    for sport in Sport::ALL {
        let unentered = seasons(history(sport), "games/").into_iter().map(|(_, games)| {
            let without = |game: &&Row| game.margin().is_none() && game.text("settlement_status").is_empty();
            games.iter().filter(without).count()
        });
        let expected = if matches!(sport, Sport::Nba | Sport::Ncaab) { [1, 1, 1, 0] } else { [0; 4] };
        assert_eq!(unentered.collect::<Vec<_>>(), expected, "{sport}");
    }
}

#[test]
fn clubs_change_their_names_from_one_season_to_the_next() {
    let of_season = |sport, place: usize| {
        let (label, games) = seasons(history(sport), "games/").swap_remove(place);
        let teams: BTreeSet<_> = games.iter().map(|game| game.text("home_team").to_owned()).collect();
        (label, teams)
    };
    let changes = |sport| {
        let ((_, before), (label, after)) = (of_season(sport, 1), of_season(sport, 2));
        (label, before.difference(&after).cloned().collect::<Vec<_>>(), after.difference(&before).cloned().collect())
    };
    let change = |label: &str, old: &str, new: &str| (label.to_owned(), vec![old.to_owned()], vec![new.to_owned()]);
    assert_eq!(changes(Sport::Mlb), change("2025", "oakland_athletics", "athletics"));
    assert_eq!(changes(Sport::Nhl), change("2024-25", "arizona_coyotes", "utah_hockey_club"));
}

#[test]
fn some_forecasts_are_at_one_half_and_some_games_have_none() {
    for sport in Sport::ALL {
        let files = history(sport);
        for (label, games) in seasons(files, "games/") {
            let path = format!("probabilities/won_on_points/{label}.csv");
            let probabilities = rows(files.get(&path).expect("probabilities"));
            assert!(probabilities.iter().any(|row| row.text("BLEND") == "0.5000"), "{sport} {label}");
            let known: BTreeSet<_> = probabilities.iter().map(Row::key).collect();
            let of_record = |game: &&Row| game.text("game_type") != "preseason";
            assert!(games.iter().filter(of_record).any(|game| !known.contains(&game.key())), "{sport} {label}");
            assert!(known.len() + 60 > games.iter().filter(of_record).count(), "{sport} {label}");
        }
        let every = seasons(files, "probabilities/over_under/");
        let models = every.iter().flat_map(|(_, rows)| rows).flat_map(|row| MODELS.map(|model| row.text(model)));
        assert!(models.into_iter().any(|probability| probability == "0.5000"), "{sport}");
    }
}

#[test]
fn the_blend_is_the_mean_of_the_six() {
    for sport in Sport::ALL {
        for model_type in ["over_under", "won_on_points", "won_on_spread"] {
            for row in
                seasons(history(sport), &format!("probabilities/{model_type}/")).iter().flat_map(|(_, rows)| rows)
            {
                let sum: f64 = MODELS.into_iter().filter_map(|model| row.number(model)).sum();
                let blend = row.number("BLEND").expect("a blend");
                assert!((blend - sum / 6.0).abs() <= 0.000_051, "{sport} {}", row.key());
            }
        }
    }
}

#[test]
fn recent_seasons_of_some_leagues_have_an_ai_model() {
    let has_model = |sport| {
        let seasons = seasons(history(sport), "probabilities/over_under/");
        let has_ai = |(_, rows): &(String, Vec<Row>)| rows.iter().any(|row| !row.text("AI").is_empty());
        seasons.iter().map(has_ai).collect::<Vec<_>>()
    };
    let late = vec![false, false, true, true];
    let none = vec![false; 4];
    let expected = [&late, &late, &late, &none, &none, &none];
    assert_eq!(Sport::ALL.map(has_model).each_ref(), expected);
}

#[test]
fn doubleheaders_have_times_in_recent_seasons_and_numbers_in_older_ones() {
    for (place, (label, games)) in seasons(history(Sport::Mlb), "games/").into_iter().enumerate() {
        let mut days: BTreeMap<_, Vec<&Row>> = BTreeMap::new();
        for game in games.iter().filter(|game| game.margin().is_some()) {
            days.entry(["date", "away_team", "home_team"].map(|column| game.text(column))).or_default().push(game);
        }
        let twice: Vec<_> = days.into_values().filter(|games| games.len() == 2).collect();
        assert!(!twice.is_empty(), "{label}");
        for pair in twice {
            let distinct = if place < 2 { "game_number" } else { "time_est" };
            assert_ne!(pair[0].text(distinct), pair[1].text(distinct), "{label}");
            assert_eq!(pair[0].text("time_est").is_empty(), place < 2, "{label}");
        }
    }
}

#[test]
fn run_lines_and_puck_lines_are_always_one_and_a_half() {
    for sport in [Sport::Mlb, Sport::Nhl] {
        for game in seasons(history(sport), "games/").iter().flat_map(|(_, games)| games) {
            let spread = game.number("home_point_spread");
            assert!(spread.is_none_or(|spread| spread.abs() - 1.5 == 0.0), "{sport} {}", game.key());
        }
    }
}

#[test]
fn every_key_and_every_match_id_is_one_game() {
    for sport in Sport::ALL {
        let seasons = seasons(history(sport), "games/");
        let games: Vec<_> = seasons.iter().flat_map(|(_, games)| games).collect();
        let keys: BTreeSet<_> = games.iter().map(|game| game.key()).collect();
        let ids: BTreeSet<_> = games.iter().map(|game| game.text("match_id")).collect();
        assert_eq!((keys.len(), ids.len()), (games.len(), games.len()), "{sport}");
    }
}

#[test]
fn a_history_folder_is_a_release_without_a_problem() {
    for sport in Sport::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        history(sport).write(folder.path()).expect("written");
        let read = read(folder.path(), now()).unwrap_or_else(|error| panic!("{sport}: {error:?}"));
        assert_eq!(read.warnings, [""; 0], "{sport}");
        assert_eq!(read.release.history.len(), 4, "{sport}");
    }
}
