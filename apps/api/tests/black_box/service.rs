//! A store with its customers, a server over it, and the server's answers.

mod answer;
mod application;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub use answer::Answer;
use application::Application;
use chrono::{DateTime, Utc};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use sports_testkit::programs::{Server, TestFolder, fixture};

use tokio::time::{Instant, sleep};

use crate::places;

/// The time limit for an effect to be visible.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A store and a database, and one subscriber's key.
pub struct Site {
    pub place: TestFolder,
    pub key: String,
    launched: AtomicUsize,
}

impl Site {
    /// Creates a site without publications.
    pub fn empty() -> Self {
        Self::at(places::fresh())
    }

    /// Creates a site without publications on one machine in any case: for tests that read its files.
    pub fn on_one_machine() -> Self {
        Self::at(TestFolder::fresh())
    }

    /// Creates a site without publications at a place that may have its database or its store elsewhere.
    pub fn at(place: TestFolder) -> Self {
        let key = place.subscriber_key();
        Self::with_key(place, &key)
    }

    /// Creates a site at a place where a subscriber has this key already.
    pub fn with_key(place: TestFolder, key: &str) -> Self {
        Self { place, key: key.to_owned(), launched: AtomicUsize::new(0) }
    }

    /// Creates a site with these fixtures, published one after the other.
    pub fn publishing(fixtures: &[&str]) -> Self {
        let site = Self::empty();
        for name in fixtures {
            site.publish_fixture(name);
        }
        site
    }

    pub fn publish(&self, folder: &Path) {
        let printed = self.place.ctl([Path::new("publish"), folder]);
        assert!(printed.contains("published: "), "{printed}");
    }

    pub fn publish_fixture(&self, name: &str) {
        self.publish(&fixture(name).join("release"));
    }

    /// Issues a key of another customer on `plan`, with further arguments.
    pub fn key_of_another(&self, plan: &str, arguments: &[&str]) -> String {
        let email = format!("{plan}{}@example.com", arguments.len());
        let created = self.place.ctl(["customer", "create", "--email", &email, "--name", "Another", "--plan", plan]);
        let id = created.split_whitespace().next().expect("an id");
        let issue = ["key", "issue", "--customer", id, "--name", "other"];
        self.place.ctl(issue.iter().chain(arguments)).trim().to_owned()
    }

    /// Creates a customer on a plan; returns the id and a key.
    pub fn customer(&self, email: &str, plan: &str) -> (String, String) {
        let created = self.place.ctl(["customer", "create", "--email", email, "--name", "Someone", "--plan", plan]);
        let id = created.split_whitespace().next().expect("an id").to_owned();
        let key = self.place.ctl(["key", "issue", "--customer", &id, "--name", "first"]).trim().to_owned();
        (id, key)
    }

    /// Puts a file of a product of the NFL on sale.
    pub fn add_dataset(&self, product: &str, name: &str, content: &[u8]) {
        let file = self.place.path().join(name);
        fs::write(&file, content).expect("written");
        let _ = self.place.ctl([Path::new("dataset"), Path::new("add"), Path::new(product), Path::new("nfl"), &file]);
    }

    /// Grants a customer a product of the NFL.
    pub fn entitle(&self, customer: &str, product: &str) {
        let _ =
            self.place.ctl(["entitlement", "grant", "--customer", customer, "--product", product, "--sport", "nfl"]);
    }

    /// Starts a server and waits until it is ready.
    pub async fn serve(&self) -> Service {
        self.serve_with(&[]).await
    }

    /// Starts a server with these variables and waits until it is ready.
    pub async fn serve_with(&self, variables: &[(&str, &str)]) -> Service {
        let service = self.start(variables);
        service.until("/api/v1/readiness", |answer| answer.status == 200).await;
        service
    }

    /// Wires the application in this process, as a server would be, and waits until it is ready.
    pub async fn app(&self) -> Service {
        self.app_with(&[]).await
    }

    /// Wires the application with these variables, and waits until it is ready.
    pub async fn app_with(&self, variables: &[(&str, &str)]) -> Service {
        let command = self.command(variables);
        let settings = command.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
        let application = Application::start(settings.collect()).await;
        let service = Service::with_client(Running::Application(application), &self.key);
        service.until("/api/v1/readiness", |answer| answer.status == 200).await;
        service
    }

    /// Starts a server with the default limits and waits until it is ready.
    pub async fn serve_as_shipped(&self) -> Service {
        let mut command = self.command(&[]);
        for limit in ["PER_SECOND", "FAILED_KEYS_PER_SECOND", "QUEUE_TIMEOUT"] {
            command.env_remove(format!("SPORTS_LIMITS__{limit}"));
        }
        let service = self.launch(command);
        service.until("/api/v1/readiness", |answer| answer.status == 200).await;
        service
    }

    /// Starts a server with further arguments and waits until it is ready.
    pub async fn serve_with_arguments(&self, arguments: &[&str]) -> Service {
        let mut command = self.command(&[]);
        command.args(arguments);
        let service = self.launch(command);
        service.until("/api/v1/readiness", |answer| answer.status == 200).await;
        service
    }

    /// Starts a server with no more open files than that; `None` without `prlimit`.
    pub async fn serve_with_files(&self, files: usize, variables: &[(&str, &str)]) -> Option<Service> {
        let is_there = Command::new("prlimit").arg("--version").stdout(Stdio::null()).status().is_ok();
        assert!(is_there || std::env::var_os("REQUIRE_SERVICES").is_none(), "there is no `prlimit`");
        if !is_there {
            eprintln!("skipped: there is no `prlimit`");
            return None;
        }
        Some(self.serve_by(&["prlimit", &format!("--nofile={files}:{files}")], variables).await)
    }

    /// Starts a server through another program, whose arguments end with the command, and waits until it is ready.
    pub async fn serve_by(&self, starter: &[&str], variables: &[(&str, &str)]) -> Service {
        let served = self.command(variables);
        let mut command = Command::new(starter[0]);
        command.args(&starter[1..]).arg(served.get_program()).args(served.get_args());
        for (name, value) in served.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let service = self.launch(command);
        service.until("/api/v1/readiness", |answer| answer.status == 200).await;
        service
    }

    /// Starts a server that listens, ready or not.
    pub fn start(&self, variables: &[(&str, &str)]) -> Service {
        self.launch(self.command(variables))
    }

    fn command(&self, variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sports-api"));
        // The environment is that of `sportsctl`: the same store, the same database, nothing of the caller's.
        for (name, value) in self.place.sportsctl::<&str>([]).get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.arg("serve").env("SPORTS_HTTP__BIND", "127.0.0.1:0");
        command.env_remove("RUST_LOG").envs(variables.iter().copied());
        command
    }

    fn launch(&self, mut command: Command) -> Service {
        let log = self.log_of(self.launched.fetch_add(1, Ordering::Relaxed) + 1);
        command.stdin(Stdio::null()).stderr(File::create(&log).expect("a file for the log"));
        Service::over(Server::start(command), &self.key)
    }

    /// Returns the log of the last server so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_of(self.launched.load(Ordering::Relaxed))).expect("a log")
    }

    /// Returns the log file of a server by its number, from 1.
    fn log_of(&self, server: usize) -> PathBuf {
        self.place.path().join(format!("server-{server}.log"))
    }
}

/// Waits until a condition is true.
pub async fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < TIMEOUT, "still not so: {what}");
        sleep(Duration::from_millis(20)).await;
    }
}

/// What answers: a process of its own, or an application in this one.
enum Running {
    Process(Arc<Server>),
    Application(Application),
}

/// A running server.
pub struct Service {
    running: Running,
    http: Client,
    key: String,
}

impl Service {
    /// Wraps a running server and a key for it.
    pub fn over(server: Server, key: &str) -> Self {
        Self::with_client(Running::Process(Arc::new(server)), key)
    }

    /// Returns the same server with a client of its own, whose connections end with its test.
    pub fn of_the_same_server(&self) -> Self {
        Self::with_client(Running::Process(Arc::clone(self.process())), &self.key)
    }

    fn with_client(running: Running, key: &str) -> Self {
        sports_api::prices::use_ring();
        let http =
            Client::builder().no_proxy().tls_certs_only([]).timeout(Duration::from_mins(1)).build().expect("a client");
        Self { running, http, key: key.to_owned() }
    }

    /// Returns the process.
    ///
    /// # Panics
    ///
    /// Panics if the application is in this process.
    fn process(&self) -> &Arc<Server> {
        match &self.running {
            Running::Process(server) => server,
            Running::Application(_) => panic!("the application is in the process of the test"),
        }
    }

    /// Returns the URL of a path.
    pub fn url(&self, path: &str) -> String {
        match &self.running {
            Running::Process(server) => server.url(path),
            Running::Application(application) => application.url(path),
        }
    }

    /// Returns the subscriber's key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the id of the process.
    pub fn id(&self) -> u32 {
        self.process().id()
    }

    /// Builds a request of any method with the subscriber's key.
    pub fn call(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).header("X-API-Key", &self.key)
    }

    /// Builds a request to a URL, without a key.
    pub fn fetch(&self, url: &str) -> RequestBuilder {
        self.http.get(url)
    }

    /// Builds a `HEAD` request to a URL, without a key.
    pub fn head(&self, url: &str) -> RequestBuilder {
        self.http.head(url)
    }

    /// Returns a customer who sends requests with this key.
    pub fn with_key(&self, key: &str) -> Customer<'_> {
        Customer { service: self, key: key.to_owned() }
    }

    /// Returns the address it listens on, such as `127.0.0.1:41234`.
    pub fn address(&self) -> String {
        self.url("").trim_start_matches("http://").to_owned()
    }

    /// Returns its standard output so far.
    pub fn printed(&self) -> String {
        self.process().printed()
    }

    /// Stops the server as an operator does, or ends the application.
    pub fn stop(self) {
        if matches!(self.running, Running::Process(_)) {
            assert!(self.end("TERM").success(), "a server ends with success after SIGTERM");
        }
    }

    /// Sends a signal and waits for the end; returns the exit status.
    pub fn end(self, signal: &str) -> ExitStatus {
        self.signal(signal);
        self.ended()
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        self.process().signal(name);
    }

    /// Waits for the end; returns the exit status.
    pub fn ended(self) -> ExitStatus {
        let Running::Process(server) = self.running else { panic!("the application is in the process of the test") };
        Arc::into_inner(server).expect("a server that no other test uses").ended()
    }

    /// Builds a request without a key.
    pub fn request(&self, path: &str) -> RequestBuilder {
        self.bare(Method::GET, path)
    }

    /// Builds a request of any method without a key.
    pub fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, self.url(path))
    }

    /// Builds a request with the subscriber's key.
    pub fn keyed(&self, path: &str) -> RequestBuilder {
        self.request(path).header("X-API-Key", &self.key)
    }

    /// Requests a path as the subscriber.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::to(self.keyed(path)).await
    }

    /// Requests a path below `/api/v1/` as the subscriber, and returns the JSON of the answer, which must be 200.
    pub async fn json_of(&self, path: &str) -> Value {
        let answer = self.get(&format!("/api/v1/{path}")).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// Sends calls of the subscriber one after another, each of which counts.
    pub async fn send_requests(&self, times: usize) {
        for _ in 0..times {
            assert_eq!(self.get("/api/v1/sports").await.status, 200);
        }
    }

    /// Returns the counted calls of the subscriber in this month.
    pub async fn monthly_requests(&self) -> u64 {
        self.get("/api/v1/customers/me/usage").await.json()["monthly_requests"].as_u64().expect("a number")
    }

    /// Requests one page of results, which must exist.
    pub async fn page(&self, path_and_query: &str) -> Answer {
        let answer = self.get(&format!("/api/v1/results/{path_and_query}")).await;
        assert_eq!(answer.status, 200, "{path_and_query}: {}", answer.text());
        answer
    }

    /// Repeats the request until the answer is as expected.
    pub async fn until(&self, path: &str, is_so: impl Fn(&Answer) -> bool) -> Answer {
        self.with_key(&self.key).until(path, is_so).await
    }

    /// Returns the time of the server's clock, which every failure has.
    pub async fn clock(&self) -> DateTime<Utc> {
        let failure = self.get("/api/v1/results/cricket/over_under").await.json();
        failure["timestamp"].as_str().and_then(|at| at.parse().ok()).expect("a timestamp")
    }
}

/// A customer with a key of their own.
pub struct Customer<'a> {
    service: &'a Service,
    key: String,
}

impl Customer<'_> {
    pub async fn get(&self, path: &str) -> Answer {
        Answer::to(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str) -> Answer {
        Answer::to(self.request(Method::POST, path)).await
    }

    /// Repeats the request until the answer is as expected.
    pub async fn until(&self, path: &str, is_so: impl Fn(&Answer) -> bool) -> Answer {
        let started = Instant::now();
        loop {
            let answer = self.get(path).await;
            if is_so(&answer) {
                return answer;
            }
            assert!(started.elapsed() < TIMEOUT, "{path} still answers {}: {}", answer.status, answer.text());
            sleep(Duration::from_millis(20)).await;
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.service.bare(method, path).header("X-API-Key", &self.key)
    }
}
