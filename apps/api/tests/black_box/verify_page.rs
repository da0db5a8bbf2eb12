//! The page at `/verify` in a browser: from disk on every vector, and as it is served.

use std::fs;

use base64::Engine as _;
use serde_json::{Value, json};
use sports_testkit::programs::fixture;
use sports_testkit::proofs::{LOG, ML_DSA_WITNESS, ProofVector, START, WITNESS, proof_vectors, weak_witnesses};
use sports_testkit::services::TimestampAuthority;
use sports_transparency::ForecastProof;

use crate::browser::{Browser, Page};
use crate::service::Site;
use crate::signed::{COSIGNED, Signer};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/verify/verify.html");

/// The script that checks files as a person does: it puts each into the page, and returns the codes.
const CHECK: &str = "window.codesOf = async files => { \
    const codes = [], proof = document.getElementById('proof'), verdict = document.getElementById('verdict'); \
    for (const file of files) { \
        const chosen = new DataTransfer(); \
        chosen.items.add(new File([Uint8Array.from(atob(file), symbol => symbol.charCodeAt(0))], 'proof')); \
        proof.files = chosen.files; \
        await new Promise(done => { \
            const watch = () => verdict.dataset.code === undefined || (observer.disconnect(), done()); \
            const observer = new MutationObserver(watch); \
            observer.observe(verdict, { attributeFilter: ['data-code'] }); \
            proof.dispatchEvent(new Event('change')); \
        }); \
        codes.push(Number(verdict.dataset.code)); \
    } \
    return codes; }; 0";

/// Types the keys and the start into the page.
fn fill_in(page: &mut Page<'_>, log: &str, start: &str, witness: &str) {
    for (id, text) in [("log", log), ("start", start), ("witness", witness)] {
        let field = format!("document.getElementById('{id}')");
        page.evaluate(&format!("{field}.value = {}; {field}.dispatchEvent(new Event('input')); 0", json!(text)));
    }
}

/// Checks some files, and returns the codes of the page.
fn codes(page: &mut Page<'_>, vectors: &[ProofVector]) -> Vec<i32> {
    let encoded = |vector: &ProofVector| base64::engine::general_purpose::STANDARD.encode(&vector.bytes);
    let files: Vec<_> = vectors.iter().map(encoded).collect();
    let codes = page.evaluate(&format!("codesOf({})", json!(files)));
    serde_json::from_value(codes).expect("numbers")
}

/// The requests of the page, without the icon, which is part of it.
fn sent(page: &mut Page<'_>) -> Vec<String> {
    page.requested().into_iter().filter(|url| !url.starts_with("data:")).collect()
}

fn good() -> ProofVector {
    proof_vectors().into_iter().find(|vector| vector.name == "cosigned in time").expect("one")
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_page_on_disk_agrees_on_every_vector_without_a_request() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("verify.html");
    fs::copy(FILE, &saved).expect("a copy");
    let address = format!("file://{}", saved.display());
    let mut page = browser.open(&address);
    page.expect("document.title", &json!("Check the proof of a forecast")).await;
    page.evaluate(CHECK);
    fill_in(&mut page, LOG, START, WITNESS);
    let vectors = proof_vectors();
    for some in vectors.chunks(40) {
        for (vector, code) in some.iter().zip(codes(&mut page, some)) {
            assert!(vector.codes.contains(&code), "{}: {code}, not {:?}", vector.name, vector.codes);
        }
    }
    assert_eq!(sent(&mut page), [address]);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_served_page_works_within_its_policy_and_shows_the_forecast() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let service = site.serve().await;
    let mut page = browser.open(&service.url("/verify"));
    page.expect("document.title", &json!("Check the proof of a forecast")).await;
    page.evaluate(CHECK);
    fill_in(&mut page, LOG, START, WITNESS);
    assert_eq!(codes(&mut page, &[good()]), [0]);
    let verdict = page.evaluate("document.getElementById('verdict').textContent");
    let proven = "proven: witness.example.com/w1 received the checkpoint at 2024-01-06T15:00:00Z, before ";
    assert_eq!(verdict, json!(format!("{proven}2024-01-06T21:30:00Z")));
    let shown = page.evaluate("document.getElementById('forecast').textContent");
    assert!(shown.as_str().expect("text").ends_with(r#""probabilities":{"BLEND":0.5661}}"#), "{shown}");
    for (log, start, witness, code) in [
        (LOG, START, "", 3),
        (LOG, "2024-01-06T15:00:00Z", WITNESS, 3),
        (LOG, "2024-01-06T16:00:01+01:00", WITNESS, 0),
        (LOG, "yesterday", WITNESS, 2),
        (LOG, "2024-02-30T00:00:00Z", WITNESS, 2),
        (LOG, "2024-01-06T21:30:60Z", WITNESS, 2),
        (LOG, "2201-01-01T00:00:00Z", WITNESS, 2),
        (WITNESS, START, WITNESS, 2),
    ] {
        fill_in(&mut page, log, start, witness);
        assert_eq!(codes(&mut page, &[good()]), [code], "{log} {start} {witness}");
    }
    for weak in weak_witnesses() {
        fill_in(&mut page, LOG, START, &weak);
        assert_eq!(codes(&mut page, &[good()]), [2], "{weak}");
    }
    assert_eq!(page.evaluate("refused"), json!([]));
    assert_eq!(sent(&mut page), [service.url("/verify")]);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

/// Returns an attribute of the data of an element; null without it.
fn data(page: &mut Page<'_>, id: &str, name: &str) -> Value {
    page.evaluate(&format!("document.getElementById('{id}').dataset.{name} ?? null"))
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn nothing_is_refused_before_it_was_filled_in_but_a_file_that_is_no_proof() {
    let Some(mut browser) = Browser::start() else { return };
    let service = Site::empty().serve().await;
    let mut page = browser.open(&service.url("/verify"));
    page.expect("document.title", &json!("Check the proof of a forecast")).await;
    page.evaluate(CHECK);
    assert_eq!(page.evaluate("document.getElementById('judgement').hidden"), json!(true));
    fill_in(&mut page, "no key", "no start", "no witness");
    assert_eq!(data(&mut page, "verdict", "code"), Value::Null);
    fill_in(&mut page, "", "", "");
    choose(&mut page, "proof", &[("week.tlog-proof", good().bytes)]);
    page.expect("document.getElementById('headline').textContent", &json!("Not checked yet")).await;
    assert_eq!(data(&mut page, "verdict", "code"), Value::Null);
    // The file states the game and its start; the key of the log is in no file.
    let stated = page.evaluate("document.getElementById('stated-game').innerText");
    assert!(stated.as_str().expect("text").contains("Pittsburgh Steelers at Baltimore Ravens"), "{stated}");
    assert_eq!(page.evaluate("document.getElementById('start').value"), json!("2024-01-06T16:30:00-05:00"));
    assert_eq!(data(&mut page, "start-voucher", "source"), json!("file"));
    assert_eq!(page.evaluate("document.getElementById('log').value"), json!(""));
    for broken in [Vec::new(), good().bytes[..700].to_vec(), b"{\"error\":\"HTTP_404\"}".to_vec()] {
        let broken = ProofVector { bytes: broken, ..good() };
        assert_eq!(codes(&mut page, std::slice::from_ref(&broken)), [1]);
        assert_eq!(data(&mut page, "verdict", "verdict"), json!("not_proven"));
    }
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_address_carries_a_proof_and_the_keys_by_which_it_is_checked() {
    let Some(mut browser) = Browser::start() else { return };
    let service = Site::empty().serve().await;
    let mut page = browser.open(&service.url("/verify"));
    page.expect("document.title", &json!("Check the proof of a forecast")).await;
    let proof = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(&good().bytes);
    let carried = json!({ "log": LOG, "witness": WITNESS, "proof": proof });
    page.evaluate(&format!("location.hash = new URLSearchParams({carried}); 0"));
    page.expect("document.getElementById('verdict').dataset.code", &json!("0")).await;
    assert_eq!(data(&mut page, "verdict", "verdict"), json!("proven"));
    assert_eq!(data(&mut page, "judgement", "verdict"), json!("proven"));
    let sources = ["log", "witness", "start"].map(|id| data(&mut page, &format!("{id}-voucher"), "source"));
    assert_eq!(sources, [json!("address"), json!("address"), json!("file")]);
    let models = page.evaluate("document.getElementById('forecast-table').innerText");
    assert!(models.as_str().expect("text").contains("0.5661"), "{models}");
    assert_eq!(page.evaluate("refused"), json!([]));
    assert_eq!(sent(&mut page), [service.url("/verify")]);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

/// Chooses the files of an input, by their names.
fn choose(page: &mut Page<'_>, id: &str, files: &[(&str, Vec<u8>)]) {
    let encoded =
        |(name, bytes): &(&str, Vec<u8>)| (name.to_string(), base64::engine::general_purpose::STANDARD.encode(bytes));
    let files: Vec<_> = files.iter().map(encoded).collect();
    page.evaluate(&format!(
        "{{ const chosen = new DataTransfer(), field = document.getElementById('{id}'); \
            for (const [name, file] of {}) \
                chosen.items.add(new File([Uint8Array.from(atob(file), symbol => symbol.charCodeAt(0))], name)); \
            field.files = chosen.files; field.dispatchEvent(new Event('change')); }} 0",
        json!(files)
    ));
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_served_page_takes_timestamps_and_their_certificates() {
    let Some(mut browser) = Browser::start() else { return };
    let (Some(authority), Some(stranger)) = (TimestampAuthority::fresh(), TimestampAuthority::fresh()) else { return };
    let service = Site::empty().serve().await;
    let mut page = browser.open(&service.url("/verify"));
    page.expect("document.title", &json!("Check the proof of a forecast")).await;
    page.evaluate(CHECK);
    let text = ForecastProof::parse(&good().bytes).expect("a proof").checkpoint.checkpoint().to_string();
    let file = |path| fs::read(path).expect("a file");
    let root = ("root.pem", file(authority.certificate()));
    let server = ("server.pem", file(authority.other_certificate("server")));
    let other_root = ("stranger.pem", file(stranger.certificate()));
    let token = ("token.tsr", authority.stamp(&text));
    let expired = ("expired.tsr", authority.stamp_with_expired(&text));
    let other = ("other.tsr", authority.stamp(&text.replace('3', "4")));
    let long = ("long.tsr", vec![0x30; 1 << 20]);
    let never_started = "2200-01-01T00:00:00Z";
    for (start, witness, quorum, token, root, code) in [
        (never_started, "", "", &token, &root, 0),
        (START, "", "", &token, &root, 3),
        (never_started, "", "", &token, &other_root, 3),
        (never_started, "", "", &expired, &root, 3),
        (never_started, "", "", &other, &root, 2),
        (never_started, "", "", &long, &root, 2),
        (never_started, "", "", &token, &server, 2),
        (never_started, "", "", &token, &token, 2),
        (START, WITNESS, "", &token, &root, 3),
        (START, WITNESS, "1", &token, &root, 0),
        (never_started, WITNESS, "2", &token, &root, 0),
        (never_started, WITNESS, "3", &token, &root, 2),
        (never_started, WITNESS, "0", &token, &root, 2),
        (START, ML_DSA_WITNESS, "1", &token, &root, 3),
    ] {
        fill_in(&mut page, LOG, start, witness);
        page.evaluate(&format!("document.getElementById('quorum').value = '{quorum}'; 0"));
        choose(&mut page, "token", std::slice::from_ref(token));
        choose(&mut page, "authority", std::slice::from_ref(root));
        let found = codes(&mut page, &[good()]);
        let notes = page
            .evaluate("document.getElementById('verdict').textContent + document.getElementById('notes').textContent");
        assert_eq!(found, [code], "{start} {witness} {quorum} {} {}: {notes}", token.0, root.0);
    }
    assert_eq!(page.evaluate("refused"), json!([]));
    assert_eq!(sent(&mut page), [service.url("/verify")]);
    assert_eq!(page.errors(), Vec::<Value>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn proofs_of_a_record_from_before_and_after_its_restart_hold_under_their_own_key() {
    let Some(mut browser) = Browser::start() else { return };
    let site = Site::empty();
    let week = fixture("nfl-2023-week-18-slate");
    let (release, finals) = (week.join("release"), week.join("finals.csv"));
    let _ = site.place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2024-01-06T15:00:00Z"]);
    let mut keys = Vec::new();
    for (record, origin) in [(1, "example.com/api/v1/record"), (2, "example.com/api/v1/record/2")] {
        let signer = Signer::of_record(&site, record, origin).await;
        let checkpoint = signer.checkpoint().await;
        let _ = signer.put(&checkpoint, &[signer.witness.cosign(&checkpoint, COSIGNED)]).await;
        keys.push((signer.log.verifier().to_string(), checkpoint.size, signer.witness.verifier().to_string()));
        let finals = finals.to_str().expect("text");
        let _ = site.place.ctl(["settle", "nfl", finals, "--as-of", "2024-01-08T15:00:00Z"]);
    }
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-08T16:00:00Z")]).await;
    let mut page = browser.open(&service.url("/verify"));
    page.expect("document.title", &json!("Check the proof of a forecast")).await;
    page.evaluate(CHECK);
    let game = "model_type=won_on_points&game_id=nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens";
    for (own, size, _) in &keys {
        let answer = service.get(&format!("/api/v1/record/nfl/proof?{game}&size={size}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let proof = [ProofVector { bytes: answer.body.to_vec(), ..good() }];
        for (log, _, witness) in &keys {
            fill_in(&mut page, log, START, witness);
            assert_eq!(codes(&mut page, &proof), [i32::from(log != own)], "{size} under {log}");
        }
    }
}
