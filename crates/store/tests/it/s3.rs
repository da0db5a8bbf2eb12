//! The store's contracts in a bucket, and its reactions to failures of the service and the network.

use std::fs;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::TimeDelta;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_RANGE, RANGE};
use reqwest::{Client, StatusCode};
use sports_accounts::Download;
use sports_accounts::testing::{a_customer, a_dataset};
use sports_ports::datasets::{DatasetFiles, LinkSigner, SignedLink};
use sports_ports::publication::{ObjectKind, Objects, PublicationLog};
use sports_ports::{Clock, PortError};
use sports_publication::Generation;
use sports_store::{ArtifactStore, OpenError, OpenOptions, StoreLinks};
use sports_testkit::clock::ClockFake;
use sports_testkit::datasets::contract as dataset_contract;
use sports_testkit::publication::contract;
use sports_testkit::services::{Certificates, Condition, Network, S3Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

type Variables = Vec<(&'static str, String)>;

fn options(variables: Variables) -> OpenOptions {
    // Any test may be the first to make a connection.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let variables = variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    OpenOptions { variables, ..OpenOptions::default() }
}

fn open(url: &str, variables: Variables) -> ArtifactStore {
    ArtifactStore::open_with(url, &options(variables)).expect("an address and variables")
}

/// Opens a store in a new bucket.
fn fresh(server: &S3Server) -> ArtifactStore {
    open(&format!("s3://{}", server.fresh_bucket()), server.variables())
}

#[tokio::test]
async fn a_store_in_a_bucket_keeps_the_contracts() {
    let server = S3Server::start();
    contract::log(async || fresh(&server)).await;
    contract::objects(&fresh(&server)).await;
    contract::record_files(&fresh(&server)).await;
    contract::contents(&fresh(&server)).await;
    contract::repairs(&fresh(&server)).await;
    dataset_contract::files(&fresh(&server)).await;
}

#[tokio::test]
async fn stores_in_one_bucket_are_kept_apart_by_their_prefixes() {
    let server = S3Server::start();
    let bucket = server.fresh_bucket();
    let (live, test) = (format!("s3://{bucket}/live"), format!("s3://{bucket}/test/2026/"));
    let [live, test] = [live, test].map(|url| open(&url, server.variables()));
    let _ = live.append(&contract::a_catalog(1, "first")).await.expect("appended");
    assert_eq!(live.numbers(contract::SPORT).await.expect("answers"), [Generation::FIRST]);
    assert_eq!(test.numbers(contract::SPORT).await.expect("answers"), []);
    contract::contents(&test).await;
}

/// Listings have pages of a thousand names.
#[tokio::test]
async fn a_long_log_is_listed_whole() {
    let server = S3Server::start();
    let bucket = server.fresh_bucket();
    let log = server.folder_of(&bucket).join("live/sports/nfl/log");
    fs::create_dir_all(&log).expect("made");
    for number in 1..=2_345 {
        fs::write(log.join(format!("{number:012}.json")), "").expect("written");
    }
    let store = open(&format!("s3://{bucket}/live"), server.variables());
    let numbers = store.numbers(contract::SPORT).await.expect("answers");
    assert_eq!(numbers.iter().map(|number| number.get()).collect::<Vec<_>>(), (1..=2_345).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_failure_to_open_a_bucket_names_bucket_and_endpoint_and_not_the_secret() {
    let server = S3Server::start();
    let bucket = server.fresh_bucket();
    let endpoint = server.address().to_string();
    open(&format!("s3://{bucket}/any"), server.variables()).expect_bucket().await.expect("it is there");

    let missing = open("s3://no-such-bucket/live", server.variables()).expect_bucket().await.expect_err("missing");
    assert!(matches!(missing, OpenError::NoBucket { .. }) && missing.blames_the_address(), "{missing}");

    let mut variables = server.variables();
    for (name, value) in &mut variables {
        if *name == "AWS_SECRET_ACCESS_KEY" {
            "mistyped-secret".clone_into(value);
        }
    }
    let refused = open(&format!("s3://{bucket}"), variables).expect_bucket().await.expect_err("refused");
    assert!(
        matches!(refused, OpenError::Refused { .. }) && !refused.may_pass() && !refused.blames_the_address(),
        "{refused}"
    );
    assert!(!format!("{refused:?}").contains("mistyped-secret"), "{refused:?}");

    let network = Network::to(server.address());
    network.becomes(Condition::Refusing);
    let elsewhere = S3Server::variables_at(&format!("http://{}", network.address()));
    let away = open(&format!("s3://{bucket}"), elsewhere).expect_bucket().await.expect_err("away");
    assert!(away.may_pass(), "{away:?}");

    for (error, address, endpoint) in [
        (missing, "s3://no-such-bucket/live", &endpoint),
        (refused, &*format!("s3://{bucket}"), &endpoint),
        (away, &*format!("s3://{bucket}"), &network.address().to_string()),
    ] {
        let message = error.to_string();
        assert!(message.contains(address) && message.contains(endpoint.as_str()), "{message}");
    }
    let refused = ArtifactStore::open_with("gs://sports", &options(Vec::new()));
    assert!(cfg!(feature = "gcp") || refused.expect_err("not built in").to_string().contains("--features gcp"));
}

/// Returns the message for an unusable variable among those of a usable store. Its value, which contains `secret`, is
/// not in it.
fn refused_variable(name: &'static str, value: &str) -> String {
    let mut variables = S3Server::variables_at("http://127.0.0.1:9000");
    variables.retain(|(other, _)| *other != name);
    variables.push((name, value.to_owned()));
    let refused = ArtifactStore::open_with("s3://sports", &options(variables)).expect_err(value);
    let message = sports_ports::error_chain(&refused);
    assert!(matches!(refused, OpenError::Variable { .. }) && !refused.may_pass(), "{value:?}: {refused}");
    assert!(message.contains(name) && !format!("{message}{refused:?}").contains("secret"), "{value:?}: {message}");
    message
}

#[test]
fn an_endpoint_with_more_than_an_address_in_it_is_refused_and_not_repeated() {
    for name in ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"] {
        for value in ["http://ann:secret@127.0.0.1:9000", "https://secret@store.example"] {
            assert!(refused_variable(name, value).contains("AWS_SECRET_ACCESS_KEY"));
        }
        for value in ["http://127.0.0.1:9000/?token=secret", "http://127.0.0.1:9000#secret"] {
            assert!(refused_variable(name, value).contains("nothing may follow its path"));
        }
    }
}

#[test]
fn an_endpoint_that_is_no_address_of_a_web_server_is_refused_with_what_to_write() {
    for value in ["", "127.0.0.1:9000", "secret.example", "ftp://secret.example", "http://", "https://:9000"] {
        assert!(refused_variable("AWS_ENDPOINT_URL", value).contains("https://store.example:9000"));
    }
    for value in ["http://secret.example\n", " http://secret.example", "http://secret.example/a b", "http://h/<secret>"]
    {
        assert!(refused_variable("AWS_ENDPOINT_URL", value).contains("remove it"));
    }
}

#[test]
fn credentials_with_the_end_of_a_line_in_them_are_refused_with_a_remedy() {
    for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION"] {
        for value in ["secret\n", "sec\u{e9}ret-secret", "secret "] {
            assert!(refused_variable(name, value).contains("remove it"));
        }
    }
}

#[test]
fn an_endpoint_without_encryption_is_refused_unless_it_is_allowed() {
    assert!(refused_variable("AWS_ALLOW_HTTP", "False").contains("https://"));
    let mut variables = S3Server::variables_at("http://127.0.0.1:9000");
    variables.retain(|(name, _)| *name != "AWS_ALLOW_HTTP");
    let refused = ArtifactStore::open_with("s3://sports", &options(variables)).expect_err("not allowed");
    assert!(refused.to_string().contains("AWS_ALLOW_HTTP") && !refused.may_pass(), "{refused}");
    let mut encrypted = S3Server::variables_at("https://127.0.0.1:9000");
    encrypted.retain(|(name, _)| *name != "AWS_ALLOW_HTTP");
    open("s3://sports", encrypted);
}

#[tokio::test]
async fn the_endpoint_for_s3_alone_comes_before_the_general_one_in_requests_and_messages() {
    let server = S3Server::start();
    let mut variables = S3Server::variables_at("http://127.0.0.1:1");
    variables.push(("AWS_ENDPOINT_URL_S3", format!("http://{}", server.address())));
    let missing = open("s3://no-such-bucket", variables).expect_bucket().await.expect_err("missing");
    assert!(missing.to_string().contains(&server.address().to_string()), "{missing}");
}

/// Starts a server that answers every request with one status.
async fn always_answering(status: u16) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let _ = client.read(&mut [0; 1 << 14]).await;
            let answer = format!("HTTP/1.1 {status} Any\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            let _ = client.write_all(answer.as_bytes()).await;
        }
    });
    address
}

/// Starts a server that gives each of these answers to one request, and then none.
async fn answering_in_turn(answers: Vec<Vec<u8>>) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        for answer in answers {
            let (mut client, _) = listener.accept().await.expect("a client");
            let _ = client.read(&mut [0; 1 << 14]).await;
            let _ = client.write_all(&answer).await;
        }
    });
    address
}

/// Returns an answer of which `missing` bytes at the end do not arrive.
fn cut_off(status: &str, headers: &str, body: &[u8], missing: usize) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} Any\r\ncontent-length: {length}\r\nconnection: close\r\n\
         last-modified: Sun, 24 Nov 2024 15:00:00 GMT\r\n{headers}\r\n"
    );
    [head.as_bytes(), &body[..length - missing]].concat()
}

#[tokio::test]
async fn an_answer_of_a_bucket_that_is_cut_off_is_requested_again() {
    const LISTING: &str = "<ListBucketResult><Name>sports</Name><IsTruncated>false</IsTruncated></ListBucketResult>";
    const MISSING: &str = "<Error><Code>NoSuchKey</Code></Error>";
    let listing = |missing| cut_off("200", "", LISTING.as_bytes(), missing);
    let store = async |answers| {
        let reported = Arc::new(std::sync::Mutex::new(Vec::new()));
        let reports = Arc::clone(&reported);
        let on_retry = move |reason: &str| reports.lock().expect("not poisoned").push(reason.to_owned());
        let variables = S3Server::variables_at(&format!("http://{}", answering_in_turn(answers).await));
        let options = OpenOptions { on_retry: Some(Arc::new(on_retry)), ..options(variables) };
        (ArtifactStore::open_with("s3://sports", &options).expect("an address"), reported)
    };
    let (listed, reported) = store(vec![listing(1), listing(LISTING.len()), listing(0)]).await;
    listed.expect_bucket().await.expect("the third answer is whole");
    assert_eq!(*reported.lock().expect("not poisoned"), ["no connection", "no connection"]);

    let hash = sports_domain::content::ObjectHash::from_bytes(b"{\"a\":1}");
    let object = |missing| cut_off("200", "", b"{\"a\":1}", missing);
    let (found, _) = store(vec![object(3), object(0)]).await;
    let bytes = found.get(contract::SPORT, ObjectKind::Json, &hash).await.expect("answered");
    assert_eq!(bytes, Some(Bytes::from_static(b"{\"a\":1}")));

    let absent = |missing| cut_off("404", "", MISSING.as_bytes(), missing);
    let (nothing, _) = store(vec![absent(5), absent(0)]).await;
    assert_eq!(nothing.get(contract::SPORT, ObjectKind::Json, &hash).await.expect("answered"), None);

    // Of a long object only the rest is requested.
    let long = vec![b'x'; 3 << 20];
    let hash = sports_domain::content::ObjectHash::from_bytes(&long);
    let (first, rest) = long.split_at(2 << 20);
    let range = format!("etag: \"1\"\r\ncontent-range: bytes {}-{}/{}\r\n", first.len(), long.len() - 1, long.len());
    let (found, _) =
        store(vec![cut_off("200", "etag: \"1\"\r\n", &long, rest.len()), cut_off("206", &range, rest, 0)]).await;
    let bytes = found.get(contract::SPORT, ObjectKind::Json, &hash).await.expect("answered");
    assert_eq!(bytes.map(|bytes| bytes.len()), Some(long.len()));
}

#[tokio::test]
async fn a_refusal_of_a_bucket_may_pass_if_it_limits_requests_and_not_if_it_refuses_keys() {
    for (status, may_pass) in
        [(400, false), (401, false), (403, false), (408, true), (409, true), (425, true), (429, true), (503, true)]
    {
        let variables = S3Server::variables_at(&format!("http://{}", always_answering(status).await));
        let error = open("s3://sports", variables).expect_bucket().await.expect_err("no listing");
        assert_eq!(error.may_pass(), may_pass, "{status}: {error}");
    }
}

#[tokio::test]
async fn a_listing_that_cannot_be_read_is_no_refusal_whatever_its_text() {
    const LISTING: &str = "<ListBucketResult><Contents><Key>a</Key><LastModified>2024-11-24T15:00:00Z</LastModified>\
                           <Size>status code: 404</Size></Contents></ListBucketResult>";
    let server = answering_in_turn(vec![cut_off("200", "", LISTING.as_bytes(), 0)]).await;
    let store = open("s3://sports", S3Server::variables_at(&format!("http://{server}")));
    let error = store.expect_bucket().await.expect_err("no listing");
    assert!(matches!(error, OpenError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn a_slow_store_is_available_and_a_hanging_or_refusing_one_is_not_until_it_is_back() {
    let server = S3Server::start();
    let network = Network::to(server.address());
    let variables = S3Server::variables_at(&format!("http://{}", network.address()));
    let store = open(&format!("s3://{}", server.fresh_bucket()), variables);
    let hash = store.put(contract::SPORT, ObjectKind::Json, Bytes::from_static(b"{}")).await.expect("stored");
    let get = || store.get(contract::SPORT, ObjectKind::Json, &hash);
    network.becomes(Condition::Slow(Duration::from_secs(5)));
    assert_eq!(get().await.expect("late"), Some(Bytes::from_static(b"{}")));
    for condition in [Condition::Hanging, Condition::Refusing] {
        network.becomes(condition);
        let answer = tokio::time::timeout(Duration::from_secs(10), get()).await.expect("in time");
        assert!(matches!(answer, Err(PortError::Unavailable { .. })), "{condition:?}: {answer:?}");
    }
    network.becomes(Condition::Well);
    for _ in 0..100 {
        if get().await.is_ok_and(|found| found.is_some()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the store is back, and no request was sent");
}

/// Each pooled connection would cost one timed-out trial.
#[tokio::test]
async fn a_network_that_forgot_all_connections_is_well_again_within_fifteen_seconds() {
    let server = S3Server::start();
    let network = Network::to(server.address());
    let variables = S3Server::variables_at(&format!("http://{}", network.address()));
    let store = open(&format!("s3://{}", server.fresh_bucket()), variables);
    let hash = store.put(contract::SPORT, ObjectKind::Json, Bytes::from_static(b"{}")).await.expect("stored");
    let get = || store.get(contract::SPORT, ObjectKind::Json, &hash);
    network.becomes(Condition::Slow(Duration::from_millis(500)));
    for found in futures::future::join_all((0..10).map(|_| get())).await {
        assert!(found.is_ok_and(|found| found.is_some()));
    }
    network.becomes(Condition::Forgetting);
    tokio::time::sleep(Duration::from_millis(500)).await;
    network.becomes(Condition::Well);
    let answered = async {
        while get().await.is_err() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(15), answered).await.expect("well again");
}

#[tokio::test]
async fn a_store_whose_certificate_is_from_an_unknown_authority_is_refused() {
    let server = S3Server::start();
    let network = Network::tls_to(server.address(), &Certificates::fresh());
    let variables = S3Server::variables_at(&format!("https://{}", network.address()));
    let store = open(&format!("s3://{}", server.fresh_bucket()), variables);
    let refused = store.expect_bucket().await.expect_err("not trusted");
    assert!(sports_ports::error_chain(&refused).contains("certificate"), "{}", sports_ports::error_chain(&refused));
}

/// Returns a link to a dataset in a bucket that expires after `lifetime`.
async fn a_signed_link(store: &ArtifactStore, content: &[u8], lifetime: TimeDelta) -> String {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), content).expect("written");
    let stored = store.put_file(file.path()).await.expect("stored");
    let clock = ClockFake::at("2024-11-24T15:00:00Z");
    let dataset = a_dataset().called("all-seasons.csv").build();
    let download = Download {
        object: stored.object,
        bytes: stored.bytes,
        expires_at: clock.now() + lifetime,
        ..Download::for_customer(&dataset, a_customer().build().id, clock.now())
    };
    let links = StoreLinks::to(store, Arc::new(clock)).expect("a store that signs");
    match links.sign(&download).await.expect("signs") {
        SignedLink::Elsewhere(link) => link,
        here @ SignedLink::Here(_) => panic!("{here:?}"),
    }
}

#[tokio::test]
async fn links_of_the_store_keep_the_contract() {
    let server = S3Server::start();
    let links = StoreLinks::to(&fresh(&server), Arc::new(ClockFake::at("2025-05-01T12:00:00Z")));
    dataset_contract::links(&links.expect("a store that signs")).await;
    assert!(StoreLinks::to(&ArtifactStore::in_memory(), Arc::new(ClockFake::at("2025-05-01T12:00:00Z"))).is_none());
}

#[tokio::test]
async fn a_link_of_the_store_opens_the_file_whole_and_in_part_under_its_name() {
    let server = S3Server::start();
    let link = a_signed_link(&fresh(&server), b"a,b\n1,2\n", TimeDelta::minutes(15)).await;
    let client = Client::new();
    let whole = client.get(&link).send().await.expect("answers");
    assert_eq!(whole.status(), StatusCode::OK);
    assert_eq!(whole.headers()[CONTENT_DISPOSITION], "attachment; filename=\"all-seasons.csv\"");
    assert_eq!(whole.bytes().await.expect("a body"), "a,b\n1,2\n");
    let part = client.get(&link).header(RANGE, "bytes=4-6").send().await.expect("answers");
    assert_eq!(
        (part.status(), &part.headers()[CONTENT_RANGE]),
        (StatusCode::PARTIAL_CONTENT, &"bytes 4-6/8".parse().expect("a value"))
    );
    assert_eq!(part.bytes().await.expect("a body"), "1,2");
    // A link is signed for one method.
    for other in [client.head(&link), client.put(&link).body("other"), client.delete(&link)] {
        assert_eq!(other.send().await.expect("answers").status(), StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn a_link_of_the_store_that_was_changed_or_has_expired_opens_nothing() {
    let server = S3Server::start();
    let store = fresh(&server);
    let other = a_signed_link(&store, b"other", TimeDelta::minutes(15)).await;
    let link = a_signed_link(&store, b"mine", TimeDelta::minutes(15)).await;
    let client = Client::new();
    let status = async |link: &str| client.get(link).send().await.expect("answers").status();
    assert_eq!(status(&link).await, StatusCode::OK);
    let (path, query) = link.split_once('?').expect("a query");
    let (other_path, _) = other.split_once('?').expect("a query");
    assert_ne!(path, other_path);
    for changed in [
        format!("{other_path}?{query}"),
        link.replace("X-Amz-Expires=900", "X-Amz-Expires=9000"),
        link.replace("all-seasons.csv", "other.csv"),
        link.split_at(link.len() - 1).0.to_owned() + if link.ends_with('0') { "1" } else { "0" },
        path.to_owned(),
    ] {
        assert_ne!(changed, link);
        assert_eq!(status(&changed).await, StatusCode::FORBIDDEN, "{changed}");
    }
    let short = a_signed_link(&store, b"mine", TimeDelta::seconds(1)).await;
    for _ in 0..100 {
        if status(&short).await == StatusCode::FORBIDDEN {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("a link of one second still opens the file");
}

const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

#[tokio::test]
async fn a_request_to_the_store_carries_the_trace_that_it_is_part_of() {
    let server = S3Server::start();
    let traced =
        |variables| OpenOptions { trace_headers: || vec![("traceparent", TRACE.to_owned())], ..options(variables) };
    let url = format!("s3://{}", server.fresh_bucket());
    let store = ArtifactStore::open_with(&url, &traced(server.variables())).expect("an address");
    store.expect_bucket().await.expect("its signature holds all the same");

    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    let store = ArtifactStore::open_with(&url, &traced(S3Server::variables_at(&endpoint))).expect("an address");
    let request = tokio::spawn(async move { store.expect_bucket().await.map_err(drop) });
    let (mut client, _) = listener.accept().await.expect("a client");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await.expect("a request"));
    }
    request.abort();
    let head = String::from_utf8(head).expect("text");
    assert!(head.contains(&format!("traceparent: {TRACE}\r\n")), "{head}");
}
