//! The slate of a moment: published predictions and odds, and their upcoming games. No archive is opened for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::NaiveDate;
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelName, ModelType, Sport, TeamSlug, eastern_date};
use sports_ports::PortError;
use sports_publication::registry::{RegisteredModel, Registry, ShownTo};
use sports_publication::slate::{TeamNames, upcoming_floor};
use sports_publication::{ArtifactRef, Catalog, MovingSlate, Odds, PredictedGame, Predictions, PredictionsEntry};

use crate::chosen_models::{MarketModels, MissingModel};
use crate::moment::LeagueMoment;
use crate::slate_changes::SlateChanges;

/// The range of games in a query of the slate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlateScope {
    /// Games of today's slate and later.
    Upcoming,
    /// Every game of the artifact.
    Whole,
}

/// The predictions of one market that the catalog of a moment names. An answer that is in memory does not need their content.
#[derive(Clone)]
pub struct NamedPredictions {
    moment: LeagueMoment,
    model_type: ModelType,
    models: MarketModels,
    entry: PredictionsEntry,
    /// The object of newer odds whose lines are served, in a league whose predictions do not depend on odds.
    newer_odds: Option<ObjectHash>,
    floor: Option<NaiveDate>,
}

/// The predictions of one market at one moment.
pub struct CurrentPredictions {
    named: NamedPredictions,
    predictions: Arc<Predictions>,
}

/// The odds of a league that the catalog of a moment names.
#[derive(Clone)]
pub struct NamedOdds {
    moment: LeagueMoment,
    artifact: ArtifactRef,
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

/// Finds the predictions of a market, with its models as these readers see them.
///
/// # Errors
///
/// [`TodayError`] if none are available.
pub async fn predictions(
    moment: &LeagueMoment,
    market: Market,
    reach: SlateScope,
    shown_to: ShownTo,
) -> Result<NamedPredictions, TodayError> {
    let named = moment.catalog().and_then(|catalog| catalog.predictions.get(&market.model_type));
    let entry = named.ok_or(TodayError::NoPredictions(market))?;
    let floor = match reach {
        SlateScope::Whole => None,
        SlateScope::Upcoming => Some(floor(moment, entry)),
    };
    let model_type = market.model_type;
    let models = moment.models_of(model_type, shown_to).await?;
    let newer_odds = newer_odds(moment, entry, models.registry());
    Ok(NamedPredictions { moment: moment.clone(), model_type, models, entry: entry.clone(), newer_odds, floor })
}

/// Returns the object of odds whose lines are served with predictions: newer ones, in a league whose predictions do not depend on
/// odds.
fn newer_odds(moment: &LeagueMoment, entry: &PredictionsEntry, registry: &Registry) -> Option<ObjectHash> {
    let odds = moment.catalog()?.odds.as_ref()?;
    let is_newer = odds.source_as_of > entry.artifact.source_as_of;
    (is_newer && !registry.league().odds_dependent).then_some(odds.object)
}

/// Reads the predictions of a market as they are served; `None` without any.
///
/// # Errors
///
/// [`PortError`] if they cannot be read.
pub(crate) async fn served_predictions(
    moment: &LeagueMoment,
    model_type: ModelType,
) -> Result<Option<Arc<Predictions>>, PortError> {
    let Some(entry) = moment.catalog().and_then(|catalog| catalog.predictions.get(&model_type)) else {
        return Ok(None);
    };
    let newer_odds = newer_odds(moment, entry, moment.models().await?.registry());
    with_lines(moment, model_type, newer_odds).await.map(Some)
}

async fn with_lines(
    moment: &LeagueMoment,
    model_type: ModelType,
    newer_odds: Option<ObjectHash>,
) -> Result<Arc<Predictions>, PortError> {
    let predictions = moment.predictions(model_type).await?.ok_or_else(unnamed)?;
    if newer_odds.is_none() {
        return Ok(predictions);
    }
    let odds = moment.odds().await?.ok_or_else(unnamed)?;
    Ok(Arc::new(predictions.quoting(&odds)))
}

/// Returns the teams of the newest predictions of a league, and the publisher's names of teams.
///
/// # Errors
///
/// [`PortError`] if the predictions cannot be read.
pub async fn teams(moment: &LeagueMoment) -> Result<(BTreeSet<TeamSlug>, TeamNames), PortError> {
    let (mut teams, mut names) = (BTreeSet::new(), TeamNames::default());
    for model_type in ModelType::ALL {
        let Some(predictions) = moment.predictions(model_type).await? else { continue };
        let keys = predictions.games().iter().map(|game| &game.game.key);
        teams.extend(keys.flat_map(|key| [key.away.clone(), key.home.clone()]));
        teams.extend(predictions.names().iter().map(|(team, _)| team.clone()));
        names.add_all(predictions.names());
    }
    Ok((teams, names))
}

/// Finds the odds of a league.
///
/// # Errors
///
/// [`TodayError`] if none are available.
pub fn odds(moment: &LeagueMoment) -> Result<NamedOdds, TodayError> {
    let named = moment.catalog().and_then(|catalog| catalog.odds.as_ref());
    let artifact = named.ok_or(TodayError::NoOdds(moment.sport()))?.clone();
    Ok(NamedOdds { moment: moment.clone(), artifact })
}

fn floor(moment: &LeagueMoment, entry: &PredictionsEntry) -> NaiveDate {
    let completed = moment.catalog().and_then(Catalog::completed_run).map(|run| run.slate_date());
    upcoming_floor(eastern_date(moment.now()), completed, entry.artifact.slate_date)
}

impl NamedPredictions {
    /// Reads the predictions.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be read.
    pub async fn read(self) -> Result<CurrentPredictions, PortError> {
        let predictions = with_lines(&self.moment, self.model_type, self.newer_odds).await?;
        Ok(CurrentPredictions { named: self, predictions })
    }

    /// Returns the predictions' entry in the catalog.
    pub const fn entry(&self) -> &PredictionsEntry {
        &self.entry
    }

    /// Returns the first upcoming date; `None` if the range is [`SlateScope::Whole`].
    pub const fn floor(&self) -> Option<NaiveDate> {
        self.floor
    }

    /// Returns a hash of what is visible beside the published predictions: [`Self::shown_models`], and the newer odds whose
    /// lines are served. `None` without both.
    pub fn shown_beside(&self) -> Option<ObjectHash> {
        let models = self.shown_models();
        let Some(odds) = self.newer_odds else { return models };
        let parts: Vec<_> = models.into_iter().chain([odds]).map(|part| part.to_string()).collect();
        Some(ObjectHash::from_parts(parts.iter().map(String::as_bytes)))
    }

    /// Returns a hash of the names, order, audience and retirement of the market's own models: the part of their declarations
    /// that is visible beside predictions. `None` without such models.
    pub fn shown_models(&self) -> Option<ObjectHash> {
        let own = self.models.registry().own().filter(|model| model.model_types.contains(&self.model_type));
        let shown = |model: &RegisteredModel| format!("{} {} {}", model.name, model.public, model.retired.is_some());
        let shown: Vec<_> = own.map(shown).collect();
        (!shown.is_empty()).then(|| ObjectHash::from_parts(shown.iter().map(String::as_bytes)))
    }

    /// Returns the models of the league.
    pub const fn models(&self) -> &MarketModels {
        &self.models
    }
}

/// Returns the error of a moment without an object that its catalog names, which is a fault of the program.
fn unnamed() -> PortError {
    PortError::corrupt("the slate of a moment", "an object of the catalog is absent")
}

impl CurrentPredictions {
    /// Returns the games in the requested range, by date and time.
    pub fn games(&self) -> impl Iterator<Item = &PredictedGame> {
        let floor = self.named.floor;
        self.predictions.games().iter().filter(move |game| floor.is_none_or(|floor| game.game.key.date >= floor))
    }

    /// Returns the changes of the requested range since an earlier moment, whose expected values were of the same model or not.
    pub fn changes_since(&self, earlier: Option<&Self>, same_model: bool) -> SlateChanges {
        let before = earlier.into_iter().flat_map(Self::games);
        let is_alike = |game: &_, other: &_| same_model && self.predictions.is_alike(game, other);
        SlateChanges::of::<Predictions>(&Predictions::moves(before, self.games(), is_alike))
    }

    /// Returns the publisher's own models with a probability in the predictions, in order of declaration.
    pub fn own_models(&self) -> Vec<ModelName> {
        let has_value =
            |model: &ModelName| self.predictions.games().iter().any(|game| game.game.own.get(*model).is_some());
        self.named.models.registry().own().map(|model| model.name).filter(has_value).collect()
    }

    /// Returns those of [`Self::own_models`] that the public feed shows.
    pub fn public_models(&self) -> Vec<ModelName> {
        let registry = self.named.models.registry();
        let is_public = |name: &ModelName| registry.get(name.as_str()).is_some_and(|model| model.public);
        self.own_models().into_iter().filter(is_public).collect()
    }

    /// Returns the note on a model without a value in the requested range.
    pub fn missing(&self, model: ModelName) -> Option<MissingModel> {
        let valued = self.games().flat_map(|game| game.game.models()).collect();
        self.named.models.missing(model, &valued)
    }

    /// Returns the publisher's names of teams.
    pub fn names(&self) -> &TeamNames {
        self.predictions.names()
    }

    /// Returns the place of the predictions in the catalog, and the models of the league.
    pub const fn named(&self) -> &NamedPredictions {
        &self.named
    }
}

impl NamedOdds {
    /// Reads the odds.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be read.
    pub async fn read(self) -> Result<CurrentOdds, PortError> {
        let odds = self.moment.odds().await?.ok_or_else(unnamed)?;
        Ok(CurrentOdds { odds, artifact: self.artifact })
    }

    /// Returns the odds' entry in the catalog.
    pub const fn artifact(&self) -> &ArtifactRef {
        &self.artifact
    }
}

impl CurrentOdds {
    /// Returns the changes since earlier odds.
    pub fn changes_since(&self, earlier: Option<&Odds>) -> SlateChanges {
        SlateChanges::of::<Odds>(&self.odds.moves_since(earlier))
    }

    pub fn odds(&self) -> &Odds {
        &self.odds
    }

    /// Returns the odds' entry in the catalog.
    pub const fn artifact(&self) -> &ArtifactRef {
        &self.artifact
    }
}
