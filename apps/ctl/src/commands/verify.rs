use serde_json::json;
use sports_domain::Sport;
use sports_ports::publication::PublicationLog;
use sports_publication::Generation;
use sports_transparency::VerifierKey;
use sports_usecases::verify::{Verified, verify, verify_record_files};

use super::{outcome, unused};
use crate::failure::Failure;
use crate::places::{Places, Store};
use crate::report::Report;
use crate::signing;

/// Verifies one league or all. Stops at the first difference.
pub async fn run(places: &Places<'_>, sport: Option<Sport>, list_unused: bool) -> Result<Report, Failure> {
    let store = places.existing_store().await?;
    let sports = sport.map_or_else(|| Sport::ALL.to_vec(), |sport| vec![sport]);
    let report = of_store(&store, &sports, &signing::witness_keys(places.settings())).await?;
    if list_unused { unused::list(&store, &sports, report).await } else { Ok(report) }
}

/// Reports the records of these leagues, and what was moved out of their logs.
pub async fn of_store(store: &Store, sports: &[Sport], witnesses: &[VerifierKey]) -> Result<Report, Failure> {
    let trees = store.trees();
    let (mut lines, mut leagues, mut simulated) = (Vec::new(), Vec::new(), false);
    for sport in sports.iter().copied() {
        let verified = verify(&*store.log, &store.archives, &store.slates, sport)
            .await
            .map_err(|error| Failure::other(InLeague { sport, source: error }))?;
        let files = verify_record_files(&trees, sport, &verified.trees, witnesses)
            .await
            .map_err(|error| Failure::other(InLeague { sport, source: error }))?;
        let set_aside = store.repairs.all_set_aside(sport).await.map_err(Failure::other)?;
        lines.extend(lines_of(sport, &verified));
        lines.extend(
            set_aside
                .iter()
                .map(|moved| format!("  number {} was moved to set-aside/{}", moved.generation, moved.name)),
        );
        simulated |= verified.simulated;
        leagues.push(json!({
            "sport": sport.code(),
            "entries": verified.entries,
            "objects": verified.objects,
            "head": verified.head.map(|head| head.to_string()),
            "simulated": verified.simulated,
            "tree": verified.tree.map(|(size, root)| json!({ "size": size, "root": root.to_string() })),
            "files": { "tiles": files.tiles, "notes": files.notes, "timestamps": files.timestamps },
            "exceptions": verified.exceptions.iter().map(|(of, made)| outcome::exceptions_of_entry(*of, made)).collect::<Vec<_>>(),
            "set_aside": set_aside.iter().map(|moved| json!({ "generation": moved.generation.get(), "name": moved.name })).collect::<Vec<_>>(),
            "near_games": verified.near_games.iter().map(|(one, other)| [one.to_string(), other.to_string()]).collect::<Vec<_>>(),
        }));
    }
    Ok(Report::new(lines, json!({ "verified": leagues, "simulated": simulated })))
}

/// Formats the head of a verified record, the games that are probably one, and the exceptions of its entries.
fn lines_of(sport: Sport, verified: &Verified) -> Vec<String> {
    let head = match verified.head {
        Some(head) => {
            let remark = if verified.simulated { "; simulated, for it has times set by hand" } else { "" };
            format!(
                "{sport}: {} log entries and {} objects verified; head {head}{remark}",
                verified.entries, verified.objects
            )
        }
        None => format!("{sport}: nothing published"),
    };
    let near = verified.near_games.iter().map(|(one, other)| format!("  probably one game: {one} and {other}"));
    let exceptions = verified
        .exceptions
        .iter()
        .flat_map(|(of, made)| made.phrases().into_iter().map(move |phrase| format!("  entry {of}: {phrase}")));
    let unknown = verified.trees.unknown.iter();
    let unknown =
        unknown.map(|(kind, count)| format!("  {count} leaves of the kind `{kind}`, which a newer sportsctl knows"));
    std::iter::once(head).chain(near).chain(exceptions).chain(unknown).collect()
}

/// Returns a warning for each number of a log above the newest entry of the record: a file that is damaged or belongs elsewhere.
pub async fn warnings_above(
    log: &dyn PublicationLog,
    sport: Sport,
    newest: Option<Generation>,
) -> Result<Vec<String>, Failure> {
    let above = match newest {
        Some(newest) => log.numbers_after(sport, newest).await,
        None => log.numbers(sport).await,
    };
    let above = above.map_err(Failure::other)?.into_iter();
    let warning = |number| {
        format!(
            "{sport}: number {number} in the log is damaged or no part of the record: `sportsctl verify {sport}` has the reason"
        )
    };
    Ok(above.map(warning).collect())
}

/// A failed verification and its league.
#[derive(Debug)]
struct InLeague {
    sport: Sport,
    source: sports_usecases::verify::VerifyError,
}

impl std::fmt::Display for InLeague {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.sport, self.source)
    }
}

impl std::error::Error for InLeague {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.source()
    }
}
