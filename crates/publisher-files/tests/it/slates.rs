//! Rules for odds and predictions that no fixture covers, and examples of valid cells.

use sports_domain::{LineColumn, LineValue, ModelColumn, ModelType};
use sports_publication::slate::OddsGame;
use sports_publication::{PredictionsFile, Value};

use crate::folder::Folder;

const ODDS: &str = "odds.csv";
const TOTALS: &str = "predictions/over_under.csv";
/// The fields of a day that a run confirmed to have no games.
const OFF_DAY: &str = r#", "slate": "none", "run":
    {"id": "r", "started_at": "2024-09-10T10:00:00Z", "completed_at": "2024-09-10T10:05:00Z"}"#;
const KEY: &str = "2024-09-08,13:00,Buffalo Bills,Miami Dolphins";

/// Creates an nfl folder with the odds of one game; `columns` and `cells` follow the key.
fn odds(columns: &str, cells: &str) -> Folder {
    Folder::for_sport("nfl").with(ODDS, format!("date,time,away_team,home_team{columns}\n{KEY}{cells}\n"))
}

/// Creates an nfl folder with the predictions of one game's total.
fn totals(columns: &str, cells: &str) -> Folder {
    let text = format!("date,time,away_team,home_team{columns}\n{KEY}{cells}\n");
    Folder::of_season("nfl", "2024-25", "").with(TOTALS, text)
}

#[test]
fn a_market_has_its_usual_name_in_place_of_its_code_and_one_file() {
    let text = format!("date,time,away_team,home_team,BLEND\n{KEY},0.5\n");
    let file = |folder: Folder, name: &str| folder.with(&format!("predictions/{name}.csv"), &text);
    let of_season = || Folder::of_season("nfl", "2024-25", "");
    let folder = ["moneyline", "spread", "total"].into_iter().fold(of_season(), file);
    let probabilities = file(of_season(), "total").with("probabilities/spread/2024-25.csv", "").sentences();
    assert_eq!(
        probabilities,
        [
            "probabilities/spread: expected a folder called over_under, won_on_points, won_on_spread (did you mean `won_on_spread`?)"
        ]
    );
    let markets: Vec<_> = folder.release().predictions.into_keys().collect();
    assert_eq!(markets, ModelType::ALL);
    let twice = file(file(of_season(), "moneyline"), "won_on_points").sentences();
    assert_eq!(
        twice,
        ["predictions/won_on_points.csv: expected one file per table; predictions/moneyline.csv is there too"]
    );
}

#[test]
fn probabilities_that_were_divided_by_a_hundred_are_refused() {
    let row = |day: u32, cells: &str| format!("2024-09-{day:02},13:00,Buffalo Bills,Miami Dolphins,{cells}\n");
    let folder = |rows: &str| {
        let text = format!("date,time,away_team,home_team,BLEND,MINE\n{rows}");
        let models = r#", "models": {"MINE": {}}"#;
        Folder::of_season("nfl", "2024-25", models).with(TOTALS, text)
    };
    let expected = ["BLEND", "MINE"].map(|column| {
        let expected = "probabilities from 0 to 1, of which one exceeds 0.01: multiply by 100";
        format!("{TOTALS}, column {column}: expected {expected}")
    });
    assert_eq!(folder(&(row(8, "0.0055,0.01") + &row(15, "0.0061,0.002"))).sentences(), expected);
    // Neither a single game nor one usual value is a wrong scale.
    for rows in [row(8, "0.0055,0.004"), row(8, "0.0055,0.004") + &row(15, "0.61,0.4")] {
        assert_eq!(folder(&rows).sentences(), [""; 0]);
    }
}

fn one_game(folder: &Folder) -> OddsGame {
    let [game] = folder.release().odds.expect("odds").try_into().expect("one game");
    game.value
}

fn one_file(folder: &Folder) -> PredictionsFile {
    folder.release().predictions.remove(&ModelType::OverUnder).expect("a file of totals")
}

fn sentences(folder: &Folder, file: &str) -> Vec<String> {
    let lead = [format!("{file}, row 2, "), format!("{file}, ")];
    let short = |sentence: String| lead.iter().fold(sentence, |sentence, lead| sentence.replace(lead, ""));
    folder.sentences().into_iter().map(short).collect()
}

fn warnings(folder: &Folder) -> Vec<String> {
    folder.read().expect("no problems").warnings
}

#[test]
fn a_folder_without_a_slate_has_neither_odds_nor_predictions() {
    let release = Folder::for_sport("nfl").release();
    assert!(release.odds.is_none() && release.predictions.is_empty() && release.season.is_none());
    assert!(release.held_games.is_empty() && release.moved.is_empty());
}

#[test]
fn odds_are_current_lines_by_game() {
    let columns = ",match_id,home_money_line,away_money_line,away_point_spread,over_under,last_updated";
    let folder = odds(columns, ",007,-110,+105,2.5,0,2024-09-08 07:55:10");
    let game = one_game(&folder);
    assert_eq!(game.key.to_string(), "2024-09-08 13:00:00 buffalo_bills at miami_dolphins");
    assert_eq!(game.match_id.as_deref(), Some("007"));
    assert_eq!(game.last_updated, "2024-09-08T07:55:10".parse().ok());
    let posted = LineColumn::ALL.into_iter().filter(|column| game.lines.value(*column).is_some());
    let expected = [
        LineColumn::HomeMoneyLine,
        LineColumn::AwayMoneyLine,
        LineColumn::HomePointSpread,
        LineColumn::AwayPointSpread,
    ];
    assert_eq!(posted.collect::<Vec<_>>(), expected);
    assert_eq!(warnings(&folder), [""; 0]);
    assert_eq!(folder.release().odds.expect("odds")[0].place.row, Some(2));
}

#[test]
fn odds_need_no_season_and_a_season_that_is_named_bounds_their_dates() {
    let text = "date,time,away_team,home_team\n2031-01-01,13:00,bills,dolphins\n";
    assert_eq!(Folder::for_sport("nfl").with(ODDS, text).problems(), []);
    assert_eq!(
        sentences(&Folder::of_season("nfl", "2024-25", "").with(ODDS, text), ODDS),
        ["column date: `2031-01-01`: expected a date of the season 2024-25, in 2024 or 2025"]
    );
}

#[test]
fn a_column_that_odds_do_not_have_is_ignored_with_a_warning() {
    let folder = odds(",open_over_under,BLEND,stadium,season,home_moneyline,over_under", ",abc,7,x,1,-50,44.5");
    let ignored = |column, why| format!("{ODDS}: column {column} is ignored: {why}");
    assert_eq!(
        warnings(&folder),
        [
            ignored("open_over_under", "odds are of now, openers have no place in them"),
            ignored("BLEND", "odds have no such column"),
            ignored("stadium", "odds have no such column"),
            ignored("season", "odds have no such column"),
            ignored("home_moneyline", "it is not `home_money_line`"),
        ]
    );
    assert_eq!(one_game(&folder).lines.open_total, None);
}

#[test]
fn a_wrong_cell_of_odds_is_a_problem_with_the_expected_value() {
    for (columns, cells, expected) in [
        (
            ",over_line",
            ",-99",
            "column over_line: `-99`: expected an American price: a whole number, -100 or less or 100 or more, at most 1000000 either way; 0 or empty for none",
        ),
        (
            ",home_point_spread,away_point_spread",
            ",-3,2.5",
            "column away_point_spread: `2.5`: expected 3, the opposite of the home team's spread",
        ),
        (
            ",over_under",
            ",-3",
            "column over_under: `-3`: expected a total of more than 0 and at most 2000 points; 0 or empty for none",
        ),
        (
            ",last_updated",
            ",2024-09-08",
            "column last_updated: `2024-09-08`: expected an Eastern date and time as YYYY-MM-DD HH:MM:SS",
        ),
        (",Over_Under", ",44", "column Over_Under: expected the column's name as `over_under`"),
        (",time_est", ",13:00", "column time_est: expected either `time_est` or `time`, not both"),
    ] {
        assert_eq!(sentences(&odds(columns, cells), ODDS), [expected]);
    }
}

#[test]
fn odds_without_their_key_columns_are_not_read_row_by_row() {
    let folder = Folder::for_sport("nfl").with(ODDS, "date,away_team,home team\nx,y,z\n");
    assert_eq!(
        sentences(&folder, ODDS),
        [
            "column time: expected a column of this name",
            "column home_team: expected a column of this name (did you mean `home team`?)",
        ]
    );
}

#[test]
fn every_game_and_every_id_is_in_a_file_once() {
    let rows = |rows: &[&str]| {
        let text = format!("date,time,away_team,home_team,match_id\n{}\n", rows.join("\n"));
        sentences(&Folder::for_sport("nfl").with(ODDS, text), ODDS)
    };
    let once =
        rows(&["2024-09-08,13:00,a,b,1", "2024-09-08,16:00,a,b,2", "2024-09-08,13:00,c,d,", "2024-09-08,13:00,e,f,"]);
    assert_eq!(once, [""; 0], "a doubleheader is two games, and a game need not have an id");
    assert_eq!(
        rows(&["2024-09-08,13:00,a,b,1", "2024-09-08,13:00,c,d,1", "2024-09-08,13:00:00,A,B,2"]),
        [
            "row 3, column match_id: `1`: expected each match_id once; row 2 has it already",
            "row 4: expected each game once; row 2 has 2024-09-08 13:00:00 a at b already",
        ]
    );
}

#[test]
fn an_id_has_at_most_64_visible_characters_in_every_kind_of_file() {
    let of = |id: &str| {
        let quoted = format!("date,time,away_team,home_team,match_id\n2024-09-08,13:00,a,b,{id}\n");
        let predicted = format!("date,time,away_team,home_team,match_id,BLEND\n2024-09-08,13:00,a,b,{id},0.5\n");
        let listed =
            format!(r#"[{{"date":"2024-09-08","time":"13:00","away_team":"a","home_team":"b","match_id":"{id}"}}]"#);
        let season = || Folder::of_season("ncaaf", "2024-25", "");
        [
            season().with(ODDS, &quoted).sentences(),
            season().with("odds.json", listed).sentences(),
            season().with(TOTALS, predicted).sentences(),
            season().with("games/2024-25.csv", quoted).sentences(),
        ]
    };
    assert_eq!(of(&"é".repeat(64)), [const { Vec::<String>::new() }; 4]);
    for (id, expected) in [
        ("x".repeat(65), "expected an id of at most 64 characters"),
        ("g\u{202e}1".to_owned(), "expected a text without U+202E at character 2"),
        ("g\u{e0041}".to_owned(), "expected a text without U+E0041 at character 2"),
    ] {
        for sentences in of(&id) {
            assert!(sentences.len() == 1 && sentences[0].contains(expected), "{sentences:?}");
        }
    }
}

#[test]
fn texts_and_columns_of_a_file_have_no_hidden_characters() {
    let expected = |column: &str, value: &str, hidden: &str| {
        let hidden = format!("{hidden}, which is invisible or changes how text is shown");
        format!("{TOTALS}, row 2, column {column}: `{value}`: expected a text without {hidden}")
    };
    let folder = totals(",quote_source,BLEND,weather", ",bo\u{2066}ok,0.5,ra\u{200f}in");
    assert_eq!(
        folder.sentences(),
        [
            expected("quote_source", "bo\u{2066}ok", "U+2066 at character 3"),
            expected("weather", "ra\u{200f}in", "U+200F at character 3"),
        ]
    );
    let [sentence] = totals(",BLEND,wea\u{ad}ther", ",0.5,rain").sentences().try_into().expect("one problem");
    assert!(sentence.contains("expected a name without U+00AD at character 4"), "{sentence}");
    let lines = one_file(&totals(",BLEND,note", ",0.5,\"two\nlines\""));
    assert_eq!(lines.rows[0].value.extras.get("note"), Some(&Value::Text("two\nlines".into())));
}

#[test]
fn predictions_have_lines_probabilities_and_extra_columns() {
    let columns = ",match_id,quote_source,under_line,over_under,open_over_under,RF,BLEND,weather,version";
    let folder = totals(columns, ",g1,book,-110,44.5,0,,0.52,rain,7");
    let file = one_file(&folder);
    assert_eq!(file.given, [LineColumn::OverUnder, LineColumn::UnderLine, LineColumn::OpenOverUnder]);
    let [row] = file.rows.try_into().expect("one game");
    assert_eq!((&*row.place.file, row.place.row), (TOTALS, Some(2)));
    let (game, extras) = (row.value.game, row.value.extras);
    assert_eq!((game.match_id.as_deref(), row.value.quote_source.as_deref()), (Some("g1"), Some("book")));
    assert_eq!(game.lines.value(LineColumn::OverUnder), Some(LineValue::Points(44.5)));
    assert_eq!(game.lines.value(LineColumn::OpenOverUnder), None, "a zero opener is none");
    let probabilities: Vec<_> = game.forecasts.iter().map(|(model, probability)| (model, probability.get())).collect();
    assert_eq!(probabilities, [(ModelColumn::Blend, 0.52)]);
    assert_eq!(extras.get("weather"), Some(&Value::Text("rain".into())));
    assert_eq!(extras.get("version"), Some(&Value::Integer(7)));
    assert_eq!((extras.iter().count(), warnings(&folder).len()), (2, 0));
}

#[test]
fn a_row_without_a_probability_is_a_game_without_a_prediction() {
    let file = one_file(&totals(",BLEND,RF", ",,"));
    assert_eq!(file.rows.len(), 1);
    assert_eq!(file.rows[0].value.game.forecasts.iter().count(), 0);
}

#[test]
fn a_computed_column_of_predictions_is_ignored_with_a_warning() {
    let folder = totals(",BLEND,IMPLIED,over,ev_pos,game_number,home_moneyline", ",0.5,0.51,1,0.03,2,-110");
    let ignored = |column, why| format!("{TOTALS}: column {column} is ignored: {why}");
    assert_eq!(
        warnings(&folder),
        [
            ignored("IMPLIED", "the service computes it"),
            ignored("over", "the service computes it"),
            ignored("ev_pos", "the service computes it"),
            format!("{TOTALS}: column home_moneyline is kept as an extra column: it is not `home_money_line`"),
        ]
    );
    assert_eq!(one_file(&folder).rows[0].value.game.key.game_number, None);
}

#[test]
fn a_wrong_header_or_cell_of_predictions_is_a_problem_with_the_expected_value() {
    for (columns, cells, expected) in [
        (",BLEND", ",52", "column BLEND: `52`: expected a probability from 0 to 1 (percent? 0.52)"),
        (",BLEND", ",NaN", "column BLEND: `NaN`: expected a probability from 0 to 1"),
        (",blend", ",0.5", "column blend: expected the column's name as `BLEND`"),
        (",ev_POS,RF", ",1,0.5", "column ev_POS: expected the column's name as `ev_pos`"),
        (",BLEND,season", ",0.5,2023-24", "column season: `2023-24`: expected 2024-25, the season of release.json"),
        (
            ",BLEND,game_type",
            ",0.5,All-Star",
            "column game_type: `All-Star`: expected `regular` or `postseason`: other games of nfl are not in the record",
        ),
    ] {
        assert_eq!(sentences(&totals(columns, cells), TOTALS), [expected]);
    }
}

#[test]
fn predictions_have_no_columns_for_their_origin_or_finals() {
    let recorded = "no such column: the service itself records when a prediction came and from which release";
    let origin = [
        "forecast_source",
        "forecast_run",
        "forecast_published_at",
        "model_probability_source",
        "model_training_through",
        "model_reconstruction_method",
    ];
    let finals = "finals in games/ or results/, or in a file for `sportsctl settle`";
    let scores = ["away_score", "home_score", "settlement_status"];
    let table = origin.map(|column| (column, recorded)).into_iter().chain(scores.map(|column| (column, finals)));
    for (column, expected) in table {
        let folder = totals(&format!(",BLEND,{column}"), ",0.5,");
        assert_eq!(sentences(&folder, TOTALS), [format!("column {column}: expected {expected}")]);
    }
}

#[test]
fn a_college_game_counts_whatever_its_type_and_an_empty_type_counts_as_regular() {
    let text = "date,time,away_team,home_team,game_type,BLEND\n2024-11-08,19:00,Duke,UConn,exhibition,0.5\n";
    let folder = Folder::of_season("ncaab", "2024-25", "").with(TOTALS, text);
    assert_eq!(folder.problems(), []);
    assert_eq!(totals(",BLEND,game_type", ",0.5,").problems(), []);
    assert_eq!(totals(",BLEND,game_type", ",0.5,Postseason").problems(), []);
}

#[test]
fn predictions_without_a_season_are_checked_all_the_same() {
    let text = format!("date,time,away_team,home_team,BLEND\n{KEY},52\n");
    assert_eq!(
        Folder::for_sport("nfl").with(TOTALS, &text).sentences(),
        [
            "predictions/over_under.csv, row 2, column BLEND: `52`: expected a probability from 0 to 1 (percent? 0.52)",
            "release.json, column season: expected a season of nfl as YYYY-YY with consecutive years, such as 2024-25: \
             predictions are recorded in it",
        ]
    );
    let columns: Vec<_> =
        Folder::for_sport("xfl").with(TOTALS, &text).problems().into_iter().filter_map(|p| p.column).collect();
    assert_eq!(columns, ["BLEND", "sport", "season"]);
}

#[test]
fn a_json_file_reads_like_its_csv() {
    let csv = format!(
        "date,time,away_team,home_team,match_id,over_under,over_line,BLEND,rain\n{KEY},12,44.5,-110,0.52,true\n\
         2024-09-08,16:25,a,b,,,,,\n"
    );
    let json = r#"[
        {"date": "2024-09-08", "time": "13:00", "away_team": "Buffalo Bills", "home_team": "Miami Dolphins",
         "match_id": 12, "over_under": 44.5, "over_line": "-110", "BLEND": 0.52, "rain": true},
        {"home_team": "b", "away_team": "a", "time": "16:25:00", "date": "2024-09-08", "BLEND": null}
    ]"#;
    let file = |name: &str, text: &str| one_file(&Folder::of_season("nfl", "2024-25", "").with(name, text));
    let (csv, json) = (file(TOTALS, &csv), file("predictions/over_under.json", json));
    let values = |file: &PredictionsFile| file.rows.iter().map(|row| row.value.clone()).collect::<Vec<_>>();
    assert_eq!(values(&csv), values(&json));
    assert_eq!(csv.given, json.given);
    assert_eq!(json.rows.iter().map(|row| row.place.row).collect::<Vec<_>>(), [Some(1), Some(2)]);
}

#[test]
fn a_wrong_cell_of_json_names_the_game_by_its_place_in_the_list() {
    let row = |price: &str| {
        format!(r#"{{"date":"2024-09-08","time":"13:00","away_team":"a{price}","home_team":"b","over_line":{price}}}"#)
    };
    let text = format!("[{},{},{}]", row("-110"), row("-50"), row("true"));
    assert_eq!(
        Folder::for_sport("nfl").with("odds.json", text).sentences(),
        [
            "odds.json, row 2, column over_line: `-50`: expected an American price: a whole number, -100 or less or 100 or more, at most 1000000 either way; 0 or empty for none",
            "odds.json, row 3, column over_line: `true`: expected an American price: a whole number, -100 or less or 100 or more, at most 1000000 either way; 0 or empty for none",
        ]
    );
}

#[test]
fn a_list_without_games_is_a_file_without_rows() {
    for text in ["[]", r#"{"games": []}"#] {
        let folder = Folder::of_season("nfl", "2024-25", OFF_DAY)
            .with("odds.json", text)
            .with("predictions/over_under.json", text);
        let release = folder.release();
        assert_eq!(release.odds, Some(Vec::new()));
        assert_eq!(release.predictions[&ModelType::OverUnder], PredictionsFile::default());
    }
    let header = odds("", "").with(ODDS, "date,time,away_team,home_team\n");
    assert_eq!(header.release().odds, Some(Vec::new()));
}

#[test]
fn a_slate_of_none_has_no_games() {
    let folder = |more| Folder::of_season("nfl", "2024-25", more);
    let text = format!("date,time,away_team,home_team,BLEND\n{KEY},0.5\n");
    assert_eq!(
        folder(OFF_DAY).with(TOTALS, &text).sentences(),
        ["release.json, column slate: `none`: expected `active`, as predictions/over_under.csv has games"]
    );
    assert_eq!(folder("").with(TOTALS, &text).problems(), []);
    // History does not conflict with an off-day.
    assert_eq!(
        folder(OFF_DAY).with("games/2024-25.csv", text.replace(",BLEND", "").replace(",0.5", "")).problems(),
        []
    );
}

#[test]
fn the_content_of_a_release_is_its_slate_too() {
    let content = |total: &str| odds(",over_under", total).release().content;
    assert_eq!(content(",44"), content(",44"));
    assert_ne!(content(",44"), content(",44.5"));
}
