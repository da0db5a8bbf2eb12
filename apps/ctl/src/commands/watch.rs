//! Publishing of release folders as they are moved into a folder.

mod inbox;
mod tally;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use inbox::{Arrival, Inbox, Look, PUBLISHED, REFUSED};
use sports_domain::printable_line;
use sports_system::StopSignals;
use sports_usecases::signing::Signing;
use tally::Tally;

use crate::cli::Publish;
use crate::commands::publish;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::signing;

/// The longest time between two looks at the folder.
const INTERVAL: Duration = Duration::from_secs(1);

/// Publishes each release folder that has settled, in the order of arrival, then of names. Moves it to `published/` or `refused/`,
/// with the report and the hashes of its files beside it. Ends at SIGTERM, SIGINT or SIGHUP between two folders; with `once`, after
/// the folders that are there. A failure that is not the folder's, such as of the store or the clock, ends the command and leaves
/// the folder in its place.
pub async fn run(places: &Places<'_>, folder: &Path, once: bool, json: bool) -> Result<Report, Failure> {
    // A key that cannot be used is no mistake of a folder.
    let signing = signing::of(places.settings())?;
    let (mut tally, settle) = (Tally::new(once, json), places.settings().watch.settle);
    let Some(mut inbox) = Inbox::lock(folder, settle)? else {
        let other = format!("another `sportsctl watch` watches {}", folder.display());
        if !once {
            return Err(Failure::other(other));
        }
        // Runs of cron overlap if many folders arrive, and the other run publishes them.
        tally.warn(format!("{other}; this one published nothing"));
        return Ok(tally.report());
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
            if tokio::time::timeout(Duration::ZERO, &mut stop).await.is_ok() {
                return Ok(tally.report());
            }
        }
        if is_last || tokio::time::timeout(pause, &mut stop).await.is_ok() {
            return tally.finished();
        }
    }
}

/// Publishes one folder and moves it.
async fn one(
    places: &Places<'_>,
    inbox: &Inbox,
    arrival: Arrival,
    signing: Option<Arc<Signing>>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    // A folder that changed or was moved away while it was read is looked at again.
    let Some(files) = inbox.read(&arrival) else { return Ok(()) };
    let arguments = Publish { folder: inbox.path(&arrival.name), ..Publish::default() };
    let (target, report) = match publish::files(places, &arguments, &files, signing).await {
        Ok(report) => (PUBLISHED, report.json),
        Err(failure) if failure.is_of_folder() => (REFUSED, failure.json()),
        Err(failure) => return Err(failure),
    };
    match inbox.keep(&arrival, target, &files, &report) {
        Ok(sentence) => {
            tally.moved(printable_line(&arrival.name.to_string_lossy()).into_owned(), target);
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
