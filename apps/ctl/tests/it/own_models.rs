//! Declarations of models by the real program: in lists, in copies, beside other publishers, and killed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, copy_folder, fixture};
use tokio::time::sleep;

use crate::support::{catalog, entries, files, publish, releases, run, run_json, verified};

const MODEL_TYPES: [&str; 3] = ["over_under", "won_on_points", "won_on_spread"];

/// Writes a folder whose `release.json` has further fields, with a column in each of these seasons and all markets.
fn folder(place: &TestFolder, fields: &str, years: impl IntoIterator<Item = u16>, column: &str) -> PathBuf {
    let folder = place.path().join(format!("folder-{}", files(place.path()).len()));
    fs::create_dir_all(folder.join("games")).expect("a folder");
    let manifest = format!(r#"{{"sport": "nfl", "slate_date": "2024-01-08"{fields}}}"#);
    fs::write(folder.join("release.json"), manifest).expect("written");
    for year in years {
        let label = crate::league::label(year);
        let rows = |cells: &str| {
            (1..=6).fold(String::new(), |mut rows, day| {
                writeln!(rows, "{year}-09-{day:02},13:00:00,visitors,hosts{cells}").expect("a String takes anything");
                rows
            })
        };
        let write = |name: &str, header: &str, cells: &str| {
            let path = folder.join(name).join(format!("{label}.csv"));
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, format!("date,time_est,away_team,home_team{header}\n{}", rows(cells))).expect("written");
        };
        write("games", ",away_score,home_score", ",10,20");
        for (index, model_type) in MODEL_TYPES.into_iter().enumerate() {
            // Archives that differ: equal archives would be one object.
            write(&format!("probabilities/{model_type}"), &format!(",BLEND,{column}"), &format!(",0.5,0.2{index}"));
        }
    }
    folder
}

fn declaring(place: &TestFolder) -> PathBuf {
    folder(place, r#", "models": {"ELO": {"title": "Elo"}}"#, [], "")
}

/// Returns the numbers of archives of an entry: those with a count of ELO, and all.
fn graded(place: &TestFolder, generation: u64) -> (usize, usize) {
    let catalog = catalog(place, "nfl", generation);
    let results = catalog["results"].as_array().expect("a list");
    (results.iter().filter(|archive| archive["models"]["ELO"] == 6).count(), results.len())
}

const DOUBT: &str = "warning: column ELO (3 files) looks like probabilities and is kept as an extra column, which nothing \
                     grades; for a model add \"models\": {\"ELO\": {}} to release.json, for anything else \"ELO\": false\n";

#[test]
fn an_undeclared_column_has_a_warning_until_its_meaning_is_stated() {
    let place = TestFolder::fresh();
    let undeclared = folder(&place, "", [2020, 2021], "ELO");
    let doubt = DOUBT.replace("3 files", "6 files");
    let strict = run(&place, [Path::new("publish"), &undeclared, Path::new("--strict")]);
    assert!(strict.code == Some(2) && strict.err.contains(doubt.trim_start_matches("warning: ").trim()), "{strict:?}");
    assert_eq!(entries(&place, "nfl"), 0);
    let published = run(&place, [Path::new("publish"), &undeclared]);
    assert!(published.code == Some(0) && published.err.contains(&doubt), "{published:?}");
    let listed = run(&place, ["models", "nfl", "--undeclared"]).out;
    assert!(
        listed.contains("ELO: over_under 2020-21 2021-22, ") && listed.contains("; 36 games, 0.2 to 0.22\n"),
        "{listed}"
    );
    assert!(listed.ends_with("  \"models\": {\"ELO\":{}}\n"), "{listed}");
    let stated = run(&place, [Path::new("publish"), &folder(&place, r#", "models": {"ELO": false}"#, [2022], "ELO")]);
    assert!(stated.code == Some(0) && !stated.err.contains("looks like"), "{stated:?}");
    let again = run(&place, [Path::new("publish"), &folder(&place, "", [2019], "ELO")]);
    assert!(again.code == Some(0) && !again.err.contains("looks like"), "{again:?}");
    assert_eq!(run_json(&place, ["models", "nfl", "--undeclared"])["undeclared"], json!([]));
    assert_eq!(graded(&place, 3), (0, 12));
}

#[test]
fn a_column_that_differs_from_a_model_in_letter_case_has_no_line_to_paste() {
    let place = TestFolder::fresh();
    publish(&place, &folder(&place, "", [2020], "elo"));
    publish(&place, &declaring(&place));
    let listed = run(&place, ["models", "nfl", "--undeclared"]).out;
    let reason = "for a model rename the column: its name differs from `ELO` in letter case alone\n";
    assert!(listed.ends_with(&format!("; 18 games, 0.2 to 0.22; {reason}")), "{listed}");
}

#[test]
fn a_declaration_names_each_column_that_it_promotes_and_warns_once() {
    let place = TestFolder::fresh();
    publish(&place, &folder(&place, "", [2020, 2021, 2022], "ELO"));
    let declared = run(&place, [Path::new("publish"), &declaring(&place)]);
    let expected = MODEL_TYPES.map(|model_type| {
        format!("ELO: graded in {model_type} 2020-21 … 2022-23, 18 games that had it as an extra column\n")
    });
    assert!(declared.out.contains(&format!("models declared: ELO\n{}", expected.concat())), "{declared:?}");
    assert!(declared.err.contains("this declares the league's first model of its own"), "{declared:?}");
    assert_eq!(graded(&place, 2), (9, 9));
    let second = run(&place, [Path::new("publish"), &folder(&place, r#", "models": {"nn": {}}"#, [], "")]);
    assert!(second.code == Some(0) && !second.err.contains("first model"), "{second:?}");
}

#[test]
fn a_list_of_releases_has_the_models_that_each_declared_and_retired() {
    let place = TestFolder::fresh();
    publish(&place, &fixture("own-models/release"));
    publish(&place, &folder(&place, r#", "models": {"nn_v2": {"retired": true}, "A": {}}"#, [], ""));
    publish(&place, &folder(&place, "", [2021], "B"));
    let listed = releases(&place, "nfl");
    let changes: Vec<_> = listed.iter().map(|entry| [&entry["models_declared"], &entry["models_retired"]]).collect();
    let none = json!([]);
    assert_eq!(changes, [[&none, &none], [&json!(["A"]), &json!(["nn_v2"])], [&json!(["ELO", "nn_v2"]), &none]]);
    let printed = place.ctl(["releases", "nfl"]);
    let below: Vec<_> = printed.lines().filter(|line| line.starts_with("        ")).map(str::trim).collect();
    assert_eq!(below, ["models declared: A", "models retired: nn_v2", "models declared: ELO, nn_v2"]);
    // The newest release alone is listed under its own registry.
    assert_eq!(run_json(&place, ["releases", "nfl", "--limit", "1"])["releases"][0]["models_declared"], none);
}

/// Returns the models that a place's store has.
fn models(place: &TestFolder, store: &str) -> Value {
    run_json(place, ["models", "nfl", "--store", store])
}

#[test]
fn copies_and_backups_keep_the_registry_and_no_object_is_unused() {
    let place = TestFolder::fresh();
    let _ = place.subscriber_key();
    publish(&place, &fixture("own-models/release"));
    publish(&place, &folder(&place, r#", "models": {"nn_v2": {"retired": true}}, "headline": "ELO""#, [], ""));
    let [ours, copied] = ["store", "copy"].map(|name| format!("file:{}", place.path().join(name).display()));
    let known = models(&place, &ours);
    assert_eq!((&known["headline"], known["models"].as_array().map(Vec::len)), (&json!("ELO"), Some(2)));
    let copy = run_json(&place, ["store", "copy", "--from", &ours, "--to", &copied]);
    assert_eq!(copy["verified"][2]["head"], verified(&place, "nfl")["head"]);
    assert_eq!(models(&place, &copied), known);
    // The registry before is an object of the first entry.
    let unused = run_json(&place, ["verify", "nfl", "--unused"]);
    assert_eq!(unused["unused"], json!([]));

    let backup = place.path().join("backup");
    let made = run_json(&place, [Path::new("backup"), &backup]);
    let other = TestFolder::fresh();
    assert_eq!(run_json(&other, [Path::new("restore"), &backup])["backup"], made["backup"]);
    assert_eq!(models(&other, &format!("file:{}", other.store().display())), known);
    assert_eq!(verified(&other, "nfl"), verified(&place, "nfl"));
    assert_eq!(run_json(&other, ["verify", "nfl", "--unused"])["unused"], json!([]));

    let registry = catalog(&place, "nfl", 2)["models"]["object"].as_str().expect("a name").to_owned();
    fs::remove_file(place.store().join("sports/nfl/objects").join(&registry)).expect("removed");
    let incomplete = format!("file:{}", place.path().join("incomplete").display());
    let refused = run(&place, ["store", "copy", "--from", &ours, "--to", &incomplete]);
    assert!(refused.code == Some(1) && refused.err.contains("entry 2: its models are missing"), "{refused:?}");
    let refused = run(&place, [Path::new("backup"), &place.path().join("incomplete-backup")]);
    assert!(refused.code == Some(1) && refused.err.contains("entry 2: its models are missing"), "{refused:?}");
}

fn start(place: &TestFolder, folder: &Path) -> Child {
    let mut command = place.sportsctl([Path::new("publish"), folder, Path::new("--json")]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sportsctl starts")
}

const YEARS: std::ops::Range<u16> = 1998..2023;

/// Kills promotions of 75 archives, each after another number of written files; the last one ends by itself, since unfinished
/// files are counted too and no number of them is beyond the entry. A kill takes seconds; `PROMOTION_KILLS=40` makes forty of them.
async fn kill_promotions(kills: usize) {
    let scene = TestFolder::fresh();
    publish(&scene, &folder(&scene, "", YEARS, "ELO"));
    let declaring = declaring(&scene);
    let archives = 3 * YEARS.len();
    let before = files(&scene.store()).len();
    let mut landed = 0;
    for kill in 0..kills {
        let written = kill * (archives + 4) / (kills - 1);
        let last = kill + 1 == kills;
        let place = TestFolder::fresh();
        copy_folder(&scene.store(), &place.store());
        let mut child = start(&place, &declaring);
        while (last || files(&place.store()).len() < before + written) && child.try_wait().expect("a status").is_none()
        {
            sleep(Duration::from_micros(100)).await;
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
        landed += usize::from(assert_whole_or_nothing(&place, &declaring, &format!("killed after {written} files")));
    }
    assert!(0 < landed && landed < kills, "{landed} of {kills} publishes landed");
}

/// Asserts that a killed promotion is whole or not at all, and that publishing it again completes it; returns `true` if
/// it was whole.
fn assert_whole_or_nothing(place: &TestFolder, declaring: &Path, when: &str) -> bool {
    let (found, archives) = (entries(place, "nfl"), 3 * YEARS.len());
    assert_eq!(verified(place, "nfl")["entries"], found, "{when}");
    let landed = found == 2;
    assert_eq!(graded(place, found as u64), (if landed { archives } else { 0 }, archives), "{when}");
    let again = publish(place, declaring);
    assert_eq!(again["outcome"], if landed { "already_on_air" } else { "on_air" }, "{when}");
    assert_eq!((entries(place, "nfl"), graded(place, 2)), (2, (archives, archives)), "{when}");
    assert_eq!(verified(place, "nfl")["entries"], 2, "{when}");
    landed
}

#[tokio::test]
async fn a_promotion_of_75_archives_that_is_killed_is_whole_or_not_at_all() {
    let kills = std::env::var("PROMOTION_KILLS").ok().and_then(|kills| kills.parse().ok());
    kill_promotions(kills.unwrap_or(4)).await;
}

#[test]
fn a_forecast_of_exactly_one_half_is_reported_apart_from_no_prediction() {
    let place = TestFolder::fresh();
    let rows = "2021,REG,2021-09-09,DAL,TB,29,31,52.5,0.5\n2021,REG,2021-09-12,NYJ,CAR,14,19,44.5,\n\
                2021,REG,2021-09-12,SEA,IND,28,16,48.5,0.5\n2021,REG,2021-09-12,CHI,LA,14,34,46.5,0.6\n";
    let header = "season,game_type,gameday,away_team,home_team,away_score,home_score,total_line,elo";
    let file = place.path().join("games.csv");
    fs::write(&file, format!("{header}\n{rows}")).expect("written");
    let words = "--sport nfl --preset nflverse --model ELO:over_under=elo --dry-run";
    let words = ["publish", "--from", file.to_str().expect("text")].into_iter().chain(words.split(' '));
    let output = run(&place, words.clone());
    let counts = "1 graded, 0 pushes; not graded: 1 no_prediction, 2 with no side at exactly 0.5\n";
    assert!(output.code == Some(0) && output.out.contains(counts), "{output:?}");
    let report = run_json(&place, words)["report"].clone();
    assert_eq!(report[0]["ungraded"]["no_prediction"], 3, "the served reason: {report}");
}
