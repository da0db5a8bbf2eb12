use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, init_service, try_call_service};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_api::api::Worker;
use sports_api::state::start_streams;
use sports_domain::Sport;
use sports_http_transport::ProxyTrust;
use sports_ports::Clock;
use sports_ports::accounts::{KeyIssue, KeyRing};
use sports_program::settings::Settings;
use sports_testkit::metering::contract::limits;
use tokio::time::{Instant, timeout};

use crate::slates::{at_boston, blended, posted, slate, slate_of};
use crate::support::World;

const MLB: &str = "/api/v1/stream?sport=mlb";
const USAGE: &str = "/api/v1/customers/me/usage";

/// The time limit for what is due within two seconds, on a busy machine.
const SOON: Duration = Duration::from_secs(10);

/// The time in which nothing is expected.
const NOTHING: Duration = Duration::from_millis(300);

/// An open stream.
struct Reader {
    headers: HeaderMap,
    body: BoxBody,
}

/// One event, or a block with `retry` alone.
#[derive(Debug)]
struct Event {
    name: String,
    id: String,
    retry: Option<u64>,
    data: Value,
}

impl Event {
    fn parse(text: &str) -> Self {
        assert!(text.ends_with("\n\n"), "{text:?}");
        let field = |name: &str| {
            let mut values = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            let value = values.next().map(str::to_owned);
            assert!(values.next().is_none(), "{name} is there once: {text:?}");
            value
        };
        Self {
            name: field("event").unwrap_or_default(),
            id: field("id").unwrap_or_default(),
            retry: field("retry").map(|retry| retry.parse().expect("a number")),
            data: field("data").map_or(Value::Null, |data| serde_json::from_str(&data).expect("JSON")),
        }
    }

    fn generation(&self) -> u64 {
        assert_eq!(self.name, "release", "{self:?}");
        self.data["generation"].as_u64().expect("a number")
    }
}

impl Reader {
    async fn open(world: &World, request: TestRequest) -> Result<Self, (u16, HeaderMap)> {
        let app = init_service(Worker::new(&world.state).app()).await;
        let response = try_call_service(&app, request.to_request()).await.expect("a response");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        if status != 200 {
            return Err((status, headers));
        }
        Ok(Self { headers, body: response.map_into_boxed_body().into_body() })
    }

    async fn at(world: &World, uri: &str) -> Self {
        Self::open(world, TestRequest::get().uri(uri)).await.expect("a stream")
    }

    async fn keyed(world: &World, uri: &str) -> Result<Self, (u16, HeaderMap)> {
        Self::open(world, TestRequest::get().uri(uri).insert_header(("X-API-Key", a_key(1).reveal()))).await
    }

    /// Returns the next event, or `None` at the end.
    async fn next_within(&mut self, limit: Duration) -> Option<Event> {
        let next = poll_fn(|context| Pin::new(&mut self.body).poll_next(context));
        let piece = timeout(limit, next).await.expect("something in time")?;
        let Ok(bytes) = piece else { panic!("the body broke off") };
        Some(Event::parse(str::from_utf8(&bytes).expect("text")))
    }

    /// Returns the next event that is not about the data status.
    async fn next(&mut self) -> Option<Event> {
        loop {
            let event = self.next_within(SOON).await?;
            if event.name != "status" {
                return Some(event);
            }
        }
    }

    async fn event(&mut self) -> Event {
        self.next().await.expect("an event")
    }

    async fn release(&mut self) -> u64 {
        self.event().await.generation()
    }

    async fn expect_silence(&mut self) {
        let other = timeout(NOTHING, self.next()).await;
        assert!(other.is_err(), "nothing is due but a data status: {other:?}");
    }

    async fn expect_the_end(&mut self) {
        assert!(self.next().await.is_none());
    }
}

/// Creates a world with a subscriber and the tasks of streams.
async fn a_world() -> World {
    ready(World::with_subscriber().await).await
}

async fn ready(world: World) -> World {
    world.generations.poll().await;
    start_streams(&world.state);
    world
}

/// Publishes the odds of that second for baseball.
async fn publish(world: &World, number: u32) {
    publish_in(world, Sport::Mlb, "2025", number).await;
}

async fn publish_in(world: &World, sport: Sport, season: &str, number: u32) {
    world.clock.advance(TimeDelta::seconds(1));
    let game = blended(at_boston("2025-05-01", "19:10:00"), 0.6);
    let release = match sport {
        Sport::Mlb => slate("2025-05-01"),
        _ => slate_of(sport, season, "2025-05-01"),
    };
    let as_of = format!("2025-05-01T{:02}:{:02}:{:02}Z", 10 + number / 3600, number / 60 % 60, number % 60);
    world.publish(&release.odds(&as_of, vec![posted(game.key, game.lines)]).release()).await;
}

/// Returns the id of a position: the number of a release and the beginning of its hash.
async fn position(world: &World, number: u64) -> String {
    let releases = world.get("/api/v1/releases/mlb?limit=100").await.json();
    let releases = releases["releases"].as_array().expect("releases");
    let release = releases.iter().find(|release| release["generation"] == number).expect("it is listed");
    format!("mlb:{number}.{}", &release["sha256"].as_str().expect("a hash")[..8])
}

#[actix_web::test]
async fn a_stream_begins_with_hello_and_has_each_release_once_as_the_list_has_it() {
    let world = a_world().await;
    publish(&world, 1).await;
    let mut reader = Reader::at(&world, MLB).await;
    let hello = reader.event().await;
    let listed = world.get("/api/v1/releases/mlb").await.json();
    let league = &hello.data["leagues"][0];
    let status = world.get("/api/v1/data-status/mlb").await.json();
    assert_eq!((hello.name.as_str(), hello.retry), ("hello", Some(2000)));
    assert_eq!((&league["generation"], &league["head"]), (&json!(1), &listed["head"]));
    for field in ["sport", "status", "operational", "trusted", "degradation_reason", "date", "deadline"] {
        assert_eq!(league[field], status[field], "{field}");
    }
    assert_eq!(hello.id, position(&world, 1).await);
    reader.expect_silence().await;
    for number in 2..5 {
        publish(&world, number).await;
        let event = reader.event().await;
        assert_eq!((event.name.as_str(), event.id.as_str()), ("release", &*position(&world, number.into()).await));
        let mut expected = world.get("/api/v1/releases/mlb").await.json()["releases"][0].clone();
        expected["head"] = expected["sha256"].clone();
        expected["sport"] = json!("mlb");
        assert_eq!(event.data, expected);
    }
    reader.expect_silence().await;
}

#[actix_web::test]
async fn a_poll_that_brings_several_releases_makes_an_event_of_each() {
    let world = a_world().await;
    let mut reader = Reader::at(&world, MLB).await;
    let hello = reader.event().await;
    assert_eq!((&hello.data["leagues"][0]["generation"], hello.id.as_str()), (&Value::Null, "mlb:0.00000000"));
    for number in 1..4 {
        world.clock.advance(TimeDelta::seconds(1));
        let game = blended(at_boston("2025-05-01", "19:10:00"), 0.6);
        let as_of = format!("2025-05-01T11:{number:02}:00Z");
        let release = slate("2025-05-01").odds(&as_of, vec![posted(game.key, game.lines)]).release();
        world.publisher.publish(&release, sports_usecases::publish::Mode::Commit).await.expect("publishes");
    }
    world.generations.poll().await;
    assert_eq!([reader.release().await, reader.release().await, reader.release().await], [1, 2, 3]);
    reader.expect_silence().await;
}

#[actix_web::test]
async fn a_cursor_resumes_after_its_event_by_header_and_by_parameter() {
    let world = a_world().await;
    for number in 1..4 {
        publish(&world, number).await;
    }
    let first = position(&world, 1).await;
    let header = |id: &str| TestRequest::get().insert_header(("Last-Event-ID", id));
    let newest = position(&world, 3).await;
    let requests = [
        header(&first).uri(MLB),
        TestRequest::get().uri(&format!("{MLB}&last_event_id={first}")),
        // A browser keeps the address, and sends the last id in the header.
        header(&first).uri(&format!("{MLB}&last_event_id={newest}")),
    ];
    for (newest, request) in (3_u32..).zip(requests) {
        let mut reader = Reader::open(&world, request).await.expect("a stream");
        let hello = reader.event().await;
        assert_eq!((hello.id.as_str(), &hello.data["leagues"][0]["generation"]), (&*first, &json!(newest)));
        for expected in 2..=newest.into() {
            assert_eq!(reader.release().await, expected);
        }
        reader.expect_silence().await;
        publish(&world, newest + 1).await;
        assert_eq!(reader.release().await, u64::from(newest) + 1);
    }
}

#[actix_web::test]
async fn a_league_that_the_cursor_lacks_begins_now() {
    let world = a_world().await;
    publish(&world, 1).await;
    publish(&world, 2).await;
    publish_in(&world, Sport::Nfl, "2024-25", 1).await;
    let first = position(&world, 1).await;
    let mut reader = Reader::at(&world, &format!("/api/v1/stream?sport=nfl,mlb&last_event_id={first}")).await;
    assert!(reader.event().await.id.contains("nfl:1."));
    let release = reader.event().await;
    assert_eq!((release.generation(), &release.data["sport"]), (2, &json!("mlb")));
    publish_in(&world, Sport::Nfl, "2024-25", 2).await;
    let release = reader.event().await;
    assert_eq!((release.generation(), &release.data["sport"]), (2, &json!("nfl")));
    reader.expect_silence().await;
}

#[actix_web::test]
async fn a_cursor_of_another_record_is_reset_and_the_stream_goes_on() {
    let world = a_world().await;
    for number in 1..3 {
        publish(&world, number).await;
    }
    for other in ["mlb:1.00000bad", "mlb:2.00000bad"] {
        let mut reader = Reader::at(&world, &format!("{MLB}&last_event_id={other}")).await;
        assert_eq!(reader.event().await.id, other);
        let reset = reader.event().await;
        assert_eq!((reset.name.as_str(), &reset.data["reason"]), ("reset", &json!("record")));
        assert_eq!(reset.data["leagues"][0]["generation"], 2);
        assert_eq!(reset.id, position(&world, 2).await);
        reader.expect_silence().await;
    }
}

#[actix_web::test]
async fn a_cursor_ahead_of_the_node_waits_and_goes_on_after_it() {
    let world = a_world().await;
    publish(&world, 1).await;
    let mut reader = Reader::at(&world, &format!("{MLB}&last_event_id=mlb:3.00000000")).await;
    let hello = reader.event().await;
    assert_eq!(hello.data["leagues"][0]["generation"], 1, "nothing that this node does not have");
    publish(&world, 2).await;
    reader.expect_silence().await;
    publish(&world, 3).await;
    assert_eq!(reader.event().await.name, "reset", "its third release is another one");
}

#[actix_web::test]
async fn a_cursor_more_than_1024_releases_behind_is_reset() {
    let world = a_world().await;
    for number in 1..=1026 {
        publish(&world, number).await;
    }
    let mut reader = Reader::at(&world, &format!("{MLB}&last_event_id=mlb:1.00000000")).await;
    assert_eq!(reader.event().await.name, "hello");
    let reset = reader.event().await;
    assert_eq!((reset.name.as_str(), &reset.data["reason"]), ("reset", &json!("gap")));
    let text = world.get("/api/v1/releases/mlb?before=3&limit=1").await.json();
    let head = &text["releases"][0]["sha256"].as_str().expect("a hash")[..8];
    let mut reader = Reader::at(&world, &format!("{MLB}&last_event_id=mlb:2.{head}")).await;
    assert_eq!(reader.event().await.name, "hello");
    for expected in 3..=1026 {
        assert_eq!(reader.release().await, expected);
    }
    reader.expect_silence().await;
}

#[actix_web::test]
async fn a_change_of_the_data_status_is_an_event() {
    let world = a_world().await;
    let mut reader = Reader::at(&world, MLB).await;
    assert_eq!(reader.event().await.data["leagues"][0]["status"], "pending");
    // After the deadline of 10:15 Eastern.
    world.clock.advance(TimeDelta::hours(3));
    let event = reader.next_within(SOON).await.expect("an event");
    assert_eq!((event.name.as_str(), &event.data["status"]), ("status", &json!("stale")));
    assert_eq!(event.id, "mlb:0.00000000");
}

#[actix_web::test]
async fn headers_keep_a_stream_out_of_caches_and_buffers_and_open_it_to_pages() {
    let world = a_world().await;
    let request = TestRequest::get().uri(MLB).insert_header(("Accept-Encoding", "gzip, br, zstd"));
    let public = Reader::open(&world, request).await.expect("a stream");
    let keyed = Reader::keyed(&world, MLB).await.expect("a stream");
    for reader in [&public, &keyed] {
        let header = |name: &str| reader.headers.get(name).map(|value| value.to_str().expect("text"));
        assert_eq!(header("content-type"), Some("text/event-stream"));
        assert_eq!(header("cache-control"), Some("no-store"));
        assert_eq!(header("x-accel-buffering"), Some("no"));
        assert_eq!(header("content-encoding"), None);
    }
    assert_eq!(public.headers.get("access-control-allow-origin").expect("open"), "*");
    assert!(keyed.headers.get("access-control-allow-origin").is_none());
    assert_eq!(keyed.headers.get("x-ratelimit-remaining").expect("a quota"), "199999");
    let head = TestRequest::default().method(actix_web::http::Method::HEAD).uri(MLB);
    let mut head = Reader::open(&world, head).await.expect("headers");
    assert!(head.next_within(SOON).await.is_none(), "and no body without an end");
}

#[actix_web::test]
async fn a_request_that_names_no_league_or_no_event_is_refused_with_the_remedy() {
    let world = a_world().await;
    let detail = async |uri: &str| {
        let answer = world.get(uri).await;
        assert_eq!(answer.status, 400, "{answer:?}");
        answer.json()["detail"].as_str().expect("text").to_owned()
    };
    let missing = "`sport` must be the code of a league, or several with commas between them";
    assert_eq!(detail("/api/v1/stream").await, missing);
    assert!(detail("/api/v1/stream?sport=xfl").await.starts_with("`sport`: "));
    assert!(detail("/api/v1/stream?sport=").await.starts_with("`sport`: "));
    assert!(detail(&format!("{MLB}&last_event_id=41")).await.contains("must be the `id` of an event"));
    let header = TestRequest::get().uri(MLB).insert_header(("Last-Event-ID", "41"));
    assert_eq!(Reader::open(&world, header).await.err().expect("refused").0, 400);
    assert_eq!(world.get(&format!("{MLB}&api_key={}", a_key(9).reveal())).await.status, 401);
}

#[actix_web::test]
async fn before_the_log_was_read_there_is_no_stream() {
    let world = World::with_subscriber().await;
    assert_eq!(world.get(MLB).await.status, 503);
}

#[actix_web::test]
async fn a_customer_has_eight_streams_and_a_refused_one_costs_nothing() {
    let world = a_world().await;
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(Reader::keyed(&world, MLB).await.expect("a stream"));
    }
    let (status, headers) = Reader::keyed(&world, MLB).await.err().expect("refused");
    assert_eq!((status, headers.contains_key("retry-after")), (429, true));
    assert_eq!(headers.get("x-ratelimit-remaining").expect("a quota"), "199992");
    let _public = Reader::at(&world, MLB).await;
    open.pop();
    assert!(Reader::keyed(&world, MLB).await.is_ok(), "another one was closed");
}

#[actix_web::test]
async fn an_address_has_thirty_two_streams_and_a_trusted_proxy_any_number() {
    let mut world = World::with_subscriber().await;
    let mut settings = Settings::default();
    settings.http.trusted_proxies = "192.0.2.1".parse().expect("a network");
    world.replace(|state| state.callers.proxies = Arc::new(ProxyTrust::from_settings(&settings.http)));
    let world = ready(world).await;
    let from = |address: &str| {
        let address: SocketAddr = format!("{address}:40000").parse().expect("an address");
        TestRequest::get().uri(MLB).peer_addr(address)
    };
    let mut open = Vec::new();
    for _ in 0..32 {
        open.push(Reader::open(&world, from("192.0.2.7")).await.expect("a stream"));
    }
    let (status, headers) = Reader::open(&world, from("192.0.2.7")).await.err().expect("refused");
    assert_eq!((status, headers.contains_key("retry-after")), (429, true));
    assert_eq!(headers.get("access-control-allow-origin").expect("a page may read it"), "*");
    open.push(Reader::open(&world, from("192.0.2.8")).await.expect("another address"));
    for _ in 0..40 {
        open.push(Reader::open(&world, from("192.0.2.1")).await.expect("a proxy"));
    }
}

async fn used(world: &World) -> u64 {
    world.get_with_key(USAGE).await.json()["monthly_requests"].as_u64().expect("a number")
}

#[actix_web::test]
async fn a_stream_costs_a_call_when_it_is_opened_and_one_an_hour() {
    let world = a_world().await;
    let (before, mut reader) = (used(&world).await, Reader::keyed(&world, MLB).await.expect("a stream"));
    assert_eq!(reader.event().await.name, "hello");
    assert_eq!(used(&world).await, before + 1);
    for hours in 2..4 {
        world.clock.advance(TimeDelta::minutes(59));
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert_eq!(used(&world).await, before + hours - 1);
        world.clock.advance(TimeDelta::minutes(1));
        let started = Instant::now();
        while used(&world).await != before + hours {
            assert!(started.elapsed() < SOON, "the hour is counted");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

#[actix_web::test]
async fn in_a_full_month_no_stream_opens_and_an_open_one_ends_at_the_hour() {
    let world = ready(World::limited(limits(2, 50)).admitting_a_subscriber().await).await;
    let mut reader = Reader::keyed(&world, MLB).await.expect("a stream");
    assert_eq!(reader.event().await.name, "hello");
    assert_eq!(world.get_with_key("/api/v1/sports").await.status, 200);
    assert_eq!(Reader::keyed(&world, MLB).await.err().expect("refused").0, 429);
    reader.expect_silence().await;
    world.clock.advance(TimeDelta::hours(1));
    let reset = reader.event().await;
    assert_eq!((reset.name.as_str(), reset.data), ("reset", json!({ "reason": "month" })));
    reader.expect_the_end().await;
}

#[actix_web::test]
async fn a_revoked_key_ends_its_streams_within_two_seconds_and_no_others() {
    let world = a_world().await;
    let other = a_key_record().seeded(2).issued(second(-60)).named("other").build();
    let customer = a_customer().build();
    assert_eq!(world.accounts.issue(customer.id, &other).await.expect("issued"), KeyIssue::Issued);
    let mut reader = Reader::keyed(&world, MLB).await.expect("a stream");
    let second_key = TestRequest::get().uri(MLB).insert_header(("X-API-Key", a_key(2).reveal()));
    let mut spared = Reader::open(&world, second_key).await.expect("a stream");
    for reader in [&mut reader, &mut spared] {
        assert_eq!(reader.event().await.name, "hello");
    }
    let at: DateTime<Utc> = world.clock.now();
    let _ = world.accounts.revoke(customer.id, &a_key(1).digest(), at).await.expect("revoked");
    let revoked = Instant::now();
    reader.expect_the_end().await;
    assert!(revoked.elapsed() < Duration::from_secs(2), "{:?}", revoked.elapsed());
    spared.expect_silence().await;
}

#[actix_web::test]
async fn an_expired_key_ends_its_streams() {
    let world = ready(World::new()).await;
    let expiry = world.clock.now() + TimeDelta::minutes(1);
    world.admit(&a_customer().build(), &a_key_record().issued(second(-60)).expiring(expiry).build()).await;
    let mut reader = Reader::keyed(&world, MLB).await.expect("a stream");
    assert_eq!(reader.event().await.name, "hello");
    reader.expect_silence().await;
    world.clock.advance(TimeDelta::minutes(1));
    reader.expect_the_end().await;
}

#[actix_web::test]
async fn a_shutdown_ends_streams_with_a_time_to_return() {
    let world = a_world().await;
    let mut open = Vec::new();
    for _ in 0..8 {
        let mut reader = Reader::at(&world, MLB).await;
        assert_eq!(reader.event().await.name, "hello");
        open.push(reader);
    }
    world.state.operations.draining.begin();
    open.push(Reader::at(&world, MLB).await);
    assert_eq!(open[8].event().await.name, "hello", "opened during the shutdown");
    for reader in &mut open {
        let last = reader.event().await;
        assert!(last.retry.is_some_and(|retry| (1000..=5000).contains(&retry)) && last.name.is_empty(), "{last:?}");
        reader.expect_the_end().await;
    }
}
