use serde_json::json;
use sports_domain::ModelType;
use sports_publication::Exceptions;
use sports_testkit::publication::contract::a_catalog;

use super::*;

/// Returns an entry without its digest.
fn an_entry() -> Value {
    let mut entry: Value = serde_json::from_slice(&write(&a_catalog(2, "second")).expect("written")).expect("JSON");
    entry.as_object_mut().expect("an object").remove(DIGEST);
    entry
}

/// Returns the path of every object in a value.
fn objects(value: &Value, path: &str) -> Vec<String> {
    let (own, inner): (Option<String>, Vec<(String, &Value)>) = match value {
        Value::Object(fields) => {
            (Some(path.to_owned()), fields.iter().map(|(name, value)| (format!("{path}/{name}"), value)).collect())
        }
        Value::Array(items) => {
            (None, items.iter().enumerate().map(|(index, value)| (format!("{path}/{index}"), value)).collect())
        }
        _ => (None, Vec::new()),
    };
    own.into_iter().chain(inner.into_iter().flat_map(|(path, value)| objects(value, &path))).collect()
}

/// Returns each field of an entry: the path of its object, and its name.
fn fields(entry: &Value) -> Vec<(String, String)> {
    let of = |path: String| {
        let names: Vec<_> =
            entry.pointer(&path).and_then(Value::as_object).expect("an object").keys().cloned().collect();
        names.into_iter().map(move |name| (path.clone(), name))
    };
    objects(entry, "").into_iter().flat_map(of).collect()
}

fn changed(entry: &Value, path: &str, change: impl FnOnce(&mut serde_json::Map<String, Value>)) -> Value {
    let mut entry = entry.clone();
    change(entry.pointer_mut(path).and_then(Value::as_object_mut).expect("an object"));
    entry
}

#[test]
fn an_entry_of_another_form_is_refused_by_its_version() {
    let table = [
        (8, "the entry has schema_version 8, of a newer program; this one reads up to 7"),
        (
            6,
            "the entry has schema_version 6, of a version before 0.5.0: serve this store with version 0.5.0, or copy it with \
             the `sportsctl store copy` of 0.5.0, and publish into a new store",
        ),
        (0, "the entry has schema_version 0, of a version before 0.5.0"),
    ];
    for (form, expected) in table {
        let entry = changed(&an_entry(), "", |fields| drop(fields.insert("schema_version".into(), form.into())));
        for entry in [with_digest(&entry), json!({ "schema_version": form }).to_string().into_bytes()] {
            let error = read(&entry).expect_err("another form").to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
    assert!(read(b"{").is_err());
    assert!(read(b"").is_err());
}

#[test]
fn each_flipped_bit_of_a_new_entry_is_detected() {
    let catalog = a_catalog(2, "second");
    let mut entry = write(&catalog).expect("written");
    assert_eq!(read(&entry).expect("whole"), catalog);
    for (at, bit) in (0..entry.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        entry[at] ^= 1 << bit;
        assert!(read(&entry).is_err(), "bit {bit} of byte {at}: {}", String::from_utf8_lossy(&entry));
        entry[at] ^= 1 << bit;
    }
}

/// Returns an entry with the digest of its text.
fn with_digest(entry: &Value) -> Vec<u8> {
    append_digest(serde_json::to_vec_pretty(entry).expect("JSON"))
}

#[test]
fn an_entry_has_the_fields_of_its_form_and_no_others() {
    let entry = an_entry();
    assert!(read(&with_digest(&entry)).is_ok());
    // The fields of `models` of a season are names of models.
    for (path, name) in fields(&entry).into_iter().filter(|(path, _)| path == "/models" || !path.ends_with("/models")) {
        let unknown = changed(&entry, &path, |object| {
            let value = object.remove(&name).expect("there");
            object.insert(format!("{name}_"), value);
        });
        assert!(read(&with_digest(&unknown)).is_err(), "{path}/{name}_");
        let missing = changed(&entry, &path, |object| drop(object.remove(&name)));
        let may_be_left_out = [
            "earlier_run",
            "frozen_games",
            "listed_ahead",
            "ended_season",
            "upload",
            "overrides",
            "replaced",
            "models",
            "keys",
            "game_number",
        ];
        assert!(read(&with_digest(&missing)).is_err() || may_be_left_out.contains(&&*name), "without {path}/{name}");
    }
    for (name, value) in [("overrides", json!(["weather"])), ("overrides", json!([])), ("replaced", json!([]))] {
        let other = changed(&entry, "", |fields| drop(fields.insert(name.to_owned(), value)));
        assert!(read(&with_digest(&other)).is_err(), "{other}");
    }
}

#[test]
fn a_catalog_without_a_tree_is_not_written() {
    let error = write(&Catalog { tree: None, ..a_catalog(2, "second") }).expect_err("no tree");
    assert_eq!(error.to_string(), "an entry has a tree");
}

#[test]
fn fields_without_a_value_are_omitted() {
    let mut usual = Catalog { exceptions: Exceptions::default(), models: None, ..a_catalog(2, "second") };
    usual.results.values_mut().for_each(|entry| entry.models.clear());
    let written = write(&usual).expect("written");
    assert_eq!(read(&written).expect("an entry"), usual);
    let entry: Value = serde_json::from_slice(&written).expect("JSON");
    assert!(["overrides", "replaced", "models"].into_iter().all(|field| entry.get(field).is_none()));
}

#[test]
fn default_models_are_a_map_by_market_and_absent_without_one() {
    let plain = a_catalog(2, "second");
    let absent: Value = serde_json::from_slice(&write(&plain).expect("written")).expect("JSON");
    assert_eq!(absent.get("default_models"), None);
    let default_models = [(ModelType::WonOnPoints, "ELO".parse().expect("a name"))].into();
    let recorded = Catalog { default_models, ..plain };
    let written = write(&recorded).expect("written");
    assert_eq!(read(&written).expect("an entry"), recorded);
    let entry: Value = serde_json::from_slice(&written).expect("JSON");
    assert_eq!(entry["default_models"], json!({ "won_on_points": "ELO" }));
}

#[test]
fn the_tree_of_an_entry_has_one_form() {
    let bytes = write(&a_catalog(2, "second")).expect("written");
    let mut entry: Value = serde_json::from_slice(&bytes).expect("JSON");
    entry.as_object_mut().expect("an object").remove(DIGEST);
    let tree = |path: &str, name: &str, value: Value| {
        changed(&entry, path, |fields| drop(fields.insert(name.to_owned(), value)))
    };
    assert!(read(&with_digest(&tree("/record", "first", json!(6)))).is_ok(), "one leaf");
    let edge = entry["record"]["edge"].as_array().expect("a list").clone();
    let upper = entry["record"]["nonce"].as_str().expect("text").to_uppercase();
    for (path, name, value) in [
        ("/record", "first", json!(7)),
        ("/record", "first", json!(-1)),
        ("/record", "size", json!(8)),
        ("/record", "edge", json!(edge[1..])),
        ("/record", "edge", json!([edge[1], edge[0], edge[2]])),
        ("/record", "edge", json!([edge[0], edge[1], "EQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Z=="])),
        ("/record", "root", json!("EQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=")),
        ("/record", "nonce", json!(upper)),
        ("/record", "nonce", json!("1f")),
        ("/record", "restart", Value::Null),
        ("/record/leaves", "object", json!("other.json")),
        ("/record/leaves", "sha256", json!("1f")),
    ] {
        let other = tree(path, name, value.clone());
        let refused = other != entry && read(&with_digest(&other)).is_err();
        assert!(refused, "{name} {value}");
    }
}

#[test]
fn the_first_difference_is_named_by_its_place() {
    let expected = json!({ "a": [{ "b": 1 }, { "b": 2 }] });
    let table = [
        (expected.clone(), None),
        (json!({ "A": [] }), Some("entry has an unknown field `A`")),
        (json!({}), Some("entry lacks the field `a`")),
        (json!({ "a": [{ "b": 1 }, { "b": 3 }] }), Some("entry.a[1].b is 3 where 2 is expected")),
        (json!({ "a": [{ "b": 1 }] }), Some("entry.a is [{\"b\":1}] where [{\"b\":1},{\"b\":2}] is expected")),
    ];
    for (found, difference) in table {
        assert_eq!(first_difference(&found, &expected, "entry").as_deref(), difference, "{found}");
    }
}

#[test]
fn an_object_with_its_digest_is_whole_and_each_part_of_it_is_not() {
    let entry = append_digest(b"{\n  \"a\": 1\n}".to_vec());
    let digest = ObjectHash::from_bytes(b"{\n  \"a\": 1,\n");
    let text = String::from_utf8(entry.clone()).expect("text");
    assert_eq!(text, format!("{{\n  \"a\": 1,\n  \"sha256_above\": \"{digest}\"\n}}\n"));
    assert!(has_digest(&entry));
    for end in 0..entry.len() {
        assert!(!has_digest(&entry[..end]), "{end} bytes");
    }
    assert!(!has_digest(&[entry, b"\n".to_vec()].concat()));
}
