use chrono::DateTime;
use sports_testkit::proofs::{LOG, START, WITNESS, proof_vectors};
use sports_transparency::{ForecastProof, Opening, VerifierKey};

fn key(text: &str) -> VerifierKey {
    text.parse().expect("a vkey")
}

/// The exit code of a verifier made of this crate.
fn code(bytes: &[u8], witnesses: &[VerifierKey]) -> i32 {
    let start = DateTime::parse_from_rfc3339(START).expect("an instant").timestamp();
    let Ok(proof) = ForecastProof::parse(bytes) else { return 1 };
    match proof.verify(&key(LOG), witnesses) {
        Err(_) => 1,
        Ok(logged) if logged.attested_before(start).is_some() => 0,
        Ok(_) => 3,
    }
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
fn a_proof_is_written_as_it_was_parsed() {
    let vectors = proof_vectors();
    let good = vectors.iter().find(|vector| vector.name == "cosigned in time").expect("a good proof");
    let proof = ForecastProof::parse(&good.bytes).expect("a proof");
    assert_eq!(proof.to_string(), String::from_utf8(good.bytes.clone()).expect("text"));
    assert_eq!((proof.index, proof.path.len(), proof.checkpoint.checkpoint().size), (20, 6, 37));
    assert_eq!(proof.checkpoint.signatures().count(), 2);
    let logged = proof.verify(&key(LOG), &[key(WITNESS)]).expect("a proof that holds");
    let cosignature = logged.attested_before(1_704_576_600).expect("in time");
    assert_eq!((cosignature.time, cosignature.witness.to_string().as_str()), (1_704_553_200, WITNESS));
    assert_eq!(logged.attested_before(1_704_553_200), None);
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
