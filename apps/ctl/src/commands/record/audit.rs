//! The audit of a season from outside, with a customer's key.

mod answers;
mod tree;
mod witnessed;

use serde_json::{Value, json};
use sports_content::ObjectHash;
use sports_domain::{ModelType, Season};
use sports_transparency::audit::{
    Audit as Findings, Finding, FindingKind, SeasonFiles, audit_releases, audit_season, recorded_releases,
};

use super::remote::Remote;
use crate::cli::Audit;
use crate::commands::key;
use crate::failure::Failure;
use crate::report::Report;
use answers::{Answers, progress};
use tree::{SignedTree, StaleTree};

/// The number of times that everything is read, if the league publishes meanwhile.
const READS: u32 = 3;

/// Downloads checkpoints, tiles, openings, results and releases, and compares them.
pub async fn run(arguments: &Audit) -> Result<Report, Failure> {
    let season = Season::parse(arguments.sport, &arguments.season).map_err(Failure::bad_input)?;
    let key = if arguments.key == "-" { key::from_stdin()? } else { arguments.key.clone() };
    let records = Remote::of(arguments.sport, &arguments.record, Some(&key)).await?;
    for _ in 0..READS {
        match audited(arguments, season, &records).await {
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

async fn audited(arguments: &Audit, season: Season, records: &[Remote]) -> Result<Report, Interrupted> {
    let trees = SignedTree::of_each(records).await?;
    let (tree, mut contradictions) = tree::largest(trees).ok_or_else(|| Failure::bad_input("--log is missing"))?;
    let evidence = witnessed::evidence(&tree, season, &arguments.witness).await?;
    contradictions.extend(evidence.contradictions);
    let answers = Answers { remote: tree.remote, sport: arguments.sport, season };
    let generation = tree.leaves.newest_generation().unwrap_or_default();
    let own = answers.own_models().await?;
    let mut files = SeasonFiles::default();
    for model_type in ModelType::ALL {
        files.rows.extend(answers.rows(model_type, generation, &own).await?);
        files.openings.extend(answers.openings(model_type).await?);
    }
    if files.openings.iter().any(|opening| opening.index >= tree.size()) {
        return Err(Interrupted::Stale(StaleTree));
    }
    let releases = answers.releases().await?;
    files.recorded = recorded_releases(&tree.leaves, &releases);
    contradictions.extend(audit_releases(&tree.leaves, &releases));
    let findings = audit_season(&tree.leaves, &evidence.times, season, &files);
    Ok(report(arguments, &tree, &findings, &contradictions))
}

fn report(arguments: &Audit, tree: &SignedTree<'_>, found: &Findings, contradictions: &[String]) -> Report {
    let code = if contradictions.is_empty() { found.exit_code() } else { 1 };
    let count = |kind| found.count(kind);
    let counts = [
        ("games", found.games.to_string()),
        ("proven", found.proven.to_string()),
        ("not_attested", count(FindingKind::NotAttested).to_string()),
        ("not_recorded", found.not_recorded.to_string()),
        ("missing", count(FindingKind::Missing).to_string()),
        ("differing", count(FindingKind::Differing).to_string()),
        ("withdrawn", count(FindingKind::Withdrawn).to_string()),
        ("not_committed", found.not_committed.to_string()),
    ];
    let mut lines: Vec<_> = counts.iter().map(|(name, number)| format!("{name}: {number}")).collect();
    lines.extend(contradictions.iter().map(|sentence| format!("contradiction: {sentence}")));
    let losses: Vec<_> = stated_losses(tree).collect();
    let loss = |(generation, lost): &(u64, _)| {
        format!("loss: entry {generation} states that the tree of the checkpoint {lost} is lost")
    };
    lines.extend(losses.iter().map(loss));
    lines.extend(found.findings.iter().map(ToString::to_string));
    let losses =
        losses.iter().map(|(generation, lost)| json!({ "generation": generation, "checkpoint": lost.to_string() }));
    let mut json = json!({
        "code": code,
        "sport": arguments.sport.code(),
        "season": arguments.season,
        "size": tree.size(),
        "root": tree.root().to_string(),
        "contradictions": contradictions,
        "losses": losses.collect::<Vec<_>>(),
        "findings": found.findings.iter().map(finding_json).collect::<Vec<_>>(),
    });
    for (name, number) in counts {
        json[name] = number.parse::<u64>().map_or(Value::Null, Value::from);
    }
    Report::new(lines, json).ending_with(code)
}

/// Returns the losses after which the record began anew: the entries, and the SHA-256 of the texts of the lost checkpoints.
fn stated_losses(tree: &SignedTree<'_>) -> impl Iterator<Item = (u64, ObjectHash)> {
    tree.leaves.leaves().iter().filter_map(|leaf| Some((leaf.generation(), leaf.lost_checkpoint()?)))
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "kind": finding.kind.word(),
        "model_type": finding.model_type.map(ModelType::code),
        "game": finding.game.to_string(),
        "sentence": finding.sentence,
    })
}
