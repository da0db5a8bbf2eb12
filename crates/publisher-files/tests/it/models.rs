//! Each problem of a declaration, and of a column of a model, with its message. The record has declared ELO in entry 39
//! and retired nn in entry 40; it has declared `wagers` to be no model.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use sports_domain::ModelType;
use sports_publication::Generation;
use sports_publication::registry::{
    Change, Declarations, Declaring, LeagueDeclaration, Moment, Registry, RegistryOnRecord, SlateDays,
};
use sports_publisher_files::{ReadError, ReadRelease, read_under};

use crate::folder::Folder;

const KEY: &str = "date,time_est,away_team,home_team";
const GAME: &str = "2024-09-08,13:00:00,Buffalo Bills,Miami Dolphins";
const HASH: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const NAME: &str = "a name of 1 to 32 letters, digits, `_`, `.` or `-` that begins with a letter";
const STANDARD: &str = "title, description, url, version or sha256: it is a standard model";
const PROBABILITIES: &str = "a column of probabilities: one of AI, BLEND, CATB, RF, LGB, LOGR, XGB, XT, or a model declared \
                             under `models` in release.json";

fn now() -> DateTime<Utc> {
    "2024-09-10T12:00:00Z".parse().expect("an instant")
}

/// Creates a folder whose `release.json` has these fields.
fn declaring(fields: &str) -> Folder {
    Folder::of_season("nfl", "2024-25", &format!(", {fields}"))
}

/// Reads the declarations of a folder.
fn declarations(fields: &str) -> Declarations {
    read_under(declaring(fields).path(), now(), &RegistryOnRecord::default())
        .expect("sound")
        .release
        .models
        .declarations
}

fn after(registry: &Registry, generation: u64, fields: &str) -> Registry {
    let moment = Moment { generation: Generation::new(generation).expect("not zero"), at: now() };
    registry.declare(&declarations(fields), &Declaring { moment, before: None }).expect("sound")
}

fn record() -> RegistryOnRecord {
    let declared = after(&Registry::default(), 39, r#""models": {"ELO": {}, "nn": {}, "wagers": false}"#);
    let nn = declarations(r#""models": {"nn": {"retired": true}}"#);
    let moment = Moment { generation: Generation::new(40).expect("not zero"), at: now() };
    let registry = declared.declare(&nn, &Declaring { moment, before: None }).expect("sound");
    RegistryOnRecord { registry, object: None, next: Generation::new(41).expect("not zero") }
}

fn problems_under(models: &RegistryOnRecord, folder: &Folder) -> Vec<String> {
    match read_under(folder.path(), now(), models) {
        Ok(ReadRelease { .. }) => Vec::new(),
        Err(ReadError::Problems(problems)) => problems.iter().map(ToString::to_string).collect(),
        Err(error) => panic!("{error}"),
    }
}

/// Returns the problems of fields of `release.json`, without the words that each begins with.
fn problems(fields: &str) -> Vec<String> {
    let found = problems_under(&record(), &declaring(fields));
    found.iter().map(|problem| problem.replace("release.json, column ", "")).collect()
}

#[test]
fn models_are_declared_in_the_order_in_which_they_are_written() {
    let models = r#""models": {"ZED": {}, "abc": {}, "MID": {}}"#;
    let declared = after(&Registry::default(), 1, models);
    let names: Vec<_> = declared.own().map(|model| model.name.to_string()).collect();
    assert_eq!(names, ["ZED", "abc", "MID"]);
}

#[test]
fn each_declaration_that_cannot_be_made_has_its_message() {
    let long = "m".repeat(33);
    let one = |name: &str, content: &str, value: &str, expected: &str| {
        let found = problems(&format!(r#""models": {{"{name}": {content}}}"#));
        assert_eq!(found, [format!("models.{name}: `{value}`: expected {expected}")], "{name}: {content}");
    };
    for name in ["2nd", "x y", "__proto__", &long] {
        one(name, "{}", name, NAME);
    }
    assert_eq!(problems(r#""models": {"": {}}"#), [format!("models.: ``: expected {NAME}")]);
    for name in ["implied", "home_score", "ev_mine", "None"] {
        one(name, "{}", name, "a name that is not reserved");
    }
    one("blend", "{}", "blend", "another name: it differs from `BLEND` in letter case alone");
    one("elo", "{}", "elo", "another name: it differs from `ELO` in letter case alone");
    one("BLEND", r#"{"retired":true}"#, r#"{"retired":true}"#, STANDARD);
    one("BLEND", "false", "false", STANDARD);
    one("ELO", "false", "false", "retired: a model stays one");
    one("new", r#""a text""#, "a text", "an object");
    let field = |content: &str, field: &str, value: &str, expected: &str| {
        let found = problems(&format!(r#""models": {{"new": {{{content}}}}}"#));
        assert_eq!(found, [format!("models.new.{field}: `{value}`: expected {expected}")], "{content}");
    };
    let fields = "one of the fields title, description, url, version, sha256, model_types, public, retired";
    field(r#""titel": "x""#, "titel", "x", &format!("{fields} (did you mean `title`?)"));
    for hash in [&HASH[1..], &HASH.to_uppercase()] {
        field(&format!(r#""version": "1", "sha256": "{hash}""#), "sha256", hash, "64 lower-case hex digits");
    }
    field(&format!(r#""sha256": "{HASH}""#), "sha256", HASH, "`version` beside it");
    field(&format!(r#""title": "{}""#, "x".repeat(65)), "title", &"x".repeat(65), "a text of 1 to 64 characters");
    for (name, text, symbol, place) in [
        ("title", "EL\u{202e}O", "U+202E", 3),
        ("version", "1\u{200b}", "U+200B", 2),
        ("description", "two\nlines\u{2067}", "U+2067", 10),
        ("url", "https://example.com/\u{ad}", "U+00AD", 21),
    ] {
        let hidden =
            format!("a text without {symbol} at character {place}, which is invisible or changes how text is shown");
        field(&format!(r#""{name}": {}"#, serde_json::json!(text)), name, text, &hidden);
    }
}

#[test]
fn the_id_of_a_run_is_visible_and_a_description_has_lines() {
    let run = r#""run": {"id": "r\u202e1", "started_at": "2024-09-10T01:00:00Z"}"#;
    let expected = "run.id: `r\u{202e}1`: expected a text without U+202E at character 2, which is invisible or changes how text is shown";
    assert_eq!(problems(run), [expected]);
    assert_eq!(problems(r#""models": {"new": {"description": "two\nlines, Ångström's 東京"}}"#), [""; 0]);
}

#[test]
fn a_headline_that_is_no_model_in_use_has_its_message() {
    let expected = "expected a declared model that is not retired";
    for name in ["unknown", "nn", "IMPLIED", "elo"] {
        assert_eq!(problems(&format!(r#""headline": "{name}""#)), [format!("headline: `{name}`: {expected}")]);
    }
    let retiring = r#"{"retired":true}"#;
    let headed = RegistryOnRecord { registry: with_headline(&record().registry, "ELO"), ..record() };
    let found = problems_under(&headed, &declaring(&format!(r#""models": {{"ELO": {retiring}}}"#)));
    assert_eq!(found, [format!("release.json, column models.ELO: `{retiring}`: expected another `headline` first")]);
    let both = format!(r#""models": {{"ELO": {retiring}}}, "headline": "BLEND""#);
    assert_eq!(problems_under(&headed, &declaring(&both)), [""; 0]);
}

#[test]
fn settings_of_the_league_are_read_and_each_that_cannot_be_made_has_its_message() {
    let read =
        declarations(r#""markets": ["won_on_points"], "slate_days": ["sun", "mon"], "odds_dependent": false"#).league;
    assert_eq!(read.markets, Change::Set([ModelType::WonOnPoints].into()));
    assert_eq!(read.slate_days, Change::Set(SlateDays::parse(["mon", "sun"]).expect("weekdays")));
    assert_eq!(read.odds_dependent, Change::Set(false));
    let removed = declarations(r#""markets": null, "slate_days": null, "odds_dependent": null"#).league;
    let expected =
        LeagueDeclaration { markets: Change::Remove, slate_days: Change::Remove, odds_dependent: Change::Remove };
    assert_eq!(removed, expected);
    let markets = "expected a list with one or more of over_under, won_on_points, won_on_spread, each once";
    let days = "expected a list with one or more of mon, tue, wed, thu, fri, sat, sun, each once";
    let table = [
        ("markets", r#"["moneyline"]"#, markets),
        ("markets", r#"["won_on_points","won_on_points"]"#, markets),
        ("markets", "[]", markets),
        ("markets", r#""won_on_points""#, markets),
        ("slate_days", r#"["Sunday"]"#, days),
        ("slate_days", r#"["sun","sun"]"#, days),
        ("slate_days", "[]", days),
        ("slate_days", "[7]", days),
        ("odds_dependent", "0", "expected `true` or `false`"),
    ];
    for (field, value, expected) in table {
        let written = value.trim_matches('"');
        assert_eq!(problems(&format!(r#""{field}": {value}"#)), [format!("{field}: `{written}`: {expected}")]);
    }
}

fn with_headline(registry: &Registry, name: &str) -> Registry {
    Registry::restored(
        name.parse().expect("a name"),
        registry.not_models().clone(),
        registry.models().to_vec(),
        registry.before(),
    )
    .expect("a registry")
}

#[test]
fn models_beyond_a_limit_have_their_message() {
    let many = |range: std::ops::Range<usize>, content: &str| {
        let mut fields = String::new();
        for index in range {
            let comma = if fields.is_empty() { "" } else { ", " };
            write!(fields, r#"{comma}"m{index:03}": {content}"#).expect("a String takes anything");
        }
        format!(r#""models": {{{fields}}}"#)
    };
    let expected = "at most 32 models of your own that are not retired; retire one first";
    assert_eq!(problems(&many(0..32, "{}")), [format!("models.m031: `{{}}`: expected {expected}")]);
    let mut registry = record().registry;
    for start in (0..254).step_by(127) {
        registry = after(&registry, 41, &many(start..start + 127, r#"{"retired": true}"#));
    }
    let full = RegistryOnRecord { registry, ..record() };
    let found = problems_under(&full, &declaring(r#""models": {"last": {"retired": true}}"#));
    let value = r#"{"retired":true}"#;
    let expected = "at most 256 models of your own ever";
    assert_eq!(found, [format!("release.json, column models.last: `{value}`: expected {expected}")]);
}

#[test]
fn each_problem_of_a_column_of_a_model_has_its_message() {
    let file = "probabilities/over_under/2024-25.csv";
    let with = |name: &str, columns: &str, cells: &str| {
        let folder = declaring(r#""models": {}"#).with(name, format!("{KEY}{columns}\n{GAME}{cells}\n"));
        let found = problems_under(&record(), &folder);
        found.iter().map(|problem| problem.replace(&format!("{name}, "), "")).collect::<Vec<_>>()
    };
    for value in ["1.2", "n/a", "-0.1"] {
        let expected = with(file, ",ELO", &format!(",{value}"));
        assert_eq!(expected, with(file, ",BLEND", &format!(",{value}")).map_name("BLEND", "ELO"), "as of BLEND");
        assert!(expected[0].starts_with(&format!("row 2, column ELO: `{value}`: expected a probability from 0 to 1")));
    }
    let retired = "column nn: expected no such column: the model is retired since generation 40; \"retired\": false takes it back";
    for name in [file, "results/over_under/2024-25.csv", "predictions/over_under.csv"] {
        assert_eq!(with(name, ",BLEND,nn", ",0.5,0.5"), [retired], "{name}");
    }
    for name in [file, "predictions/over_under.csv"] {
        assert_eq!(with(name, ",wagers", ",0.5"), [format!("{name}: expected {PROBABILITIES}")]);
        assert_eq!(with(name, ",ELO", ",0.5"), [""; 0], "{name}");
    }
    let games = "games/2024-25.csv";
    assert_eq!(with(games, ",ELO", ",0.5"), with(games, ",BLEND", ",0.5").map_name("BLEND", "ELO"), "as of BLEND");
    let letter_case = "column elo: expected the column's name as `ELO`";
    assert_eq!(with(file, ",BLEND,elo", ",0.5,0.5"), [letter_case]);
}

/// A name for another in problems.
trait MapName {
    fn map_name(self, from: &str, to: &str) -> Vec<String>;
}

impl MapName for Vec<String> {
    fn map_name(self, from: &str, to: &str) -> Vec<String> {
        self.iter().map(|problem| problem.replacen(&format!("column {from}"), &format!("column {to}"), 1)).collect()
    }
}
