//! Stores of version 0.3, whose games have no identity, and tables that were exported from one store into another.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use regex_lite::Regex;
use serde_json::Value;
use sports_archive_parquet::ParquetArchives;
use sports_content::ObjectHash;
use sports_domain::{Market, ModelType, Season, Sport};
use sports_ports::publication::ArchiveCodec as _;
use sports_publication::{ArchivedGame, SeasonArchive};
use sports_testkit::programs::{copy_folder, fixture};

use crate::service::{Service, Site};

/// The morning of a slate, and a day after the last game of the season that followed.
const THEN: &str = "2024-01-06T15:00:00Z";
const NOW: &str = "2025-01-20T15:00:00Z";
/// The form of the entries of version 0.3.
const ENTRY_FORM: u64 = 3;
/// Every answer with figures, for each market.
const OF_MARKETS: [&str; 14] = [
    "/api/v1/results/nfl/{market}?season=2023-24&limit=50",
    "/api/v1/results/nfl/{market}?season=2024-25&limit=50",
    "/api/v1/results/nfl/{market}/rolling",
    "/api/v1/results/nfl/{market}/density",
    "/api/v1/results/nfl/{market}/team-form",
    "/api/v1/summary/nfl/{market}",
    "/api/v1/summary/nfl/{market}?season=2024-25",
    "/api/v1/strategies/nfl/{market}",
    "/api/v1/strategies/nfl/{market}?accounting=recorded_v2",
    "/api/v1/strategies/nfl/{market}/follow_line_{side}/replay",
    "/api/v1/calibration/nfl/{market}",
    "/api/v1/model-tracking/nfl/{market}",
    "/api/v1/predictions/nfl/{market}?upcoming_only=false",
    "/api/v1/results/nfl/{market}/seasons",
];
/// Every other answer with figures.
const OF_LEAGUE: [&str; 8] = [
    "/api/v1/odds/nfl",
    "/api/v1/markets/nfl",
    "/api/v1/sports",
    "/api/v1/edge-picks",
    "/api/v1/edge-picks/track-record",
    "/api/v1/picks/performance",
    "/api/v1/picks/2024-01-06",
    "/api/v1/public/ml-picks/nfl/over_under",
];

/// Publishes a slate with odds, its finals, and a season.
fn published() -> Site {
    let site = Site::on_one_machine();
    let folder = |name: &str| fixture(name).join("release").to_str().expect("text").to_owned();
    let finals = fixture("nfl-2023-week-18-slate").join("finals.csv");
    let _ = site.place.ctl(["publish", &folder("nfl-2023-week-18-slate"), "--as-of", THEN]);
    let _ = site.place.ctl(["settle", "nfl", finals.to_str().expect("text"), "--as-of", NOW]);
    let _ = site.place.ctl(["publish", &folder("edge-cases"), "--as-of", NOW]);
    site
}

/// The objects of a store without identities: the new hash and size of each, by its hash.
type Objects = HashMap<String, (String, usize)>;

/// Rewrites a store as version 0.3 wrote it.
fn as_before(store: &Path) {
    let league = store.join("sports/nfl");
    let (mut objects, mut previous) = (Objects::new(), Value::Null);
    let mut entries: Vec<PathBuf> =
        fs::read_dir(league.join("log")).expect("a log").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let mut entry: Value = serde_json::from_slice(&fs::read(&path).expect("an entry")).expect("JSON");
        for field in ["record", "sha256_above"] {
            entry.as_object_mut().expect("an object").remove(field).expect("a field of form 7");
        }
        (entry["schema_version"], entry["previous"]) = (ENTRY_FORM.into(), previous);
        for named in artifacts(&mut entry) {
            let hash = named["sha256"].as_str().expect("a hash").to_owned();
            let (hash, size) = objects
                .entry(hash)
                .or_insert_with_key(|hash| without_ids(&league.join("objects"), named, hash))
                .clone();
            let kind = named["object"].as_str().and_then(|name| name.rsplit_once('.')).expect("a name").1;
            named["object"] = format!("{hash}.{kind}").into();
            (named["sha256"], named["bytes"]) = (hash.into(), size.into());
        }
        let text = serde_json::to_string_pretty(&entry).expect("JSON") + "\n";
        previous = ObjectHash::from_bytes(text.as_bytes()).to_string().into();
        fs::write(&path, text).expect("written");
    }
}

/// The objects that an entry names.
fn artifacts(entry: &mut Value) -> Vec<&mut Value> {
    let lists = entry.as_object_mut().expect("an object").iter_mut().filter_map(|(field, value)| match &**field {
        "results" | "predictions" => Some(value.as_array_mut().expect("a list").iter_mut().collect()),
        "odds" | "openers" if !value.is_null() => Some(vec![value]),
        _ => None,
    });
    lists.collect::<Vec<Vec<_>>>().into_iter().flatten().collect()
}

/// Replaces an object by the same content without identities; returns its new hash and size.
fn without_ids(objects: &Path, named: &Value, hash: &str) -> (String, usize) {
    let path = objects.join(named["object"].as_str().expect("a name"));
    let bytes = fs::read(&path).expect("the object");
    let (kind, bytes) = match path.extension().and_then(|kind| kind.to_str()) {
        Some("parquet") => ("parquet", archive_without_ids(named, bytes)),
        _ => ("json", slate_without_ids(&bytes)),
    };
    fs::remove_file(&path).expect("removed");
    let new = ObjectHash::from_bytes(&bytes).to_string();
    assert_ne!(new, hash, "the object had identities");
    fs::write(objects.join(format!("{new}.{kind}")), &bytes).expect("written");
    (new, bytes.len())
}

fn archive_without_ids(named: &Value, bytes: Vec<u8>) -> Vec<u8> {
    let model_type: ModelType = named["model_type"].as_str().expect("a market").parse().expect("a market");
    let (market, label) = (Market::new(Sport::Nfl, model_type), named["season"].as_str().expect("a label"));
    let season = Season::parse(Sport::Nfl, label).expect("a season");
    let archive = ParquetArchives.decode(market, season, Bytes::from(bytes)).expect("an archive");
    let games = archive.games().iter().cloned().map(|mut game: ArchivedGame| {
        assert!(game.facts.game_id.take().is_some(), "an identity");
        game.facts.former_starts = None;
        game
    });
    let archive = SeasonArchive::new(market, season, games.collect()).expect("no key repeats");
    ParquetArchives.encode(&archive).expect("encoded").to_vec()
}

fn slate_without_ids(bytes: &[u8]) -> Vec<u8> {
    let mut slate: Value = serde_json::from_slice(bytes).expect("JSON");
    slate["schema_version"] = 1.into();
    for game in slate["games"].as_array_mut().expect("games") {
        let game = game.as_object_mut().expect("an object");
        assert!(game.remove("game_id").is_some(), "an identity");
        game.remove("listed_start");
    }
    serde_json::to_vec(&slate).expect("JSON")
}

/// The fields that depend on the hash of a stored object: the snapshot, and the figures of simulations with it as the
/// seed.
/// A real store of 0.3 keeps its objects, whose hashes this test changes.
pub const OF_OBJECTS: [&str; 10] = [
    "snapshot",
    "ev roi low",
    "ev roi high",
    "roi_low",
    "roi_high",
    "band_low",
    "band_high",
    "low",
    "high",
    "ece10_if_perfect",
];

/// Removes the fields with these names from an answer.
pub fn without(answer: &mut Value, names: &[&str]) {
    match answer {
        Value::Object(fields) => {
            fields.retain(|field, _| !names.contains(&field.as_str()));
            fields.values_mut().for_each(|value| without(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without(item, names)),
        _ => {}
    }
}

/// Every answer with figures, by path.
async fn figures(service: &Service) -> Vec<(String, Value)> {
    let of_market = |market: &'static str| {
        let side = if market == "over_under" { "over" } else { "home" };
        OF_MARKETS.map(|path| path.replace("{market}", market).replace("{side}", side))
    };
    let markets = ["over_under", "won_on_points", "won_on_spread"].into_iter().flat_map(of_market);
    let mut figures = Vec::new();
    for path in markets.chain(OF_LEAGUE.map(str::to_owned)) {
        let answer = service.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let mut answer = answer.json();
        without(&mut answer, &OF_OBJECTS);
        figures.push((path, answer));
    }
    figures
}

#[tokio::test]
async fn a_store_of_version_0_3_has_the_same_figures_and_identities() {
    let site = published();
    let older = Site::on_one_machine();
    copy_folder(&site.place.store(), &older.place.store());
    as_before(&older.place.store());
    let verified = older.place.ctl(["verify", "nfl"]);
    assert!(!verified.is_empty());
    let clock = [("SPORTS_CLOCK__AS_OF", NOW)];
    let (now, before) = (site.serve_with(&clock).await, older.serve_with(&clock).await);
    for ((path, now), (_, before)) in figures(&now).await.into_iter().zip(figures(&before).await) {
        assert_eq!(now, before, "{path}");
    }
    let ids = |site: &Site| {
        let printed = site.place.ctl(["games", "nfl", "--json"]);
        let games: Value = serde_json::from_str(&printed).expect("JSON");
        let games = games["games"].as_array().expect("a list").clone();
        games.into_iter().map(|game| game["game_id"].as_str().expect("an identity").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&site), ids(&older));
}

#[tokio::test]
async fn an_exported_table_with_a_rescheduled_game_has_its_identities_in_another_store() {
    let site = Site::on_one_machine();
    let publish = |site: &Site, name: &str, folder: &str, table: &str| {
        let release = site.place.path().join(name);
        fs::create_dir_all(release.join(folder)).expect("a folder");
        let run = r#"{"id":"r","started_at":"2024-10-01T12:00:00Z","completed_at":"2024-10-01T12:00:00Z"}"#;
        let manifest = format!(r#"{{"sport":"nfl","slate_date":"2024-10-01","slate":"none","run":{run}}}"#);
        fs::write(release.join("release.json"), manifest).expect("written");
        fs::write(release.join(folder).join("2024-25.csv"), table).expect("written");
        let _ = site.place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2024-10-01T16:00:00Z"]);
    };
    let table = |rows: &str| format!("game_id,date,time_est,away_team,home_team,away_score,home_score\n{rows}");
    let game = |date: &str, score: &str| format!("2024-09-{date},13:00,Buffalo Bills,Miami Dolphins,{score}\n");
    let id = "nfl-2024-09-08-buffalo_bills-miami_dolphins";
    let other = ",2024-09-09,20:15,Detroit Lions,Minnesota Vikings,10,7\n";
    publish(&site, "first", "games", &table(&format!(",{}{other}", game("08", ","))));
    publish(&site, "moved", "games", &table(&format!("{id},{}", game("10", "20,24"))));
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-10-01T17:00:00Z")]).await;
    let path = "/api/v1/results/nfl/over_under?season=2024-25&format=csv";
    let exported = service.get(path).await.text().to_owned();
    let other = Site::on_one_machine();
    publish(&other, "exported", "results/over_under", &exported);
    let service = other.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-10-01T17:00:00Z")]).await;
    let imported = service.get(path).await.text().to_owned();
    let ids = |table: &str| {
        let mut table = csv::Reader::from_reader(table.as_bytes());
        let place = table.headers().expect("a header").iter().position(|column| column == "game_id").expect("a column");
        table.records().map(|row| row.expect("a row")[place].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&exported), ["nfl-2024-09-09-detroit_lions-minnesota_vikings", id]);
    assert_eq!(ids(&imported), ids(&exported));
}

/// The hash of the entries that the version before own models writes for three fixtures, with the compression of archives
/// that was introduced since. Entries name every object by its hash.
const BEFORE_OWN_MODELS: &str = "cf0793f64a5019b27d157398d00da746920b08878920eb638b54b846074d8b27";

#[test]
fn a_league_without_own_models_has_the_entries_and_objects_of_the_version_before() {
    let site = Site::on_one_machine();
    for name in ["edge-cases", "nfl-2023-week-18", "doubleheader"] {
        let release = fixture(name).join("release");
        let _ = site.place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2026-01-10T15:00:00Z"]);
    }
    // The clock of a command goes on while it runs; the chain repeats what entries contain.
    let of_this_run =
        [r"[0-9]{8}T[0-9]{9}Z", r"2026-01-10T15:00:[0-9.]+Z"].map(|it| Regex::new(it).expect("a pattern"));
    let mut text = String::new();
    for sport in ["mlb", "nfl"] {
        let log = fs::read_dir(site.place.store().join("sports").join(sport).join("log")).expect("a log");
        let mut entries: Vec<_> = log.map(|entry| entry.expect("an entry").path()).collect();
        entries.sort();
        for entry in entries {
            let entry = fs::read_to_string(entry).expect("an entry");
            let entry = of_this_run.iter().fold(entry, |entry, it| it.replace_all(&entry, "I").into_owned());
            let is_linked = |line: &&str| line.contains("\"previous\"") || line.contains("\"sha256_above\"");
            // The tree is what form 7 adds.
            let (above, tree) = entry.split_once("  \"record\": {\n").expect("a tree");
            let (_, below) = tree.split_once("  },\n").expect("its end");
            let above = above.replacen("\"schema_version\": 7", "\"schema_version\": 5", 1);
            let lines = above.split_inclusive('\n').chain(below.split_inclusive('\n'));
            text.extend(lines.filter(|line| !is_linked(line)));
        }
    }
    assert_eq!(ObjectHash::from_bytes(text.as_bytes()).to_string(), BEFORE_OWN_MODELS, "{text}");
}
