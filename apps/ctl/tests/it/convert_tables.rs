//! Tables of other sources, converted on the command line and published.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sports_domain::{Season, Sport};
use sports_testkit::foreign::{ForeignFile, nflverse, real_seasons, sheet, wide};
use sports_testkit::programs::{TestFolder, real_data};

use crate::support::{Completed, objects, publish, run, run_json};

pub const GAMES: &str = "game_id,season,game_type,gameday,gametime,away_team,home_team,away_score,home_score,spread_line,total,total_line\n\
                     a,2021,REG,2021-09-09,20:20,DAL,TB,29,31,10,60,52.5\n\
                     b,2021,SB,2022-02-13,18:30,LA,CIN,23,20,-4,43,48.5\n\
                     c,2020,REG,2020-09-10,20:20,HOU,KC,20,34,9.5,54,54\n";

pub fn write(place: &TestFolder, name: &str, text: &str) -> PathBuf {
    let path = place.path().join(name);
    fs::write(&path, text).expect("written");
    path
}

/// Returns the arguments of a conversion of one file; words begin with `/` for a path in the folder.
pub fn arguments(place: &TestFolder, words: &str) -> Vec<OsString> {
    let path = |word: &str| {
        word.strip_prefix('/').map_or_else(|| word.into(), |name| place.path().join(name).into_os_string())
    };
    ["convert", "csv"].into_iter().chain(words.split_whitespace()).map(path).collect()
}

pub fn convert(place: &TestFolder, words: &str) -> Completed {
    run(place, arguments(place, words))
}

#[test]
fn presets_are_listed_and_printed() {
    let place = TestFolder::fresh();
    let sheets = "sportsbookreviewsonline";
    let names = ["nflverse", sheets, sheets, "retrosheet", "basketball-reference", "spreadspoke", "kaggle-wide"];
    let listed = convert(&place, "--preset list").out;
    let first: Vec<_> = listed.lines().map(|line| line.split_whitespace().next().expect("a name")).collect();
    assert_eq!(first, names);
    let printed = convert(&place, "--preset nflverse --print-map").out;
    assert!(printed.contains("# Positive for a home favourite.\nhome_point_spread = "), "{printed}");
    write(&place, "own.toml", "extras = [\"stadium\"]\n[columns]\nmatch_id = false\n");
    let merged = convert(&place, "--preset nflverse --map /own.toml --print-map").out;
    write(&place, "merged.toml", &merged);
    let again = convert(&place, "--map /merged.toml --print-map").out;
    assert!(again == merged && merged.contains("match_id = false"), "{merged}");
    let baseball = convert(&place, "--preset sportsbookreviewsonline --sport mlb --print-map").out;
    assert!(baseball.contains("RunLine"), "{baseball}");
}

#[test]
fn a_conversion_writes_a_release_and_its_account() {
    let place = TestFolder::fresh();
    write(&place, "games.csv", GAMES);
    let output = convert(&place, "--preset nflverse /games.csv --sport nfl --season 2021-22 --out /release");
    let file = place.path().join("games.csv");
    let lines = format!(
        "{}: 3 rows, 2 games\n2021-22  2 games: 1 postseason, 2 times, 2 finals, 2 spreads, 2 totals\n\
         left out: 1: the season is 2020-21\n\
         not in the file: {}: home_money_line (`home_moneyline`), away_money_line (`away_moneyline`), home_point_spread_line \
         (`home_spread_odds`), away_point_spread_line (`away_spread_odds`), over_line (`over_odds`), under_line (`under_odds`)\n\
         {}: a release of nfl, 2 files\n",
        file.display(),
        file.display(),
        place.path().join("release").display()
    );
    assert_eq!((output.code, output.out, output.err.as_str()), (Some(0), lines, ""));
    let games = fs::read_to_string(place.path().join("release/games/2021-22.csv")).expect("games");
    let expected = "date,time_est,away_team,home_team,game_type,match_id,away_score,home_score,home_point_spread,away_point_spread,over_under\n\
                    2021-09-09,20:20:00,dallas_cowboys,tampa_bay_buccaneers,regular,a,29,31,-10,10,52.5\n\
                    2022-02-13,18:30:00,los_angeles_rams,cincinnati_bengals,postseason,b,23,20,4,-4,48.5\n";
    assert_eq!(games, expected);
    assert_eq!(publish(&place, &place.path().join("release"))["outcome"], "on_air");
    let json = run_json(&place, arguments(&place, "--preset nflverse /games.csv --sport nfl --out /all"));
    assert_eq!(json["files"], json!(["games/2020-21.csv", "games/2021-22.csv", "release.json"]));
    assert_eq!(json["read"], json!([{ "file": file.to_str(), "rows": 3, "games": 3 }]));
    assert_eq!(
        (&json["seasons"][1]["spreads"], &json["left_out"], &json["own_models"]),
        (&json!(2), &json!([]), &json!({}))
    );
}

#[test]
fn several_conversions_fill_one_folder_and_replace_nothing() {
    let place = TestFolder::fresh();
    write(&place, "games.csv", GAMES);
    for season in ["2020-21", "2021-22", "2021-22"] {
        let output =
            convert(&place, &format!("--preset nflverse /games.csv --sport nfl --season {season} --out /release"));
        assert_eq!(output.code, Some(0), "{output:?}");
    }
    let paths = ["games/2020-21.csv", "games/2021-22.csv", "release.json"];
    assert!(paths.iter().all(|path| place.path().join("release").join(path).exists()));
    write(&place, "games.csv", &GAMES.replace(",60,52.5", ",60,53.5"));
    let output = convert(&place, "--preset nflverse /games.csv --sport nfl --out /release");
    assert!(
        output.code == Some(2)
            && output.err.contains(
                "2021-22.csv is there already, with other content; remove it, name another --out, or replace"
            ),
        "{output:?}"
    );
    let games = fs::read_to_string(place.path().join("release/games/2021-22.csv")).expect("games");
    assert!(games.contains("52.5"), "{games}");
}

#[test]
fn own_models_of_a_map_are_declared_and_published() {
    let place = TestFolder::fresh();
    let games = GAMES.replace("total_line\n", "total_line,p,q\n").replace("52.5\n", "52.5,0.6,0.7\n");
    write(&place, "games.csv", &games.replace("48.5\n", "48.5,0.4,\n").replace(",54\n", ",54,0.5,0.5\n"));
    write(&place, "elo.toml", "[models.won_on_points]\nELO = \"p\"\n");
    write(&place, "two.toml", "[models.won_on_points]\nELO = \"p\"\nnn_v2 = \"q\"\n");
    let words = "--preset nflverse /games.csv --sport nfl --out /release";
    let first = convert(&place, &format!("{words} --season 2020-21 --map /elo.toml"));
    assert!(first.out.ends_with("declared in release.json: ELO\n"), "{first:?}");
    let manifest = place.path().join("release/release.json");
    let read = || serde_json::from_str::<Value>(&fs::read_to_string(&manifest).expect("a file")).expect("JSON");
    let mut edited = read();
    assert_eq!(edited["models"], json!({ "ELO": {} }));
    edited["models"]["ELO"] = json!({ "title": "Elo" });
    fs::write(&manifest, edited.to_string()).expect("written");
    let json = run_json(&place, arguments(&place, &format!("{words} --season 2021-22 --map /two.toml")));
    assert_eq!(json["own_models"], json!({ "ELO": {}, "nn_v2": {} }));
    assert_eq!(read()["models"], json!({ "ELO": { "title": "Elo" }, "nn_v2": {} }), "what is there is kept");
    assert_eq!(publish(&place, &place.path().join("release"))["outcome"], "on_air");
    let models = run_json(&place, ["models", "nfl"])["models"].clone();
    let listed = models.as_array().expect("models").iter().filter(|model| model["kind"] == "own");
    assert_eq!(listed.map(|model| &model["model"]).collect::<Vec<_>>(), ["ELO", "nn_v2"]);
}

#[test]
fn a_slate_adds_its_season_to_the_release_of_a_history() {
    let place = TestFolder::fresh();
    write(&place, "games.csv", &format!("{GAMES}d,2021,REG,2021-12-09,20:20,DAL,TB,,,3,,44\n"));
    let words = "--preset nflverse /games.csv --sport nfl --season 2021-22 --out /release --as-of 2021-11-23T12:00:00Z";
    assert_eq!(convert(&place, words).code, Some(0));
    let manifest = place.path().join("release/release.json");
    let read = || serde_json::from_str::<Value>(&fs::read_to_string(&manifest).expect("a file")).expect("JSON");
    assert_eq!(read(), json!({ "sport": "nfl", "slate_date": "2021-11-23" }));
    let written = json!({ "sport": "nfl", "slate_date": "2021-11-24", "headline": "BLEND" });
    fs::write(&manifest, written.to_string()).expect("written");
    let slate = format!("{words} --slate");
    assert_eq!(convert(&place, &slate).code, Some(0));
    let expected = json!({ "sport": "nfl", "slate_date": "2021-11-24", "headline": "BLEND", "season": "2021-22" });
    assert_eq!(read(), expected);
    fs::write(&manifest, expected.to_string().replace("2021-22", "2020-21")).expect("written");
    let output = convert(&place, &slate);
    let message = "it has the season 2020-21, and the slate is of 2021-22: correct the season, or name another --out";
    assert!(output.code == Some(2) && output.err.contains(message), "{output:?}");
}

#[test]
fn wrong_tables_arguments_and_maps_are_refused() {
    let place = TestFolder::fresh();
    write(&place, "games.csv", GAMES);
    write(&place, "own.toml", "[columns]\nhome_moneyline = \"x\"\n");
    write(&place, "wrong.csv", &GAMES.replace("2021-09-09", "9/9/2021").replace("2020-09-10", "9/10/2020"));
    let out = "--sport nfl --out /release";
    for (words, message) in [
        (format!("/games.csv {out}"), "games.csv has the columns of --preset nflverse"),
        (format!("--preset nflvers /games.csv {out}"), "`nflvers` is no preset (did you mean `nflverse`?)"),
        ("--preset nflverse /games.csv --sport nba --out /release".to_owned(), "the preset nflverse is not for nba"),
        (
            "--preset nflverse /games.csv --out /release".to_owned(),
            "a value is missing: --sport SPORT names the league",
        ),
        ("--preset nflverse /games.csv --sport nfl".to_owned(), "--out FOLDER names the release folder to write"),
        (format!("--preset nflverse {out}"), "FILE names a table to convert"),
        (format!("--preset nflverse /games.csv {out} --season 2021"), "`2021` is not a season of nfl"),
        (
            format!("--preset nflverse /games.csv {out} --postseason-from May"),
            "`May` is neither a date as YYYY-MM-DD nor `none`",
        ),
        (
            format!("--map /own.toml /games.csv {out}"),
            "own.toml: line 2: `home_moneyline` is no value of a game (did you mean `home_money_line`?)",
        ),
        (
            format!("--preset sportsbookreviewsonline /games.csv {out}"),
            "expected a value for season, which nothing supplies: --season LABEL",
        ),
        (
            format!("--preset nflverse /wrong.csv {out}"),
            "rows 2–4, 2 times, column gameday: `9/9/2021` (2021-09-09, with pattern = \"%m/%d/%Y\"; or",
        ),
        (format!("--preset nflverse /absent.csv {out}"), "absent.csv: No such file"),
    ] {
        let output = convert(&place, &words);
        assert!(output.code == Some(2) && output.err.contains(message), "{words}: {output:?}");
    }
    assert!(!place.path().join("release").exists());
}

/// Publishes a converted folder and the same games as the release has them, each into a store of its own, and asserts that both
/// have the same objects. An object is named by its content, so every cell is equal.
fn publishes_the_same(converted: &Path, foreign: &[ForeignFile], sport: Sport) {
    let stores = [TestFolder::fresh(), TestFolder::fresh()];
    let direct = stores[1].path().join("direct");
    for (path, table) in foreign.iter().flat_map(|file| &file.direct) {
        let path = direct.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, table).expect("written");
    }
    fs::copy(converted.join("release.json"), direct.join("release.json")).expect("copied");
    let of = |place: &TestFolder, folder: &Path| -> (Value, Vec<String>) {
        let published = publish(place, folder);
        let objects = objects(place, sport.code());
        let names = objects.iter().map(|path| path.file_name().expect("a name").to_string_lossy().into_owned());
        (published["seasons"].clone(), names.collect())
    };
    let (published, expected) = (of(&stores[0], converted), of(&stores[1], &direct));
    assert!(published.0.as_array().is_some_and(|seasons| !seasons.is_empty()), "{sport}");
    assert_eq!(published, expected, "{sport}");
}

/// Converts a foreign file of a season into a folder.
fn converted(place: &TestFolder, preset: &str, foreign: &ForeignFile, sport: Sport, more: &str) {
    write(place, "foreign.csv", &foreign.text);
    write(place, "own.toml", &foreign.map);
    let output = convert(
        place,
        &format!("--preset {preset} --map /own.toml /foreign.csv --sport {sport} --out /release {more}"),
    );
    assert_eq!(output.code, Some(0), "{output:?}");
}

#[test]
fn a_file_of_nflverse_is_published_like_the_real_seasons() {
    let Some(data) = real_data() else { return };
    let place = TestFolder::fresh();
    let foreign = nflverse(&data, &real_seasons(&data, Sport::Nfl));
    converted(&place, "nflverse", &foreign, Sport::Nfl, "");
    publishes_the_same(&place.path().join("release"), &[foreign], Sport::Nfl);
}

#[test]
fn sheets_of_two_rows_a_game_are_published_like_the_real_seasons() {
    let Some(data) = real_data() else { return };
    for (sport, years) in
        [(Sport::Nfl, 2019), (Sport::Nba, 2019), (Sport::Mlb, 2014), (Sport::Ncaaf, 2016), (Sport::Ncaab, 2019)]
    {
        let place = TestFolder::fresh();
        let seasons: Vec<_> = (years..years + 2).filter_map(|year| Season::starting_in(sport, year)).collect();
        let mut sheets = Vec::new();
        for season in seasons {
            let (mut foreign, postseason) = sheet(&data, sport, season);
            // A sheet has no preseason; a release would leave such games out.
            foreign.direct.values_mut().for_each(|table| *table = table.replace(",preseason,", ",regular,"));
            let more = format!("--season {season} --postseason-from {}", postseason.as_deref().unwrap_or("none"));
            converted(&place, "sportsbookreviewsonline", &foreign, sport, &more);
            sheets.push(foreign);
        }
        publishes_the_same(&place.path().join("release"), &sheets, sport);
    }
}

#[test]
fn wide_tables_are_published_like_the_real_seasons() {
    let Some(data) = real_data() else { return };
    for (sport, year) in [(Sport::Nfl, 2021), (Sport::Nba, 2022), (Sport::Mlb, 2016), (Sport::Ncaab, 2020)] {
        let place = TestFolder::fresh();
        let foreign = wide(&data, sport, Season::starting_in(sport, year).expect("a season"));
        converted(&place, "kaggle-wide", &foreign, sport, "");
        publishes_the_same(&place.path().join("release"), &[foreign], sport);
    }
}
