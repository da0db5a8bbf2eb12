//! Every target reads every seed of `fuzz/seeds`, and several changed copies of each. The changes are always the
//! same, so that a failure can be repeated. `FUZZING_ROUNDS` sets the number of changes; the default suits a test
//! run.

mod changes;

use std::panic::catch_unwind;
use std::path::PathBuf;
use std::{env, fs};

use sports_fuzzing::{TARGETS, run};

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
fn read(target: &'static str, name: &str, input: &[u8]) {
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
        read(target, name, seed);
        for round in 0..rounds() {
            let other = &seeds[changes.below(seeds.len())].1;
            read(target, &format!("{name}-{round}"), &changes.changed(seed, other));
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
    requests,
    settings,
);

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
