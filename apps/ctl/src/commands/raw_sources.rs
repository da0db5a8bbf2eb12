//! Files of other programs in a release folder, which were not converted.

use std::collections::BTreeSet;
use std::sync::Arc;

use sports_convert_sources::tables::Preset;
use sports_domain::Sport;
use sports_publication::{Place, Problem};
use sports_releases_folder::ReleaseFiles;

use crate::failure::Failure;

/// The column of the service's own ids, which other sources call theirs, too.
const GAME_ID: &str = "game_id";

/// Replaces the problems of each file that has the columns or the ids of another source by one, which names the command that
/// converts the file.
pub fn named(failure: Failure, files: &ReleaseFiles) -> Failure {
    match failure {
        Failure::Problems(problems) => Failure::Problems(of_files(problems, files)),
        Failure::Unread(problems) => Failure::Unread(of_files(problems, files)),
        failure => failure,
    }
}

fn of_files(mut problems: Vec<Problem>, files: &ReleaseFiles) -> Vec<Problem> {
    let sport = files.league();
    let names: BTreeSet<Arc<str>> = problems.iter().map(|problem| Arc::clone(&problem.place.file)).collect();
    for name in names {
        let is_here = |problem: &Problem| problem.place.file == name;
        let raw = files.bytes(&name).and_then(|bytes| Preset::fitting(bytes, sport));
        let raw = raw.filter(|_| problems.iter().any(|problem| is_here(problem) && problem.place.row.is_none()));
        let has_ids = problems.iter().any(|problem| is_here(problem) && is_foreign_id(problem, sport));
        let ids = || Preset::with_ids_in(GAME_ID, sport).filter(|_| has_ids);
        let Some(preset) = raw.or_else(ids) else { continue };
        problems.retain(|problem| !(is_here(problem) && (raw.is_some() || is_foreign_id(problem, sport))));
        problems.push(Problem::at(Place { file: name, row: None }, remedy(preset, sport)));
    }
    problems.sort_by(|one, other| one.place.cmp(&other.place));
    problems
}

/// Returns true for a problem of an id that is not of the service's form, which begins with the league.
fn is_foreign_id(problem: &Problem, sport: Option<Sport>) -> bool {
    let is_own = |id: &str| sport.is_none_or(|sport| id.starts_with(&format!("{}-", sport.code())));
    problem.column.as_deref() == Some(GAME_ID) && problem.value.as_deref().is_some_and(|id| !is_own(id))
}

fn remedy(preset: &str, sport: Option<Sport>) -> String {
    let sport = sport.map_or("SPORT", Sport::code);
    format!(
        "a file with the columns of a release; this one has columns of another source: `sportsctl convert csv FILE --preset {preset} \
         --sport {sport} --out FOLDER` converts the source's file"
    )
}
