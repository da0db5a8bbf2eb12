//! The headers of every answer that restrict browsers.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use sports_accounts::testing::a_key;

use crate::support::{Answer, World};

/// Asserts that only scripts from the page's own folder can run, and none that are written into a page.
fn expect_guarded(answer: &Answer, what: &str) {
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{what}");
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{what}");
    let policy = answer.header("content-security-policy").expect(what);
    let policy: Vec<_> = policy.split("; ").collect();
    for directive in ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"] {
        assert!(policy.contains(&directive), "{what}: {policy:?}");
    }
    assert!(!policy.iter().any(|directive| directive.contains("unsafe")), "{what}: {policy:?}");
}

#[actix_web::test]
async fn every_answer_has_the_headers_that_restrict_browsers() {
    let world = World::with_subscriber().await;
    for path in [
        "/",
        "/docs",
        "/docs/",
        "/docs/swagger-ui-bundle.js",
        "/docs/nowhere",
        "/explore",
        "/explore/",
        "/explore/?embed",
        "/explore/version/main.js",
        "/explore/version/nowhere",
        "/game/nfl/nfl-2024-01-06-a-b",
        "/figure/slate/today/nfl/won_on_points",
        "/verify",
        "/verify.py",
        "/llms.txt",
        "/llms-full.txt",
        "/docs/answers.md",
        "/openapi.json",
        "/nowhere",
        "/downloads/product/nfl/object/file.csv",
        "/api/v1/health",
        "/api/v1/liveness",
        "/api/v1/readiness",
        "/api/v1/data-status/nfl",
        "/api/v1/data-status/cricket",
        "/api/v1/public/ml-picks/nfl/spread",
        "/api/v1/edge-picks",
        "/api/v1/sports",
        "/test/panicking",
        "/test/corrupt",
        "/test/keyed/panicking",
    ] {
        expect_guarded(&world.get(path).await, path);
        expect_guarded(&world.get_with_key(path).await, path);
    }
    for status in [201, 204, 304, 400, 403, 409, 429, 500, 503] {
        expect_guarded(&world.get_with_key(&format!("/test/keyed/{status}")).await, &status.to_string());
    }
    for method in [Method::HEAD, Method::POST, Method::OPTIONS, Method::TRACE] {
        for path in ["/", "/docs/", "/explore/", "/api/v1/sports", "/api/v1/public/ml-picks/nfl/spread"] {
            let request = TestRequest::default().method(method.clone()).uri(path);
            expect_guarded(&world.send(request).await, &format!("{method} {path}"));
        }
    }
    // Refusals before a route, and a body that no route reads.
    let unacceptable = TestRequest::get().uri("/").insert_header(("Accept-Encoding", "*;q=0"));
    let unacceptable = world.send(unacceptable).await;
    assert_eq!(unacceptable.status, 406);
    expect_guarded(&unacceptable, "406");
    let oversized = TestRequest::post().uri("/test/echo").set_payload("x".repeat(100_000));
    let oversized = oversized.insert_header(("Content-Type", "application/json"));
    expect_guarded(&world.send(oversized.insert_header(("X-API-Key", a_key(1).reveal()))).await, "413");
}

/// With the header twice, an answer would have two policies, of which some browsers apply the first.
#[actix_web::test]
async fn an_answer_has_one_policy() {
    let world = World::new();
    for path in ["/", "/docs/", "/explore/", "/nowhere"] {
        let answer = world.get(path).await;
        assert_eq!(answer.headers.get_all("content-security-policy").count(), 1, "{path}");
    }
    let page = world.get("/docs/").await;
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("script-src 'self';"), "{policy}");
}
