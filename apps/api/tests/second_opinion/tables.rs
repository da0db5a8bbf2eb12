//! Answers with own models in each format, compared with the same opinion.

use std::fs;

use serde_json::{Value, json};

use crate::figures::{agree, object};
use crate::python;
use crate::site::Site;

/// The formats of a table.
const FORMATS: [&str; 3] = ["csv", "ndjson", "parquet"];

/// An answer with rows.
struct Answer<'o> {
    /// The address below `/api/v1`, with a query.
    path: String,
    /// The field of the JSON answer that has the rows.
    field: &'static str,
    /// The opinion about the rows.
    opinion: Opinion<'o>,
}

/// An opinion about rows.
enum Opinion<'o> {
    /// The rows, which may have more fields in the answer.
    Rows(&'o Value),
    /// The entry of a strategy, of which the rows are the bets.
    Bets(&'o Value),
}

impl Opinion<'_> {
    fn compare(&self, rows: &Value, place: &str) {
        match self {
            Self::Rows(theirs) => agree(&flat(rows), &flat(theirs), place),
            Self::Bets(entry) => {
                let bets = rows.as_array().expect("rows");
                assert_eq!(json!(bets.len()), entry["stakes"], "{place}");
                let total = bets.last().map_or(json!(0.0), |bet| bet["total"].clone());
                agree(&total, &entry["profit_units"], place);
            }
        }
    }
}

/// Returns rows with the records in them as a table has them: `picks_won` for the field `won` of `picks`.
fn flat(rows: &Value) -> Value {
    let flat = |row: &Value| {
        let fields = object(row).iter().flat_map(|(name, value)| match value {
            Value::Object(record) if record.contains_key("won") => {
                record.iter().map(|(field, value)| (format!("{name}_{field}"), value.clone())).collect()
            }
            value => vec![(name.clone(), value.clone())],
        });
        Value::Object(fields.collect())
    };
    rows.as_array().expect("rows").iter().map(flat).collect()
}

/// Returns the answers of a market with rows of, or about, own models.
fn answers<'o>(market: &str, season: &str, opinion: &'o Value) -> Vec<Answer<'o>> {
    let answer = |path: String, field, opinion| Answer { path, field, opinion };
    let rows = |name: &str| Opinion::Rows(&opinion[name]);
    let mut answers = vec![
        answer(format!("summary/{market}?"), "summaries", rows("summaries")),
        answer(format!("results/{market}/team-form?"), "teams", rows("teams")),
        answer(format!("results/{market}?season={season}&limit=100000"), "results", rows("values")),
    ];
    for (model, of_model) in object(&opinion["own"]) {
        for accounting in ["legacy_v1", "recorded_v2"] {
            let path = format!("strategies/{market}?accounting={accounting}&model={model}");
            answers.push(answer(path, "strategies", Opinion::Rows(&of_model[accounting])));
        }
        for entry in of_model["recorded_v2"].as_array().expect("strategies") {
            let id = entry["id"].as_str().expect("an id");
            if id.starts_with("follow_edge") {
                let path = format!("strategies/{market}/{id}/replay?accounting=recorded_v2&model={model}");
                answers.push(answer(path, "rows", Opinion::Bets(entry)));
            }
        }
    }
    answers
}

/// Returns the names of a table's columns.
fn names(table: &Value) -> Vec<&str> {
    table["columns"].as_array().expect("names").iter().filter_map(Value::as_str).collect()
}

/// Compares all answers about own models that have rows, in four formats.
pub async fn compare_formats(site: &Site, market: &str, season: &str, opinion: &Value) {
    let answers = answers(market, season, opinion);
    let folder = tempfile::tempdir().expect("a folder");
    for (number, Answer { path, field, opinion }) in answers.iter().enumerate() {
        let path = format!("/api/v1/{path}");
        opinion.compare(&site.get(&path).await[field], &path);
        for format in FORMATS {
            let table = site.bytes(&format!("{path}&format={format}")).await;
            fs::write(folder.path().join(format!("{number}.{format}")), table).expect("written");
        }
    }
    let tables = python::answer("tables.py", "pyarrow", &[folder.path().as_os_str()]);
    let tables = tables.expect("the packages of the opinion include pyarrow");
    for (number, Answer { path, opinion, .. }) in answers.iter().enumerate() {
        let [csv, ndjson, parquet] = FORMATS.map(|format| &tables[format!("{number}.{format}")]);
        assert_eq!(csv["columns"], parquet["columns"], "{path}");
        // A line leaves out some columns without a value, such as the run of a forecast.
        let (columns, of_line) = (names(csv), names(ndjson));
        let columns: Vec<_> = columns.into_iter().filter(|column| of_line.contains(column)).collect();
        assert_eq!(of_line, columns, "{path}");
        for (table, format) in [csv, ndjson, parquet].into_iter().zip(FORMATS) {
            opinion.compare(&table["rows"], &format!("{path} as {format}"));
        }
    }
    // DOUBLE also for a model that knows no fractions.
    let results = answers.iter().position(|answer| answer.field == "results").expect("the rows");
    let types = &tables[format!("{results}.parquet")]["types"];
    assert!(object(&opinion["own"]).keys().all(|model| types[model] == "double"), "{market}: {types}");
}
