use std::fmt::Debug;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use actix_web::body::{BoxBody, to_bytes};
use actix_web::rt::Runtime;
use actix_web::test::{TestRequest, init_service, try_call_service};
use actix_web::{HttpResponse, rt};
use chrono::{DateTime, TimeDelta, Utc};
use sports_accounts::{
    ApiKey, CustomerId, CustomerName, Dataset, Download, Email, Entitlement, KeyName, MaskedKey, Plan, Product,
};
use sports_accounts_sea_orm::AccountsDatabase;
use sports_api::api::Api;
use sports_api::wiring::wire;
use sports_artifacts_object_store::{ArtifactStore, HmacSigner};
use sports_domain::Sport;
use sports_ports::datasets::{DatasetFiles as _, Datasets as _, Entitlements as _, LinkSigner as _, SignedLink};
use sports_releases_folder::read;
use sports_settings::{Settings, Sources};
use sports_usecases::accounts::{NewKey, issue_key, open_account};
use sports_usecases::publish::Mode;

use super::message::{Answer, Request};
use crate::published::Stores;
use crate::scratch::Scratch;

/// The published fixtures, with their times of publication: a slate, and seasons.
const SLATE: (&str, &str) = ("nfl-2023-week-18-slate", "2024-01-06T15:00:00Z");
const HISTORY: (&str, &str) = ("doubleheader", "2024-01-06T14:00:00Z");
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");

const SECRET: &str = "a secret that is not known outside";
const FILE: &[u8] = b"date,away,home\n2024-11-24,min,chi\n";

type Service = dyn Fn(TestRequest) -> Pin<Box<dyn Future<Output = Answer>>>;

/// A service that is wired like the program, over a store with seasons and a slate, and with one customer who owns a
/// file.
pub struct World {
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
            (serve(wire(&settings).await.expect("a service")).await, key, link)
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

async fn serve(api: Api) -> Box<Service> {
    let service = Rc::new(init_service(api.app()).await);
    Box::new(move |request| {
        let service = Rc::clone(&service);
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
