//! A table that is converted each day: runs, own models and replaced folders, and `publish --from`.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_testkit::programs::TestFolder;

use crate::convert_tables::{arguments, convert, write};
use crate::support::{Completed, entries, files, run, run_json};

/// The Sunday morning of a week with two games.
const MORNING: &str = "2021-12-12T15:00:00Z";
const NIGHT: &str = "2021-12-13T06:00:00Z";

/// A table in nflverse columns with a column `elo`: a past game, and two of the Sunday with their finals.
fn table(finals: [&str; 2]) -> String {
    format!(
        "game_id,season,game_type,gameday,gametime,away_team,home_team,away_score,home_score,spread_line,total_line,elo\n\
         a,2020,REG,2020-09-10,20:20,HOU,KC,20,34,9.5,54,0.8\n\
         b,2021,REG,2021-09-09,20:20,DAL,TB,29,31,10,52.5,0.7\n\
         c,2021,REG,2021-12-12,13:00,SEA,HOU,{},-8,41,0.3\n\
         d,2021,REG,2021-12-12,20:20,CHI,GB,{},12.5,43,0.9\n",
        finals[0], finals[1]
    )
}

/// Writes the table before or after the Sunday.
fn write_table(place: &TestFolder, is_played: bool) -> PathBuf {
    write(place, "games.csv", &table(if is_played { ["33,13", "30,45"] } else { [",", ","] }))
}

fn set_time(path: &PathBuf, at: &str) {
    let at: DateTime<Utc> = at.parse().expect("an instant");
    let seconds = Duration::from_secs(at.timestamp().try_into().expect("after 1970"));
    let file = File::options().write(true).open(path).expect("opened");
    file.set_modified(SystemTime::UNIX_EPOCH + seconds).expect("set");
}

fn manifest(place: &TestFolder) -> Value {
    serde_json::from_slice(&fs::read(place.path().join("release/release.json")).expect("a file")).expect("JSON")
}

/// Returns the paths in the converted folder that a release has.
fn paths(place: &TestFolder) -> Vec<String> {
    let folder = place.path().join("release");
    let found =
        files(&folder).into_iter().map(|path| path.strip_prefix(&folder).expect("inside").display().to_string());
    found.filter(|path| !path.starts_with('.')).collect()
}

const WORDS: &str = "--preset nflverse --sport nfl --model ELO:won_on_points=elo /games.csv --out /release";

fn slate(place: &TestFolder, more: &str) -> Completed {
    convert(place, &format!("{WORDS} --slate --as-of {MORNING} {more}"))
}

#[test]
fn the_run_of_a_slate_starts_with_the_newest_table_and_ends_now() {
    let place = TestFolder::fresh();
    let games = write_table(&place, false);
    for (changed, more, started, completed) in [
        ("2021-12-12T14:10:00Z", "", "2021-12-12T14:10:00Z", MORNING),
        ("2021-12-01T14:10:00Z", "", "2021-12-11T15:00:00Z", MORNING),
        ("2021-12-12T16:00:00Z", "", MORNING, MORNING),
        (
            "2021-12-12T14:10:00Z",
            "--run-completed 2021-12-12T14:00:00Z",
            "2021-12-12T14:00:00Z",
            "2021-12-12T14:00:00Z",
        ),
        ("2021-12-12T14:10:00Z", "--run-started 2021-12-10T08:00:00-05:00", "2021-12-10T13:00:00Z", MORNING),
    ] {
        set_time(&games, changed);
        let output = slate(&place, &format!("--replace {more}"));
        assert_eq!(output.code, Some(0), "{output:?}");
        let expected = json!({ "id": completed, "started_at": started, "completed_at": completed });
        assert_eq!(manifest(&place)["run"], expected, "{changed} {more}");
    }
    assert_eq!(slate(&place, "--replace --run-id sunday-2").code, Some(0));
    assert_eq!(manifest(&place)["run"]["id"], "sunday-2");
}

#[test]
fn a_slate_with_an_own_model_of_the_command_line_publishes_unchanged() {
    let place = TestFolder::fresh();
    write_table(&place, false);
    let output = slate(&place, "");
    assert!(output.out.ends_with("declared in release.json: ELO\n"), "{output:?}");
    assert_eq!(manifest(&place)["models"], json!({ "ELO": {} }));
    let release = place.path().join("release");
    let published = run_json(&place, ["publish", release.to_str().expect("text"), "--as-of", MORNING]);
    assert_eq!(
        published["slate"]["predictions"]["won_on_points"]["new"].as_array().map(Vec::len),
        Some(2),
        "{published}"
    );
    assert!(!published["warnings"].to_string().contains("names no `run`"), "{published}");
    // The column of the name is the default, in any letter case, and the same as an entry of a map.
    write(&place, "elo.toml", "[models.won_on_points]\nELO = \"elo\"\n");
    let others = ["--model ELO:won_on_points --out /short", "--map /elo.toml --out /mapped"];
    for words in others {
        let words = format!("--preset nflverse --sport nfl /games.csv --slate --as-of {MORNING} {words}");
        assert_eq!(convert(&place, &words).code, Some(0));
    }
    for folder in ["short", "mapped"] {
        for path in paths(&place) {
            let [one, other] =
                ["release", folder].map(|of| fs::read(place.path().join(of).join(&path)).expect("a file"));
            assert!(one == other, "{folder}/{path}");
        }
    }
}

#[test]
fn a_table_without_forecasts_has_no_run() {
    let place = TestFolder::fresh();
    write_table(&place, false);
    let words = "--preset nflverse --sport nfl /games.csv --out /release --slate --as-of 2021-12-12T15:00:00Z";
    let refused = convert(&place, &format!("{words} --run-id x"));
    assert!(refused.code == Some(2) && refused.err.contains("no forecast that a run could have made"), "{refused:?}");
    assert!(!place.path().join("release").exists());
    assert_eq!(convert(&place, words).code, Some(0));
    assert_eq!(manifest(&place), json!({ "sport": "nfl", "slate_date": "2021-12-12", "season": "2021-22" }));
}

#[test]
fn replace_renews_what_conversions_wrote_and_keeps_the_rest() {
    let place = TestFolder::fresh();
    write_table(&place, false);
    assert_eq!(slate(&place, "--replace --model eol:over_under=elo").code, Some(0), "into a new folder");
    let before = ["odds.csv", "predictions/over_under.csv", "predictions/won_on_points.csv", "release.json"];
    assert_eq!(paths(&place), before);
    let release = place.path().join("release");
    let mut edited = manifest(&place);
    edited["headline"] = json!("ELO");
    edited["models"]["ELO"] = json!({ "title": "Elo" });
    fs::write(release.join("release.json"), edited.to_string()).expect("written");
    fs::write(release.join("README.md"), "mine").expect("written");
    fs::create_dir(release.join("results")).expect("a folder");
    fs::write(release.join("results/mine.csv"), "mine").expect("written");

    write_table(&place, true);
    let output = convert(&place, &format!("{WORDS} --replace --as-of {NIGHT}"));
    assert_eq!(output.code, Some(0), "{output:?}");
    let season = |label: &str| [format!("games/{label}.csv"), format!("probabilities/won_on_points/{label}.csv")];
    let mut after: Vec<_> = ["2020-21", "2021-22"].into_iter().flat_map(season).collect();
    after.extend(["README.md", "release.json", "results/mine.csv"].map(str::to_owned));
    after.sort();
    let mut found = paths(&place);
    found.sort();
    assert_eq!(found, after);
    // The season, the run and the declaration that was taken back are gone; the publisher's own words are not.
    let expected = json!({
        "sport": "nfl", "slate_date": "2021-12-13", "headline": "ELO", "models": { "ELO": { "title": "Elo" } },
    });
    assert_eq!(manifest(&place), expected);

    let mine = release.join("games/2021-22.csv");
    fs::write(&mine, "mine").expect("written");
    let refused = convert(&place, &format!("{WORDS} --replace --as-of {NIGHT}"));
    let message = "games/2021-22.csv is not as a conversion wrote it, and --replace keeps such files: move it away";
    assert!(refused.code == Some(2) && refused.err.contains(message), "{refused:?}");
    write_table(&place, false);
    let refused = slate(&place, "--replace");
    assert!(refused.code == Some(2) && refused.err.contains(message), "one that would go: {refused:?}");
    assert_eq!(fs::read_to_string(&mine).expect("a file"), "mine");
    fs::remove_file(&mine).expect("removed");
    assert_eq!(slate(&place, "--replace").code, Some(0));
    assert!(!release.join("games").exists() && release.join("results/mine.csv").exists(), "{:?}", paths(&place));
}

#[test]
fn replace_refuses_folders_that_are_no_release_of_the_league() {
    let place = TestFolder::fresh();
    write_table(&place, false);
    let release = place.path().join("release");
    let outside = write(&place, "outside.csv", "mine");
    let list = |text: &str| fs::write(release.join(".converted"), text).expect("written");
    fs::create_dir(&release).expect("a folder");
    fs::write(release.join("photo.jpg"), "mine").expect("written");
    let refused = |message: &str| {
        let output = slate(&place, "--replace");
        assert!(output.code == Some(2) && output.err.contains(message), "{message}: {output:?}");
        assert_eq!(fs::read_to_string(&outside).expect("a file"), "mine");
    };
    refused("release is no release, since it has no release.json with a league");
    for (text, message) in [
        ("", "has no release.json with a league"),
        ("[]", "has no release.json with a league"),
        ("{\"sport\": \"cricket\"}", "has no release.json with a league"),
        ("{\"sport\": \"nba\"}", "release is a release of nba, not of nfl: name another --out"),
    ] {
        fs::write(release.join("release.json"), text).expect("written");
        refused(message);
    }
    fs::write(release.join("release.json"), "{\"sport\": \"nfl\", \"slate_date\": \"2021-12-12\"}").expect("written");
    let hash = "0".repeat(64);
    for text in [
        "x",
        &format!("{hash}  ../outside.csv"),
        &format!("{hash}  /etc/passwd"),
        &format!("{hash}  games/../../outside.csv"),
    ] {
        list(text);
        refused(".converted: it is no list of the files that conversions wrote");
    }
    list("");
    fs::write(release.join("odds.csv"), "mine").expect("written");
    refused("odds.csv is not as a conversion wrote it");
    fs::remove_file(release.join("odds.csv")).expect("removed");
    assert_eq!(slate(&place, "--replace").code, Some(0));
    assert_eq!(manifest(&place)["season"], "2021-22", "a manifest of the publisher's own is completed");
    let file = write(&place, "file", "mine");
    let output =
        convert(&place, &format!("--preset nflverse --sport nfl /games.csv --out /file --replace --as-of {NIGHT}"));
    assert!(output.code == Some(2) && output.err.contains("file"), "{output:?}");
    assert_eq!(fs::read_to_string(file).expect("a file"), "mine");
}

#[test]
fn a_run_in_release_json_is_kept_and_another_one_is_refused() {
    let place = TestFolder::fresh();
    write_table(&place, false);
    fs::create_dir(place.path().join("release")).expect("a folder");
    let run = json!({ "id": "mine", "started_at": "2021-12-12T13:00:00Z", "completed_at": "2021-12-12T14:00:00Z" });
    let text = json!({ "sport": "nfl", "slate_date": "2021-12-12", "run": run }).to_string();
    fs::write(place.path().join("release/release.json"), text).expect("written");
    let refused = slate(&place, "--run-id other");
    let message = ": correct the run, or name another --out";
    assert!(refused.code == Some(2) && refused.err.contains(message), "{refused:?}");
    assert_eq!(slate(&place, "").code, Some(0));
    assert_eq!(manifest(&place)["run"], run);
}

#[test]
fn wrong_runs_and_models_are_refused() {
    let place = TestFolder::fresh();
    write_table(&place, false);
    write(&place, "elo.toml", "[models.won_on_points]\nelo = \"elo\"\n");
    let name = "1 to 32 letters, digits";
    let market = "is no market: over_under, won_on_points, won_on_spread";
    let form = "expected NAME:MARKET or NAME:MARKET=COLUMN, such as elo:won_on_points=p_home";
    let instant = "expected an RFC 3339 instant, such as 2027-01-01T00:00:00Z";
    let ended = "--run-completed is in the future";
    let long = format!("--model {}:won_on_points=elo", "x".repeat(33));
    for (words, message) in [
        ("--model ELO", form),
        ("--model ELO=won_on_points", form),
        ("--model ELO:won_on_point", "(did you mean `won_on_points`?)"),
        ("--model ELO:moneyline", market),
        ("--model ELO:", market),
        ("--model ELO:won_on_points=", "the column is empty"),
        ("--model 2nd:won_on_points=elo", name),
        (&*long, name),
        ("--model :won_on_points=elo", name),
        ("--model home_score:won_on_points=elo", "home_score is no name that a model can have"),
        ("--model ELO:won_on_points=absent", "expected a column"),
        ("--model ELO:won_on_points=elo --model ELO:won_on_points=spread_line", "ELO of won_on_points is named twice"),
        ("--model ELO:won_on_points=elo --model elo:over_under", "in letter case alone"),
        ("--model ELO:won_on_points=elo --map /elo.toml", "in letter case alone"),
        ("--model ELO:won_on_points=spread_line", "spread_line"),
        ("--slate --run-id", "a value is required for '--run-id <ID>'"),
        ("--run-id x", "--slate"),
        ("--slate --run-started noon", instant),
        ("--slate --run-started 2021-12-12", instant),
        ("--slate --run-started 2021-12-12T14:00:00", instant),
        ("--slate --run-started 1066-10-14T09:00:00Z", instant),
        ("--slate --run-started 2021-12-12T16:00:00Z", "no forecast"),
        ("--run-started 2021-12-12T14:00:00Z", "--slate"),
        ("--slate --run-completed tonight", instant),
        ("--slate --run-completed 2021-12-12", instant),
        ("--slate --run-completed 2021-12-12T14:00:60Z", instant),
        ("--slate --run-completed 2021-12-12T15:00:01Z", ended),
        ("--slate --run-completed 2999-01-01T00:00:00Z", instant),
        ("--run-completed 2021-12-12T14:00:00Z", "--slate"),
        (
            "--slate --run-completed 2021-12-12T14:00:00Z --run-started 2021-12-12T14:00:01Z",
            "--run-started is after --run-completed",
        ),
        ("--slate --run-id a --run-id b", "cannot be used multiple times"),
    ] {
        let message = if words.contains("16:00") { "--run-started is after now" } else { message };
        let words = format!("--preset nflverse --sport nfl /games.csv --out /release --as-of {MORNING} {words}");
        let output = convert(&place, &words);
        assert!(output.code == Some(2) && output.err.contains(message), "{words}: {message}: {output:?}");
        assert!(!place.path().join("release").exists(), "{words}");
    }
    for (id, message) in [
        ("", "expected an id"),
        (" \t", "expected an id"),
        ("a\u{202e}b", "hidden characters"),
        ("a\nb", "hidden characters"),
    ] {
        let mut words = arguments(&place, &format!("{WORDS} --slate --as-of {MORNING} --run-id"));
        words.push(id.into());
        let output = run(&place, words);
        assert!(output.code == Some(2) && output.err.contains(message), "{id:?}: {output:?}");
    }
    let no_map = convert(&place, "--model ELO:won_on_points=elo --sport nfl /games.csv --out /release");
    assert!(no_map.code == Some(2) && no_map.err.contains("--preset NAME or --map FILE"), "{no_map:?}");
}

// `publish --from`.

/// Publishes a table as the words say.
fn from(place: &TestFolder, words: &str) -> Completed {
    let words = arguments(place, words).split_off(2);
    run(place, std::iter::once("publish".into()).chain(words))
}

const DAILY: &str = "--from /games.csv --sport nfl --preset nflverse --model ELO:won_on_points=elo";

#[test]
fn one_table_is_published_each_morning_and_each_night() {
    let place = TestFolder::fresh();
    write_table(&place, false);
    let before = files(place.path());
    let history = from(&place, &format!("{DAILY} --as-of 2021-12-07T12:00:00Z"));
    assert_eq!(history.code, Some(0), "{history:?}");
    assert!(history.out.contains("2020-21  ") && history.out.contains("2021-22  over_under: 1 games"), "{history:?}");
    let morning = from(&place, &format!("{DAILY} --slate --json --as-of {MORNING}")).json();
    assert_eq!(morning["slate"]["predictions"]["won_on_points"]["new"].as_array().map(Vec::len), Some(2), "{morning}");
    write_table(&place, true);
    let night = from(&place, &format!("{DAILY} --finals --json --as-of {NIGHT}")).json();
    let seasons: Vec<_> =
        night["seasons"].as_array().expect("seasons").iter().map(|season| &season["season"]).collect();
    assert!(!seasons.is_empty() && seasons.iter().all(|season| **season == "2021-22"), "{night}");
    assert_eq!(entries(&place, "nfl"), 3);
    let awaiting = run_json(&place, ["games", "nfl", "--awaiting", "--as-of", NIGHT]);
    assert_eq!(awaiting["games"], json!([]), "both have their finals");
    // The same once more changes nothing, as with a folder.
    let again = from(&place, &format!("{DAILY} --finals --json --as-of {NIGHT}")).json();
    assert_eq!((again["outcome"].as_str(), entries(&place, "nfl")), (Some("already_on_air"), 3), "{again}");
    let left: Vec<_> = files(place.path()).into_iter().filter(|path| !path.starts_with(place.store())).collect();
    assert_eq!(left, before, "nothing but the store is left");
}

#[test]
fn tables_are_published_as_their_converted_folder_is() {
    let (direct, folder) = (TestFolder::fresh(), TestFolder::fresh());
    for is_slate in [false, true] {
        let (at, slate) = if is_slate { (MORNING, "--slate") } else { ("2021-12-07T12:00:00Z", "") };
        for place in [&direct, &folder] {
            set_time(&write_table(place, false), "2021-12-07T11:00:00Z");
        }
        let published = from(&direct, &format!("{DAILY} {slate} --json --as-of {at}"));
        assert_eq!(convert(&folder, &format!("{WORDS} --replace {slate} --as-of {at}")).code, Some(0));
        let release = folder.path().join("release");
        let mut expected = run_json(&folder, ["publish", release.to_str().expect("text"), "--as-of", at]);
        let mut published = published.json();
        for field in ["head", "release_id", "store"] {
            for json in [&mut published, &mut expected] {
                json.as_object_mut().expect("an object").remove(field);
            }
        }
        assert_eq!(published, expected);
    }
}

#[test]
fn a_table_on_standard_input_is_published() {
    let place = TestFolder::fresh();
    let games = write_table(&place, false);
    let words = DAILY.replace("/games.csv", "-");
    let words = arguments(&place, &format!("{words} --slate --json --as-of {MORNING}")).split_off(2);
    let mut command = place.sportsctl(std::iter::once("publish".into()).chain(words));
    command.stdin(File::open(games).expect("opened"));
    let output = Completed::from(command.output().expect("sportsctl runs"));
    assert_eq!(output.json()["outcome"], "on_air", "{output:?}");
    let mut piped = place.sportsctl(arguments(&place, &WORDS.replace("/games.csv", "- -")));
    let mut child = piped.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sportsctl starts");
    drop(child.stdin.take().expect("piped").write_all(b"x"));
    let refused = Completed::from(child.wait_with_output().expect("it ends"));
    assert!(
        refused.code == Some(2) && refused.err.contains("`-` is standard input, which is one table"),
        "{refused:?}"
    );
}

#[test]
fn wrong_combinations_with_tables_are_refused() {
    let place = TestFolder::fresh();
    write_table(&place, false);
    assert_eq!(convert(&place, &format!("{WORDS} --as-of {MORNING}")).code, Some(0));
    let given = |option: &str| format!("{option} is for tables: name them with --from, or leave it out");
    for (words, message) in [
        ("", "required".to_owned()),
        ("/release --from /games.csv", "cannot be used with".to_owned()),
        ("--from", "a value is required for '--from <FILE>...'".to_owned()),
        ("/release --preset nflverse", given("--preset")),
        ("/release --map /games.csv", given("--map")),
        ("/release --model ELO:won_on_points", given("--model")),
        ("/release --sport nfl", given("--sport")),
        ("/release --season 2021-22", given("--season")),
        ("/release --postseason-from none", given("--postseason-from")),
        ("/release --slate", given("--slate")),
        ("/release --slate --run-id x", given("--slate")),
        ("/release --finals", given("--finals")),
        ("--from /games.csv --preset nflverse", "--sport SPORT names the league".to_owned()),
        ("--from /games.csv --sport nfl", "games.csv has the columns of --preset nflverse".to_owned()),
        ("--from /games.csv --sport nfl --preset list", "`list` is no preset".to_owned()),
        ("--from /games.csv --sport nba --preset nflverse", "the preset nflverse is not for nba".to_owned()),
        ("--from /absent.csv --sport nfl --preset nflverse", "absent.csv: No such file".to_owned()),
        ("--from /release --sport nfl --preset nflverse", "release: it is a folder, not a file".to_owned()),
        ("--from /games.csv --sport nfl --preset nflverse --slate --finals", "cannot be used with".to_owned()),
        (
            "--from /games.csv --sport nfl --preset nflverse --finals --finals",
            "cannot be used multiple times".to_owned(),
        ),
        ("--from /games.csv --sport nfl --preset nflverse --finals --run-id x", "--slate".to_owned()),
        (
            "--from /games.csv --sport nfl --preset nflverse --finals --season 2030-31",
            "every row was left out".to_owned(),
        ),
        ("--from /games.csv --sport nfl --preset nflverse --out /x", "unexpected argument '--out'".to_owned()),
        ("--from /games.csv --sport nfl --preset nflverse --replace", "unexpected argument '--replace'".to_owned()),
        (
            "--from /games.csv --sport nfl --preset nflverse --slate --as-of 2022-12-12T15:00:00Z",
            "if there are no games, a folder whose release.json has `\"slate\": \"none\"`".to_owned(),
        ),
    ] {
        let output = from(&place, words);
        assert!(output.code == Some(2) && output.err.contains(&message), "{words}: {message}: {output:?}");
        assert!(!place.store().exists() || entries(&place, "nfl") == 0, "{words}");
    }
}
