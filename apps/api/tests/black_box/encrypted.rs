//! Servers without a proxy: TLS, HTTP/2 and Unix sockets.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::slice;
use std::time::Duration;

use reqwest::{Certificate, Client, ClientBuilder, Version};
use sports_testkit::services::Certificates;
use tokio::time::sleep;

use crate::connections::SHORT;
use crate::operations::STREAM;
use crate::service::{Service, Site, eventually};

const LIVENESS: &str = "/api/v1/liveness";

const PAGE: &str = "/api/v1/results/nfl/over_under?season=2023-24";

fn variables(certificates: &Certificates) -> [(&'static str, String); 2] {
    let text = |path: std::path::PathBuf| path.into_os_string().into_string().expect("UTF-8");
    [
        ("SPORTS_HTTP__TLS__CERTIFICATE", text(certificates.server())),
        ("SPORTS_HTTP__TLS__KEY", text(certificates.server_key())),
    ]
}

fn start(site: &Site, variables: &[(&'static str, String)]) -> Service {
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    site.start(&variables)
}

/// Returns the builder of a client that trusts one authority alone.
fn trusting(certificates: &Certificates) -> ClientBuilder {
    let authority = fs::read(certificates.authority()).expect("a certificate");
    let authority = Certificate::from_pem(&authority).expect("a certificate");
    Client::builder().no_proxy().tls_certs_only([authority]).timeout(Duration::from_mins(1))
}

async fn is_answered(client: ClientBuilder, url: &str) -> bool {
    let answer = client.build().expect("a client").get(url).send().await;
    answer.is_ok_and(|answer| answer.status() == 200)
}

/// Returns what a server prints that refuses to start.
fn refusal(variables: &[(&str, String)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sports-api"));
    command
        .arg("serve")
        .env("SPORTS_HTTP__BIND", "127.0.0.1:0")
        .envs(variables.iter().map(|(name, value)| (name, value)));
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn requests_over_tls_are_answered_by_http_2_and_by_http_1() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let certificates = Certificates::fresh();
    let service = start(&site, &variables(&certificates));
    let clients = [
        (trusting(&certificates), Version::HTTP_2),
        (trusting(&certificates).http1_only(), Version::HTTP_11),
        (trusting(&certificates).http2_prior_knowledge(), Version::HTTP_2),
    ];
    let mut bodies = Vec::new();
    for (client, version) in clients {
        let client = client.build().expect("a client");
        // The last of them are cached.
        for _ in 0..5 {
            let answer =
                client.get(service.url(PAGE)).header("X-API-Key", service.key()).send().await.expect("an answer");
            assert_eq!((answer.status().as_u16(), answer.version()), (200, version));
            let etag = answer.headers()["etag"].clone();
            bodies.push(answer.bytes().await.expect("a body"));
            let unchanged =
                client.get(service.url(PAGE)).header("X-API-Key", service.key()).header("If-None-Match", etag);
            assert_eq!(unchanged.send().await.expect("an answer").status(), 304);
        }
        let many = (0..40).map(|_| client.get(service.url(PAGE)).header("X-API-Key", service.key()).send());
        for answer in futures::future::join_all(many).await {
            assert_eq!(answer.expect("an answer").bytes().await.expect("a body"), bodies[0]);
        }
        let large =
            client.get(service.url(PAGE)).header("X-Large", "x".repeat(17_000)).send().await.expect("an answer");
        assert_eq!(large.status(), 431);
    }
    assert!(bodies.iter().all(|body| *body == bodies[0] && !body.is_empty()));
}

#[tokio::test]
async fn an_idle_stream_of_http_2_outlives_the_limits_beside_other_requests() {
    let site = Site::empty();
    let certificates = Certificates::fresh();
    let mut all = variables(&certificates).to_vec();
    all.extend(SHORT.map(|(name, value)| (name, value.to_owned())));
    let service = start(&site, &all);
    let client = trusting(&certificates).http2_prior_knowledge().build().expect("a client");
    let stream = client.get(service.url(&format!("{STREAM}?sport=nfl")));
    let mut stream = stream.send().await.expect("an answer");
    assert!(stream.chunk().await.expect("a stream").is_some_and(|hello| hello.starts_with(b"event: hello")));
    for _ in 0..4 {
        // On the same connection.
        assert_eq!(client.get(service.url(LIVENESS)).send().await.expect("an answer").status(), 200);
        sleep(Duration::from_secs(1)).await;
    }
    service.signal("TERM");
    let last = stream.chunk().await.expect("a stream that was not broken off").expect("a last event");
    assert!(last.starts_with(b"retry: "), "{last:?}");
}

#[tokio::test]
async fn a_rotated_certificate_is_served_without_a_restart() {
    let site = Site::empty();
    let [current, old, new, other] = [(); 4].map(|()| Certificates::fresh());
    let copy = |from: &Certificates| {
        fs::copy(from.server(), current.server()).expect("copied");
        fs::copy(from.server_key(), current.server_key()).expect("copied");
    };
    copy(&old);
    let service = start(&site, &variables(&current));
    let url = service.url(LIVENESS);
    assert!(is_answered(trusting(&old), &url).await && !is_answered(trusting(&new), &url).await);
    copy(&new);
    eventually("the certificate is read again", || site.log().contains("the certificate was read again")).await;
    assert!(is_answered(trusting(&new), &url).await && !is_answered(trusting(&old), &url).await);
    // A key of another certificate changes nothing.
    fs::copy(other.server_key(), current.server_key()).expect("copied");
    eventually("the key is refused", || site.log().contains("the certificate stays as it was")).await;
    assert!(is_answered(trusting(&new), &url).await);
    // Neither does a file that is away.
    fs::remove_file(current.server()).expect("removed");
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(is_answered(trusting(&new), &url).await);
}

#[test]
fn a_certificate_that_cannot_be_used_is_refused_with_its_reason() {
    let [certificates, other] = [(); 2].map(|()| Certificates::fresh());
    let [certificate, key] = variables(&certificates);
    let [_, other_key] = variables(&other);
    let with = |value: &str| (certificate.0, value.to_owned());
    let table: [(&[(&str, String)], &str); 6] = [
        (slice::from_ref(&certificate), "`http.tls.certificate` is set and `http.tls.key` is not"),
        (slice::from_ref(&key), "`http.tls.key` is set and `http.tls.certificate` is not"),
        (&[with("/nowhere/at-all.pem"), key.clone()], "/nowhere/at-all.pem cannot be read"),
        (&[with("/"), key.clone()], "it is a folder, not a file"),
        (&[with(&key.1), key.clone()], "has no certificate in PEM"),
        (&[certificate.clone(), other_key], "is not the key of the certificate in"),
    ];
    for (variables, expected) in table {
        let printed = refusal(variables);
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

async fn is_answered_at(socket: &Path) -> bool {
    is_answered(Client::builder().no_proxy().unix_socket(socket), &format!("http://localhost{LIVENESS}")).await
}

#[cfg(unix)]
#[tokio::test]
async fn a_unix_socket_answers_its_user_and_group_and_replaces_a_stale_one() {
    use std::os::unix::fs::PermissionsExt;

    let site = Site::empty();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.sock");
    let bind = [("SPORTS_HTTP__BIND", format!("unix:{}", path.display()))];
    let service = start(&site, &bind);
    assert_eq!(service.url(""), bind[0].1);
    assert!(is_answered_at(&path).await);
    assert_eq!(fs::metadata(&path).expect("a socket").permissions().mode() & 0o777, 0o660);
    let check = Command::new(env!("CARGO_BIN_EXE_sports-api")).arg("healthcheck").envs(bind.clone()).status();
    assert!(check.expect("it runs").success());
    assert!(refusal(&bind).contains("another program does"));
    service.end("KILL");
    assert!(path.exists() && !is_answered_at(&path).await);
    let service = start(&site, &bind);
    assert!(is_answered_at(&path).await);
    drop(service);
    fs::remove_file(&path).expect("removed");
    File::create(&path).expect("a file");
    assert!(refusal(&bind).contains("there is a file that is no socket"));
    assert!(path.exists(), "it is not removed");
}
