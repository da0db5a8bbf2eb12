//! The tree against a second implementation in another language.

use std::io::Write as _;
use std::process::{Command, Stdio};

use sports_calibration::SplitMix64;
use sports_transparency::{RightEdge, Tree, TreeHash, consistency_path, inclusion_path};

use crate::numbers::below;

/// A request, as the program reads it, and our answer.
struct Case {
    request: String,
    answer: Vec<TreeHash>,
}

fn cases() -> Vec<Case> {
    let mut numbers = SplitMix64::from_seed(6962);
    let mut sizes: Vec<u64> = (0..=1030).collect();
    sizes.extend((0..1000).map(|_| 1 + below(&mut numbers, 5000)));
    let tree: Tree = (0..6000).map(|index| TreeHash::of_leaf(format!("leaf {index}").as_bytes())).collect();
    let mut cases = Vec::new();
    for size in sizes {
        let root = RightEdge::of(&tree, size).expect("all hashes").root();
        cases.push(Case { request: format!("root {size}"), answer: vec![root] });
        if size > 0 {
            let index = below(&mut numbers, size);
            let answer = inclusion_path(&tree, index, size).expect("all hashes");
            cases.push(Case { request: format!("path {index} {size}"), answer });
            let old = 1 + below(&mut numbers, size);
            let answer = consistency_path(&tree, old, size).expect("all hashes");
            cases.push(Case { request: format!("proof {old} {size}"), answer });
        }
    }
    cases
}

#[test]
fn roots_and_proofs_agree_with_a_second_implementation_in_python() {
    let cases = cases();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/second_implementation.py");
    let mut python =
        Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3");
    let requests: String = cases.iter().flat_map(|case| [case.request.as_str(), "\n"]).collect();
    let mut stdin = python.stdin.take().expect("piped");
    // The program answers while it reads, so it is fed beside.
    let feeder = std::thread::spawn(move || stdin.write_all(requests.as_bytes()));
    let output = python.wait_with_output().expect("an end");
    feeder.join().expect("no panic").expect("all requests are read");
    let answers = String::from_utf8(output.stdout).expect("text");
    assert_eq!(answers.lines().count(), cases.len());
    for (case, answer) in cases.iter().zip(answers.lines()) {
        let ours: Vec<_> = case.answer.iter().map(|hash| hex::encode(hash.as_bytes())).collect();
        assert_eq!(ours.join(" "), answer, "{}", case.request);
    }
}
