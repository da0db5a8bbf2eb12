use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use tempfile::TempDir;
use tokio::time::sleep;

use super::{Certificates, Process, installed};

/// A Redis of a test's own, on a port that it keeps when it is started again. It writes nothing to the disk by itself.
pub struct Redis {
    program: PathBuf,
    folder: TempDir,
    address: SocketAddr,
    arguments: Vec<String>,
    process: Option<Process>,
}

impl Redis {
    /// One with nothing in it, where the program is installed.
    ///
    /// # Panics
    ///
    /// When it does not start, or is not there and `REQUIRE_SERVICES` is set.
    pub async fn start() -> Option<Self> {
        Self::start_with(&[]).await
    }

    /// The same with arguments of its program besides, such as `--requirepass`.
    ///
    /// # Panics
    ///
    /// As [`Redis::start`].
    pub async fn start_with(arguments: &[&str]) -> Option<Self> {
        let program = installed("redis-server", &[])?;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let arguments = arguments.iter().map(ToString::to_string).collect();
        let mut redis = Self { program, folder, address: free_address(), arguments, process: None };
        redis.start_again().await;
        Some(redis)
    }

    /// Opens another port, on which it speaks TLS as the server of these certificates; gives the address there.
    ///
    /// # Panics
    ///
    /// When it does not.
    #[must_use]
    pub fn accept_tls(&self, certificates: &Certificates) -> SocketAddr {
        let address = free_address();
        let file = |name: &str, path: PathBuf| format!("tls-{name}-file {}", path.display());
        let settings = [
            file("cert", certificates.server()),
            file("key", certificates.server_key()),
            file("ca-cert", certificates.authority()),
            "tls-auth-clients no".to_owned(),
            format!("tls-port {}", address.port()),
        ];
        let set = self.command(&format!("CONFIG SET {}", settings.join(" ")));
        assert_eq!(set, "+OK", "TLS");
        address
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address, as programs are given it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// Asks it something, such as `FLUSHALL`; gives the first line of the answer.
    ///
    /// # Panics
    ///
    /// When it does not answer.
    #[must_use]
    pub fn command(&self, command: &str) -> String {
        self.ask(command).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// Writes what it holds to the disk: what it finds there when it is started again.
    ///
    /// # Panics
    ///
    /// When it does not.
    pub fn save(&self) {
        assert_eq!(self.command("SAVE"), "+OK");
    }

    /// Forgets what was written to the disk.
    pub fn forget_saved(&self) {
        let _ = fs::remove_file(self.folder.path().join("dump.rdb"));
    }

    /// Ends it at once, with all that it did not save.
    pub fn stop(&mut self) {
        self.process = None;
    }

    /// Starts it where it was, with what was saved.
    ///
    /// # Panics
    ///
    /// When it does not answer soon.
    pub async fn start_again(&mut self) {
        self.process = None;
        let mut command = Command::new(&self.program);
        command.args(["--port", &self.address.port().to_string(), "--bind", "127.0.0.1", "--save", ""]);
        command.args(["--loglevel", "warning", "--dir"]).arg(self.folder.path()).args(&self.arguments);
        self.process = Some(Process::start(&command, "TERM"));
        for _ in 0..1_000 {
            if self.ask("PING").is_ok() {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
        panic!("redis-server does not answer");
    }

    fn ask(&self, command: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.write_all(format!("{command}\r\n").as_bytes())?;
        let mut line = String::new();
        BufReader::new(stream.take(1 << 16)).read_line(&mut line)?;
        if line.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(line.trim_end().to_owned()) }
    }
}

/// On a port that no program listens on.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_redis_is_started_again_with_what_it_saved_and_without() {
        let Some(mut redis) = Redis::start().await else { return };
        assert_eq!(redis.command("SET saved 1"), "+OK");
        redis.save();
        assert_eq!(redis.command("SET unsaved 1"), "+OK");
        redis.start_again().await;
        assert_eq!([redis.command("EXISTS saved"), redis.command("EXISTS unsaved")], [":1", ":0"]);
        redis.forget_saved();
        redis.start_again().await;
        assert_eq!(redis.command("DBSIZE"), ":0");
        redis.stop();
        assert!(TcpStream::connect(redis.address()).is_err());
    }
}
