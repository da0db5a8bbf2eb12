use std::borrow::Cow;

use sports_domain::{FinalScore, HomeSpread, Market, ModelColumn, ModelType, Probability, Sport};
use sports_publication::season_table::{
    ArchiveColumn, DATE, FORECAST_SOURCE, GAME_NUMBER, GradedGame, RowValues, SEASON_COLUMNS, SeasonColumn, TIME,
};
use sports_publication::testing::{a_game, called_off, key, season};
use sports_publication::{ArchivedGame, Ending, SeasonArchive, Value, ValueKind};

fn archive(model_type: ModelType, games: Vec<ArchivedGame>) -> SeasonArchive {
    let market = Market::new(Sport::Nfl, model_type);
    SeasonArchive::new(market, season(Sport::Nfl, "2024-25"), games).expect("no game twice")
}

fn column(name: &str) -> &'static SeasonColumn {
    SEASON_COLUMNS.iter().find(|column| column.name == name).expect(name)
}

fn served_names(archive: &SeasonArchive) -> Vec<String> {
    ArchiveColumn::served(archive).iter().map(|column| column.name().to_owned()).collect()
}

#[test]
fn a_row_has_the_outcome_of_its_market_only() {
    for model_type in ModelType::ALL {
        let names = served_names(&archive(model_type, vec![a_game().build()]));
        for other in ModelType::ALL {
            assert_eq!(names.contains(&other.outcome_column().to_owned()), other == model_type, "{model_type} {other}");
        }
    }
}

#[test]
fn a_row_has_the_columns_that_any_game_of_its_season_fills() {
    let plain = served_names(&archive(ModelType::OverUnder, vec![a_game().build()]));
    let filled = a_game().on("2024-11-25").with(|game| {
        let probability = Probability::new(0.7).expect("a probability");
        game.forecast.forecasts = game.forecast.forecasts.with(ModelColumn::Ai, probability);
        game.facts.match_id = Some("id".to_owned());
        game.facts.extras.insert("wind", Value::Integer(12));
    });
    let archive = archive(ModelType::OverUnder, vec![a_game().build(), filled.build()]);
    let names = served_names(&archive);
    for name in ["AI", "match_id", "wind"] {
        assert!(names.contains(&name.to_owned()) && !plain.contains(&name.to_owned()), "{name}");
    }
    assert_eq!(names.len(), plain.len() + 3);
    let wind = ArchiveColumn::Extra { name: "wind".to_owned(), kind: ValueKind::Integer };
    assert_eq!(ArchiveColumn::stored(&archive).last(), Some(&wind));
    assert_eq!(wind.stored_value(&archive.games()[1], ""), Some(Value::Integer(12)));
    assert_eq!(wind.stored_value(&archive.games()[0], ""), None);
}

#[test]
fn a_served_row_has_the_verdict_of_its_game_and_an_archive_has_not() {
    let push = a_game().ending(20, 23).with(|game| game.facts.lines.spread = HomeSpread::new(-3.0).ok());
    let table = [
        (a_game().build(), [Value::Integer(1), Value::Flag(false), Value::Flag(true)], None),
        (push.build(), [Value::Integer(0), Value::Flag(true), Value::Flag(false)], Some(Value::Text("push"))),
    ];
    for (game, [outcome, push, graded], reason) in table {
        let archive = archive(ModelType::WonOnSpread, vec![game.clone()]);
        let verdict = game.market_game(ModelType::WonOnSpread).verdict();
        let row = GradedGame::new(&archive, "2024-25", &game, verdict);
        let expected = [
            ("won_on_spread", Some(outcome)),
            ("push", Some(push)),
            ("graded", Some(graded)),
            ("ungraded_reason", reason),
            ("IMPLIED", Some(Value::Number(0.5))),
        ];
        for (name, value) in expected {
            assert_eq!(column(name).served(&row), value, "{name}");
            assert_eq!(column(name).stored(&game, "2024-25"), None, "{name}");
            assert!(!column(name).is_stored(), "{name}");
        }
        assert_eq!(column("season").served(&row), Some(Value::Text("2024-25")));
        assert_eq!(
            ArchiveColumn::Known(column("home_score")).served_value(&row),
            column("home_score").stored(&game, "")
        );
    }
}

#[test]
fn a_file_cannot_do_without_the_date_and_the_teams() {
    let required: Vec<_> =
        SEASON_COLUMNS.iter().filter(|column| column.is_required()).map(|column| column.name).collect();
    assert_eq!(required, ["date", "away_team", "home_team"]);
}

#[test]
fn a_spread_is_read_from_either_side_and_the_home_side_wins() {
    let key = || key("2024-11-24", "13:00:00", "away_team", "home_team");
    let table = [(Some(-2.5), None, -2.5), (None, Some(2.5), -2.5), (Some(-3.0), Some(2.5), -3.0)];
    for (home, away, spread) in table {
        for open in ["", "open_"] {
            let mut values = RowValues::default();
            for (side, points) in [("home", home), ("away", away)] {
                if let Some(points) = points {
                    values.put(column(&format!("{open}{side}_point_spread")), Value::Number(points));
                }
            }
            let lines = values.game(key()).expect("a game").facts.lines;
            let read = if open.is_empty() { lines.spread } else { lines.open_spread };
            assert_eq!(read, HomeSpread::new(spread).ok(), "{open}{home:?} {away:?}");
        }
    }
}

#[test]
fn a_final_without_a_status_is_settled_and_settled_without_a_final_is_no_ending() {
    let settled = || Some(Value::Text("settled".into()));
    let points = |points| Some(Value::Integer(points));
    let table = [
        (points(20), points(24), None, Some(Ending::settled(FinalScore { away: 20, home: 24 }))),
        (points(20), None, settled(), None),
        (None, None, settled(), None),
        (None, None, Some(Value::Text("abandoned".into())), Some(called_off("abandoned"))),
    ];
    for (away, home, status, ending) in table {
        let mut values = RowValues::default();
        for (name, value) in [("away_score", away), ("home_score", home), ("settlement_status", status)] {
            if let Some(value) = value {
                values.put(column(name), value);
            }
        }
        let game = values.game(key("2024-11-24", "13:00:00", "away_team", "home_team")).expect("a game");
        assert_eq!(game.facts.ending, ending, "{values:?}");
    }
}

#[test]
fn values_that_make_no_game_are_refused_with_their_column() {
    let text = |text: &'static str| Value::Text(Cow::Borrowed(text));
    let full = || {
        let game = a_game().build();
        let mut values = RowValues::default();
        for column in SEASON_COLUMNS {
            if let Some(value) = column.stored(&game, "2024-25") {
                values.put(column, value.map_text(|text| Cow::Owned(text.to_owned())));
            }
        }
        values
    };
    let read =
        |values: &RowValues<'_>| values.key().and_then(|key| values.game(key)).map_err(|error| error.to_string());
    assert!(read(&full()).is_ok());
    assert_eq!(read(&RowValues::default()), Err("date is missing".to_owned()));
    let wrong = [
        (TIME, text("noon")),
        (GAME_NUMBER, Value::Integer(300)),
        (FORECAST_SOURCE, text("guess")),
        (column("home_team"), text("--")),
        (column("away_score"), Value::Integer(-1)),
        (column("over_line"), Value::Integer(50)),
        (column("over_under"), Value::Number(-1.0)),
        (column("BLEND"), Value::Number(1.5)),
    ];
    for (column, value) in wrong {
        let mut values = full();
        values.put(column, value);
        let expected = format!("{} has a value that does not belong there", column.name);
        assert_eq!(read(&values), Err(expected), "{}", column.name);
    }
    let mut dateless = full();
    dateless.put(DATE, text("2024-11-24"));
    assert_eq!(read(&dateless), Err("date is missing".to_owned()), "a text is no date");
}
