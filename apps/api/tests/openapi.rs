//! The OpenAPI document: it is the committed one, it is complete, and everything in it is described.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sports_api::openapi::Document;
use sports_api::routes;
use sports_publication::season_table::{InSeasons, SEASON_COLUMNS};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    serde_json::from_slice(Document::for_routes(routes::all).bytes()).expect("JSON")
}

/// Returns every operation with its name for messages.
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

/// Returns a part of the document, with a reference resolved.
fn resolved<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    match part["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        Some(pointer) => document.pointer(pointer).expect("it is there"),
        None => part,
    }
}

fn parameters<'a>(document: &'a Value, operation: &'a Value) -> impl Iterator<Item = &'a Value> {
    operation["parameters"].as_array().into_iter().flatten().map(|parameter| resolved(document, parameter))
}

/// Returns every property with its schema and its name.
fn properties(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    document["components"]["schemas"].as_object().expect("schemas").iter().flat_map(|(schema, described)| {
        let parts = described["allOf"].as_array().into_iter().flatten().chain([described]);
        let properties = parts.filter_map(|part| part["properties"].as_object()).flatten();
        properties.map(move |(name, property)| (schema.as_str(), name.as_str(), property))
    })
}

/// Returns the words of a closed set: of the property, of its alternative to null, or of its items.
fn words(document: &Value, property: &Value) -> Option<BTreeSet<String>> {
    let own = property["oneOf"].as_array().and_then(|forms| forms.first()).unwrap_or(property);
    let own = resolved(document, own.get("items").unwrap_or(own));
    let words = own["enum"].as_array()?.iter().map(|word| word.as_str().expect("a word").to_owned());
    Some(words.collect())
}

fn can_be_null(property: &Value) -> bool {
    let is_null = |value: &Value| value == "null" || value["type"] == "null";
    let forms = [&property["type"], &property["oneOf"]];
    forms.into_iter().filter_map(Value::as_array).flatten().any(is_null)
}

fn is_written(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

#[test]
fn the_committed_document_is_the_one_of_the_code() {
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
fn every_operation_has_a_summary_and_a_description() {
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
fn every_parameter_is_described_and_exactly_the_required_ones_have_an_example() {
    let document = document();
    for (name, operation) in operations(&document) {
        for parameter in parameters(&document, operation) {
            let parameter_name = parameter["name"].as_str().expect("a name");
            assert!(is_written(&parameter["description"]), "{parameter_name} of {name} has no description");
            // A default beside an inlined type would be a second type, which no value has.
            assert!(parameter["schema"].get("allOf").is_none(), "{parameter_name} of {name} has two types at once");
            let examples = ["example", "examples"].into_iter().filter(|key| parameter.get(*key).is_some()).count();
            assert_eq!(examples, usize::from(parameter["required"] == true), "examples of {parameter_name} of {name}");
        }
    }
}

#[test]
fn every_operation_takes_a_request_id_and_with_an_etag_if_none_match() {
    let document = document();
    let mut with_etag = 0;
    for (name, operation) in operations(&document) {
        let headers: Vec<_> =
            parameters(&document, operation).filter(|parameter| parameter["in"] == "header").collect();
        let takes = |header: &str| headers.iter().any(|parameter| parameter["name"] == header);
        assert!(takes("X-Request-Id"), "{name}");
        let has_etag = operation["responses"]["200"]["headers"].get("ETag").is_some();
        assert_eq!(takes("If-None-Match"), has_etag, "{name}");
        assert_eq!(operation["responses"].get("304").is_some(), has_etag, "{name}");
        with_etag += usize::from(has_etag);
    }
    assert!(with_etag > 12, "{with_etag}");
}

/// The operations whose answer has no form as JSON: a table, the files of the record, and the stream.
const NOT_JSON: [&str; 8] = [
    "get /api/v1/predictions/{sport}/{model_type}/season",
    "get /api/v1/record/{sport}/checkpoint",
    "get /api/v1/record/{sport}/checkpoints/{size}",
    "get /api/v1/record/{sport}/checkpoints/{size}/timestamps/{sha256}",
    "get /api/v1/record/{sport}/proof",
    "get /api/v1/record/{sport}/tile/{tile}",
    "get /api/v1/record/{sport}/{model_type}/openings",
    "get /api/v1/stream",
];

#[test]
fn every_answer_is_json_first_with_an_example() {
    let document = document();
    for (name, operation) in operations(&document).into_iter().filter(|(name, _)| !NOT_JSON.contains(&name.as_str())) {
        let content = operation["responses"]["200"]["content"].as_object().expect("content");
        let (media, json) = content.iter().next().expect("a form");
        assert_eq!(media, "application/json", "{name}: clients take the first form for the type of the answer");
        assert!(json.get("example").or(json.get("examples")).is_some(), "{name} has no example");
    }
}

#[test]
fn an_operation_with_a_format_answers_in_each_and_parquet_is_bytes() {
    let document = document();
    let mut checked = 0;
    for (name, operation) in operations(&document) {
        let content = operation["responses"]["200"]["content"].as_object().expect("content");
        let takes_format = parameters(&document, operation).any(|parameter| parameter["name"] == "format");
        let text = json!({ "schema": { "type": "string" } });
        // Openings are NDJSON alone, so they have no parameter for it.
        if name.ends_with("/openings") {
            continue;
        }
        let expected =
            [("text/csv", &text), ("application/x-ndjson", &text), ("application/vnd.apache.parquet", &json!({}))];
        for (media, schema) in expected {
            assert_eq!(content.get(media), takes_format.then_some(schema), "{name}: {media}");
        }
        checked += usize::from(takes_format);
    }
    assert!(checked > 0);
}

/// Generated clients put the names beside types of their own and of other services.
#[test]
fn a_schemas_name_has_two_words_or_more() {
    for (name, _) in document()["components"]["schemas"].as_object().expect("schemas") {
        let words = name.chars().filter(char::is_ascii_uppercase).count();
        assert!(
            words > 1 && name.chars().all(|letter| letter.is_ascii_alphanumeric()),
            "{name} may be the name of anything"
        );
    }
}

/// The names that every league has.
const MODELS: [&str; 9] = ["IMPLIED", "AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];

/// Publishers declare models, so their names are texts of a pattern, and maps by model have further keys.
#[test]
fn the_names_of_models_are_an_open_set() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    for (schema, known) in
        [("ModelColumnCode", MODELS.to_vec()), ("SummarisedModelCode", [&MODELS[..], &["ENSEMBLE"]].concat())]
    {
        let name = &schemas[schema];
        assert_eq!((&name["type"], &name["pattern"]), (&json!("string"), &json!("^[A-Za-z][A-Za-z0-9_.-]{0,31}$")));
        let described = name["description"].as_str().expect("a description");
        assert!(known.iter().all(|model| described.contains(model)), "{described}");
    }
    for map in ["ModelProbabilities", "RollingPointsByModel", "HistoricalPointsByModel"] {
        let map = &schemas[map];
        let typed = map["properties"].as_object().expect("models");
        assert!(typed.keys().map(String::as_str).eq(sorted(MODELS)), "{map}");
        assert!(typed.values().all(|of| *of == map["additionalProperties"]), "{map}");
    }
}

fn sorted<const N: usize>(mut names: [&str; N]) -> [&str; N] {
    names.sort_unstable();
    names
}

/// The sets of the specification; where it leaves them open, all values that the service answers with.
#[test]
fn every_closed_set_is_an_enum() {
    let sides = ["over", "under", "home", "away"];
    let statuses = ["active", "inactive"];
    let sets: [(&str, Vec<&str>); 18] = [
        ("sport", ["mlb", "nba", "nfl", "nhl", "ncaaf", "ncaab"].into()),
        ("model_type", ["over_under", "won_on_points", "won_on_spread"].into()),
        ("market", ["over_under", "moneyline", "spread"].into()),
        ("signal", ["Line", "Δ Edge", "Hybrid"].into()),
        ("outcome", ["win", "loss", "push"].into()),
        ("side", sides.into()),
        ("pick_side", sides.into_iter().chain(["none"]).collect()),
        ("reason", ["missing_price", "unverified_finality"].into()),
        ("price_basis", ["recorded", "recorded_moneyline", "flat_-110"].into()),
        ("accounting", ["legacy_v1", "recorded_v2"].into()),
        ("ungraded_reason", ["no_final", "no_line", "push", "no_prediction"].into()),
        ("forecast_source", ["live", "walk_forward"].into()),
        ("model_probability_source", ["recorded", "walk_forward", "reconstructed_oos"].into()),
        ("tier", ["ai", "free"].into()),
        ("api_plan", ["ai"].into()),
        ("api_subscription_status", statuses.into()),
        ("subscription_status", statuses.into()),
        ("slate", statuses[..1].iter().copied().chain(["none"]).collect()),
    ];
    let document = document();
    for (field, expected) in sets {
        let expected: BTreeSet<_> = expected.into_iter().map(str::to_owned).collect();
        let mut found = 0;
        for (schema, property) in
            properties(&document).filter(|(_, name, _)| *name == field).map(|(of, _, property)| (of, property))
        {
            let Some(words) = words(&document, property) else {
                // Counts by these words have the same name.
                let counts = resolved(&document, property)["type"] == "object";
                assert!(counts, "{field} of {schema} is no enum");
                continue;
            };
            // One page of three has a single model type.
            let is_one = words.len() == 1 && words.is_subset(&expected);
            assert!(words == expected || is_one, "{field} of {schema}: {words:?}");
            found += 1;
        }
        assert!(found > 0, "no schema has {field}");
    }
    let strategies = words(&document, &document["components"]["schemas"]["StrategyEntry"]["properties"]["id"]);
    assert_eq!(strategies.map(|ids| ids.len()), Some(32), "sixteen of totals, and sixteen of the other markets");
    for points in ["RollingPointsByModel", "HistoricalPointsByModel"] {
        let curves = document["components"]["schemas"][points]["properties"].as_object().expect("models");
        assert_eq!(curves.keys().map(String::as_str).collect::<BTreeSet<_>>(), BTreeSet::from(MODELS));
    }
}

#[test]
fn a_page_of_predictions_is_distinguished_by_its_model_type() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let pages = schemas["PredictionsPage"]["oneOf"].as_array().expect("pages");
    let described = pages.iter().map(|page| {
        let page = resolved(&document, page);
        let games = &page["properties"]["games"]["items"]["$ref"];
        let model_type = resolved(&document, &page["properties"]["model_type"]);
        (model_type["enum"].clone(), games.as_str().expect("games").to_owned())
    });
    let expected = [
        ("over_under", "TotalPrediction"),
        ("won_on_points", "MoneylinePrediction"),
        ("won_on_spread", "SpreadPrediction"),
    ];
    let expected = expected.map(|(code, games)| (json!([code]), format!("#/components/schemas/{games}")));
    assert_eq!(described.collect::<Vec<_>>(), expected);
}

#[test]
fn a_result_row_has_every_column_and_may_have_others() {
    let document = document();
    let row = &document["components"]["schemas"]["ResultRow"];
    assert_eq!(row["additionalProperties"], true);
    let columns: BTreeSet<_> = row["properties"].as_object().expect("columns").keys().map(String::as_str).collect();
    let shown = SEASON_COLUMNS.iter().filter(|column| column.in_seasons != InSeasons::None);
    let known: BTreeSet<_> = shown.map(|column| column.name).collect();
    assert_eq!(columns, known);
    assert!(columns.is_superset(&BTreeSet::from(["AI", "match_id", "game_number"])));
}

/// The beginnings of the columns of a market in a row of games.
const MARKETS: [&str; 3] = ["moneyline_", "spread_", "total_"];

#[test]
fn a_game_row_has_the_columns_of_a_result_row_three_times_and_its_identity_once() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let columns = |schema: &str| {
        let columns = schemas[schema]["properties"].as_object().expect("columns");
        columns.keys().cloned().collect::<BTreeSet<_>>()
    };
    let once =
        ["date", "time_est", "season", "game_type", "away_team", "home_team", "game_number", "game_id", "match_id"];
    let outcomes = [("won_on_points", MARKETS[0]), ("won_on_spread", MARKETS[1]), ("over", MARKETS[2])];
    let mut expected: BTreeSet<_> = once.map(str::to_owned).into();
    for column in columns("ResultRow").iter().filter(|column| !once.contains(&column.as_str())) {
        let of_one = outcomes.iter().find(|(outcome, _)| outcome == column).map(|(_, market)| market);
        let markets = MARKETS.iter().filter(|market| of_one.is_none_or(|of| of == *market));
        expected.extend(markets.map(|market| format!("{market}{column}")));
    }
    assert_eq!(columns("GameRow"), expected);
    assert_eq!(schemas["GameRow"]["additionalProperties"], true);
    let example = &document["paths"]["/api/v1/games/{sport}"]["get"]["responses"]["200"]["content"]["application/json"];
    let example = example["example"]["games"][0].as_object().expect("a game");
    for name in schemas["GameRow"]["required"].as_array().expect("names") {
        assert!(example.contains_key(name.as_str().expect("a name")), "the example lacks {name}");
    }
}

#[test]
fn each_accounting_parameter_has_its_default() {
    let document = document();
    let defaults: Vec<_> = operations(&document)
        .into_iter()
        .flat_map(|(_, operation)| {
            let id = operation["operationId"].as_str().expect("an id").to_owned();
            let accounting = parameters(&document, operation).filter(|parameter| parameter["name"] == "accounting");
            accounting.map(move |parameter| (id.clone(), parameter["schema"]["default"].clone())).collect::<Vec<_>>()
        })
        .collect();
    let expected = [("list_strategies", "legacy_v1"), ("replay_strategy", "recorded_v2")];
    assert_eq!(defaults, expected.map(|(id, default)| (id.to_owned(), json!(default))));
}

#[test]
fn every_field_that_can_be_null_is_explained() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/answers.md");
    let page = fs::read_to_string(page).expect("the page");
    let document = document();
    let nullable = properties(&document).filter(|(_, _, property)| can_be_null(property));
    let missing: BTreeSet<_> = nullable
        .filter(|(_, field, _)| {
            let base = field.trim_end_matches(" 1W").trim_end_matches(" 4W");
            // Columns of games are those of results, behind the word of a market.
            let of_market = MARKETS.iter().find_map(|market| field.strip_prefix(market)).unwrap_or(base);
            ![*field, base, of_market].iter().any(|name| page.contains(&format!("`{name}`")))
        })
        .map(|(schema, field, _)| format!("{schema}.{field}"))
        .collect();
    assert!(missing.is_empty(), "docs/answers.md does not say why these can be null: {missing:?}");
}

#[test]
fn every_operation_behind_a_key_documents_its_refusals() {
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
