use serde_json::{Value, json};
use sports_program::settings::Contact;

use crate::support::World;

#[actix_web::test]
async fn the_root_has_text_fields_and_the_simulated_flag() {
    let world = World::new();
    world.generations.poll().await;
    let body = world.get("/").await.json();
    for field in ["message", "version", "commit", "docs", "security_scan", "deployment_test"] {
        assert!(body[field].as_str().is_some_and(|text| !text.is_empty()), "{field}");
    }
    assert_eq!(body.as_object().expect("an object").len(), 9);
    assert_eq!(body["simulated"], false);
    assert_eq!((&body["leagues"], &body["contact"]), (&json!([]), &Value::Null));
    assert_eq!(body["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(body["docs"], "/docs");
    assert!(body["message"].as_str().expect("text").contains("no edge is guaranteed"));
}

#[actix_web::test]
async fn another_message_can_be_provided() {
    let mut world = World::new();
    world.replace(|state| state.site.message = "Simulated data".to_owned());
    assert_eq!(world.get("/").await.json()["message"], "Simulated data");
}

#[actix_web::test]
async fn the_root_names_the_way_to_the_operator() {
    let mut world = World::new();
    let contact = Contact::new("keys@example.com").expect("a line");
    world.replace(|state| state.site.contact = Some(contact));
    assert_eq!(world.get("/").await.json()["contact"], "keys@example.com");
}
