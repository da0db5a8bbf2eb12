//! Rules for history files that no fixture covers, and examples of valid cells.

use sports_domain::{GameType, LineColumn, LineValue, ModelColumn};
use sports_publication::{ForecastOrigin, ProbabilitySource, Value};

use crate::folder::Folder;

const GAMES: &str = "games/2024-25.csv";
const MARKET: &str = "probabilities/over_under/2024-25.csv";

/// Creates an nfl folder with one game; `columns` and `cells` follow its key.
fn game(columns: &str, cells: &str) -> Folder {
    let text =
        format!("date,time,away_team,home_team{columns}\n2024-09-08,13:00,Buffalo Bills,Miami Dolphins{cells}\n");
    Folder::for_sport("nfl").with(GAMES, text)
}

/// Creates an nfl folder with one forecast.
fn forecast(columns: &str, cells: &str) -> Folder {
    let text =
        format!("date,time,away_team,home_team{columns}\n2024-09-08,13:00,Buffalo Bills,Miami Dolphins{cells}\n");
    Folder::for_sport("nfl").with(MARKET, text)
}

fn in_game(columns: &str, cells: &str) -> Vec<String> {
    let lead = format!("{GAMES}, row 2, column ");
    game(columns, cells).sentences().iter().map(|problem| problem.replace(&lead, "")).collect()
}

#[test]
fn a_folder_without_tables_is_a_run_without_a_slate() {
    let read = Folder::for_sport("nfl").read().expect("no problems");
    assert_eq!((read.release.history.len(), read.warnings.len()), (0, 0));
}

#[test]
fn a_folder_that_is_not_there_is_no_list_of_problems() {
    let folder = Folder::for_sport("nfl");
    let gone = folder.path().join("gone");
    let error = sports_publisher_files::read(&gone, chrono::DateTime::UNIX_EPOCH).expect_err("no such folder");
    assert!(error.to_string().contains("cannot be read"), "{error}");
}

#[test]
fn a_row_reads_column_by_column() {
    let columns = ",away_score,home_score,game_type,match_id,home_money_line,away_money_line,home_point_spread,\
                   open_away_point_spread,over_under,open_over_under,over_line,stadium,attendance";
    let folder = game(columns, ",20.0, 24 ,,0012,-110.0,+105,-0.0,-1.5,0,45.5,0, Invented Field ,65000");
    let [facts] = folder.games().try_into().expect("one game");
    assert_eq!(facts.key.to_string(), "2024-09-08 13:00:00 buffalo_bills at miami_dolphins");
    assert_eq!(facts.ending.score.map(|score| (score.away, score.home)), Some((20, 24)));
    assert_eq!((facts.game_type, facts.match_id.as_deref()), (GameType::Regular, Some("0012")));
    let points = |column| match facts.lines.value(column) {
        Some(LineValue::Price(price)) => Some(f64::from(price.get())),
        Some(LineValue::Points(points)) => Some(points),
        None => None,
    };
    let given = LineColumn::ALL.map(|column| (column.name(), points(column)));
    let posted: Vec<_> = given.into_iter().filter_map(|(name, points)| Some((name, points?))).collect();
    assert_eq!(
        posted,
        [
            ("home_money_line", -110.0),
            ("away_money_line", 105.0),
            ("home_point_spread", 0.0),
            ("away_point_spread", 0.0),
            ("open_home_point_spread", 1.5),
            ("open_away_point_spread", -1.5),
            ("open_over_under", 45.5),
        ]
    );
    assert_eq!(facts.extras.get("stadium"), Some(&Value::Text("Invented Field".into())));
    assert_eq!(facts.extras.get("attendance"), Some(&Value::Integer(65_000)));
    let given = &folder.season().shared[0].given;
    assert_eq!(given.len(), 7);
    assert!(given.contains(&LineColumn::OpenAwayPointSpread) && !given.contains(&LineColumn::OpenHomePointSpread));
}

#[test]
fn a_wrong_cell_is_a_problem_with_the_expected_value() {
    for (columns, cells, expected) in [
        (
            ",home_money_line",
            ",-110.5",
            "home_money_line: `-110.5`: expected an American price: a whole number, -100 or less or 100 or more, at most 1000000 either way; 0 or empty for none",
        ),
        (
            ",over_under",
            ",-3",
            "over_under: `-3`: expected a total of more than 0 and at most 2000 points; 0 or empty for none",
        ),
        (
            ",open_over_under",
            ",many",
            "open_over_under: `many`: expected a total in points, such as 41.5; 0 or empty for none",
        ),
        (",home_score,away_score", ",65536,1", "home_score: `65536`: expected a score: a whole number, 0 or more"),
        (",home_score", ",3", "away_score: expected both scores or neither"),
        (
            ",home_point_spread,away_point_spread",
            ",-3,2.5",
            "away_point_spread: `2.5`: expected 3, the opposite of the home team's spread",
        ),
        (",game_number", ",0", "game_number: `0`: expected a game number from 1 to 9"),
        (",season", ",2024", "season: `2024`: expected 2024-25, the season of the file's name"),
    ] {
        assert_eq!(in_game(columns, cells), [expected]);
    }
}

#[test]
fn a_wrong_score_is_not_also_a_missing_one() {
    assert_eq!(in_game(",home_score,away_score", ",x,").len(), 1);
}

#[test]
fn a_date_is_of_the_season_and_a_team_does_not_play_itself() {
    let folder = Folder::for_sport("nfl").with(
        GAMES,
        "date,away_team,home_team\n2023-12-31,Bills,Dolphins\n2026-01-01,Bills,Dolphins\n2025-01-01,bills,Bills\n,,?\n",
    );
    assert_eq!(
        folder.sentences(),
        [
            "games/2024-25.csv, row 2, column date: `2023-12-31`: expected a date of the season 2024-25, in 2024 or 2025",
            "games/2024-25.csv, row 3, column date: `2026-01-01`: expected a date of the season 2024-25, in 2024 or 2025",
            "games/2024-25.csv, row 4, column home_team: `Bills`: expected another team than the away team",
            "games/2024-25.csv, row 5, column date: expected a date as YYYY-MM-DD",
            "games/2024-25.csv, row 5, column away_team: expected a team name with a letter or digit in it",
            "games/2024-25.csv, row 5, column home_team: `?`: expected a team name with a letter or digit in it",
        ]
    );
    let folder = Folder::for_sport("mlb").with("games/2016.csv", "date,away_team,home_team\n2017-04-01,cubs,reds\n");
    assert_eq!(
        folder.sentences(),
        ["games/2016.csv, row 2, column date: `2017-04-01`: expected a date of the season 2016, in 2016"]
    );
}

#[test]
fn games_without_times_are_distinguished_by_their_number() {
    let rows = |numbers: [&str; 2]| {
        let row = |number| format!("2016-08-16,brewers,cubs,{number}\n");
        let text = format!("date,away_team,home_team,game_number\n{}{}", row(numbers[0]), row(numbers[1]));
        Folder::for_sport("mlb").with("games/2016.csv", text)
    };
    assert_eq!(rows(["1", "2"]).games().len(), 2);
    assert_eq!(
        rows(["1", "1"]).sentences(),
        [
            "games/2016.csv, row 3, column game_number: `1`: expected a game number that tells this game from that of row 2, \
          or its start time"
        ]
    );
}

#[test]
fn games_with_a_placeholder_are_distinguished_by_their_number_too() {
    let odds = |rows: [&str; 2]| {
        let rows = rows.map(|row| format!("2016-08-16,brewers,cubs,8.5,{row}\n")).concat();
        Folder::for_sport("mlb")
            .with("odds.csv", format!("date,away_team,home_team,over_under,time,game_number\n{rows}"))
    };
    let keys = |folder: Folder| {
        let odds = folder.release().odds.expect("odds");
        odds.into_iter().map(|row| row.value.key.game_number).collect::<Vec<_>>()
    };
    assert_eq!(keys(odds(["00:00,1", "23:33,2"])), [Some(1), Some(2)]);
    assert_eq!(keys(odds(["13:10,1", "00:00,2"])), [None, Some(2)]);
    for rows in [["00:00,", "00:00,"], ["00:00,1", "23:59,1"]] {
        let sentences = odds(rows).sentences();
        assert!(sentences[0].contains("a game number that tells this game from that of row 2"), "{sentences:?}");
    }
}

#[test]
fn a_forecast_keeps_its_origin() {
    let columns = ",BLEND,forecast_source,forecast_run,forecast_published_at,model_probability_source";
    let origin = |cells: &str| {
        let forecasts = forecast(columns, cells).market().forecasts;
        let [row] = forecasts.try_into().expect("one forecast");
        (row.value.record.origin, row.value.record.probability_source)
    };
    let run = || Some("r1".to_owned());
    let published_at = "2024-09-08T12:00:00Z".parse().ok();
    assert_eq!(
        origin(",0.5,live,r1,2024-09-08T08:00:00-04:00,recorded"),
        (Some(ForecastOrigin::Live { run: run(), published_at }), Some(ProbabilitySource::Recorded))
    );
    assert_eq!(origin(",0.5,live,,,"), (Some(ForecastOrigin::Live { run: None, published_at: None }), None));
    assert_eq!(
        origin(",0.5,walk_forward,r1,,reconstructed_oos"),
        (Some(ForecastOrigin::WalkForward { run: run() }), Some(ProbabilitySource::ReconstructedOos))
    );
    assert_eq!(origin(",0.5,,r1,,"), (Some(ForecastOrigin::WalkForward { run: run() }), None));
    assert_eq!(origin(",0.5,,,,"), (None, None));
}

#[test]
fn a_publication_time_is_one_that_an_archive_can_keep() {
    for (given, kept) in [
        ("2024-09-08T11:59:59.1234567Z", "2024-09-08T11:59:59.123456Z"),
        ("2024-09-08T11:59:60Z", "2024-09-08T12:00:00Z"),
    ] {
        let cells = format!(",0.5,live,r1,{given}");
        let forecasts =
            forecast(",BLEND,forecast_source,forecast_run,forecast_published_at", &cells).market().forecasts;
        let origin = forecasts.into_iter().find_map(|row| row.value.record.origin);
        let published_at = Some(kept.parse().expect("an instant"));
        assert_eq!(origin, Some(ForecastOrigin::Live { run: Some("r1".to_owned()), published_at }), "{given}");
    }
}

#[test]
fn only_a_live_forecast_has_a_publication_time() {
    let columns = ",BLEND,forecast_source,forecast_published_at";
    for (cells, column) in [
        (",0.5,walk_forward,2024-09-08T12:00:00Z", "forecast_published_at"),
        (",0.5,,2024-09-08T12:00:00Z", "forecast_published_at"),
        (",0.5,live,2024-09-08T12:00:00", "forecast_published_at"),
        (",0.5,Live,", "forecast_source"),
    ] {
        let problems = forecast(columns, cells).problems();
        let columns: Vec<_> = problems.iter().filter_map(|problem| problem.column.as_deref()).collect();
        assert_eq!(columns, [column], "{cells}");
    }
}

#[test]
fn an_empty_probability_is_none_and_an_extra_column_comes_with_the_forecast() {
    let forecasts = forecast(",BLEND,RF,version", ",,0.25,v2").market().forecasts;
    let [row] = forecasts.try_into().expect("one forecast");
    let all: Vec<_> =
        row.value.record.forecasts.iter().map(|(model, probability)| (model, probability.get())).collect();
    assert_eq!(all, [(ModelColumn::Rf, 0.25)]);
    assert_eq!(row.value.extras.get("version"), Some(&Value::Text("v2".into())));
    assert_eq!(row.place.row, Some(2));
}

#[test]
fn results_have_games_and_forecasts_and_a_row_without_forecasts_only_a_game() {
    let text = "date,away_team,home_team,home_score,away_score,over_under,BLEND,over,stadium\n\
                2024-09-08,bills,dolphins,24,20,44,0.6,0,Hard Rock\n2024-09-09,jets,bills,,,40,,,\n";
    let folder = Folder::for_sport("nfl").with("results/over_under/2024-25.csv", text);
    let market = folder.market();
    assert_eq!(market.games.len(), 1);
    assert_eq!(market.games[0].given, [LineColumn::OverUnder]);
    assert_eq!((market.games[0].rows.len(), market.forecasts.len()), (2, 1));
    assert_eq!(market.games[0].rows[0].value.extras.get("stadium"), Some(&Value::Text("Hard Rock".into())));
    assert_eq!(market.forecasts[0].value.extras.iter().count(), 0);
    assert_eq!(
        folder.read().expect("no problems").warnings,
        ["results/over_under/2024-25.csv: column over is ignored: the service computes it"]
    );
}

#[test]
fn an_entry_that_does_not_belong_in_a_folder_is_a_problem() {
    let folder = Folder::for_sport("nfl")
        .with(".DS_Store", "")
        .with("README.md", "")
        .with("expected.json", "")
        .with("games/.DS_Store", "")
        .with("games/notes.txt", "")
        .with("games/2024-25.csv", "date,away_team,home_team\n")
        .with("games/2024-25.parquet", "")
        .with("games/2023-24.json", "[]")
        .with("finals.csv", "")
        .with("odds.old.csv", "")
        .with("odds.xlsx", "")
        .with("predictions.csv", "")
        .with("predictions/winner.csv", "")
        .with("probabilities/over-under/2024-25.csv", "")
        .with("results/2024-25.csv", "")
        .with("result", "");
    let places: Vec<_> = folder.problems().iter().map(|problem| problem.place.file.to_string()).collect();
    assert_eq!(
        places,
        [
            "finals.csv",
            "games/2023-24.json",
            "games/2024-25.parquet",
            "games/2024-25.parquet",
            "games/notes.txt",
            "odds.old.csv",
            "odds.xlsx",
            "predictions.csv",
            "predictions/winner.csv",
            "probabilities/over-under",
            "result",
            "results/2024-25.csv",
        ]
    );
    assert!(folder.sentences().iter().any(|problem| problem.contains("(did you mean `results`?)")));
}

#[test]
fn rows_are_checked_even_where_the_league_is_unknown() {
    let folder = Folder::for_sport("xfl").with(GAMES, "date,away_team,home_team\nyesterday,bills,jets\n");
    let columns: Vec<_> = folder.problems().into_iter().filter_map(|problem| problem.column).collect();
    assert_eq!(columns, ["date", "sport"]);
}

#[test]
fn the_content_of_a_release_is_every_byte_of_every_file_and_its_name() {
    let content = |folder: &Folder| folder.read().expect("no problems").release.content;
    let header = "date,away_team,home_team\n";
    let one = || Folder::for_sport("nfl").with(GAMES, header);
    assert_eq!(content(&one()), content(&one().with("README.md", "passed over")));
    assert_ne!(content(&one()), content(&Folder::for_sport("nfl").with("games/2023-24.csv", header)));
    assert_ne!(content(&one()), content(&Folder::for_sport("nfl").with(GAMES, "date,away_team,home_team\r\n")));
}

#[test]
fn a_table_with_another_separator_is_one_problem_that_names_it() {
    let table = "date;time;away_team;home_team\n2024-09-08;13:00;Buffalo Bills;Miami Dolphins\n";
    let sentences = Folder::for_sport("nfl").with(GAMES, table).sentences();
    let expected = format!("{GAMES}, row 1: expected columns separated by commas; this header is separated by \";\"");
    assert_eq!(sentences, [expected]);
}

#[test]
fn an_unknown_part_of_the_season_is_kept_with_one_warning() {
    let rows = ["2024-09-08,13:00,a,b,playoffs", "2024-09-08,13:00,c,d,playoffs"].join("\n");
    let folder = Folder::for_sport("nfl").with(GAMES, format!("date,time,away_team,home_team,game_type\n{rows}\n"));
    let read = folder.read().expect("no problems");
    let warned: Vec<_> = read.warnings.iter().filter(|warning| warning.contains("`playoffs`")).collect();
    assert_eq!(warned.len(), 1, "{:?}", read.warnings);
    assert!(game(",game_type", ",preseason").read().expect("no problems").warnings.is_empty());
}

#[test]
fn a_game_on_two_dates_with_its_final_on_one_is_named() {
    let text = "date,away_team,home_team,away_score,home_score\n2024-09-08,Bills,Jets,,\n2024-09-09,Bills,Jets,3,0\n";
    let read = Folder::for_sport("nfl").with("games/2024-25.csv", text).read().expect("no problems");
    assert_eq!(
        read.warnings,
        [
            "2024-25: 2024-09-08 buffalo_bills at new_york_jets has no final, and 2024-09-09 buffalo_bills at new_york_jets has \
          one: if this is one game, leave the former out, or state that it is `postponed`"
        ]
    );
}
