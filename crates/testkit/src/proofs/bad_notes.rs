//! Checkpoints, signatures and files of other forms.

use sports_transparency::{Checkpoint, SignatureLine};

use super::ProofVector;
use super::good::{LOG, Maker, START_SECOND, WITNESS, log, other_log, witness};

const BAD: &[i32] = &[1];

pub(super) fn vectors() -> Vec<ProofVector> {
    let mut vectors = files();
    vectors.extend(checkpoints());
    vectors.extend(of_the_log());
    vectors.extend(of_the_witness());
    vectors.extend(malformed());
    vectors
}

/// Files that are not proofs.
fn files() -> Vec<ProofVector> {
    let text = Maker::good().text();
    let name = LOG.split('+').next().expect("a name");
    let table = [
        ("an empty file", String::new()),
        ("a line feed alone", "\n".to_owned()),
        ("the first line alone", "c2sp.org/tlog-proof@v1\n".to_owned()),
        ("another version", text.replace("@v1", "@v2")),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("CRLF", text.replace('\n', "\r\n")),
        ("no line feed at the end", text.trim_end().to_owned()),
        ("a blank line at the end", format!("{text}\n")),
        ("a blank line too many before the checkpoint", text.replace(&format!("\n\n{name}"), &format!("\n\n\n{name}"))),
        ("no blank line before the checkpoint", text.replace(&format!("\n\n{name}"), &format!("\n{name}"))),
        ("no blank line before the signatures", text.replacen("\n\n— ", "\n— ", 1)),
        ("a blank line between signatures", text.replacen("\n— w", "\n\n— w", 1)),
        ("a blank line too many before the signatures", text.replacen("\n\n— ", "\n\n\n— ", 1)),
        ("no signature", text.split_inclusive("\n\n").take(2).collect()),
        ("text behind the signatures", format!("{text}more\n")),
        ("a zero byte", text.replacen("\n— w", "\n\0— w", 1)),
        ("a tab in the origin", text.replacen("\nexample", "\n\texample", 1)),
    ];
    let mut vectors: Vec<_> =
        table.into_iter().map(|(name, text)| ProofVector::new(format!("file: {name}"), text, BAD)).collect();
    vectors.push(ProofVector::new("file: bytes that are not text", [text.as_bytes(), &[0xff, b'\n']].concat(), BAD));
    vectors.push(ProofVector::new("file: an overlong encoding", [text.as_bytes(), &[0xc0, 0x8a]].concat(), BAD));
    vectors.push(ProofVector::new("file: 2 MiB of zeros", vec![0; 2 << 20], BAD));
    vectors
}

/// Checkpoints of other forms and logs, signed by the log.
fn checkpoints() -> Vec<ProofVector> {
    let good = Maker::good();
    let checkpoint = good.checkpoint();
    let root = checkpoint.root.to_string();
    let mut vectors = Vec::new();
    for (name, text) in [
        ("a fourth line", format!("{checkpoint}extension\n")),
        ("two lines", format!("{}\n37\n", checkpoint.origin)),
        ("a size of 037", checkpoint.to_string().replace("\n37\n", "\n037\n")),
        ("a size of 2^63", checkpoint.to_string().replace("\n37\n", "\n9223372036854775808\n")),
        ("a root of 31 bytes", checkpoint.to_string().replace(&root, &format!("{}==", "A".repeat(42)))),
        (
            "a root with bits that belong to no byte",
            checkpoint.to_string().replace(&root, &format!("{}B=", "A".repeat(42))),
        ),
        ("another size", checkpoint.to_string().replace("\n37\n", "\n38\n")),
        ("another root", checkpoint.to_string().replace(&root, &good.parts().path[0])),
        ("a space in the origin", checkpoint.to_string().replace("/nfl", "/ nfl")),
        ("a wide space in the origin", checkpoint.to_string().replace("/nfl", "/\u{3000}nfl")),
    ] {
        let mut parts = good.parts();
        parts.checkpoint = text;
        vectors.push(ProofVector::new(format!("checkpoint: {name}"), parts.text(), BAD));
    }
    let other = Maker { origin: "example.com/api/v1/record/nba", ..good.clone() };
    vectors.push(ProofVector::new("checkpoint: another log, signed by this one", other.text(), BAD));
    let empty = Checkpoint { size: 0, ..checkpoint.clone() };
    let mut parts = good.parts();
    parts.path = Vec::new();
    parts.checkpoint = empty.to_string();
    parts.signatures = vec![log().sign(&empty).to_string()];
    vectors.push(ProofVector::new("checkpoint: a tree without leaves", parts.text(), BAD));
    let beyond = Checkpoint { size: 20, ..checkpoint };
    parts.path = good.parts().path;
    parts.checkpoint = beyond.to_string();
    parts.signatures = vec![log().sign(&beyond).to_string()];
    vectors.push(ProofVector::new("checkpoint: a tree that ends before the leaf", parts.text(), BAD));
    vectors
}

/// A good proof whose lines of signatures are replaced.
fn signed(name: &str, lines: Vec<String>, codes: &'static [i32]) -> ProofVector {
    let mut parts = Maker::good().parts();
    parts.signatures = lines;
    ProofVector::new(format!("signatures: {name}"), parts.text(), codes)
}

fn changed(line: &SignatureLine, change: &dyn Fn(&mut Vec<u8>)) -> String {
    let mut line = line.clone();
    change(&mut line.signature);
    line.to_string()
}

/// The good lines of the log and the witness.
fn good_lines() -> [SignatureLine; 2] {
    let checkpoint = Maker::good().checkpoint();
    [log().sign(&checkpoint), witness().cosign(&checkpoint, START_SECOND - 5)]
}

/// Lines of the log that do not hold.
fn of_the_log() -> Vec<ProofVector> {
    let checkpoint = Maker::good().checkpoint();
    let [line, witness] = good_lines();
    let (l, w) = (line.to_string(), witness.to_string());
    let bad = |name, first: String| signed(name, vec![first, w.clone()], BAD);
    vec![
        bad("the log's S has L added", changed(&line, &|bytes| add_order(&mut bytes[32..]))),
        bad("the log's signature is zeros", changed(&line, &|bytes| bytes.fill(0))),
        bad("the log's signature is cut off", changed(&line, &|bytes| bytes.truncate(63))),
        bad("the log's signature is longer", changed(&line, &|bytes| bytes.push(0))),
        bad("another key of the log's name signed", other_log().sign(&checkpoint).to_string()),
        bad("the log signed another checkpoint", log().sign(&other_tree(&checkpoint)).to_string()),
        signed("the log did not sign", vec![w.clone()], BAD),
        signed("the log signed twice", vec![l.clone(), l, w.clone()], BAD),
    ]
}

/// Lines of the witness that do not hold, or are one of an unknown witness.
fn of_the_witness() -> Vec<ProofVector> {
    let checkpoint = Maker::good().checkpoint();
    let [log, line] = good_lines();
    let (l, w) = (log.to_string(), line.to_string());
    let bad = |name, second: String| signed(name, vec![l.clone(), second], BAD);
    let broken = changed(&line, &|bytes| bytes[70] ^= 1);
    let name = WITNESS.split('+').next().expect("a name");
    let unknown = w.replace(name, "witness.example.com/w2");
    vec![
        bad("the witness' S has L added", changed(&line, &|bytes| add_order(&mut bytes[40..]))),
        bad("the witness' time is another", changed(&line, &|bytes| bytes[7] ^= 1)),
        bad("the witness' time is beyond 2^63", witness().cosign(&checkpoint, 1 << 63).to_string()),
        bad("the witness' signature has no time", changed(&line, &|bytes| drop(bytes.drain(..8)))),
        bad("the witness signed another checkpoint", witness().cosign(&other_tree(&checkpoint), 5).to_string()),
        signed("the witness signed twice, once wrongly", vec![l.clone(), w, broken], BAD),
        signed("an unknown witness alone", vec![l.clone(), unknown], &[3]),
    ]
}

/// Lines that are no signatures.
fn malformed() -> Vec<ProofVector> {
    let [l, w] = good_lines().map(|line| line.to_string());
    let replacements = [
        ("no dash", w.replace("— ", "")),
        ("a hyphen for the dash", w.replace("— ", "- ")),
        ("two spaces", w.replace("— ", "—  ")),
        ("three words", format!("{w} more")),
    ];
    let others = [
        ("a plus in an unknown name", "— a+b AAAAAAAA"),
        ("a wide space in an unknown name", "— a\u{2003}b AAAAAAAA"),
        ("no name", "—  AAAAAAAA"),
        ("an unknown signature of four bytes", "— a AAAAAA=="),
        ("an unknown signature that is not canonical", "— a AAAAAAB="),
        ("an unknown signature without padding", "— a AAAAAAA"),
    ];
    let changed = replacements.into_iter().map(|(name, line)| signed(name, vec![l.clone(), line], BAD));
    let added = others.map(|(name, line)| signed(name, vec![l.clone(), w.clone(), line.to_owned()], BAD));
    changed.chain(added).collect()
}

fn other_tree(checkpoint: &Checkpoint) -> Checkpoint {
    Checkpoint { size: checkpoint.size + 1, ..checkpoint.clone() }
}

/// Adds the order of the group of Ed25519 to a number in little-endian order, which stays the same number to a careless
/// verifier.
fn add_order(number: &mut [u8]) {
    const ORDER: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let mut carry = 0;
    for (byte, order) in number.iter_mut().zip(ORDER) {
        carry += u16::from(*byte) + u16::from(order);
        [*byte, _] = carry.to_le_bytes();
        carry >>= 8;
    }
}
