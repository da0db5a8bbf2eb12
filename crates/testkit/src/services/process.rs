use std::env;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Ends the program when the pipe to its standard input closes: also where the test was killed.
const GUARD: &str = r#"exec 3<&0; signal=$1; shift; "$@" </dev/null >/dev/null & pid=$!; echo $pid; exec >/dev/null
(cat <&3; kill -s "$signal" $pid) 2>/dev/null & wait $pid"#;

/// A program that runs for as long as this value is there, and no longer than the test.
pub struct Process {
    guard: Child,
    id: u32,
}

impl Process {
    /// Starts a command, to be ended by a signal, such as `KILL`. Its error stream is the test's.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    pub fn start(command: &Command, ended_by: &str) -> Self {
        let mut guarded = Command::new("sh");
        guarded.args(["-c", GUARD, "guard", ended_by]).arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => guarded.env(name, value),
                None => guarded.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            guarded.current_dir(folder);
        }
        let mut guard = guarded.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell starts");
        let mut line = String::new();
        BufReader::new(guard.stdout.take().expect("piped")).read_line(&mut line).expect("the shell prints");
        let id = line.trim().parse().expect("a process id");
        Self { guard, id }
    }

    /// The id of the program.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Sends the program a signal, such as `STOP`.
    ///
    /// # Panics
    ///
    /// When the system does not know how.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id.to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -s {name}");
    }

    /// Sends the program a signal that ends it, and waits until it has ended.
    ///
    /// # Panics
    ///
    /// When the system does not know how.
    pub fn end_by(mut self, signal: &str) {
        // Once its input closes, the guard sends a signal of its own.
        let _input = self.guard.stdin.take();
        self.signal(signal);
        let _ = self.guard.wait();
    }

    /// Ends the program and waits until it has ended.
    pub fn end(self) {
        drop(self);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        // One that was stopped takes its signal when it goes on.
        let _ = Command::new("kill").args(["-s", "CONT", &self.id.to_string()]).stderr(Stdio::null()).status();
        let _ = self.guard.wait();
    }
}

/// Where a program is installed, if it is: on the path, or in one of the folders that its package uses.
///
/// # Panics
///
/// When it is not there and `REQUIRE_SERVICES` is set.
#[must_use]
pub fn installed(program: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain(folders.iter().cloned());
    let found = places.map(|folder| folder.join(program)).find(|file| file.is_file());
    if found.is_none() {
        assert!(env::var_os("REQUIRE_SERVICES").is_none(), "there is no `{program}` on this machine");
        eprintln!("skipped: there is no `{program}` on this machine");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(id: u32) -> bool {
        Command::new("kill")
            .args(["-s", "0", &id.to_string()])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    }

    #[test]
    fn a_process_ends_with_its_value() {
        let mut command = Command::new("sleep");
        command.arg("600");
        let process = Process::start(&command, "TERM");
        let id = process.id();
        assert!(runs(id));
        process.signal("STOP");
        drop(process);
        assert!(!runs(id));
    }
}
