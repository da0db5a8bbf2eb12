use actix_web::http::Method;
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use sports_accounts::testing::{a_customer, a_dataset, an_entitlement, second};
use sports_domain::Sport;
use sports_ports::datasets::{Datasets, Entitlements};

use crate::support::{Answer, World};

const CONTENT: &[u8] = b"date,away,home\n2024-11-24,min,chi\n";

/// The SHA-256 of the content, computed with `sha256sum`.
const ETAG: &str = "\"a49ee79ddd906ffe4bdf9ea5e8acbda180282a70c90cc8fd357dc8edeccbc3de\"";

/// Creates a subscriber who owns one file, and returns a link to it.
async fn with_a_link() -> (World, String) {
    let world = World::with_subscriber().await;
    let dataset = a_dataset().holding(CONTENT, second(0)).build();
    world.files.keep(CONTENT);
    world.accounts.add_dataset(&dataset).await.expect("answers");
    let _ = world.accounts.grant(&an_entitlement().build()).await.expect("answers");
    let request = TestRequest::post().uri("/api/v1/service-sports-data/refresh").insert_header(("Host", "a.example"));
    let refreshed = world.send_with_key(1, request).await.json();
    let url = refreshed["downloads"][0]["url"].as_str().expect("a link");
    let path = url.strip_prefix("http://a.example").expect("ours").to_owned();
    (world, path)
}

async fn get_with(world: &World, path: &str, header: (&'static str, &str)) -> Answer {
    world.send(TestRequest::get().uri(path).insert_header(header)).await
}

#[actix_web::test]
async fn a_link_opens_its_file_without_a_key_and_is_not_counted() {
    let (world, link) = with_a_link().await;
    let answer = world.get(&link).await;
    assert_eq!((answer.status.as_u16(), answer.text.as_bytes()), (200, CONTENT));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"nfl.csv\""));
    assert_eq!(answer.header("accept-ranges"), Some("bytes"));
    assert_eq!(answer.header("x-ratelimit-limit"), None);
    assert_eq!(answer.header("etag"), Some(ETAG));
    let usage = world.get_with_key("/api/v1/customers/me/usage").await.json();
    assert_eq!(usage["monthly_requests"], 1, "the refresh");
}

#[actix_web::test]
async fn a_file_is_sent_uncompressed_whatever_encodings_a_client_accepts() {
    let (world, link) = with_a_link().await;
    let answer = get_with(&world, &link, ("Accept-Encoding", "gzip, br")).await;
    assert_eq!(answer.text.as_bytes(), CONTENT);
    assert_eq!(answer.header("content-encoding"), None);
}

#[actix_web::test]
async fn an_interrupted_download_can_be_continued() {
    let (world, link) = with_a_link().await;
    let first = get_with(&world, &link, ("Range", "bytes=0-9")).await;
    assert_eq!((first.status.as_u16(), first.header("content-range")), (206, Some("bytes 0-9/34")));
    let rest = TestRequest::get().uri(&link).insert_header(("Range", "bytes=10-")).insert_header(("If-Range", ETAG));
    let rest = world.send(rest).await;
    assert_eq!((rest.status.as_u16(), rest.header("content-range")), (206, Some("bytes 10-33/34")));
    assert_eq!(format!("{}{}", first.text, rest.text).as_bytes(), CONTENT);

    let beyond = get_with(&world, &link, ("Range", "bytes=34-")).await;
    assert_eq!(beyond.header("content-range"), Some("bytes */34"));
    beyond.expect_failure(416, "The file has 34 bytes; the requested range is outside it");
}

#[actix_web::test]
async fn a_current_file_is_answered_304() {
    let (world, link) = with_a_link().await;
    let answer = get_with(&world, &link, ("If-None-Match", ETAG)).await;
    assert_eq!((answer.status.as_u16(), answer.text.as_str(), answer.header("etag")), (304, "", Some(ETAG)));
}

#[actix_web::test]
async fn head_describes_the_whole_file_whatever_the_range() {
    let (world, link) = with_a_link().await;
    for range in ["bytes=0-9", "bytes=99-"] {
        let head = TestRequest::default().method(Method::HEAD).uri(&link).insert_header(("Range", range));
        let answer = world.send(head).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-range")), (200, None), "{range}");
        assert_eq!(answer.text.len(), CONTENT.len(), "the connection sends this length, but no body");
    }
}

#[actix_web::test]
async fn a_download_with_if_match_of_another_version_is_412() {
    let (world, link) = with_a_link().await;
    for wanted in [ETAG, "*", &format!("\"other\", {ETAG}")] {
        assert_eq!(get_with(&world, &link, ("If-Match", wanted)).await.status, 200, "{wanted}");
    }
    let detail = format!("The file is not the one that `If-Match` names: its ETag is {ETAG}");
    for wanted in ["\"other\"", &format!("W/{ETAG}")] {
        get_with(&world, &link, ("If-Match", wanted)).await.expect_failure(412, &detail);
    }
}

#[actix_web::test]
async fn a_file_that_was_cut_short_is_not_sent_as_the_whole() {
    let (world, link) = with_a_link().await;
    world.files.keep_as(ETAG.trim_matches('"').parse().expect("a hash"), &CONTENT[..20]);
    world.get(&link).await.expect_failure(500, "Something went wrong on our side");
    get_with(&world, &link, ("Range", "bytes=0-9")).await.expect_failure(500, "Something went wrong on our side");
    world.files.keep(CONTENT);
    assert_eq!(world.get(&link).await.status, 200);
}

#[actix_web::test]
async fn a_link_works_for_fifteen_minutes() {
    let (world, link) = with_a_link().await;
    world.clock.advance(TimeDelta::minutes(15) - TimeDelta::milliseconds(1));
    assert_eq!(world.get(&link).await.status, 200);
    world.clock.advance(TimeDelta::milliseconds(1));
    world.get(&link).await.expect_failure(403, "This link has expired; a refresh gives new ones");
}

#[actix_web::test]
async fn a_link_that_was_changed_or_made_elsewhere_is_refused() {
    let (world, link) = with_a_link().await;
    let (path, query) = link.split_once('?').expect("a query");
    let later = query.replace("expires=174", "expires=175");
    let other = query.replace("customer=cus_0", "customer=cus_1");
    let shorter = query.replace("bytes=34", "bytes=33");
    let signature = query.split("signature=").nth(1).expect("a signature");
    let foreign = sports_store::HmacSigner::new(b"the secret of another service altogether");
    let customer = a_customer().build().id;
    let download =
        sports_accounts::Download::for_customer(&a_dataset().holding(CONTENT, second(0)).build(), customer, second(0));
    for changed in [
        path.to_owned(),
        format!("{path}?{later}"),
        format!("{path}?{other}"),
        format!("{path}?{shorter}"),
        format!("{path}?{}", query.replace(signature, &"0".repeat(64))),
        format!("{path}?{}", query.replace(signature, "")),
        format!("{}?{query}", path.replace("/nfl/", "/nba/")),
        format!("{}?{query}", path.replace("nfl.csv", "nba.csv")),
        format!("{}?{query}", path.replace("historical-odds", "everything")),
        format!("/downloads/a/b/c/d?{query}"),
        foreign.signed(&download).path_and_query(),
        format!("{link}&expires=1"),
        format!("{link}&signature={signature}"),
    ] {
        let refused = world.get(&changed).await;
        refused.expect_failure(403, "This link was not made by this service, or was changed since");
    }
    assert_eq!(world.get(&link).await.status, 200);
}

#[actix_web::test]
async fn a_link_ends_with_its_entitlement_or_dataset() {
    let detail = "You no longer own this dataset, or it was withdrawn";
    let product = "historical-odds".parse().expect("a product");
    let (world, link) = with_a_link().await;
    let customer = a_customer().build().id;
    let _ = world.accounts.revoke_entitlement(customer, &product, Sport::Nfl, second(1)).await.expect("answers");
    world.get(&link).await.expect_failure(403, detail);

    let (world, link) = with_a_link().await;
    world.accounts.remove_dataset(&product, Sport::Nfl, None).await.expect("answers");
    world.get(&link).await.expect_failure(403, detail);
}

#[actix_web::test]
async fn a_link_takes_only_get_and_head() {
    let (world, link) = with_a_link().await;
    let answer = world.send(TestRequest::post().uri(&link)).await;
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, Some("GET, HEAD")));
}
