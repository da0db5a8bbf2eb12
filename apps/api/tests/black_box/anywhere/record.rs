//! The record as anybody may check it: tiles, checkpoints and keys; and proofs for holders of a key.

use std::fs;
use std::process::Command;

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use regex_lite::Regex;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;
use sports_domain::content::ObjectHash;
use sports_ports::record::CheckpointKind;
use sports_publication::Generation;
use sports_testkit::programs::fixture;
use sports_transparency::{ForecastProof, Opening, SignedCheckpoint};

use crate::folder::Folder;
use crate::places;
use crate::service::{Answer, Service, Site};
use crate::signed::{COSIGNED, ORIGIN, Signer, TIMESTAMP, WITNESS, sign};

const RECORD: &str = "/api/v1/record/nfl";
const PREDICTIONS: [&str; 3] =
    ["predictions/over_under.csv", "predictions/won_on_points.json", "predictions/won_on_spread.csv"];
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const VERIFIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/verify/verify.py");
const RAVENS: &str = "game_id=nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens";

/// Publishes the week's forecasts, each with one more digit.
fn publish(site: &Site, digit: u32) {
    let probability = Regex::new(r"\b0\.\d{4}\b").expect("a pattern");
    let longer = |folder: Folder, file: &&str| {
        folder.edit(file, |text| probability.replace_all(text, format!("${{0}}{digit}").as_str()).into_owned())
    };
    let folder = PREDICTIONS.iter().fold(Folder::copy_of("nfl-2023-week-18-slate"), longer);
    let at = format!("2024-01-06T15:0{digit}:00Z");
    let printed = site.place.ctl(["publish", folder.path().to_str().expect("text"), "--as-of", &at]);
    assert!(printed.contains("published: "), "{printed}");
}

fn week(releases: u32) -> Site {
    let site = Site::empty();
    (1..=releases).for_each(|digit| publish(&site, digit));
    site
}

async fn serve(site: &Site) -> Service {
    site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-06T16:00:00Z")]).await
}

async fn get(service: &Service, path: &str) -> Answer {
    Answer::to(service.request(&format!("{RECORD}/{path}"))).await
}

async fn found(service: &Service, path: &str) -> Answer {
    let answer = get(service, path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer
}

/// The hash of a tree of some leaves, by another library.
fn root(leaves: &[String]) -> Vec<u8> {
    let mut tree = MemoryBackedTree::<Sha256, Vec<u8>>::new();
    for leaf in leaves {
        tree.push(leaf.clone().into_bytes());
    }
    tree.root().as_bytes().to_vec()
}

/// The bytes of a bundle, written by hand from the format: each leaf after its length in two bytes.
fn bundle(leaves: &[String]) -> Vec<u8> {
    let leaf = |leaf: &String| {
        let length = u16::try_from(leaf.len()).expect("a short leaf");
        [&length.to_be_bytes()[..], leaf.as_bytes()].concat()
    };
    leaves.iter().flat_map(leaf).collect()
}

#[tokio::test]
async fn tiles_equal_those_that_another_library_makes_of_the_leaves() {
    let site = week(6);
    let leaves = Signer::of(&site).await.leaves().await;
    assert_eq!(leaves.len(), 6 * 49, "a release and 48 forecasts each");
    let service = serve(&site).await;
    let hashes =
        |leaves: &[String]| leaves.iter().flat_map(|leaf| root(std::slice::from_ref(leaf))).collect::<Vec<_>>();
    let expected = [
        ("0/000", hashes(&leaves[..256])),
        ("0/000.p/1", hashes(&leaves[..1])),
        ("0/000.p/255", hashes(&leaves[..255])),
        ("0/001.p/38", hashes(&leaves[256..])),
        ("0/001.p/7", hashes(&leaves[256..263])),
        ("1/000.p/1", root(&leaves[..256])),
        ("entries/000", bundle(&leaves[..256])),
        ("entries/000.p/50", bundle(&leaves[..50])),
        ("entries/001.p/38", bundle(&leaves[256..])),
        ("entries/001.p/1", bundle(&leaves[256..257])),
    ];
    // The second time, from memory.
    for (tile, bytes) in expected.iter().chain(&expected) {
        let answer = found(&service, &format!("tile/{tile}")).await;
        assert_eq!(answer.body, bytes[..], "{tile}");
        assert_eq!(answer.header("content-type"), Some("application/octet-stream"), "{tile}");
        assert_eq!(answer.header("cache-control"), Some(IMMUTABLE), "{tile}");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{tile}");
        let head = Answer::to(service.bare(Method::HEAD, &format!("{RECORD}/tile/{tile}"))).await;
        assert_eq!((head.status, head.body.len(), head.header("etag")), (200, 0, answer.header("etag")), "{tile}");
    }
    let upper = Answer::to(service.request("/api/v1/record/NFL/tile/0/000.p/1")).await;
    assert_eq!(upper.body, root(&leaves[..1]));
}

#[tokio::test]
async fn tiles_beyond_the_tree_and_in_other_forms_are_404() {
    let site = week(1);
    let service = serve(&site).await;
    let beyond = ["0/000", "0/000.p/50", "0/001.p/1", "1/000.p/1", "63/000.p/1", "entries/000", "entries/000.p/50"];
    for tile in beyond.into_iter().chain(["0/x999/x999/x999/x999/x999/x999/999"]) {
        let detail = get(&service, &format!("tile/{tile}")).await.failure(404);
        assert!(detail == format!("The tree of nfl does not have all of tile {tile}") || tile.len() > 20, "{detail}");
    }
    let malformed = [
        "",
        "0",
        "0/",
        "0/0",
        "0/00",
        "0/0000",
        "0/x000/000",
        "0/000.p/0",
        "0/000.p/256",
        "0/000.p/01",
        "0/000.p/",
        "0/000.p",
        "00/000.p/1",
        "64/000.p/1",
        "-1/000.p/1",
        "entries",
        "Entries/000.p/1",
        "0/000.p/1/",
        "0//000.p/1",
        "0%2F000.p/1",
        "%30/000.p/1",
        "0/000.p/+1",
        "data/000.p/1",
        "0/001/067",
        "0/x1/067",
    ];
    for tile in malformed {
        let answer = get(&service, &format!("tile/{tile}")).await;
        assert_eq!(answer.status, 404, "{tile}: {}", answer.text());
    }
    assert_eq!(get(&service, "tile/0/000.p/49").await.status, 200);
    let post = Answer::to(service.bare(Method::POST, &format!("{RECORD}/tile/0/000.p/1"))).await;
    assert_eq!((post.failure(405), post.header("allow")), ("This path takes GET, HEAD".to_owned(), Some("GET, HEAD")));
    for query in ["as_of=2024-01-06T15:00:00Z", "generation=1"] {
        for path in ["tile/0/000.p/1", "checkpoint", "checkpoints"] {
            assert!(get(&service, &format!("{path}?{query}")).await.failure(400).contains("is not a parameter here"));
        }
    }
}

#[tokio::test]
async fn the_newest_checkpoint_is_served_with_all_cosignatures_so_far() {
    let site = week(1);
    let service = serve(&site).await;
    assert_eq!(get(&service, "checkpoint").await.failure(404), "No checkpoint of nfl is signed yet");
    let empty = json!({ "sport": "nfl", "checkpoints": [], "next_size": null });
    assert_eq!(get(&service, "checkpoints").await.json(), empty);
    let signer = Signer::of(&site).await;
    let checkpoint = signer.checkpoint().await;
    assert_eq!(checkpoint.root.as_bytes()[..], root(&signer.leaves().await));
    let _ = signer.put(&checkpoint, &[]).await;
    let first = service.until(&format!("{RECORD}/checkpoint"), |answer| answer.status == 200).await;
    assert_eq!(first.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(first.header("cache-control"), Some("public, no-cache"));
    assert_eq!(first.header("access-control-allow-origin"), Some("*"));
    let note: SignedCheckpoint = first.text().parse().expect("a note");
    assert_eq!((note.checkpoint(), note.verify(signer.log.verifier(), &[])), (&checkpoint, Ok(Vec::new())));
    let etag = first.header("etag").expect("a validator").to_owned();
    let again = || Answer::to(service.request(&format!("{RECORD}/checkpoint")).header("If-None-Match", &etag));
    assert_eq!(again().await.status, 304);
    // Another witness comes later, in a note of its own.
    let _ = signer.put(&checkpoint, &[signer.witness.cosign(&checkpoint, COSIGNED)]).await;
    let cosigned = service.until(&format!("{RECORD}/checkpoint"), |answer| answer.text().contains(WITNESS)).await;
    let note: SignedCheckpoint = cosigned.text().parse().expect("a note");
    let known = [signer.witness.verifier().clone()];
    let cosignatures = note.verify(signer.log.verifier(), &known).expect("both signatures hold");
    assert_eq!(cosignatures.iter().map(|cosignature| cosignature.time).collect::<Vec<_>>(), [COSIGNED]);
    assert_eq!(again().await.status, 200);
}

#[tokio::test]
async fn checkpoints_are_listed_with_their_evidence_page_by_page() {
    let site = week(3);
    let signer = Signer::of(&site).await;
    for number in 1..=2 {
        let checkpoint = signer.checkpoint_of(Generation::new(number).expect("from 1")).await;
        let _ = signer.put(&checkpoint, &[]).await;
    }
    let newest = sign(&site).await;
    let service = serve(&site).await;
    let timestamp = ObjectHash::from_bytes(TIMESTAMP).to_string();
    let key = signer.log.verifier();
    let listed = get(&service, "checkpoints?from_size=99").await.json();
    let expected = json!({ "sport": "nfl", "next_size": null, "checkpoints": [{
        "size": 147, "root": newest.checkpoint().root.to_string(), "generation": 3,
        "signed_by": [format!("{ORIGIN}/nfl+{}", key.id())],
        "cosigned": [{ "name": WITNESS, "time": "2024-01-06T15:00:02Z" }], "timestamps": [timestamp],
    }] });
    assert_eq!(listed, expected);
    let mut sizes = Vec::new();
    let mut next = json!(1);
    while next != Value::Null {
        let page = get(&service, &format!("checkpoints?limit=2&from_size={next}")).await.json();
        let items = page["checkpoints"].as_array().expect("a list");
        sizes.extend(items.iter().map(|item| (item["size"].as_u64(), item["generation"].as_u64())));
        next = page["next_size"].clone();
    }
    assert_eq!(sizes, [(Some(49), Some(1)), (Some(98), Some(2)), (Some(147), Some(3))]);
    let note = found(&service, "checkpoints/147").await;
    assert_eq!((note.text(), note.header("cache-control")), (&*newest.to_string(), Some("public, no-cache")));
    let token = found(&service, &format!("checkpoints/147/timestamps/{timestamp}")).await;
    assert_eq!(token.body, TIMESTAMP);
    assert_eq!(token.header("content-type"), Some("application/timestamp-reply"));
    assert_eq!(token.header("cache-control"), Some(IMMUTABLE));
    for path in ["checkpoints/148", "checkpoints/0147", "checkpoints/x", "checkpoints/-1", "checkpoints/"] {
        assert_eq!(get(&service, path).await.status, 404, "{path}");
    }
    let other = "0".repeat(64);
    for end in [&*other, &timestamp.to_uppercase(), "x", ""] {
        assert_eq!(get(&service, &format!("checkpoints/147/timestamps/{end}")).await.status, 404, "{end}");
    }
    assert_eq!(get(&service, &format!("checkpoints/98/timestamps/{timestamp}")).await.status, 404);
    for query in ["limit=0", "limit=101", "from_size=-1", "from_size=x"] {
        let _ = get(&service, &format!("checkpoints?{query}")).await.failure(400);
    }
}

#[tokio::test]
async fn keys_are_listed_with_the_paths_of_their_records() {
    let site = week(1);
    let service = serve(&site).await;
    let keys = "/api/v1/record/keys";
    assert_eq!(Answer::to(service.request(keys)).await.json(), json!({ "origin": null, "keys": [], "witnesses": [] }));
    let (first, second) = (Signer::of(&site).await, Signer::of_record(&site, 2, "example.com/again").await);
    let witness = first.witness.verifier().to_string();
    service.stop();
    let named = format!("{witness}@https://witness.example.org");
    let service = site.serve_with(&[("SPORTS_RECORD__WITNESSES", &named)]).await;
    let listed = service.until(keys, |answer| answer.text().contains("again")).await.json();
    assert_eq!(listed["witnesses"], json!([witness]));
    let item = |path: &str, signer: &Signer| {
        let vkey = signer.log.verifier().to_string();
        json!({ "sport": "nfl", "path": path, "vkey": vkey, "since": "2024-01-06T15:00:00Z", "until": null })
    };
    let listed = listed["keys"].as_array().expect("keys");
    assert_eq!(listed.len(), 2);
    for expected in [item("/api/v1/record/nfl", &first), item("/api/v1/record/2/nfl", &second)] {
        assert!(listed.contains(&expected), "{listed:?}");
    }
}

#[tokio::test]
async fn the_old_paths_of_a_restarted_record_end_with_its_last_checkpoint() {
    let site = week(1);
    let first = Signer::of(&site).await;
    let old = first.put(&first.checkpoint().await, &[]).await;
    publish(&site, 2);
    let second = Signer::of_record(&site, 2, "example.com/again").await;
    let new = second.put(&second.checkpoint().await, &[]).await;
    let service = serve(&site).await;
    let of = async |path: &str| Answer::to(service.request(&format!("/api/v1/record/{path}"))).await;
    assert_eq!(
        (of("nfl/checkpoint").await.text(), of("2/nfl/checkpoint").await.text()),
        (&*old.to_string(), &*new.to_string())
    );
    assert_eq!(of("nfl/checkpoints").await.json()["checkpoints"][0]["size"], 49);
    assert_eq!(of("2/nfl/checkpoints").await.json()["checkpoints"][0]["size"], 98);
    for (path, status) in [
        ("nfl/tile/0/000.p/49", 200),
        ("nfl/tile/0/000.p/50", 404),
        ("nfl/tile/entries/000.p/50", 404),
        ("2/nfl/tile/0/000.p/49", 200),
        ("2/nfl/tile/0/000.p/98", 200),
        ("2/nfl/tile/entries/000.p/98", 200),
        ("2/nfl/tile/0/000.p/99", 404),
        ("nfl/checkpoints/49", 200),
        ("nfl/checkpoints/98", 404),
        ("2/nfl/checkpoints/98", 200),
        ("2/nfl/checkpoints/49", 404),
        ("3/nfl/checkpoint", 404),
        ("3/nfl/tile/0/000.p/1", 404),
        ("1/nfl/checkpoint", 404),
        ("02/nfl/checkpoint", 404),
        ("0/nfl/checkpoint", 404),
        ("x/nfl/checkpoint", 404),
    ] {
        assert_eq!(of(path).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn a_node_that_is_a_poll_behind_serves_tiles_notes_and_proofs_of_the_newest_entry() {
    let site = Site::empty();
    let slow = [("SPORTS_CLOCK__AS_OF", "2024-01-06T16:00:00Z"), ("SPORTS_STORE__POLL_INTERVAL", "1h")];
    let service = site.serve_with(&slow).await;
    assert_eq!(get(&service, "tile/0/000.p/1").await.status, 404);
    publish(&site, 1);
    let note = sign(&site).await;
    let tile = service.until(&format!("{RECORD}/tile/0/000.p/49"), |answer| answer.status == 200).await;
    assert_eq!(tile.body.len(), 49 * 32);
    let checkpoint = service.until(&format!("{RECORD}/checkpoint"), |answer| answer.status == 200).await;
    assert_eq!(checkpoint.text(), note.to_string());
    let proof = service.get(&format!("{RECORD}/proof?model_type=won_on_points&{RAVENS}")).await;
    assert_eq!(proof.status, 200, "{}", proof.text());
}

#[tokio::test]
async fn a_proof_convinces_two_verifiers_of_the_forecast() {
    let site = week(2);
    let note = sign(&site).await;
    let service = serve(&site).await;
    let path = format!("{RECORD}/proof?model_type=won_on_points&{RAVENS}");
    let answer = service.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    let stamp = ObjectHash::from_bytes(TIMESTAMP);
    let link =
        format!("<{RECORD}/checkpoints/98/timestamps/{stamp}>; rel=\"related\"; type=\"application/timestamp-reply\"");
    assert_eq!(answer.header("link"), Some(&*link));
    let etag = answer.header("etag").expect("a validator");
    assert_eq!(Answer::to(service.keyed(&path).header("If-None-Match", etag)).await.status, 304);
    let signer = Signer::of(&site).await;
    let (log, witness) = (signer.log.verifier().clone(), signer.witness.verifier().clone());
    let proof = ForecastProof::parse(&answer.body).expect("a proof");
    let logged = proof.verify(&log, std::slice::from_ref(&witness)).expect("proven");
    assert_eq!(logged.cosignatures.len(), 1);
    assert!(proof.opening.payload.contains(r#""BLEND":0.56612"#), "{}", proof.opening.payload);
    assert_eq!(proof.checkpoint, note);
    let file = site.place.path().join("ravens.tlog-proof");
    fs::write(&file, &answer.body).expect("written");
    let python = |start: &str| {
        let mut command = Command::new("python3");
        command.arg(VERIFIER).arg(&file).args(["--log", &log.to_string(), "--start", start]);
        command.args(["--witness", &witness.to_string()]).output().expect("python3").status.code()
    };
    assert_eq!((python("2024-01-06T21:30:00Z"), python("2024-01-06T15:00:02Z")), (Some(0), Some(3)));
    let of_size = service.get(&format!("{path}&size=98")).await;
    assert_eq!(of_size.body, answer.body);
}

#[tokio::test]
async fn a_repeated_proof_takes_up_a_later_cosignature_and_a_later_generation() {
    let site = week(1);
    let signer = Signer::of(&site).await;
    let checkpoint = signer.checkpoint().await;
    let _ = signer.put(&checkpoint, &[]).await;
    let service = serve(&site).await;
    let path = format!("{RECORD}/proof?model_type=won_on_points&{RAVENS}");
    let first = service.get(&path).await;
    assert_eq!(first.status, 200, "{}", first.text());
    let same = async |expected: &Answer| {
        for _ in 0..5 {
            let again = service.get(&path).await;
            assert_eq!((again.status, &again.body), (200, &expected.body));
            for header in ["etag", "content-type", "cache-control", "x-generation", "x-record-head"] {
                assert_eq!(again.header(header), expected.header(header), "{header}");
            }
        }
    };
    same(&first).await;
    let cosigned = signer.put(&checkpoint, &[signer.witness.cosign(&checkpoint, COSIGNED)]).await;
    let better = service.until(&path, |answer| answer.body != first.body).await;
    assert_eq!(ForecastProof::parse(&better.body).expect("a proof").checkpoint, cosigned);
    same(&better).await;
    publish(&site, 2);
    let _ = sign(&site).await;
    let newer = service.until(&path, |answer| answer.header("x-generation") == Some("2")).await;
    assert!(newer.status == 200 && newer.body != better.body, "the standing forecast is another one");
    same(&newer).await;
}

#[tokio::test]
async fn the_detail_of_a_404_has_the_reason_for_a_missing_proof() {
    let site = week(1);
    let service = serve(&site).await;
    let path = format!("{RECORD}/proof?model_type=won_on_points&{RAVENS}");
    let unsigned = service.get(&path).await;
    assert_eq!((unsigned.status, unsigned.header("retry-after")), (404, Some("60")));
    assert_eq!(unsigned.json()["detail"], "That forecast is in no signed checkpoint of nfl yet");
    let _ = sign(&site).await;
    let _ = service.until(&path, |answer| answer.status == 200).await;
    let never = service.get(&format!("{RECORD}/proof?model_type=won_on_points&game_id=nobody")).await;
    assert_eq!(never.failure(404), "No forecast of that game is on record");
    for (name, hint) in [
        ("game_id=nba-2024-01-06-a-b", "; `game_id` is of a game of nba"),
        (
            "date=2024-01-06&away_team=ravens&home_team=steelers",
            "; did you mean `home_team=ravens`? The teams meet the other way round",
        ),
        ("date=2024-01-06&away_team=stelers&home_team=ravens", "; did you mean `pittsburgh_steelers`?"),
        ("date=2024-01-13&away_team=ravens&home_team=steelers", ""),
    ] {
        let refused = service.get(&format!("{RECORD}/proof?model_type=won_on_points&{name}")).await.failure(404);
        assert_eq!(refused, format!("No forecast of that game is on record{hint}"), "{name}");
    }
    let no_size = service.get(&format!("{path}&size=48")).await;
    assert_eq!(no_size.failure(404), "No signed checkpoint of nfl has the size 48");
    for query in ["", "model_type=spread", "model_type=won_on_points", "model_type=won_on_points&game_id=a&match_id=b"]
    {
        let _ = service.get(&format!("{RECORD}/proof?{query}")).await.failure(400);
    }
    for query in ["as_of=2024-01-06T15:00:00Z", "generation=1", "size=0", "size=x"] {
        let _ = service.get(&format!("{path}&{query}")).await.failure(400);
    }
}

#[tokio::test]
async fn an_import_and_a_forecast_from_before_the_tree_have_404_with_their_reasons() {
    let proof = format!("{RECORD}/proof?model_type=won_on_points&{RAVENS}");
    let imported = Site::empty();
    let release = fixture("results-layout").join("release");
    let _ = imported.place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2024-01-08T15:00:00Z"]);
    let service = imported.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-08T16:00:00Z")]).await;
    let answer = service.get(&proof).await;
    assert_eq!(answer.header("retry-after"), None);
    assert_eq!(answer.failure(404), "That forecast was imported: the record has no commitment to it");
}

#[tokio::test]
async fn openings_open_the_forecast_leaves_and_nothing_public_has_a_salt_or_a_payload() {
    let site = week(2);
    let _ = sign(&site).await;
    let leaves = Signer::of(&site).await.leaves().await;
    let service = serve(&site).await;
    let mut secrets = Vec::new();
    for market in ["over_under", "won_on_points", "won_on_spread"] {
        let answer = service.get(&format!("{RECORD}/{market}/openings")).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/x-ndjson")));
        let lines: Vec<Value> = answer.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.iter().filter(|line| line["standing"] == true).count(), 16, "{market}");
        for mut line in lines {
            let index = line["index"].as_u64().expect("an index");
            assert_eq!(line["standing"], index > 49, "the standing forecast is in the second release");
            let fields = line.as_object_mut().expect("an object");
            fields.retain(|name, _| !["index", "standing"].contains(&name.as_str()));
            let Opening { entry, salt, payload } = Opening::parse(&line.to_string()).expect("an opening");
            assert_eq!(entry, leaves[usize::try_from(index).expect("small")]);
            assert!(entry.ends_with(&format!("sha256:{}\n", salt.commit(payload.as_bytes()))), "{entry}");
            secrets.extend([salt.to_hex(), payload]);
        }
    }
    let public = ["checkpoint", "checkpoints", "checkpoints/98", "tile/0/000.p/98", "tile/entries/000.p/98", "../keys"];
    for path in public {
        let answer = found(&service, path).await;
        let text = String::from_utf8_lossy(&answer.body);
        assert!(!secrets.iter().any(|secret| text.contains(secret.as_str())), "{path}");
    }
    for path in
        [format!("{RECORD}/won_on_points/openings"), format!("{RECORD}/proof?model_type=won_on_points&{RAVENS}")]
    {
        assert_eq!(Answer::to(service.request(&path)).await.status, 401, "{path}");
    }
    let nothing = service.get(&format!("{RECORD}/won_on_points/openings?season=2010-11")).await;
    assert!(nothing.failure(404).starts_with("No results are published"), "{}", nothing.text());
}

#[tokio::test]
async fn a_stored_tile_is_served_and_files_of_others_are_not() {
    let site = week(6);
    let signer = Signer::of(&site).await;
    let tile = places::store(&site.place).join("sports/nfl/record/tile/0/000");
    fs::create_dir_all(tile.parent().expect("a folder")).expect("made");
    let marked = vec![7; 256 * 32];
    fs::write(tile, &marked).expect("written");
    // A note of a log that no published key signs is not of this record.
    let stranger = format!(
        "stranger.example.org/nfl\n5\n{}\n\n— stranger.example.org/nfl AAAAAAA=\n",
        signer.checkpoint().await.root
    );
    signer.put_file(5, CheckpointKind::Note, stranger.as_bytes()).await;
    let service = serve(&site).await;
    assert_eq!(found(&service, "tile/0/000").await.body, marked);
    assert_eq!(found(&service, "tile/0/000.p/3").await.body, marked[..96]);
    assert_eq!(get(&service, "checkpoint").await.failure(404), "No checkpoint of nfl is signed yet");
    assert_eq!(get(&service, "checkpoints/5").await.status, 404);
}
