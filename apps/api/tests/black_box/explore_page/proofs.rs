//! The newest checkpoint in the view of the record, and the proof of a game's forecast in Results.

use serde_json::{Value, json};
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

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_opened_game_has_the_proof_of_its_forecast() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let site = day();
    let _ = sign(&site).await;
    let service = site.serve_with(&[AT_NOW]).await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.save_to(folder.path());
    visit.type_key(service.key()).await;
    visit.show("results/nfl/won_on_points").await;
    let opener =
        "[...document.querySelectorAll('.opener')].find(button => button.innerText.includes('Baltimore Ravens'))";
    visit.page.evaluate(&format!("{opener}.click()"));
    visit.page.expect("document.querySelectorAll('.proof button').length", &json!(1)).await;
    visit.page.evaluate("document.querySelector('.proof button').click()");
    let game = "nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens";
    let saved = kept_file(&folder.path().join(format!("{game}.won_on_points.tlog-proof"))).await;
    let (signer, proof) = (Signer::of(&site).await, ForecastProof::parse(&saved).expect("a proof"));
    let witness = signer.witness.verifier().clone();
    assert_eq!(proof.verify(signer.log.verifier(), &[witness]).expect("proven").cosignatures.len(), 1);
    visit.page.expect("document.querySelector('.proof a').pathname", &Value::from("/verify")).await;
    assert_eq!(visit.complaints(), Vec::<String>::new());
}
