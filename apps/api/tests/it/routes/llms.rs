use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::Value;

use crate::support::World;

/// Returns the targets of the links of a text.
fn links(text: &str) -> Vec<&str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(')')?.0))
        .filter(|link| !link.contains(' '))
        .collect()
}

/// Returns the anchors of a page's headings: lower case, without punctuation, hyphens for spaces.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let of = |heading: &str| {
        heading
            .to_lowercase()
            .replace(|symbol: char| !(symbol.is_alphanumeric() || " -_".contains(symbol)), "")
            .replace(' ', "-")
    };
    let named = page.split("<a id=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
    headings.map(of).chain(named).collect()
}

#[actix_web::test]
async fn the_index_and_the_pages_are_served_to_anybody_as_text() {
    let world = World::new();
    for (path, media_type, begins) in [
        ("/llms.txt", "text/plain; charset=utf-8", "# Sports model data\n\n> "),
        ("/llms-full.txt", "text/plain; charset=utf-8", "# Using the API\n"),
        ("/docs/answers.md", "text/markdown; charset=utf-8", "# Reading the answers\n"),
    ] {
        let answer = world.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some(media_type)), "{path}");
        assert!(answer.text.starts_with(begins), "{path}");
        assert_eq!(answer.header("cache-control"), Some("public, no-cache"), "{path}");
        let etag = answer.header("etag").expect("a name").to_owned();
        let again = world.send(TestRequest::get().uri(path).insert_header(("If-None-Match", etag))).await;
        assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""), "{path}");
        let head = world.send(TestRequest::default().method(Method::HEAD).uri(path)).await;
        assert_eq!(head.status.as_u16(), 200, "{path}");
        let posted = world.send(TestRequest::post().uri(path)).await;
        assert_eq!(posted.status.as_u16(), 405, "{path}");
    }
}

#[actix_web::test]
async fn the_index_has_the_form_of_llmstxt_and_names_every_operation() {
    let world = World::new();
    let index = world.get("/llms.txt").await.text;
    let listed = index.split_once("\n## ").expect("a section").1;
    for line in listed.lines().filter(|line| !line.is_empty()).skip(1) {
        let is_item = line
            .strip_prefix("- [")
            .and_then(|item| item.split_once("]("))
            .is_some_and(|(_, rest)| rest.split_once("): ").is_some_and(|(_, summary)| summary.ends_with('.')));
        assert!(is_item || line.starts_with("## "), "{line}");
    }
    // That of the service: this world has paths of its own.
    let document =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json")).expect("a file");
    let document: Value = serde_json::from_str(&document).expect("a document");
    let mut operations = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("operations").keys().filter(|name| *name != "parameters") {
            let name = format!("- [{} {path}](", method.to_uppercase());
            assert_eq!(index.matches(&name).count(), 1, "{name}");
            operations += 1;
        }
    }
    assert_eq!(index.matches("(docs/endpoints.md#").count(), operations);
}

#[actix_web::test]
async fn every_link_of_the_index_and_of_the_pages_answers() {
    let world = World::new();
    let mut served = BTreeMap::new();
    let mut texts = vec!["/llms.txt".to_owned(), "/llms-full.txt".to_owned()];
    let mut followed = 0;
    while let Some(path) = texts.pop() {
        let text = fetched(&world, &mut served, &path).await;
        let folder = &path[..=path.rfind('/').expect("a folder")];
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { format!("{folder}{file}") };
            if is_markdown(&target) && !served.contains_key(&target) {
                texts.push(target.clone());
            }
            let page = fetched(&world, &mut served, &target).await;
            assert!(fragment.is_empty() || anchors(&page).contains(fragment), "{path} has a link to {link}");
            followed += 1;
        }
    }
    assert!(followed > 150, "{followed}");
    let whole = &served["/llms-full.txt"];
    let pages: Vec<_> = served.iter().filter(|(path, _)| is_markdown(path)).collect();
    assert_eq!(pages.len(), 9);
    for (path, page) in pages {
        let last = page.lines().rfind(|line| !line.is_empty() && !line.contains("](")).expect("a line");
        assert!(page.starts_with("# ") && whole.contains(last), "{path}: {last}");
    }
}

fn is_markdown(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extension == "md")
}

/// Returns the answer to a path, requested once: addresses are limited.
async fn fetched(world: &World, served: &mut BTreeMap<String, String>, path: &str) -> String {
    if !served.contains_key(path) {
        let answer = world.get(path).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}");
        served.insert(path.to_owned(), answer.text);
    }
    served[path].clone()
}
