//! Proofs of forecasts, checked by `sportsctl record check` and by the verifier in Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sports_testkit::programs::TestFolder;
use sports_testkit::proofs::{LOG, ProofVector, START, WITNESS, proof_vectors, weak_witnesses};

use crate::support::{Completed, run};

/// The verifier in Python, as it is served.
const VERIFIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../api/web/verify/verify.py");

/// Runs the verifier on each file in one process, as if it were started for each, and prints the codes and verdicts.
const RUN_ON_EACH: &str = "
import io, sys
script, *arguments = sys.argv[1:]
code = compile(open(script).read(), script, 'exec')
for file in sys.stdin.read().splitlines():
    sys.argv = [script, file, *arguments]
    printed, sys.stdout = sys.stdout, io.StringIO()
    try:
        exec(code, {'__name__': '__main__'})
    except SystemExit as end:
        text, sys.stdout = sys.stdout.getvalue(), printed
        print(end.code, text.split('\\n')[0])
";

fn keys() -> [&'static str; 6] {
    ["--log", LOG, "--start", START, "--witness", WITNESS]
}

fn check(place: &TestFolder, file: &Path, arguments: &[&str]) -> Completed {
    let words = [&["record", "check", file.to_str().expect("text")], arguments].concat();
    run(place, words)
}

fn python(file: &Path, arguments: &[&str]) -> Completed {
    Command::new("python3").arg(VERIFIER).arg(file).args(arguments).output().expect("python3").into()
}

fn written(place: &TestFolder, vectors: &[ProofVector]) -> Vec<PathBuf> {
    let folder = place.path().join("proofs");
    fs::create_dir_all(&folder).expect("a folder");
    let write = |(number, vector): (usize, &ProofVector)| {
        let file = folder.join(format!("{number}.tlog-proof"));
        fs::write(&file, &vector.bytes).expect("written");
        file
    };
    vectors.iter().enumerate().map(write).collect()
}

/// Returns the code and the first line of the verifier in Python for each file.
fn verdicts_of_python(files: &[PathBuf]) -> Vec<(i32, String)> {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut child = Command::new("python3")
        .args(["-c", RUN_ON_EACH, VERIFIER])
        .args(keys())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    let list: String = files.iter().flat_map(|file| [file.to_str().expect("text"), "\n"]).collect();
    child.stdin.take().expect("piped").write_all(list.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("an end");
    let text = String::from_utf8(output.stdout).expect("text");
    let verdict = |line: &str| {
        let (code, sentence) = line.split_once(' ').expect("a code and a sentence");
        (code.parse().expect("a code"), sentence.to_owned())
    };
    text.split_terminator('\n').map(verdict).collect()
}

#[test]
fn both_verifiers_agree_on_code_and_sentence_of_every_vector() {
    let place = TestFolder::fresh();
    let vectors = proof_vectors();
    let files = written(&place, &vectors);
    let of_python = verdicts_of_python(&files);
    assert_eq!(of_python.len(), vectors.len());
    for ((vector, file), of_python) in vectors.iter().zip(&files).zip(of_python) {
        let checked = check(&place, file, &keys());
        let code = checked.code.expect("an end");
        let sentence = checked.out.split('\n').next().expect("a line").to_owned();
        assert_eq!((code, sentence), of_python, "{}: sportsctl, then python; {checked:?}", vector.name);
        assert!(vector.codes.contains(&code), "{}: {code}, not {:?}; {checked:?}", vector.name, vector.codes);
        assert_eq!(checked.out.contains("\"BLEND\":0.5661"), code != 1, "{}: {checked:?}", vector.name);
    }
}

#[test]
fn a_proof_that_holds_prints_its_payload_and_its_witness() {
    let place = TestFolder::fresh();
    let good = proof_vectors().into_iter().find(|vector| vector.name == "cosigned in time").expect("one");
    let file = &written(&place, std::slice::from_ref(&good))[0];
    let sentence = "witness.example.com/w1 received the checkpoint at 2024-01-06T15:00:00Z, before";
    for checked in [check(&place, file, &keys()), python(file, &keys())] {
        assert_eq!((checked.code, checked.err.as_str()), (Some(0), ""), "{checked:?}");
        let (first, payload) = checked.out.split_once('\n').expect("two lines");
        assert!(first.starts_with(&format!("proven: {sentence}")), "{checked:?}");
        assert!(payload.starts_with(r#"{"form":"sports-forecast/v1","#) && payload.ends_with("}}\n"), "{checked:?}");
    }
    let with_json = [keys().as_slice(), &["--json"]].concat();
    for checked in [check(&place, file, &with_json), python(file, &with_json)] {
        let json = checked.json();
        assert_eq!((&json["code"], &json["verdict"]), (&0.into(), &"proven".into()), "{json}");
        assert!(json["sentence"].as_str().expect("text").starts_with(sentence), "{json}");
        assert!(json["payload"].as_str().expect("text").ends_with(r#""probabilities":{"BLEND":0.5661}}"#), "{json}");
    }
    let later = ["--log", LOG, "--start", "2024-01-06T15:00:00.999Z", "--witness", WITNESS];
    let without = ["--log", LOG, "--start", START];
    let abroad = ["--log", LOG, "--start", "2024-01-06T16:00:00+01:00", "--witness", WITNESS];
    for arguments in [later.as_slice(), &without, &abroad] {
        for checked in [check(&place, file, arguments), python(file, arguments)] {
            assert_eq!(checked.code, Some(3), "{checked:?}");
            assert!(checked.out.starts_with("logged: no known witness received the checkpoint before"), "{checked:?}");
        }
    }
    let abroad = ["--log", LOG, "--start", "2024-01-06T16:00:01+01:00", "--witness", WITNESS];
    for checked in [check(&place, file, &abroad), python(file, &abroad)] {
        assert_eq!(checked.code, Some(0), "{checked:?}");
    }
}

#[test]
fn wrong_arguments_are_bad_input_to_both_verifiers() {
    let place = TestFolder::fresh();
    let good = proof_vectors().into_iter().find(|vector| vector.name == "cosigned in time").expect("one");
    let file = &written(&place, std::slice::from_ref(&good))[0];
    let moved = LOG.replace("/nfl", "/nba");
    // The neutral point, whose signatures anybody can make.
    let weak = "a+cae63997+AQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let mut table = vec![
        vec!["--log", WITNESS, "--start", START],
        vec!["--log", LOG, "--start", START, "--witness", LOG],
        vec!["--log", &moved, "--start", START],
        vec!["--log", weak, "--start", START],
        vec!["--log", "a+f3eb84c9+BgAA", "--start", START],
        vec!["--log", "", "--start", START],
        vec!["--log", LOG, "--start", "yesterday"],
        vec!["--log", LOG, "--start", "2024-01-06T21:30:00"],
        vec!["--log", LOG, "--start", "2024-02-30T21:30:00Z"],
        vec!["--log", LOG, "--start", "2024-01-06T21:30:60Z"],
        vec!["--log", LOG, "--start", "2201-01-01T00:00:00Z"],
        vec!["--log", LOG],
        vec!["--start", START],
        vec!["--log", LOG, "--start", START, "--witnes", WITNESS],
        vec!["--log", LOG, "--start", START, "--more"],
        vec!["--log", LOG, "--start", "2024-01-06T21:30:00+05:99"],
        vec!["--log", LOG, "--start", "2024-01-06T16:30:00\u{2212}05:00"],
        vec!["--log", LOG, "--log", LOG, "--start", START],
        vec!["--log", LOG, "--start", START, "--start", START],
    ];
    let weak = weak_witnesses();
    table.extend(weak.iter().map(|key| vec!["--log", LOG, "--start", START, "--witness", key]));
    for arguments in &table {
        for checked in [check(&place, file, arguments), python(file, arguments)] {
            assert_eq!(checked.code, Some(2), "{arguments:?}: {checked:?}");
        }
    }
    let missing = place.path().join("missing");
    for checked in [check(&place, &missing, &keys()), python(&missing, &keys())] {
        assert_eq!(checked.code, Some(2), "{checked:?}");
    }
}

#[test]
fn the_verifier_in_python_prints_its_verdict_on_a_terminal_without_utf_8() {
    let place = TestFolder::fresh();
    let has_other_letters =
        |vector: &ProofVector| std::str::from_utf8(&vector.bytes).is_ok_and(|text| !text.is_ascii());
    let vectors: Vec<_> = proof_vectors().into_iter().filter(has_other_letters).take(10).collect();
    assert!(!vectors.is_empty());
    for (vector, file) in vectors.iter().zip(written(&place, &vectors)) {
        let mut verifier = Command::new("python3");
        verifier.arg(VERIFIER).arg(file).args(keys()).env("PYTHONIOENCODING", "ascii");
        let checked: Completed = verifier.output().expect("python3").into();
        let is_expected = checked.code.is_some_and(|code| vector.codes.contains(&code));
        assert!(is_expected && checked.err.is_empty(), "{}: {checked:?}", vector.name);
        assert!(!checked.out.is_empty() && checked.out.is_ascii(), "{}: {checked:?}", vector.name);
    }
}

#[test]
fn the_verifier_in_python_has_200_lines_and_needs_the_standard_library_alone() {
    let script = fs::read_to_string(VERIFIER).expect("the script");
    assert!(script.lines().count() <= 200, "{}", script.lines().count());
    let imports: Vec<_> =
        script.lines().filter(|line| line.starts_with("import ") || line.starts_with("from ")).collect();
    assert_eq!(imports, ["import argparse, base64, hashlib, json, re, sys", "from datetime import datetime, timezone"]);
    // Without packages of the machine, and without the network.
    let isolated = Command::new("python3").args(["-I", "-S", VERIFIER, "--help"]).output().expect("python3");
    assert!(isolated.status.success(), "{isolated:?}");
}
