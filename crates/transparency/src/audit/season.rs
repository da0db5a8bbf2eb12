use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, SecondsFormat, Utc};
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, HomeSpread, LineColumn, ModelColumn, ModelType, OwnBlock,
    Probability, Season, Total, VoidMarkets,
};
use sports_grading::{MarketGame, Verdict};

use super::releases::{LocatedOpening, ResultRow, RowStatements};
use super::{Evidence, Finding, FindingKind};
use crate::RecordedEnding;
use crate::audit::forecast_row::{ForecastRow, RecordedReleases, RowResult};
use crate::audit::leaf_history::{StatedGame, StatedLeaves};

/// The answers of the service about one season.
#[derive(Debug, Clone, Default)]
pub struct SeasonFiles {
    /// The rows of results, in all markets; also those of other seasons of games that a leaf states to be of this one.
    pub rows: Vec<ResultRow>,
    /// The openings, in all markets.
    pub openings: Vec<LocatedOpening>,
    /// The listed releases whose forecasts have leaves, by generation.
    pub recorded: BTreeMap<u64, String>,
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
    /// The live rows of its games that are in the results of another season.
    pub elsewhere: Vec<(ModelType, GameKey, Season)>,
    /// The number of games on its dates that the log has in another season, by season.
    pub other_seasons: BTreeMap<Season, u64>,
    /// The findings, by kind.
    pub findings: Vec<Finding>,
}

impl Audit {
    /// Returns the number of findings of a kind.
    pub fn count(&self, kind: FindingKind) -> usize {
        self.findings.iter().filter(|finding| finding.kind == kind).count()
    }

    /// Returns the exit code: 1 if anything is missing or differs, else 3 if anything is not attested, else 0.
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

/// Returns `true` if results lack a live row of a forecast that a leaf states to be of a season: the row may be in another one.
pub fn lacks_rows(leaves: &StatedLeaves, season: Season, rows: &[ResultRow]) -> bool {
    let live: BTreeSet<_> =
        rows.iter().filter(|row| row.live_run.is_some()).map(|row| (row.model_type, &row.game)).collect();
    let mut games = leaves.games_of(season);
    games.any(|game| game.standing().any(|(model_type, _)| !live.contains(&(model_type, &game.key))))
}

/// Audits a season: each live row against its leaf, each leaf against the rows, and finals against their leaves.
pub fn audit_season(leaves: &StatedLeaves, evidence: &Evidence, season: Season, files: &SeasonFiles) -> Audit {
    let mut audit = Audit::default();
    for (game, sentence) in leaves.impossible_moves() {
        audit.find(FindingKind::Differing, None, game, sentence.as_str());
    }
    let live = audit_rows(&mut audit, (leaves, evidence), season, files);
    let mut rows: HashMap<&GameKey, Vec<&ResultRow>> = HashMap::new();
    for row in &files.rows {
        rows.entry(&row.game).or_default().push(row);
    }
    audit.other_seasons = leaves.games_beside(season);
    for game in leaves.games_of(season) {
        audit_game(&mut audit, game, &live);
        audit_ending(&mut audit, game, rows.get(&game.key).map_or(&[], Vec::as_slice));
    }
    audit
        .findings
        .sort_by(|one, other| (one.kind, &one.game, one.model_type).cmp(&(other.kind, &other.game, other.model_type)));
    audit
}

/// Audits each live row, and returns their markets and games.
fn audit_rows<'f>(
    audit: &mut Audit,
    (leaves, evidence): (&StatedLeaves, &Evidence),
    season: Season,
    files: &'f SeasonFiles,
) -> BTreeSet<(ModelType, &'f GameKey)> {
    let openings = files.openings.iter().filter_map(|opening| {
        let (model_type, game) = leaves.forecast(opening.index)?;
        game.has_key.then_some(((model_type, &game.key), opening))
    });
    let openings: HashMap<_, _> = openings.collect();
    let (mut live, mut opened) = (BTreeSet::new(), Vec::new());
    for row in &files.rows {
        let Some(run) = row.live_run.as_deref() else { continue };
        if !live.insert((row.model_type, &row.game)) {
            audit.find(FindingKind::Differing, Some(row.model_type), &row.game, "results have it more than once");
            continue;
        }
        if row.season != season {
            audit.elsewhere.push((row.model_type, row.game.clone(), row.season));
        }
        let opening = openings.get(&(row.model_type, &row.game)).copied();
        let forecast = ForecastRow { leaves, evidence, row, run, opening };
        let result = forecast.opens();
        opened.push((forecast, result));
    }
    let holding = opened.iter().filter(|(_, result)| matches!(result, Some(Ok(_))));
    let releases =
        RecordedReleases { listed: &files.recorded, opened: holding.map(|(forecast, _)| forecast.run).collect() };
    for (forecast, result) in &opened {
        note(audit, forecast.row, forecast.result(result, &releases));
    }
    live
}

fn note(audit: &mut Audit, row: &ResultRow, found: RowResult) {
    audit.games += 1;
    let market = Some(row.model_type);
    match found {
        RowResult::Proven { not_committed } => {
            audit.proven += 1;
            audit.not_committed += not_committed;
        }
        RowResult::NotAttested { not_committed, sentence } => {
            audit.not_committed += not_committed;
            audit.find(FindingKind::NotAttested, market, &row.game, sentence);
        }
        RowResult::NotRecorded => audit.not_recorded += 1,
        RowResult::Differs(sentence) => audit.find(FindingKind::Differing, market, &row.game, sentence),
    }
}

/// Notes the markets in which the log has a forecast of a game and results have no live row, and those in which the log withdrew the
/// forecast and results have one.
fn audit_game(audit: &mut Audit, game: &StatedGame, live: &BTreeSet<(ModelType, &GameKey)>) {
    for (model_type, stated) in &game.markets {
        if game.has_key && live.contains(&(*model_type, &game.key)) {
            if let Some(leaf) = game.withdrawal(*model_type) {
                let sentence = format!("leaf {leaf} withdrew the forecast, and results have a live row of it");
                audit.find(FindingKind::Differing, Some(*model_type), &game.key, sentence);
            }
            continue;
        }
        let Some(last) = stated.last() else { continue };
        let (kind, sentence) = if last.is_withdrawal {
            (FindingKind::Withdrawn, format!("leaf {} withdrew the forecast", last.index))
        } else {
            (FindingKind::Missing, format!("leaf {} is a forecast, and results have no live row of it", last.index))
        };
        audit.find(kind, Some(*model_type), &game.key, sentence);
    }
}

/// Compares the ending of a game in each market with its last leaf about it. Of a game without a forecast in the tree, such as one
/// that was imported, no leaf need state it.
fn audit_ending(audit: &mut Audit, game: &StatedGame, rows: &[&ResultRow]) {
    if !game.has_key || (game.markets.is_empty() && game.ending.is_none()) {
        return;
    }
    let stated = game.ending.as_ref().unwrap_or(&RecordedEnding::Gone);
    for row in rows.iter().filter(|row| row.live_run.is_some() && row.ending != *stated) {
        let sentence = format!("the ending is `{}` in results and `{stated}` in the log", row.ending);
        audit.find(FindingKind::Differing, Some(row.model_type), &game.key, sentence);
    }
}

// The statements of a row beside its numbers, which follow from its leaf, its lines and its final.

impl RowStatements {
    /// The method behind probabilities that were published before the game.
    const RECORDED: &str = "recorded";

    /// Derives the statements of a row whose forecast was published at this instant.
    pub(crate) fn of(row: &ResultRow, published_at: DateTime<Utc>) -> Self {
        let own = own_blocks(row);
        let score = match &row.ending {
            RecordedEnding::Final { score, status } => {
                let (_, void) = VoidMarkets::split(status.as_str());
                Some(*score).filter(|_| !void.contains(row.model_type))
            }
            RecordedEnding::CalledOff { .. } | RecordedEnding::Gone => None,
        };
        let game = MarketGame::new(row.model_type, &lines(row), score, forecasts(row).with_own(&own));
        let ungraded = if let Verdict::Ungraded(reason) = game.verdict() { Some(reason.code()) } else { None };
        Self {
            season: row.season.to_string(),
            published_at: Some(published_at),
            probability_source: Some(Self::RECORDED.to_owned()),
            positive_won: game.positive_won(),
            push: game.push(),
            graded: ungraded.is_none(),
            ungraded_reason: ungraded.map(str::to_owned),
        }
    }

    /// Returns a sentence about the first statement that differs from the expected one.
    pub(crate) fn difference(&self, expected: &Self) -> Option<String> {
        if self == expected {
            return None;
        }
        let differing = self.texts().into_iter().zip(expected.texts()).find(|(stated, expected)| stated != expected);
        differing.map(|((name, stated), (_, expected))| {
            format!("{name} is {stated} in results; the leaf and the final make it {expected}")
        })
    }

    fn texts(&self) -> [(&'static str, String); 7] {
        fn or_null(value: Option<impl ToString>) -> String {
            value.map_or_else(|| "null".to_owned(), |value| value.to_string())
        }
        let published_at = self.published_at.map(|instant| instant.to_rfc3339_opts(SecondsFormat::Millis, true));
        [
            ("season", self.season.clone()),
            ("forecast_published_at", or_null(published_at)),
            ("model_probability_source", or_null(self.probability_source.as_ref())),
            ("the outcome", or_null(self.positive_won)),
            ("push", or_null(self.push)),
            ("graded", self.graded.to_string()),
            ("ungraded_reason", or_null(self.ungraded_reason.as_ref())),
        ]
    }
}

/// Returns the lines and prices by which a row is graded.
fn lines(row: &ResultRow) -> GameLines {
    let number = |column: LineColumn| row.lines.get(&column).copied();
    let spread = number(LineColumn::HomePointSpread).and_then(|points| HomeSpread::new(points).ok());
    let total = number(LineColumn::OverUnder).and_then(|points| Total::new(points).ok());
    let mut lines = GameLines { spread, total, ..GameLines::default() };
    for column in LineColumn::ALL {
        // Prices are whole numbers of a few digits.
        #[expect(clippy::cast_possible_truncation, reason = "no price is served with decimals")]
        lines.set_price(column, number(column).and_then(|price| AmericanPrice::new(price as i32).ok()));
    }
    lines
}

fn forecasts(row: &ResultRow) -> Forecasts<'static> {
    let standard = ModelColumn::FORECASTS.into_iter().filter_map(|model| {
        let probability = Probability::new(*row.probabilities.get(model.name())?).ok()?;
        Some((model, probability))
    });
    standard.fold(Forecasts::default(), |forecasts, (model, probability)| forecasts.with(model, probability))
}

fn own_blocks(row: &ResultRow) -> Vec<OwnBlock> {
    let own = row.probabilities.iter().filter(|(name, _)| name.column().is_none());
    let numbers: Vec<_> = own.map(|(_, number)| *number).collect();
    let blocks = numbers.chunks(OwnBlock::default().len()).map(|chunk| {
        let mut block = [f64::NAN; 8];
        block[..chunk.len()].copy_from_slice(chunk);
        block
    });
    blocks.collect()
}
