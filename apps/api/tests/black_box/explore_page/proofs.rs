//! The newest checkpoint in the view of the record, and the proof of a game's forecast in Results.

use serde_json::json;
use sports_transparency::ForecastProof;

use super::charts::kept_file;
use super::visit::Visit;
use crate::application::histories::{AT_NOW, day};
use crate::browser::Browser;
use crate::signed::{Signer, WITNESS, sign};

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_record_has_its_newest_checkpoint_with_the_times_of_witnesses() {
    let Some(mut browser) = Browser::start() else { return };
    let site = day();
    let unsigned = site.serve_with(&[AT_NOW]).await;
    let mut visit = Visit::start(&mut browser, &unsigned).await;
    visit.show("record/nfl").await;
    let said = visit.text("section[aria-labelledby=section-newest-signed-checkpoint] p");
    assert_eq!(said, json!(["No checkpoint of this league is signed yet."]));
    assert_eq!(visit.complaints(), Vec::<String>::new());
    unsigned.stop();
    let note = sign(&site).await;
    let service = site.serve_with(&[AT_NOW]).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.show("record/nfl").await;
    assert_eq!(visit.text("#checkpoint-root"), json!([note.checkpoint().root.to_string()]));
    let rows = visit.text("section[aria-labelledby=section-newest-signed-checkpoint] tbody tr");
    let row = rows[0].as_str().expect("a witness");
    assert!(row.contains(WITNESS) && row.contains("10:00"), "{row}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
    service.stop();
    // The record began anew under another path, where no witness has its checkpoint yet.
    let restarted = Signer::of_record(&site, 2, "example.com/api/v1/record/2").await;
    let _ = restarted.put(&restarted.checkpoint().await, &[]).await;
    let service = site.serve_with(&[AT_NOW]).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.show("record/nfl").await;
    let cosigners = visit.text("section[aria-labelledby=section-newest-signed-checkpoint]");
    assert!(cosigners[0].as_str().expect("text").contains("No witness has cosigned it yet"), "{cosigners}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// Opens the Ravens' game in Results, and proves its forecast.
async fn prove(visit: &mut Visit<'_>, verdict: &str) {
    visit.show("results/nfl/won_on_points").await;
    let opener =
        "[...document.querySelectorAll('.opener')].find(button => button.innerText.includes('Baltimore Ravens'))";
    visit.page.evaluate(&format!("{opener}.click()"));
    visit.page.expect("document.querySelectorAll('.proof button').length", &json!(1)).await;
    visit.page.evaluate("document.querySelector('.proof button').click()");
    visit.page.expect("document.querySelector('.receipt')?.dataset.verdict", &json!(verdict)).await;
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_opened_game_proves_its_forecast_by_the_keys_that_the_server_states() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let site = day();
    let _ = sign(&site).await;
    let signer = Signer::of(&site).await;
    let witness = signer.witness.verifier().clone();
    let named = format!("{witness}@https://witness.example.org");
    let service = site.serve_with(&[AT_NOW, ("SPORTS_RECORD__WITNESSES", &named)]).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.save_to(folder.path());
    visit.type_key(service.key()).await;
    prove(&mut visit, "proven").await;
    let receipt = visit.text(".receipt")[0].as_str().expect("text").to_owned();
    for words in ["Proven: 6 hours before the start", WITNESS, "by the keys that this server states", "not counted"] {
        assert!(receipt.contains(words), "{words}: {receipt}");
    }
    visit.page.evaluate("document.querySelector('.receipt button').click()");
    let game = "nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens";
    let saved = kept_file(&folder.path().join(format!("{game}.won_on_points.tlog-proof"))).await;
    let proof = ForecastProof::parse(&saved).expect("a proof");
    assert_eq!(proof.verify(signer.log.verifier(), &[witness]).expect("proven").cosignatures.len(), 1);
    assert_eq!(visit.complaints(), Vec::<String>::new());
    // The address of the verifier carries the proof and the keys.
    let elsewhere = visit.page.evaluate("document.querySelector('.receipt a').href");
    let elsewhere = elsewhere.as_str().expect("an address");
    assert!(elsewhere.starts_with(&service.url("/verify#")), "{elsewhere}");
    visit.page.go(elsewhere);
    visit.page.expect("document.getElementById('verdict')?.dataset.code", &json!("0")).await;
    visit.keep_picture("verify");
}

/// A server that names no witness states nobody who vouches for the time.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_forecast_is_logged_and_not_proven_where_the_server_names_no_witness() {
    let Some(mut browser) = Browser::start() else { return };
    let site = day();
    let _ = sign(&site).await;
    let service = site.serve_with(&[AT_NOW]).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.type_key(service.key()).await;
    prove(&mut visit, "logged").await;
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_record_is_a_chain_that_the_browser_follows_and_a_tree_that_it_computes() {
    let Some(mut browser) = Browser::start() else { return };
    let site = day();
    let note = sign(&site).await;
    let service = site.serve_with(&[AT_NOW]).await;
    let releases = service.get("/api/v1/releases/nfl").await.json();
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.show("record/nfl").await;
    let count = releases["releases"].as_array().expect("releases").len();
    let chain = visit.text("#chain")[0].as_str().expect("text").to_owned();
    let head = &releases["head"].as_str().expect("a hash")[..8];
    assert_eq!(chain, format!("{count} entries form an unbroken chain up to head {head} (checked in this browser)."));
    let squares: Vec<_> = visit.marks(".squares .mark", "signed").into_iter().map(|(signed, _)| signed).collect();
    assert_eq!(squares.len(), count);
    assert_eq!(squares.last().map(String::as_str), Some("own"));
    visit.page.evaluate("document.getElementById('check-leaves').click()");
    visit.page.expect("document.getElementById('leaves-checked').dataset.verdict", &json!("logged")).await;
    let said = visit.text("#leaves-checked")[0].as_str().expect("text").to_owned();
    assert!(said.starts_with(&format!("All {} leaves give the root", note.checkpoint().size)), "{said}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}
