use actix_web::test::TestRequest;
use chrono::TimeDelta;
use futures::future::join_all;
use serde_json::{Value, json};
use sports_accounts::testing::{a_customer, a_dataset, a_key_record, an_entitlement, second};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::datasets::{Datasets, Entitlements, Grant};

use crate::support::{Answer, World};

const STATUS: &str = "/api/v1/service-sports-data/status";
const REFRESH: &str = "/api/v1/service-sports-data/refresh";
const LAST: &str = "/api/v1/service-sports-data/refresh/last";

async fn refresh(world: &World) -> Answer {
    let request = TestRequest::post().uri(REFRESH).insert_header(("Host", "api.example.com"));
    world.send_with_key(1, request).await
}

async fn refresh_under(world: &World, key: &str) -> Answer {
    let request = TestRequest::post().uri(REFRESH).insert_header(("Host", "api.example.com"));
    world.send_with_key(1, request.insert_header(("Idempotency-Key", key))).await
}

async fn used(world: &World) -> Value {
    world.get_with_key(STATUS).await.json()["refreshes_used"].clone()
}

/// Creates a subscriber who owns `historical-odds` of the NFL, with two files.
async fn owning() -> World {
    let world = World::with_subscriber().await;
    grant(&world, "historical-odds", Sport::Nfl, None).await;
    world.files.keep(b"a dataset");
    for name in ["a.csv", "b.csv"] {
        world.accounts.add_dataset(&a_dataset().called(name).build()).await.expect("answers");
    }
    world.accounts.add_dataset(&a_dataset().of_product("other", Sport::Mlb).build()).await.expect("answers");
    world
}

async fn grant(world: &World, product: &str, sport: Sport, end: Option<i64>) {
    let entitlement = an_entitlement().to(product, sport);
    let entitlement = end.map_or(entitlement.clone(), |end| entitlement.expiring(second(end))).build();
    assert_eq!(world.accounts.grant(&entitlement).await.expect("answers"), Grant::Granted);
}

#[actix_web::test]
async fn a_customer_who_owns_nothing_has_an_empty_list_and_no_refresh() {
    let world = World::with_subscriber().await;
    let expected = json!({
        "has_service_sports_data": false, "expires_at": null, "owned_products": [], "owned_sports": [],
        "refreshes_used": 0, "refreshes_remaining": 8, "refresh_limit": 8, "next_reset_at": "2025-06-01T00:00:00Z",
    });
    assert_eq!(world.get_with_key(STATUS).await.json(), expected);
    refresh(&world).await.expect_failure(403, "You own no dataset at the moment");
    assert_eq!(world.get_with_key(STATUS).await.json(), expected);
}

#[actix_web::test]
async fn owned_datasets_are_listed_until_they_expire() {
    let world = owning().await;
    grant(&world, "archive", Sport::Nba, Some(60)).await;
    let body = world.get_with_key(STATUS).await.json();
    assert_eq!(body["has_service_sports_data"], true);
    assert_eq!(body["owned_products"], json!(["archive", "historical-odds"]));
    assert_eq!(body["owned_sports"], json!(["nba", "nfl"]));
    assert_eq!(body["expires_at"], json!(null), "one of them never does");
    world.clock.advance(TimeDelta::seconds(60));
    assert_eq!(world.get_with_key(STATUS).await.json()["owned_products"], json!(["historical-odds"]));
    grant(&world, "historical-odds", Sport::Nfl, Some(90)).await;
    assert_eq!(world.get_with_key(STATUS).await.json()["expires_at"], "2025-05-01T12:01:30Z");
}

#[actix_web::test]
async fn a_refresh_gives_links_and_takes_one_of_eight() {
    let world = owning().await;
    let answer = refresh(&world).await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, Some("no-store")));
    let body = answer.json();
    assert_eq!((&body["refreshes_remaining"], &body["next_reset_at"]), (&json!(7), &json!("2025-06-01T00:00:00Z")));
    let downloads = body["downloads"].as_array().expect("a list");
    assert_eq!(downloads.len(), 2);
    for (download, name) in downloads.iter().zip(["a.csv", "b.csv"]) {
        assert_eq!((&download["sport"], &download["filename"]), (&json!("nfl"), &json!(name)));
        assert_eq!(download["expires_at"], "2025-05-01T12:15:00Z");
        let start = "http://api.example.com/downloads/historical-odds/nfl/";
        assert!(download["url"].as_str().is_some_and(|url| url.starts_with(start)), "{download}");
    }
    let status = world.get_with_key(STATUS).await.json();
    assert_eq!((&status["refreshes_used"], &status["refreshes_remaining"]), (&json!(1), &json!(7)));
}

#[actix_web::test]
async fn the_ninth_refresh_of_a_month_is_429_and_the_next_month_has_eight_more() {
    let world = owning().await;
    for left in (0..8).rev() {
        assert_eq!(refresh(&world).await.json()["refreshes_remaining"], left);
    }
    let calls = world.get_with_key("/api/v1/customers/me/usage").await.json()["monthly_requests"].clone();
    let refused = refresh(&world).await;
    assert_eq!(refused.header("retry-after"), None);
    assert_eq!(refused.header("x-ratelimit-remaining"), Some("199992"), "429 is not counted");
    assert_eq!(calls, 8);
    let detail = "Refresh limit exceeded. Limit: 8 refreshes per month; the next month begins 2025-06-01T00:00:00Z";
    refused.expect_failure(429, detail);
    world.clock.advance(TimeDelta::seconds(2_635_200));
    assert_eq!(refresh(&world).await.json()["refreshes_remaining"], 7);
}

#[actix_web::test]
async fn a_refresh_without_a_file_is_free() {
    let world = World::with_subscriber().await;
    grant(&world, "historical-odds", Sport::Nfl, None).await;
    let detail = "There is no file yet for the datasets you own; no refresh was taken";
    refresh(&world).await.expect_failure(404, detail);
    assert_eq!(world.get_with_key(STATUS).await.json()["refreshes_used"], 0);
}

#[actix_web::test]
async fn a_refresh_whose_links_would_not_open_is_free() {
    let world = owning().await;
    world.files.become_unavailable();
    let unavailable = refresh(&world).await;
    assert_eq!(unavailable.header("retry-after"), Some("2"));
    unavailable.expect_failure(503, "This part of the service is temporarily unavailable, try again");
    world.files.come_back();
    world.files.keep_as(ObjectHash::from_bytes(b"a dataset"), b"a data");
    refresh(&world).await.expect_failure(500, "Something went wrong on our side");
    world
        .accounts
        .add_dataset(&a_dataset().called("b.csv").holding(b"lost", second(0)).build())
        .await
        .expect("answers");
    world.files.keep(b"a dataset");
    refresh(&world).await.expect_failure(500, "Something went wrong on our side");
    let status = world.get_with_key(STATUS).await.json();
    assert_eq!((&status["refreshes_used"], &status["refreshes_remaining"]), (&json!(0), &json!(8)));
}

#[actix_web::test]
async fn datasets_need_an_active_subscription() {
    let world = World::new();
    world.admit(&a_customer().without_plan().build(), &a_key_record().issued(second(-60)).build()).await;
    world.get_with_key(STATUS).await.expect_failure(403, "Active subscription required");
    refresh(&world).await.expect_failure(403, "Active subscription required");
    world.get(STATUS).await.expect_failure(401, "API key required");
}

#[actix_web::test]
async fn a_refresh_is_taken_once_under_a_key() {
    let world = owning().await;
    let racing = join_all((0..4).map(|_| refresh_under(&world, "one"))).await;
    let first = racing[0].json();
    assert!(racing.iter().all(|answer| answer.status == 200 && answer.json() == first), "{first}");
    assert_eq!((used(&world).await, &first["refreshes_remaining"]), (json!(1), &json!(7)));
    let download = &first["downloads"][0];
    let hash = ObjectHash::from_bytes(b"a dataset").to_string();
    assert_eq!((&download["bytes"], &download["sha256"]), (&json!(9), &json!(hash)));
    assert_eq!(refresh_under(&world, "another").await.json()["refreshes_remaining"], 6);
    world.clock.advance(TimeDelta::hours(23));
    assert_eq!(refresh_under(&world, "one").await.json(), first, "for a day");
    world.clock.advance(TimeDelta::hours(1));
    assert_eq!(refresh_under(&world, "one").await.json()["refreshes_remaining"], 5);
    let wanted = "`Idempotency-Key` must be one text of 1 to 255 visible characters";
    for key in [String::new(), " ".to_owned(), "k".repeat(256)] {
        refresh_under(&world, &key).await.expect_failure(400, wanted);
    }
    assert_eq!(used(&world).await, 3);
}

#[actix_web::test]
async fn a_refused_refresh_is_not_kept_under_its_key() {
    let world = owning().await;
    world.files.become_unavailable();
    assert_eq!(refresh_under(&world, "one").await.status, 503);
    world.files.come_back();
    assert_eq!(refresh_under(&world, "one").await.json()["refreshes_remaining"], 7);
}

#[actix_web::test]
async fn the_links_of_the_last_refresh_are_there_while_they_live() {
    let world = owning().await;
    let last =
        async || world.send_with_key(1, TestRequest::get().uri(LAST).insert_header(("Host", "api.example.com"))).await;
    let none = "No refresh of yours has links that still open";
    last().await.expect_failure(404, none);
    let first = refresh(&world).await.json();
    assert_eq!(last().await.json(), first);
    world.clock.advance(TimeDelta::minutes(10));
    let second = refresh_under(&world, "two").await.json();
    assert_eq!((last().await.json(), &second["refreshes_remaining"]), (second.clone(), &json!(6)));
    world.clock.advance(TimeDelta::seconds(15 * 60 - 1));
    assert_eq!(last().await.json(), second);
    world.clock.advance(TimeDelta::seconds(1));
    last().await.expect_failure(404, none);
    assert_eq!(used(&world).await, 2);
}
