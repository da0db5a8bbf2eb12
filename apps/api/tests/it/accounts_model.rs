//! Two customers create, rename and revoke keys and refresh datasets in any order, while an operator changes plans
//! and entitlements and time passes. The whole API over a real database agrees with a model that keeps plain lists.

mod model;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use actix_web::body::{MessageBody, to_bytes};
use actix_web::dev::ServiceResponse;
use actix_web::test::{TestRequest, init_service, try_call_service};
use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use serde_json::{Value, json};
use sports_accounts::testing::{a_customer, a_dataset, an_entitlement};
use sports_accounts::{ApiKey, CalendarMonth, Customer, KeyName, KeyRecord, Plan, ProcessId};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_api::api::Worker;
use sports_api::state::{AppState, KeyChanges};
use sports_limits::LocalMeter;
use sports_ports::accounts::{Customers, KeyRing};
use sports_ports::datasets::{Datasets, Entitlements, Refreshes};
use sports_ports::{Clock, PortError, Random, random_bytes};
use sports_store::HmacSigner;
use sports_testkit::clock::ClockFake;
use sports_testkit::datasets::DatasetFilesFake;
use sports_testkit::metering::contract::limits;
use sports_usecases::datasets::{CheckedFiles, DatasetService};

use crate::support;
use model::{Answer, Called, Form, Model};

const KEYS: &str = "/api/v1/customers/me/api-keys";

/// A monthly quota that is small enough to run out now and then.
const MONTHLY: u64 = 25;

/// An event of a run. Numbers choose among the existing keys.
#[derive(Debug, Clone)]
enum Event {
    /// A request with the key of this number.
    Call(usize, Called),
    /// The operator issues a key that expires after so many minutes.
    IssueExpiring(usize, i64),
    /// The operator puts a customer on a plan, or on none.
    ChangePlan(usize, bool),
    /// The operator grants or revokes an entitlement.
    Entitle(usize, bool),
    /// Minutes pass.
    Wait(i64),
}

fn any_event() -> impl Strategy<Value = Event> {
    let form = prop_oneof![Just(Form::Full), Just(Form::Masked), Just(Form::EncodedMask), Just(Form::Mistyped)];
    let called = prop_oneof![
        3 => "[a-z]{0,3}".prop_map(Called::Create),
        4 => (any::<usize>(), form.clone()).prop_map(|(key, form)| Called::Revoke(key, form)),
        3 => (any::<usize>(), form, "[a-z]{1,3}").prop_map(|(key, form, name)| Called::Rename(key, form, name)),
        2 => Just(Called::List),
        4 => Just(Called::Refresh),
        9 => Just(Called::Leagues),
        2 => Just(Called::Status),
        1 => Just(Called::Usage),
    ];
    prop_oneof![
        20 => (any::<usize>(), called).prop_map(|(key, called)| Event::Call(key, called)),
        1 => (0..2_usize, 1..60_i64).prop_map(|(customer, minutes)| Event::IssueExpiring(customer, minutes)),
        1 => (0..2_usize, any::<bool>()).prop_map(|(customer, plan)| Event::ChangePlan(customer, plan)),
        1 => (0..2_usize, any::<bool>()).prop_map(|(customer, right)| Event::Entitle(customer, right)),
        1 => prop_oneof![1..50_i64, Just(60 * 24 * 16)].prop_map(Event::Wait),
    ]
}

/// A source of keys that often look alike: there are three masks.
#[derive(Default)]
struct FewMasks(AtomicU32);

impl Random for FewMasks {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        let draw = self.0.fetch_add(1, Ordering::Relaxed);
        bytes.fill(0);
        bytes[0] = (1 + draw % 3).to_be_bytes()[3];
        bytes[28..32].copy_from_slice(&draw.to_be_bytes());
        Ok(())
    }
}

/// The API over a database, and the model beside it.
struct World {
    database: Arc<AccountsDatabase>,
    clock: Arc<ClockFake>,
    files: Arc<DatasetFilesFake>,
    random: Arc<FewMasks>,
    customers: [Customer; 2],
    model: Model,
}

impl World {
    async fn new(folder: &std::path::Path) -> Self {
        let address = format!("sqlite:{}", folder.join("sports.db").display());
        let database = Arc::new(AccountsDatabase::connect(&address).await.expect("a database"));
        let clock = Arc::new(ClockFake::at("2025-05-01T12:00:00Z"));
        let customers = [1, 2].map(|seed| a_customer().seeded(seed).build());
        let files = Arc::new(DatasetFilesFake::default());
        files.keep(b"a dataset");
        let mut world = Self { database, clock, files, random: Arc::default(), customers, model: Model::new(MONTHLY) };
        for customer in 0..2 {
            let _ = world.database.create(&world.customers[customer]).await.expect("created");
            world.issue(customer, None).await;
            world.operate(&Event::Entitle(customer, true)).await;
        }
        world.database.add_dataset(&a_dataset().build()).await.expect("added");
        world
    }

    async fn state(&self) -> AppState {
        let fake = support::World::limited(limits(MONTHLY, 50));
        let mut state = Arc::into_inner(fake.state).expect("nobody else has it");
        state.clock = self.clock.clone();
        state.random = self.random.clone();
        let database = self.database.clone();
        state.callers.keys = database.clone();
        state.callers.key_changes = KeyChanges::new(move |actor| Arc::new(database.acting(actor)));
        let limits = state.callers.limits.customer;
        let meter = LocalMeter::start(self.database.clone(), a_process(), limits, self.clock.now());
        state.callers.meter = Arc::new(meter.await.expect("a meter"));
        state.datasets = Arc::new(DatasetService {
            datasets: self.database.clone(),
            files: self.files.clone(),
            entitlements: self.database.clone(),
            refreshes: self.database.clone(),
            signer: Arc::new(HmacSigner::new(b"a secret of the server")),
            clock: self.clock.clone(),
            checked: CheckedFiles::default(),
        });
        state
    }

    async fn issue(&mut self, customer: usize, minutes: Option<i64>) {
        let (key, now) = (ApiKey::from_random(random_bytes(&*self.random).expect("bytes")), self.clock.now());
        let expires = minutes.map(|minutes| now + TimeDelta::minutes(minutes));
        let record = KeyRecord::issued(&key, KeyName::new("issued").expect("a name"), now, expires);
        let outcome = self.database.issue(self.customers[customer].id, &record).await.expect("answers");
        let issued = outcome == sports_ports::accounts::KeyIssue::Issued;
        assert_eq!(issued, self.model.issue(customer, key.reveal(), "issued", (now, expires)), "{outcome:?}");
    }

    async fn invariants(&self) {
        let now = self.clock.now();
        for (place, customer) in self.customers.iter().enumerate() {
            let keys = self.database.keys_of(customer.id).await.expect("answers");
            invariant_a_customer_has_at_most_25_active_keys(&keys, now);
            self.model.invariant_keys_on_record_are_those_of_the_model(place, &keys);
            let taken =
                self.database.refreshes_taken(customer.id, CalendarMonth::containing(now)).await.expect("answers");
            invariant_a_month_has_at_most_eight_refreshes(taken);
            self.model.invariant_refreshes_on_record_are_those_of_the_model(place, taken, now);
        }
    }

    async fn operate(&mut self, event: &Event) {
        match *event {
            Event::IssueExpiring(customer, minutes) => self.issue(customer, Some(minutes)).await,
            Event::ChangePlan(customer, subscribed) => {
                let plan = subscribed.then_some(Plan::Data);
                let _ = self.database.change_plan(self.customers[customer].id, plan).await.expect("answers");
                self.model.change_plan(customer, subscribed);
            }
            Event::Entitle(customer, held) => {
                let right = an_entitlement().held_by(&self.customers[customer]).granted(self.clock.now()).build();
                if held {
                    let _ = self.database.grant(&right).await.expect("answers");
                } else {
                    let revoked =
                        self.database.revoke_entitlement(right.customer, &right.product, right.sport, self.clock.now());
                    let _ = revoked.await.expect("answers");
                }
                self.model.entitle(customer, held);
            }
            Event::Wait(minutes) => self.clock.advance(TimeDelta::minutes(minutes)),
            Event::Call(..) => {}
        }
    }
}

/// Returns the name of a server that never was.
fn a_process() -> ProcessId {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    ProcessId::from_random([0; 8]).numbered(STARTED.fetch_add(1 << 32, Ordering::Relaxed))
}

fn invariant_a_customer_has_at_most_25_active_keys(keys: &[KeyRecord], now: DateTime<Utc>) {
    assert!(keys.iter().filter(|key| key.is_active(now)).count() <= 25);
}

fn invariant_a_month_has_at_most_eight_refreshes(taken: u32) {
    assert!(taken <= 8);
}

fn request(called: &Called, named: &str) -> TestRequest {
    match called {
        Called::Create(name) => TestRequest::post().uri(KEYS).set_json(json!({ "name": name })),
        Called::Revoke(..) => TestRequest::delete().uri(&format!("{KEYS}/{named}")),
        Called::Rename(_, _, name) => TestRequest::patch()
            .uri(&format!("{KEYS}/rename"))
            .set_json(json!({ "api_key_to_rename": named, "new_name": name })),
        Called::List => TestRequest::get().uri(KEYS),
        Called::Refresh => TestRequest::post().uri("/api/v1/service-sports-data/refresh"),
        Called::Leagues => TestRequest::get().uri("/api/v1/sports"),
        Called::Status => TestRequest::get().uri("/api/v1/service-sports-data/status"),
        Called::Usage => TestRequest::get().uri("/api/v1/customers/me/usage"),
    }
}

async fn parts_of<B: MessageBody>(response: ServiceResponse<B>) -> Answer {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let Ok(body) = to_bytes(response.into_body()).await else { panic!("a body broke off") };
    let remaining =
        headers.get("x-ratelimit-remaining").map(|left| left.to_str().expect("text").parse().expect("a number"));
    Answer { status, remaining, body: serde_json::from_slice::<Value>(&body).expect("JSON") }
}

async fn play(events: Vec<Event>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut world = World::new(folder.path()).await;
    let app = init_service(Worker::new(&Arc::new(world.state().await)).app()).await;
    for event in events {
        world.operate(&event).await;
        if let Event::Call(key, called) = &event {
            // Calls are far enough apart for the limit per second.
            world.clock.advance(TimeDelta::milliseconds(100));
            let shown = world.model.key(*key);
            let named = world.model.named(called);
            let request = request(called, &named).insert_header(("X-API-Key", shown.as_str()));
            let Ok(response) = try_call_service(&app, request.to_request()).await else { panic!("a request was lost") };
            let answer = parts_of(response).await;
            world.model.check(&shown, called, &named, &answer, world.clock.now());
        }
        world.invariants().await;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_events_agrees_with_the_model(events in proptest::collection::vec(any_event(), 1..160)) {
        actix_web::rt::System::new().block_on(play(events));
    }
}
