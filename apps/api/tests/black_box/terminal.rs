//! A reader who types what a page of the docs shows into one shell, from the top to the bottom.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::console::{Sample, blocks, samples_of, says};

/// Where the repository is.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A page by its path in the repository.
pub fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the page")
}

/// A part of a page, from its heading to the next one of any level.
pub fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, section) = page.split_once(&format!("\n{heading}\n")).expect("the section");
    // A comment of a shell is no heading.
    let end = ["\n## ", "\n### "].iter().filter_map(|next| section.find(next)).min();
    &section[..end.unwrap_or(section.len())]
}

/// The folder of the programs under test.
pub fn programs() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_sports-api")).parent().expect("a folder").to_owned()
}

/// The one change to what a page shows: free ports in place of its own, which may be taken where tests run.
pub fn on_free_ports(text: &str, ports: &[&str]) -> String {
    let listeners: Vec<_> = ports.iter().map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let free = listeners.iter().map(|listener| listener.local_addr().expect("an address").port().to_string());
    ports.iter().zip(free).fold(text.to_owned(), |text, (port, free)| text.replace(port, &free))
}

/// Where the server of a text says that it listens.
pub fn listening_at(text: &str) -> &str {
    let (_, address) = text.split_once("listening on http://").expect("a server is started");
    address.split_whitespace().next().expect("an address")
}

/// A shell in a folder, with both programs on its path, and none of the environment's settings.
pub fn shell(folder: &Path, script: &str) -> Command {
    let mut path = OsString::from(programs());
    path.push(":");
    path.push(std::env::var_os("PATH").expect("a path"));
    let mut shell = Command::new("bash");
    for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SPORTS_")) {
        shell.env_remove(variable);
    }
    // Whatever goes wrong, no server outlives it.
    let script = format!("trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{script}");
    shell.args(["-uo", "pipefail", "-c", &script]).current_dir(folder).env("PATH", path);
    shell
}

/// Types every `sh` and `console` block of a text, and expects each command to print what is shown.
///
/// A server is left running, and is there before the next command is typed.
pub fn follow(text: &str, folder: &Path, variables: &[(&str, &str)]) {
    let said = tempfile::tempdir().expect("a folder");
    let (mut script, mut shown) = (String::new(), Vec::new());
    for (kind, block) in blocks(text) {
        match kind {
            "sh" => writeln!(script, "{block}").expect("written"),
            "console" => {
                for Sample { command, printed } in samples_of(block) {
                    let file = said.path().join(shown.len().to_string());
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
        let said = fs::read_to_string(file).unwrap_or_default();
        (!says(&said, printed)).then(|| format!("$ {command}\n{said:.2000}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), String::from_utf8_lossy(&typed.stderr));
}
