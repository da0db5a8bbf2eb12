//! The operations of the door: who may call them, what they receive, and what they answer.

use std::cell::Cell;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::http::header::{
    ALLOW, AUTHORIZATION, DATE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Data, Payload};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, rt, web};
use serde_json::json;
use sports_accounts::{Networks, UploadToken, UploadTokenRecord, hide_keys};
use sports_domain::content::ObjectHash;
use sports_domain::{Sport, eastern_date};
use sports_ports::Clock;
use sports_program::print_error_line;
use sports_publisher_files::archive::{self, ArchiveError};
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::AT_WORK;
use super::body::{self, Part};
use super::query::Query;
use super::refusal::Refusal;
use super::tokens::{TokenFile, expect_right};
use super::upload::{Area, Arguments, Files};
use super::usage::{self, Usage, UsageEntry};
use super::work::{Answered, Delivery, Job, Precondition, Task};
use crate::failure::Failure;
use crate::places::Places;
use crate::report;

/// The most uploads that are received or wait at a time.
pub const AT_ONCE: usize = 8;

/// The threads that serve connections.
const WORKERS: usize = 2;
/// The longest time for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The seconds for which a stopping door finishes what has begun.
const DRAIN: u64 = 60;

/// The form of dates in headers.
const HTTP_DATE: &str = "%a, %d %b %Y %H:%M:%S GMT";
/// The header by which a repeated upload is recognised.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
/// The header of an answer that was given before.
const REPLAYED: &str = "idempotency-replayed";
const LONGEST_KEY: usize = 255;

const PATH_OF_RELEASES: &str = "/v1/releases/{sport}";
const PATH_OF_FINALS: &str = "/v1/finals/{sport}";
const PATH_OF_TABLES: &str = "/v1/convert/{sport}";
const PATH_OF_STATUS: &str = "/v1/status/{sport}";
const PATH_OF_HEALTH: &str = "/v1/health";
const PATH_OF_DOCUMENT: &str = "/openapi.json";

/// The description of the door for programs.
const DOCUMENT: &str = include_str!("openapi.json");

/// The number of releases that are listed unless a request names another.
const LISTED: usize = 20;
const MOST_LISTED: usize = 1000;

/// What all connections share.
pub struct Shared {
    clock: Arc<dyn Clock>,
    tokens: TokenFile,
    usage: Mutex<Usage>,
    received: PathBuf,
    trusted_proxies: Networks,
    room: Arc<Semaphore>,
    jobs: mpsc::Sender<Job>,
    is_draining: AtomicBool,
}

impl Shared {
    pub fn new(
        places: &Places<'_>,
        folder: &Path,
        received: PathBuf,
        jobs: mpsc::Sender<Job>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            clock: Arc::clone(&places.clock),
            tokens: TokenFile::in_folder(folder),
            usage: Mutex::new(Usage::open(folder, places.clock.now())?),
            received,
            trusted_proxies: places.settings().http.trusted_proxies.clone(),
            room: Arc::new(Semaphore::new(AT_ONCE)),
            jobs,
            is_draining: AtomicBool::new(false),
        })
    }

    /// Refuses uploads from now on.
    pub fn drain(&self) {
        self.is_draining.store(true, Relaxed);
    }

    /// Returns the token of a request, if it is valid. Guesses are not counted: a right token is never locked out, and a wrong one
    /// costs a hash.
    fn admit(&self, headers: &HeaderMap) -> Result<UploadTokenRecord, Refusal> {
        let refused = |detail: String| Refusal::new(StatusCode::UNAUTHORIZED, detail);
        let header = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let needed = || refused(format!("a token is needed: send `Authorization: Bearer {}…`", UploadToken::PREFIX));
        let text = header.ok_or_else(needed)?.split_once(' ');
        let text = text.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, text)| text.trim());
        let text = text.ok_or_else(|| refused("send `Authorization: Bearer` and the token".to_owned()))?;
        let token = UploadToken::parse(text).map_err(|error| refused(error.to_string()))?;
        self.tokens.expect_valid(&token.digest(), self.clock.now())
    }

    fn address(&self, request: &HttpRequest) -> String {
        let lines = request.headers().get_all("x-forwarded-for").filter_map(|line| line.to_str().ok());
        let client = request.peer_addr().map(|peer| self.trusted_proxies.client_behind(peer.ip(), lines));
        client.map_or_else(String::new, |client| client.to_string())
    }

    fn usage(&self) -> std::sync::MutexGuard<'_, Usage> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Listens; the server runs until its handle stops it.
pub fn listen(listener: TcpListener, shared: Arc<Shared>) -> io::Result<Server> {
    let shared = Data::from(shared);
    let app = move || {
        App::new()
            .app_data(Data::clone(&shared))
            .service(resource(PATH_OF_RELEASES, &[Method::GET, Method::POST]))
            .service(resource(PATH_OF_FINALS, &[Method::POST]))
            .service(resource(PATH_OF_TABLES, &[Method::POST]))
            .service(resource(PATH_OF_STATUS, &[Method::GET]))
            .service(resource(PATH_OF_HEALTH, &[Method::GET]))
            .service(resource(PATH_OF_DOCUMENT, &[Method::GET]))
            .default_service(web::to(unknown))
    };
    let server = HttpServer::new(app).workers(WORKERS).client_request_timeout(HEAD_TIMEOUT).shutdown_timeout(DRAIN);
    Ok(server.disable_signals().listen(listener)?.run())
}

fn resource(path: &str, methods: &'static [Method]) -> actix_web::Resource {
    let mut resource = web::resource(path);
    for method in methods {
        resource = resource.route(web::method(method.clone()).to(operation));
    }
    resource.default_service(web::to(move |request: HttpRequest, shared: Data<Shared>| {
        let known = methods.iter().map(Method::as_str).collect::<Vec<_>>().join(", ");
        let detail = format!("{} is not possible here: {known}", request.method());
        let mut response = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, detail).response(shared.clock.now());
        if let Ok(known) = known.parse() {
            response.headers_mut().insert(ALLOW, known);
        }
        async move { response }
    }))
}

async fn unknown(request: HttpRequest, shared: Data<Shared>) -> HttpResponse {
    let detail = format!("there is nothing at {}: /openapi.json lists what there is", request.path());
    Refusal::new(StatusCode::NOT_FOUND, detail).response(shared.clock.now())
}

/// Answers a request in a task of its own, so that an upload is published or refused to its end even if its client is gone.
async fn operation(request: HttpRequest, payload: Payload, shared: Data<Shared>) -> HttpResponse {
    let answered = rt::spawn(answer(request, payload, Data::clone(&shared))).await;
    let now = shared.clock.now();
    let mut response = match answered {
        Ok(Ok(response)) => response,
        Ok(Err(refusal)) => refusal.response(now),
        Err(error) => Refusal::own_failure(&error).response(now),
    };
    // The day of a slate is that of the door's clock, which may be set by hand.
    if let Ok(date) = HeaderValue::try_from(now.format(HTTP_DATE).to_string()) {
        response.headers_mut().insert(DATE, date);
    }
    response
}

async fn answer(request: HttpRequest, payload: Payload, shared: Data<Shared>) -> Result<HttpResponse, Refusal> {
    // By the pattern, since a path may be written with percent signs.
    let pattern = request.match_pattern().unwrap_or_default();
    match (pattern.as_str(), request.method()) {
        (PATH_OF_DOCUMENT, _) => {
            Query::parse(request.query_string(), &[])?;
            Ok(HttpResponse::Ok().content_type("application/json").body(DOCUMENT))
        }
        (PATH_OF_HEALTH, _) => {
            Query::parse(request.query_string(), &[])?;
            health(&shared)
        }
        (PATH_OF_RELEASES, &Method::GET) => {
            let (sport, _) = admitted(&request, &shared)?;
            let limit = Query::parse(request.query_string(), &["limit"])?.one::<usize>("limit")?.unwrap_or(LISTED);
            if !(1..=MOST_LISTED).contains(&limit) {
                return Err(Refusal::bad_request(format!("`limit` is from 1 to {MOST_LISTED}")));
            }
            asked(&shared, sport, Task::Releases { limit }).await
        }
        (PATH_OF_STATUS, _) => {
            let (sport, _) = admitted(&request, &shared)?;
            Query::parse(request.query_string(), &[])?;
            asked(&shared, sport, Task::Status).await
        }
        (PATH_OF_RELEASES, _) => upload(&request, payload, &shared, Area::Releases).await,
        (PATH_OF_FINALS, _) => upload(&request, payload, &shared, Area::Finals).await,
        _ => upload(&request, payload, &shared, Area::Convert).await,
    }
}

fn health(shared: &Shared) -> Result<HttpResponse, Refusal> {
    if shared.is_draining.load(Relaxed) {
        return Err(draining());
    }
    let now = report::written_instant(shared.clock.now());
    Ok(json_response(&json!({ "status": "ok", "now": now, "version": env!("SPORTS_VERSION") })))
}

fn draining() -> Refusal {
    Refusal::later(StatusCode::SERVICE_UNAVAILABLE, 5, "the door is stopping: send the same upload again")
}

/// Returns the league of a request and the token, which is for it.
fn admitted(request: &HttpRequest, shared: &Shared) -> Result<(Sport, UploadTokenRecord), Refusal> {
    let token = shared.admit(request.headers())?;
    let sport = request.match_info().query("sport").parse::<Sport>();
    let sport = sport.map_err(|error| Refusal::new(StatusCode::NOT_FOUND, error.to_string()))?;
    expect_right(&token, sport, None)?;
    Ok((sport, token))
}

/// Asks the thread of the record something that publishes nothing.
async fn asked(shared: &Shared, sport: Sport, task: Task) -> Result<HttpResponse, Refusal> {
    Ok(json_response(&done(shared, sport, task).await?.body))
}

async fn done(shared: &Shared, sport: Sport, task: Task) -> Result<Answered, Refusal> {
    let (reply, answered) = oneshot::channel();
    // The queue ends with the door.
    shared.jobs.send(Job { sport, task, reply }).await.map_err(|_| draining())?;
    answered.await.map_err(|_| draining())?
}

fn json_response(body: &serde_json::Value) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(hide_keys(&body.to_string()).into_owned())
}

/// Receives, unpacks and publishes an upload. Whatever the token and the head of the request show is refused before the body.
async fn upload(
    request: &HttpRequest,
    payload: Payload,
    shared: &Data<Shared>,
    area: Area,
) -> Result<HttpResponse, Refusal> {
    let (sport, token) = admitted(request, shared)?;
    let query = Query::parse(request.query_string(), area.parameters())?;
    let arguments = Arguments::of(area, sport, &query)?;
    for right in arguments.rights(&query)? {
        expect_right(&token, sport, Some(right))?;
    }
    let (key, precondition) = (idempotency_key(request.headers())?, precondition(request.headers())?);
    let body_type = body::expect_type(request, area.types())?;
    if shared.is_draining.load(Relaxed) {
        return Err(draining());
    }
    let full = format!("{AT_ONCE} uploads are being received, the most at a time");
    let full = |_| Refusal::later(StatusCode::SERVICE_UNAVAILABLE, 1, full);
    let _room = Arc::clone(&shared.room).try_acquire_owned().map_err(full)?;
    let used_up = |seconds| Refusal::later(StatusCode::TOO_MANY_REQUESTS, seconds, usage::used_up());
    shared.usage().begin(&token.id, shared.clock.now()).map_err(used_up)?;
    let mut entry = UsageEntry {
        at: shared.clock.now(),
        token: token.id.clone(),
        address: shared.address(request),
        path: format!("{}/{sport}", area.word()),
        received: 0,
        unpacked: 0,
        status: StatusCode::OK.as_u16(),
        release_id: None,
    };
    let received = Rc::new(Cell::new(0));
    let outcome = async {
        let work = tempfile::Builder::new().prefix(AT_WORK).tempdir_in(&shared.received);
        let work = work.map_err(|error| Refusal::own_failure(&error))?;
        let parts = body::receive(request, payload, &body_type, work.path(), &received).await?;
        let (files, given) = files(area, parts, work.path()).await?;
        entry.unpacked = files.bytes;
        let parameters = query.canonical();
        let content = ObjectHash::from_parts([area.word(), sport.code(), &parameters, &given].map(str::as_bytes));
        // A table of all games is sent each day, and converted into that day's slate.
        let today = (area == Area::Convert).then(|| eastern_date(shared.clock.now()).to_string());
        let key = key.unwrap_or_else(|| format!("{content}{}", today.unwrap_or_default()));
        let delivery =
            Delivery { area, files, token, key, precondition, parameters, content, is_dry_run: arguments.is_dry_run() };
        // The folder is removed once the task is done, whatever became of it.
        done(shared, sport, Task::Publish(Box::new(delivery))).await
    }
    .await;
    entry.received = received.get();
    match &outcome {
        Ok(answered) => entry.release_id = answered.body["release_id"].as_str().map(str::to_owned),
        Err(refusal) => entry.status = refusal.status.as_u16(),
    }
    if let Err(error) = shared.usage().end(&entry) {
        print_error_line!("sportsctl: the log of uploads cannot be written: {error}");
    }
    published_response(&outcome?)
}

/// Returns the response to an upload that was published, or was before.
fn published_response(answered: &Answered) -> Result<HttpResponse, Refusal> {
    let mut response = json_response(&answered.body);
    if let Some(head) = answered.body["head"].as_str() {
        let tag = HeaderValue::try_from(format!("\"{head}\""));
        response.headers_mut().insert(ETAG, tag.map_err(|error| Refusal::own_failure(&error))?);
    }
    if answered.is_replayed {
        response.headers_mut().insert(HeaderName::from_static(REPLAYED), HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Names the files of a body, and returns their hash; archives are unpacked on a thread for such work.
async fn files(area: Area, parts: Vec<Part>, work: &Path) -> Result<(Files, String), Refusal> {
    let own = |error: &dyn std::fmt::Display| Refusal::own_failure(error);
    let mut files = Files { within: work.to_owned(), ..Files::default() };
    match area {
        Area::Releases => {
            let [part] = <[Part; 1]>::try_from(parts).map_err(|parts| {
                let count = parts.len();
                Refusal::bad_request(format!("the form has {count} parts: send one, the archive of the release"))
            })?;
            let into = work.join("release");
            let unpack = move || {
                std::fs::create_dir(&into).map_err(ArchiveError::Io)?;
                let unpacked = archive::unpack(&part.path, &into)?;
                std::fs::remove_file(&part.path).map_err(ArchiveError::Io)?;
                Ok::<_, ArchiveError>(unpacked)
            };
            let unpacked = web::block(unpack).await.map_err(|error| own(&error))??;
            (files.main, files.bytes, files.has_parquet) = (unpacked.folder, unpacked.bytes, unpacked.has_parquet);
            Ok((files, unpacked.content.to_string()))
        }
        Area::Finals => {
            let [part] = <[Part; 1]>::try_from(parts).map_err(|_| Refusal::bad_request("send one file of finals"))?;
            files.main = work.join(format!("finals.{}", part.ending.unwrap_or_default()));
            files.bytes = part.bytes;
            files.note_parquet();
            std::fs::rename(&part.path, &files.main).map_err(|error| own(&error))?;
            Ok((files, part.hash.to_string()))
        }
        Area::Convert => tables(parts, files),
    }
}

/// Names the tables and the map of a form, and returns their hash.
fn tables(parts: Vec<Part>, mut files: Files) -> Result<(Files, String), Refusal> {
    let mut given = Vec::new();
    for (number, part) in parts.into_iter().enumerate() {
        let path = match (part.name.as_str(), part.ending.as_deref()) {
            ("table", Some(ending @ ("csv" | "parquet"))) => {
                let path = files.within.join(format!("table-{}.{ending}", number + 1));
                files.tables.push(path.clone());
                path
            }
            ("table", _) => {
                let detail =
                    "a part `table` is neither CSV nor Parquet: name its file so, or give it that Content-Type";
                return Err(Refusal::bad_request(detail));
            }
            ("map", _) if files.map.is_none() => {
                let path = files.within.join("map.toml");
                files.map = Some(path.clone());
                path
            }
            _ => {
                let detail = "the parts of the form are `table`, for each table, and one `map`";
                return Err(Refusal::bad_request(detail));
            }
        };
        std::fs::rename(&part.path, &path).map_err(|error| Refusal::own_failure(&error))?;
        files.bytes += part.bytes;
        given.push(format!("{} {}\n", part.name, part.hash));
    }
    files.note_parquet();
    if files.tables.is_empty() {
        return Err(Refusal::bad_request("the form has no part `table`: send the table to convert"));
    }
    Ok((files, given.concat()))
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY);
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().unwrap_or_default();
    let is_key = (1..=LONGEST_KEY).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_key || values.next().is_some() {
        let detail =
            format!("{IDEMPOTENCY_KEY} is one text of 1 to {LONGEST_KEY} letters, digits and signs, such as a UUID");
        return Err(Refusal::bad_request(detail));
    }
    Ok(Some(text.to_owned()))
}

fn precondition(headers: &HeaderMap) -> Result<Precondition, Refusal> {
    let text = |name| {
        let mut values = headers.get_all(name).map(|value| value.to_str().unwrap_or_default().trim().to_owned());
        let first = values.next();
        if values.next().is_some() { Some(String::new()) } else { first }
    };
    match (text(IF_MATCH), text(IF_NONE_MATCH)) {
        (None, None) => Ok(Precondition::None),
        (None, Some(any)) if any == "*" => Ok(Precondition::First),
        (Some(head), None) => {
            let head = head.strip_prefix('"').and_then(|head| head.strip_suffix('"'));
            let head = head.and_then(|head| head.parse::<ObjectHash>().ok());
            head.map(Precondition::Head).ok_or_else(|| {
                Refusal::bad_request("If-Match is one head in quotation marks, as the ETag of a dry run has it")
            })
        }
        (None, Some(_)) => Err(Refusal::bad_request("If-None-Match can only be *, for a first release")),
        (Some(_), Some(_)) => Err(Refusal::bad_request("If-Match and If-None-Match exclude each other")),
    }
}
