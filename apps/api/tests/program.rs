//! The program as an operator starts it.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use sports_testkit::services;

/// The commands that serve.
const SERVING: &[&str] = if cfg!(feature = "demo") { &["serve", "demo"] } else { &["serve"] };

fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sports-api"));
    program.env_remove("RUST_LOG");
    program
}

fn output(arguments: &[&str]) -> Output {
    program().args(arguments).output().expect("it starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn openapi_prints_the_document() {
    let printed = output(&["openapi"]);
    assert!(printed.status.success());
    assert_eq!(printed.stdout, *sports_api::openapi::Document::for_routes(sports_api::routes::all).bytes());
    assert!(printed.stdout.ends_with(b"}\n"));
}

/// Returns the profile of a program and its level of optimisation, as its version has them.
fn built(version: &str) -> Option<(&str, &str)> {
    let (_, profile) = version.trim_end().strip_suffix(')')?.split_once("profile ")?;
    profile.split_once(", opt-level ")
}

/// `SPORTS_INSTALLED` names a program of `cargo install --path apps/api`, to be tried instead of what the manifest has.
#[test]
fn the_version_names_the_profile_and_what_cargo_installs_is_optimised() {
    let version = text(&output(&["--version"]).stdout);
    let (profile, level) = built(&version).expect("a profile");
    assert_eq!((profile == "dev", level == "0"), (cfg!(debug_assertions), cfg!(debug_assertions)), "{version}");
    if let Some(installed) = std::env::var_os("SPORTS_INSTALLED") {
        let version = Command::new(installed).arg("--version").output().expect("it starts");
        assert_eq!(built(&text(&version.stdout)), Some(("release", "3")));
    }
    let manifest = include_str!("../../../Cargo.toml");
    let profile =
        |name: &str| manifest.split(&format!("[profile.{name}]\n")).nth(1).and_then(|rest| rest.split("\n[").next());
    assert!(profile("release").expect("a profile").contains("opt-level = 3"));
    assert!(profile("dist").expect("a profile").contains("inherits = \"release\""));
    assert!(!manifest.contains("[profile.release.package"), "every crate of a release is optimised");
}

#[test]
fn config_prints_the_settings_in_effect() {
    let printed = output(&["config", "--bind", "127.0.0.1:9"]);
    assert!(printed.status.success());
    assert!(text(&printed.stdout).contains("bind = \"127.0.0.1:9\""));
}

#[test]
fn a_bad_setting_stops_the_start_and_is_named() {
    let refused = program().args(["serve"]).env("SPORTS_HTTP__WORKERS", "many").output().expect("it starts");
    assert_eq!(refused.status.code(), Some(2));
    let expected = "sports-api: environment variable SPORTS_HTTP__WORKERS: `http.workers` cannot be `many`: \
                    expected a whole number from 1 to 512\n";
    assert_eq!(text(&refused.stderr), expected);
}

#[test]
fn a_failed_start_is_an_object_of_json_in_a_log_of_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    for (bind, code, expected) in [(&*address, 1, "cannot listen on"), ("nowhere", 2, "`http.bind` cannot be")] {
        let serve = ["serve", "--log-format", "json", "--bind", bind];
        let output = program().args(serve).current_dir(folder.path()).output().expect("it starts");
        let printed = text(&output.stderr);
        let last: serde_json::Value = serde_json::from_str(printed.lines().last().expect("a line")).expect(&printed);
        assert_eq!((output.status.code(), last["level"].as_str()), (Some(code), Some("ERROR")), "{printed}");
        assert!(last["message"].as_str().is_some_and(|message| message.contains(expected)), "{printed}");
    }
}

#[test]
fn a_wrong_setting_is_bad_input_reported_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |name: &str, value: &str, command: &[&str]| {
        let output = program().args(command).env(name, value).current_dir(folder.path()).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{name}={value}");
        text(&output.stderr)
    };
    for command in SERVING.iter().chain(&["config"]) {
        let printed = refused("SPORTS_HTTP_BIND", "127.0.0.1:0", &[command]);
        let meant = "environment variable SPORTS_HTTP_BIND is not a setting; did you mean SPORTS_HTTP__BIND?";
        assert_eq!(printed, format!("sports-api: {meant}\n"), "{command}");
    }
    let printed = refused("SPORTS_DATABASE__URL", "sqlite:x.db?mode=ro", &["serve", "--bind", "127.0.0.1:0"]);
    assert_eq!(
        printed,
        "sports-api: the address of a SQLite database takes no options: leave out `?` and what follows\n"
    );
    std::fs::write(folder.path().join("file"), "").expect("written");
    for (name, value, expected) in [
        (
            "SPORTS_DATABASE__URL",
            "sqlite:file/x.db",
            "cannot make the folder file of the database: remove what is in its place",
        ),
        ("SPORTS_STORE__URL", "file:file", "the store file is not a folder: remove it, or name a folder with --store"),
    ] {
        let printed = refused(name, value, &["serve", "--bind", "127.0.0.1:0"]);
        // Log lines of a created database may come first.
        let last = printed.lines().last().expect("a line");
        assert!(last.starts_with(&format!("sports-api: {expected}")), "{printed}");
    }
    let printed = refused("RUST_LOG", "sports=loud=louder", &["serve"]);
    assert!(printed.starts_with("sports-api: RUST_LOG cannot be read: ") && printed.lines().count() == 1, "{printed}");
}

/// The database repeats the cause in its own error and in the error around it.
#[test]
fn a_cause_is_printed_once() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("sports.db"), "no database, whatever its name says").expect("written");
    let output = program()
        .args(["serve", "--bind", "127.0.0.1:0", "--database", "sqlite:sports.db", "--store", "file:store"])
        .current_dir(folder.path())
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stderr);
    assert!(printed.starts_with("sports-api: cannot open the database sports.db: "), "{printed}");
    assert_eq!((printed.matches("is not a database").count(), printed.lines().count()), (1, 1), "{printed}");
}

#[test]
fn a_port_in_use_is_reported_in_one_line_with_the_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    for command in SERVING {
        let output =
            program().args([*command, "--bind", &address]).current_dir(folder.path()).output().expect("it starts");
        let expected = format!(
            "sports-api: cannot listen on {address}: another program does; stop that one, or name another port \
             with --bind, such as 127.0.0.1:0 for any free one\n"
        );
        assert_eq!(
            (output.status.code(), text(&output.stderr), text(&output.stdout)),
            (Some(1), expected, String::new())
        );
    }
    assert!(!folder.path().join("var/sports.db").exists() && !folder.path().join("var/demo/world.json").exists());
}

/// Returns a free address of this machine.
fn free_address() -> String {
    services::free_address(Ipv4Addr::LOCALHOST).expect("an address").to_string()
}

/// The stand-in for a bucket accepts connections and answers nothing: the server does not get beyond its start.
#[test]
fn a_server_has_its_addresses_before_it_opens_its_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let bucket = TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", bucket.local_addr().expect("an address"));
    let [address, metrics] = [(); 2].map(|()| free_address());
    let mut server = program()
        .args(["serve", "--bind", &address, "--store", "s3://sports", "--database", "sqlite:sports.db"])
        .current_dir(folder.path())
        .env("SPORTS_METRICS__BIND", &metrics)
        .env("AWS_ENDPOINT_URL", endpoint)
        .envs([("AWS_ALLOW_HTTP", "true"), ("AWS_REGION", "us-east-1")])
        .envs([("AWS_ACCESS_KEY_ID", "id"), ("AWS_SECRET_ACCESS_KEY", "secret")])
        .spawn()
        .expect("it starts");
    let _request = bucket.accept().expect("a request to the bucket");
    let connected = [address, metrics].map(|address| TcpStream::connect(address).is_ok());
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    assert_eq!(connected, [true, true]);
}

#[cfg(feature = "demo")]
#[test]
fn a_demo_has_its_address_before_it_simulates_a_world() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let address = free_address();
    let demo = |folder: &Path| {
        let mut demo = program();
        demo.args(["demo", "--seasons", "9", "--bind", &address]).current_dir(folder);
        demo
    };
    let mut first = demo(folders[0].path()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(first.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let second = demo(folders[1].path()).output().expect("it starts");
    first.kill().expect("it still runs");
    first.wait().expect("it ends");
    assert_eq!(line, "simulating 9 seasons of six leagues\n");
    assert_eq!((second.status.code(), text(&second.stdout)), (Some(1), String::new()));
    assert!(text(&second.stderr).starts_with(&format!("sports-api: cannot listen on {address}: another program does")));
    assert!(!folders[1].path().join("var/demo/world.json").exists());
}

struct Server {
    child: Child,
    address: String,
    stderr: Option<std::process::ChildStderr>,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let mut child = program()
            .args(["serve", "--bind", "127.0.0.1:0", "--log-format", "json"])
            .args(["--store".to_owned(), format!("file:{}", folder.join("store").display())])
            .args(["--database".to_owned(), format!("sqlite:{}", folder.join("sports.db").display())])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on http://").expect("the line").to_owned();
        let stderr = child.stderr.take();
        Self { child, address, stderr }
    }

    /// Sends one request; returns the whole answer, head and body.
    fn send(&self, request_line: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        write!(stream, "{request_line} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        answer
    }

    /// Stops the server, and returns its log.
    fn stop(mut self) -> String {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill").success());
        assert!(self.child.wait().expect("it ends").success());
        let mut log = String::new();
        self.stderr.take().expect("piped").read_to_string(&mut log).expect("text");
        log
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn serve_answers_until_it_is_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());

    let get = server.send("GET /api/v1/liveness");
    assert!(get.starts_with("HTTP/1.1 200 OK\r\n") && get.contains("\"status\":\"alive\""), "{get}");
    let head = server.send("HEAD /api/v1/liveness");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    assert!(head.to_lowercase().contains("content-length: "), "{head}");
    let secret = server.send("GET /api/v1/sports?api_key=sk_service_secret");
    assert!(secret.starts_with("HTTP/1.1 401 "), "{secret}");

    let log = server.stop();
    assert!(!log.contains("sk_service_secret") && !log.contains("api_key"), "{log}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let line = lines.iter().find(|line| line["status"] == 401).expect("an access line");
    assert_eq!((&line["method"], &line["route"]), (&"GET".into(), &"/api/v1/sports".into()));
    assert_eq!(line["message"], "GET /api/v1/sports answered 401");
    assert!(line["request_id"].is_string() && line["ms"].is_number(), "{line}");
    assert_eq!((line.get("customer"), line.get("sport")), (None, None), "{line}");
}

/// A full disk under the log of a service manager is no reason to stop.
#[cfg(target_os = "linux")]
#[test]
fn a_server_starts_with_streams_that_cannot_be_written() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
    let printed = program().arg("openapi").stdout(full()).output().expect("it starts");
    assert_eq!(printed.status.code(), Some(1));
    assert!(text(&printed.stderr).starts_with("sports-api: No space left on device"), "{printed:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let free = free_address();
    let mut server = program();
    server.args(["serve", "--bind", &free]).current_dir(folder.path()).stdout(full()).stderr(full());
    let mut child = server.spawn().expect("it starts");
    let answer = loop {
        if let Ok(mut stream) = TcpStream::connect(&free) {
            stream.write_all(b"GET /api/v1/liveness HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").expect("sent");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("answered");
            break answer;
        }
        assert_eq!(child.try_wait().expect("known"), None, "the server goes on");
        std::thread::yield_now();
    };
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}
