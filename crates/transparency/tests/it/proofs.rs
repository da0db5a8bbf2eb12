use std::num::NonZeroUsize;

use chrono::DateTime;
use sports_testkit::proofs::{LOG, ML_DSA_WITNESS, START, WITNESS, ml_dsa_vector, proof_vectors};
use sports_transparency::audit::Evidence;
use sports_transparency::{Checkpoint, Cosignature, ForecastProof, Opening, SignatureLine, VerifierKey};

fn key(text: &str) -> VerifierKey {
    text.parse().expect("a vkey")
}

/// The exit code of a verifier made of this crate.
fn code(bytes: &[u8], witnesses: &[VerifierKey]) -> i32 {
    let start = DateTime::parse_from_rfc3339(START).expect("an instant").timestamp();
    let Ok(proof) = ForecastProof::parse(bytes) else { return 1 };
    let Ok(logged) = proof.verify(&key(LOG), witnesses) else { return 1 };
    let mut evidence = Evidence::of_quorum(NonZeroUsize::MIN);
    for cosignature in logged.cosignatures {
        evidence.add_cosignature(0, proof.checkpoint.checkpoint().size, cosignature.time);
    }
    if evidence.is_before(proof.index, start) { 0 } else { 3 }
}

#[test]
fn every_vector_has_its_code() {
    let vectors = proof_vectors();
    assert!(vectors.len() > 550, "{}", vectors.len());
    for vector in vectors {
        let code = code(&vector.bytes, &[key(WITNESS)]);
        assert!(vector.codes.contains(&code), "{}: {code}, not {:?}", vector.name, vector.codes);
        // A reader who knows no witness never learns a time.
        let without = self::code(&vector.bytes, &[]);
        assert!(without == 3 || without == 1 && code != 0 || !vector.codes.contains(&0), "{}: {without}", vector.name);
    }
}

#[test]
fn a_cosignature_of_ml_dsa_holds_for_its_tree_time_and_name_alone() {
    let text = String::from_utf8(ml_dsa_vector().bytes).expect("text");
    assert_eq!(code(text.as_bytes(), &[key(ML_DSA_WITNESS)]), 0);
    assert_eq!(code(text.as_bytes(), &[]), 3);
    let proof = ForecastProof::parse(text.as_bytes()).expect("a proof");
    let line = proof.checkpoint.signatures().last().expect("a cosignature");
    let checkpoint = proof.checkpoint.checkpoint();
    let holds = |line: &SignatureLine, checkpoint: &Checkpoint| {
        Cosignature::verify(&key(ML_DSA_WITNESS), line, &checkpoint.to_string()).is_some()
    };
    assert!(holds(&line, checkpoint));
    assert!(!holds(&line, &Checkpoint { size: checkpoint.size + 1, ..checkpoint.clone() }));
    assert!(!holds(&line, &Checkpoint { origin: "example.com/nba".parse().expect("a name"), ..checkpoint.clone() }));
    for place in [7, 8, line.signature.len() - 1] {
        let mut other = line.clone();
        other.signature[place] ^= 1;
        assert!(!holds(&other, checkpoint), "byte {place}");
    }
}

#[test]
fn a_proof_is_written_as_it_was_parsed() {
    let vectors = proof_vectors();
    let good = vectors.iter().find(|vector| vector.name == "cosigned in time").expect("a good proof");
    let proof = ForecastProof::parse(&good.bytes).expect("a proof");
    assert_eq!(proof.to_string(), String::from_utf8(good.bytes.clone()).expect("text"));
    assert_eq!((proof.index, proof.path.len(), proof.checkpoint.checkpoint().size), (20, 6, 37));
    assert_eq!(proof.checkpoint.signatures().count(), 2);
    let logged = proof.verify(&key(LOG), &[key(WITNESS)]).expect("a proof that holds");
    let [cosignature] = &logged.cosignatures[..] else { panic!("one: {logged:?}") };
    assert_eq!((cosignature.time, cosignature.witness.to_string().as_str()), (1_704_553_200, WITNESS));
}

#[test]
fn an_opening_is_written_as_json_and_read_back() {
    let opening = Opening {
        entry: "a \"quoted\" leaf\n".to_owned(),
        salt: "00".repeat(32).parse().expect("a salt"),
        payload: "\\ \u{1} Ü 🏈".to_owned(),
    };
    let json = opening.to_json();
    let salt = "00".repeat(32);
    let expected = format!(r#"{{"entry":"a \"quoted\" leaf\n","salt":"{salt}","payload":"\\ \u0001 Ü 🏈"}}"#);
    assert_eq!(json, expected);
    assert_eq!(Opening::parse(&json), Ok(opening.clone()));
    let escaped = json.replace('🏈', "\\ud83c\\udfc8").replace('Ü', "\\u00DC").replace("\\n", "\\u000a");
    assert_eq!(Opening::parse(&escaped), Ok(opening.clone()));
    assert_eq!(format!("{opening:?}"), "Opening(***)");
}
