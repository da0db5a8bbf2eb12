//! Proofs, notes, leaves, tiles and keys of the provable record, as verifiers and watchers read them.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use serde_json::Value;
use sports_transparency::{
    ForecastProof, Leaf, Opening, SignatureLine, SignedCheckpoint, TilePath, TileSet, TimestampRequest, TreeHash,
    VerifierKey, WrittenLeaf, bundle_bytes, read_bundle,
};

use crate::published::choice;

const LOG: &str = "example.com/api/v1/record/nfl+d0284598+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";

const WITNESS: &str = "witness.example.com/w1+745fb5e8+BIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU";

/// Reads the bytes as what the first digit selects: a proof, a note, an opening, a leaf, a bundle, a tile, a reply of a
/// timestamp server, or a short text. Whatever is read is written as the same text, since it has one form alone; an opening
/// may have several, and is what another reader of JSON finds.
pub fn read(bytes: &[u8]) {
    const READERS: [fn(&[u8]); 8] = [proof, note, opening, leaf, bundle, tile, reply, short];
    if let Some((reader, rest)) = choice(&READERS, bytes) {
        reader(rest);
    }
}

fn proof(bytes: &[u8]) {
    let Ok(proof) = ForecastProof::parse(bytes) else { return };
    let written = proof.to_string();
    assert_eq!(ForecastProof::parse(written.as_bytes()).as_ref(), Ok(&proof));
    let (log, witness): (VerifierKey, VerifierKey) = (LOG.parse().expect("a vkey"), WITNESS.parse().expect("a vkey"));
    let Ok(logged) = proof.verify(&log, &[witness]) else { return };
    assert!(logged.cosignatures.len() <= 16, "{logged:?}");
    // A moved index is never the same leaf.
    let moved = ForecastProof { index: proof.index ^ 1, ..proof };
    assert!(moved.verify(&log, &[]).is_err(), "{moved}");
}

fn note(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    is_written::<SignedCheckpoint>(text);
    if let Ok(note) = text.parse::<SignedCheckpoint>() {
        let _ = note.verify(&LOG.parse().expect("a vkey"), &[WITNESS.parse().expect("a vkey")]);
        note.signatures().for_each(|line| is_written::<SignatureLine>(&line.to_string()));
    }
}

fn opening(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(opening) = Opening::parse(text) else { return };
    assert_eq!(Opening::parse(&opening.to_json()), Ok(opening.clone()));
    let fields: BTreeMap<String, Value> = serde_json::from_str(text).expect("an object");
    let expected = [("entry", opening.entry), ("payload", opening.payload), ("salt", opening.salt.to_hex())];
    assert!(fields.iter().map(|(name, text)| (name.as_str(), text.as_str().expect("text").to_owned())).eq(expected));
}

fn leaf(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(leaf) = Leaf::parse(text) {
        let written = WrittenLeaf::from(leaf);
        assert_eq!((written.text(), written.hash()), (text, TreeHash::of_leaf(bytes)));
    }
}

fn bundle(bytes: &[u8]) {
    if let Ok(leaves) = read_bundle(bytes) {
        assert_eq!(bundle_bytes(leaves).as_deref(), Ok(bytes));
    }
}

/// Reads a line with a path, and the bytes of its tile below.
fn tile(bytes: &[u8]) {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return };
    let Ok(path) = String::from_utf8_lossy(&bytes[..end]).parse::<TilePath>() else { return };
    let mut tiles = TileSet::new();
    let is_read = tiles.insert(path, &bytes[end + 1..]).is_ok();
    assert_eq!(tiles.has(path), is_read, "{path}");
}

fn reply(bytes: &[u8]) {
    let request = TimestampRequest::new("text", [1; 8]);
    assert_eq!(request.to_bytes().len(), TimestampRequest::LENGTH);
    let _ = request.check(bytes);
}

fn short(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    is_written::<TilePath>(text);
    is_written::<VerifierKey>(text);
    is_written::<TreeHash>(text);
    is_written::<SignatureLine>(text);
}

/// Checks that what is read is written as the same text.
fn is_written<T: FromStr + Display + Debug>(text: &str) {
    if let Ok(value) = text.parse::<T>() {
        assert_eq!(value.to_string(), text);
    }
}
