//! The backtest of a rule of one's own, from the store alone.

mod body;

use std::sync::Arc;
use std::time::Duration;

use sports_domain::{Market, Sport};
use sports_ports::results::Uncached;
use sports_ports::seasons::SeasonViews;
use sports_publication::{ForecastKind, Generation};
use sports_strategies::RuleError;
use sports_tables::{RuleBetRow, rule_bets};
use sports_usecases::analytics::{AnalyseSeasons, Analytics, BacktestError, MadeBet, SeasonAnalytics};
use sports_usecases::moment::{LeagueMoment, MomentError, Moments, RequestedMoment};
use sports_usecases::record::{CheckpointListings, CurrentGenerations, CurrentSeasons, Inline, PastRecord};
use sports_usecases::results::ResultsError;
use sports_usecases::season_tables::SeasonTableError;
use sports_usecases::season_walk::SeasonWalks;

use super::table_file::TableFile;
use crate::cli::{Backtest, flag};
use crate::failure::Failure;
use crate::places::{Places, Store};
use crate::report::Report;

/// The time for which a walk over a season may go on: nobody else waits for this program.
const PATIENCE: Duration = Duration::from_hours(24);

/// Prints the backtest of a rule, and writes its bets to a new file.
pub async fn run(places: &Places<'_>, arguments: &Backtest) -> Result<Report, Failure> {
    let Backtest { sport, model_type, rule, generation, out } = arguments;
    let file = out.as_deref().map(TableFile::new).transpose()?;
    let market = Market::new(*sport, *model_type);
    let requested = match (places.settings().clock.as_of, generation) {
        (Some(_), Some(_)) => return Err(Failure::bad_input("--as-of and --generation exclude each other")),
        (Some(instant), None) => Some(RequestedMoment::At(instant)),
        (None, number) => number.and_then(|number| Generation::new(number.get())).map(RequestedMoment::Generation),
    };
    let (analytics, moment) = opened(places, *sport, requested).await?;
    let (question, _) = analytics.backtest(&moment, market, &rule.pairs()).await?;
    let backtest = question.answer().await.map_err(Failure::other)?;
    let mut lines = body::lines(&backtest);
    if let Some(file) = file {
        file.write(rule_bets(market, backtest.bets.iter().map(row)))?;
        lines.push(format!("{}: {} bets", file.name(), backtest.bets.len()));
    }
    Ok(Report::new(lines, body::json(&backtest)))
}

/// Opens the queries of a store, and a moment of a league, by default the newest.
async fn opened(
    places: &Places<'_>,
    sport: Sport,
    requested: Option<RequestedMoment>,
) -> Result<(Analytics, LeagueMoment), Failure> {
    let store = places.existing_store().await?;
    let checkpoints = Arc::new(CheckpointListings::new(Arc::new(store.trees())));
    let Store { log, ledgers, archives, slates, .. } = store;
    let views: Arc<dyn SeasonViews<SeasonAnalytics>> = Arc::new(AnalyseSeasons(archives.clone()));
    let preparation = Arc::new(CurrentSeasons::new(Arc::clone(&views)));
    let clock = Arc::clone(&places.clock);
    let generations = CurrentGenerations::new(log, slates.clone(), preparation.clone(), Arc::clone(&clock));
    let generations = Arc::new(generations.following(ledgers));
    generations.poll_league(sport).await;
    let past = PastRecord::new(Arc::clone(&generations), Arc::new(Uncached), preparation, Arc::new(Inline));
    let past = Arc::new(past);
    let walks = SeasonWalks::new(slates, archives, Arc::clone(&past), u64::MAX, PATIENCE);
    let moments = Moments::new(past, clock);
    let now = moments.now(sport).map_err(|unread| {
        let failing = generations.status().failing;
        failing.into_iter().find(|failing| failing.sport == sport).map_or_else(
            || Failure::other(unread),
            |failing| Failure::other(format!("generation {} of {sport}: {}", failing.generation, failing.reason)),
        )
    })?;
    let moment = match requested {
        None => now,
        Some(requested) => moments.at(sport, requested).await.map_err(|error| match error {
            MomentError::Unreadable(error) => Failure::other(error),
            error => Failure::bad_input(error),
        })?,
    };
    Ok((Analytics::new(views, Arc::new(walks), checkpoints), moment))
}

fn row(made: &MadeBet) -> RuleBetRow<'_> {
    RuleBetRow {
        game: &made.game,
        game_id: &made.game_id,
        bet: &made.bet,
        total: made.total,
        forecast_source: made.forecast.map(ForecastKind::source),
        record_index: made.record_index,
    }
}

impl From<BacktestError> for Failure {
    fn from(error: BacktestError) -> Self {
        match error {
            BacktestError::Rule(RuleError::Refused { parameter, remedy }) => {
                Self::bad_input(format!("--{} {remedy}", flag(&parameter)))
            }
            BacktestError::Results(error @ (ResultsError::Unreadable(_) | ResultsError::Unwalked(_))) => {
                Self::other(error)
            }
            BacktestError::Results(ResultsError::NoSuchModel(error)) => {
                let known: Vec<_> = error.known.iter().map(ToString::to_string).collect();
                Self::bad_input(format!("{error}; it has {}", known.join(", ")))
            }
            BacktestError::Seasons(SeasonTableError::NoSuchSeason { subject, season, known }) => {
                let known: Vec<_> = known.iter().map(ToString::to_string).collect();
                Self::bad_input(format!("{subject} has no season {season} on record; it has {}", known.join(", ")))
            }
            error => Self::bad_input(error),
        }
    }
}
