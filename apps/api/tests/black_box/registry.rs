//! The registry of a league's models as a stored object: damaged, missing, or of a form that a server does not know.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bytes::Bytes;
use serde_json::{Value, json};
use sports_domain::{Market, ModelName, ModelType, Probability, Season, Sport};
use sports_ports::publication::ArchiveCodec as _;
use sports_publication::registry::is_reserved;
use sports_publication::{ArchivedGame, SeasonArchive};
use sports_tables::archive::ParquetArchives;
use sports_testkit::programs::{copy_folder, fixture};

use crate::folder::League;
use crate::generations::health;
use crate::service::{Service, Site};

/// Answers that depend on the league's models, or on the generation that names them.
const PATHS: [&str; 10] = [
    "/api/v1/models/nfl",
    "/api/v1/summary/nfl/won_on_points",
    "/api/v1/summary/nfl/won_on_points?models=BLEND",
    "/api/v1/calibration/nfl/won_on_points",
    "/api/v1/strategies/nfl/won_on_points",
    "/api/v1/strategies/nfl/won_on_points?model=ELO",
    "/api/v1/results/nfl/won_on_points",
    "/api/v1/results/nfl/won_on_points/density",
    "/api/v1/model-tracking/nfl/won_on_points",
    "/api/v1/releases/nfl",
];

/// Creates a site whose first entry declares two models.
fn declared() -> Site {
    let site = Site::on_one_machine();
    site.publish_fixture("own-models");
    site
}

/// Runs `verify` on a record with a difference; returns the message.
fn difference(site: &Site) -> String {
    let verified = site.place.sportsctl(["verify", "nfl"]).output().expect("it runs");
    assert_eq!(verified.status.code(), Some(1), "{verified:?}");
    String::from_utf8(verified.stderr).expect("text")
}

/// Replaces the registry of an entry by other bytes, which the entry names.
fn replace_registry(league: &League, generation: u64, bytes: &[u8]) {
    let fields = league.put("json", bytes);
    league.rewrite_entry(generation, |entry| {
        for (field, value) in fields {
            entry["models"][field] = value;
        }
    });
}

/// Returns the bytes of a registry with another form, or with white space up to a size.
fn changed_registry(path: &Path, change: impl FnOnce(&mut Value), size: usize) -> Vec<u8> {
    let mut registry: Value = serde_json::from_slice(&fs::read(path).expect("the registry")).expect("JSON");
    change(&mut registry);
    let mut bytes = serde_json::to_vec(&registry).expect("JSON");
    bytes.resize(size.max(bytes.len()), b' ');
    bytes
}

/// A damage to the registry of the first entry, in words and as a function.
type Damage = (&'static str, fn(&League));

const DAMAGES: [Damage; 5] = [
    ("missing", |league| fs::remove_file(league.registry(1)).expect("removed")),
    ("altered", |league| {
        let path = league.registry(1);
        let text = fs::read_to_string(&path).expect("the registry");
        fs::write(&path, text.replace("Elo with travel", "Elo with gravel")).expect("written");
    }),
    ("of a newer form", |league| {
        let newer = changed_registry(&league.registry(1), |registry| registry["schema_version"] = json!(2), 0);
        replace_registry(league, 1, &newer);
    }),
    ("of 10 MB", |league| {
        let large = changed_registry(&league.registry(1), |_| {}, 10_000_000);
        replace_registry(league, 1, &large);
    }),
    ("replaced by 10 MB", |league| fs::write(league.registry(1), vec![b' '; 10_000_000]).expect("written")),
];

#[tokio::test]
async fn a_league_whose_registry_cannot_be_read_is_503_and_never_answered_without_it() {
    let whole = declared();
    for (what, damage) in DAMAGES {
        let site = Site::on_one_machine();
        copy_folder(&whole.place.store(), &site.place.store());
        damage(&League::nfl(&site.place.store()));
        let service = site.serve().await;
        for path in PATHS {
            assert_eq!(service.get(path).await.status, 503, "{what}: {path}");
        }
        assert_eq!(service.get("/api/v1/sports").await.status, 200, "{what}");
        let expected = "Leagues of which nothing can be served: nfl; Generations that cannot be loaded: nfl 1";
        assert_eq!(health(&service, true).await, expected, "{what}");
        let found = difference(&site);
        assert!(found.starts_with("sportsctl: nfl: entry 1: its models are missing, altered or"), "{what}: {found}");
        let folder = fixture("edge-cases").join("release");
        let publish = [Path::new("publish"), &folder];
        for command in [&publish[..], &[Path::new("models"), Path::new("nfl")]] {
            let output = site.place.sportsctl(command).output().expect("it runs");
            assert_eq!(output.status.code(), Some(1), "{what}: {command:?}: {output:?}");
        }
        assert!(!League::nfl(&site.place.store()).entry(2).exists(), "{what}: nothing is published without it");
    }
}

/// Creates a site with the generation before the first declaration, and a copy with the declaration.
fn before_and_after() -> (Site, Site) {
    let (before, after) = (Site::on_one_machine(), Site::on_one_machine());
    before.publish_fixture("results-layout");
    copy_folder(&before.place.store(), &after.place.store());
    after.publish_fixture("own-models");
    (before, after)
}

/// Copies every object of one site to another, and the second entry.
fn bring_second(from: &Site, to: &Site) {
    let [from, to] = [from, to].map(|site| site.place.store());
    copy_folder(&League::nfl(&from).objects(), &League::nfl(&to).objects());
    fs::copy(League::nfl(&from).entry(2), League::nfl(&to).entry(2)).expect("copied");
}

/// Returns every answer with its status; a failure names its request, so its text is left out.
async fn answers(service: &Service) -> Vec<(u16, String)> {
    let mut answers = Vec::new();
    for path in PATHS {
        let answer = service.get(path).await;
        let text = if answer.status == 200 { answer.text().to_owned() } else { String::new() };
        answers.push((answer.status, text));
    }
    answers
}

/// Asserts that a running server and a server that starts have the answers of the generation before the declaration, and
/// that the declaration is served once its cause is mended.
async fn assert_serves_before(before: &Site, running: Service, known: &[(u16, String)], mend: impl FnOnce(&League)) {
    let failing = "Generations that cannot be loaded: nfl 2";
    assert_eq!(health(&running, true).await, failing);
    assert_eq!(answers(&running).await, known, "every answer is of the generation before");
    running.stop();
    let started = before.serve().await;
    assert_eq!(health(&started, true).await, failing);
    assert_eq!(answers(&started).await, known, "every answer is of the generation before");
    mend(&League::nfl(&before.place.store()));
    started.until(PATHS[5], |answer| answer.status == 200).await;
    assert_eq!(health(&started, false).await, Value::Null);
    let models = started.get(PATHS[0]).await.json();
    assert_eq!(models["models"].as_array().map(Vec::len), Some(10), "{models}");
}

#[tokio::test]
async fn a_server_keeps_the_generation_before_a_registry_that_is_missing() {
    let (before, after) = before_and_after();
    let service = before.serve().await;
    let known = answers(&service).await;
    assert_eq!((known[0].0, known[5].0), (200, 404), "ELO is no model yet");
    let registry = League::nfl(&after.place.store()).registry(2);
    let bytes = fs::read(&registry).expect("the registry");
    fs::remove_file(&registry).expect("removed");
    bring_second(&after, &before);
    let mend = |league: &League| fs::write(league.registry(2), &bytes).expect("written");
    assert_serves_before(&before, service, &known, mend).await;
}

/// A program of the version before meets form 7 as this program meets form 8.
#[tokio::test]
async fn a_node_that_does_not_know_the_form_serves_the_generation_before_the_declaration() {
    let (before, after) = before_and_after();
    let service = before.serve().await;
    let known = answers(&service).await;
    let second = League::nfl(&after.place.store());
    second.rewrite_entry(2, |entry| {
        assert_eq!(entry["schema_version"], 7, "each entry is of form 7");
        entry["schema_version"] = json!(8);
    });
    bring_second(&after, &before);
    let mend = |league: &League| league.rewrite_entry(2, |entry| entry["schema_version"] = json!(7));
    assert_serves_before(&before, service, &known, mend).await;
    let reason = "the entry has schema_version 8, of a newer program; this one reads up to 7";
    assert!(before.log().contains(reason), "{}", before.log());
}

/// Adds a column that is marked as a model's to the archive of the first entry.
fn add_column(league: &League, name: &str) {
    let (market, season) = (Market::new(Sport::Nfl, ModelType::WonOnPoints), Season::parse(Sport::Nfl, "2023-24"));
    let bytes = fs::read(league.archive(1, "won_on_points", "2023-24")).expect("the archive");
    let archive = ParquetArchives.decode(market, season.expect("a season"), Bytes::from(bytes)).expect("an archive");
    let games = archive.games().iter().cloned().map(|mut game: ArchivedGame| {
        game.forecast.own.insert(name.parse().expect("a name"), Probability::new(0.9).expect("a probability"));
        game
    });
    let changed = SeasonArchive::new(market, archive.season(), games.collect()).expect("no key repeats");
    let fields = league.put("parquet", &ParquetArchives.encode(&changed).expect("encoded"));
    league.rewrite_entry(1, |entry| {
        let archives = entry["results"].as_array_mut().expect("a list").iter_mut();
        for archive in archives.filter(|archive| archive["model_type"] == "won_on_points") {
            for (field, value) in fields.clone() {
                archive[field] = value;
            }
            archive["models"][name] = json!(5);
        }
    });
}

/// The home teams of the fixture won three games and lost one; the fifth was a push.
#[tokio::test]
async fn a_column_that_the_registry_lacks_is_served_graded_and_named_by_verify() {
    let site = declared();
    add_column(&League::nfl(&site.place.store()), "LOST");
    let found = difference(&site);
    let expected = "sportsctl: nfl: entry 1: the archive of nfl won_on_points 2023-24 has the column LOST of a model that \
                    is not declared\n";
    assert_eq!(found, expected);
    let service = site.serve().await;
    let page = service.page("nfl/won_on_points").await.json();
    let rows = page["results"].as_array().expect("rows");
    assert!(rows.len() == 5 && rows.iter().all(|row| row["LOST"] == json!(0.9)), "{page}");
    let summary = service.get("/api/v1/summary/nfl/won_on_points").await.json();
    let lost = summary["summaries"].as_array().expect("models").iter().find(|of| of["model"] == "LOST");
    let lost = lost.unwrap_or_else(|| panic!("{summary}"));
    assert_eq!((&lost["wins"], &lost["losses"]), (&json!(3), &json!(1)));
}

#[test]
fn a_count_of_games_that_is_not_the_archives_is_named_by_verify() {
    let site = declared();
    League::nfl(&site.place.store()).rewrite_entry(1, |entry| {
        let archives = entry["results"].as_array_mut().expect("a list").iter_mut();
        for archive in archives.filter(|archive| archive["model_type"] == "won_on_points") {
            assert_eq!(archive["models"]["ELO"], 4);
            archive["models"]["ELO"] = json!(5);
        }
    });
    let expected = "sportsctl: nfl: entry 1: the archive of nfl won_on_points 2023-24 has 4 games with a value of ELO; the \
                    entry records 5\n";
    assert_eq!(difference(&site), expected);
}

/// The beginnings of the columns of games.
const MARKETS: [&str; 3] = ["moneyline_", "spread_", "total_"];

/// The bets of a backtest have no columns of models, so no name is in the way.
const WITHOUT_MODELS: &str = "/api/v1/backtest/{sport}/{model_type}";

/// The other tables of the API: their paths are those of the document with a form `text/csv`.
const TABLES: [(&str, &str); 17] = [
    ("/api/v1/corrections/{sport}", ""),
    ("/api/v1/games/{sport}", ""),
    ("/api/v1/models/{sport}", ""),
    ("/api/v1/odds/{sport}", ""),
    ("/api/v1/odds/{sport}/closing", ""),
    ("/api/v1/odds/{sport}/history", "match_id=week18-PIT-BAL&"),
    ("/api/v1/odds/{sport}/moves", ""),
    ("/api/v1/predictions/{sport}/{model_type}", "upcoming_only=false&"),
    ("/api/v1/predictions/{sport}/{model_type}/history", "match_id=week18-PIT-BAL&"),
    ("/api/v1/predictions/{sport}/{model_type}/moves", ""),
    ("/api/v1/predictions/{sport}/{model_type}/season", "season=2023-24&finals=true&"),
    ("/api/v1/results/{sport}/{model_type}", ""),
    ("/api/v1/results/{sport}/{model_type}/team-form", ""),
    ("/api/v1/slate/{sport}", "upcoming_only=false&"),
    ("/api/v1/strategies/{sport}/{model_type}", ""),
    ("/api/v1/strategies/{sport}/{model_type}/{strategy_id}/replay", "include_excluded=true&"),
    ("/api/v1/summary/{sport}/{model_type}", ""),
];

#[tokio::test]
async fn no_model_can_have_the_name_of_a_column_of_a_served_table() {
    let document: Value = serde_json::from_str(include_str!("../../../../docs/openapi.json")).expect("JSON");
    let paths = document["paths"].as_object().expect("paths").iter();
    let tables = paths.filter(|(_, path)| path["get"]["responses"]["200"]["content"].get("text/csv").is_some());
    let tables = tables.map(|(path, _)| path.as_str()).filter(|path| *path != WITHOUT_MODELS);
    assert_eq!(tables.collect::<Vec<_>>(), TABLES.map(|(path, _)| path));
    let site = Site::on_one_machine();
    let slate = fixture("nfl-2023-week-18-slate").join("release");
    let _ = site.place.ctl(["publish", slate.to_str().expect("text"), "--as-of", "2024-01-06T15:00:00Z"]);
    site.publish_fixture("own-models");
    let service = site.serve().await;
    for (path, query) in TABLES {
        for (model_type, strategy) in [("over_under", "follow_line_over"), ("won_on_points", "follow_edge_home")] {
            let path = path.replace("{sport}", "nfl").replace("{model_type}", model_type);
            let path = path.replace("{strategy_id}", strategy);
            let table = service.get(&format!("{path}?{query}format=csv")).await;
            assert_eq!(table.status, 200, "{path}: {}", table.text());
            let mut reader = csv::Reader::from_reader(&*table.body);
            let columns = reader.headers().expect("a header").clone();
            // The columns of games and of a slate are those of results and predictions, behind the word of a market.
            let is_games = path.contains("/games/") || path.contains("/slate/");
            let plain = |column| {
                let of_market = MARKETS.iter().find_map(|market| str::strip_prefix(column, market));
                of_market.filter(|_| is_games).unwrap_or(column)
            };
            let names = columns.iter().map(plain).filter_map(|column| column.parse::<ModelName>().ok());
            let is_model = |name: &ModelName| name.column().is_some() || ["ELO", "nn_v2"].contains(&name.as_str());
            let free = names.filter(|name| !is_reserved(name.as_str()) && !is_model(name));
            let free: Vec<_> = free.map(|name| name.to_string()).collect();
            assert_eq!(free, [""; 0], "{path}");
        }
    }
}

/// Answers about games and models, by the beginnings of their paths.
const ABOUT_MODELS: [&str; 10] = [
    "/api/v1/calibration/",
    "/api/v1/clv/",
    "/api/v1/markets/",
    "/api/v1/model",
    "/api/v1/predictions/",
    "/api/v1/public/",
    "/api/v1/results/",
    "/api/v1/slate/",
    "/api/v1/strategies/",
    "/api/v1/summary/",
];

/// The fields of schemas, and the schemas that were visited.
#[derive(Default)]
struct Fields<'d> {
    names: BTreeSet<&'d str>,
    visited: BTreeSet<&'d str>,
}

impl<'d> Fields<'d> {
    /// Collects the names of a schema, and of the schemas that it refers to.
    fn collect(&mut self, schema: &'d Value, document: &'d Value) {
        match schema {
            Value::Object(parts) => {
                let names = parts.get("properties").and_then(Value::as_object).into_iter().flatten();
                self.names.extend(names.map(|(name, _)| name.as_str()));
                let inner = parts.iter().filter(|(name, _)| !name.starts_with("example")).map(|(_, inner)| inner);
                inner.for_each(|inner| self.collect(inner, document));
                let refers = parts.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
                if let Some(path) = refers.filter(|path| self.visited.insert(path)) {
                    self.collect(document.pointer(path).expect("a schema"), document);
                }
            }
            Value::Array(parts) => parts.iter().for_each(|inner| self.collect(inner, document)),
            _ => {}
        }
    }
}

#[test]
fn no_model_can_have_the_name_of_a_field_of_answers_about_games_and_models() {
    let document: Value = serde_json::from_str(include_str!("../../../../docs/openapi.json")).expect("JSON");
    let paths = document["paths"].as_object().expect("paths").iter();
    let mut fields = Fields::default();
    for (_, path) in paths.filter(|(path, _)| ABOUT_MODELS.iter().any(|begin| path.starts_with(begin))) {
        fields.collect(&path["get"]["responses"]["200"], &document);
    }
    assert!(["brier", "edge_home", "games_before", "wilson_low"].iter().all(|field| fields.names.contains(field)));
    let names = fields.names.iter().filter_map(|field| field.parse::<ModelName>().ok());
    let free = names.filter(|name| name.column().is_none() && !is_reserved(name.as_str()) && name.as_str() != "blend");
    assert_eq!(free.map(|name| name.to_string()).collect::<Vec<_>>(), [""; 0]);
}
