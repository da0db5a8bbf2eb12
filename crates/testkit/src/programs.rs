//! The real programs, run as users run them.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// The maximum time until a server prints its address.
const START_TIMEOUT: Duration = Duration::from_mins(5);

/// The folder of one test: a store, a database and other files.
pub struct TestFolder {
    folder: tempfile::TempDir,
    variables: BTreeMap<&'static str, String>,
}

impl TestFolder {
    /// Creates an empty folder, which is removed on drop.
    ///
    /// # Panics
    ///
    /// Panics if the machine has no temporary folder.
    pub fn fresh() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder"), variables: BTreeMap::new() }
    }

    /// Sets an environment variable for every program started from here on, such as the address of another database.
    pub fn with(mut self, variable: &'static str, value: impl Into<String>) -> Self {
        self.variables.insert(variable, value.into());
        self
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the folder of the store.
    pub fn store(&self) -> PathBuf {
        self.path().join("store")
    }

    /// Returns a command for `sportsctl` with the paths of store and database, and without the environment's settings.
    pub fn sportsctl<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        self.program("sportsctl", arguments)
    }

    /// Runs `sportsctl` to its end; returns its output.
    ///
    /// # Panics
    ///
    /// Panics if the program fails.
    pub fn ctl<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> String {
        let output = self.sportsctl(arguments).output().expect("sportsctl runs");
        let Output { status, stdout, stderr } = output;
        assert!(status.success(), "sportsctl failed: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("text")
    }

    /// Creates a customer with an active subscription; returns a key of the customer.
    ///
    /// # Panics
    ///
    /// Panics if `sportsctl` fails or prints an unexpected text.
    pub fn subscriber_key(&self) -> String {
        let created = self.ctl(["customer", "create", "--email", "someone@example.com", "--name", "Someone"]);
        let id = created.split_whitespace().next().expect("an id").to_owned();
        self.ctl(["key", "issue", "--customer", &id, "--name", "tests"]).trim().to_owned()
    }

    /// Starts `sports-api serve` on a free port.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    /// Starts `sports-api serve` with further arguments.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn serve_with(&self, arguments: &[&str]) -> Server {
        let fixed = ["serve", "--bind", "127.0.0.1:0"];
        Server::start(self.program("sports-api", fixed.iter().chain(arguments)))
    }

    /// Returns a command for a program with the paths of store and database, and without the environment's settings.
    pub fn program<A: AsRef<OsStr>>(&self, name: &str, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(program(name));
        for (variable, _) in env::vars_os() {
            if variable.to_string_lossy().starts_with("SPORTS_") {
                command.env_remove(variable);
            }
        }
        command
            .args(arguments)
            .env("SPORTS_STORE__URL", format!("file:{}", self.store().display()))
            .env("SPORTS_STORE__POLL_INTERVAL", "50ms")
            .env("SPORTS_WATCH__SETTLE", "50ms")
            // Tests send requests faster than customers, on busy machines, where witnesses are slow too; tests of the limits
            // set their own.
            .env("SPORTS_LIMITS__PER_SECOND", "100000")
            .env("SPORTS_LIMITS__FAILED_KEYS_PER_SECOND", "100000")
            .env("SPORTS_LIMITS__KEY_CREATIONS_PER_MINUTE", "100000")
            .env("SPORTS_LIMITS__QUEUE_TIMEOUT", "90s")
            .env("SPORTS_RECORD__TIMEOUT", "60s")
            .env("SPORTS_DATABASE__URL", format!("sqlite:{}", self.path().join("sports.db").display()))
            .envs(&self.variables)
            .stdin(Stdio::null());
        command
    }
}

/// A running server, killed on drop.
pub struct Server {
    child: Child,
    address: String,
    printed: Arc<Mutex<String>>,
}

impl Server {
    /// Starts a command that prints `listening on http://…` or `receiving at http://…` once it serves.
    ///
    /// # Panics
    ///
    /// Panics if the program ends, or prints no address in time.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let (found, address) = mpsc::channel();
        // The thread reads on after the address, so that the server never blocks on a full pipe.
        let printed = Arc::new(Mutex::new(String::new()));
        let all = Arc::clone(&printed);
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                all.lock().expect("not poisoned").extend([line.as_str(), "\n"]);
                let address = ["listening on ", "receiving at "].into_iter().find_map(|words| line.strip_prefix(words));
                if let Some(address) = address {
                    let _ = found.send(address.to_owned());
                }
            }
        });
        let address = address.recv_timeout(START_TIMEOUT).expect("the server prints its address");
        Self { child, address, printed }
    }

    /// Returns the URL of a path, such as `http://127.0.0.1:41234/api/v1/sports`.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// Returns the standard output so far.
    ///
    /// # Panics
    ///
    /// Panics if reading the output failed.
    pub fn printed(&self) -> String {
        self.printed.lock().expect("not poisoned").clone()
    }

    /// Sends the server a signal, such as `TERM`.
    ///
    /// # Panics
    ///
    /// Panics if the signal cannot be sent.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -s {name}");
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the server to end by itself; returns its exit status.
    ///
    /// # Panics
    ///
    /// Panics if the system reports no status.
    pub fn ended(mut self) -> std::process::ExitStatus {
        self.child.wait().expect("it ends")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the path of a program of this workspace, beside the running test; builds the program if it is missing.
fn program(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a test knows where it is");
    let folder = test.ancestors().nth(2).expect("tests run from target/{profile}/deps");
    let path = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    if !path.exists() {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo).args(["build", "--quiet", "--workspace", "--bin", name]).status();
        assert!(built.is_ok_and(|status| status.success()) && path.exists(), "run `cargo build --workspace` first");
    }
    path
}

/// Returns the folder of real data that `SPORTS_REAL_DATA` names, relative to the root of the workspace; prints a note
/// and returns `None` if the variable is not set.
///
/// # Panics
///
/// Panics if the variable does not name a folder.
pub fn real_data() -> Option<PathBuf> {
    let Some(named) = env::var_os("SPORTS_REAL_DATA") else {
        eprintln!("skipped: set SPORTS_REAL_DATA to the folder of real leagues to run this");
        return None;
    };
    let folder = workspace().join(named);
    assert!(folder.is_dir(), "SPORTS_REAL_DATA names {}, which is no folder", folder.display());
    Some(folder)
}

/// Copies a folder recursively.
///
/// # Panics
///
/// Panics if a file cannot be read or written.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// Returns the path of a file or folder in `fixtures/`.
pub fn fixture(name: &str) -> PathBuf {
    workspace().join("fixtures").join(name)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
