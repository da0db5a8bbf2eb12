//! The metrics that Prometheus scrapes.

mod names;

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use sports_testkit::services::installed;
use tokio::time::{Instant, sleep};

use crate::application::clv::Season;
use crate::service::{Service, Site, eventually};

pub const MEASURED: [(&str, &str); 1] = [("SPORTS_METRICS__BIND", "127.0.0.1:0")];

/// Returns the current metrics of a server.
pub async fn figures(service: &Service) -> String {
    let printed = service.printed();
    let address = printed.lines().find_map(|line| line.strip_prefix("metrics on ")).expect("an address");
    let answer = service.fetch(address).send().await.expect("answered");
    assert_eq!(answer.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    answer.text().await.expect("text")
}

/// Returns one sample of the metrics.
pub fn sample<'a>(figures: &'a str, name_and_labels: &str) -> Option<&'a str> {
    figures.lines().find_map(|line| line.strip_prefix(name_and_labels)?.strip_prefix(' '))
}

#[tokio::test]
async fn requests_are_counted_by_route_and_status_and_never_by_client_text() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve_with(&MEASURED).await;
    for _ in 0..3 {
        let _ = service.page("nfl/over_under").await;
    }
    assert_eq!(service.get("/api/v1/results/cricket/over_under").await.status, 400);
    assert_eq!(service.get("/no/such/path").await.status, 404);
    assert_eq!(service.request("/api/v1/sports").send().await.expect("answered").status(), 401);
    let figures = figures(&service).await;
    for (route, status, count) in [
        ("/api/v1/results/{sport}/{model_type}", 200, "3"),
        ("/api/v1/results/{sport}/{model_type}", 400, "1"),
        ("-", 404, "1"),
    ] {
        let name = format!("http_requests_total{{route=\"{route}\",status=\"{status}\"}}");
        assert_eq!(sample(&figures, &name), Some(count), "{name}\n{figures}");
    }
    let observed = "http_request_duration_seconds_count{route=\"/api/v1/results/{sport}/{model_type}\"}";
    assert_eq!(sample(&figures, observed), Some("4"));
    let bytes: u64 = sample(&figures, "http_response_bytes_total").and_then(|n| n.parse().ok()).expect("bytes");
    assert!(bytes > 3 * 1000, "{bytes}");
    assert!(!figures.contains("cricket") && !figures.contains("no/such"), "{figures}");
}

#[tokio::test]
async fn metrics_cover_publication_limits_caches_and_failures() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let limits = [MEASURED[0], ("SPORTS_LIMITS__PER_SECOND", "2"), ("SPORTS_LIMITS__FAILED_KEYS_PER_SECOND", "1")];
    let service = site.serve_with(&limits).await;
    let unknown = sports_accounts::testing::a_key(1).reveal().to_owned();
    for _ in 0..3 {
        let _ = service.get("/api/v1/results/nfl/over_under").await;
        let _ = service.with_key(&unknown).get("/api/v1/sports").await;
    }
    // From now on every request to the store fails.
    std::fs::rename(site.place.store(), site.place.path().join("elsewhere")).expect("moved");
    let started = Instant::now();
    let mut last = figures(&service).await;
    while sample(&last, "dependency_errors_total{dependency=\"store\"}") == Some("0") {
        assert!(started.elapsed() < Duration::from_mins(1), "{last}");
        sleep(Duration::from_millis(50)).await;
        last = figures(&service).await;
    }
    let number = |name: &str| -> f64 {
        sample(&last, name).and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{name}\n{last}"))
    };
    assert_eq!(number("publication_generation{sport=\"nfl\"}").to_bits(), 1_f64.to_bits());
    assert!((0.0..600.0).contains(&number("publication_age_seconds{sport=\"nfl\"}")));
    // Its season ended long ago, so no slate is due.
    assert_eq!(number("data_operational{sport=\"nfl\"}").to_bits(), 1_f64.to_bits());
    assert!(number("limiter_decisions_total{decision=\"admitted\"}") >= 2.0);
    assert!(number("limiter_decisions_total{decision=\"second\"}") <= 1.0);
    assert!(number("limiter_decisions_total{decision=\"failed_keys\"}") <= 2.0);
    assert!(number("cache_requests_total{cache=\"rows\",result=\"miss\"}") >= 1.0);
    assert!(number("cache_requests_total{cache=\"rows\",result=\"hit\"}") >= 2.0);
    assert_eq!(number("dependency_errors_total{dependency=\"database\"}").to_bits(), 0);
    assert!(number("counts_pending") >= 0.0 && number("http_connections{phase=\"idle\"}") >= 1.0);
}

#[tokio::test]
async fn requests_for_earlier_moments_are_counted_by_their_result() {
    let season = Season::new();
    let object = |entry: &str| {
        let folder = season.site.place.store().join("sports/nfl");
        let text = fs::read_to_string(folder.join("log").join(entry)).expect("an entry");
        let entry: Value = serde_json::from_str(&text).expect("JSON");
        folder.join("objects").join(entry["odds"]["object"].as_str().expect("a name"))
    };
    fs::remove_file(object("000000000003.json")).expect("removed");
    let service = season.site.serve_with(&MEASURED).await;
    for (path, status) in [
        ("/api/v1/odds/nfl", 200),
        ("/api/v1/odds/nfl?generation=0", 400),
        ("/api/v1/markets/nfl?generation=2", 400),
        ("/api/v1/odds/nfl?generation=2", 200),
        ("/api/v1/odds/nfl?gener%61tion=2", 200),
        ("/api/v1/odds/nfl?generation=3", 503),
    ] {
        assert_eq!(service.get(path).await.status, status, "{path}");
    }
    let figures = figures(&service).await;
    let counted = ["loaded", "kept", "busy", "failed"]
        .map(|result| sample(&figures, &format!("past_requests_total{{result=\"{result}\"}}")).map(str::to_owned));
    assert_eq!(counted, ["1", "1", "0", "1"].map(|count| Some(count.to_owned())), "{figures}");
    assert_eq!(sample(&figures, "past_load_seconds_count"), Some("1"), "{figures}");
}

#[tokio::test]
async fn metrics_are_well_formed() {
    let Some(promtool) = installed("promtool", &[]) else { return };
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve_with(&MEASURED).await;
    let _ = service.page("nfl/over_under").await;
    let mut check = Command::new(promtool).args(["check", "metrics"]).stdin(Stdio::piped()).spawn().expect("it starts");
    let figures = figures(&service).await;
    check.stdin.take().expect("piped").write_all(figures.as_bytes()).expect("it reads");
    assert!(check.wait().expect("it ends").success(), "{figures}");
}

#[tokio::test]
async fn metrics_are_served_only_at_their_own_address() {
    let site = Site::empty();
    let service = site.serve_with(&MEASURED).await;
    let printed = service.printed();
    let address = printed.lines().find_map(|line| line.strip_prefix("metrics on ")).expect("an address");
    let sports = address.replace("/metrics", "/api/v1/sports");
    assert_eq!(service.fetch(&sports).send().await.expect("answered").status(), 404);
    assert_eq!(service.get("/metrics").await.status, 404);
}

#[tokio::test]
async fn an_address_of_metrics_in_use_is_a_start_error_that_names_the_setting() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let site = Site::empty();
    let output = site.place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]);
    let output = { output }.env("SPORTS_METRICS__BIND", &address).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && printed.contains(&address) && printed.contains("`metrics.bind`"), "{printed}");
}

#[tokio::test]
async fn metrics_can_be_read_to_the_end_of_a_drain() {
    let site = Site::empty();
    let service = site.serve_with(&[MEASURED[0], ("SPORTS_HTTP__DRAIN", "30s")]).await;
    service.signal("TERM");
    service.until("/api/v1/readiness", |answer| answer.status == 503).await;
    assert!(figures(&service).await.contains("http_requests_total{route=\"/api/v1/readiness\",status=\"503\"}"));
    service.signal("TERM");
    assert!(service.ended().success());
    eventually("it says that it was asked to stop", || site.log().contains("asked to stop")).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn process_metrics_match_the_system() {
    let site = Site::empty();
    let service = site.serve_with(&MEASURED).await;
    let figures = figures(&service).await;
    let number = |name: &str| -> f64 {
        sample(&figures, name).and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{name}\n{figures}"))
    };
    let status = std::fs::read_to_string(format!("/proc/{}/status", service.id())).expect("it runs");
    let resident: f64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok())
        .expect("a number");
    let ratio = number("process_resident_memory_bytes") / (resident * 1024.0);
    assert!((0.5..2.0).contains(&ratio), "{ratio}\n{status}");
    assert!(number("process_virtual_memory_bytes") > number("process_resident_memory_bytes"));
    assert!(number("process_cpu_seconds_total") > 0.0 && number("process_threads") >= 3.0);
    let (open, most) = (number("process_open_fds"), number("process_max_fds"));
    assert!(open > 5.0 && open < most, "{open} of {most}");
    let health = service.get("/api/v1/health").await.json();
    let now: chrono::DateTime<chrono::Utc> = health["timestamp"].as_str().expect("a text").parse().expect("an instant");
    let started = number("process_start_time_seconds");
    let since_1970 = (now - chrono::DateTime::UNIX_EPOCH).as_seconds_f64();
    assert!((-5.0..600.0).contains(&(since_1970 - started)), "{started}");
}
