//! Passes the commit of the build to both programs: `SPORTS_COMMIT` if set, else git's answer, else none; the version with
//! the commit beside it; and the level of optimisation.

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
    println!("cargo::rustc-env=SPORTS_OPTIMISATION={}", std::env::var("OPT_LEVEL").unwrap_or_default());
    // Only files that exist: a missing file would make this script run at every build.
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
