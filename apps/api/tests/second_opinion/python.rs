//! Python scripts of the tests.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Returns the interpreter that `SPORTS_PYTHON` names, else that of CI's tools, else the machine's.
pub fn interpreter() -> PathBuf {
    let of_ci = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/ci-venv/bin/python");
    let named = env::var_os("SPORTS_PYTHON").map(PathBuf::from);
    named.unwrap_or_else(|| if of_ci.exists() { of_ci } else { "python3".into() })
}

/// Runs a script beside this file and returns its output, if its packages are installed.
pub fn answer(script: &str, packages: &str, arguments: &[&OsStr]) -> Option<Value> {
    let path = &format!("second_opinion/{script}");
    Script { path, packages, folder: Path::new("."), variables: &[] }.answer(arguments)
}

/// A Python program among the tests.
pub struct Script<'s> {
    /// The path below `tests`.
    pub path: &'s str,
    /// The packages that it imports.
    pub packages: &'s str,
    /// The working directory.
    pub folder: &'s Path,
    /// Additional variables of its environment.
    pub variables: &'s [(&'s str, &'s str)],
}

impl Script<'_> {
    /// Runs the script and returns its output; `None`, with a message, if its packages are not installed and not
    /// required.
    pub fn answer<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Option<Value> {
        let (python, packages) = (interpreter(), self.packages);
        let quietly = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        // An import takes seconds.
        let find =
            "import importlib.util, sys; sys.exit(None in map(importlib.util.find_spec, sys.argv[1].split(', ')))";
        let there = quietly(Command::new(&python).args(["-c", find, packages]));
        if !there.is_ok_and(|status| status.success()) {
            assert!(env::var_os("REQUIRE_SERVICES").is_none(), "{} has no {packages}", python.display());
            eprintln!("skipped: this needs Python with {packages}; `.ci/openapi/venv` installs them");
            return None;
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(self.path);
        let mut command = Command::new(python);
        command.arg(&path).args(arguments).current_dir(self.folder).envs(self.variables.iter().copied());
        // Its arrays are small: other threads of NumPy's would only wait, on cores that other tests need.
        command.env("OPENBLAS_NUM_THREADS", "1");
        let output = command.stderr(Stdio::inherit()).output().expect("it runs");
        assert!(output.status.success(), "{} failed", self.path);
        Some(serde_json::from_slice(&output.stdout).expect("JSON"))
    }
}
