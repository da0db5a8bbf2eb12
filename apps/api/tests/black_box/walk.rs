//! The walks of the docs, command by command.

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use sports_testkit::programs::Place;
use sports_testkit::services::{Postgres, Redis, S3Server};

/// The `sh` blocks between a page's two marks, one after the other, with free ports in place of its own.
fn commands(page: &str, ports: &[&str]) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let page = fs::read_to_string(page).expect("the page");
    let walk = page.split("<!-- walk -->").nth(1).expect("the walk begins");
    let (walk, _) = walk.split_once("<!-- end of walk -->").expect("the walk ends");
    let blocks = walk.split("```sh\n").skip(1).map(|block| block.split("```").next().expect("a block ends"));
    // The one change: other ports, since these may be taken where tests run.
    let listeners: Vec<_> = ports.iter().map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let free = listeners.iter().map(|listener| listener.local_addr().expect("an address").port().to_string());
    ports.iter().zip(free).fold(blocks.collect(), |commands: String, (port, free)| commands.replace(port, &free))
}

/// Walks in an empty place, with both programs on the path.
fn walk(place: &Place, commands: &str, variables: &[(&str, String)]) {
    let programs = Path::new(env!("CARGO_BIN_EXE_sports-api")).parent().expect("a folder");
    let mut path = OsString::from(programs);
    path.push(":");
    path.push(std::env::var_os("PATH").expect("a path"));
    let mut walk = Command::new("bash");
    for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SPORTS_")) {
        walk.env_remove(variable);
    }
    let walked = walk
        .args(["-euo", "pipefail", "-c"])
        // Whatever goes wrong, no server outlives the walk.
        .arg(format!("trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{commands}"))
        .current_dir(place.path())
        .env("PATH", path)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .output()
        .expect("bash runs");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(walked.status.success(), "{}\n{}", said(&walked.stdout), said(&walked.stderr));
}

#[test]
fn a_newcomer_gets_from_an_empty_folder_to_a_downloaded_file() {
    let commands = commands("operations.md", &["8080"]);
    assert!(commands.contains("sportsctl customer create") && commands.contains("cmp downloaded.csv"), "{commands}");
    let place = Place::fresh();
    let bind = commands.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
    walk(&place, &commands, &[("SPORTS_HTTP__BIND", bind.to_owned())]);
    assert!(place.path().join("downloaded.csv").exists());
}

#[tokio::test]
async fn a_service_on_one_machine_moves_to_three_nodes_and_loses_nothing() {
    let (Some(database), Some(redis)) = (Postgres::database(), Redis::start().await) else { return };
    let store = S3Server::start();
    let commands = commands("deploy.md", &["8080", "8081", "8082", "8083"]);
    assert!(commands.contains("sportsctl accounts copy") && commands.contains("199995"), "{commands}");
    let places = [
        ("DATABASE_URL", database),
        ("STORE_URL", format!("s3://{}/sports", store.fresh_bucket())),
        ("REDIS_URL", redis.url()),
    ];
    let variables: Vec<_> = places.into_iter().chain(store.variables()).collect();
    let place = Place::fresh();
    walk(&place, &commands, &variables);
    assert!(place.path().join("downloaded.csv").exists());
}
