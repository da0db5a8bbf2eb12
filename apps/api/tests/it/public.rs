use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::test::TestRequest;
use chrono::TimeDelta;
use sports_http_transport::ProxyTrust;
use sports_program::settings::Settings;
use sports_testkit::metering::contract::limits;

use crate::support::{Answer, World};

const PATH: &str = "/test/public";

async fn from(world: &World, peer: &str, forwarded_for: Option<&str>) -> Answer {
    let peer: SocketAddr = format!("{peer}:40000").parse().expect("an address");
    let request = TestRequest::get().uri(PATH).peer_addr(peer);
    world
        .send(forwarded_for.map_or(request, |list| {
            TestRequest::get().uri(PATH).peer_addr(peer).insert_header(("X-Forwarded-For", list))
        }))
        .await
}

#[actix_web::test]
async fn an_address_without_a_key_has_its_limit_in_any_second() {
    let world = World::limited(limits(1, 50));
    for _ in 0..50 {
        let answer = from(&world, "192.0.2.1", None).await;
        assert_eq!((answer.status.as_u16(), answer.header("x-ratelimit-limit")), (200, None));
    }
    world.clock.advance(TimeDelta::milliseconds(999));
    let refused = from(&world, "192.0.2.1", None).await;
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(refused.json()["detail"], "Rate limit exceeded. Limit: 50 requests per second");
    assert_eq!(refused.status, 429);
    assert_eq!(from(&world, "192.0.2.2", None).await.status, 200);
    world.clock.advance(TimeDelta::milliseconds(1));
    assert_eq!(from(&world, "192.0.2.1", None).await.status, 200);
}

#[actix_web::test]
async fn the_limit_is_checked_before_the_rest_of_the_request() {
    let world = World::limited(limits(1, 1));
    let wrong = || TestRequest::get().uri("/test/public?upcoming_only=maybe");
    world.send(wrong()).await.expect_failure(400, "`upcoming_only` must be true or false");
    world.send(wrong()).await.expect_failure(429, "Rate limit exceeded. Limit: 1 requests per second");
}

#[actix_web::test]
async fn the_client_is_limited_behind_a_trusted_proxy_and_otherwise_the_peer() {
    let mut settings = Settings::default();
    settings.http.trusted_proxies = "10.0.0.0/8".parse().expect("networks");
    let mut world = World::limited(limits(1, 1));
    world.replace(|state| state.callers.proxies = Arc::new(ProxyTrust::from_settings(&settings.http)));
    let status = async |peer: &str, list: &str| from(&world, peer, Some(list)).await.status.as_u16();
    assert_eq!(status("10.0.0.1", "203.0.113.1").await, 200);
    assert_eq!(status("10.0.0.2", "203.0.113.1").await, 429, "through another proxy it is the same client");
    assert_eq!(status("10.0.0.1", "203.0.113.2").await, 200);
    assert_eq!(status("10.0.0.1", "203.0.113.3, 203.0.113.2").await, 429, "what a client claims is not believed");
    assert_eq!(status("192.0.2.1", "203.0.113.9").await, 200);
    assert_eq!(status("192.0.2.1", "203.0.113.8").await, 429, "nor what a stranger forwards");
}

#[actix_web::test]
async fn probes_are_not_limited_and_the_documentation_is() {
    let world = World::limited(limits(1, 1));
    for path in ["/", "/api/v1/liveness", "/api/v1/readiness", "/api/v1/health", "/api/v1/data-status/nfl"] {
        let first = world.get(path).await.status;
        for _ in 0..5 {
            assert_eq!(world.get(path).await.status, first, "{path}");
        }
    }
    for path in ["/openapi.json", "/docs/", "/docs/swagger-ui-bundle.js"] {
        world.clock.advance(TimeDelta::seconds(1));
        assert_eq!(world.get(path).await.status, 200, "{path}");
        let refused = world.get(path).await;
        assert_eq!(refused.header("retry-after"), Some("1"));
        refused.expect_failure(429, "Rate limit exceeded. Limit: 1 requests per second");
    }
}
