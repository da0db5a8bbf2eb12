use std::collections::{BTreeSet, HashMap};

use sports_domain::{GameKey, ModelType, Season};

use crate::RecordedEnding;
use crate::audit::evidence::Evidence;
use crate::audit::finding::{Finding, FindingKind};
use crate::audit::forecast_row::{ForecastRow, RowVerdict};
use crate::audit::leaf_history::{StatedGame, StatedLeaves};
use crate::audit::row::{LocatedOpening, ResultRow};

/// The answers of the service about one season.
#[derive(Debug, Clone, Default)]
pub struct SeasonFiles {
    /// The rows of results, in all markets.
    pub rows: Vec<ResultRow>,
    /// The openings, in all markets.
    pub openings: Vec<LocatedOpening>,
    /// The releases whose forecasts have leaves.
    pub recorded: BTreeSet<String>,
}

/// The result of an audit of a season.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Audit {
    /// The number of live rows.
    pub games: u64,
    /// The number of rows whose forecast a trusted witness had received before the start.
    pub proven: u64,
    /// The number of rows that the log did not record: from before its tree, or imported as live.
    pub not_recorded: u64,
    /// The number of values of models that were declared after the forecast was recorded.
    pub not_committed: u64,
    /// The findings, by kind.
    pub findings: Vec<Finding>,
}

impl Audit {
    /// Returns the number of findings of a kind.
    #[must_use]
    pub fn count(&self, kind: FindingKind) -> usize {
        self.findings.iter().filter(|finding| finding.kind == kind).count()
    }

    /// Returns the exit code: 1 if anything is missing or differs, else 3 if anything is not attested, else 0.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let has = |kind| self.count(kind) > 0;
        match (has(FindingKind::Missing) || has(FindingKind::Differing), has(FindingKind::NotAttested)) {
            (true, _) => 1,
            (false, true) => 3,
            (false, false) => 0,
        }
    }

    fn find(&mut self, kind: FindingKind, model_type: Option<ModelType>, game: &GameKey, sentence: impl Into<String>) {
        self.findings.push(Finding { kind, model_type, game: game.clone(), sentence: sentence.into() });
    }
}

/// Audits a season: each live row against its leaf, each leaf against the rows, and finals against their leaves.
#[must_use]
pub fn audit_season(leaves: &StatedLeaves, evidence: &Evidence, season: Season, files: &SeasonFiles) -> Audit {
    let mut audit = Audit::default();
    let openings = files.openings.iter().filter_map(|opening| {
        let (model_type, game) = leaves.forecast(opening.index)?;
        Some(((model_type, &game.key), opening))
    });
    let openings: HashMap<_, _> = openings.collect();
    let mut live = BTreeSet::new();
    let mut rows: HashMap<&GameKey, Vec<&ResultRow>> = HashMap::new();
    for row in &files.rows {
        rows.entry(&row.game).or_default().push(row);
        let Some(run) = row.live_run.as_deref() else { continue };
        live.insert((row.model_type, &row.game));
        let opening = openings.get(&(row.model_type, &row.game)).copied();
        let is_recorded = files.recorded.contains(run);
        let verdict = ForecastRow { leaves, evidence, row, run, is_recorded, opening }.verdict();
        note(&mut audit, row, verdict);
    }
    for game in leaves.games_of(season) {
        audit_game(&mut audit, game, &live);
        audit_ending(&mut audit, game, rows.get(&game.key).map_or(&[], Vec::as_slice));
    }
    audit
        .findings
        .sort_by(|one, other| (one.kind, &one.game, one.model_type).cmp(&(other.kind, &other.game, other.model_type)));
    audit
}

fn note(audit: &mut Audit, row: &ResultRow, verdict: RowVerdict) {
    audit.games += 1;
    let market = Some(row.model_type);
    match verdict {
        RowVerdict::Proven { not_committed } => {
            audit.proven += 1;
            audit.not_committed += not_committed;
        }
        RowVerdict::NotAttested { not_committed, sentence } => {
            audit.not_committed += not_committed;
            audit.find(FindingKind::NotAttested, market, &row.game, sentence);
        }
        RowVerdict::NotRecorded => audit.not_recorded += 1,
        RowVerdict::Differs(sentence) => audit.find(FindingKind::Differing, market, &row.game, sentence),
    }
}

/// Notes the markets in which the log has a forecast of a game, and results have no live row.
fn audit_game(audit: &mut Audit, game: &StatedGame, live: &BTreeSet<(ModelType, &GameKey)>) {
    for (model_type, stated) in &game.markets {
        let Some(last) = stated.last().filter(|_| !live.contains(&(*model_type, &game.key))) else { continue };
        let (kind, sentence) = if last.is_withdrawal {
            (FindingKind::Withdrawn, format!("leaf {} withdrew the forecast", last.index))
        } else {
            (FindingKind::Missing, format!("leaf {} is a forecast, and results have no live row of it", last.index))
        };
        audit.find(kind, Some(*model_type), &game.key, sentence);
    }
}

/// Compares the ending of a game in each market with its last leaf about it.
fn audit_ending(audit: &mut Audit, game: &StatedGame, rows: &[&ResultRow]) {
    let stated = game.ending.as_ref().unwrap_or(&RecordedEnding::Gone);
    for row in rows.iter().filter(|row| row.live_run.is_some() && row.ending != *stated) {
        let sentence = format!("the ending is `{}` in results and `{stated}` in the log", row.ending);
        audit.find(FindingKind::Differing, Some(row.model_type), &game.key, sentence);
    }
}
