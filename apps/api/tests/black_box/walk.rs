//! The walks of the docs, command by command.

use sports_testkit::programs::TestFolder;
use sports_testkit::services::{Postgres, Redis, S3Server};

use crate::console::blocks;
use crate::terminal::{on_free_ports, page, shell};

/// Returns the `sh` blocks between a page's two marks, one after the other, with free ports in place of its own.
fn commands(name: &str, ports: &[&str]) -> String {
    let page = page(&format!("docs/{name}"));
    let walk = page.split("<!-- walk -->").nth(1).expect("the walk begins");
    let (walk, _) = walk.split_once("<!-- end of walk -->").expect("the walk ends");
    let commands: Vec<_> = blocks(walk).filter(|(kind, _)| *kind == "sh").map(|(_, block)| block).collect();
    on_free_ports(&commands.join("\n"), ports)
}

/// Runs the walk in an empty place, with both programs on the path.
fn walk(place: &TestFolder, commands: &str, variables: &[(&str, String)]) {
    let variables = variables.iter().map(|(name, value)| (name, value));
    let walked = shell(place.path(), &format!("set -e\n{commands}")).envs(variables).output().expect("bash runs");
    let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(walked.status.success(), "{}\n{}", text_of(&walked.stdout), text_of(&walked.stderr));
}

#[test]
fn the_walk_leads_from_an_empty_folder_to_a_downloaded_file() {
    let commands = commands("operations.md", &["8080"]);
    assert!(commands.contains("sportsctl customer create") && commands.contains("cmp downloaded.csv"), "{commands}");
    let place = TestFolder::fresh();
    let bind = commands.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
    walk(&place, &commands, &[("SPORTS_HTTP__BIND", bind.to_owned())]);
    assert!(place.path().join("downloaded.csv").exists());
}

#[test]
fn the_walk_leads_from_nflverse_to_a_graded_row_in_ten_commands() {
    let commands = commands("converting.md", &["8080"]);
    assert!(commands.trim().lines().count() <= 10, "{commands}");
    let place = TestFolder::fresh();
    let page = page("docs/converting.md");
    let (_, table) =
        blocks(&page).find(|(kind, block)| *kind == "sh" && block.contains("> games.csv")).expect("a table");
    walk(&place, &format!("{table}\n{commands}"), &[]);
    let row = std::fs::read_to_string(place.path().join("row.json")).expect("a row");
    for cell in ["\"home_team\":\"tampa_bay_buccaneers\"", "\"BLEND\":0.55", "\"graded\":true"] {
        assert!(row.contains(cell), "{cell}: {row}");
    }
}

#[tokio::test]
async fn a_service_moves_from_one_machine_to_three_nodes_without_loss() {
    let (Some(database), Some(redis)) = (Postgres::database(), Redis::start().await) else { return };
    let store = S3Server::start();
    let commands = commands("deploy.md", &["8080", "8081", "8082", "8083"]);
    assert!(commands.contains(" accounts copy") && commands.contains("199995"), "{commands}");
    // Arguments can be read by every user of the machine.
    let mut lines = commands.lines();
    let has_password = |line: &str| line.contains("$DATABASE_URL") || line.contains("$REDIS_URL");
    assert!(!lines.any(|line| line.contains("sportsctl") && has_password(line)), "{commands}");
    let places = [
        ("DATABASE_URL", database),
        ("STORE_URL", format!("s3://{}/sports", store.fresh_bucket())),
        ("REDIS_URL", redis.url()),
    ];
    let variables: Vec<_> = places.into_iter().chain(store.variables()).collect();
    let place = TestFolder::fresh();
    walk(&place, &commands, &variables);
    assert!(place.path().join("downloaded.csv").exists());
}
