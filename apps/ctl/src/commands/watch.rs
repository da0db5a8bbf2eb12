//! Publishing of release folders as they are moved into a folder.

mod inbox;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::slice;
use std::time::Duration;

use serde_json::json;
use sports_domain::printable_line;
use sports_program::{StopSignals, print_line};
use sports_usecases::signing::TreeSigning;

use super::publish;
use super::publish::Terms;
use super::receive::Door;
use crate::cli::Publish;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::{Report, print_warnings};
use crate::signing;
use inbox::{Arrival, Inbox, Look, PUBLISHED, REFUSED};

/// The longest time between two looks at the folder.
const INTERVAL: Duration = Duration::from_secs(1);

/// Publishes each release folder that has settled, in the order of arrival, then of names. Moves it to `published/` or `refused/`,
/// with the report and the hashes of its files beside it. Ends at SIGTERM, SIGINT or SIGHUP between two folders; with `once`, after
/// the folders that are there. A failure that is not the folder's, such as of the store or the clock, ends the command and leaves
/// the folder in its place.
pub async fn run(
    places: &Places<'_>,
    folder: &Path,
    once: bool,
    receive: Option<(SocketAddr, Vec<OsString>)>,
    json: bool,
) -> Result<Report, Failure> {
    // A key that cannot be used is no mistake of a folder.
    let signing = signing::of(places.settings())?;
    let (mut tally, settle) = (WatchCounts::new(once, json), places.settings().watch.settle);
    let Some(mut inbox) = Inbox::lock(folder, settle)? else {
        let other = format!("another `sportsctl watch` watches {}", folder.display());
        if !once {
            return Err(Failure::other(other));
        }
        // Runs of cron overlap if many folders arrive, and the other run publishes them.
        tally.warn(format!("{other}; this one published nothing"));
        return Ok(tally.report());
    };
    let mut door = match receive {
        Some((address, options)) => Some(Door::open(places, address, options).await?),
        None => None,
    };
    let mut stop = std::pin::pin!(stopped());
    let (pause, mut has_looked) = (if once { settle } else { settle.min(INTERVAL) }, false);
    loop {
        let Look { arrivals, left, mut warnings, settling } = inbox.look(|arrival| tally.is_unmoved(arrival))?;
        let is_last = once && (has_looked || settling.is_empty());
        has_looked = true;
        warnings.extend(settling.into_iter().filter(|_| is_last));
        for sentence in left {
            tally.leave(sentence);
        }
        for warning in warnings {
            tally.warn(warning);
        }
        for arrival in arrivals {
            one(places, &inbox, arrival, signing.clone(), &mut tally).await?;
            if is_stopped(&mut door, &mut stop, Duration::ZERO).await {
                close(door).await;
                return Ok(tally.report());
            }
        }
        if is_last || is_stopped(&mut door, &mut stop, pause).await {
            close(door).await;
            return tally.finished();
        }
    }
}

/// Waits for a while, in which the door works; returns true if a signal came.
async fn is_stopped(
    door: &mut Option<Door<'_>>,
    stop: &mut (impl Future<Output = ()> + Unpin),
    pause: Duration,
) -> bool {
    let mut is_stopped = false;
    let until = async { is_stopped = tokio::time::timeout(pause, stop).await.is_ok() };
    match door {
        Some(door) => door.work_until(until).await,
        None => until.await,
    }
    is_stopped
}

async fn close(door: Option<Door<'_>>) {
    if let Some(door) = door {
        door.close().await;
    }
}

/// Publishes one folder and moves it, or copies it if it cannot be moved: it is not published again before it changes.
async fn one(
    places: &Places<'_>,
    inbox: &Inbox,
    arrival: Arrival,
    signing: TreeSigning,
    tally: &mut WatchCounts,
) -> Result<(), Failure> {
    // A folder that changed or was moved away while it was read is looked at again.
    let is_fixed = inbox.is_fixed(&arrival.name);
    let Some(files) = inbox.read(&arrival) else { return Ok(()) };
    if is_fixed && inbox.was_kept(&arrival, &files) {
        tally.kept(arrival);
        return Ok(());
    }
    let arguments = Publish { folder: Some(inbox.path(&arrival.name)), ..Publish::default() };
    let (target, report) = match publish::files(places, &arguments, &files, signing, &Terms::default()).await {
        Ok(report) => (PUBLISHED, report.json),
        Err(failure) if failure.is_of_folder() => (REFUSED, failure.json()),
        Err(failure) => return Err(failure),
    };
    match inbox.keep(&arrival, is_fixed, target, &files, &report) {
        Ok(sentence) => {
            tally.moved(printable_line(&arrival.name.to_string_lossy()).into_owned(), target, is_fixed);
            if is_fixed {
                tally.kept(arrival);
            }
            if let Some(sentence) = sentence {
                tally.leave(sentence);
            }
        }
        Err(sentence) => tally.unmoved(arrival, sentence),
    }
    Ok(())
}

/// Completes at a signal that stops a program.
async fn stopped() {
    match StopSignals::listen() {
        Ok(mut signals) => signals.next().await,
        Err(_) => std::future::pending().await,
    }
}

// The folders of a run, by their treatment.

/// The message about folders that were refused.
const SOME_REFUSED: &str = "folders were refused; the reasons are in NAME.report.json in refused/";

/// The message if folders were left in their place.
const SOME_LEFT: &str = "folders were left in their place for the reasons listed, or refused for those in \
                         NAME.report.json in refused/";

/// The folders of a run. As text and without `--once` each is printed at once, for such a run may not end.
#[derive(Debug)]
pub struct WatchCounts {
    once: bool,
    json: bool,
    published: Vec<String>,
    refused: Vec<String>,
    /// The names of those that stay in their place, since copies were kept.
    copied: BTreeSet<String>,
    left: Vec<String>,
    /// The warnings that were not printed, since the output is JSON.
    warnings: Vec<String>,
    /// The sentences that were added, since each look finds them again.
    named: BTreeSet<String>,
    unmoved: BTreeSet<Arrival>,
}

impl WatchCounts {
    /// Creates an empty tally.
    pub const fn new(once: bool, json: bool) -> Self {
        Self {
            once,
            json,
            published: Vec::new(),
            refused: Vec::new(),
            copied: BTreeSet::new(),
            left: Vec::new(),
            warnings: Vec::new(),
            named: BTreeSet::new(),
            unmoved: BTreeSet::new(),
        }
    }

    /// Adds a folder that was moved or copied to a subfolder.
    pub fn moved(&mut self, name: String, target: &str, is_copy: bool) {
        if is_copy {
            self.copied.insert(name.clone());
        }
        if !self.once && !self.json {
            print_line!("{}", self.line(&name, target));
        }
        if target == PUBLISHED { &mut self.published } else { &mut self.refused }.push(name);
    }

    fn line(&self, name: &str, target: &str) -> String {
        let remark = if self.copied.contains(name) { ", copied, since this user may not move it" } else { "" };
        format!("{name}: {target}{remark}")
    }

    /// Adds a folder of which a copy is kept. It is not taken again before its entry changes.
    pub fn kept(&mut self, arrival: Arrival) {
        self.unmoved.insert(arrival);
    }

    /// Adds a folder that could not be moved. It is not taken again before its entry changes.
    pub fn unmoved(&mut self, arrival: Arrival, sentence: String) {
        self.kept(arrival);
        self.leave(sentence);
    }

    /// Returns true if the folder is done, though it was not moved.
    pub fn is_unmoved(&self, arrival: &Arrival) -> bool {
        self.unmoved.contains(arrival)
    }

    /// Adds a sentence about a release folder that is left in its place.
    pub fn leave(&mut self, sentence: String) {
        if self.named.insert(sentence.clone()) {
            if !self.once && !self.json {
                print_warnings(slice::from_ref(&sentence));
            }
            self.left.push(sentence);
        }
    }

    pub fn warn(&mut self, warning: String) {
        if self.named.insert(warning.clone()) {
            if self.json {
                self.warnings.push(warning);
            } else {
                print_warnings(&[warning]);
            }
        }
    }

    pub fn report(self) -> Report {
        let line = |name: &String| self.line(name, PUBLISHED);
        let lines = if self.once { self.published.iter().map(line).collect() } else { Vec::new() };
        let json = json!({ "published": self.published, "refused": self.refused, "left": self.left });
        Report::with_warnings(lines, self.warnings, json)
    }

    /// Returns the report of a run that was not stopped; if it was `--once`, a failure if folders were refused or left.
    pub fn finished(self) -> Result<Report, Failure> {
        if !self.once || (self.refused.is_empty() && self.left.is_empty()) {
            return Ok(self.report());
        }
        let message = if self.left.is_empty() { SOME_REFUSED } else { SOME_LEFT };
        let lines: Vec<_> = self.refused.into_iter().chain(self.left).chain(self.warnings).collect();
        Err(Failure::Left { message, lines })
    }
}
