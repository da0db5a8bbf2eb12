//! The audit of a season from outside, with a customer's key, or of what is open without one.

mod answers;
mod line;
mod lost_trees;
mod model_table;
mod tree;
mod witnessed;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, ModelName, ModelType, Season, Sport};
use sports_publisher_files::{ScheduledRow, read_schedule};
use sports_transparency::TreeHash;
use sports_transparency::audit::{
    Audit as Findings, AuditTerms, DecidedPicks, Finding, FindingKind, Schedule, ScheduledGame, SeasonFiles,
    audit_releases, audit_season, lacks_rows, recorded_releases, skipped_generations,
};

use super::remote::Remote;
use super::voices::Voices;
use crate::cli::Audit;
use crate::commands::key;
use crate::failure::Failure;
use crate::report::Report;
use answers::{Answers, PickReturns, progress};
use tree::{LargestTree, SignedTree, StaleTree};

/// The number of times that everything is read, if the league publishes meanwhile.
const READS: u32 = 3;

/// Downloads checkpoints, tiles, openings, results and releases, and compares them.
pub async fn run(arguments: &Audit, now: DateTime<Utc>) -> Result<Report, Failure> {
    let terms = Terms::of(arguments, now)?;
    let key = match arguments.key.as_deref() {
        Some("-") => Some(key::from_stdin()?),
        key => key.map(str::to_owned),
    };
    let voices = Voices::of(&arguments.trust, &arguments.record.log)?;
    let records = Remote::of(arguments.sport, &arguments.record, &voices.witnesses, key.as_deref()).await?;
    for _ in 0..READS {
        match audited(arguments, &terms, &records, &voices).await {
            Ok(report) => return Ok(report),
            Err(Interrupted::Stale(StaleTree)) => progress("The league published meanwhile: everything is read again"),
            Err(Interrupted::Failed(failure)) => return Err(failure),
        }
    }
    Err(Failure::unchecked("the newest release of the league is in no signed checkpoint yet: try again later"))
}

/// The terms of an audit, before a tree is read.
#[derive(Clone)]
struct Terms {
    sport: Sport,
    season: Season,
    now: DateTime<Utc>,
    model: Option<ModelName>,
    schedule: Option<Schedule>,
    is_public: bool,
}

impl Terms {
    fn of(arguments: &Audit, now: DateTime<Utc>) -> Result<Self, Failure> {
        let Audit { sport, season, model, schedule, .. } = arguments;
        let season = Season::parse(*sport, season).map_err(Failure::bad_input)?;
        let read = |path: &PathBuf| read_schedule(path, *sport).map_err(Failure::from);
        let games = schedule.as_ref().map(read).transpose()?;
        if games.as_ref().is_some_and(Vec::is_empty) {
            return Err(Failure::bad_input("--schedule: the file has no game"));
        }
        let scheduled = |game: ScheduledRow| ScheduledGame {
            date: game.key.date,
            time: game.key.time,
            away: game.key.away,
            home: game.key.home,
            is_called_off: game.is_called_off,
            score: game.score,
        };
        let schedule = games.map(|games| Schedule { games: games.into_iter().map(scheduled).collect() });
        Ok(Self { sport: *sport, season, now, model: *model, schedule, is_public: arguments.key.is_none() })
    }

    fn of_tree(&self, root: TreeHash) -> AuditTerms {
        let Self { sport, season, now, model, schedule, is_public } = self.clone();
        AuditTerms { sport, season, now, root, model, schedule, is_public }
    }
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

async fn audited(arguments: &Audit, terms: &Terms, records: &[Remote], voices: &Voices) -> Result<Report, Interrupted> {
    let season = terms.season;
    let (trees, missing) = SignedTree::of_each(records).await?;
    let none = || Failure::unchecked(format!("no checkpoint of {} is signed yet", missing.join(" and ")));
    let largest = tree::largest(trees).ok_or_else(none)?;
    let LargestTree { tree, beginnings, mut contradictions } = largest;
    for (kind, count) in tree.leaves.unknown_kinds() {
        progress(&format!("{count} leaves of the kind `{kind}` are passed over: a newer sportsctl knows it"));
    }
    let terms = terms.of_tree(tree.root());
    let answers = answers_about(&tree, &terms);
    if terms.is_public {
        answers.expect_public_models().await?;
    }
    let mut files = season_files(&answers, &tree, &terms).await?;
    if is_newer(&files, &answers, &tree, &terms) {
        return Err(Interrupted::Stale(StaleTree));
    }
    let mut asked = lost_trees::asked(&tree, records, &voices.addresses).await?;
    asked.unnamed.extend(missing.iter().map(|log| format!("the service has no checkpoint of {log}")));
    contradictions.extend(asked.contradictions);
    let records: Vec<_> = [tree.remote].into_iter().chain(beginnings).collect();
    let leaves = tree.leaves.leaves_about(season);
    let mut evidence = witnessed::evidence(&tree, &records, &leaves, voices).await?;
    contradictions.append(&mut evidence.contradictions);
    let contradicting = evidence.contradicting_voices(&tree.leaves, &leaves, voices);
    let (served, returns) = served(&answers, season).await?;
    // The last answer: what came after the tree is seen in it.
    let list = answers.releases().await?;
    files.recorded = recorded_releases(&tree.leaves, &list.releases);
    contradictions.extend(audit_releases(&tree.leaves, &list));
    let findings = audit_season(&tree.leaves, &evidence.times, &files, &terms);
    // An entry that is not signed yet may have withdrawn what is not opened now.
    let listed = list.releases.iter().map(|release| release.generation).max();
    let differing = model_table::contradictions(&findings.served, &served);
    let may_be_newer = findings.exit_code() == 1 || (terms.is_public && !differing.is_empty());
    if may_be_newer && listed > tree.leaves.newest_generation() {
        return Err(Interrupted::Stale(StaleTree));
    }
    contradictions.extend(differing);
    if findings.findings.iter().all(|found| found.code == 0) {
        contradictions.extend(model_table::unexplained(&findings.records, &findings.served, terms.model));
        contradictions.extend(model_table::other_returns(&findings.records, &returns));
    }
    let skipped = skipped_generations(&tree.leaves, &list.releases).collect();
    let (unnamed, newest) = (asked.unnamed, evidence.times.newest());
    Ok(Audited { tree, findings, contradictions, contradicting, unnamed, skipped, served, returns, newest }
        .report(arguments, terms.now))
}

fn answers_about<'r>(tree: &SignedTree<'r>, terms: &AuditTerms) -> Answers<'r> {
    // An earlier entry is asked for with a key alone.
    let newest = tree.leaves.newest_generation().unwrap_or_default();
    let generation = (!terms.is_public).then_some(newest);
    let markets = tree.leaves.to_open(terms.season).into_values().collect();
    Answers { remote: tree.remote, sport: terms.sport, generation, newest, markets, has_newer: AtomicBool::new(false) }
}

/// Returns true if the league has published since the tree was signed. Without a key nothing is pinned: a node that is ahead has another
/// season than the tree.
fn is_newer(files: &SeasonFiles, answers: &Answers<'_>, tree: &SignedTree<'_>, terms: &AuditTerms) -> bool {
    let is_ahead = terms.is_public && answers.has_newer.load(Ordering::Relaxed);
    is_ahead || files.openings.iter().any(|opening| opening.index >= tree.size())
}

/// Returns the picks as the service counts them, and their returns as it states them.
async fn served(answers: &Answers<'_>, season: Season) -> Result<(DecidedPicks, PickReturns), Failure> {
    let (mut served, mut returns) = (DecidedPicks::new(), PickReturns::new());
    for model_type in ModelType::ALL {
        served.extend(answers.picks(model_type, season).await?);
        returns.extend(answers.returns(model_type, season).await?);
    }
    Ok((served, returns))
}

/// Reads the rows and openings of a season. Those of other seasons are read if results lack forecasts that leaves state to be of
/// this one: the publisher may have mended the season.
async fn season_files(
    answers: &Answers<'_>,
    tree: &SignedTree<'_>,
    terms: &AuditTerms,
) -> Result<SeasonFiles, Failure> {
    let season = terms.season;
    let models = answers.models(&tree.leaves).await?;
    let mut files = SeasonFiles::default();
    for model_type in ModelType::ALL {
        files.rows.extend(answers.rows((model_type, season), &models).await?);
        files.openings.extend(answers.openings(model_type, season).await?);
    }
    let opened = tree.leaves.to_open(season);
    let made_in: BTreeSet<_> = opened.keys().filter_map(|leaf| Some(tree.leaves.leaf(*leaf)?.generation)).collect();
    if !terms.is_public {
        progress(&format!("Reading the odds of {} entries that made forecasts", made_in.len()));
        for generation in made_in {
            files.odds.insert(generation, answers.odds(generation).await?);
        }
    }
    if !lacks_rows(&tree.leaves, terms, &files.rows) {
        return Ok(files);
    }
    for model_type in ModelType::ALL {
        for other in answers.seasons(model_type).await?.into_iter().filter(|other| *other != season) {
            let mut rows = answers.rows((model_type, other), &models).await?;
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
    /// Sentences about witnesses that have another lost tree than the log may name.
    unnamed: Vec<String>,
    /// The numbers that no entry has.
    skipped: Vec<u64>,
    served: DecidedPicks,
    returns: PickReturns,
    /// The newest time of a trusted voice.
    newest: Option<u64>,
}

/// The number of findings of one kind that are printed as text; the rest are counted.
const SHOWN: usize = 20;

impl Audited<'_> {
    fn report(&self, arguments: &Audit, now: DateTime<Utc>) -> Report {
        let Self { tree, findings, contradictions, contradicting, unnamed, skipped, served, returns, newest } = self;
        let age = newest.and_then(|newest| u64::try_from(now.timestamp()).ok()?.checked_sub(newest));
        let is_old = arguments.max_age.is_some_and(|most| age.is_none_or(|age| age > most.as_secs()));
        let has_record = |model: &ModelName| findings.records.iter().any(|record| record.model == *model);
        let without = arguments.model.filter(|model| !has_record(model));
        let code = match findings.exit_code() {
            _ if !contradictions.is_empty() => 1,
            0 if is_old || !unnamed.is_empty() || without.is_some() => 3,
            code => code,
        };
        let losses: Vec<_> = stated_losses(tree).collect();
        let mut json = json!({
            "code": code,
            "sport": arguments.sport.code(),
            "season": arguments.season,
            "size": tree.size(),
            "root": tree.root().to_string(),
            "evidence_age_seconds": age,
            "contradictions": contradictions,
            "contradicting_voices": contradicting,
            "lost_trees_elsewhere": unnamed,
            "losses": losses.iter().map(loss_json).collect::<Vec<_>>(),
            "losses_in_season": findings.losses,
            "skipped": skipped,
            "other_seasons": findings.other_seasons.iter().map(other_season_json).collect::<Vec<_>>(),
            "elsewhere": findings.elsewhere.iter().map(elsewhere_json).collect::<Vec<_>>(),
            "records": model_table::json(&findings.records, (served, returns), arguments.model),
            "findings": findings.findings.iter().map(finding_json).collect::<Vec<_>>(),
        });
        let mut lines = Vec::new();
        for (name, number) in counts(findings) {
            lines.push(format!("{name}: {number}"));
            json[name] = number.into();
        }
        lines.extend(model_table::lines(&findings.records, (served, returns), arguments.model));
        lines.extend(contradictions.iter().map(|sentence| format!("contradiction: {sentence}")));
        lines.extend(contradicting.iter().map(|sentence| format!("contradicting voice: {sentence}")));
        lines.extend(self.remarks(&losses));
        lines.extend(unnamed.iter().map(|sentence| format!("lost tree elsewhere: {sentence}")));
        if is_old {
            let age = age.map_or_else(|| "there is none".to_owned(), |age| format!("it is {} old", shown_age(age)));
            lines.push(format!("max-age: the newest word of a trusted voice is too old: {age}"));
        }
        if arguments.key.is_none() {
            lines.push(
                "without a key: games that have not started, and the odds then on record, were not read".to_owned(),
            );
        }
        if let Some(model) = without {
            lines.push(format!("model: no settled forecast of this season has a value of {model}"));
        }
        if findings.proven == 0 {
            lines.push("nothing of this season is proven".to_owned());
        }
        Report::new(lines, json).ending_with(code)
    }

    /// Returns lines about the tree and about games beside the season, and the first findings of each kind.
    fn remarks(&self, losses: &[(u64, ObjectHash)]) -> Vec<String> {
        let Self { findings, skipped, .. } = self;
        let mut lines = Vec::new();
        let loss = |(generation, lost): &(u64, _)| {
            let meets =
                if findings.losses.contains(generation) { "; games of this season began meanwhile" } else { "" };
            format!("loss: entry {generation} states that the tree of the checkpoint {lost} is lost{meets}")
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
        for found in findings.findings.chunk_by(|one, other| one.kind == other.kind) {
            lines.extend(found.iter().take(SHOWN).map(ToString::to_string));
            if let Some(more) = found.len().checked_sub(SHOWN).filter(|more| *more > 0) {
                lines.push(format!("{}: … and {more} more, which --json names", found[0].kind.word()));
            }
        }
        lines
    }
}

fn shown_age(seconds: u64) -> String {
    humantime::format_duration(Duration::from_secs(seconds)).to_string()
}

/// Returns the number of rows, of proven ones, and of findings of each kind.
fn counts(found: &Findings) -> Vec<(&'static str, u64)> {
    let kinds = FindingKind::ALL.into_iter().map(|kind| {
        let values = (kind == FindingKind::NotCommitted).then_some(found.not_committed);
        (kind.word(), values.unwrap_or(found.count(kind) as u64))
    });
    [("games", found.games), ("proven", found.proven), ("not_started", found.not_started)]
        .into_iter()
        .chain(kinds)
        .collect()
}

/// Returns the losses after which the record began anew: the entries, and the SHA-256 of the texts of the lost checkpoints.
fn stated_losses(tree: &SignedTree<'_>) -> impl Iterator<Item = (u64, ObjectHash)> {
    tree.leaves.leaves().iter().filter_map(|leaf| Some((leaf.generation, leaf.fact.lost_checkpoint()?)))
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "kind": finding.kind.word(),
        "code": finding.code,
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
