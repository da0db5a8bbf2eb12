use actix_web::http::Method;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::test::TestRequest;

use crate::support::World;

#[actix_web::test]
async fn an_unknown_path_is_404_in_the_error_shape() {
    let world = World::new();
    for path in ["/nowhere", "/api/v1", "/api/v1/sports/", "/api/v1/sports/nfl", "//", "/docs/nowhere.js"] {
        let answer = world.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.json()["error"], "HTTP_404", "{path}");
    }
    world.get("/nowhere").await.expect_failure(404, "No such path; see /docs for the paths there are");
}

#[actix_web::test]
async fn a_wrong_method_is_405_with_the_allowed_ones() {
    let world = World::new();
    let table = [
        (Method::POST, "/", "GET, HEAD"),
        (Method::DELETE, "/api/v1/sports", "GET, HEAD"),
        (Method::OPTIONS, "/api/v1/health", "GET, HEAD"),
        (Method::TRACE, "/api/v1/health", "GET, HEAD"),
        (Method::PUT, "/openapi.json", "GET, HEAD"),
        (Method::PATCH, "/docs", "GET, HEAD"),
        (Method::PATCH, "/docs/index.html", "GET, HEAD"),
        (Method::GET, "/test/echo", "POST"),
        (Method::HEAD, "/test/echo", "POST"),
    ];
    for (method, path, allow) in table {
        let answer = world.send(TestRequest::default().method(method.clone()).uri(path)).await;
        assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
        answer.expect_failure(405, &format!("This path takes {allow}"));
    }
}

#[actix_web::test]
async fn head_is_answered_where_get_is() {
    let world = World::new();
    let answer = world.send(TestRequest::default().method(Method::HEAD).uri("/api/v1/liveness")).await;
    assert_eq!(answer.status, 200);
}

#[actix_web::test]
async fn a_panic_is_a_500_without_details() {
    let answer = World::new().get("/test/panicking").await;
    answer.expect_failure(500, "Something went wrong on our side");
}

#[actix_web::test]
async fn a_corrupt_object_is_500_without_details() {
    let answer = World::new().get("/test/corrupt").await;
    answer.expect_failure(500, "Something went wrong on our side");
}

#[actix_web::test]
async fn an_unavailable_part_is_503_with_retry_after() {
    let answer = World::new().get("/test/unavailable").await;
    assert_eq!(answer.header("retry-after"), Some("2"));
    answer.expect_failure(503, "This part of the service is temporarily unavailable, try again");
}

#[actix_web::test]
async fn a_body_has_its_limit() {
    let world = World::new();
    let json = || (CONTENT_TYPE, "application/json");
    let of_length = |length: usize| format!("{{\"text\":\"{}\"}}", "x".repeat(length - 11));
    let post = || TestRequest::post().uri("/test/echo").insert_header(json());

    let fits = world.send(post().set_payload(of_length(64 * 1024))).await;
    assert_eq!(fits.status, 200);
    let announced = post().insert_header((CONTENT_LENGTH, 64 * 1024 + 1)).set_payload(of_length(64 * 1024 + 1));
    for too_large in [announced, post().set_payload(of_length(64 * 1024 + 1))] {
        world.send(too_large).await.expect_failure(413, "The body is larger than 64 KiB");
    }
}

#[actix_web::test]
async fn a_body_that_is_not_json_is_400() {
    let world = World::new();
    let post = || TestRequest::post().uri("/test/echo");
    let without_type = world.send(post().set_payload("{}")).await;
    without_type.expect_failure(400, "The body must be JSON, with `Content-Type: application/json`");
    let broken = world.send(post().insert_header((CONTENT_TYPE, "application/json")).set_payload("{")).await;
    let detail = broken.json()["detail"].as_str().expect("a detail").to_owned();
    assert!(detail.starts_with("The body does not match: "), "{detail}");
    broken.expect_failure(400, &detail);
}
