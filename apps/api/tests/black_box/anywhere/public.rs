//! The limit of callers without a key, by their address, which only a trusted proxy can forward.

use crate::operations;
use crate::service::{Answer, Service, Site};
use crate::signed;

const PATH: &str = "/api/v1/edge-picks";
const ONE: (&str, &str) = ("SPORTS_LIMITS__PUBLIC_PER_SECOND", "1");
const BEHIND_A_PROXY: (&str, &str) = ("SPORTS_HTTP__TRUSTED_PROXIES", "127.0.0.1");

/// A number of successive requests that takes longer than a second.
const MANY: u8 = 200;

async fn forwarded_for(service: &Service, list: &str) -> Answer {
    Answer::to(service.request(PATH).header("X-Forwarded-For", list)).await
}

/// Sends requests on behalf of an address; returns whether one was refused by the limit per second.
async fn is_refused(service: &Service, list: impl Fn(u8) -> String) -> bool {
    for number in 0..MANY {
        let answer = forwarded_for(service, &list(number)).await;
        if answer.status != 200 {
            assert_eq!(answer.failure(429), "Rate limit exceeded. Limit: 1 requests per second");
            assert_eq!(answer.header("retry-after"), Some("1"));
            return true;
        }
    }
    false
}

#[tokio::test]
async fn each_client_behind_a_trusted_proxy_has_its_own_limit() {
    let site = Site::empty();
    let service = site.serve_with(&[ONE, BEHIND_A_PROXY]).await;
    assert!(is_refused(&service, |_| "203.0.113.1".to_owned()).await);
    for other in ["203.0.113.2", "203.0.113.3", "2001:db8::1"] {
        assert_eq!(forwarded_for(&service, other).await.status, 200, "{other}");
    }
    assert!(!is_refused(&service, |number| format!("198.51.100.{number}")).await, "so many clients, one request each");
    let made_up = |number| format!("192.0.2.{number}, 203.0.113.4");
    assert!(is_refused(&service, made_up).await, "what a client puts in front of its address is not believed");
}

#[tokio::test]
async fn without_a_trusted_proxy_the_header_is_ignored() {
    let site = Site::empty();
    let service = site.serve_with(&[ONE]).await;
    assert!(is_refused(&service, |number| format!("203.0.113.{number}")).await);
    service.stop();
    let service = site.serve_with(&[ONE, ("SPORTS_HTTP__TRUSTED_PROXIES", "10.0.0.0/8")]).await;
    assert!(is_refused(&service, |number| format!("203.0.113.{number}")).await, "nor is a proxy's that is not trusted");
}

#[tokio::test]
async fn exactly_the_public_paths_that_declare_a_limit_have_one() {
    let site = Site::publishing(&["nfl-2023-week-18-slate"]);
    let _ = signed::sign(&site).await;
    let service = site.serve_with(&[ONE, BEHIND_A_PROXY]).await;
    let operations = operations::all(&service).await;
    let mut limited = 0;
    for (client, operation) in operations.iter().filter(|operation| operation.public).enumerate() {
        let path = operation.path();
        let status = async || {
            let request = service.request(&path).header("X-Forwarded-For", format!("203.0.113.{client}"));
            Answer::to(request).await.status
        };
        assert_eq!(status().await, 200, "{path}");
        // A path that takes a key for earlier moments declares the limit of the key.
        let declared = operation.declared.contains(&429) && !operation.declared.contains(&403);
        limited += usize::from(declared);
        let mut refused = false;
        for _ in 0..MANY {
            refused |= status().await == 429;
        }
        assert_eq!(refused, declared, "{path}");
    }
    assert_eq!(limited, 11, "the free feed, the record and the old picks");
}
