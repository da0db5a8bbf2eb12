use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{Completed, catalog, entry, objects, publish, run, run_json, verified, write_entry};

/// Creates a record of three entries: a season, another season, a change to the first. Returns the head after each.
fn a_record() -> (TestFolder, [Value; 3]) {
    let place = TestFolder::fresh();
    let releases = ["nfl-2023-week-18", "edge-cases", "results-layout"];
    let heads = releases.map(|name| publish(&place, &fixture(name).join("release"))["head"].clone());
    (place, heads)
}

/// Returns the difference that `verify` reports of an altered record.
fn difference(place: &TestFolder) -> String {
    let Completed { code, out, err, .. } = run(place, ["verify", "nfl"]);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    let as_json = run(place, ["verify", "nfl", "--json"]);
    assert_eq!(as_json.code, Some(1));
    let error = as_json.json()["error"].as_str().expect("a sentence").to_owned();
    assert_eq!(err, format!("sportsctl: {error}\n"));
    assert_eq!(run(place, ["verify"]).code, Some(1), "nor does the store as a whole");
    error
}

/// Flips one bit of one byte, runs `look`, and flips the bit back. Neighbouring bytes have other bits flipped.
fn with_flipped<T>(path: &Path, at: usize, look: impl FnOnce() -> T) -> T {
    let whole = fs::read(path).expect("the file");
    let mut bytes = whole.clone();
    bytes[at] ^= 1 << (at % 8);
    fs::write(path, &bytes).expect("written");
    let seen = look();
    fs::write(path, whole).expect("written");
    seen
}

/// Returns positions in a file, from its first byte to its last.
fn some_bytes(path: &Path, many: usize) -> Vec<usize> {
    let last = fs::read(path).expect("the file").len() - 1;
    (0..=many).map(|step| last * step / many).collect()
}

#[test]
fn one_byte_of_an_earlier_entry_is_found_at_that_entry_or_the_next() {
    let (place, _) = a_record();
    for generation in [1, 2] {
        let path = entry(&place, "nfl", generation);
        for at in some_bytes(&path, 20) {
            let found = with_flipped(&path, at, || difference(&place));
            let here = format!("nfl: entry {generation}");
            let next = format!("nfl: entry {} continues ", generation + 1);
            assert!(found.starts_with(&here) || found.starts_with(&next), "byte {at}: {found}");
        }
    }
}

#[test]
fn a_flipped_bit_of_the_newest_entry_is_found() {
    let (place, heads) = a_record();
    let path = entry(&place, "nfl", 3);
    let newest = fs::read(&path).expect("the entry").len() - 1;
    // The last bytes are included: the digest and the bytes after it.
    for at in some_bytes(&path, 40).into_iter().chain(newest - 80..newest) {
        let found = with_flipped(&path, at, || difference(&place));
        assert!(found.starts_with("nfl: entry 3 cannot be read: "), "byte {at}: {found}");
    }
    assert_eq!(verified(&place, "nfl")["head"], heads[2], "put back, it holds");
}

#[test]
fn nothing_is_built_on_a_damaged_newest_entry_until_it_is_moved_aside() {
    let (place, heads) = a_record();
    let path = entry(&place, "nfl", 3);
    let text = fs::read_to_string(&path).expect("the entry");
    let damaged = text.replacen("\"predictions\"", "\"predictioNs\"", 1);
    fs::write(&path, &damaged).expect("written");
    let release = fixture("nfl-2023-week-18-slate").join("release");
    let refused = run(&place, ["publish", release.to_str().expect("text")]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("sportsctl repair nfl") && !entry(&place, "nfl", 4).exists(), "{refused:?}");

    let listed = run(&place, ["repair", "nfl"]);
    assert_eq!(listed.code, Some(1), "{listed:?}");
    assert!(
        listed.out.contains("number 3 continues nothing") && listed.out.contains("--yes") && path.exists(),
        "{listed:?}"
    );
    let repaired = run_json(&place, ["repair", "nfl", "--yes"]);
    assert_eq!(repaired["newest"], 2, "{repaired}");
    assert_eq!(repaired["set_aside"], json!([{ "generation": 3, "name": "000000000003-1.json" }]), "{repaired}");
    let aside = place.store().join("sports/nfl/set-aside/000000000003-1.json");
    assert_eq!(fs::read_to_string(aside).expect("kept"), damaged);

    let held = verified(&place, "nfl");
    assert_eq!((&held["head"], &held["set_aside"]), (&heads[1], &repaired["set_aside"]));
    let again = run(&place, ["repair", "nfl", "--yes"]);
    assert!(again.code == Some(0) && again.out.contains("nothing to do"), "{again:?}");
    publish(&place, &release);
    assert_eq!(catalog(&place, "nfl", 3)["previous"], heads[1], "it continues the entry before the damaged one");
    assert_eq!(verified(&place, "nfl")["entries"], 3);
}

/// A tile that the tree cannot have yet would be served once it grows.
#[test]
fn a_tile_that_the_tree_cannot_have_is_named_and_never_read() {
    let place = TestFolder::fresh();
    publish(&place, &fixture("nfl-2023-week-18-slate").join("release"));
    let size = verified(&place, "nfl")["tree"]["size"].as_u64().expect("a size");
    assert!(size < 256, "{size}");
    let zeros = vec![0; 256 * 32];
    for (tile, bytes) in [("0/000", &zeros[..]), ("0/001", &zeros), ("1/000.p/1", &zeros[..32]), ("entries/000", b"a")]
    {
        let path = place.store().join("sports/nfl/record/tile").join(tile);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, bytes).expect("written");
        let expected = format!("nfl: tile {tile}, beside the record: the tree has {size} leaves");
        assert_eq!(difference(&place), expected);
        fs::remove_file(&path).expect("removed");
    }
    assert_eq!(verified(&place, "nfl")["tree"]["size"], size);
}

#[test]
fn a_newest_entry_with_another_content_is_found_whatever_its_digest() {
    let (place, _) = a_record();
    let newest = catalog(&place, "nfl", 3);
    let object = newest["results"][0]["object"].as_str().expect("a name").to_owned();
    let changes: [(&str, &str, Value); 5] = [
        ("/predictioNs", "/predictions", json!([])),
        ("/extra", "", json!(1)),
        ("", "/clock", Value::Null),
        ("/results/0/object", "", json!(object.replace(".parquet", ".parqueu"))),
        ("/results/0/bytes", "", json!(1)),
    ];
    for (to, from, value) in changes {
        let mut other = newest.clone();
        let fields = other.as_object_mut().expect("an object");
        fields.remove(from.trim_start_matches('/'));
        match to.rsplit_once('/') {
            Some(("", field)) => _ = fields.insert(field.to_owned(), value),
            Some(_) => *other.pointer_mut(to).expect("a field") = value,
            None => {}
        }
        write_entry(&place, "nfl", other);
        let found = difference(&place);
        assert!(found.starts_with("nfl: entry 3"), "{from} became {to}: {found}");
    }
}

/// A store of version 0.4: its entries have no tree.
#[test]
fn a_store_of_an_older_version_is_refused_by_every_command() {
    let (place, _) = a_record();
    for generation in 1..=3 {
        let mut older = catalog(&place, "nfl", generation);
        older["schema_version"] = json!(4);
        older.as_object_mut().expect("an object").remove("record");
        write_entry(&place, "nfl", older);
    }
    let release = fixture("nfl-2023-week-18-slate").join("release");
    let refusal = "the entry has schema_version 4, of a version before 0.5.0: serve this store with version 0.5.0, or copy it \
                   with the `sportsctl store copy` of 0.5.0, and publish into a new store";
    for command in [&["verify", "nfl"][..], &["publish", release.to_str().expect("text")], &["releases", "nfl"]] {
        let refused = run(&place, command.iter().copied());
        assert!(
            refused.code.is_some_and(|code| code != 0) && refused.err.contains(refusal),
            "{command:?}: {refused:?}"
        );
    }
    assert!(!entry(&place, "nfl", 4).exists());
}

#[test]
fn one_byte_of_an_object_is_found_in_the_first_entry_that_names_it() {
    let (place, _) = a_record();
    for object in objects(&place, "nfl") {
        let hash = object.file_stem().and_then(|stem| stem.to_str()).expect("a hash").to_owned();
        let named = (1..=3).find(|number| catalog(&place, "nfl", *number).to_string().contains(&hash));
        let named = named.expect("an entry names it");
        for at in some_bytes(&object, 4) {
            let found = with_flipped(&object, at, || difference(&place));
            assert!(found.starts_with(&format!("nfl: entry {named}: the archive of nfl ")), "byte {at}: {found}");
            assert!(found.contains(&hash), "byte {at}: {found}");
        }
    }
}

/// This is a documented limit: only a kept head reveals it.
#[test]
fn a_record_without_its_newest_entries_verifies_with_another_head() {
    let (place, heads) = a_record();
    fs::remove_file(entry(&place, "nfl", 3)).expect("removed");
    let held = verified(&place, "nfl");
    assert_eq!(held["entries"], 2);
    assert_eq!(held["head"], heads[1], "the head that was printed then");
    assert_ne!(held["head"], heads[2]);
}
