//! A dataset's path from an operator's file to a customer's disk.

use futures::future::join_all;
use serde_json::json;

use crate::connections::client::Client;
use crate::service::{Answer, Customer, Site, eventually};

const STATUS: &str = "/api/v1/service-sports-data/status";
const REFRESH: &str = "/api/v1/service-sports-data/refresh";
const PRODUCT: &str = "historical-odds";
const CONTENT: &[u8] = b"date,away,home\n2024-11-24,min,chi\n";

/// The SHA-256 of the content, computed with `sha256sum`.
const HASH: &str = "a49ee79ddd906ffe4bdf9ea5e8acbda180282a70c90cc8fd357dc8edeccbc3de";

/// Creates a customer who owns one file.
fn with_an_owner() -> (Site, String, String) {
    let site = Site::empty();
    site.add_dataset(PRODUCT, "nfl.csv", CONTENT);
    let (id, key) = site.customer("owner@example.com", "ai");
    site.entitle(&id, PRODUCT);
    (site, id, key)
}

async fn url(customer: &Customer<'_>) -> String {
    let refreshed = customer.post(REFRESH).await;
    assert_eq!(refreshed.status, 200, "{}", refreshed.text());
    refreshed.json()["downloads"][0]["url"].as_str().expect("a link").to_owned()
}

#[tokio::test]
async fn a_customer_downloads_the_operators_file() {
    let (site, _, key) = with_an_owner();
    let service = site.serve().await;
    let owner = service.with_key(&key);
    let status = owner.get(STATUS).await.json();
    assert_eq!((&status["has_service_sports_data"], &status["refresh_limit"]), (&json!(true), &json!(8)));
    assert_eq!((&status["owned_products"], &status["owned_sports"]), (&json!([PRODUCT]), &json!(["nfl"])));

    let url = url(&owner).await;
    let file = Answer::to(service.fetch(&url)).await;
    assert_eq!((file.status, &file.body[..]), (200, CONTENT));
    assert_eq!(file.header("content-length"), Some("34"));
    let part = Answer::to(service.fetch(&url).header("Range", "bytes=5-13")).await;
    assert_eq!((part.status, &part.body[..]), (206, &CONTENT[5..14]));
    let compressed = Answer::to(service.fetch(&url).header("Accept-Encoding", "gzip, br, zstd")).await;
    assert_eq!((&compressed.body[..], compressed.header("content-length")), (CONTENT, Some("34")));
    let etag = file.header("etag").expect("an etag");
    assert_eq!(Answer::to(service.fetch(&url).header("If-None-Match", etag)).await.status, 304);
    let head = Answer::to(service.head(&url)).await;
    assert_eq!((head.status, head.header("content-length"), head.body.len()), (200, Some("34"), 0));
    let head = Answer::to(service.head(&url).header("Range", "bytes=5-13")).await;
    assert_eq!((head.status, head.header("content-length")), (200, Some("34")));
}

/// The first refresh reads the whole file, so each client has gone long before its answer.
#[tokio::test]
async fn a_refresh_whose_client_is_gone_is_not_taken() {
    let (site, _, key) = with_an_owner();
    site.add_dataset(PRODUCT, "large.csv", &vec![b'x'; 32 << 20]);
    let service = site.serve().await;
    let gone = join_all((0..8).map(|_| async {
        let mut client = Client::connect(&service).await;
        let head = format!("POST {REFRESH} HTTP/1.1\r\nHost: a\r\nX-API-Key: {key}\r\nContent-Length: 0\r\n\r\n");
        client.send(head).await;
    }));
    gone.await;
    let refusals = || site.log().matches("POST /api/v1/service-sports-data/refresh answered 400").count();
    eventually("eight refusals", || refusals() == 8).await;
    let owner = service.with_key(&key);
    owner.until(STATUS, |answer| answer.json()["refreshes_used"] == 0).await;
    for left in (0..8).rev() {
        assert_eq!(owner.post(REFRESH).await.json()["refreshes_remaining"], left);
    }
}

#[tokio::test]
async fn a_large_file_arrives_whole() {
    let (site, _, key) = with_an_owner();
    let large: Vec<u8> = (0..20_000_000_u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    site.add_dataset(PRODUCT, "nfl.csv", &large);
    let service = site.serve().await;
    let url = url(&service.with_key(&key)).await;
    assert!(Answer::to(service.fetch(&url)).await.body == large);
}

#[tokio::test]
async fn links_survive_a_restart_but_not_another_secret() {
    let (site, _, key) = with_an_owner();
    let service = site.serve().await;
    let link = url(&service.with_key(&key)).await;
    let path = link.splitn(4, '/').nth(3).map(|path| format!("/{path}")).expect("a path");
    service.stop();
    let service = site.serve().await;
    assert_eq!(Answer::to(service.request(&path)).await.status, 200, "the secret is kept in the database");
    service.stop();
    let secret = ("SPORTS_DOWNLOADS__SECRET", "another secret, of an operator's own making");
    let service = site.serve_with(&[secret]).await;
    let refused = Answer::to(service.request(&path)).await;
    assert_eq!(refused.failure(403), "This link was not made by this service, or was changed since");
}

#[tokio::test]
async fn links_have_the_public_address_if_one_is_set() {
    let (site, _, key) = with_an_owner();
    let service = site.serve_with(&[("SPORTS_HTTP__PUBLIC_URL", "https://api.example.com/v/")]).await;
    let url = url(&service.with_key(&key)).await;
    assert!(url.starts_with("https://api.example.com/v/downloads/historical-odds/nfl/"), "{url}");
}

#[tokio::test]
async fn a_refresh_with_a_lost_file_is_free_and_logs_the_loss() {
    let (site, _, key) = with_an_owner();
    let service = site.serve().await;
    let owner = service.with_key(&key);
    let link = url(&owner).await;
    let (store, kept) = (site.place.store(), site.place.path().join("kept"));
    std::fs::rename(&store, &kept).expect("moved");
    Answer::to(service.fetch(&link)).await.failure(503);
    let unavailable = owner.post(REFRESH).await;
    assert_eq!(unavailable.header("retry-after"), Some("2"));
    unavailable.failure(503);
    std::fs::rename(&kept, &store).expect("moved back");
    assert_eq!(Answer::to(service.fetch(&link)).await.status, 200);

    let object = store.join("datasets/objects").join(HASH);
    std::fs::write(&object, &CONTENT[..20]).expect("cut short");
    Answer::to(service.fetch(&link)).await.failure(500);
    owner.post(REFRESH).await.failure(500);
    std::fs::remove_file(&object).expect("removed");
    owner.post(REFRESH).await.failure(500);
    assert_eq!(owner.get(STATUS).await.json()["refreshes_used"], 1);
    let log = site.log();
    for fault in ["has 20 bytes and not the 34 on record", "is missing"] {
        let logged = format!("nfl.csv of {PRODUCT} for nfl: the object {HASH} {fault}");
        assert!(log.contains(&logged), "{logged} in {log}");
    }
}
