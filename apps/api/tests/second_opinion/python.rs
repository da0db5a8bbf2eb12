//! Asking Python.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The interpreter that `SPORTS_PYTHON` names, else the one CI's tools live in, else the machine's.
fn interpreter() -> PathBuf {
    let of_ci = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/ci-venv/bin/python");
    let named = env::var_os("SPORTS_PYTHON").map(PathBuf::from);
    named.unwrap_or_else(|| if of_ci.exists() { of_ci } else { "python3".into() })
}

/// What a script beside this file prints, once it is known that its packages are there; says so where they are
/// not and need not be.
pub fn answer(script: &str, packages: &str, arguments: &[&OsStr]) -> Option<Value> {
    let python = interpreter();
    let quietly = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = quietly(Command::new(&python).args(["-c", &format!("import {packages}")]));
    if !there.is_ok_and(|status| status.success()) {
        assert!(env::var_os("REQUIRE_SERVICES").is_none(), "{} has no {packages}", python.display());
        eprintln!("skipped: this needs Python with {packages}; `.ci/openapi/venv` installs them");
        return None;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second_opinion").join(script);
    let output = Command::new(python).arg(path).args(arguments).stderr(Stdio::inherit()).output().expect("it runs");
    assert!(output.status.success(), "{script} failed");
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}
