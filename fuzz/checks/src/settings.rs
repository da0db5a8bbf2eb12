//! Settings from a file and from the environment.

use std::ffi::OsString;

use sports_program::settings::{Settings, Sources};

use crate::published;
use crate::scratch::Scratch;

/// The text that replaces a password.
const MASK: &str = "*****";

#[derive(Clone, Copy)]
enum Source {
    File,
    Environment,
}

thread_local! {
    static FILE: Scratch = Scratch::new();
}

/// Loads any bytes as settings: as a TOML file, or as an environment with lines of `NAME=value`. Displayed settings
/// are a file that loads as the same settings. They show only that a secret is set.
pub fn load(bytes: &[u8]) {
    let Some((source, bytes)) = published::choice(&[Source::File, Source::Environment], bytes) else { return };
    let loaded = match source {
        Source::File => from_file(bytes),
        Source::Environment => from_environment(&String::from_utf8_lossy(bytes)),
    };
    let Some(mut settings) = loaded else { return };
    let shown = settings.to_string();
    if let Some(secret) = settings.downloads.secret.take() {
        let without = settings.to_string();
        assert_eq!(shown.replace("# secret is set", "# secret is not set"), without, "more is shown of a secret");
        assert!(without.contains(secret.reveal()) || !format!("{secret:?}").contains(secret.reveal()));
    }
    if !shown.contains(MASK) {
        let again = from_file(shown.as_bytes()).unwrap_or_else(|| panic!("displayed settings do not load: {shown}"));
        assert_eq!(again, settings, "displayed settings load as others");
    }
}

fn from_file(toml: &[u8]) -> Option<Settings> {
    let file = FILE.with(|scratch| scratch.write("settings.toml", toml));
    Settings::load(&Sources { file: Some(file), ..Sources::default() }).ok()
}

fn from_environment(lines: &str) -> Option<Settings> {
    let variable = |line: &str| {
        let (name, value) = line.split_once('=')?;
        Some((OsString::from(name), OsString::from(value)))
    };
    let environment = lines.lines().filter_map(variable).collect();
    Settings::load(&Sources { environment, ..Sources::default() }).ok()
}
