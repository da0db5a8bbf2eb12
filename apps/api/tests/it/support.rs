//! An API over fakes, and requests to it.

use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, init_service, try_call_service};
use actix_web::{HttpRequest, HttpResponse, body, web};
use async_trait::async_trait;
use chrono::{DateTime, SecondsFormat, Utc};
use futures::FutureExt;
use serde::Deserialize;
use serde_json::{Value, json};
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_accounts::{Customer, CustomerId, KeyDigest, KeyName, KeyRecord, Limits};
use sports_api::api::{self, Worker};
use sports_api::auth::{AnyKey, Anyone, PublicCaller, Subscriber};
use sports_api::error::ApiError;
use sports_api::json::{Fields, JsonBody};
use sports_api::operation::Operation;
use sports_api::params::Params;
use sports_api::paths::{MarketPath, Path};
use sports_api::query_params;
use sports_api::routes;
use sports_api::state::{AppState, KeyChanges, StoredData};
use sports_domain::Market;
use sports_ports::accounts::{CustomerCreation, Customers, KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing};
use sports_ports::{Clock, PortError};
use sports_publication::Release;
use sports_testkit::accounts::AccountsFake;
use sports_testkit::clock::ClockFake;
use sports_testkit::datasets::DatasetFilesFake;
use sports_testkit::metering::contract;
use sports_testkit::publication::{CodecFake, SlateCodecFake, StoreFake};
use sports_testkit::random::RandomFake;
use sports_usecases::probes::{DatabasePings, Ping, Pings, Probes, RestrictionChecks};
use sports_usecases::publish::{Mode, PublishOutcome, Publisher};
use sports_usecases::record::{Archives, CurrentGenerations, Slates};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::state;

/// The time of every test, unless it moves the clock.
pub const NOW: &str = "2025-05-01T12:00:00Z";

/// An API with its fakes.
pub struct World {
    pub clock: Arc<ClockFake>,
    pub accounts: Arc<AccountsFake>,
    pub files: Arc<DatasetFilesFake>,
    pub store: Arc<StoreFake>,
    pub generations: Arc<CurrentGenerations>,
    pub publisher: Publisher,
    pub state: Arc<AppState>,
}

/// A complete answer.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
    /// The time of the answer by the fake clock.
    pub at: String,
}

impl World {
    /// Creates a world without accounts and publications, whose log has not been read.
    pub fn new() -> Self {
        Self::starting_at(NOW)
    }

    /// Creates the same world at another time.
    pub fn starting_at(instant: &str) -> Self {
        Self::with(instant, contract::limits(200_000, 50))
    }

    /// Creates the same world with other limits; addresses have the limit per second, too, and the same limit of
    /// invalid keys.
    pub fn limited(limits: Limits) -> Self {
        Self::with(NOW, limits)
    }

    fn with(instant: &str, limits: Limits) -> Self {
        let clock = Arc::new(ClockFake::at(instant));
        let accounts = Arc::new(AccountsFake::new());
        let store = Arc::new(StoreFake::default());
        let stored = StoredData {
            log: store.clone(),
            archives: Archives::new(store.clone(), Arc::new(CodecFake::default())),
            slates: Slates::new(store.clone(), Arc::new(SlateCodecFake::default())),
            files: store.clone(),
        };
        let publisher = Publisher::new(
            store.clone(),
            stored.archives.clone(),
            stored.slates.clone(),
            clock.clone(),
            Arc::new(RandomFake::default()),
        );
        let mut state = state::complete(clock.clone(), &stored, &accounts, limits, 1 << 28);
        state.interface = api::interface(with_test_routes);
        let keys: Arc<dyn KeyRing> = Arc::new(DelayedKeyRing(accounts.clone()));
        state.callers.keys = Arc::clone(&keys);
        state.callers.key_changes = KeyChanges::new(move |_| Arc::clone(&keys));
        let generations = Arc::clone(&state.published.generations);
        state.probes = Probes::new(pings_of(&accounts), store.clone(), Arc::clone(&generations));
        let files = Arc::new(DatasetFilesFake::default());
        let datasets = Arc::get_mut(&mut state.datasets).expect("nobody else has it");
        datasets.files = files.clone();
        Self { clock, accounts, files, store, generations, publisher, state: Arc::new(state) }
    }

    /// Replaces parts of the state.
    pub fn replace(&mut self, parts: impl FnOnce(&mut AppState)) {
        parts(Arc::get_mut(&mut self.state).expect("no request is pending"));
    }

    /// Creates a world with a subscriber who holds `a_key(1)`.
    pub async fn with_subscriber() -> Self {
        Self::new().admitting_a_subscriber().await
    }

    pub async fn admitting_a_subscriber(self) -> Self {
        self.admit(&a_customer().build(), &a_key_record().issued(second(-60)).build()).await;
        self
    }

    /// Publishes a release, and makes the API read it.
    pub async fn publish(&self, release: &Release) {
        let published = self.publisher.publish(release, Mode::Commit).await.expect("publishes");
        assert!(matches!(published.outcome, PublishOutcome::Published { .. }), "{published:?}");
        self.generations.poll().await;
    }

    pub async fn admit(&self, customer: &Customer, key: &KeyRecord) {
        assert_eq!(self.accounts.create(customer).await.expect("created"), CustomerCreation::Created);
        assert_eq!(self.accounts.issue(customer.id, key).await.expect("issued"), KeyIssue::Issued);
    }

    pub async fn send(&self, request: TestRequest) -> Answer {
        let (status, headers, body) = self.answer(request).await;
        let at = self.clock.now().to_rfc3339_opts(SecondsFormat::AutoSi, true);
        Answer { status, headers, text: String::from_utf8(body).expect("text"), at }
    }

    /// Sends a request whose answer may be compressed.
    pub async fn send_for_bytes(&self, request: TestRequest) -> (HeaderMap, Vec<u8>) {
        let (status, headers, body) = self.answer(request).await;
        assert_eq!(status, StatusCode::OK);
        (headers, body)
    }

    async fn answer(&self, request: TestRequest) -> (StatusCode, HeaderMap, Vec<u8>) {
        let app = init_service(Worker::new(&self.state).app()).await;
        match try_call_service(&app, request.to_request()).await {
            Ok(response) => parts_of(response.into_parts().1).await,
            // The server converts an error that no route turned into a response.
            Err(error) => parts_of(error.error_response()).await,
        }
    }

    pub async fn get(&self, uri: &str) -> Answer {
        self.send(TestRequest::get().uri(uri)).await
    }

    /// Sends a request with the subscriber's key.
    pub async fn get_with_key(&self, uri: &str) -> Answer {
        self.send_with_key(1, TestRequest::get().uri(uri)).await
    }

    /// Sends a request with `a_key(seed)`.
    pub async fn send_with_key(&self, seed: u8, request: TestRequest) -> Answer {
        self.send(request.insert_header(("X-API-Key", a_key(seed).reveal()))).await
    }
}

/// Returns pings that read the accounts.
fn pings_of(accounts: &Arc<AccountsFake>) -> Pings {
    let ping = || -> Ping {
        let accounts = Arc::clone(accounts);
        Box::new(move || {
            let accounts = Arc::clone(&accounts);
            async move { Customers::list(&*accounts).await.map(drop) }.boxed()
        })
    };
    let restrictions = RestrictionChecks { database: None, clock: Box::new(|| None), limits: None, settings: None };
    Pings { database: DatabasePings { reading: ping(), writing: ping() }, limits: None, restrictions }
}

async fn parts_of<B: MessageBody>(response: HttpResponse<B>) -> (StatusCode, HeaderMap, Vec<u8>) {
    let (status, headers) = (response.status(), response.headers().clone());
    let Ok(bytes) = body::to_bytes(response.into_body()).await else { panic!("the body broke off") };
    (status, headers, bytes.to_vec())
}

impl Answer {
    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_str(&self.text).expect("JSON")
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }

    /// Asserts a failure in the common form, with this status and detail.
    pub fn expect_failure(&self, status: u16, detail: &str) {
        let expected = json!({ "error": format!("HTTP_{status}"), "detail": detail, "timestamp": self.at });
        assert_eq!((self.status.as_u16(), self.json()), (status, expected));
        assert!(self.header("x-request-id").is_some(), "{self:?}");
    }
}

/// Registers the service's own routes, and routes that fail.
fn with_test_routes(config: &mut ServiceConfig<'_>) {
    routes::all(config);
    config
        .service(Operation::new(panicking, __path_panicking))
        .service(Operation::new(corrupt, __path_corrupt))
        .service(Operation::new(unavailable, __path_unavailable))
        .service(Operation::new(echo, __path_echo))
        .service(Operation::new(market, __path_market))
        .service(Operation::new(keyed_panic, __path_keyed_panic))
        .service(Operation::new(keyed_status, __path_keyed_status))
        .service(Operation::new(public, __path_public))
        .route("/test/unscoped/subscriber", web::get().to(unscoped_subscriber))
        .route("/test/unscoped/public", web::get().to(unscoped_public));
}

/// Takes a caller that no scope has admitted.
async fn unscoped_subscriber(_caller: Subscriber) -> HttpResponse {
    HttpResponse::Ok().finish()
}

/// Takes a public caller whose address no scope has counted.
async fn unscoped_public(_caller: PublicCaller) -> HttpResponse {
    HttpResponse::Ok().finish()
}

/// Panics once the caller is known.
#[utoipa::path(get, path = "/test/keyed/panicking")]
async fn keyed_panic(_caller: AnyKey) -> HttpResponse {
    panic!("a route of the tests panics")
}

/// Answers with the status in the path.
#[utoipa::path(get, path = "/test/keyed/{status}")]
async fn keyed_status(_caller: AnyKey, request: HttpRequest) -> HttpResponse {
    let status = request.match_info().get("status").expect("it is in the path").parse().expect("a number");
    HttpResponse::build(StatusCode::from_u16(status).expect("a status")).finish()
}

/// A public route with data and a parameter.
#[utoipa::path(get, path = "/test/public", params(Slate))]
async fn public(_caller: PublicCaller, Params(slate): Params<Slate>) -> String {
    format!("upcoming only: {}", slate.upcoming_only)
}

#[utoipa::path(get, path = "/test/panicking")]
async fn panicking(_caller: Anyone) -> HttpResponse {
    panic!("a route of the tests panics")
}

#[utoipa::path(get, path = "/test/corrupt")]
async fn corrupt(_caller: Anyone) -> Result<HttpResponse, ApiError> {
    Err(PortError::corrupt("season archive", "bad magic at /srv/store").into())
}

#[utoipa::path(get, path = "/test/unavailable")]
async fn unavailable(_caller: Anyone) -> Result<HttpResponse, ApiError> {
    Err(PortError::unavailable("season archive", "10.0.0.7 refused").into())
}

#[utoipa::path(post, path = "/test/echo")]
async fn echo(_caller: Anyone, body: JsonBody<Anything>) -> HttpResponse {
    HttpResponse::Ok().json(body.0.0)
}

/// Any object.
#[derive(Deserialize)]
#[serde(transparent)]
struct Anything(Value);

impl Fields for Anything {
    const FIELDS: &'static str = "anything";
}

#[utoipa::path(get, path = "/test/markets/{sport}/{model_type}", params(MarketPath))]
async fn market(_caller: Anyone, Path(market): Path<Market>, Params(slate): Params<Slate>) -> String {
    format!("{market}, upcoming only: {}", slate.upcoming_only)
}

query_params! {
    /// The parameters of a slate.
    struct Slate {
        /// True if started games are left out.
        upcoming_only: bool = |given| Ok(given.boolean()?.unwrap_or(true)),
    }
}

/// A key ring whose answers are delayed, like those of a database.
struct DelayedKeyRing(Arc<AccountsFake>);

#[async_trait]
impl KeyRing for DelayedKeyRing {
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyHolder>>, PortError> {
        tokio::task::yield_now().await;
        self.0.holder(digest).await
    }

    async fn keys_of(&self, customer: CustomerId) -> Result<Vec<KeyRecord>, PortError> {
        self.0.keys_of(customer).await
    }

    async fn issue_limited(
        &self,
        customer: CustomerId,
        key: &KeyRecord,
        per_minute: NonZeroU32,
    ) -> Result<KeyIssue, PortError> {
        self.0.issue_limited(customer, key, per_minute).await
    }

    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError> {
        self.0.rename(customer, digest, name).await
    }

    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError> {
        self.0.revoke(customer, digest, at).await
    }
}
