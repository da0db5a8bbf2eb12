//! HTTP requests, as method, address, headers and body.

use std::fmt::Debug;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use actix_web::body::{BoxBody, to_bytes};
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
    IF_NONE_MATCH,
};
use actix_web::http::{Method, StatusCode, Uri};
use actix_web::rt::Runtime;
use actix_web::test::{TestRequest, init_service, try_call_service};
use actix_web::web::Query;
use actix_web::{HttpResponse, rt};
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use sports_accounts::{
    ApiKey, CustomerId, CustomerName, Dataset, Download, Email, Entitlement, KeyName, MaskedKey, Plan, Product,
};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_api::api::Worker;
use sports_api::state::{RequestLog, Site};
use sports_api::wiring;
use sports_domain::Sport;
use sports_ports::datasets::{DatasetFiles as _, Datasets as _, Entitlements as _, LinkSigner as _, SignedLink};
use sports_program::settings::{Settings, Sources};
use sports_publisher_files::read;
use sports_store::{ArtifactStore, HmacSigner};
use sports_usecases::accounts::{NewKey, issue_key, open_account};
use sports_usecases::publish::Mode;

use crate::published::Stores;
use crate::scratch::Scratch;

/// Sends a request to the service. The first line of the input is a method and an address, then a header follows on
/// each line, and the body after an empty line. `{KEY}` and `{LINK}` stand for a customer's key and the path of a
/// download.
///
/// It checks for any request that:
///
/// - the response is not an internal error, and a failure has an error body;
/// - the response does not contain the request's key;
/// - a response with an `ETag` is 304 for a client that has it;
/// - a partial response has the length of its `Content-Range`;
/// - a query in another encoding has the same response.
pub fn send(bytes: &[u8]) {
    World::with(|world| {
        let Some(request) = Request::read(&world.fill_in(bytes)) else { return };
        let answer = world.send(&request);
        answer.is_well_formed(&request);
        if !request.headers.iter().any(|(name, _)| name == ACCEPT_ENCODING) {
            assert!(!world.shows_the_key(&answer), "the response contains the key: {answer:?}");
        }
        if request.method == Method::GET {
            unchanged(world, &request, &answer);
            with_another_encoding(world, &request, &answer);
        }
    });
}

/// Checks that a client with this response gets 304.
fn unchanged(world: &World, request: &Request, answer: &Answer) {
    let Some(etag) = answer.headers.get(ETAG).filter(|_| answer.status == StatusCode::OK) else { return };
    let mut again = request.clone();
    again.headers.retain(|(name, _)| name != IF_NONE_MATCH);
    again.headers.push((IF_NONE_MATCH, etag.clone()));
    let again = world.send(&again);
    assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{request:?}");
    assert!(again.body.is_empty(), "{request:?} {again:?}");
}

/// Checks that the query has the same response with every byte of every name and value percent-encoded.
fn with_another_encoding(world: &World, request: &Request, answer: &Answer) {
    let Some(query) = request.uri.query().filter(|query| !query.is_empty()) else { return };
    let Ok(pairs) = Query::<Vec<(String, String)>>::from_query(query) else { return };
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    let mut other = request.clone();
    let Ok(uri) = format!("{}?{}", request.uri.path(), pairs.join("&")).parse() else { return };
    other.uri = uri;
    let other = world.send(&other);
    let status_and_etag = |answer: &Answer| (answer.status, answer.headers.get(ETAG).cloned());
    assert_eq!(status_and_etag(&other), status_and_etag(answer), "{request:?}");
}

fn encoded(text: &str) -> String {
    text.bytes().flat_map(|byte| ['%', digit(byte >> 4), digit(byte & 15)]).collect()
}

fn digit(half: u8) -> char {
    char::from(b"0123456789ABCDEF"[usize::from(half)])
}

/// A parsed request.
#[derive(Debug, Clone)]
struct Request {
    method: Method,
    uri: Uri,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

/// A response.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Request {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let first = line(&mut rest);
        let space = first.iter().position(|byte| *byte == b' ')?;
        let method = Method::from_bytes(&first[..space]).ok()?;
        let uri: Uri = Uri::try_from(&first[space + 1..]).ok().filter(|uri: &Uri| uri.path().starts_with('/'))?;
        let mut headers = Vec::new();
        while !rest.is_empty() {
            let header = line(&mut rest);
            if header.is_empty() {
                break;
            }
            let colon = header.iter().position(|byte| *byte == b':')?;
            let value = HeaderValue::from_bytes(header[colon + 1..].trim_ascii()).ok()?;
            headers.push((HeaderName::from_bytes(&header[..colon]).ok()?, value));
        }
        Some(Self { method, uri, headers, body: Bytes::copy_from_slice(rest) })
    }

    fn to_actix(&self) -> TestRequest {
        let request = TestRequest::default().method(self.method.clone()).uri(&self.uri.to_string());
        let request = request.peer_addr(([10, 0, 0, 1], 40_000).into()).set_payload(self.body.clone());
        self.headers.iter().fold(request, |request, header| request.append_header(header.clone()))
    }
}

/// Splits a line off the front, and removes its end.
fn line<'b>(rest: &mut &'b [u8]) -> &'b [u8] {
    let end = rest.iter().position(|byte| *byte == b'\n');
    let (line, after) = end.map_or((*rest, &[][..]), |end| (&rest[..end], &rest[end + 1..]));
    *rest = after;
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl Answer {
    fn is_well_formed(&self, request: &Request) {
        let is_unavailable = self.status == StatusCode::SERVICE_UNAVAILABLE;
        assert!(!self.status.is_server_error() || is_unavailable, "an internal error: {request:?} {self:?}");
        if self.headers.contains_key(CONTENT_ENCODING) || request.method == Method::HEAD {
            return;
        }
        let json = self.headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        let body: Option<Value> = json.then(|| serde_json::from_slice(&self.body).expect("a body of its type, JSON"));
        if self.status.is_client_error() || is_unavailable {
            let body = body.unwrap_or_else(|| panic!("a failure without its body: {request:?} {self:?}"));
            assert_eq!(body["error"], format!("HTTP_{}", self.status.as_u16()), "{request:?}");
        }
        if self.status == StatusCode::PARTIAL_CONTENT {
            let range = self.headers.get(CONTENT_RANGE).and_then(|range| range.to_str().ok()).expect("a range");
            assert_eq!(length_of(range), Some(self.body.len()), "{range}");
        }
    }
}

/// Returns the length of a content range such as `bytes 5-13/34`.
fn length_of(range: &str) -> Option<usize> {
    let (first, last) = range.strip_prefix("bytes ")?.split_once('/')?.0.split_once('-')?;
    Some(last.parse::<usize>().ok()? + 1 - first.parse::<usize>().ok()?)
}

/// The published fixtures, with their times of publication: a slate, and seasons.
const SLATE: (&str, &str) = ("nfl-2023-week-18-slate", "2024-01-06T15:00:00Z");

const HISTORY: (&str, &str) = ("doubleheader", "2024-01-06T14:00:00Z");

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");

const SECRET: &str = "a secret that is not known outside";

const FILE: &[u8] = b"date,away,home\n2024-11-24,min,chi\n";

type Service = dyn Fn(TestRequest) -> Pin<Box<dyn Future<Output = Answer>>>;

/// A service that is wired like the program, over a store with seasons and a slate, and with one customer who owns a
/// file.
struct World {
    runtime: Runtime,
    service: Box<Service>,
    key: ApiKey,
    link: String,
    /// The files of the service.
    _scratch: Scratch,
}

thread_local! {
    static WORLD: World = World::new();
}

impl World {
    /// Passes the world of this thread. Requests may change it, as they would change the program.
    pub fn with(action: impl FnOnce(&Self)) {
        WORLD.with(action);
    }

    fn new() -> Self {
        let (runtime, scratch) = (Runtime::new().expect("a runtime"), Scratch::new());
        let settings = settings(&scratch);
        let (service, key, link) = runtime.block_on(async {
            let store = ArtifactStore::open(settings.store.url.reveal()).expect("a store");
            for (fixture, now) in [HISTORY, SLATE] {
                publish(&store, fixture, instant(now)).await;
            }
            let (key, link) = customer(&settings, &store, &scratch).await;
            let site = Site::from_settings(&settings).expect("a site");
            let lock = wiring::lock(&settings).expect("the only server");
            let service = wiring::wire(&settings, site, lock, RequestLog::Off).await;
            (serve(service.expect("a service")).await, key, link)
        });
        let world = Self { runtime, service, key, link, _scratch: scratch };
        world.wait_until_ready();
        world
    }

    /// Waits until the background task has read the log.
    fn wait_until_ready(&self) {
        let ready = || self.request(TestRequest::get().uri("/api/v1/readiness"));
        for _ in 0..200 {
            if ready().status.is_success() {
                return;
            }
            self.runtime.block_on(async { rt::time::sleep(Duration::from_millis(50)).await });
        }
        panic!("never ready: {:?}", ready());
    }

    pub fn send(&self, request: &Request) -> Answer {
        self.request(request.to_actix())
    }

    fn request(&self, request: TestRequest) -> Answer {
        self.runtime.block_on((self.service)(request))
    }

    /// Replaces `{KEY}` and `{LINK}` in an input.
    pub fn fill_in(&self, bytes: &[u8]) -> Vec<u8> {
        let bytes = replaced(bytes, b"{KEY}", self.key.reveal().as_bytes());
        replaced(&bytes, b"{LINK}", self.link.as_bytes())
    }

    /// Returns `true` if a response contains the part of the key that a mask hides.
    pub fn shows_the_key(&self, answer: &Answer) -> bool {
        let hidden = &self.key.reveal().as_bytes()[ApiKey::PREFIX.len() + MaskedKey::SHOWN..];
        let shows = |bytes: &[u8]| bytes.windows(hidden.len()).any(|window| window == hidden);
        shows(&answer.body) || answer.headers.iter().any(|(_, value)| shows(value.as_bytes()))
    }
}

fn replaced(bytes: &[u8], name: &[u8], value: &[u8]) -> Vec<u8> {
    let mut rest = bytes;
    let mut replaced = Vec::with_capacity(bytes.len());
    while let Some(found) = rest.windows(name.len()).position(|window| window == name) {
        replaced.extend_from_slice(&rest[..found]);
        replaced.extend_from_slice(value);
        rest = &rest[found + name.len()..];
    }
    replaced.extend_from_slice(rest);
    replaced
}

/// Returns settings whose limits no fuzzer reaches: a refusal for too many calls would hide every other response.
fn settings(scratch: &Scratch) -> Settings {
    let folder = scratch.path().display();
    let toml = format!(
        r#"
        http.trusted_proxies = "10.0.0.0/8"
        store.url = "file:{folder}/store"
        database.url = "sqlite:{folder}/sports.db"
        limits.monthly = 1000000000000
        limits.per_second = 100000
        limits.public_per_second = 100000
        limits.failed_keys_per_second = 100000
        limits.key_creations_per_minute = 100000
        downloads.secret = "{SECRET}"
        clock.as_of = "{}"
        "#,
        SLATE.1
    );
    let file = scratch.write("settings.toml", toml);
    Settings::load(&Sources { file: Some(file), ..Sources::default() }).expect("settings")
}

async fn publish(store: &ArtifactStore, fixture: &str, now: DateTime<Utc>) {
    let folder = format!("{FIXTURES}/{fixture}/release");
    let release = read(folder.as_ref(), now).expect("a good release").release;
    Stores::over(store.clone()).publisher(now).publish(&release, Mode::Commit).await.expect("it is published");
}

/// Creates a customer. Returns the key, and the path of a download that stays valid.
async fn customer(settings: &Settings, store: &ArtifactStore, scratch: &Scratch) -> (ApiKey, String) {
    let now = instant(SLATE.1);
    let accounts = AccountsDatabase::connect(settings.database.url.reveal()).await.expect("a database");
    let account = (good(Email::new("ann@example.com")), good(CustomerName::new("Ann")), Some(Plan::Ai));
    let customer = open_account(&accounts, account, now, [7; 10]).await.expect("an account").id;
    let name = good(KeyName::new("notebook"));
    let (key, _) = issue_key(&accounts, customer, NewKey::named(name), now, [7; 32]).await.expect("a key");
    let link = own_a_file(&accounts, store, customer, scratch).await;
    accounts.close().await.expect("it can be opened again");
    (key, link)
}

async fn own_a_file(
    accounts: &AccountsDatabase,
    store: &ArtifactStore,
    customer: CustomerId,
    scratch: &Scratch,
) -> String {
    let (now, sport, product) = (instant(SLATE.1), Sport::Nfl, good("historical-odds".parse::<Product>()));
    let stored = store.put_file(&scratch.write("nfl.csv", FILE)).await.expect("stored");
    let (object, bytes, file_name) = (stored.object, stored.bytes, good("nfl.csv".parse()));
    let dataset = Dataset { product: product.clone(), sport, file_name, object, bytes, added_at: now };
    accounts.add_dataset(&dataset).await.expect("added");
    let entitlement = Entitlement { customer, product, sport, granted_at: now, expires_at: None, revoked_at: None };
    let _ = accounts.grant(&entitlement).await.expect("granted");
    let mut download = Download::for_customer(&dataset, customer, now);
    download.expires_at += TimeDelta::days(365);
    match HmacSigner::new(SECRET.as_bytes()).sign(&download).await {
        Ok(SignedLink::Here(link)) => link,
        other => panic!("a link of our own: {other:?}"),
    }
}

async fn serve(wired: wiring::Service) -> Box<Service> {
    let service = Rc::new(init_service(Worker::new(&wired.state).app()).await);
    Box::new(move |request| {
        // The lock on the database is held as long as requests are sent.
        let (service, _) = (Rc::clone(&service), &wired);
        Box::pin(async move {
            match try_call_service(&*service, request.to_request()).await {
                Ok(response) => taken_apart(response.into_parts().1.map_into_boxed_body()).await,
                // The server's response to an error that no route converted.
                Err(error) => taken_apart(error.error_response()).await,
            }
        })
    })
}

async fn taken_apart(response: HttpResponse<BoxBody>) -> Answer {
    let (status, headers) = (response.status(), response.headers().clone());
    let Ok(body) = to_bytes(response.into_body()).await else { panic!("the body ended early") };
    Answer { status, headers, body }
}

fn good<T, E: Debug>(value: Result<T, E>) -> T {
    value.expect("a good value")
}

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}
