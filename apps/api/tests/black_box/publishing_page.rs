//! The commands of docs/publishing.md, section by section.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use sports_publication::season_table::SEASON_COLUMNS;
use sports_testkit::programs::{TestFolder, fixture};

use crate::console::{blocks, matches_sample, samples};
use crate::terminal::{follow, listening_at, on_free_ports, page, root, section, shell};

const PAGE: &str = "docs/publishing.md";
const WEEK: &str = "fixtures/nfl-2023-week-18-slate";
/// Before the week's first game.
const SATURDAY: &str = "2024-01-06T15:00:00Z";
/// Between the two games of Saturday.
const SATURDAY_EVENING: &str = "2024-01-06T23:00:00Z";

/// Creates a reader's folder, with the repository's fixtures.
fn repository() -> TestFolder {
    let place = TestFolder::fresh();
    symlink(root().join("fixtures"), place.path().join("fixtures")).expect("linked");
    place
}

/// Creates a reader's folder with the release folder of the README.
fn with_my_release() -> TestFolder {
    let place = repository();
    let readme = page("README.md");
    let walk = section(&readme, "## Publish your own CSV in five minutes");
    let (_, release) = walk.split_once("```sh\nmkdir").expect("the folder is made");
    let (release, _) = release.split_once("```").expect("a block ends");
    run(&place, &format!("mkdir{release}"));
    place
}

fn run(place: &TestFolder, command: &str) -> String {
    let output = shell(place.path(), command).output().expect("bash runs");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}

/// Runs the commands of a section.
fn shown(heading: &str, place: &TestFolder) {
    follow(section(&page(PAGE), heading), place.path(), &[]);
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).expect("a file");
    assert!(text.contains(from), "{text}");
    fs::write(file, text.replace(from, to)).expect("written");
}

#[test]
fn a_release_is_published_listed_verified_and_its_head_is_kept_as_shown() {
    let place = with_my_release();
    shown("### publish", &place);
    edit(&place.path().join("var/my-release/games/2025-26.csv"), "Canal Foxes,,,", "Canal Foxes,20,27,");
    shown("### Keeping the head", &place);
    shown("### releases", &place);
    shown("### verify", &place);
}

#[test]
fn a_column_is_declared_served_and_retired_as_shown_in_ten_commands() {
    let page = on_free_ports(&page(PAGE), &["8080"]);
    let walk = section(&page, "### From a column to its figures");
    let commands = samples(walk);
    assert!(commands.len() <= 10, "{} commands", commands.len());
    let place = TestFolder::fresh();
    follow(walk, place.path(), &[("SPORTS_HTTP__BIND", listening_at(walk))]);
    let refused = run(&place, "sportsctl publish season");
    assert!(refused.contains("no such column: the model is retired since generation 3"), "{refused}");
}

#[test]
fn a_release_is_tried_in_a_scratch_store_as_shown() {
    shown("## Try it in a scratch store first", &with_my_release());
}

#[test]
fn a_season_on_record_is_mended_as_shown() {
    shown("## When something wrong is on record", &with_my_release());
}

#[test]
fn a_week_is_settled_as_shown() {
    let place = repository();
    let _ = run(&place, &format!("sportsctl publish {WEEK}/release --as-of {SATURDAY}"));
    shown("### settle", &place);
    // Settled once more, with another score.
    let refused = run(
        &place,
        &format!(
            "sed 's/,17,10$/,17,11/' {WEEK}/finals.csv > wrong.csv; sportsctl settle nfl wrong.csv --as-of 2024-01-09T12:00:00Z"
        ),
    );
    let page = page(PAGE);
    let (_, message) = blocks(section(&page, "### settle")).nth(1).expect("a message");
    assert!(matches_sample(&refused, message), "{refused}");
}

#[test]
fn the_games_of_a_sunday_await_their_finals_as_shown() {
    let place = repository();
    let finals = fs::read_to_string(fixture("nfl-2023-week-18-slate").join("finals.csv")).expect("finals");
    let saturday: String = finals.split_inclusive('\n').take(3).collect();
    fs::write(place.path().join("saturday.csv"), saturday).expect("written");
    let settle = "sportsctl settle nfl saturday.csv --as-of 2024-01-07T12:00:00Z";
    let output = run(&place, &format!("sportsctl publish {WEEK}/release --as-of {SATURDAY} && {settle}"));
    assert!(output.contains("2 settled"), "{output}");
    shown("### games", &place);
}

#[test]
fn a_changed_slate_is_reported_as_shown() {
    let place = repository();
    let _ = run(&place, &format!("sportsctl publish {WEEK}/release --as-of {SATURDAY}"));
    let predictions = fs::read_to_string(root().join(WEEK).join("release/predictions/over_under.csv")).expect("a file");
    let kept = ["date,", "week18-PIT-BAL", "week18-HOU-IND", "week18-TB-CAR"];
    let mut later = String::new();
    for line in predictions.lines().filter(|line| kept.iter().any(|kept| line.contains(kept))) {
        // The forecast of the first game, which has begun, and of the second is different; the third game starts
        // later.
        let line = line.replace("0.4771", "0.4871").replace("0.4618", "0.4718");
        writeln!(later, "{}", line.replace("13:00:00,tampa", "16:25:00,tampa")).expect("written");
    }
    let folder = place.path().join("var/later");
    fs::create_dir_all(folder.join("predictions")).expect("folders");
    fs::write(folder.join("predictions/over_under.csv"), later).expect("written");
    let held =
        r#"{"date": "2024-01-07", "time": "20:20", "away_team": "Buffalo Bills", "home_team": "Miami Dolphins"}"#;
    let release = format!(
        r#"{{"sport": "nfl", "season": "2023-24", "slate_date": "2024-01-06", "held_games": {{"over_under": [{held}]}},
            "run": {{"id": "evening-2024-01-06", "started_at": "2024-01-06T22:38:00Z", "completed_at": "2024-01-06T22:50:00Z"}},
            "source_as_of": {{"predictions": "2024-01-06T22:50:00Z"}}}}"#
    );
    fs::write(folder.join("release.json"), release).expect("written");
    follow(section(&page(PAGE), "### Rescheduled games"), place.path(), &[("SPORTS_CLOCK__AS_OF", SATURDAY_EVENING)]);
}

#[test]
fn problems_of_a_release_are_listed_as_shown() {
    shown("## The rules and their messages", &repository());
}

/// Publishes releases of one file each, one after the other; returns the output of all.
fn output_of(releases: &[(&str, &str, &str)]) -> String {
    let place = TestFolder::fresh();
    let published = releases.iter().map(|(sport, file, rows)| {
        let folder = tempfile::tempdir_in(place.path()).expect("a folder");
        fs::write(folder.path().join("release.json"), format!(r#"{{"sport":"{sport}","slate_date":"2025-12-22"}}"#))
            .expect("written");
        let file = folder.path().join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, rows).expect("written");
        run(&place, &format!("sportsctl publish '{}' --as-of 2025-12-22T12:00:00Z", folder.path().display()))
    });
    published.collect()
}

#[test]
fn messages_equal_those_on_the_page() {
    let page = page(PAGE);
    let shown: Vec<_> =
        blocks(&page).filter(|(kind, _)| kind.is_empty()).flat_map(|(_, block)| block.lines()).collect();
    let game = "2025-12-20,13:00,Canal Foxes,Harbor Gulls";
    let plain = "date,time_est,away_team,home_team";
    for (beginning, releases) in [
        ("warning: games/2025-26.csv: `Canal Foxes`", vec![("nfl", "games/2025-26.csv", format!("{plain}\n{game}\n"))]),
        (
            "warning: games/2024-25.csv: `Bostn Celtics`",
            vec![("nba", "games/2024-25.csv", format!("{plain}\n2025-01-20,19:00,Bostn Celtics,New York Knicks\n"))],
        ),
        (
            "warning: games/2024-25.csv: `Los Angeles`",
            vec![("nba", "games/2024-25.csv", format!("{plain}\n2025-01-20,19:00,Los Angeles,New York Knicks\n"))],
        ),
        (
            "warning: games/2025-26.csv: column home_moneyline",
            vec![("nfl", "games/2025-26.csv", format!("{plain},home_moneyline\n{game},-120\n"))],
        ),
        (
            "warning: games/2025-26.csv: column push",
            vec![("nfl", "games/2025-26.csv", format!("{plain},push\n{game},0\n"))],
        ),
        (
            "2025-26  over_under: 1 games (1 new, 1 left out)",
            vec![(
                "nfl",
                "games/2025-26.csv",
                format!("{plain},game_type\n{game},regular\n2025-08-20,13:00,Canal Foxes,Harbor Gulls,preseason\n"),
            )],
        ),
    ] {
        let line = shown.iter().find(|line| line.starts_with(beginning)).unwrap_or_else(|| panic!("no {beginning}"));
        let releases: Vec<_> = releases.iter().map(|(sport, file, rows)| (*sport, *file, rows.as_str())).collect();
        let output = output_of(&releases);
        assert!(output.contains(line), "{line}\n{output}");
    }
}

/// Returns the columns in the tables of some sections. A first cell of two names with `…` between them lists the columns from
/// the one to the other.
fn listed(headings: &[&str], columns: &[String]) -> BTreeSet<String> {
    let page = page(PAGE);
    let rows =
        headings.iter().flat_map(|heading| section(&page, heading).lines()).filter(|line| line.starts_with("| `"));
    let listed = rows.flat_map(|row| {
        let cell = row.split('|').nth(1).expect("a cell");
        let names: Vec<_> = cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        if !cell.contains('…') {
            return names;
        }
        let place = |name| columns.iter().position(|column| column == name).expect("a column");
        columns[place(&names[0])..=place(&names[1])].to_vec()
    });
    listed.collect()
}

#[test]
fn the_page_lists_the_columns_of_every_file_and_no_others() {
    const KEY: &str = "### The game key: tables of history";
    const GAMES: &str = "### Games: `games/` and `results/`";
    const FORECASTS: &str = "### Forecasts: `probabilities/` and `results/`";
    let place = repository();
    for (kind, headings) in [
        ("games", &[KEY, GAMES][..]),
        ("probabilities", &[KEY, FORECASTS]),
        ("results", &[KEY, GAMES, FORECASTS]),
        ("odds", &["### Odds: `odds.csv`"]),
        ("predictions", &["### Predictions: `predictions/{model_type}.csv`"]),
        ("finals", &["### Finals: a file for `sportsctl settle`"]),
    ] {
        // A template has the columns of the season table that a file of its kind takes.
        let template = run(&place, &format!("sportsctl template {kind}"));
        let columns: Vec<_> = template.lines().next().expect("a header").split(',').map(str::to_owned).collect();
        assert_eq!(listed(headings, &columns), columns.into_iter().collect(), "{kind}");
    }
}

#[test]
fn the_page_lists_every_stored_column_of_the_season_table() {
    let headings = [
        "### The game key: tables of history",
        "### Games: `games/` and `results/`",
        "### Forecasts: `probabilities/` and `results/`",
    ];
    let stored = SEASON_COLUMNS.iter().filter(|column| column.is_published());
    // Void markets are stored behind the word of the status.
    let stored = stored.map(|column| column.name).chain(["void_markets"]);
    assert_eq!(listed(&headings, &[]), stored.map(str::to_owned).collect());
}
