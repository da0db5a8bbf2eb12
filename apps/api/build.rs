//! Tells both programs which commit they were built from: `SPORTS_COMMIT` if set, else what git says, else
//! nothing; and how to say it beside the version.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=SPORTS_COMMIT");
    let given = std::env::var("SPORTS_COMMIT").ok().filter(|commit| !commit.is_empty());
    let mut version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if let Some(commit) = given.or_else(|| git(&["rev-parse", "--short=12", "HEAD"])) {
        println!("cargo::rustc-env=SPORTS_COMMIT={commit}");
        version = format!("{version} (commit {commit})");
    }
    println!("cargo::rustc-env=SPORTS_VERSION={version}");
    // Only what exists: a missing file would run this script at every build.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
