//! The publishers' door: HTTP in the process that has the store and the signing key, for programs that publish from elsewhere.
//!
//! Connections are served by threads of their own, which check tokens, receive bodies into files and unpack them. What reads or
//! writes the record goes through one queue to the thread of the command, so releases are published one after another, by the same
//! functions as `sportsctl publish` and `settle`. What may take much memory is done by a process of its own, `sportsctl receive --order`.

mod answers;
mod body;
mod order;
mod query;
mod refusal;
mod server;
mod tokens;
mod upload;
mod usage;
mod work;

use std::ffi::OsString;
use std::fs::{self, File};
use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use serde_json::json;
use sports_program::StopSignals;
use sports_program::print_line;
use sports_program::settings::Settings;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::cli::Receive;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use server::Shared;
use work::{Job, Worker};

pub use tokens::TokenFile;
pub use usage::{Usage, UsageEntry};

/// The folder of uploads at work and of remembered answers, below that of the tokens.
const RECEIVED: &str = "received";
/// The beginning of the names of folders that uploads are unpacked into.
const AT_WORK: &str = "upload-";

/// Receives releases and finals over HTTP until SIGTERM, SIGINT or SIGHUP, and answers what was received by then; or carries out one
/// order of a door.
pub async fn run(places: &Places<'_>, receive: &Receive, options: Vec<OsString>) -> Result<Report, Failure> {
    if let Some(file) = &receive.order {
        return order::run(places, file).await;
    }
    let mut signals = StopSignals::listen().map_err(Failure::other)?;
    let mut door = Door::open(places, receive.bind, options).await?;
    door.work_until(signals.next()).await;
    door.close().await;
    Ok(Report::new(Vec::new(), json!({})))
}

/// Returns the folder of the door's files.
pub fn folder(settings: &Settings) -> Result<PathBuf, Failure> {
    let beside = || Some(settings.record.key_file.as_deref()?.parent()?.to_owned());
    settings.receive.folder.clone().or_else(beside).ok_or_else(|| {
        Failure::bad_input(
            "`receive.folder` is not set, and neither is `record.key_file`, beside which tokens are kept: set one of them",
        )
    })
}

/// An open door.
pub struct Door<'p> {
    worker: Worker<'p>,
    jobs: mpsc::Receiver<Job>,
    shared: Arc<Shared>,
    handle: ServerHandle,
    server: JoinHandle<std::io::Result<()>>,
    /// Held as long as the door is open: another door would remove the uploads of this one.
    _turn: File,
}

impl<'p> Door<'p> {
    /// Opens the door at an address and prints where it is. `options` name the settings on the command line.
    pub async fn open(places: &'p Places<'p>, address: SocketAddr, options: Vec<OsString>) -> Result<Self, Failure> {
        // A key that cannot be used is reported before anything is received.
        drop(crate::signing::of(places.settings())?);
        let folder = folder(places.settings())?;
        let received = folder.join(RECEIVED);
        let cannot = |error| Failure::other(format!("{}: {error}", received.display()));
        fs::create_dir_all(&received).map_err(cannot)?;
        let turn = File::options().create(true).append(true).open(received.join(".lock")).map_err(cannot)?;
        turn.try_lock().map_err(|_| {
            Failure::other(format!("another door has {}: stop it, or set `receive.folder`", received.display()))
        })?;
        remove_leftovers(&received).map_err(cannot)?;
        let worker = Worker::new(places, options, &received, TokenFile::in_folder(&folder)).await?;
        let listener = TcpListener::bind(address).map_err(|error| {
            Failure::other(format!("cannot listen on {address}: {error}; name another address with --bind"))
        })?;
        let address = listener.local_addr().map_err(Failure::other)?;
        let (queue, jobs) = mpsc::channel(server::AT_ONCE);
        let shared = Arc::new(Shared::new(places, &folder, received, queue)?);
        let server = server::listen(listener, Arc::clone(&shared)).map_err(Failure::other)?;
        let handle = server.handle();
        let server = tokio::spawn(server);
        print_line!("receiving at http://{address}");
        Ok(Self { worker, jobs, shared, handle, server, _turn: turn })
    }

    /// Does what is received until something else completes, between two uploads.
    pub async fn work_until(&mut self, until: impl Future<Output = ()>) {
        let mut until = std::pin::pin!(until);
        loop {
            let job = tokio::select! {
                biased;
                () = &mut until => return,
                job = self.jobs.recv() => job,
            };
            match job {
                Some(job) => Box::pin(self.worker.work(job)).await,
                None => return until.await,
            }
        }
    }

    /// Refuses new uploads, finishes and answers those that have begun, and closes the door.
    pub async fn close(mut self) {
        self.shared.drain();
        drop(self.handle.stop(true));
        loop {
            let job = tokio::select! {
                _ = &mut self.server => return,
                job = self.jobs.recv() => job,
            };
            let Some(job) = job else { return };
            Box::pin(self.worker.work(job)).await;
        }
    }
}

/// Removes the uploads of a door that was killed.
fn remove_leftovers(received: &std::path::Path) -> std::io::Result<()> {
    for entry in fs::read_dir(received)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(AT_WORK) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}
