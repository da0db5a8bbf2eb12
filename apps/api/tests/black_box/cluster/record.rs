//! The record on several nodes, while its publisher replaces the key.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use sports_testkit::programs::{TestFolder, fixture};
use sports_transparency::{SignedCheckpoint, VerifierKey};
use tokio::task::spawn_blocking;

use super::{Cluster, RESULTS};
use crate::service::{Answer, Service};

const SLATE: &str = "nfl-2023-week-18-slate";
const KEYS: &str = "/api/v1/record/keys";
const CHECKPOINT: &str = "/api/v1/record/nfl/checkpoint";
const READ: [&str; 6] = [
    KEYS,
    CHECKPOINT,
    "/api/v1/record/nfl/checkpoints",
    "/api/v1/record/nfl/tile/0/000.p/1",
    "/api/v1/record/nfl/proof?model_type=won_on_points&match_id=week18-PIT-BAL",
    RESULTS,
];

/// Runs `sportsctl` beside the requests of the test; returns its output.
async fn ctl(place: &TestFolder, arguments: &[&str]) -> String {
    let mut command = place.sportsctl(arguments);
    let done = spawn_blocking(move || command.output()).await.expect("no panic").expect("it runs");
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

/// Returns the key of nfl's log that signs from here on, as a command printed it.
fn vkey(printed: &str) -> VerifierKey {
    let json: Value = serde_json::from_str(printed).expect("JSON");
    let mut keys = json["keys"].as_array().expect("keys").iter();
    let newest = keys.find(|key| key["sport"] == "nfl" && key["until"].is_null()).expect("a key of nfl");
    newest["vkey"].as_str().expect("a vkey").parse().expect("a vkey")
}

fn note(answer: &Answer) -> SignedCheckpoint {
    answer.text().parse().expect("a signed checkpoint")
}

/// Reads the record from a node, again and again until the end; returns the number of answers.
async fn answers_until(ended: &AtomicBool, node: &Service) -> usize {
    let mut answers = 0;
    while !ended.load(Ordering::Relaxed) {
        for path in READ {
            let answer = node.get(path).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            answers += 1;
        }
    }
    answers
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_key_of_the_record_is_replaced_while_three_nodes_serve() {
    let Some(mut site) = Cluster::site() else { return };
    let key_file = site.place.path().join("record.key").display().to_string();
    site.place =
        site.place.with("SPORTS_RECORD__KEY_FILE", key_file).with("SPORTS_RECORD__ORIGIN", "example.com/api/v1/record");
    let old = vkey(&ctl(&site.place, &["record", "init", "--json"]).await);
    let (release, finals) = (fixture(SLATE).join("release"), fixture(SLATE).join("finals.csv"));
    let (release, finals) = (release.to_str().expect("text"), finals.to_str().expect("text"));
    ctl(&site.place, &["publish", release, "--as-of", "2024-01-06T15:00:00Z"]).await;
    // Servers hold no key: none of them can even read it.
    let variables =
        [("SPORTS_RECORD__KEY_FILE", "/nonexistent/record.key"), ("SPORTS_LIMITS__PUBLIC_PER_SECOND", "100000")];
    let cluster = Cluster::start(site, &variables).await;
    let first = note(&cluster.next().get(CHECKPOINT).await);
    assert!(first.verify(&old, &[]).is_ok());

    let ended = AtomicBool::new(false);
    let rotating = async {
        let place = &cluster.site.place;
        let new = vkey(&ctl(place, &["record", "keys", "add", "--as-of", "2024-01-07T15:00:00Z", "--json"]).await);
        ctl(place, &["settle", "nfl", finals, "--as-of", "2024-01-08T15:00:00Z"]).await;
        for node in &cluster.nodes {
            let is_newer = |answer: &Answer| note(answer).checkpoint().size > first.checkpoint().size;
            let newest = note(&node.until(CHECKPOINT, is_newer).await);
            assert!([&old, &new].iter().all(|key| newest.verify(key, &[]).is_ok()), "both keys sign");
            let is_listed = |answer: &Answer| answer.text().contains(&new.to_string());
            let listed = node.until(KEYS, is_listed).await.json();
            let of_nfl = listed["keys"].as_array().expect("keys").iter().filter(|key| key["sport"] == "nfl");
            let dated: Vec<_> = of_nfl.map(|key| (key["vkey"].as_str().expect("a vkey"), &key["until"])).collect();
            let [(before, until), (after, Value::Null)] = &dated[..] else { panic!("{listed}") };
            assert_eq!((*before, *after), (old.to_string().as_str(), new.to_string().as_str()));
            assert!(until.as_str().is_some_and(|until| until.starts_with("2024-02-06T15:0")), "{listed}");
            let earlier = node.get(&format!("/api/v1/record/nfl/checkpoints/{}", first.checkpoint().size)).await;
            assert!(note(&earlier).verify(&old, &[]).is_ok(), "what the old key signed is as it was");
        }
        ended.store(true, Ordering::Relaxed);
    };
    let [one, two, three] = &cluster.nodes[..] else { panic!("three nodes") };
    let answers = |node| answers_until(&ended, node);
    let ((), one, two, three) = futures::join!(rotating, answers(one), answers(two), answers(three));
    assert!([one, two, three].iter().all(|answers| *answers >= READ.len()), "{one}, {two}, {three}");
}
