//! Witnesses over HTTP, against stand-ins that keep the protocol and stand-ins that do not.

use sports_ports::attestation::{Witness as _, WitnessAnswer};
use sports_ports::{PortError, error_chain};
use sports_record_signing::SetupError;
use sports_record_signing::attestation::HttpWitness;
use sports_testkit::services::{WitnessBehaviour, WitnessStandIn};
use sports_transparency::{
    Checkpoint, Cosignature, KeyKind, RightEdge, SignedCheckpoint, SigningKey, Tree, TreeHash, consistency_path,
};

const ORIGIN: &str = "example.com/api/v1/record/nfl";

fn log(seed: u8) -> SigningKey {
    SigningKey::from_seed(ORIGIN.parse().expect("a name"), KeyKind::Log, &[seed; 32]).expect("a key")
}

fn tree(size: u64) -> Tree {
    (0..size).map(|leaf| TreeHash::of_leaf(&leaf.to_be_bytes())).collect()
}

/// The checkpoint of the first leaves of a tree, signed by the log.
fn note(tree: &Tree, size: u64) -> SignedCheckpoint {
    let root = RightEdge::of(tree, size).expect("an edge").root();
    let checkpoint = Checkpoint { origin: ORIGIN.parse().expect("a name"), size, root };
    let line = log(1).sign(&checkpoint);
    SignedCheckpoint::new(checkpoint, &[line])
}

fn client(witness: &WitnessStandIn) -> HttpWitness {
    // Another test may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    HttpWitness::new(witness.key().clone(), &witness.url()).expect("an address")
}

fn proof(tree: &Tree, old: u64, new: u64) -> Vec<TreeHash> {
    consistency_path(tree, old, new).expect("hashes")
}

#[tokio::test]
async fn a_witness_cosigns_checkpoints_that_extend_each_other() {
    let witness = WitnessStandIn::start("witness.example/1");
    witness.set_time(1_704_553_300);
    let (client, tree) = (client(&witness), tree(9));
    for (old, new) in [(0, 3), (3, 9), (9, 9)] {
        let note = note(&tree, new);
        let answer = client.cosign(old, &proof(&tree, old, new), &note).await.expect("answers");
        let WitnessAnswer::Cosigned(lines) = answer else { panic!("{old}: {answer:?}") };
        let text = note.checkpoint().to_string();
        let cosignature = Cosignature::verify(witness.key(), &lines[0], &text).expect("it holds");
        assert_eq!((lines.len(), cosignature.time), (1, 1_704_553_300));
        assert_eq!(witness.cosigned(ORIGIN).as_ref(), Some(note.checkpoint()));
    }
}

#[tokio::test]
async fn the_request_has_the_form_of_the_protocol() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (client, tree) = (client(&witness), tree(9));
    let note = note(&tree, 9);
    let _ = client.cosign(3, &proof(&tree, 3, 9), &note).await.expect("answers");
    let request = witness.requests().pop().expect("a request");
    let (head, rest) = request.split_once("\n\n").expect("a blank line");
    let lines: Vec<_> = head.split('\n').collect();
    assert_eq!(lines[0], "old 3");
    // By RFC 9162, the path from 3 to 9 leaves has the third leaf and four hashes beside it.
    assert_eq!(lines.len(), 6);
    assert!(lines[1..].iter().all(|line| line.len() == 44 && line.ends_with('=')), "{lines:?}");
    assert_eq!(rest, note.to_string());
}

#[tokio::test]
async fn a_witness_names_the_size_that_it_knows_and_another_tree() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (client, tree) = (client(&witness), tree(9));
    let _ = client.cosign(0, &[], &note(&tree, 3)).await.expect("answers");
    let behind = client.cosign(0, &[], &note(&tree, 9)).await.expect("answers");
    assert_eq!(behind, WitnessAnswer::Knows(3));
    let other: Tree = (0..9_u64).map(|leaf| TreeHash::of_leaf(&(leaf + 100).to_be_bytes())).collect();
    let forked = client.cosign(3, &proof(&other, 3, 9), &note(&other, 9)).await.expect("answers");
    assert_eq!(forked, WitnessAnswer::DoesNotExtend);
    let same_size = client.cosign(3, &[], &note(&other, 3)).await.expect("answers");
    assert_eq!(same_size, WitnessAnswer::Knows(3));
}

#[tokio::test]
async fn a_log_that_the_witness_does_not_know_is_refused_in_words() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (client, tree) = (client(&witness), tree(3));
    witness.trust(Vec::new());
    let unknown = client.cosign(0, &[], &note(&tree, 3)).await.expect_err("refused");
    assert!(error_chain(&unknown).contains("it does not know this log"), "{unknown:?}");
    witness.trust(vec![log(2).verifier().clone()]);
    let other_key = client.cosign(0, &[], &note(&tree, 3)).await.expect_err("refused");
    assert!(error_chain(&other_key).contains("it does not know the log's key"), "{other_key:?}");
}

#[tokio::test]
async fn bad_answers_of_a_witness_are_failures_in_words() {
    let elsewhere = WitnessStandIn::start("elsewhere.example/1");
    let witness = WitnessStandIn::start("witness.example/1");
    let (client, note) = (client(&witness), note(&tree(3), 3));
    let redirected = WitnessBehaviour::Redirects(format!("{}/add-checkpoint", elsewhere.url()));
    let table = [
        (WitnessBehaviour::Huge, "longer than 65536 bytes"),
        (WitnessBehaviour::Nonsense, "not lines of signatures"),
        (WitnessBehaviour::Refuses(200), "not lines of signatures"),
        (WitnessBehaviour::Refuses(409), "not the size that it knows"),
        (WitnessBehaviour::Refuses(500), "500"),
        (WitnessBehaviour::Refuses(429), "429"),
        (redirected, "leads elsewhere"),
    ];
    for (behaviour, reason) in table {
        witness.set_behaviour(behaviour.clone());
        let failure = client.cosign(0, &[], &note).await.expect_err(reason);
        assert!(error_chain(&failure).contains(reason), "{behaviour:?}: {}", error_chain(&failure));
    }
    assert_eq!(elsewhere.requests().len(), 0);
}

#[tokio::test]
async fn forged_cosignatures_are_returned_and_do_not_verify() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (client, note) = (client(&witness), note(&tree(3), 3));
    for behaviour in [WitnessBehaviour::OtherTree, WitnessBehaviour::OtherKey] {
        witness.set_behaviour(behaviour.clone());
        let answer = client.cosign(0, &[], &note).await.expect("answers");
        let WitnessAnswer::Cosigned(lines) = answer else { panic!("{behaviour:?}: {answer:?}") };
        assert_eq!(
            Cosignature::verify(witness.key(), &lines[0], &note.checkpoint().to_string()),
            None,
            "{behaviour:?}"
        );
    }
}

#[tokio::test]
async fn a_witness_without_a_listener_is_unavailable() {
    let witness = WitnessStandIn::start("witness.example/1");
    let (client, note) = (client(&witness), note(&tree(3), 3));
    let gone = HttpWitness::new(client.key().clone(), "http://127.0.0.1:1").expect("an address");
    let failure = gone.cosign(0, &[], &note).await.expect_err("nobody listens");
    assert!(matches!(failure, PortError::Unavailable { .. }), "{failure:?}");
    let made = HttpWitness::new(client.key().clone(), "not an address");
    assert!(matches!(made.err(), Some(SetupError::NotAnAddress(_))));
}
