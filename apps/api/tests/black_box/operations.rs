//! The operations in a running server's document.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::Service;

/// Values for the parameters of paths.
const PARTS: [(&str, &str); 9] = [
    ("{sport}", "nfl"),
    ("{model_type}", "won_on_spread"),
    ("{market}", "spread"),
    ("{strategy_id}", "follow_line_home"),
    ("{date}", "2024-01-06"),
    ("{date_str}", "2024-01-06"),
    ("{id}", "wh_3f1d0c9b8a7e6d5c4b3a291807f6e5d4"),
    ("{api_key}", "sk_service_aaaa*****"),
    ("{tile}", "0/000.p/1"),
];

/// The path of streams, whose answers have no end: `stream.rs` has their tests.
pub const STREAM: &str = "/api/v1/stream";

/// One method of one path, from the server's own document.
pub struct Operation {
    pub method: Method,
    /// The path with its parameters in braces.
    pub template: String,
    /// The statuses that the document declares.
    pub declared: BTreeSet<u16>,
    /// True if the operation is open to callers without a key.
    pub public: bool,
    /// The names of the query parameters.
    pub takes: Vec<String>,
    /// The size and the hash of a timestamp in the list of checkpoints, or others that no checkpoint has.
    checkpoint: [(&'static str, String); 2],
}

impl Operation {
    /// Returns the path with a value for every parameter.
    pub fn path(&self) -> String {
        let path = PARTS.iter().fold(self.template.clone(), |path, (name, value)| path.replace(name, value));
        self.checkpoint.iter().fold(path, |path, (name, value)| path.replace(name, value))
    }

    /// Returns true if the operation is about one game, which a query has to name.
    pub fn is_of_a_game(&self) -> bool {
        self.takes.iter().any(|name| name == "match_id")
    }

    fn from_document(
        method: &str,
        template: &str,
        operation: &Value,
        checkpoint: &[(&'static str, String); 2],
    ) -> Self {
        let responses = operation["responses"].as_object().expect("responses");
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let takes = parameters.filter(|parameter| parameter["in"] == "query");
        Self {
            method: method.to_uppercase().parse().expect("a method"),
            template: template.to_owned(),
            declared: responses.keys().map(|status| status.parse().expect("a number")).collect(),
            public: operation["security"].as_array().is_some_and(|ways| ways.contains(&json!({}))),
            takes: takes.map(|parameter| parameter["name"].as_str().expect("a name").to_owned()).collect(),
            checkpoint: checkpoint.clone(),
        }
    }
}

/// Returns all operations whose answers end.
pub async fn all(service: &Service) -> Vec<Operation> {
    let document = service.get("/openapi.json").await.json();
    let paths = document["paths"].as_object().expect("paths");
    let listed = service.until("/api/v1/record/nfl/checkpoints", |answer| answer.status == 200).await.json();
    let newest = &listed["checkpoints"][0];
    let size = newest["size"].as_u64().unwrap_or(1).to_string();
    let timestamp = newest["timestamps"][0].as_str().map_or_else(|| "0".repeat(64), str::to_owned);
    let checkpoint = [("{size}", size), ("{sha256}", timestamp)];
    let of_path = |(template, item): (&String, &Value)| {
        let methods = item.as_object().expect("operations").iter();
        let operation =
            |(method, operation): (&String, &Value)| Operation::from_document(method, template, operation, &checkpoint);
        methods.map(operation).collect::<Vec<_>>()
    };
    paths.iter().filter(|(template, _)| *template != STREAM).flat_map(of_path).collect()
}
