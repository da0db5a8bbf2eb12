use std::env;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A shell script that ends the program when the pipe to its standard input closes, even if the test was killed.
const GUARD: &str = r#"exec 3<&0; signal=$1; shift; "$@" </dev/null >/dev/null & pid=$!; echo $pid; exec >/dev/null
(cat <&3; kill -s "$signal" $pid) 2>/dev/null & wait $pid"#;

/// A program that ends when this value is dropped, and at the latest with the test.
pub struct Process {
    guard: Child,
    id: u32,
}

impl Process {
    /// Starts a command that is later ended by a signal, such as `KILL`. Its standard error is the test's.
    ///
    /// # Panics
    /// Panics if the command cannot be started.
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

    /// Returns the process id of the program.
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Sends the program a signal, such as `STOP`.
    ///
    /// # Panics
    ///
    /// Panics if the signal cannot be sent.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id.to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -s {name}");
    }

    /// Ends the program by a signal, and waits for its end.
    ///
    /// # Panics
    ///
    /// Panics if the signal cannot be sent.
    pub fn end_by(mut self, signal: &str) {
        // The guard sends its own signal once its input closes.
        let _input = self.guard.stdin.take();
        self.signal(signal);
        let _ = self.guard.wait();
    }

    /// Ends the program and waits for its end.
    pub fn end(self) {
        drop(self);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        // A stopped process handles its signal once it continues.
        let _ = Command::new("kill").args(["-s", "CONT", &self.id.to_string()]).stderr(Stdio::null()).status();
        let _ = self.guard.wait();
    }
}

/// Returns the path of a program, from the search path or one of these folders; `None` if it is not installed.
///
/// # Panics
///
/// Panics if the program is not installed and `REQUIRE_SERVICES` is set.
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
