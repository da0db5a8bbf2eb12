use serde_json::{Value, json};

use crate::service::{Answer, Site, eventually};

/// The harness sets a limit that has a warning.
const FEW_FAILED_KEYS: (&str, &str) = ("SPORTS_LIMITS__FAILED_KEYS_PER_SECOND", "10");

#[tokio::test]
async fn health_needs_no_key() {
    let site = Site::publishing(&["doubleheader"]);
    let service = site.serve_with(&[FEW_FAILED_KEYS]).await;
    let answer = Answer::to(service.request("/api/v1/health")).await;
    assert_eq!(answer.status, 200);
    let mut health = answer.json();
    for part in ["database", "object_storage"] {
        let latency = health["dependencies"][part]["latency_ms"].take();
        assert!(latency.as_f64().is_some_and(|ms| (0.0..2000.0).contains(&ms)), "{part}: {latency}");
    }
    assert!(health["timestamp"].take().is_string() && health["commit"].take().is_string());
    let fine = json!({ "status": "healthy", "latency_ms": null, "detail": null });
    let expected = json!({
        "status": "healthy", "version": env!("CARGO_PKG_VERSION"), "commit": null, "timestamp": null,
        "dependencies": { "database": fine, "cache": fine, "object_storage": fine },
        "malformed_requests_total": 0,
    });
    assert_eq!(health, expected);
}

#[tokio::test]
async fn weak_settings_are_warned_of_in_the_log_and_in_health_without_another_status() {
    let site = Site::empty();
    let weak = [
        FEW_FAILED_KEYS,
        ("SPORTS_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "4096"),
        ("SPORTS_LIMITS__MONTHLY", "18446744073709551615"),
    ];
    let service = site.serve_with(&weak).await;
    let health = service.get("/api/v1/health").await.json();
    let warnings = [
        "`http.max_connections_per_address` is not below `http.max_connections`, so that one address can take all connections",
        "`limits.monthly` is more than `limits.per_second` admits in a month, so that no month has a limit",
    ];
    assert_eq!((&health["status"], &health["warnings"]), (&json!("healthy"), &json!(warnings)));
    for warning in warnings {
        eventually("a warning", || site.log().contains(warning)).await;
    }
    let mut config = site.place.program("sports-api", ["config"]);
    let printed = config.envs(weak).output().expect("it runs");
    let expected = warnings.map(|warning| format!("warning: {warning}\n")).concat();
    assert_eq!((printed.status.code(), &*String::from_utf8_lossy(&printed.stderr)), (Some(0), &*expected));
}

#[tokio::test]
async fn settings_that_switch_a_protection_off_are_refused_by_both_programs() {
    let site = Site::empty();
    let weak = "changeme".repeat(5);
    for (variable, value, remedy) in [
        ("SPORTS_HTTP__TRUSTED_PROXIES", "0.0.0.0/0", "expected the addresses of your proxies"),
        ("SPORTS_HTTP__TRUSTED_PROXIES", "0.0.0.0/1, 128.0.0.0/1", "expected the addresses of your proxies"),
        ("SPORTS_HTTP__TRUSTED_PROXIES", "::/0", "expected the addresses of your proxies"),
        (
            "SPORTS_DOWNLOADS__SECRET",
            &weak,
            "expected characters that cannot be guessed, such as those of `openssl rand -hex 32`",
        ),
        ("SPORTS_LIMITS__MONTHLY", "0", "expected a whole number above zero"),
        ("SPORTS_LIMITS__FAILED_KEYS_PER_SECOND", "0", "expected a whole number from 1 to 100000"),
        ("SPORTS_HTTP__WORKERS", "100000", "expected a whole number from 1 to 512"),
    ] {
        for (program, command) in [
            ("sports-api", &["serve", "--bind", "127.0.0.1:0"][..]),
            ("sports-api", &["config"]),
            ("sportsctl", &["customer", "list"]),
        ] {
            let mut command = site.place.program(program, command);
            let output = command.env(variable, value).output().expect("it runs");
            let printed = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{program} {variable}: {printed}");
            assert!(printed.contains(remedy) && !printed.contains("changeme"), "{program}: {printed}");
        }
    }
}

#[tokio::test]
async fn an_empty_store_is_ready_and_healthy() {
    let site = Site::empty();
    let service = site.serve().await;
    let ready = Answer::to(service.request("/api/v1/readiness")).await.json();
    assert_eq!(
        (&ready["status"], &ready["checks"]),
        (&json!("ready"), &json!({ "database": true, "catalogs": true, "running": true }))
    );
    assert_eq!(service.get("/api/v1/health").await.json()["status"], "healthy");
    let alive = Answer::to(service.request("/api/v1/liveness")).await;
    assert_eq!((alive.status, &alive.json()["status"]), (200, &Value::from("alive")));
}

#[tokio::test]
async fn every_answer_has_a_request_id_and_a_valid_one_is_kept() {
    let site = Site::empty();
    let service = site.serve().await;
    for path in ["/", "/api/v1/health", "/api/v1/results/nfl/over_under", "/nowhere", "/api/v1/sports"] {
        let kept = Answer::to(service.keyed(path).header("X-Request-Id", "client-17.a_b")).await;
        assert_eq!(kept.header("x-request-id"), Some("client-17.a_b"), "{path}");
        let (one, other) = (service.get(path).await, service.get(path).await);
        assert!(one.header("x-request-id").is_some_and(|id| !id.is_empty()), "{path}");
        assert_ne!(one.header("x-request-id"), other.header("x-request-id"), "{path}");
    }
}

#[tokio::test]
async fn the_health_check_follows_the_listen_address() {
    let site = Site::empty();
    let service = site.serve().await;
    let address = service.address();
    let (_, port) = address.rsplit_once(':').expect("a port");
    let checked = |bind: &str| {
        let mut command = site.place.program("sports-api", ["healthcheck"]);
        command.env("SPORTS_HTTP__BIND", bind).output().expect("it runs")
    };
    for bind in [address.as_str(), &format!("0.0.0.0:{port}")] {
        let passed = checked(bind);
        assert!(passed.status.success(), "{bind}: {}", String::from_utf8_lossy(&passed.stderr));
    }
    service.stop();
    let failed = checked(&address);
    let printed = String::from_utf8_lossy(&failed.stderr);
    assert!(
        failed.status.code() == Some(1) && printed.contains(&format!("http://{address}/api/v1/liveness")),
        "{printed}"
    );
}
