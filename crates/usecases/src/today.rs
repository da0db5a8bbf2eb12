//! The slate of a moment: published predictions and odds, and their upcoming games. No archive is opened for it.

use std::sync::Arc;

use chrono::NaiveDate;
use sports_content::ObjectHash;
use sports_domain::{Market, ModelName, Sport, eastern_date};
use sports_ports::PortError;
use sports_publication::{ArtifactRef, Catalog, Odds, PredictedGame, Predictions, PredictionsEntry};
use sports_slate::{TeamNames, upcoming_floor};

use crate::chosen_models::LeagueRegistry;
use crate::moment::LeagueMoment;

/// The range of games in a query of the slate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlateScope {
    /// Games of today's slate and later.
    Upcoming,
    /// Every game of the artifact.
    Whole,
}

/// The predictions of one market at one moment.
pub struct CurrentPredictions {
    models: LeagueRegistry,
    predictions: Arc<Predictions>,
    entry: PredictionsEntry,
    floor: Option<NaiveDate>,
    registry: Option<ObjectHash>,
}

/// The odds of a league at one moment.
pub struct CurrentOdds {
    odds: Arc<Odds>,
    artifact: ArtifactRef,
}

/// An error in a query of the slate.
#[derive(Debug, thiserror::Error)]
pub enum TodayError {
    /// The slate of the moment cannot be read.
    #[error(transparent)]
    Unreadable(#[from] PortError),
    /// No predictions of the market were ever published.
    #[error("no predictions are published for {0}")]
    NoPredictions(Market),
    /// No odds of the league were ever published.
    #[error("no odds are published for {0}")]
    NoOdds(Sport),
}

/// Returns the predictions of a market.
///
/// # Errors
///
/// [`TodayError`] if none are available.
pub async fn predictions(
    moment: &LeagueMoment,
    market: Market,
    reach: SlateScope,
) -> Result<CurrentPredictions, TodayError> {
    let missing = || TodayError::NoPredictions(market);
    let entry = moment.catalog().and_then(|catalog| catalog.predictions.get(&market.model_type)).ok_or_else(missing)?;
    let predictions = moment.predictions(market.model_type).await?.ok_or_else(missing)?;
    let floor = match reach {
        SlateScope::Whole => None,
        SlateScope::Upcoming => Some(floor(moment, entry)),
    };
    let registry = moment.catalog().and_then(|catalog| catalog.models.as_ref()).map(|models| models.object);
    Ok(CurrentPredictions { models: moment.models().await?, predictions, entry: entry.clone(), floor, registry })
}

/// Returns the odds of a league.
///
/// # Errors
///
/// [`TodayError`] if none are available.
pub async fn odds(moment: &LeagueMoment) -> Result<CurrentOdds, TodayError> {
    let missing = || TodayError::NoOdds(moment.sport());
    let artifact = moment.catalog().and_then(|catalog| catalog.odds.clone()).ok_or_else(missing)?;
    let odds = moment.odds().await?.ok_or_else(missing)?;
    Ok(CurrentOdds { odds, artifact })
}

fn floor(moment: &LeagueMoment, entry: &PredictionsEntry) -> NaiveDate {
    let completed = moment.catalog().and_then(Catalog::completed_run).map(|run| run.slate_date());
    upcoming_floor(eastern_date(moment.now()), completed, entry.artifact.slate_date)
}

impl CurrentPredictions {
    /// Returns the games in the requested range, by date and time.
    pub fn games(&self) -> impl Iterator<Item = &PredictedGame> {
        self.predictions.games().iter().filter(|game| self.floor.is_none_or(|floor| game.game.key.date >= floor))
    }

    /// Returns the publisher's own models with a probability in the predictions, in order of declaration.
    #[must_use]
    pub fn own_models(&self) -> Vec<ModelName> {
        let has_value =
            |model: &ModelName| self.predictions.games().iter().any(|game| game.game.own.get(*model).is_some());
        self.models.registry().own().map(|model| model.name).filter(has_value).collect()
    }

    /// Returns those of [`Self::own_models`] that the public feed shows.
    #[must_use]
    pub fn public_models(&self) -> Vec<ModelName> {
        let is_public = |name: &ModelName| self.models.registry().get(name.as_str()).is_some_and(|model| model.public);
        self.own_models().into_iter().filter(is_public).collect()
    }

    /// Returns the publisher's names of teams.
    #[must_use]
    pub fn names(&self) -> &TeamNames {
        self.predictions.names()
    }

    /// Returns the predictions' entry in the catalog.
    #[must_use]
    pub const fn entry(&self) -> &PredictionsEntry {
        &self.entry
    }

    /// Returns the first upcoming date; `None` if the range is [`SlateScope::Whole`].
    #[must_use]
    pub const fn floor(&self) -> Option<NaiveDate> {
        self.floor
    }

    /// Returns the object with the models of the league; `None` while nothing is declared.
    #[must_use]
    pub const fn registry(&self) -> Option<ObjectHash> {
        self.registry
    }

    /// Returns the models of the league.
    #[must_use]
    pub const fn models(&self) -> &LeagueRegistry {
        &self.models
    }
}

impl CurrentOdds {
    /// Returns the odds.
    #[must_use]
    pub fn odds(&self) -> &Odds {
        &self.odds
    }

    /// Returns the odds' entry in the catalog.
    #[must_use]
    pub const fn artifact(&self) -> &ArtifactRef {
        &self.artifact
    }
}
