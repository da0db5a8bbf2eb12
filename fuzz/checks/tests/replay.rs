//! Every target reads every seed of `fuzz/seeds`, and several changed copies of each. The changes are always the
//! same, so that a failure can be repeated. `FUZZING_ROUNDS` sets the number of changes; the default suits a test
//! run.

mod changes;

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::{env, fs};

use bytes::Bytes;
use sports_domain::{Market, ModelType, Season, Sport};
use sports_fuzzing::{TARGETS, run};
use sports_ports::publication::{ArchiveCodec as _, PublicationLog as _, SlateCodec as _};
use sports_publication::{Generation, SlateArtifact};
use sports_publisher_files::read;
use sports_store::{ArtifactStore, JsonSlates};
use sports_tables::archive::ParquetArchives;

use crate::changes::Changes;

/// The default number of changes to each seed.
const ROUNDS: usize = 12;

fn rounds() -> usize {
    env::var("FUZZING_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().expect("FUZZING_ROUNDS is a whole number"))
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "fuzz"].iter().collect()
}

/// Returns the seeds of a target with their names, in a fixed order.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = folder().join("seeds").join(target);
    let mut seeds: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry"))
        .map(|entry| (entry.file_name().into_string().expect("a name"), fs::read(entry.path()).expect("a seed")))
        .collect();
    seeds.sort();
    seeds
}

/// Reads an input. If a promise is broken, keeps the input in a file.
fn run_on(target: &'static str, name: &str, input: &[u8]) {
    let bytes = input.to_vec();
    if catch_unwind(|| run(target, &bytes)).is_err() {
        let kept = env::temp_dir().join(format!("fuzzing-{target}-{name}"));
        fs::write(&kept, input).expect("kept");
        panic!("{target} breaks a promise with {name}: the input is {}", kept.display());
    }
}

fn replay(target: &'static str) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    let mut changes = Changes::default();
    for (name, seed) in &seeds {
        run_on(target, name, seed);
        for round in 0..rounds() {
            let other = &seeds[changes.below(seeds.len())].1;
            run_on(target, &format!("{name}-{round}"), &changes.changed(seed, other));
        }
    }
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            replay(stringify!($name));
        })*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

targets!(
    folder_csv,
    folder_json,
    folder_parquet,
    manifest,
    archive,
    slate,
    catalog,
    odds_feed,
    tables,
    exchange,
    texts,
    record,
    index,
    requests,
    settings,
    upload,
);

/// Returns the seeds of a target without their first bytes, which select a league, a market or a season.
fn contents(target: &str, selecting: usize) -> impl Iterator<Item = Bytes> {
    seeds(target).into_iter().map(move |(_, seed)| Bytes::from(seed).slice(selecting..))
}

/// A change of a seed reaches the reader of models only if the seed itself is read to its end.
#[test]
fn seeds_have_each_kind_of_slate_object_and_models_in_each_stored_form() {
    let mut kinds = BTreeSet::new();
    for artifact in contents("slate", 1).filter_map(|bytes| JsonSlates.decode(Sport::Nfl, &bytes).ok()) {
        kinds.insert(match artifact {
            SlateArtifact::Odds(_) => "odds",
            SlateArtifact::Openers(_) => "openers",
            SlateArtifact::Models(registry) if registry.own().any(|model| model.retired.is_some()) => "retired models",
            SlateArtifact::Models(_) => "models",
            SlateArtifact::Leaves(_) => "leaves",
            SlateArtifact::Predictions(predictions) => {
                let own = predictions.games().iter().any(|game| !game.game.own.is_empty());
                if own { "predictions of own models" } else { "predictions" }
            }
        });
    }
    let every = ["leaves", "models", "odds", "openers", "predictions", "predictions of own models", "retired models"];
    assert_eq!(kinds, BTreeSet::from(every));

    let market = Market::new(Sport::Nfl, ModelType::WonOnPoints);
    let season = Season::parse(Sport::Nfl, "2023-24").expect("a season");
    let archives = contents("archive", 3).filter_map(|bytes| ParquetArchives.decode(market, season, bytes).ok());
    assert!(archives.map(|archive| archive.model_counts().len()).max() == Some(2), "an archive with two own models");

    let store = tempfile::tempdir().expect("a folder");
    let log = store.path().join("sports/nfl/log");
    fs::create_dir_all(&log).expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let entries = contents("catalog", 1).filter_map(|bytes| {
        fs::write(log.join("000000000001.json"), bytes).expect("written");
        let store = ArtifactStore::open(&format!("file:{}", store.path().display())).expect("a store");
        runtime.block_on(store.entry(Sport::Nfl, Generation::FIRST)).ok().flatten().map(|entry| entry.catalog)
    });
    let entries: Vec<_> = entries.collect();
    assert!(entries.iter().any(|entry| entry.models.is_some()), "an entry with a registry");
    assert!(entries.iter().any(|entry| entry.tree.is_some()), "an entry with a tree");
    let indexed = contents("index", 0).filter_map(|bytes| sports_ledger::decode(Sport::Nfl, &bytes));
    assert!(indexed.map(|facts| facts.len()).max() >= Some(3), "an index of linked entries");
    let releases = contents("manifest", 0).filter_map(|bytes| {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("release.json"), bytes).expect("written");
        read(folder.path(), "2024-01-06T15:00:00Z".parse().expect("an instant")).ok()
    });
    let declared = releases.map(|read| read.release.models.declarations.models.len()).max();
    assert!(declared >= Some(6), "a release that declares models");
}

#[test]
fn every_target_has_its_test_and_its_program() {
    assert_eq!(NAMES, TARGETS.map(|target| target.name));
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).expect("the fuzzers' manifest");
    for name in NAMES {
        let program = fs::read_to_string(folder().join(format!("fuzz_targets/{name}.rs"))).expect("a program");
        assert!(program.contains(&format!("target!(\"{name}\")")), "{program}");
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name} has no [[bin]]");
    }
}
