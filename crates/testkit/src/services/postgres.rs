use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::{Certificates, Process, free_address, installed};

/// A PostgreSQL server of this test, with a separate folder that is removed with the server.
pub struct Postgres {
    process: Option<Process>,
    folder: TempDir,
    programs: PathBuf,
    port: u16,
    options: Vec<String>,
    databases: AtomicUsize,
}

/// The system user for the server if the test runs as root, since PostgreSQL refuses to run as root.
const SYSTEM_USER: &str = "postgres";

/// The owner of the databases, and the password.
const USER: &str = "sports";
const PASSWORD: &str = "not-a-secret";

/// The maximum number of checks for readiness.
const READY_CHECKS: usize = 1_500;

/// The server shared by the tests of one process.
static SHARED: LazyLock<Option<Postgres>> = LazyLock::new(|| Postgres::start().inspect(Postgres::remove_at_the_end));

impl Postgres {
    /// Returns the address of a new, empty database on the shared server.
    pub fn database() -> Option<String> {
        SHARED.as_ref().map(Self::fresh_database)
    }

    /// Starts a server of one test, which can be stopped and started.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start() -> Option<Self> {
        Self::with_options(|_| Vec::new())
    }

    /// Starts a server that also accepts TLS, with this certificate.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start_with_tls(certificates: &Certificates) -> Option<Self> {
        Self::with_options(|folder| {
            let (certificate, key) = (folder.join("server.pem"), folder.join("server.key"));
            fs::copy(certificates.server(), &certificate).expect("copied");
            fs::copy(certificates.server_key(), &key).expect("copied");
            assert!(succeeds(Command::new("chmod").arg("600").arg(&key)), "chmod");
            let file = |name: &str, file: &Path| format!("{name}={}", file.display());
            vec!["ssl=on".to_owned(), file("ssl_cert_file", &certificate), file("ssl_key_file", &key)]
        })
    }

    fn with_options(options: impl FnOnce(&Path) -> Vec<String>) -> Option<Self> {
        let programs = programs()?;
        let folder = tempfile::Builder::new().prefix("pg").tempdir().expect("a temporary folder");
        let options = options(folder.path());
        fs::write(folder.path().join("password"), PASSWORD).expect("written");
        if is_root() {
            assert!(succeeds(Command::new("chown").args(["-R", SYSTEM_USER]).arg(folder.path())), "chown");
        }
        let mut made = as_system_user(&programs.join("initdb"));
        made.args(["--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=password", "--username", USER]);
        made.arg("--pwfile").arg(folder.path().join("password")).arg("-D").arg(folder.path().join("data"));
        assert!(succeeds(&mut made), "initdb");
        let mut server = Self { process: None, folder, programs, port: 0, options, databases: AtomicUsize::new(0) };
        // Another program may take the port between the check and the start.
        for _ in 0..5 {
            server.port = free_address(Ipv4Addr::LOCALHOST).expect("an address").port();
            if server.comes_up() {
                return Some(server);
            }
        }
        panic!("PostgreSQL does not start: {}", server.log());
    }

    /// Returns the address of the server.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }

    /// Creates an empty database; returns its address.
    ///
    /// # Panics
    ///
    /// Panics if the database cannot be created.
    pub fn fresh_database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let _ = self.run("postgres", &format!("CREATE DATABASE {name}"));
        self.url(&name, self.address())
    }

    /// Returns the URL of a database at another address, such as a proxy to the server.
    pub fn url(&self, database: &str, way: SocketAddr) -> String {
        format!("postgres://{USER}:{PASSWORD}@{way}/{database}")
    }

    /// Runs an SQL statement as the owner of the server; returns its output.
    ///
    /// # Panics
    ///
    /// Panics if the statement fails.
    pub fn run(&self, database: &str, statement: &str) -> String {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-c", statement]).arg(self.url(database, self.address()));
        let Output { status, stdout, stderr } = psql.output().expect("psql runs");
        assert!(status.success(), "{statement}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("text")
    }

    /// Stops the server like a crash: connections end abruptly.
    pub fn stop(&mut self) {
        self.process = None;
    }

    /// Stops the server like an operator's fast shutdown: sessions end with an error message.
    ///
    /// # Panics
    ///
    /// Panics if the server is not running.
    pub fn shut_down(&mut self) {
        self.process.take().expect("it runs").end_by("INT");
    }

    /// Restarts the server at the same address, with its data.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start.
    pub fn start_again(&mut self) {
        assert!(self.comes_up(), "PostgreSQL does not start again: {}", self.log());
    }

    /// Pauses the server, like a machine that swaps: connections stay open, and new ones are accepted.
    ///
    /// # Panics
    ///
    /// Panics if the server is not running.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Resumes the paused server.
    ///
    /// # Panics
    ///
    /// Panics if the server is not running.
    pub fn go_on(&self) {
        self.signal("CONT");
    }

    /// Signals the server and the processes of its connections.
    fn signal(&self, name: &str) {
        let process = self.process.as_ref().expect("it runs");
        process.signal(name);
        let id = process.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        for child in children.split_whitespace() {
            let _ = Command::new("kill").args(["-s", name, child]).stderr(Stdio::null()).status();
        }
    }

    fn comes_up(&mut self) -> bool {
        let mut server = as_system_user(Path::new("sh"));
        let log = self.folder.path().join("log");
        server.args(["-c", r#"log=$1; shift; exec "$@" 2>>"$log""#, "sh"]).arg(log).arg(self.programs.join("postgres"));
        server.arg("-D").arg(self.folder.path().join("data")).arg("-k").arg(self.folder.path());
        let fixed = [
            "listen_addresses=127.0.0.1",
            // Committed data is held by the system, so a crash of the server alone does not lose it.
            "fsync=off",
            "full_page_writes=off",
            "max_connections=300",
            "shared_buffers=16MB",
        ];
        for option in fixed.into_iter().chain(self.options.iter().map(String::as_str)) {
            server.args(["-c", option]);
        }
        server.arg("-p").arg(self.port.to_string());
        // The signal ends the server at once, with its child processes.
        let process = Process::start(&server, "QUIT");
        let id = process.id();
        self.process = Some(process);
        let mut ready = Command::new(self.programs.join("pg_isready"));
        ready.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        for _ in 0..READY_CHECKS {
            if succeeds(&mut ready) {
                return true;
            }
            if !Path::new(&format!("/proc/{id}")).exists() {
                break;
            }
            thread::park_timeout(Duration::from_millis(20));
        }
        self.process = None;
        false
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Removes the folder after the server has ended, since a shared server is never dropped.
    fn remove_at_the_end(&self) {
        const SWEEP: &str = r#"while kill -0 "$1" 2>&-; do sleep 0.2; done; rm -rf "$2""#;
        let Some(process) = &self.process else { return };
        let mut sweep = Command::new("sh");
        sweep.args(["-c", SWEEP, "sh", &process.id().to_string()]).arg(self.folder.path());
        let _ = sweep.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    }
}

/// Returns the folder with the programs of one version: Debian's newest, otherwise the version on the search path.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let packaged = versions.map(|version| version.path().join("bin")).filter(|bin| bin.join("postgres").is_file());
    packaged.max().or_else(|| installed("postgres", &[])?.canonicalize().ok()?.parent().map(Path::to_owned))
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Returns a command that runs as the user allowed to run PostgreSQL.
fn as_system_user(program: &Path) -> Command {
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", SYSTEM_USER, "--regid", SYSTEM_USER, "--clear-groups"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    // The user may lack access to the test's directory.
    command.current_dir("/");
    command
}

fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_keeps_its_data_after_a_crash() {
        let Some(mut server) = Postgres::start() else { return };
        let url = server.fresh_database();
        let (_, name) = url.rsplit_once('/').expect("a name");
        let _ = server.run(name, "CREATE TABLE kept (number integer); INSERT INTO kept VALUES (7)");
        server.stop();
        assert!(std::net::TcpStream::connect(server.address()).is_err());
        server.start_again();
        assert_eq!(server.run(name, "SELECT number FROM kept").trim(), "7");
    }

    #[test]
    fn a_shutdown_ends_open_sessions_with_a_message() {
        const SLEEPING: &str = "SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'";
        let Some(mut server) = Postgres::start() else { return };
        let mut psql = Command::new(server.programs.join("psql"));
        psql.args(["-X", "-c", "SELECT pg_sleep(600)"]).arg(server.fresh_database());
        let session = psql.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("psql starts");
        while server.run("postgres", SLEEPING).trim() != "1" {
            thread::park_timeout(Duration::from_millis(20));
        }
        server.shut_down();
        let error_output = session.wait_with_output().expect("it ends").stderr;
        assert!(String::from_utf8_lossy(&error_output).contains("terminating connection due to administrator command"));
        server.start_again();
        assert_eq!(server.run("postgres", "SELECT 1").trim(), "1");
    }
}
