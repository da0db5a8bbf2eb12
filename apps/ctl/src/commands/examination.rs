//! The findings in a release before anything is written, and the report of the seasons that it changes.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use sports_domain::{ModelType, Season};
use sports_publication::findings::{Finding, FindingKind, MarketReport, ModelRecord, Severity, examine};
use sports_publication::{Catalog, Override, Release, SeasonArchives};
use sports_usecases::live_season::archives_of;
use sports_usecases::publish::{Published, Requested, SeasonChange};
use sports_usecases::record::newest_entry;

use crate::cli::Publish;
use crate::failure::Failure;
use crate::places::Store;

/// The result of examining a release that may be published.
#[derive(Debug, Default)]
pub struct Examination {
    /// The findings that do not refuse the release.
    pub warnings: Vec<String>,
    /// The overrides that were needed, and the seasons to replace.
    pub requested: Requested,
    /// The findings as JSON.
    pub findings: Vec<Value>,
    /// The seasons whose contents are reported.
    reported: BTreeSet<Season>,
}

impl Examination {
    /// Returns the reports of the seasons that are reported: all of them with `--dry-run`, else those that are new or replaced.
    pub fn reports<'p>(&self, published: &'p Published) -> impl Iterator<Item = &'p MarketReport> {
        let is_reported = |change: &&SeasonChange| self.reported.contains(&change.season);
        published.seasons.iter().filter(is_reported).map(|change| &change.report)
    }
}

/// Examines a release against the record.
pub async fn of(store: &Store, publish: &Publish, release: &Release) -> Result<Examination, Failure> {
    let replace = publish.replace_season.iter().map(|label| Season::parse(release.sport, label));
    let replace: BTreeSet<Season> = replace.collect::<Result<_, _>>().map_err(Failure::bad_input)?;
    let newest = if release.history.is_empty() {
        None
    } else {
        newest_entry(&*store.log, release.sport).await.map_err(Failure::other)?.map(|entry| entry.catalog)
    };
    let record = match &newest {
        Some(catalog) => {
            let wanted = |place| is_compared(release, &replace, catalog, place);
            archives_of(&store.archives, catalog, wanted).await.map_err(Failure::other)?
        }
        None => SeasonArchives::new(),
    };
    let mut examination = judged(&examine(release, &record), &publish.allow)?;
    let is_first = |season: &Season| !newest.iter().any(|catalog| has_season(catalog, *season));
    let is_reported = |season: &Season| publish.dry_run || is_first(season) || replace.contains(season);
    examination.reported = release.history.iter().map(|history| history.season).filter(is_reported).collect();
    examination.requested.replace = replace;
    Ok(examination)
}

/// Returns true for the archives that a release is compared with: one market of each season, because games and finals are the
/// same in all. A season that is replaced is not compared.
fn is_compared(
    release: &Release,
    replace: &BTreeSet<Season>,
    catalog: &Catalog,
    (model_type, season): (ModelType, Season),
) -> bool {
    let first = ModelType::ALL.into_iter().find(|model_type| catalog.results.contains_key(&(*model_type, season)));
    let is_listed = release.history.iter().any(|history| history.season == season);
    is_listed && !replace.contains(&season) && first == Some(model_type)
}

fn has_season(catalog: &Catalog, season: Season) -> bool {
    catalog.results.keys().any(|(_, of)| *of == season)
}

/// Divides findings into refusals, which are the failure, and warnings. An overridden refusal is a warning, and so is an
/// override that was not needed.
fn judged(findings: &[Finding], allowed: &[Override]) -> Result<Examination, Failure> {
    let overridden = |finding: &Finding| finding.kind.overridden_by().filter(|name| allowed.contains(name));
    let (refusals, others): (Vec<_>, Vec<_>) =
        findings.iter().partition(|finding| finding.severity == Severity::Refusal && overridden(finding).is_none());
    if !refusals.is_empty() {
        return Err(Failure::Refused {
            message: "nothing was published: the files look wrong as a whole",
            lines: refusals.iter().map(ToString::to_string).collect(),
            json: refusals.into_iter().map(finding_json).collect(),
        });
    }
    // Placeholders are published either way, as starts if that is allowed.
    let is_lifted =
        |finding: &&&Finding| finding.severity == Severity::Refusal || finding.kind == FindingKind::PlaceholderStart;
    let overrides: BTreeSet<Override> =
        others.iter().filter(is_lifted).filter_map(|finding| overridden(finding)).collect();
    let unneeded = allowed.iter().filter(|name| !overrides.contains(name));
    let unneeded = unneeded.map(|name| format!("--allow {name} was not needed and is not recorded"));
    let warnings = others.iter().map(ToString::to_string).chain(unneeded).collect();
    let findings = others.into_iter().map(finding_json).collect();
    let requested = Requested { overrides, ..Requested::default() };
    Ok(Examination { warnings, requested, findings, ..Examination::default() })
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "finding": finding.kind.name(),
        "severity": finding.severity.word(),
        "season": finding.season.map(|season| season.to_string()),
        "file": finding.file,
        "message": finding.message,
    })
}

/// Formats the contents of an archive as JSON.
pub fn market_json(market: &MarketReport) -> Value {
    let mut json = json!({
        "season": market.season.to_string(),
        "model_type": market.model_type.code(),
        "pushes": market.pushes,
        "mean_vig": market.mean_vig,
        "ungraded": market.ungraded.iter().map(|(reason, count)| (reason.code().to_owned(), json!(count))).collect::<Map<_, _>>(),
        "models": market.models.iter().map(model_json).collect::<Vec<_>>(),
    });
    for (name, count) in &market.counts {
        json[*name] = (*count).into();
    }
    let (name, share) = market.share;
    json[name.replace(' ', "_")] = json!(share);
    json
}

fn model_json(record: &ModelRecord) -> Value {
    json!({
        "model": record.model.as_str(),
        "wins": record.wins,
        "losses": record.losses,
        "brier": record.brier,
        "market_brier": record.market_brier,
    })
}
