//! A shell in which the commands of a docs page are run from top to bottom.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::console::{Sample, blocks, matches_sample, samples_of};

/// Returns the folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Returns a page by its path in the repository.
pub fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the page")
}

/// Returns a part of a page, from its heading to the next one of any level.
pub fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, section) = page.split_once(&format!("\n{heading}\n")).expect("the section");
    // A comment of a shell is no heading.
    let end = ["\n## ", "\n### "].iter().filter_map(|next| section.find(next)).min();
    &section[..end.unwrap_or(section.len())]
}

/// Returns the folder of the programs under test.
pub fn programs() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_sports-api")).parent().expect("a folder").to_owned()
}

/// Makes the one change to the commands of a page: free ports in place of its own, which may be in use where tests
/// run.
pub fn on_free_ports(text: &str, ports: &[&str]) -> String {
    let listeners: Vec<_> = ports.iter().map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let free = listeners.iter().map(|listener| listener.local_addr().expect("an address").port().to_string());
    ports.iter().zip(free).fold(text.to_owned(), |text, (port, free)| text.replace(port, &free))
}

/// Returns the address on which the server of a text listens.
pub fn listening_at(text: &str) -> &str {
    let (_, address) = text.split_once("listening on http://").expect("a server is started");
    address.split_whitespace().next().expect("an address")
}

/// Returns a shell in a folder, with both programs on its path, and without settings in the environment.
pub fn shell(folder: &Path, script: &str) -> Command {
    let mut path = OsString::from(programs());
    path.push(":");
    path.push(std::env::var_os("PATH").expect("a path"));
    let mut shell = Command::new("bash");
    for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SPORTS_")) {
        shell.env_remove(variable);
    }
    // After any failure, no server outlives the shell.
    let script = format!("trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{script}");
    shell.args(["-uo", "pipefail", "-c", &script]).current_dir(folder).env("PATH", path);
    shell
}

/// Runs every `sh` and `console` block of a text, and asserts that each command prints the output on the page.
///
/// A server stays running, and is ready before the next command is run.
pub fn follow(text: &str, folder: &Path, variables: &[(&str, &str)]) {
    let outputs = tempfile::tempdir().expect("a folder");
    let (mut script, mut shown) = (String::new(), Vec::new());
    for (kind, block) in blocks(text) {
        match kind {
            "sh" => writeln!(script, "{block}").expect("written"),
            "console" => {
                for Sample { command, printed } in samples_of(block) {
                    let file = outputs.path().join(shown.len().to_string());
                    let to = file.display();
                    if command.ends_with(" serve") {
                        writeln!(script, "{command} >{to} 2>/dev/null &").expect("written");
                        writeln!(script, "for _ in {{1..600}}; do grep -q '^listening' {to} && break; sleep 0.1; done")
                    } else {
                        writeln!(script, "{{ {command}\n}} >{to} 2>&1")
                    }
                    .expect("written");
                    shown.push((command, printed, file));
                }
            }
            _ => {}
        }
    }
    assert!(!shown.is_empty(), "{text}");
    let mut shell = shell(folder, &script);
    let typed = shell.envs(variables.iter().copied()).output().expect("bash runs");
    let wrong = shown.iter().filter_map(|(command, printed, file)| {
        let outputs = fs::read_to_string(file).unwrap_or_default();
        (!matches_sample(&outputs, printed)).then(|| format!("$ {command}\n{outputs:.2000}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), String::from_utf8_lossy(&typed.stderr));
}
