//! Serving a database whose disk was full when the server started.

use std::fs;
use std::path::PathBuf;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sea_orm::DbErr;
use sports_ports::PortError;
use tokio::time::sleep;

use super::SqliteFile;
use super::connections::{Connections, LockDeadline, PAUSE, Sharing};
use super::file::{expect_restored, is_made, make_folder};
use crate::failure::PORT;
use crate::{ConnectError, tables};

/// The time between two attempts to share the file again.
const INTERVAL: Duration = Duration::from_secs(1);

/// The room that has to be there before the file is shared again: the index of the log takes half of it.
const ROOM: usize = 1 << 16;

/// A write to a database whose disk has no room for the index of its log.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the disk is full: the database can be read, and no other program can open it")]
struct NoRoom;

impl SqliteFile {
    /// Opens the database in a file for a server, also where the disk is full and the tables are up to date. Then this
    /// process has the file for itself until there is room again, which a task looks for.
    pub(crate) async fn connect_to_serve(file: PathBuf) -> Result<Self, ConnectError> {
        expect_restored(&file)?;
        make_folder(&file)?;
        let full = match Self::in_file(file.clone()).await {
            Err(full @ ConnectError::Full { .. }) if is_made(&file) => full,
            connected => return connected,
        };
        let opened = Self::alone(file).await?;
        if tables::are_newer(&opened.readers()).await {
            return Err(opened.newer());
        }
        if !tables::are_up_to_date(&opened.readers()).await {
            return Err(full);
        }
        tokio::spawn(opened.clone().share_when_there_is_room());
        Ok(opened)
    }

    /// Opens a file that no other program has open. Connections of this process that failed may take a moment to close.
    async fn alone(path: PathBuf) -> Result<Self, ConnectError> {
        let deadline = LockDeadline::start();
        loop {
            match Self::opened(path.clone(), Sharing::Alone).await {
                Err(ConnectError::Full { .. }) if !deadline.is_over() => sleep(PAUSE).await,
                opened => return opened,
            }
        }
    }

    /// Returns true while no other program can open the file: the disk had no room at the start, and has none yet.
    pub fn is_alone(&self) -> bool {
        self.connections().sharing == Sharing::Alone
    }

    /// Returns true while writes fail because the disk is full, as far as writes and probes showed.
    pub fn is_disk_full(&self) -> bool {
        self.is_alone() || self.found_full.load(Ordering::Relaxed)
    }

    /// Checks that the disk has had room since the start.
    pub(crate) fn expect_room(&self) -> Result<(), PortError> {
        if self.is_alone() { Err(PortError::unavailable(PORT, NoRoom)) } else { Ok(()) }
    }

    /// Looks for room, and opens the file as other programs do once there is some. Ends with that.
    async fn share_when_there_is_room(self) {
        loop {
            sleep(INTERVAL).await;
            if self.has_room() && self.reopened(Sharing::Together).await.is_ok() {
                // What a full disk left to be done; the next start does it otherwise.
                drop(self.prepare().await);
                return;
            }
            while self.connections().sharing == Sharing::Together {
                drop(self.reopened(Sharing::Alone).await);
                sleep(PAUSE).await;
            }
        }
    }

    /// Closes the connections and opens others in their place. Statements that come in between fail, and a server answers
    /// from its caches meanwhile.
    async fn reopened(&self, sharing: Sharing) -> Result<(), DbErr> {
        let before = self.connections();
        before.close().await?;
        let opened = Connections::open(&self.file, sharing).await;
        let (now, outcome) = match opened {
            Ok(opened) => (opened, Ok(())),
            // They are closed, and the next attempt replaces them.
            Err(error) => (Connections { sharing: Sharing::Together, ..before }, Err(error)),
        };
        *self.connections.write().unwrap_or_else(PoisonError::into_inner) = now;
        outcome
    }

    fn has_room(&self) -> bool {
        let probe = self.beside("-room");
        let written = fs::write(&probe, vec![0; ROOM]);
        drop(fs::remove_file(probe));
        written.is_ok()
    }
}
