//! The backtest of a rule of one's own.

mod proof;
mod rows;

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::paging::{NoSuchTeam, SeasonChoice};
use sports_domain::{Club, GameKey, Market, ModelName, Season, TeamSlug};
use sports_ports::PortError;
use sports_publication::ForecastKind;
use sports_publication::movement::{BeforeStart, SeasonMovement};
use sports_publication::registry::ShownTo;
use sports_strategies::{Backtest, Rule, RuleBet, RuleContext, RuleError, RuleRequest, Tried};
use tokio::time::Instant;

use super::known::MovementAt;
use super::market_seasons::MarketSeasons;
use super::season_figures::{Implied, Question, QuestionKind, SeasonFigures};
use super::tracking::Evidence;
use super::{Analytics, ForecastCounts, PublishedSeason, SeasonAnalytics};
use crate::moment::LeagueMoment;
use crate::record::{PastRecord, off_thread};
use crate::results::ResultsError;
use crate::season_tables::{self, SeasonTableError, TableSubject};
use crate::season_walk::NeededParts;
use proof::Committed;
use rows::SeasonInput;

/// A rule's bets over the rows of its seasons, and their figures.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleBacktest {
    pub rule: Rule,
    pub tried: Tried,
    pub figures: Backtest,
    /// The bets, oldest first.
    pub bets: Vec<MadeBet>,
    /// The bets by the kind of their forecast.
    pub forecasts: ForecastCounts,
    /// The games of the seasons and dates that had no row then; `None` for the record.
    pub not_known_then: Option<u32>,
    pub proof: ProvenBets,
    /// The publication time of the newest archive.
    pub last_updated: DateTime<Utc>,
}

/// A bet with its game.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeBet {
    /// The game, under the start of the row.
    pub game: GameKey,
    /// The identity of the game.
    pub game_id: String,
    pub bet: RuleBet,
    /// The units up to and including this bet.
    pub total: f64,
    /// The kind of the row's forecast; `None` without one.
    pub forecast: Option<ForecastKind>,
    /// The time at which an entry of this log published the forecast of the archive's row.
    recorded_at: Option<DateTime<Utc>>,
    /// The index of the forecast's leaf in the league's tree.
    pub record_index: Option<u64>,
}

/// The bets that rest on recorded forecasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvenBets {
    /// The bets whose forecast has a leaf in the league's tree.
    pub recorded: u32,
    /// The bets among them whose leaf a cosigned or timestamped checkpoint had before the start; `None` if the checkpoints could
    /// not be listed.
    pub proven: Option<u32>,
}

/// The error for a rule that has no backtest.
#[derive(Debug, thiserror::Error)]
pub enum BacktestError {
    /// The parameters are no rule.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The market has nothing of that kind, or it cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The seasons cannot be one table.
    #[error(transparent)]
    Seasons(#[from] SeasonTableError),
    /// No game has the team.
    #[error(transparent)]
    Team(#[from] NoSuchTeam),
}

impl From<PortError> for BacktestError {
    fn from(error: PortError) -> Self {
        ResultsError::from(error).into()
    }
}

impl RuleBacktest {
    /// Returns the bets whose row has no forecast.
    pub fn without_forecast(&self) -> usize {
        self.bets.iter().filter(|bet| bet.forecast.is_none()).count()
    }

    /// Returns the paragraph on the limits of a backtest.
    pub fn note(&self) -> String {
        match self.forecasts.walk_forward {
            0 => Backtest::LIMITS.to_owned(),
            bets => format!(
                "{} {bets} of the {} bets rest on walk-forward forecasts: these show a method, not a forecast that somebody had.",
                Backtest::LIMITS,
                self.bets.len(),
            ),
        }
    }
}

impl Analytics {
    /// Returns the backtest of a rule, which parameters by name give; and the instant until which a request gets no later
    /// checkpoints, `None` if no bet can rest on a recorded forecast.
    ///
    /// # Errors
    ///
    /// [`BacktestError`] for parameters that are no rule, for a model, season or team that the league does not have, and if a part
    /// of the generation cannot be read.
    pub async fn backtest(
        &self,
        moment: &LeagueMoment,
        market: Market,
        parameters: &[(&str, &str)],
    ) -> Result<(Question<RuleBacktest>, Option<Instant>), BacktestError> {
        let published = MarketSeasons::at(moment, market)?;
        let models = moment.models_of(market.model_type, ShownTo::Subscribers).await?;
        let (names, labels): (Vec<_>, Vec<_>) = (models.names().collect(), published.labels().collect());
        let context = RuleContext {
            market,
            models: &names,
            default_model: models.default_model(),
            seasons: &labels,
            default_season: published.default_season().archive.season,
        };
        let RuleRequest { rule, tried } =
            Rule::parse(context, parameters.iter().copied()).map_err(|error| match error {
                RuleError::NoSuchModel(name) => match models.model(Some(name)) {
                    Err(error) => ResultsError::from(error).into(),
                    Ok(_) => BacktestError::from(RuleError::NoSuchModel(name)),
                },
                RuleError::NoSuchSeason(season) => {
                    let subject = TableSubject::Market(market);
                    SeasonTableError::NoSuchSeason { subject, season, known: labels.clone() }.into()
                }
                refused @ RuleError::Refused { .. } => refused.into(),
            })?;
        let choice = SeasonChoice::Listed(rule.seasons().iter().copied().collect());
        season_tables::chosen(moment, TableSubject::Market(market), &choice, rule.span())?;
        let seasons = rule.seasons().iter().map(|season| published.named(*season)).collect::<Result<Vec<_>, _>>()?;
        let opened = self.figures.open_all(&seasons).await?;
        if let Some(team) = rule.team() {
            expect_team(market, team, rule.seasons(), &opened)?;
        }
        let before = rule.hours_before().and_then(|hours| BeforeStart::of_hours(hours).ok());
        if before.is_some() && moment.requested().is_some() {
            return Err(refused(
                "hours_before",
                "cannot be combined with `as_of` or `generation`: leave one of them out",
            ));
        }
        let (mut read, mut until) = (Vec::with_capacity(seasons.len()), None);
        for (season, opened) in seasons.into_iter().zip(opened) {
            let (season, end) = self.season_of_rule(moment, season, opened, before).await?;
            read.push(season);
            until = [until, end].into_iter().flatten().min();
        }
        let declared = models.registry().own().find(|model| model.name == rule.model()).map(|model| model.declared.at);
        let question = BacktestQuestion {
            identity: rule.identity(),
            defaults: (context.default_model, context.default_season),
            tried,
            rule: Implied(rule),
            seasons: read,
            declared,
            record: Implied(Arc::clone(self.walks.record())),
        };
        Ok((Question::new(question, &self.figures), until))
    }

    /// Returns what the rows of a season are read from, and the instant until which a request gets no later checkpoints.
    async fn season_of_rule(
        &self,
        moment: &LeagueMoment,
        season: PublishedSeason,
        opened: Arc<SeasonAnalytics>,
        before: Option<BeforeStart>,
    ) -> Result<(ReadSeason, Option<Instant>), BacktestError> {
        let (market, label) = (season.archive.market, season.archive.season);
        if opened.recordings().next().is_none() {
            if before.is_some() {
                let remedy = format!(
                    "needs forecasts that this log recorded, and {label} has none: leave it out, or name other seasons"
                );
                return Err(refused("hours_before", remedy));
            }
            let (opened, evidence) = (Implied(opened), Evidence::NoTree);
            return Ok((ReadSeason { season, opened, rows: RowsAt::Imported, evidence }, None));
        }
        let movement = self.movement(moment, season, NeededParts::Predictions(market.model_type)).await?;
        let rows = match before {
            Some(before) => RowsAt::known(movement, before, moment.now()),
            None => RowsAt::Recorded(Implied(movement.into_inner())),
        };
        let (evidence, end) = self.evidence(moment, label).await;
        Ok((ReadSeason { season, opened: Implied(opened), rows, evidence }, end))
    }
}

fn refused(parameter: &str, remedy: impl Into<String>) -> BacktestError {
    RuleError::Refused { parameter: parameter.to_owned(), remedy: remedy.into() }.into()
}

/// Checks that a team is a club of the league under its name in one of the seasons, or plays in one.
fn expect_team(
    market: Market,
    team: &TeamSlug,
    seasons: &[Season],
    opened: &[Arc<SeasonAnalytics>],
) -> Result<(), BacktestError> {
    let plays = |key: &GameKey| key.home == *team || key.away == *team;
    if opened.iter().any(|season| season.keys.iter().any(plays)) {
        return Ok(());
    }
    let names =
        |club: &Club| seasons.iter().map(|season| club.name_in(*season).slug().clone()).collect::<BTreeSet<_>>();
    match (Club::named(market.sport, team).map(|(club, _)| names(club)), seasons) {
        (Some(names), _) if names.contains(team) => Ok(()),
        (Some(names), _) => {
            let names: Vec<_> = names.iter().map(TeamSlug::as_str).collect();
            Err(refused("team", format!("is no name of the club in these seasons: send {}", names.join(" or "))))
        }
        (None, [.., season]) => Err(NoSuchTeam::Unknown { market, season: *season, team: team.clone() }.into()),
        (None, []) => Ok(()),
    }
}

/// A season of a rule, and what its rows are read from.
#[derive(Hash)]
struct ReadSeason {
    season: PublishedSeason,
    /// The figures of its archive.
    opened: Implied<Arc<SeasonAnalytics>>,
    rows: RowsAt,
    evidence: Evidence,
}

/// The instant of the rows of a season.
#[derive(Hash)]
enum RowsAt {
    /// The rows of an archive without a recorded forecast.
    Imported,
    /// The rows of an archive; the movement has the places of their forecasts. It adds nothing: the rows name the releases of their
    /// forecasts.
    Recorded(Implied<Arc<SeasonMovement>>),
    /// The rows as they were known.
    Known {
        before: BeforeStart,
        movement: MovementAt,
        now: Implied<DateTime<Utc>>,
        /// The games for which that instant has passed.
        passed: usize,
    },
}

impl RowsAt {
    fn known(movement: MovementAt, before: BeforeStart, now: DateTime<Utc>) -> Self {
        let has_passed = |game: &_| SeasonMovement::known_at(game, before, now).is_some();
        let passed = movement.get().games().iter().filter(|game| has_passed(game)).count();
        Self::Known { before, movement, now: Implied(now), passed }
    }

    /// Returns the movement with the places of forecasts.
    fn movement(&self) -> Option<&Arc<SeasonMovement>> {
        match self {
            Self::Imported => None,
            Self::Recorded(movement) => Some(&movement.0),
            Self::Known { movement, .. } => Some(movement.get()),
        }
    }
}

#[derive(Hash)]
struct BacktestQuestion {
    identity: String,
    /// The model and the season that the normal form of the rule leaves out.
    defaults: (ModelName, Season),
    tried: Tried,
    rule: Implied<Rule>,
    /// In order of time.
    seasons: Vec<ReadSeason>,
    /// The time at which the model was declared: no commitment from before has its forecasts. `None` for one of the specification.
    declared: Option<DateTime<Utc>>,
    record: Implied<Arc<PastRecord>>,
}

impl QuestionKind for BacktestQuestion {
    type Answer = RuleBacktest;

    const IS_EXPENSIVE: bool = true;

    async fn answer(self, _: &SeasonFigures) -> Result<RuleBacktest, PortError> {
        let Self { tried, rule: Implied(rule), seasons, declared, record: Implied(record), .. } = self;
        let seasons = Arc::new(seasons);
        let computed = {
            let (rule, seasons) = (rule.clone(), Arc::clone(&seasons));
            move || {
                let inputs: Vec<_> = seasons.iter().map(|read| SeasonInput::new(&rule, read)).collect();
                let rows: Vec<_> = inputs.iter().map(|input| input.rows(&rule)).collect();
                let figures = Backtest::new(&rule, tried, &rows);
                let bets = made_bets(&figures, &inputs);
                let unknown = inputs.iter().map(|input| input.not_known_then(rule.span())).sum::<Option<u32>>();
                (figures, bets, unknown)
            }
        };
        let (figures, mut bets, not_known_then) = off_thread("the backtest of a rule", computed).await?;
        let committed = Committed { market: rule.market(), declared, record: &record };
        let proof = committed.prove(&mut bets, &seasons).await?;
        let last_updated = seasons.iter().map(|read| read.season.published_at).max().unwrap_or_default();
        let forecasts = counts(&bets);
        Ok(RuleBacktest { rule, tried, figures, bets, forecasts, not_known_then, proof, last_updated })
    }
}

/// Returns the bets with their games and the total after each.
fn made_bets(figures: &Backtest, inputs: &[SeasonInput]) -> Vec<MadeBet> {
    let mut total = 0.0;
    let made = figures.bets.iter().filter_map(|bet| {
        let input = inputs.iter().find(|input| input.season() == bet.season)?;
        total += bet.bet.profit();
        input.made(*bet, total)
    });
    made.collect()
}

fn counts(bets: &[MadeBet]) -> ForecastCounts {
    let mut counts = ForecastCounts::default();
    for bet in bets {
        counts.add(bet.forecast);
    }
    counts
}
