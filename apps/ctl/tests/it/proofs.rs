//! Proofs of forecasts, checked by `sportsctl record check` and by the verifier in Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sports_testkit::programs::TestFolder;
use sports_testkit::proofs::{
    LOG, ML_DSA_WITNESS, ProofVector, START, WITNESS, ml_dsa_vector, proof_vectors, weak_witnesses,
};
use sports_testkit::services::TimestampAuthority;
use sports_transparency::{ForecastProof, VerifierKey};

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

/// A proof that a witness cosigned in time, its key, and timestamps of its checkpoint.
struct Stamped {
    place: TestFolder,
    proof: PathBuf,
    authority: TimestampAuthority,
    other: TimestampAuthority,
}

impl Stamped {
    fn fresh() -> Option<Self> {
        let (authority, other) = (TimestampAuthority::fresh()?, TimestampAuthority::fresh()?);
        let place = TestFolder::fresh();
        let good = proof_vectors().into_iter().find(|vector| vector.name == "cosigned in time").expect("one");
        let proof = written(&place, std::slice::from_ref(&good)).swap_remove(0);
        let text = ForecastProof::parse(&good.bytes).expect("a proof").checkpoint.checkpoint().to_string();
        for (name, bytes) in [
            ("token.tsr", authority.stamp(&text)),
            ("expired.tsr", authority.stamp_with_expired(&text)),
            ("other.tsr", authority.stamp(&text.replace('3', "4"))),
            ("long.tsr", vec![0x30; 1 << 20]),
            ("nonsense.tsr", b"<html>Back soon</html>".to_vec()),
        ] {
            fs::write(place.path().join(name), bytes).expect("written");
        }
        Some(Self { place, proof, authority, other })
    }

    fn file(&self, name: &str) -> String {
        let path = match name {
            "root" | "server" => self.authority.other_certificate(name),
            "stranger" => self.other.certificate(),
            name => self.place.path().join(name),
        };
        path.to_str().expect("text").to_owned()
    }
}

/// Before the proof was made, and after every test.
const NEVER_STARTED: &str = "2200-01-01T00:00:00Z";

#[test]
fn witnesses_and_authorities_are_voices_of_one_quorum_in_both_verifiers() {
    let Some(stamped) = Stamped::fresh() else { return };
    let witness = ["--witness", WITNESS];
    for (start, named, tokens, more, code, word) in [
        (NEVER_STARTED, vec!["root"], vec!["token.tsr"], &[][..], 0, "stamped the checkpoint by 2"),
        (START, vec!["root"], vec!["token.tsr"], &[], 3, "no known witness received the checkpoint before"),
        (NEVER_STARTED, vec!["stranger"], vec!["token.tsr"], &[], 3, "\nnot counted: "),
        (NEVER_STARTED, vec!["root"], vec!["expired.tsr"], &[], 3, "\nnot counted: "),
        (NEVER_STARTED, vec!["root"], vec!["expired.tsr", "token.tsr"], &[], 0, "\nnot counted: "),
        (NEVER_STARTED, vec!["stranger", "root"], vec!["token.tsr"], &[], 3, "1 of 2 are no quorum: "),
        (
            NEVER_STARTED,
            vec!["root"],
            vec!["token.tsr"],
            &witness,
            0,
            "received the checkpoint at 2024-01-06T15:00:00Z, ",
        ),
        (START, vec!["root"], vec!["token.tsr"], &witness, 3, "1 of 2 are no quorum: "),
        (START, vec!["root"], vec!["token.tsr"], &["--witness", WITNESS, "--quorum", "1"], 0, "\ncontradiction: "),
        (START, vec!["root"], vec![], &witness, 3, "1 of 2 are no quorum: "),
    ] {
        let named: Vec<_> = named.into_iter().map(|name| stamped.file(name)).collect();
        let tokens: Vec<_> = tokens.into_iter().map(|name| stamped.file(name)).collect();
        let mut words = vec!["--log", LOG, "--start", start];
        words.extend(named.iter().flat_map(|file| ["--tsa-cert", file]));
        words.extend(tokens.iter().flat_map(|file| ["--token", file]));
        words.extend_from_slice(more);
        let checked = [check(&stamped.place, &stamped.proof, &words), python(&stamped.proof, &words)];
        for checked in &checked {
            assert_eq!(checked.code, Some(code), "{words:?}: {checked:?}");
            assert!(checked.out.contains(word), "{words:?}: {checked:?}");
        }
        let sentences = checked.each_ref().map(|checked| checked.out.split('\n').next());
        assert_eq!(sentences[0], sentences[1], "sportsctl, then python");
    }
}

#[test]
fn files_and_numbers_that_make_no_quorum_are_bad_input_to_both_verifiers() {
    let Some(stamped) = Stamped::fresh() else { return };
    let [root, server, token] = ["root", "server", "token.tsr"].map(|name| stamped.file(name));
    let [other, long, nonsense] = ["other.tsr", "long.tsr", "nonsense.tsr"].map(|name| stamped.file(name));
    for (more, reason) in [
        (vec!["--tsa-cert", &root, "--token", &other], "a timestamp of another checkpoint"),
        (vec!["--tsa-cert", &root, "--token", &long], "more than 256 KiB"),
        (vec!["--tsa-cert", &root, "--token", &nonsense], "not the reply of a timestamp authority"),
        (vec!["--tsa-cert", &server, "--token", &token], "something else than timestamps"),
        (vec!["--tsa-cert", &token], "has no certificate"),
        (vec!["--tsa-cert", "/nowhere.pem"], "cannot be used"),
        (vec!["--token", &token], "name it with --tsa-cert"),
        (vec!["--witness", WITNESS, "--quorum", "2"], "--quorum 2 is above the 1 that are named"),
        (vec!["--tsa-cert", &root, "--quorum", "0"], "--quorum 0 would prove anything"),
        (vec!["--witness", WITNESS, "--witness", WITNESS], "named twice"),
    ] {
        let words = [&["--log", LOG, "--start", START], &more[..]].concat();
        for checked in [check(&stamped.place, &stamped.proof, &words), python(&stamped.proof, &words)] {
            assert_eq!(checked.code, Some(2), "{words:?}: {checked:?}");
            assert!(format!("{}{}", checked.out, checked.err).contains(reason), "{words:?}: {checked:?}");
        }
    }
}

#[test]
fn a_policy_names_the_witnesses_and_an_authority_is_needed_beside_it() {
    let Some(stamped) = Stamped::fresh() else { return };
    let (policy, root, token) = (stamped.file("policy"), stamped.file("root"), stamped.file("token.tsr"));
    let check = |text: &str, more: &[&str]| {
        fs::write(&policy, text).expect("written");
        let words = [&["--log", LOG, "--start", START, "--policy", &policy], more].concat();
        check(&stamped.place, &stamped.proof, &words)
    };
    let stranger = "other.example+6a8e0a72+BFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm";
    let stranger = &with_right_id(stranger);
    let both = format!("log {LOG}\nwitness A {WITNESS}\nwitness B {stranger}\n");
    for (quorum, code) in [("group G any A B\nquorum G\n", 0), ("group G all A B\nquorum G\n", 3), ("quorum A\n", 0)] {
        let checked = check(&format!("{both}{quorum}"), &[]);
        assert_eq!(checked.code, Some(code), "{quorum}: {checked:?}");
    }
    let beside = check(&format!("{both}quorum A\n"), &["--tsa-cert", &root, "--token", &token]);
    assert_eq!(beside.code, Some(3), "the authority was late: {beside:?}");
    for (text, reason) in [
        ("quorum none\n".to_owned(), "name an authority with --tsa-cert"),
        ("group G all W\nquorum G\n".to_owned(), "`W` is unknown"),
        (
            format!("log {}\nquorum none\n", with_right_id(&LOG.replace("/nfl", "/nba"))),
            "none of the logs of the policy",
        ),
        ("a picture".to_owned(), "line 1 of the policy"),
    ] {
        let checked = check(&text, &[]);
        assert!(checked.code == Some(2) && checked.err.contains(reason), "{text}: {checked:?}");
    }
}

/// Returns a vkey with the id of its name and its key, which the message about another id states.
fn with_right_id(vkey: &str) -> String {
    let refused = vkey.parse::<VerifierKey>().expect_err("another id").to_string();
    let id = refused.rsplit(' ').next().expect("an id");
    let mut parts: Vec<_> = vkey.splitn(3, '+').collect();
    parts[1] = id;
    parts.join("+")
}

#[test]
fn a_cosignature_of_ml_dsa_is_heard_by_sportsctl_and_named_by_python() {
    let place = TestFolder::fresh();
    let file = &written(&place, &[ml_dsa_vector()])[0];
    let arguments = ["--log", LOG, "--start", START, "--witness", ML_DSA_WITNESS];
    let checked = check(&place, file, &arguments);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let sentence = "proven: witness.example.com/pq received the checkpoint at 2024-01-06T15:00:00Z, before";
    assert!(checked.out.starts_with(sentence), "{checked:?}");
    let unheard = python(file, &arguments);
    assert_eq!(unheard.code, Some(3), "{unheard:?}");
    assert!(unheard.out.contains("not heard: witness.example.com/pq has a key of ML-DSA-44"), "{unheard:?}");
}

#[test]
fn the_verifier_in_python_is_short_and_needs_the_standard_library_alone() {
    let script = fs::read_to_string(VERIFIER).expect("the script");
    assert!(script.lines().count() <= 280, "{}", script.lines().count());
    let imports: Vec<_> =
        script.lines().filter(|line| line.starts_with("import ") || line.starts_with("from ")).collect();
    let expected = [
        "import argparse, base64, hashlib, json, os, re, subprocess, sys, time as clock",
        "from calendar import timegm",
        "from datetime import datetime, timezone",
    ];
    assert_eq!(imports, expected);
    // Without packages of the machine, and without the network.
    let isolated = Command::new("python3").args(["-I", "-S", VERIFIER, "--help"]).output().expect("python3");
    assert!(isolated.status.success(), "{isolated:?}");
}
