//! Indexes and paths that do not lead from the leaf to the root.

use super::ProofVector;
use super::good::{Maker, Parts};

const BAD: &[i32] = &[1];

pub(super) fn vectors() -> Vec<ProofVector> {
    let parts = Maker::good().parts();
    let mut vectors = indexes(&parts);
    let mut with = |name: &str, path: Vec<String>| {
        vectors.push(ProofVector::new(format!("path: {name}"), Parts { path, ..parts.clone() }.text(), BAD));
    };
    let path = &parts.path;
    with("one line less at the end", path[..path.len() - 1].to_vec());
    with("one line less at the beginning", path[1..].to_vec());
    with("one line more", [path.as_slice(), &path[..1]].concat());
    with("two lines exchanged", [&[path[1].clone(), path[0].clone()], &path[2..]].concat());
    with("no line", Vec::new());
    with("64 lines", vec![path[0].clone(); 64]);
    with("65 lines", vec![path[0].clone(); 65]);
    with("a hash of 31 bytes", replaced(path, 0, "A".repeat(42).as_str(), "=="));
    with("a hash of 33 bytes", replaced(path, 0, "A".repeat(44).as_str(), ""));
    // The last digit of 32 bytes has two bits that belong to no byte.
    with("bits that belong to no byte", replaced(path, 0, &format!("{}B", "A".repeat(42)), "="));
    with("a space behind a hash", replaced(path, 0, &path[0], " "));
    with("another hash", replaced(path, 2, &path[3], ""));
    // The path of another size with the same root cannot be: the size is signed.
    let larger = Maker { size: 38, ..Maker::good() }.parts();
    with("the path of another tree", larger.path);
    vectors
}

fn replaced(path: &[String], at: usize, line: &str, end: &str) -> Vec<String> {
    let mut path = path.to_vec();
    path[at] = format!("{line}{end}");
    path
}

fn indexes(parts: &Parts) -> Vec<ProofVector> {
    let indexes = [
        "19",
        "21",
        "0",
        "4",
        "36",
        "37",
        "38",
        "52",
        "020",
        "+20",
        "-20",
        "20.0",
        "2e1",
        "",
        " 20",
        "20 ",
        "0x14",
        "٢٠",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551616",
        "36893488147419103252",
        "x",
    ];
    let named = |index: &str| (format!("index {index:?}"), Parts { index: index.to_owned(), ..parts.clone() }.text());
    let mut vectors: Vec<_> =
        indexes.into_iter().map(named).map(|(name, text)| ProofVector::new(name, text, BAD)).collect();
    let text = parts.text();
    vectors.push(ProofVector::new("no index", text.replace("index 20\n", ""), BAD));
    vectors.push(ProofVector::new("the index twice", text.replace("index 20\n", "index 20\nindex 20\n"), BAD));
    vectors.push(ProofVector::new("another word for the index", text.replace("index 20\n", "Index 20\n"), BAD));
    vectors
}
