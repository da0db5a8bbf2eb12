//! Publishing of release folders as they are moved into a folder.

mod inbox;
mod tally;

use std::path::Path;
use std::time::Duration;

use inbox::{Arrival, Inbox, Look, PUBLISHED, REFUSED};
use sports_system::StopSignals;
use tally::Tally;

use crate::cli::Publish;
use crate::commands::publish;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::signing;

/// The time between two looks at the folder.
const INTERVAL: Duration = Duration::from_secs(1);

/// Publishes each release folder in the order of arrival, then of names, and moves it to `published/` or `refused/`,
/// with the report beside it. Ends at SIGTERM, SIGINT or SIGHUP between two folders; with `once`, after the folders that are
/// there. A failure that is not the folder's, such as of the store or the clock, ends the command and leaves the folder
/// in its place.
pub async fn run(places: &Places<'_>, folder: &Path, once: bool, json: bool) -> Result<Report, Failure> {
    // A key that cannot be used is no mistake of a folder.
    signing::of(places.settings())?;
    let mut tally = Tally::new(once, json);
    let Some(inbox) = Inbox::lock(folder)? else {
        let other = format!("another `sportsctl watch` watches {}", folder.display());
        if !once {
            return Err(Failure::other(other));
        }
        // Runs of cron overlap if many folders arrive, and the other run publishes them.
        tally.warn(format!("{other}; this one published nothing"));
        return Ok(tally.report());
    };
    let mut stop = std::pin::pin!(stopped());
    loop {
        let Look { arrivals, left, warnings } = inbox.look()?;
        for sentence in left {
            tally.leave(sentence);
        }
        for warning in warnings {
            tally.warn(warning);
        }
        for arrival in arrivals {
            if tally.is_unmoved(&arrival) {
                continue;
            }
            one(places, &inbox, arrival, &mut tally).await?;
            if tokio::time::timeout(Duration::ZERO, &mut stop).await.is_ok() {
                return Ok(tally.report());
            }
        }
        if once || tokio::time::timeout(INTERVAL, &mut stop).await.is_ok() {
            return tally.finished();
        }
    }
}

/// Publishes one folder and moves it.
async fn one(places: &Places<'_>, inbox: &Inbox, arrival: Arrival, tally: &mut Tally) -> Result<(), Failure> {
    let arguments = Publish { folder: inbox.path(&arrival.name), ..Publish::default() };
    let (target, report) = match publish::run(places, &arguments).await {
        Ok(report) => (PUBLISHED, report.json),
        // A folder that was moved away meanwhile is not refused.
        Err(failure) if failure.is_of_folder() && !arguments.folder.exists() => return Ok(()),
        Err(failure) if failure.is_of_folder() => (REFUSED, failure.json()),
        Err(failure) => return Err(failure),
    };
    match inbox.keep(&arrival.name, target, &report)? {
        None => tally.moved(arrival.name, target),
        Some(sentence) => tally.unmoved(arrival, sentence),
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
