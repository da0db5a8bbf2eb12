//! Passes the commit of the build to both programs: `SPORTS_COMMIT` if set, else git's answer, else none; and the version with
//! the commit, the profile and its level of optimisation beside it.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=SPORTS_COMMIT");
    let given = std::env::var("SPORTS_COMMIT").ok().filter(|commit| !commit.is_empty());
    let mut built = format!("profile {}, opt-level {}", profile(), variable("OPT_LEVEL"));
    if let Some(commit) = given.or_else(|| git(&["rev-parse", "--short=12", "HEAD"])) {
        println!("cargo::rustc-env=SPORTS_COMMIT={commit}");
        built = format!("commit {commit}, {built}");
    }
    println!("cargo::rustc-env=SPORTS_VERSION={} ({built})", variable("CARGO_PKG_VERSION"));
    // Only files that exist: a missing file would make this script run at every build.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Returns the profile by the folder that the script writes to: `PROFILE` is that from which a profile inherits.
fn profile() -> String {
    let folder = variable("OUT_DIR");
    let built = Path::new(&folder).ancestors().nth(3).and_then(Path::file_name).unwrap_or_default();
    if built == "debug" { "dev".to_owned() } else { built.to_string_lossy().into_owned() }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
