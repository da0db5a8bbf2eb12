//! Publishers that are killed by SIGKILL, so that none of their code runs any more.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use sports_testkit::programs::{TestFolder, copy_folder, fixture};
use tokio::time::{Instant, sleep};

use crate::league::{self, GAMES};
use crate::support::{catalog, entries, files, objects, publish, verified};

const KILLS: u32 = 25;
const SEASONS: std::ops::Range<u16> = 2010..2018;

/// A large release, and a store that already has a small one.
struct Scene {
    folder: TestFolder,
    existing: TestFolder,
}

impl Scene {
    fn new() -> Self {
        let scene = Self { folder: TestFolder::fresh(), existing: TestFolder::fresh() };
        league::release(&scene.release(), SEASONS, 0);
        publish(&scene.existing, &fixture("nfl-2023-week-18/release"));
        scene
    }

    fn release(&self) -> PathBuf {
        self.folder.path().join("release")
    }

    /// Creates a store with this number of entries, none or one.
    fn store_with(&self, before: usize) -> TestFolder {
        let place = TestFolder::fresh();
        if before > 0 {
            copy_folder(&self.existing.store(), &place.store());
        }
        place
    }

    fn start(&self, place: &TestFolder) -> Child {
        let release = self.release();
        let mut command = place.sportsctl([Path::new("publish"), &release]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("sportsctl starts")
    }

    /// Asserts that the release is published as a whole or not at all, and that publishing it again completes it.
    fn assert_all_or_nothing(&self, place: &TestFolder, before: usize, when: &str) -> bool {
        let found = entries(place, "nfl");
        assert_eq!(verified(place, "nfl")["entries"], found, "{when}");
        let landed = found > before;
        let again = publish(place, &self.release());
        assert_eq!(again["outcome"], if landed { "already_on_air" } else { "on_air" }, "{when}");
        assert_eq!(entries(place, "nfl"), before + 1, "{when}");
        let catalog = catalog(place, "nfl", before as u64 + 1);
        let rows = catalog["results"].as_array().expect("a list").iter().filter(|season| season["rows"] == GAMES);
        assert_eq!(rows.count(), 3 * SEASONS.len(), "{when}");
        assert_eq!(verified(place, "nfl")["entries"], before + 1, "{when}");
        landed
    }
}

fn kill(mut child: Child) {
    child.kill().expect("killed");
    child.wait().expect("ended");
}

#[tokio::test]
#[ignore = "25 kills take minutes: `just slow`"]
async fn a_publisher_killed_at_any_time_leaves_all_or_nothing_and_can_run_again() {
    let scene = Scene::new();
    let place = scene.store_with(0);
    let begun = Instant::now();
    assert!(scene.start(&place).wait().expect("ended").success());
    let whole = begun.elapsed();
    let mut landed = 0;
    for kills in 0..KILLS {
        let before = kills as usize % 2;
        let place = scene.store_with(before);
        let child = scene.start(&place);
        // A little beyond the end, so that the last moments are covered as well.
        let delay = whole * kills * 11 / (KILLS * 10);
        sleep(delay).await;
        kill(child);
        landed += usize::from(scene.assert_all_or_nothing(&place, before, &format!("killed after {delay:?}")));
    }
    assert!(landed < KILLS as usize, "some kills came before the release was published");
}

#[tokio::test]
async fn a_publisher_killed_between_two_objects_leaves_the_log_as_it_was() {
    let scene = Scene::new();
    for written in [1, 8, 16, 3 * SEASONS.len()] {
        let place = scene.store_with(0);
        let child = scene.start(&place);
        let begun = Instant::now();
        while objects(&place, "nfl").len() < written {
            assert!(begun.elapsed() < Duration::from_mins(1), "{written} objects are written sooner or later");
            sleep(Duration::from_micros(200)).await;
        }
        kill(child);
        scene.assert_all_or_nothing(&place, 0, &format!("killed after {written} objects"));
    }
}

#[test]
fn leftovers_of_an_interrupted_writer_have_no_effect() {
    let scene = Scene::new();
    let place = scene.store_with(1);
    let log = place.store().join("sports/nfl/log");
    for name in ["000000000002.json#1", "000000000002.json#2", "000000000009.json.tmp", "2.json"] {
        std::fs::write(log.join(name), "{\"schema_version\": 1, \"sp").expect("written");
    }
    let before = files(&place.store()).len();
    assert_eq!(verified(&place, "nfl")["entries"], 1);
    assert!(!scene.assert_all_or_nothing(&place, 1, "with rubbish in the log's folder"));
    assert_eq!(files(&place.store()).len(), before + 3 * SEASONS.len() + 2, "an entry, its archives and its leaves");
}
