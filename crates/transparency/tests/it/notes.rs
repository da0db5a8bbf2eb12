use sports_testkit::proofs::{LOG, WITNESS};
use sports_transparency::{
    Checkpoint, Cosignature, KeyKind, NotSigned, SignatureLine, SignedCheckpoint, SigningKey, VerifierKey,
};

fn signer(name: &str, kind: KeyKind, seed: u8) -> SigningKey {
    SigningKey::from_seed(name.parse().expect("a name"), kind, &[seed; 32]).expect("a key")
}

fn checkpoint(size: u64) -> Checkpoint {
    let root = "EQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=".parse().expect("a hash");
    Checkpoint { origin: "example.com/api/v1/record/nfl".parse().expect("a name"), size, root }
}

/// The keys were made by another program, of the same seeds.
#[test]
fn keys_of_a_seed_have_the_vkeys_of_another_program() {
    let log = signer("example.com/api/v1/record/nfl", KeyKind::Log, 1);
    let witness = signer("witness.example.com/w1", KeyKind::Witness, 2);
    assert_eq!((log.verifier().to_string().as_str(), witness.verifier().to_string().as_str()), (LOG, WITNESS));
    assert_eq!((log.verifier().kind(), witness.verifier().kind()), (KeyKind::Log, KeyKind::Witness));
    assert_eq!(LOG.parse::<VerifierKey>().as_ref(), Ok(log.verifier()));
    assert_eq!(format!("{log:?}"), "SigningKey(example.com/api/v1/record/nfl, ***)");
}

/// The key of the documentation of Go's package `note`.
#[test]
fn a_vkey_of_another_project_is_read() {
    let text = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    let key: VerifierKey = text.parse().expect("a vkey");
    assert_eq!(
        (key.to_string().as_str(), key.name().as_str(), key.id().to_string().as_str()),
        (text, "PeterNeumann", "c74f20a3")
    );
}

#[test]
fn text_that_is_no_usable_vkey_is_refused_with_its_reason() {
    let (head, key) = LOG.rsplit_once('+').expect("a key");
    let error = |text: &str| text.parse::<VerifierKey>().expect_err(text).to_string();
    let form = "a vkey is NAME+ID+KEY, with an id of 8 lower-case hexadecimal digits and a key in base64";
    for text in ["", "name", head, &format!("{head}+{}", &key[1..]), &format!("{LOG}=")] {
        assert_eq!(error(text), form, "{text}");
    }
    let moved = LOG.replace("/nfl", "/nba");
    assert!(error(&moved).starts_with("the id d0284598 does not match the key: expected "), "{moved}");
    assert!(error(&LOG.replace("d0284598", "D0284598")).starts_with("the id D0284598 does not match"));
    assert!(error(&format!("a b{}", &LOG[11..])).starts_with("`a b"));
    for (text, expected) in [
        ("a+f3eb84c9+BgAA", "a key of ML-DSA-44 has 1312 bytes, not 2"),
        (
            "a+e685bd41+AgAA",
            "a key of type 2 is not supported: expected 1 (Ed25519), 4 (cosignature/v1) or 6 (ML-DSA-44)",
        ),
        ("a+f6766e71+AQAA", "a key of Ed25519 has 32 bytes, not 2"),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

/// Encodings that RFC 8032 does not permit, and points whose signatures anybody can make.
#[test]
fn a_key_that_cannot_be_trusted_is_refused() {
    let mut weak: Vec<[u8; 32]> = Vec::new();
    for number in [0_u8, 1] {
        weak.push(std::array::from_fn(|at| if at == 0 { number } else { 0 }));
    }
    // From 2^255 − 20, which is −1, to 2^255 − 1, which is 18.
    for low in 0xec..=0xff {
        weak.push(std::array::from_fn(|at| match at {
            0 => low,
            31 => 0x7f,
            _ => 0xff,
        }));
    }
    for digits in [
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ] {
        weak.push(hex::decode(digits).expect("digits").try_into().expect("32 bytes"));
    }
    for key in weak {
        for sign in [0, 0x80] {
            let mut key = key;
            key[31] |= sign;
            let refused = VerifierKey::new("a".parse().expect("a name"), KeyKind::Log, key);
            let expected = "the key is not an encoding of a public key of Ed25519 that can be trusted";
            assert_eq!(refused.expect_err("weak").to_string(), expected, "{key:x?}");
        }
    }
    let mut two = [0; 32];
    two[0] = 2;
    assert!(VerifierKey::new("a".parse().expect("a name"), KeyKind::Log, two).is_ok());
}

#[test]
fn a_signed_checkpoint_is_read_as_it_was_written() {
    let (log, witness) = (signer("example.com/api/v1/record/nfl", KeyKind::Log, 1), signer("w", KeyKind::Witness, 7));
    let checkpoint = checkpoint(2);
    let text = "example.com/api/v1/record/nfl\n2\nEQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=\n";
    assert_eq!(checkpoint.to_string(), text);
    let lines = [log.sign(&checkpoint), witness.cosign(&checkpoint, 1_704_553_200)];
    let note = SignedCheckpoint::new(checkpoint.clone(), &lines);
    let written = note.to_string();
    assert!(written.starts_with(&format!("{text}\n— example.com/api/v1/record/nfl 0ChFm")), "{written}");
    let read: SignedCheckpoint = written.parse().expect("a note");
    assert_eq!((&read, read.checkpoint()), (&note, &checkpoint));
    assert_eq!(read.signatures().collect::<Vec<_>>(), lines);
    let cosignature = Cosignature { witness: witness.verifier().clone(), time: 1_704_553_200 };
    assert_eq!(read.verify(log.verifier(), &[witness.verifier().clone()]), Ok(vec![cosignature.clone()]));
    assert_eq!(Cosignature::verify(witness.verifier(), &lines[1], text), Some(cosignature));
    assert_eq!(Cosignature::verify(log.verifier(), &lines[0], text), None);
    assert_eq!(lines.each_ref().map(Cosignature::stated_time), [None, Some(1_704_553_200)]);
    assert!(lines[1].is_of(witness.verifier()) && !lines[1].is_of(log.verifier()));
}

#[test]
fn two_keys_of_one_log_may_sign_one_checkpoint() {
    let [old, new] = [1, 2].map(|seed| signer("example.com/api/v1/record/nfl", KeyKind::Log, seed));
    let checkpoint = checkpoint(2);
    let note = SignedCheckpoint::new(checkpoint.clone(), &[old.sign(&checkpoint), new.sign(&checkpoint)]);
    for key in [&old, &new] {
        assert_eq!(note.verify(key.verifier(), &[]), Ok(Vec::new()));
    }
    let third = signer("example.com/api/v1/record/nfl", KeyKind::Log, 3);
    let unsigned = NotSigned::Unsigned(third.verifier().name().clone());
    assert_eq!(note.verify(third.verifier(), &[]), Err(unsigned));
}

#[test]
fn a_witness_key_does_not_sign_as_a_log() {
    let witness = signer("example.com/api/v1/record/nfl", KeyKind::Witness, 1);
    let checkpoint = checkpoint(2);
    let note = SignedCheckpoint::new(checkpoint.clone(), &[witness.sign(&checkpoint)]);
    let broken = NotSigned::Broken(witness.verifier().name().clone());
    assert_eq!(note.verify(witness.verifier(), &[]), Err(broken));
}

#[test]
fn a_line_of_a_signature_has_one_form() {
    let line = "— a/b AAAAAAA=";
    assert_eq!(line.parse::<SignatureLine>().expect(line).to_string(), line);
    for other in
        ["", "—", "— a/b", "- a/b AAAAAAA=", "—a/b AAAAAAA=", "— a/b  AAAAAAA=", "— a/b AAAAAAB=", "— a/b AAAAAA=="]
    {
        assert!(other.parse::<SignatureLine>().is_err(), "{other}");
    }
}
