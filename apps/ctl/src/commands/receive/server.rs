//! The operations of the door: who may call them, what they receive, and what they answer.

use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::http::header::{
    ALLOW, AUTHORIZATION, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Data, Payload};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, rt, web};
use serde_json::json;
use sports_accounts::{Networks, UploadRight, UploadToken, UploadTokenRecord, hide_keys};
use sports_domain::content::ObjectHash;
use sports_domain::{Season, Sport};
use sports_ports::Clock;
use sports_program::print_error_line;
use sports_publication::Override;
use sports_publisher_files::archive;
use tempfile::TempDir;
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::AT_WORK;
use super::body::{self, Part};
use super::query::Query;
use super::refusal::Refusal;
use super::tokens::TokenFile;
use super::usage::{Usage, UsageEntry, used_up};
use super::work::{Answered, Delivery, Job, OlderPolicy, Precondition, Task};
use crate::cli::{Publish, Settle, Source};
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

/// The header by which a repeated upload is recognised.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
/// The header of an answer that was given before.
const REPLAYED: &str = "idempotency-replayed";
const LONGEST_KEY: usize = 255;

const FORM: &str = "multipart/form-data";
const ARCHIVES: [&str; 6] = [
    "application/x-tar",
    "application/gzip",
    "application/zip",
    FORM,
    "application/x-gzip",
    "application/x-zip-compressed",
];
const TABLES: [&str; 3] = ["text/csv", "application/json", "application/vnd.apache.parquet"];

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
        let refused = |detail: String| Err(Refusal::new(StatusCode::UNAUTHORIZED, detail));
        let Some(header) = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()) else {
            return refused(format!("a token is needed: send `Authorization: Bearer {}…`", UploadToken::PREFIX));
        };
        let text = header.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let Some((_, text)) = text else { return refused("send `Authorization: Bearer` and the token".to_owned()) };
        let token = match UploadToken::parse(text.trim()) {
            Ok(token) => token,
            Err(error) => return refused(error.to_string()),
        };
        let record = self.tokens.find(&token).map_err(Refusal::from)?;
        let Some(record) = record else { return refused("this token is not known here".to_owned()) };
        if record.revoked_at.is_some() {
            return refused("this token was revoked: ask the operator for another one".to_owned());
        }
        if record.expires_at <= self.clock.now() {
            let expired = report::written_instant(record.expires_at);
            return refused(format!("this token expired at {expired}: ask the operator for another one"));
        }
        Ok(record)
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
            .service(resource("/v1/releases/{sport}", &[Method::GET, Method::POST]))
            .service(resource("/v1/finals/{sport}", &[Method::POST]))
            .service(resource("/v1/convert/{sport}", &[Method::POST]))
            .service(resource("/v1/status/{sport}", &[Method::GET]))
            .service(resource("/v1/health", &[Method::GET]))
            .service(resource("/openapi.json", &[Method::GET]))
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
    let now = shared.clock.now();
    match rt::spawn(answer(request, payload, shared)).await {
        Ok(Ok(response)) => response,
        Ok(Err(refusal)) => refusal.response(now),
        Err(error) => Refusal::own_failure(&error).response(now),
    }
}

async fn answer(request: HttpRequest, payload: Payload, shared: Data<Shared>) -> Result<HttpResponse, Refusal> {
    let path = request.path().to_owned();
    let area = path.trim_start_matches("/v1").trim_start_matches('/').split('/').next().unwrap_or_default();
    match (area, request.method()) {
        ("openapi.json", _) => Ok(HttpResponse::Ok().content_type("application/json").body(DOCUMENT)),
        ("health", _) => health(&shared),
        ("releases", &Method::GET) => {
            let (sport, _) = admitted(&request, &shared, None)?;
            let limit = Query::parse(request.query_string(), &["limit"])?.one::<usize>("limit")?.unwrap_or(LISTED);
            if !(1..=MOST_LISTED).contains(&limit) {
                return Err(Refusal::bad_request(format!("`limit` is from 1 to {MOST_LISTED}")));
            }
            asked(&shared, sport, Task::Releases { limit }).await
        }
        ("status", _) => {
            let (sport, _) = admitted(&request, &shared, None)?;
            Query::parse(request.query_string(), &[])?;
            asked(&shared, sport, Task::Status).await
        }
        _ => upload(&request, payload, &shared, area).await,
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

/// Returns the league of a request and the token, which may do something there.
fn admitted(
    request: &HttpRequest,
    shared: &Shared,
    right: Option<UploadRight>,
) -> Result<(Sport, UploadTokenRecord), Refusal> {
    let token = shared.admit(request.headers())?;
    let sport = request.match_info().query("sport").parse::<Sport>();
    let sport = sport.map_err(|error| Refusal::new(StatusCode::NOT_FOUND, error.to_string()))?;
    expect(&token, sport, right)?;
    Ok((sport, token))
}

fn expect(token: &UploadTokenRecord, sport: Sport, right: Option<UploadRight>) -> Result<(), Refusal> {
    token.expect(sport, right).map_err(|error| Refusal::new(StatusCode::FORBIDDEN, error.to_string()))
}

/// Asks the thread of the record something that publishes nothing.
async fn asked(shared: &Shared, sport: Sport, task: Task) -> Result<HttpResponse, Refusal> {
    let answered = done(shared, |reply| Job { sport, task, delivery: None, reply }).await?;
    Ok(json_response(&answered.body))
}

async fn done(
    shared: &Shared,
    job: impl FnOnce(oneshot::Sender<Result<Answered, Refusal>>) -> Job,
) -> Result<Answered, Refusal> {
    let (reply, answered) = oneshot::channel();
    // The queue ends with the door.
    shared.jobs.send(job(reply)).await.map_err(|_| draining())?;
    answered.await.map_err(|_| draining())?
}

fn json_response(body: &serde_json::Value) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(hide_keys(&body.to_string()).into_owned())
}

/// What an upload is, by its path and parameters.
enum Kind {
    Release(Publish),
    Finals(Settle),
    Convert(Publish),
}

impl Kind {
    fn of(area: &str, sport: Sport, query: &Query) -> Result<Self, Refusal> {
        let publish = || {
            let replace_season: Vec<String> = query.list("replace_season")?;
            for label in &replace_season {
                Season::parse(sport, label).map_err(|error| Refusal::bad_request(error.to_string()))?;
            }
            let allow = query.list::<Allowed>("allow")?.into_iter().filter_map(|allowed| allowed.0).collect();
            let (dry_run, strict) = (query.flag("dry_run")?, query.flag("strict")?);
            Ok::<_, Refusal>(Publish { dry_run, strict, allow, replace_season, ..Publish::default() })
        };
        Ok(match area {
            "releases" => Self::Release(publish()?),
            "finals" => Self::Finals(Settle {
                sport,
                file: PathBuf::new(),
                correct: query.flag("correct")?,
                allow_unknown: query.flag("allow_unknown")?,
                dry_run: query.flag("dry_run")?,
            }),
            _ => {
                let source = Source {
                    preset: query.one("preset")?,
                    sport: Some(sport),
                    season: query.one("season")?,
                    postseason_from: query.one("postseason_from")?,
                    slate: query.flag("slate")?,
                    public: query.flag("public")?,
                    ..Source::default()
                };
                let finals = query.flag("finals")?;
                if finals && source.slate {
                    return Err(Refusal::bad_request("`slate` and `finals` exclude each other: send one of them"));
                }
                Self::Convert(Publish { source, finals, ..publish()? })
            }
        })
    }

    /// The parameters of an upload to a path.
    fn parameters(area: &str) -> &'static [&'static str] {
        match area {
            "releases" => &["dry_run", "strict", "allow", "replace_season"],
            "finals" => &["dry_run", "correct", "allow_unknown"],
            _ => &["preset", "season", "postseason_from", "slate", "finals", "public", "dry_run", "strict", "allow"],
        }
    }

    /// The types of bodies that a path takes.
    fn types(area: &str) -> &'static [&'static str] {
        match area {
            "releases" => &ARCHIVES,
            "finals" => &TABLES,
            _ => &[FORM],
        }
    }

    /// Returns what the token must be allowed beside publishing, because of the parameters.
    fn rights(&self, allows_older: bool) -> Vec<UploadRight> {
        let (first, mends) = match self {
            Self::Release(publish) | Self::Convert(publish) => {
                (UploadRight::Publish, allows_older || !publish.allow.is_empty() || !publish.replace_season.is_empty())
            }
            Self::Finals(settle) => (UploadRight::Settle, settle.correct),
        };
        [Some(first), mends.then_some(UploadRight::Mend)].into_iter().flatten().collect()
    }

    const fn is_dry_run(&self) -> bool {
        match self {
            Self::Release(publish) | Self::Convert(publish) => publish.dry_run,
            Self::Finals(settle) => settle.dry_run,
        }
    }
}

/// A finding that may be overridden, or `older`.
struct Allowed(Option<Override>);

/// The word that admits a release of before what is on record.
const OLDER: &str = "older";

impl std::str::FromStr for Allowed {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        if word == OLDER {
            return Ok(Self(None));
        }
        word.parse()
            .map(|found| Self(Some(found)))
            .map_err(|error: sports_domain::FormError| format!("{error}, {OLDER}"))
    }
}

/// Receives, unpacks and publishes an upload. Whatever the token and the head of the request show is refused before the body.
async fn upload(
    request: &HttpRequest,
    payload: Payload,
    shared: &Data<Shared>,
    area: &str,
) -> Result<HttpResponse, Refusal> {
    let (sport, token) = admitted(request, shared, None)?;
    let query = Query::parse(request.query_string(), Kind::parameters(area))?;
    let kind = Kind::of(area, sport, &query)?;
    let allows_older = query.list::<String>("allow")?.iter().any(|word| word == OLDER);
    for right in kind.rights(allows_older) {
        expect(&token, sport, Some(right))?;
    }
    let headers = request.headers();
    let (key, precondition) = (idempotency_key(headers)?, precondition(headers)?);
    let body_type = body::expect_type(request, Kind::types(area))?;
    if let Some(seconds) = shared.usage().seconds_left(&token.id, shared.clock.now()) {
        return Err(Refusal::later(StatusCode::TOO_MANY_REQUESTS, seconds, used_up()));
    }
    if shared.is_draining.load(Relaxed) {
        return Err(draining());
    }
    let full = format!("{AT_ONCE} uploads are being received, the most at a time");
    let full = |_| Refusal::later(StatusCode::SERVICE_UNAVAILABLE, 1, full);
    let _room = Arc::clone(&shared.room).try_acquire_owned().map_err(full)?;
    let work = tempfile::Builder::new().prefix(AT_WORK).tempdir_in(&shared.received);
    let work = work.map_err(|error| Refusal::own_failure(&error))?;
    let parts = body::receive(request, payload, &body_type, work.path()).await?;
    let mut entry = UsageEntry {
        at: shared.clock.now(),
        token: token.id.clone(),
        address: shared.address(request),
        path: format!("{area}/{sport}"),
        received: parts.iter().map(|part| part.bytes).sum(),
        unpacked: 0,
        status: StatusCode::OK.as_u16(),
        release_id: None,
    };
    let is_dry_run = kind.is_dry_run();
    let outcome = async {
        let task = task(kind, parts, &work, &mut entry.unpacked).await?;
        let older = if allows_older { OlderPolicy::Publish } else { OlderPolicy::Refuse };
        let delivery = Delivery { token, key, precondition, parameters: query.canonical(), is_dry_run, older };
        done(shared, |reply| Job { sport, task, delivery: Some(delivery), reply }).await
    };
    let outcome = outcome.await;
    match &outcome {
        Ok(answered) => entry.release_id = answered.body["release_id"].as_str().map(str::to_owned),
        Err(refusal) => entry.status = refusal.status.as_u16(),
    }
    if let Err(error) = shared.usage().add(&entry) {
        print_error_line!("sportsctl: the log of uploads cannot be written: {error}");
    }
    // Only now, since the task reads its files.
    drop(work);
    let answered = outcome?;
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

/// Turns the files of a body into a task; archives are unpacked on a thread for such work.
async fn task(kind: Kind, parts: Vec<Part>, work: &TempDir, unpacked: &mut u64) -> Result<Task, Refusal> {
    match kind {
        Kind::Release(publish) => {
            let [part] = <[Part; 1]>::try_from(parts).map_err(|parts| {
                Refusal::bad_request(format!(
                    "the form has {} parts: send one, the archive of the release",
                    parts.len()
                ))
            })?;
            let into = work.path().join("release");
            let unpack = move || {
                std::fs::create_dir(&into).map_err(archive::ArchiveError::Io)?;
                archive::unpack(&part.path, &into)
            };
            let result = web::block(unpack).await.map_err(|error| Refusal::own_failure(&error))??;
            *unpacked = result.bytes;
            Ok(Task::Release { publish, folder: result.folder })
        }
        Kind::Finals(settle) => {
            let [part] = <[Part; 1]>::try_from(parts).map_err(|_| Refusal::bad_request("send one file of finals"))?;
            *unpacked = part.bytes;
            let file = work.path().join(format!("finals.{}", part.ending.unwrap_or_default()));
            std::fs::rename(&part.path, &file).map_err(|error| Refusal::own_failure(&error))?;
            Ok(Task::Finals(Settle { file, ..settle }))
        }
        Kind::Convert(mut publish) => {
            for (number, part) in parts.into_iter().enumerate() {
                *unpacked += part.bytes;
                let ending = part.ending.as_deref();
                let (into, name) = match (part.name.as_str(), ending) {
                    ("table", Some("csv" | "parquet")) => {
                        let name = format!("table-{}.{}", number + 1, ending.unwrap_or_default());
                        (&mut publish.from, name)
                    }
                    ("table", _) => {
                        let detail =
                            "a part `table` is neither CSV nor Parquet: name its file so, or give it that Content-Type";
                        return Err(Refusal::bad_request(detail));
                    }
                    ("map", _) if publish.source.map.is_none() => {
                        let map = work.path().join("map.toml");
                        std::fs::rename(&part.path, &map).map_err(|error| Refusal::own_failure(&error))?;
                        publish.source.map = Some(map);
                        continue;
                    }
                    _ => {
                        let detail = "the parts of the form are `table`, for each table, and one `map`";
                        return Err(Refusal::bad_request(detail));
                    }
                };
                let path = work.path().join(name);
                std::fs::rename(&part.path, &path).map_err(|error| Refusal::own_failure(&error))?;
                into.push(path);
            }
            if publish.from.is_empty() {
                return Err(Refusal::bad_request("the form has no part `table`: send the table to convert"));
            }
            Ok(Task::Convert { publish, within: work.path().to_owned() })
        }
    }
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
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default().trim().to_owned());
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
