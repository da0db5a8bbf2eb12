//! Streams of the real programs: several nodes of one store, shutdown, idle streams, and who may open one.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use sports_testkit::programs::TestFolder;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};

use crate::connections::SHORT;
use crate::folder::Folder;
use crate::operations::STREAM;
use crate::service::{Answer, Service, Site};

const NFL: &str = "/api/v1/stream?sport=nfl";

/// The time limit for an event.
const SOON: Duration = Duration::from_secs(30);

/// A stream as a client reads it.
struct Reader {
    response: Response,
    text: String,
}

/// An event: its name, its id and its data.
#[derive(Debug)]
struct Event {
    name: String,
    id: String,
    data: Value,
    text: String,
}

impl Event {
    fn parse(text: &str) -> Self {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let data = field("data").map_or(Value::Null, |data| serde_json::from_str(data).expect("JSON"));
        let text_of = |name| field(name).unwrap_or_default().to_owned();
        Self { name: text_of("event"), id: text_of("id"), data, text: text.to_owned() }
    }
}

impl Reader {
    async fn open(request: RequestBuilder) -> Self {
        Self::of(request.send().await.expect("an answer"))
    }

    fn of(response: Response) -> Self {
        assert_eq!(response.status(), 200);
        Self { response, text: String::new() }
    }

    /// Opens a public stream after an event, which may be the empty id.
    async fn after(service: &Service, id: &str) -> Self {
        Self::open(service.request(NFL).header("Last-Event-ID", id)).await
    }

    /// Returns the next event; `None` at the end.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                if event == ":" {
                    continue;
                }
                return Some(Event::parse(&event));
            }
            let piece = timeout(SOON, self.response.chunk()).await.expect("something in time").expect("a whole stream");
            self.text.push_str(str::from_utf8(&piece?).expect("text"));
        }
    }

    /// Returns the next event that is not about the data status.
    async fn event(&mut self) -> Event {
        loop {
            let event = self.next().await.expect("the stream goes on");
            if event.name != "status" {
                return event;
            }
        }
    }

    /// Returns the number of the next release and the id of its event.
    async fn release(&mut self) -> (u64, String) {
        let event = self.event().await;
        assert_eq!(event.name, "release", "{event:?}");
        (event.data["generation"].as_u64().expect("a number"), event.id)
    }
}

/// Publishes this version of a folder.
pub fn publish(site: &Site, version: u64) {
    let park = format!("Park {version}");
    site.publish(Folder::copy_of("edge-cases").replace("games/2024-25.csv", "Invented Park", &park).path());
}

/// Returns a second service over the store of a site, with a database of its own.
fn beside(site: &Site) -> Site {
    let store = site.place.store().to_str().expect("text").to_owned();
    Site::at(TestFolder::fresh().with("SPORTS_STORE__URL", format!("file:{store}")))
}

/// Reads to a release, and connects to the other node again and again. Returns the numbers of the releases.
async fn roam(nodes: [&Service; 2], mut random: u64, last: u64) -> Vec<u64> {
    let (mut id, mut seen) = (String::new(), Vec::new());
    loop {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let node = nodes[usize::try_from(random >> 63).expect("a bit")];
        let mut reader = loop {
            // A node may hold a stream that has just been left, and limits how fast they are opened.
            match node.request(NFL).header("Last-Event-ID", &id).send().await.expect("an answer") {
                refused if refused.status() == 429 => sleep(Duration::from_millis(250)).await,
                response => break Reader::of(response),
            }
        };
        let hello = reader.event().await;
        assert_eq!(hello.name, "hello");
        id = hello.id;
        for _ in 0..(random >> 40) % 3 {
            let Ok((number, next)) = timeout(Duration::from_millis(400), reader.release()).await else { break };
            id = next;
            seen.push(number);
            if number == last {
                return seen;
            }
        }
    }
}

#[tokio::test]
async fn readers_get_each_release_once_and_in_order_whichever_node_they_return_to() {
    const RELEASES: u64 = 8;
    let site = Arc::new(Site::on_one_machine());
    site.publish_fixture("edge-cases");
    let other = beside(&site);
    let (one, two) = (site.serve().await, other.serve().await);
    let nodes = [&one, &two];
    let (first, last) = (2, 1 + RELEASES);
    let expected: Vec<_> = (first..=last).collect();
    let mut steady = join_all((0..40).map(|number| Reader::after(nodes[number % 2], ""))).await;
    for reader in &mut steady {
        assert_eq!(reader.event().await.name, "hello");
    }
    let read = async |mut reader: Reader| {
        let mut seen = Vec::new();
        while seen.last() != Some(&last) {
            seen.push(reader.release().await.0);
        }
        seen
    };
    let publishing = async {
        // Roaming readers have a cursor by then.
        sleep(Duration::from_secs(1)).await;
        for version in 0..RELEASES {
            let site = Arc::clone(&site);
            spawn_blocking(move || publish(&site, version)).await.expect("published");
            sleep(Duration::from_millis(200)).await;
        }
    };
    let roaming = (1..7_u64).map(|seed| roam(nodes, seed << 32 | 0x9E37_79B9, last));
    let (steady, roaming, ()) = tokio::join!(join_all(steady.into_iter().map(read)), join_all(roaming), publishing);
    for seen in steady.into_iter().chain(roaming) {
        assert_eq!(seen, expected);
    }
}

#[tokio::test]
async fn a_release_of_the_stream_is_in_the_answers_of_the_node() {
    let site = Site::on_one_machine();
    site.publish_fixture("edge-cases");
    let service = site.serve().await;
    let mut reader = Reader::after(&service, "").await;
    assert_eq!(reader.event().await.name, "hello");
    for version in 0..3 {
        publish(&site, version);
        let event = reader.event().await;
        let listed = service.get("/api/v1/releases/nfl?limit=1").await.json();
        assert_eq!(event.data["sha256"], listed["head"]);
    }
}

#[tokio::test]
async fn streams_end_at_the_signal_while_the_server_still_answers() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_HTTP__DRAIN", "5s")]).await;
    let mut open = join_all((0..20).map(|_| Reader::after(&service, ""))).await;
    for reader in &mut open {
        assert_eq!(reader.event().await.name, "hello");
    }
    let signalled = Instant::now();
    service.signal("TERM");
    let mut retries = Vec::new();
    for reader in &mut open {
        let last = reader.event().await;
        let retry = last.text.strip_prefix("retry: ").expect("a time to return");
        retries.push(retry.parse::<u64>().expect("a number"));
        assert!(reader.next().await.is_none());
    }
    assert!(signalled.elapsed() < Duration::from_secs(3), "{:?}", signalled.elapsed());
    assert!(
        retries.iter().all(|retry| (1000..=5000).contains(retry)) && retries.iter().any(|retry| *retry != retries[0])
    );
    assert_eq!(service.get("/api/v1/liveness").await.status, 200);
    assert!(service.ended().success());
}

#[tokio::test]
async fn an_idle_stream_outlives_every_limit_on_connections() {
    let site = Site::on_one_machine();
    site.publish_fixture("edge-cases");
    let service = site.serve_with(&SHORT).await;
    let mut reader = Reader::after(&service, "").await;
    assert_eq!(reader.event().await.name, "hello");
    sleep(Duration::from_secs(4)).await;
    publish(&site, 1);
    assert_eq!(reader.release().await.0, 2);
}

#[tokio::test]
async fn the_figure_of_open_streams_falls_when_clients_leave() {
    let site = Site::empty();
    let service = site.serve().await;
    let refused = async || service.request(NFL).send().await.expect("an answer").status() == 429;
    let open = join_all((0..32).map(|_| Reader::after(&service, ""))).await;
    assert!(refused().await);
    drop(open);
    let left = Instant::now();
    while refused().await {
        assert!(left.elapsed() < SOON, "the streams of clients that left are closed");
        sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_stream_is_open_to_anybody_and_with_a_key_to_subscribers() {
    let site = Site::empty();
    let service = site.serve().await;
    assert!(NFL.starts_with(STREAM));
    let (_, lapsed) = site.customer("lapsed@example.com", "none");
    let with = |key: &str| service.request(NFL).header("X-API-Key", key);
    assert_eq!(Reader::open(service.request(NFL)).await.event().await.name, "hello");
    assert_eq!(Reader::open(with(&site.key)).await.event().await.name, "hello");
    assert_eq!(Answer::to(with(&lapsed)).await.failure(403), "Active subscription required");
    assert_eq!(Answer::to(with("sk_service_wrong")).await.failure(401), "Invalid or expired API key");
}
