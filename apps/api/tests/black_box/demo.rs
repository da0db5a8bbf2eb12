//! The demo for a newcomer: one command, and every operation answers.

use std::fs::File;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use sports_domain::{ModelType, Sport};
use sports_testkit::programs::{Server, copy_folder};
use sports_testkit::services::free_address;
use sports_transparency::{ForecastProof, SignedCheckpoint, VerifierKey};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::OnceCell;
use tokio::time::sleep;

use crate::agreement;
use crate::service::Service;

pub const NOON: &str = "2026-03-14T16:00:00Z";

/// The option of a demo that starts at once: no test of it looks at the live days.
pub const AT_ONCE: [&str; 2] = ["--live-days", "0"];

/// The options of a world of two seasons without new publications.
pub const STILL: [&str; 6] = ["--seasons", "2", "--cycle", "off", "--as-of", NOON];

/// A demo of [`STILL`] that changes nothing, for all tests of the program, and a copy of its folder from before it served.
struct Shared {
    demo: Demo,
    world: PathBuf,
}

/// The script around the shared demo: ends it and removes its folder when the input ends, with the program of the tests.
const SHELL: &str = "trap '' INT TERM HUP; (trap - INT TERM HUP; exec \"$@\" </dev/null) & demo=$!; exec >/dev/null; \
                     read -r _; kill \"$demo\"; wait \"$demo\"; rm -rf \"$PWD\"";

static SHARED: OnceCell<Shared> = OnceCell::const_new();

impl Shared {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder").keep();
        // The first demo simulates the world.
        Demo::start(&folder, &STILL).await;
        let world = folder.join("copy");
        copy_folder(&folder.join("world"), &world);
        let demo = command(&folder, &STILL);
        let mut shell = Command::new("sh");
        shell.args(["-c", SHELL, "sh"]).arg(demo.get_program()).args(demo.get_args()).current_dir(&folder);
        for (name, value) in demo.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        shell.stdin(Stdio::piped());
        Self { demo: Demo::ready(shell).await, world }
    }

    async fn get() -> &'static Self {
        SHARED.get_or_init(Self::start).await
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sports-api"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SPORTS_")) {
        command.env_remove(name);
    }
    // A test sends requests faster than a person would, on a busy machine.
    command.env("SPORTS_LIMITS__PER_SECOND", "100000").env("SPORTS_LIMITS__PUBLIC_PER_SECOND", "1000");
    command.env("SPORTS_LIMITS__QUEUE_TIMEOUT", "90s");
    command.args(["demo", "--bind", "127.0.0.1:0", "--data-dir", "world"]).args(arguments);
    command.current_dir(folder).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// A running demo.
pub struct Demo(pub Service);

impl Demo {
    /// Returns the demo of [`STILL`] that all tests share. They must not change it.
    pub async fn shared() -> Self {
        Self(Shared::get().await.demo.0.of_the_same_server())
    }

    /// Starts a demo of [`STILL`] on its own copy of the shared world, with these variables.
    pub async fn still(folder: &Path, variables: &[(&str, &str)]) -> Self {
        copy_folder(&Shared::get().await.world, &folder.join("world"));
        Self::start_with(folder, &STILL, variables).await
    }

    /// Starts a demo and waits until it is ready.
    pub async fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::start_with(folder, arguments, &[]).await
    }

    /// Starts a demo with these variables and waits until it is ready.
    async fn start_with(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let log = folder.join("demo.log");
        let mut command = command(folder, arguments);
        command.envs(variables.iter().copied());
        command.stderr(File::create(&log).expect("a log"));
        Self::ready(command).await
    }

    /// Starts a demo by its command and waits until it is ready.
    async fn ready(command: Command) -> Self {
        let server = Server::start(command);
        while !server.printed().contains("the documentation is at") {
            sleep(Duration::from_millis(20)).await;
        }
        let printed = server.printed();
        let key =
            printed.split_once(" SPORTS_API_KEY=").and_then(|(_, rest)| rest.lines().next()).expect("a key").to_owned();
        let service = Service::over(server, &key);
        service.until("/api/v1/readiness", |answer| answer.status == 200).await;
        Self(service)
    }

    /// Requests a path. A page with the same key may have as many expensive requests waiting as a caller may have: then it is
    /// requested again.
    pub async fn get(&self, path: &str) -> Value {
        let mut answer = self.0.get(path).await;
        while answer.status == 429 {
            sleep(Duration::from_millis(100)).await;
            answer = self.0.get(path).await;
        }
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    async fn status(&self, sport: Sport) -> String {
        let status = self.get(&format!("/api/v1/data-status/{sport}")).await;
        status["status"].as_str().expect("a status").to_owned()
    }
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stderr, .. } = command(folder, arguments).output().expect("it runs");
    assert_eq!(status.code(), Some(2));
    String::from_utf8(stderr).expect("text")
}

fn games<'a>(answer: &'a Value, path: &str) -> &'a Vec<Value> {
    let games = answer["games"].as_array().unwrap_or_else(|| panic!("{path} has games"));
    assert!(!games.is_empty(), "{path}");
    games
}

/// Printed commands can be pasted line by line, without other output between them.
#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn a_demo_prints_what_to_paste_and_logs_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = [["--seasons", "1"], ["--cycle", "off"], ["--as-of", NOON], AT_ONCE];
    let demo = Demo::start(folder.path(), &options.concat()).await;
    demo.get("/api/v1/predictions/nfl/won_on_spread").await;
    let printed = demo.0.printed();
    let commands: Vec<_> = printed.lines().filter(|line| line.starts_with("  curl ")).collect();
    assert!(
        commands.len() > 2 && commands.iter().any(|line| line.contains(r#"-H "X-API-Key: $SPORTS_API_KEY""#)),
        "{printed}"
    );
    assert_eq!(printed.matches("sk_service_").count(), 1, "{printed}");
    let script =
        format!("{}\n{}", printed.lines().find(|line| line.starts_with("export ")).expect("a key"), commands[2]);
    let output = Command::new("bash").args(["-c", &script.replace("curl ", "curl -sf ")]).output().expect("bash runs");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(answer["games"].is_array(), "{answer}");
    drop(demo);
    assert_eq!(std::fs::read_to_string(folder.path().join("demo.log")).expect("a log"), "");
}

/// A program in the place of the one that opens addresses keeps what it is to open.
#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn a_demo_opens_its_page_in_a_browser_on_demand() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let opener = folder.path().join("xdg-open");
    std::fs::write(&opener, "#!/bin/sh\nprintf %s \"$1\" > opened.part && mv opened.part opened\n").expect("written");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").expect("a path"));
    let options = [&["--seasons", "1", "--cycle", "off", "--as-of", NOON, "--open"][..], &AT_ONCE].concat();
    let demo = Demo::start_with(folder.path(), &options, &[("PATH", &path)]).await;
    let note = folder.path().join("opened");
    crate::service::eventually("it is opened", || note.exists()).await;
    let address = std::fs::read_to_string(note).expect("an address");
    assert!(address.starts_with(&demo.0.url("/explore/#token=")), "{address}");
    assert!(demo.0.printed().contains(&format!("the page is at {address} (")), "{}", demo.0.printed());
}

#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn every_endpoint_answers_for_every_league_with_todays_dates() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path(), &[["--seasons", "2"], ["--as-of", NOON], AT_ONCE].concat()).await;
    assert!(demo.get("/").await["message"].as_str().expect("a message").contains("simulated"));
    for sport in Sport::ALL {
        assert_eq!(demo.status(sport).await, "fresh", "{sport}");
        let odds = demo.get(&format!("/api/v1/odds/{sport}")).await;
        assert_eq!(odds["date"], "2026-03-14");
        games(&odds, "odds");
        let markets = demo.get(&format!("/api/v1/markets/{sport}")).await;
        let traded = games(&markets, "markets").iter().filter(|game| game["kalshi_home"].is_number()).count();
        let listed = matches!(sport, Sport::Mlb | Sport::Nba | Sport::Nfl | Sport::Nhl);
        assert_eq!(traded > 0, listed, "{sport}: the prediction market lists the four professional leagues");
        for model_type in ModelType::ALL {
            let predictions = demo.get(&format!("/api/v1/predictions/{sport}/{model_type}")).await;
            let first = &games(&predictions, "predictions")[0];
            assert_eq!(first["date"], "2026-03-14", "{sport} {model_type}");
            for path in [
                format!("results/{sport}/{model_type}?limit=5"),
                format!("results/{sport}/{model_type}/seasons"),
                format!("results/{sport}/{model_type}/rolling"),
                format!("results/{sport}/{model_type}/density"),
                format!("results/{sport}/{model_type}/team-form"),
                format!("summary/{sport}/{model_type}"),
                format!("model-tracking/{sport}/{model_type}"),
                format!("strategies/{sport}/{model_type}"),
                format!("strategies/{sport}/{model_type}?accounting=recorded_v2"),
            ] {
                demo.get(&format!("/api/v1/{path}")).await;
            }
        }
        for market in ["over_under", "moneyline", "spread"] {
            let path = format!("/api/v1/public/ml-picks/{sport}/{market}");
            games(&demo.get(&path).await, &path);
        }
    }
}

/// Besides history, the current season has forecasts from before play, and games to come.
#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn a_demo_agrees_with_itself_about_every_league() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[]).await;
    agreement::check_all(&demo.0, &Sport::ALL).await;
}

/// The world was published by another process, so the key was made before and is read again here.
#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn a_demo_signs_the_record_of_each_league_with_one_key() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[]).await;
    let listed = demo.get("/api/v1/record/keys").await;
    let keys = listed["keys"].as_array().expect("keys");
    assert_eq!((keys.len(), &listed["origin"]), (Sport::ALL.len(), &"demo.example/api/v1/record".into()), "{listed}");
    for key in keys {
        let sport = key["sport"].as_str().expect("a league");
        let note = demo.0.get(&format!("/api/v1/record/{sport}/checkpoint")).await;
        let note: SignedCheckpoint = note.text().parse().expect("a signed checkpoint");
        let vkey = key["vkey"].as_str().expect("a vkey").parse().expect("a vkey");
        assert!(note.verify(&vkey, &[]).is_ok(), "{sport}");
        let newest = &demo.get(&format!("/api/v1/releases/{sport}")).await["releases"][0];
        assert_eq!(newest["clock"], "set", "{newest}");
        let signed = demo.get(&format!("/api/v1/record/{sport}/checkpoints")).await;
        let signed = signed["checkpoints"].as_array().and_then(|list| list.last()).expect("one").clone();
        assert_eq!(signed["generation"], newest["generation"], "the newest release is signed");
    }
    let key = folder.path().join("world/record.key");
    assert_eq!(std::fs::metadata(key).expect("a key file").permissions().mode() & 0o777, 0o600);
}

/// Returns the witness' key and the keys of the leagues.
async fn record_keys(demo: &Demo) -> (VerifierKey, Value) {
    let listed = demo.get("/api/v1/record/keys").await;
    (listed["witnesses"][0].as_str().expect("a witness").parse().expect("a vkey"), listed)
}

/// Returns the newest season as known an hour before play.
async fn known_before_play(demo: &Demo, sport: Sport, model_type: &str) -> Vec<Value> {
    let path = format!("/api/v1/predictions/{sport}/{model_type}/season?hours_before=1&format=ndjson");
    let answer = demo.0.get(&path).await;
    answer.text().lines().map(|row| serde_json::from_str(row).expect("JSON")).collect()
}

/// The core of the service has content in two leagues: live records, closing line values, histories, and the guide's backtest.
#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn live_days_fill_live_records_closing_lines_histories_and_backtests() {
    let demo = Demo::shared().await;
    for (sport, least) in [(Sport::Nba, 400), (Sport::Nfl, 100)] {
        let tracking = demo.get(&format!("/api/v1/model-tracking/{sport}/won_on_points")).await;
        assert!(tracking["forecast_source"]["live"].as_u64() > Some(least), "{sport}: {tracking}");
        let blend = |answer: &Value| {
            let models = answer["models"].as_array().or(answer["sources"][0]["models"].as_array()).expect("models");
            models.iter().find(|model| model["model"] == "BLEND").expect("BLEND").clone()
        };
        let calibration = demo.get(&format!("/api/v1/calibration/{sport}/won_on_points")).await;
        assert_eq!(calibration["sources"][0]["forecast_source"], "live");
        assert!(
            blend(&calibration)["games"].as_u64() > Some(least)
                && blend(&calibration)["market"]["brier"]["p"].is_number()
        );
        let at_horizon = demo.get(&format!("/api/v1/calibration/{sport}/won_on_points?horizon=6h")).await;
        assert!(blend(&at_horizon)["games"].as_u64() > Some(least), "{sport}: {at_horizon}");
        let closing = blend(&demo.get(&format!("/api/v1/clv/{sport}/won_on_points")).await)["clv_ev"].clone();
        // A model without an edge loses the margin of the closing prices.
        assert!(closing["picks"].as_u64() > Some(30) && closing["high"].as_f64() < Some(0.0), "{sport}: {closing}");

        let known = known_before_play(&demo, sport, "won_on_spread").await;
        assert!(known.len() > usize::try_from(least).expect("small"), "{sport}: {}", known.len());
        let game = known[9]["game_id"].as_str().expect("a game");
        let odds = demo.get(&format!("/api/v1/odds/{sport}/history?game_id={game}")).await;
        let forecasts = demo.get(&format!("/api/v1/predictions/{sport}/won_on_points/history?game_id={game}")).await;
        let points = [&odds["lines"], &forecasts["forecasts"]].map(|points| points.as_array().expect("points").len());
        assert!(points[0] >= 3 && points[1] >= 2, "{sport} {game}: {points:?}");
    }
}

/// What a verifier finds: the witness dates the signed tree after the forecast and before the game.
#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn forecasts_of_live_days_are_proven_before_their_games() {
    let demo = Demo::shared().await;
    let (witness, listed) = record_keys(&demo).await;
    assert_eq!(witness.name().as_str(), "demo.example/simulated-witness");
    for sport in [Sport::Nba, Sport::Nfl] {
        let log =
            listed["keys"].as_array().expect("keys").iter().find(|key| key["sport"] == sport.code()).expect("a key");
        let log = log["vkey"].as_str().expect("a vkey").parse().expect("a vkey");
        for game in known_before_play(&demo, sport, "won_on_points").await.iter().step_by(20) {
            let id = game["game_id"].as_str().expect("an id");
            let starts: chrono::DateTime<chrono::Utc> =
                game["starts_at"].as_str().expect("a start").parse().expect("an instant");
            let path = format!("/api/v1/record/{sport}/proof?game_id={id}&model_type=won_on_points");
            let proof = ForecastProof::parse(demo.0.get(&path).await.text().as_bytes()).expect("a proof");
            let cosigned = proof.verify(&log, std::slice::from_ref(&witness)).expect("it holds").cosignatures;
            let early = i64::try_from(cosigned[0].time).expect("a time") - starts.timestamp();
            assert!((-24 * 3600..0).contains(&early), "{id}: {early} s from the start");
        }
    }
}

/// Killed while it publishes, and started again: no release is missing and none is there twice.
#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn an_interrupted_start_is_continued() {
    let options = [["--seasons", "1"], ["--cycle", "off"], ["--as-of", NOON], ["--live-days", "4"]].concat();
    let (whole, cut) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut killed = command(cut.path(), &options).stdout(Stdio::null()).spawn().expect("it starts");
    let log = cut.path().join("world/store/sports/nba/log");
    crate::service::eventually("some days are published", || std::fs::read_dir(&log).is_ok_and(|log| log.count() > 6))
        .await;
    killed.kill().expect("killed");
    killed.wait().expect("it ended");
    let mut published = Vec::new();
    for folder in [whole.path(), cut.path()] {
        let demo = Demo::start(folder, &options).await;
        let releases = demo.get("/api/v1/releases/nba?limit=100").await;
        let releases = releases["releases"].as_array().expect("releases").clone();
        published.push(releases.into_iter().map(|release| release["published_at"].clone()).collect::<Vec<_>>());
        let checkpoints = demo.get("/api/v1/record/nba/checkpoints").await;
        assert_eq!(checkpoints["checkpoints"].as_array().map(Vec::len), Some(5), "{checkpoints}");
    }
    // The history, four releases on each of four days, and two slates of the day itself.
    assert_eq!(published[0].len(), 1 + 4 * 4 + 2);
    // The newest one is of the time at which the world was there.
    assert_eq!(published[0][1..], published[1][1..]);
    assert_eq!(published[0].len(), published[1].len());
}

#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn a_restarted_demo_continues_its_world_or_refuses_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, off) = (["--seasons", "1"], ["--cycle", "off"]);
    let at = |instant: &'static str| ["--as-of", instant];
    drop(Demo::start(folder.path(), &[one, at(NOON), AT_ONCE].concat()).await);
    drop(Demo::start(folder.path(), &[off, at(NOON)].concat()).await);
    // With the cycle off nothing is published: the next morning is pending, and stale after the deadline.
    let demo = Demo::start(folder.path(), &[off, at("2026-03-15T13:00:00Z")].concat()).await;
    assert_eq!(demo.status(Sport::Mlb).await, "pending");
    drop(demo);
    let demo = Demo::start(folder.path(), &[off, at("2026-03-15T14:20:00Z")].concat()).await;
    assert_eq!(demo.status(Sport::Mlb).await, "stale");
    drop(demo);
    // With the cycle on, the demo catches up at once, finals included.
    let demo = Demo::start(folder.path(), &at("2026-03-15T14:20:00Z")).await;
    let status = demo.get("/api/v1/data-status/mlb").await;
    assert_eq!((&status["status"], &status["degradation_reason"]), (&Value::from("fresh"), &Value::Null), "{status}");
    drop(demo);

    let message = refused(folder.path(), &[["--seed", "8"], at("2026-03-15T14:20:00Z")].concat());
    assert!(message.contains("holds the world of --seed 7 --seasons 1"), "{message}");
    let message = refused(folder.path(), &at("2027-01-01T00:00:00Z"));
    assert!(message.contains("plays from 2026-03-14"), "{message}");
}

/// A browser that is too early waits, and has the page when it is there.
#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn a_request_during_the_simulation_is_answered_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let free = free_address(Ipv4Addr::LOCALHOST).expect("an address");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sports-api"));
    command.args(["demo", "--seasons", "1", "--cycle", "off", "--bind", &free.to_string()]).args(AT_ONCE);
    command.current_dir(folder.path());
    let early = tokio::spawn(async move {
        let mut stream = loop {
            match tokio::net::TcpStream::connect(free).await {
                Ok(stream) => break stream,
                Err(_) => sleep(Duration::from_millis(20)).await,
            }
        };
        let connected = tokio::time::Instant::now();
        stream.write_all(b"GET /explore/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        (connected, answer)
    });
    let (started, _demo) = tokio::task::spawn_blocking(move || {
        let server = Server::start(command);
        (tokio::time::Instant::now(), server)
    })
    .await
    .expect("it starts");
    let (connected, answer) = early.await.expect("answered");
    assert!(connected < started, "before it listened");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

/// The folder of a running demo is not changed: no world, no release, no key.
#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn a_second_demo_on_a_folder_changes_nothing_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = [["--seasons", "1"], ["--cycle", "off"], ["--as-of", NOON], AT_ONCE];
    let demo = Demo::start(folder.path(), &options.concat()).await;
    let keys = async || demo.get("/api/v1/customers/me/api-keys").await;
    let releases = || {
        let log = folder.path().join("world/store/sports/nfl/log");
        std::fs::read_dir(log).expect("a log").count()
    };
    let before = (keys().await, releases());
    // With the cycle on and two hours later it would publish.
    let later = ["--as-of", "2026-03-14T18:00:00Z"];
    let Output { status, stdout, stderr } = command(folder.path(), &later).output().expect("it runs");
    let printed = String::from_utf8(stderr).expect("text");
    assert_eq!((status.code(), stdout.as_slice()), (Some(1), &b""[..]), "{printed}");
    assert!(printed.contains("another server is running on the database "), "{printed}");
    assert_eq!((keys().await, releases()), before);
}

#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn a_demo_stopped_while_it_publishes_logs_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let Demo(service) = Demo::start(folder.path(), &[["--seasons", "1"], ["--cycle", "1s"], AT_ONCE].concat()).await;
    // The first odds are due after three quarters of a second.
    sleep(Duration::from_secs(1)).await;
    service.stop();
    assert_eq!(std::fs::read_to_string(folder.path().join("demo.log")).expect("a log"), "");
}

#[test]
#[ignore = "a demo: `just slow`"]
fn a_demo_in_a_file_is_bad_input() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("world"), "").expect("written");
    let printed = refused(folder.path(), &[]);
    assert!(printed.starts_with("sports-api: --data-dir world cannot be a folder: name another"), "{printed}");
}

#[tokio::test]
#[ignore = "a demo: `just slow`"]
async fn a_demo_with_a_stopped_morning_shows_every_status() {
    const USUAL: Sport = Sport::Nfl;
    const OFF: Sport = Sport::Nhl;
    const FAILING: Sport = Sport::Ncaab;
    let folder = tempfile::tempdir().expect("a folder");
    let morning = [
        // The time in New York is four hours behind.
        ("2026-03-14T13:00:00Z", [(USUAL, "pending"), (OFF, "pending"), (FAILING, "pending")]),
        ("2026-03-14T13:40:00Z", [(USUAL, "updating"), (OFF, "updating"), (FAILING, "updating")]),
        ("2026-03-14T13:55:00Z", [(USUAL, "fresh"), (OFF, "off_day"), (FAILING, "updating")]),
        ("2026-03-14T15:55:00Z", [(USUAL, "fresh"), (OFF, "off_day"), (FAILING, "partial")]),
        ("2026-03-14T17:55:00Z", [(USUAL, "stale"), (OFF, "off_day"), (FAILING, "partial")]),
        // The next morning begins like this one.
        ("2026-03-15T13:00:00Z", [(USUAL, "pending"), (OFF, "pending"), (FAILING, "pending")]),
    ];
    for (instant, leagues) in morning {
        let options = [["--seasons", "1"], ["--cycle", "stopped"], ["--as-of", instant], AT_ONCE];
        let demo = Demo::start(folder.path(), &options.concat()).await;
        for (sport, status) in leagues {
            assert_eq!(demo.status(sport).await, status, "{instant} {sport}");
        }
        let usual = demo.get("/api/v1/data-status/nfl").await;
        let rebuild = (usual["refresh_pending"].as_bool(), usual["degradation_reason"].as_str());
        let expected = match instant {
            "2026-03-14T15:55:00Z" => (Some(true), None),
            "2026-03-14T17:55:00Z" => (Some(true), Some("predictions_stale")),
            _ => (Some(false), None),
        };
        assert_eq!(rebuild, expected, "{instant}");
    }
}
