//! Publishing of release folders as they are moved into a folder.

use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use sports_system::print_line;

use crate::cli::Publish;
use crate::commands::publish;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::signing;

/// The time between two looks at the folder.
const INTERVAL: Duration = Duration::from_secs(1);
/// The folder for releases that were published.
const PUBLISHED: &str = "published";
/// The folder for releases that were refused.
const REFUSED: &str = "refused";

/// Publishes each release folder in the order of arrival, then of names, and moves it to `published/` or `refused/`, with
/// the report beside it. Ends at SIGTERM or SIGINT between two folders; with `once`, after the folders that are there. A
/// failure that is not the folder's, such as of the store or the clock, ends the command and leaves the folder in its place.
pub async fn run(places: &Places<'_>, folder: &Path, once: bool, json: bool) -> Result<Report, Failure> {
    // A key that cannot be used is no mistake of a folder.
    signing::of(places.settings())?;
    for name in [PUBLISHED, REFUSED] {
        fs::create_dir_all(folder.join(name)).map_err(|error| cannot(folder, &error))?;
    }
    let mut stop = std::pin::pin!(stopped());
    let (mut published, mut refused) = (Vec::new(), Vec::new());
    loop {
        for name in arrived(folder).map_err(|error| cannot(folder, &error))? {
            let is_published = one(places, folder, &name).await?;
            let target = if is_published { PUBLISHED } else { REFUSED };
            if !once && !json {
                print_line!("{name}: {target}");
            }
            if is_published { &mut published } else { &mut refused }.push(name);
            if tokio::time::timeout(Duration::ZERO, &mut stop).await.is_ok() {
                return Ok(report(&published, &refused, once));
            }
        }
        if once || tokio::time::timeout(INTERVAL, &mut stop).await.is_ok() {
            break;
        }
    }
    if once && !refused.is_empty() {
        let message = "folders were refused; the reasons are in NAME.report.json in refused/";
        let json = refused.iter().map(|name| json!(name)).collect();
        return Err(Failure::Refused { message, lines: refused, json });
    }
    Ok(report(&published, &refused, once))
}

fn report(published: &[String], refused: &[String], once: bool) -> Report {
    let json = json!({ "published": published, "refused": refused });
    let line = |(names, target): (&[String], &'static str)| {
        names.iter().map(move |name| format!("{name}: {target}")).collect::<Vec<_>>()
    };
    let lines = if once { line((published, PUBLISHED)) } else { Vec::new() };
    Report::new(lines, json)
}

/// Publishes one folder and moves it; returns true if it was published.
async fn one(places: &Places<'_>, folder: &Path, name: &str) -> Result<bool, Failure> {
    let arguments = Publish { folder: folder.join(name), ..Publish::default() };
    let (target, report) = match publish::run(places, &arguments).await {
        Ok(report) => (PUBLISHED, report.json),
        Err(failure) if failure.is_of_folder() => (REFUSED, failure.json()),
        Err(failure) => return Err(failure),
    };
    keep(folder, name, target, &report).map_err(|error| cannot(folder, &error))?;
    Ok(target == PUBLISHED)
}

/// Moves a folder and writes its report; a name that is taken gets a number.
fn keep(folder: &Path, name: &str, target: &str, report: &Value) -> io::Result<()> {
    let target = folder.join(target);
    let free = |name: &String| !target.join(name).exists() && !target.join(format!("{name}.report.json")).exists();
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let kept = [name.to_owned()].into_iter().chain(numbered).find(free).unwrap_or_else(|| name.to_owned());
    fs::write(target.join(format!("{kept}.report.json")), format!("{report:#}\n"))?;
    fs::rename(folder.join(name), target.join(kept))
}

/// Returns the names of the release folders in the order of arrival, then of names. A folder without `release.json` is
/// still being filled.
fn arrived(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_ours = name.starts_with('.') || name == PUBLISHED || name == REFUSED;
        if !is_ours && entry.path().join("release.json").is_file() {
            found.push((arrival(&entry)?, name));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, name)| name).collect())
}

/// Returns the instant at which a folder was moved in: the last change of its entry.
fn arrival(entry: &DirEntry) -> io::Result<SystemTime> {
    let metadata = entry.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let seconds = Duration::from_secs(metadata.ctime().try_into().unwrap_or_default());
        let nanos = Duration::from_nanos(metadata.ctime_nsec().try_into().unwrap_or_default());
        Ok(SystemTime::UNIX_EPOCH + seconds + nanos)
    }
    #[cfg(not(unix))]
    metadata.modified()
}

/// Completes at SIGTERM or SIGINT.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    drop(tokio::signal::ctrl_c().await);
}

fn cannot(folder: &Path, error: &io::Error) -> Failure {
    Failure::bad_input(format!("{} cannot be watched: {error}", folder.display()))
}
