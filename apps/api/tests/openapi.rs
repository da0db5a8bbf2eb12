//! The OpenAPI document is the committed one, is whole, and leaves nothing unexplained.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use sports_api::openapi::Document;
use sports_api::routes;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    serde_json::from_slice(Document::for_routes(routes::all).bytes()).expect("JSON")
}

/// Every operation with its name for messages.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let mut operations = Vec::new();
    for (path, item) in paths {
        for method in METHODS {
            operations.extend(item.get(method).map(|operation| (format!("{method} {path}"), operation)));
        }
    }
    assert!(!operations.is_empty());
    operations
}

fn is_written(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

#[test]
fn the_committed_document_is_what_the_code_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let committed = fs::read(file).expect("docs/openapi.json");
    assert!(
        committed == *Document::for_routes(routes::all).bytes(),
        "docs/openapi.json is out of date; run: just openapi"
    );
}

#[test]
fn every_reference_resolves() {
    fn walk(value: &Value, document: &Value) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(reference)) = fields.get("$ref") {
                    let pointer = reference.strip_prefix('#').expect("a reference within the document");
                    assert!(document.pointer(pointer).is_some(), "{reference}");
                }
                fields.values().for_each(|value| walk(value, document));
            }
            Value::Array(items) => items.iter().for_each(|value| walk(value, document)),
            _ => {}
        }
    }
    let document = document();
    walk(&document, &document);
}

#[test]
fn every_operation_explains_itself() {
    let document = document();
    let mut ids = BTreeSet::new();
    for (name, operation) in operations(&document) {
        assert!(is_written(&operation["summary"]), "{name} has no summary");
        assert!(is_written(&operation["description"]), "{name} has no description");
        let id = operation["operationId"].as_str().expect("an operation id");
        assert!(ids.insert(id.to_owned()), "{id} is the id of two operations");
        assert_eq!(operation["tags"].as_array().map(Vec::len), Some(1), "{name} belongs to one area");
        assert!(operation["security"].is_array(), "{name} does not say who may call it");
    }
}

#[test]
fn every_parameter_is_described() {
    let document = document();
    for (name, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter_name = parameter["name"].as_str().expect("a name");
            assert!(is_written(&parameter["description"]), "{parameter_name} of {name} has no description");
        }
    }
}

#[test]
fn every_answer_has_an_example() {
    let document = document();
    for (name, operation) in operations(&document) {
        let media = &operation["responses"]["200"]["content"]["application/json"];
        assert!(media.is_object(), "{name} has no JSON answer");
        assert!(media.get("example").or(media.get("examples")).is_some(), "{name} has no example");
    }
}

#[test]
fn every_operation_behind_a_key_says_how_it_refuses() {
    let document = document();
    for (name, operation) in operations(&document) {
        let public = operation["security"].as_array().expect("checked above").contains(&Value::Object(<_>::default()));
        for status in ["400", "401", "429", "500", "503"] {
            let documented = operation["responses"].get(status).is_some();
            assert!(public || documented, "{name} does not document {status}");
        }
    }
}

#[test]
fn every_area_is_described() {
    let document = document();
    let described: BTreeSet<_> =
        document["tags"].as_array().expect("tags").iter().map(|tag| &tag["name"]).map(Value::to_string).collect();
    let used: BTreeSet<_> =
        operations(&document).iter().map(|(_, operation)| operation["tags"][0].to_string()).collect();
    assert!(used.is_subset(&described), "{used:?} {described:?}");
    for tag in document["tags"].as_array().expect("tags") {
        assert!(is_written(&tag["description"]), "{tag}");
    }
}
