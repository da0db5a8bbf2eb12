use std::time::Duration;

use futures::future::join_all;
use reqwest::Method;
use sports_accounts::testing::a_key;
use tokio::time::{Instant, sleep};

use super::client::Client;
use super::{TIMEOUT, others_are_answered};
use crate::service::{Answer, Service, Site};

const GET: &str = "GET /api/v1/liveness HTTP/1.1\r\nHost: test\r\n\r\n";

/// Connects clients that send one request and then drip.
async fn slow_clients(service: &Service, number: usize) -> Vec<Client> {
    let mut clients = Vec::with_capacity(number);
    for _ in 0..number {
        let mut client = Client::connect(service).await;
        client.try_send((GET.to_owned() + "GET /api/v1/li").as_bytes()).await;
        clients.push(client);
    }
    clients
}

/// The bytes that a slow client sends at once, for each phase of a request: nothing, a whole request, a part of a head, of a
/// head after a first answer, of a chunked body and of a body of a known length.
const PHASES: [&str; 6] = [
    "",
    GET,
    "GET /api/v1/liveness HTTP/1.1\r\nHost: test\r\nX-Slow: ",
    "GET /api/v1/liveness HTTP/1.1\r\nHost: test\r\n\r\nGET /api/v1/liveness HTTP/1.1\r\nHost: test\r\nX-Slow: ",
    "GET /api/v1/sports HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST /api/v1/customers/me/api-keys HTTP/1.1\r\nHost: test\r\nContent-Length: 60000\r\n\r\n{",
];

/// Connects clients from a hundred addresses, in every phase of a request.
async fn slow_clients_of_many_addresses(service: &Service, number: usize) -> Vec<Client> {
    let mut clients = Vec::with_capacity(number);
    for client in 0..number {
        let mut connected = Client::of_address(service, &format!("127.0.1.{}", client % 100 + 1)).await;
        connected.try_send(PHASES[client % PHASES.len()].as_bytes()).await;
        clients.push(connected);
    }
    clients
}

/// Returns the number of files, sockets included, that the server has open.
fn files(service: &Service) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", service.id())).expect("a process of Linux").count()
}

/// Raises the limit of open files: this process needs a descriptor for each client.
pub(super) fn may_open(files: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("raised");
    assert!(maximum.is_none_or(|maximum| maximum > files), "the test needs {files} open files");
}

#[tokio::test]
async fn three_thousand_slow_clients_leave_a_server_of_1024_files_working() {
    may_open(8000);
    let site = Site::empty();
    let Some(service) = site.serve_with_files(1024, &[]).await else { return };
    let others = slow_clients_of_many_addresses(&service, 3000).await;
    others_are_answered(&service).await;
    assert!(files(&service) <= 1024 - 16, "{} files", files(&service));
    drop(others);
    let mut clients = slow_clients(&service, 3000).await;
    others_are_answered(&service).await;
    // The database and the store have files to open.
    let request =
        service.call(Method::POST, "/api/v1/customers/me/api-keys").header("Content-Type", "application/json");
    let created = Answer::to(request.body(r#"{"name":"under load"}"#)).await;
    assert_eq!(created.status, 200, "{}", created.text());
    site.publish_fixture("doubleheader");
    service.until("/api/v1/results/mlb/over_under", |answer| answer.status == 200).await;
    assert!(files(&service) <= 1024 - 64, "{} files", files(&service));
    // The clients go on, and others join them.
    for round in 0..3 {
        for client in &mut clients {
            client.try_send(b"v").await;
        }
        clients.extend(slow_clients(&service, 300).await);
        others_are_answered(&service).await;
        assert!(files(&service) <= 1024 - 64, "{} files in round {round}", files(&service));
    }
    let log = site.log();
    assert!(log.contains("`http.max_connections` is 4096"), "{log}");
    assert!(log.contains("the limit of connections is reached"), "{log}");
    assert!(!log.contains("ERROR"), "{log}");
}

#[tokio::test]
async fn downloads_that_are_not_read_leave_files_for_others() {
    may_open(2000);
    let site = Site::empty();
    site.add_dataset("historical-odds", "nfl.csv", &vec![b'x'; 8 << 20]);
    let (customer, key) = site.customer("owner@example.com", "ai");
    site.entitle(&customer, "historical-odds");
    let Some(service) = site.serve_with_files(1024, &[]).await else { return };
    let refreshed = service.with_key(&key).post("/api/v1/service-sports-data/refresh").await.json();
    let link = refreshed["downloads"][0]["url"].as_str().expect("a link");
    let path = link.splitn(4, '/').nth(3).expect("a path");
    let mut clients = Vec::new();
    for _ in 0..800 {
        let mut client = Client::with_a_small_buffer(&service).await;
        client.try_send(format!("GET /{path} HTTP/1.1\r\nHost: test\r\n\r\n").as_bytes()).await;
        clients.push(client);
    }
    // At first all of them are being answered, and newcomers are refused.
    let started = Instant::now();
    loop {
        let mut client = Client::connect(&service).await;
        client.try_send(GET.as_bytes()).await;
        if client.answer().await.is_some_and(|answer| answer.status == 200) {
            break;
        }
        assert!(started.elapsed() < TIMEOUT, "newcomers are still refused");
        sleep(Duration::from_millis(50)).await;
    }
    // Then the database has the keys of all of them to look up.
    service.until("/api/v1/readiness", |answer| answer.status == 200).await;
    others_are_answered(&service).await;
    site.publish_fixture("doubleheader");
    service.until("/api/v1/results/mlb/over_under", |answer| answer.status == 200).await;
    assert!(files(&service) <= 1024 - 64, "{} files", files(&service));
    assert!(!site.log().contains("ERROR"), "{}", site.log());
}

#[tokio::test]
async fn an_address_has_its_share_of_connections_for_its_newest_clients() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "50")]).await;
    let before = files(&service);
    let clients = slow_clients(&service, 400).await;
    others_are_answered(&service).await;
    assert!(files(&service) <= before + 60, "{} files after {before}", files(&service));
    drop(clients);
}

#[tokio::test]
async fn other_addresses_are_answered_while_one_floods() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_HTTP__MAX_CONNECTIONS", "100")]).await;
    let flood = async {
        loop {
            drop(join_all((0..20).map(|_| slow_clients(&service, 5))).await);
        }
    };
    let probes = async {
        for _ in 0..20 {
            let mut other = Client::of_address(&service, "127.0.0.2").await;
            for _ in 0..2 {
                sleep(Duration::from_millis(20)).await;
                other.send(GET).await;
                assert_eq!(other.answer().await.expect("an answer").status, 200);
            }
        }
    };
    tokio::select! {
        () = flood => {}
        () = probes => {}
    }
}

#[tokio::test]
async fn a_trusted_proxy_has_more_connections_than_an_address() {
    let site = Site::empty();
    let settings = [("SPORTS_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "5"), ("SPORTS_HTTP__TRUSTED_PROXIES", "127.0.0.1")];
    let service = site.serve_with(&settings).await;
    let mut clients = Vec::new();
    for _ in 0..50 {
        let mut client = Client::connect(&service).await;
        client.send(GET).await;
        assert_eq!(client.answer().await.expect("an answer").status, 200);
        clients.push(client);
    }
    for client in &mut clients {
        client.send(GET).await;
        assert_eq!(client.answer().await.expect("it was kept").status, 200);
    }
}

#[tokio::test]
async fn a_server_that_stops_waits_for_no_idle_client() {
    let site = Site::empty();
    let service = site.serve().await;
    let clients = slow_clients(&service, 20).await;
    let mut idle = Client::connect(&service).await;
    idle.send(GET).await;
    assert_eq!(idle.answer().await.expect("an answer").status, 200);
    service.stop();
    idle.expect_the_end().await;
    drop(clients);
}

/// Lookups are batched, so a client that guesses without a pause would always count as busy.
#[tokio::test]
async fn connections_that_guess_keys_make_room_for_others() {
    let site = Site::empty();
    let settings = [("SPORTS_HTTP__MAX_CONNECTIONS", "60"), ("SPORTS_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "40")];
    let service = site.serve_with(&settings).await;
    let guess = |number: u8| {
        let key = a_key(100 + number);
        format!("GET /api/v1/customers/me HTTP/1.1\r\nHost: test\r\nX-API-Key: {}\r\n\r\n", key.reveal())
    };
    let guesses: String = (0..8).map(guess).collect();
    let flood = join_all((0..80).map(|client| {
        let (service, guesses) = (&service, &guesses);
        async move {
            let address = if client % 2 == 0 { "127.0.0.2" } else { "127.0.0.3" };
            loop {
                let mut client = Client::of_address(service, address).await;
                for _ in 0..8 {
                    client.try_send(guesses.as_bytes()).await;
                    while client.answer().await.is_some_and(|answer| answer.status == 401) {}
                }
            }
        }
    }));
    let probes = async {
        sleep(Duration::from_millis(500)).await;
        for _ in 0..20 {
            let mut other = Client::of_address(&service, "127.0.0.4").await;
            other.send(GET).await;
            assert_eq!(other.answer().await.expect("an answer").status, 200);
        }
    };
    tokio::select! {
        _ = flood => {}
        () = probes => {}
    }
}
