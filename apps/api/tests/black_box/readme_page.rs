//! What the README shows, typed by a newcomer.

use std::os::unix::fs::symlink;

use sports_testkit::programs::Place;

use crate::demo::Demo;
use crate::terminal::{follow, listening_at, on_free_ports, page, programs, root, section};

/// When the README's demo was started.
const SATURDAY: &str = "2026-11-21T12:30:00Z";

#[tokio::test]
async fn the_demo_prints_and_answers_what_is_shown() {
    let place = Place::fresh();
    let demo = Demo::start(place.path(), &["--as-of", SATURDAY]).await;
    let address = demo.0.url("");
    let shown = section(&page("README.md"), "## The demo").replace("http://127.0.0.1:8080", &address);
    // It is started already; what it printed is there to be seen.
    let printed = place.path().join("printed");
    std::fs::write(&printed, demo.0.printed()).expect("written");
    let shown = shown.replace("cargo run --release -- demo", "cat printed");
    follow(&shown, place.path(), &[("KEY", demo.0.key())]);
}

#[test]
fn a_publisher_gets_from_a_csv_to_graded_results_and_a_verified_record() {
    let place = Place::fresh();
    // The programs are built already.
    std::fs::create_dir(place.path().join("target")).expect("a folder");
    symlink(programs(), place.path().join("target/release")).expect("linked");
    symlink(root().join("fixtures"), place.path().join("fixtures")).expect("linked");
    let walk = on_free_ports(&page("README.md"), &["8080"]);
    let walk = section(&walk, "## Publish your own CSV in five minutes").replace("cargo build", ": cargo build");
    follow(&walk, place.path(), &[("SPORTS_HTTP__BIND", listening_at(&walk))]);
}
