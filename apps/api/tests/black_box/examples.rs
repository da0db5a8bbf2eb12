//! The examples of the document as requests that a newcomer can send: the documentation page fills them in.

use reqwest::Method;
use serde_json::{Value, json};

use crate::demo::Demo;
use crate::operations::STREAM;
use crate::service::Answer;

/// The request of one operation, made from its examples.
struct Example {
    method: Method,
    path: String,
    body: Option<Value>,
}

impl Example {
    fn from_document(method: &str, template: &str, operation: &Value, (game, size): (&str, u64)) -> Self {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let is_of_a_game = parameters.clone().any(|parameter| parameter["name"] == "game_id");
        let of_path = parameters.clone().filter(|parameter| parameter["in"] == "path");
        let path = of_path.fold(template.to_owned(), |path, parameter| {
            let text =
                |key: &str| parameter[key].as_str().unwrap_or_else(|| panic!("{template}: {key} of {parameter}"));
            let example = if text("name") == "size" { size.to_string() } else { text("example").to_owned() };
            path.replace(&format!("{{{}}}", text("name")), &example)
        });
        let required =
            parameters.clone().filter(|parameter| parameter["in"] == "query" && parameter["required"] == true);
        let required =
            required.map(|parameter| format!("&{}={}", parameter["name"], parameter["example"]).replace('"', ""));
        let required: String = required.collect();
        let path = if is_of_a_game { format!("{path}?game_id={game}{required}") } else { path };
        let method = method.to_uppercase().parse().expect("a method");
        let body = operation["requestBody"]["content"]["application/json"].get("example").cloned();
        Self { method, path, body }
    }
}

/// Returns the requests of all operations; the one that revokes a key is last. A history is of a game that the demo quotes: its
/// games have other dates each day. So have its trees other sizes.
fn examples(document: &Value, named: (&str, u64)) -> Vec<Example> {
    let paths = document["paths"].as_object().expect("paths").iter().filter(|(template, _)| *template != STREAM);
    let of_path = |(template, item): (&String, &Value)| {
        let methods = item.as_object().expect("operations").iter();
        methods
            .map(|(method, operation)| Example::from_document(method, template, operation, named))
            .collect::<Vec<_>>()
    };
    let mut examples: Vec<_> = paths.flat_map(of_path).collect();
    examples.sort_by_key(|example| example.method == Method::DELETE);
    examples
}

#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn every_operation_answers_200_to_its_own_examples_on_the_demo() {
    let folder = tempfile::tempdir().expect("a folder");
    let Demo(service) = Demo::still(folder.path(), &[]).await;
    let document = service.get("/openapi.json").await.json();
    let odds = service.get("/api/v1/odds/nfl").await.json();
    let game = odds["games"][0]["game_id"].as_str().expect("a game").to_owned();
    let checkpoints = service.get("/api/v1/record/nfl/checkpoints").await.json();
    let newest = checkpoints["checkpoints"].as_array().and_then(|list| list.last()).expect("a signed checkpoint");
    let examples = examples(&document, (&game, newest["size"].as_u64().expect("a size")));
    assert!(examples.len() > 30, "{} operations", examples.len());
    let address = json!({ "url": "https://example.com/" });
    let webhook = Answer::to(service.call(Method::POST, "/api/v1/customers/me/webhooks").json(&address)).await.json();
    let webhook = webhook["id"].as_str().expect("an id").to_owned();
    for Example { method, path, body } in &examples {
        let path = path.replace("wh_3f1d0c9b8a7e6d5c4b3a291807f6e5d4", &webhook);
        let request = service.call(method.clone(), &path);
        let request = if let Some(body) = body { request.json(body) } else { request };
        let answer = Answer::to(request).await;
        // A demo uses no timestamp server.
        let expected = if path.contains("/timestamps/") { 404 } else { 200 };
        assert_eq!(answer.status, expected, "{method} {path}: {}", answer.text());
    }
    let last = examples.iter().rfind(|example| example.path.contains("api-keys")).expect("some");
    let again = Answer::to(service.call(last.method.clone(), &last.path)).await;
    assert_eq!((&last.method, again.status), (&Method::DELETE, 404), "the spare key was revoked: {}", again.text());
}
