//! Indexes of a log, as a server reads them from a bucket.

use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ledger::{decode, encode};

/// Reads the bytes as an index, and as the lines of one, to which it adds their hash. The facts that it reads are written as an
/// index with the same facts.
pub fn read(bytes: &[u8]) {
    round_trip(bytes);
    let digest = ObjectHash::from_bytes(bytes);
    round_trip(&[bytes, format!("{digest}\n").as_bytes()].concat());
}

fn round_trip(bytes: &[u8]) {
    let Some(facts) = decode(Sport::Nfl, bytes) else { return };
    assert!(facts.windows(2).all(|pair| pair[1].continues(&pair[0])), "entries that are not linked");
    let written = encode(Sport::Nfl, &facts);
    assert_eq!(decode(Sport::Nfl, &written).as_ref(), Some(&facts));
    assert_eq!(decode(Sport::Nba, &written), None, "an index of another league");
}
