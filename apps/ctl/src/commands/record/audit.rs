//! The audit of a season from outside, with a customer's key.

mod answers;
mod line;
mod tree;
mod witnessed;

use serde_json::{Value, json};
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, ModelType, Season};
use sports_transparency::audit::{
    Audit as Findings, Finding, FindingKind, SeasonFiles, audit_releases, audit_season, lacks_rows, recorded_releases,
    skipped_generations,
};

use super::remote::Remote;
use super::voices::Voices;
use crate::cli::Audit;
use crate::commands::key;
use crate::failure::Failure;
use crate::report::Report;
use answers::{Answers, progress};
use tree::{LargestTree, SignedTree, StaleTree};

/// The number of times that everything is read, if the league publishes meanwhile.
const READS: u32 = 3;

/// Downloads checkpoints, tiles, openings, results and releases, and compares them.
pub async fn run(arguments: &Audit) -> Result<Report, Failure> {
    let season = Season::parse(arguments.sport, &arguments.season).map_err(Failure::bad_input)?;
    let key = if arguments.key == "-" { key::from_stdin()? } else { arguments.key.clone() };
    let voices = Voices::of(&arguments.trust, &arguments.record.log)?;
    let records = Remote::of(arguments.sport, &arguments.record, &voices.witnesses, Some(&key)).await?;
    for _ in 0..READS {
        match audited(arguments, season, &records, &voices).await {
            Ok(report) => return Ok(report),
            Err(Interrupted::Stale(StaleTree)) => progress("The league published meanwhile: everything is read again"),
            Err(Interrupted::Failed(failure)) => return Err(failure),
        }
    }
    Err(Failure::other("the newest release of the league is in no signed checkpoint yet: try again later"))
}

/// The reason for which an audit did not end.
enum Interrupted {
    Stale(StaleTree),
    Failed(Failure),
}

impl From<Failure> for Interrupted {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

async fn audited(
    arguments: &Audit,
    season: Season,
    records: &[Remote],
    voices: &Voices,
) -> Result<Report, Interrupted> {
    let trees = SignedTree::of_each(records).await?;
    let largest = tree::largest(trees).ok_or_else(|| Failure::bad_input("--log is missing"))?;
    let LargestTree { tree, beginnings, mut contradictions } = largest;
    let answers = Answers { remote: tree.remote, sport: arguments.sport };
    let mut files = season_files(&answers, &tree, season).await?;
    if files.openings.iter().any(|opening| opening.index >= tree.size()) {
        return Err(Interrupted::Stale(StaleTree));
    }
    let opened = files.openings.iter().map(|opening| opening.index);
    let leaves = tree.leaves.forecast_leaves(season).chain(opened).collect();
    let records: Vec<_> = [tree.remote].into_iter().chain(beginnings).collect();
    let mut evidence = witnessed::evidence(&tree, &records, &leaves, voices).await?;
    contradictions.append(&mut evidence.contradictions);
    let contradicting = evidence.contradicting_voices(&tree.leaves, &leaves, voices);
    let list = answers.releases().await?;
    files.recorded = recorded_releases(&tree.leaves, &list.releases);
    contradictions.extend(audit_releases(&tree.leaves, &list));
    let findings = audit_season(&tree.leaves, &evidence.times, season, &files);
    // An entry that is not signed yet may have withdrawn what is not opened now.
    let newest = list.releases.iter().map(|release| release.generation).max();
    if findings.exit_code() == 1 && newest > tree.leaves.newest_generation() {
        return Err(Interrupted::Stale(StaleTree));
    }
    let skipped = skipped_generations(&tree.leaves, &list.releases).collect();
    Ok(Audited { tree, findings, contradictions, contradicting, skipped }.report(arguments))
}

/// Reads the rows and openings of a season. Those of other seasons are read if results lack forecasts that leaves state to be of
/// this one: the publisher may have mended the season.
async fn season_files(answers: &Answers<'_>, tree: &SignedTree<'_>, season: Season) -> Result<SeasonFiles, Failure> {
    let generation = tree.leaves.newest_generation().unwrap_or_default();
    let models = answers.models(&tree.leaves).await?;
    let mut files = SeasonFiles::default();
    for model_type in ModelType::ALL {
        files.rows.extend(answers.rows((model_type, season), generation, &models).await?);
        files.openings.extend(answers.openings(model_type, season).await?);
    }
    if !lacks_rows(&tree.leaves, season, &files.rows) {
        return Ok(files);
    }
    for model_type in ModelType::ALL {
        for other in answers.seasons(model_type).await?.into_iter().filter(|other| *other != season) {
            let mut rows = answers.rows((model_type, other), generation, &models).await?;
            rows.retain(|row| tree.leaves.states_season(&row.game, season));
            if !rows.is_empty() {
                files.rows.extend(rows);
                files.openings.extend(answers.openings(model_type, other).await?);
            }
        }
    }
    Ok(files)
}

/// The results of an audit.
struct Audited<'r> {
    tree: SignedTree<'r>,
    findings: Findings,
    contradictions: Vec<String>,
    /// Sentences about voices that contradict the quorum.
    contradicting: Vec<String>,
    /// The numbers that no entry has.
    skipped: Vec<u64>,
}

impl Audited<'_> {
    fn report(&self, arguments: &Audit) -> Report {
        let Self { tree, findings, contradictions, contradicting, skipped } = self;
        let code = if contradictions.is_empty() { findings.exit_code() } else { 1 };
        let losses: Vec<_> = stated_losses(tree).collect();
        let mut json = json!({
            "code": code,
            "sport": arguments.sport.code(),
            "season": arguments.season,
            "size": tree.size(),
            "root": tree.root().to_string(),
            "contradictions": contradictions,
            "contradicting_voices": contradicting,
            "losses": losses.iter().map(loss_json).collect::<Vec<_>>(),
            "skipped": skipped,
            "other_seasons": findings.other_seasons.iter().map(other_season_json).collect::<Vec<_>>(),
            "elsewhere": findings.elsewhere.iter().map(elsewhere_json).collect::<Vec<_>>(),
            "findings": findings.findings.iter().map(finding_json).collect::<Vec<_>>(),
        });
        let mut lines = Vec::new();
        for (name, number) in counts(findings) {
            lines.push(format!("{name}: {number}"));
            json[name] = number.into();
        }
        lines.extend(contradictions.iter().map(|sentence| format!("contradiction: {sentence}")));
        lines.extend(contradicting.iter().map(|sentence| format!("contradicting voice: {sentence}")));
        let loss = |(generation, lost): &(u64, _)| {
            format!("loss: entry {generation} states that the tree of the checkpoint {lost} is lost")
        };
        lines.extend(losses.iter().map(loss));
        lines.extend(skipped.iter().map(|generation| format!("skipped: generation {generation} has no entry")));
        let beside = findings.other_seasons.iter();
        lines.extend(beside.map(|(season, games)| {
            format!("other season: games on its dates that the log has in {season}: {games}; audit that season, too")
        }));
        let elsewhere = findings.elsewhere.iter();
        lines.extend(elsewhere.map(|(model_type, game, season)| {
            format!("elsewhere: {game} {model_type}: its forecast is in the results of {season}")
        }));
        lines.extend(findings.findings.iter().map(ToString::to_string));
        Report::new(lines, json).ending_with(code)
    }
}

fn counts(found: &Findings) -> [(&'static str, u64); 8] {
    let count = |kind| found.count(kind) as u64;
    [
        ("games", found.games),
        ("proven", found.proven),
        ("not_attested", count(FindingKind::NotAttested)),
        ("not_recorded", found.not_recorded),
        ("missing", count(FindingKind::Missing)),
        ("differing", count(FindingKind::Differing)),
        ("withdrawn", count(FindingKind::Withdrawn)),
        ("not_committed", found.not_committed),
    ]
}

/// Returns the losses after which the record began anew: the entries, and the SHA-256 of the texts of the lost checkpoints.
fn stated_losses(tree: &SignedTree<'_>) -> impl Iterator<Item = (u64, ObjectHash)> {
    tree.leaves.leaves().iter().filter_map(|leaf| Some((leaf.generation, leaf.fact.lost_checkpoint()?)))
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "kind": finding.kind.word(),
        "model_type": finding.model_type.map(ModelType::code),
        "game": finding.game.to_string(),
        "sentence": finding.sentence,
    })
}

fn loss_json((generation, lost): &(u64, ObjectHash)) -> Value {
    json!({ "generation": generation, "checkpoint": lost.to_string() })
}

fn other_season_json((season, games): (&Season, &u64)) -> Value {
    json!({ "season": season.to_string(), "games": games })
}

fn elsewhere_json((model_type, game, season): &(ModelType, GameKey, Season)) -> Value {
    json!({ "model_type": model_type.code(), "game": game.to_string(), "season": season.to_string() })
}
