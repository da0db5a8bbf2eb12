use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use tempfile::TempDir;
use tokio::time::sleep;

use super::{Certificates, Process, free_address, installed};

/// A Redis server of one test, which keeps its port across restarts. It saves to disk only on [`Self::save`].
pub struct Redis {
    program: PathBuf,
    folder: TempDir,
    address: SocketAddr,
    arguments: Vec<String>,
    process: Option<Process>,
}

impl Redis {
    /// Starts an empty server; `None` if the program is not installed.
    ///
    /// # Panics
    ///
    /// Panics if the server does not start, or is not installed and `REQUIRE_SERVICES` is set.
    pub async fn start() -> Option<Self> {
        Self::start_with(&[]).await
    }

    /// Starts a server with further arguments, such as `--requirepass`.
    ///
    /// # Panics
    ///
    /// Panics under the conditions of [`Redis::start`].
    pub async fn start_with(arguments: &[&str]) -> Option<Self> {
        let program = installed("redis-server", &[])?;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let arguments = arguments.iter().map(ToString::to_string).collect();
        let mut redis = Self {
            program,
            folder,
            address: free_address(Ipv4Addr::LOCALHOST).expect("an address"),
            arguments,
            process: None,
        };
        redis.start_again().await;
        Some(redis)
    }

    /// Opens another port with TLS and these certificates; returns its address.
    ///
    /// # Panics
    ///
    /// Panics if the server refuses.
    pub fn accept_tls(&self, certificates: &Certificates) -> SocketAddr {
        let address = free_address(Ipv4Addr::LOCALHOST).expect("an address");
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

    /// Returns the address of the server.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of the server.
    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// Sends a command, such as `FLUSHALL`; returns the first line of the response.
    ///
    /// # Panics
    ///
    /// Panics if the server does not respond.
    pub fn command(&self, command: &str) -> String {
        self.send(command).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// Saves the data to disk, from which a restart loads it.
    ///
    /// # Panics
    ///
    /// Panics if the server does not save.
    pub fn save(&self) {
        assert_eq!(self.command("SAVE"), "+OK");
    }

    /// Deletes the data saved on disk.
    pub fn forget_saved(&self) {
        let _ = fs::remove_file(self.folder.path().join("dump.rdb"));
    }

    /// Ends the server at once, without saving.
    pub fn stop(&mut self) {
        self.process = None;
    }

    /// Restarts the server on the same port, with the saved data.
    ///
    /// # Panics
    ///
    /// Panics if the server does not respond soon.
    pub async fn start_again(&mut self) {
        self.process = None;
        let mut command = Command::new(&self.program);
        command.args(["--port", &self.address.port().to_string(), "--bind", "127.0.0.1", "--save", ""]);
        command.args(["--loglevel", "warning", "--dir"]).arg(self.folder.path()).args(&self.arguments);
        self.process = Some(Process::start(&command, "TERM"));
        for _ in 0..1_000 {
            if self.send("PING").is_ok() {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
        panic!("redis-server does not respond");
    }

    fn send(&self, command: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.write_all(format!("{command}\r\n").as_bytes())?;
        let mut line = String::new();
        BufReader::new(stream.take(1 << 16)).read_line(&mut line)?;
        if line.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(line.trim_end().to_owned()) }
    }
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
