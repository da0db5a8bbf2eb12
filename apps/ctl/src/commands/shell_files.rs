//! Files for shells and for `man`, made of the command line itself.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use clap_complete::Shell;
use serde_json::json;

use crate::cli;
use crate::failure::Failure;
use crate::report::Report;

/// Prints the script with which a shell completes commands and options.
pub fn completions(shell: Shell) -> Report {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::command(), "sportsctl", &mut script);
    let script = String::from_utf8_lossy(&script);
    let lines = script.trim_end().lines().map(str::to_owned).collect();
    Report::new(lines, json!({ "shell": shell.to_string(), "script": script }))
}

/// Writes a page for each command into a folder, which is created if it is missing.
pub fn man(folder: &Path) -> Result<Report, Failure> {
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(cli::command(), folder));
    written.map_err(|error| {
        let message = format!("the pages cannot be written to {}: {error}", folder.display());
        let is_full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
        if is_full { Failure::other(message) } else { Failure::bad_input(message) }
    })?;
    let lines = vec![format!("the pages are in {0}; `man -l {0}/sportsctl.1` shows the first", folder.display())];
    Ok(Report::new(lines, json!({ "folder": folder })))
}
