use serde_json::json;
use sports_testkit::publication::contract::a_catalog;

use super::*;

/// Returns the newest entry, as a program of an earlier form would have written it.
fn earlier(form: u32) -> Value {
    let mut entry: Value = serde_json::from_slice(&write(&a_catalog(2, "second")).expect("written")).expect("JSON");
    remove_fields(&mut entry, &[own_digest::FIELD]);
    in_form(form, entry, &Value::Null)
}

/// Reads an entry without its form.
fn read(bytes: &[u8]) -> Result<Catalog, DecodeError> {
    super::read(bytes).map(|(catalog, _)| catalog)
}

fn is_read(entry: &Value) -> bool {
    read(entry.to_string().as_bytes()).is_ok()
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
    let error = read(br#"{"schema_version": 8, "anything": true}"#).expect_err("unknown form");
    assert!(error.to_string().contains("schema_version 8"));
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

#[test]
fn entries_of_earlier_forms_are_read() {
    for form in OLDEST_READ..FIRST_WITH_DIGEST {
        assert!(is_read(&earlier(form)), "form {form}");
    }
    // The first versions did not write file names, and empty fields are omitted.
    let mut first = earlier(1);
    remove_fields(&mut first["results"][0], &["object"]);
    assert!(is_read(&first));
    let mut third = earlier(3);
    remove_fields(&mut third, &["earlier_run", "frozen_games"]);
    assert!(is_read(&third));
    for seed in ["form_one", "everything", "slate", "seasons", "leap_second"] {
        let seed = format!("{}/../../fuzz/seeds/catalog/{seed}", env!("CARGO_MANIFEST_DIR"));
        // The first byte selects the league.
        let entry = &std::fs::read(&seed).expect("the seed")[1..];
        read(entry).unwrap_or_else(|error| panic!("{seed}: {error}"));
    }
}

#[test]
fn an_entry_of_an_earlier_form_has_the_fields_of_its_form_and_no_others() {
    for form in OLDEST_READ..FIRST_WITH_DIGEST {
        let entry = earlier(form);
        for (path, name) in fields(&entry) {
            let unknown = changed(&entry, &path, |object| {
                let value = object.remove(&name).expect("there");
                object.insert(format!("{name}_"), value);
            });
            assert!(!is_read(&unknown), "form {form}: {path}/{name}_");
            let may_be_left_out = ["earlier_run", "frozen_games", "object"].contains(&name.as_str());
            let missing = changed(&entry, &path, |object| drop(object.remove(&name)));
            assert!(!is_read(&missing) || may_be_left_out, "form {form}: without {path}/{name}");
        }
        let later = [
            ("clock", json!("system")),
            ("odds", Value::Null),
            (own_digest::FIELD, json!("")),
            ("overrides", json!(["time-zone"])),
            ("replaced", json!([])),
        ];
        for (name, value) in later.into_iter().filter(|(name, _)| entry.get(name).is_none()) {
            let later = changed(&entry, "", |object| drop(object.insert(name.to_owned(), value)));
            assert!(!is_read(&later), "form {form} with {name}");
        }
    }
}

/// Returns an entry with the digest of its text.
fn with_digest(entry: &Value) -> Vec<u8> {
    own_digest::append_to(serde_json::to_vec_pretty(entry).expect("JSON"))
}

#[test]
fn an_entry_without_a_tree_has_form_six_exactly_if_it_has_an_exception_or_models() {
    let exceptional = Catalog { tree: None, ..a_catalog(2, "second") };
    let mut usual = Catalog { exceptions: Exceptions::default(), models: None, ..exceptional.clone() };
    usual.results.values_mut().for_each(|entry| entry.models.clear());
    for (catalog, form) in [(&exceptional, 6), (&usual, 5)] {
        let bytes = write(catalog).expect("written");
        let mut entry: Value = serde_json::from_slice(&bytes).expect("JSON");
        assert_eq!(entry["schema_version"], form);
        assert_eq!(&read(&bytes).expect("an entry"), catalog);
        remove_fields(&mut entry, &[own_digest::FIELD]);
        let other_form = changed(&entry, "", |fields| drop(fields.insert("schema_version".into(), (11 - form).into())));
        assert!(read(&with_digest(&entry)).is_ok());
        assert!(read(&with_digest(&other_form)).is_err(), "form {form} under the other number");
        for (field, value) in [("overrides", json!(["weather"])), ("overrides", json!([])), ("replaced", json!([]))] {
            let other = changed(&entry, "", |fields| drop(fields.insert(field.to_owned(), value)));
            assert!(read(&with_digest(&other)).is_err(), "form {form}: {other}");
        }
    }
}

#[test]
fn an_entry_with_a_tree_has_form_seven_and_every_other_does_not() {
    let bytes = write(&a_catalog(2, "second")).expect("written");
    let mut entry: Value = serde_json::from_slice(&bytes).expect("JSON");
    remove_fields(&mut entry, &[own_digest::FIELD]);
    assert_eq!((&entry["schema_version"], super::read(&bytes).expect("an entry").1), (&json!(7), 7));
    let without = changed(&entry, "", |fields| drop(fields.remove("record")));
    for (other, form) in [(&without, 7), (&entry, 6), (&entry, 5)] {
        let other = changed(other, "", |fields| drop(fields.insert("schema_version".into(), form.into())));
        assert!(read(&with_digest(&other)).is_err(), "{form}");
    }
    // A form-6 entry is one that lacks the tree alone.
    let sixth = changed(&without, "", |fields| drop(fields.insert("schema_version".into(), 6.into())));
    assert!(read(&with_digest(&sixth)).is_ok());
}

#[test]
fn the_tree_of_an_entry_has_one_form() {
    let bytes = write(&a_catalog(2, "second")).expect("written");
    let mut entry: Value = serde_json::from_slice(&bytes).expect("JSON");
    remove_fields(&mut entry, &[own_digest::FIELD]);
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
fn a_flipped_bit_in_a_name_a_hash_or_a_file_name_of_an_earlier_entry_is_detected() {
    let entry = earlier(3);
    let text = entry.to_string();
    let names = fields(&entry).into_iter().map(|(_, name)| format!("\"{name}\":"));
    let artifact = &entry["results"][0];
    let hashes = ["object", "sha256"].map(|field| format!("\"{field}\":{}", artifact[field]));
    for flipped in names.chain(hashes) {
        for (start, _) in text.match_indices(&flipped) {
            for (at, bit) in (start..start + flipped.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                assert!(read(&bytes).is_err(), "bit {bit} of byte {at}: {flipped}");
            }
        }
    }
}
