use std::sync::Arc;

use sports_domain::{ModelType, Sport};
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_publication::registry::Registry;
use sports_publication::{ArtifactRef, Catalog, Odds, Predictions, RecordHead};

use super::part::{Content, PastEntry, PastPart, another_kind};
use super::{PastRecord, name_of};
use crate::record::LeagueGeneration;
use crate::unsettled::UnsettledGames;

/// An earlier generation. Its parts are read when a query needs them.
#[derive(Clone)]
pub struct PastGeneration {
    record: Arc<PastRecord>,
    entry: PastEntry,
    /// The generation that was current at the request; its parts are not loaded twice.
    current: Arc<LeagueGeneration>,
}

impl PastGeneration {
    pub(super) const fn new(record: Arc<PastRecord>, entry: PastEntry, current: Arc<LeagueGeneration>) -> Self {
        Self { record, entry, current }
    }

    /// Returns the catalog of the entry.
    pub fn catalog(&self) -> &Catalog {
        &self.entry.entry.catalog
    }

    pub(crate) const fn entry(&self) -> &Arc<LogEntry> {
        &self.entry.entry
    }

    /// Returns the head of the tree after the entry; `None` before the tree.
    pub(crate) const fn record_head(&self) -> Option<&RecordHead> {
        self.entry.record_head.as_ref()
    }

    /// Returns true if any entry of the record was published with a time set by hand: those come first.
    pub fn is_simulated(&self) -> bool {
        self.current.simulated
    }

    /// Returns the generation that was current at the request.
    pub(crate) const fn newest(&self) -> &Arc<LeagueGeneration> {
        &self.current
    }

    fn sport(&self) -> Sport {
        self.catalog().sport
    }

    /// Returns the predictions of a market.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be read.
    pub async fn predictions(&self, model_type: ModelType) -> Result<Option<Arc<Predictions>>, PortError> {
        let Some(named) = self.catalog().predictions.get(&model_type).map(|entry| entry.artifact.clone()) else {
            return Ok(None);
        };
        if let Some(known) = self.current.known_predictions(model_type, &named) {
            return Ok(Some(known));
        }
        let (record, sport, artifact) = (Arc::clone(&self.record), self.sport(), named.clone());
        let load = async move {
            let read = record.generations.slates().predictions(sport, &artifact).await?;
            Ok(PastPart::stored(Content::Predictions(Arc::new(read)), artifact.bytes))
        };
        let part = self.record.part(name_of(&["predictions", sport.code(), &named.object.to_string()]), load).await?;
        let Content::Predictions(predictions) = &part.content else { return Err(another_kind()) };
        Ok(Some(Arc::clone(predictions)))
    }

    /// Returns the odds.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be read.
    pub async fn odds(&self) -> Result<Option<Arc<Odds>>, PortError> {
        let Some(named) = self.catalog().odds.clone() else { return Ok(None) };
        if let Some(known) = self.current.known_odds(&named) {
            return Ok(Some(known));
        }
        self.stored_odds(named).await.map(Some)
    }

    async fn stored_odds(&self, named: ArtifactRef) -> Result<Arc<Odds>, PortError> {
        let (record, sport, object) = (Arc::clone(&self.record), self.sport(), named.object.to_string());
        let load = async move {
            let read = record.generations.slates().odds(sport, &named).await?;
            Ok(PastPart::stored(Content::Odds(Arc::new(read)), named.bytes))
        };
        let part = self.record.part(name_of(&["odds", sport.code(), &object]), load).await?;
        match &part.content {
            Content::Odds(odds) => Ok(Arc::clone(odds)),
            _ => Err(another_kind()),
        }
    }

    /// Returns the registry of models.
    ///
    /// # Errors
    ///
    /// [`PortError`] if it cannot be read.
    pub async fn registry(&self) -> Result<Arc<Registry>, PortError> {
        let Some(named) = self.catalog().models else { return Ok(Arc::default()) };
        if let Some(known) = self.current.known_registry(Some(&named)) {
            return Ok(known);
        }
        let (record, sport, object) = (Arc::clone(&self.record), self.sport(), named.object.to_string());
        let load = async move {
            let read = record.generations.slates().models(sport, &named).await?;
            Ok(PastPart::stored(Content::Registry(Arc::new(read)), named.bytes))
        };
        let part = self.record.part(name_of(&["models", sport.code(), &object]), load).await?;
        match &part.content {
            Content::Registry(registry) => Ok(Arc::clone(registry)),
            _ => Err(another_kind()),
        }
    }

    /// Returns the games of the live season without an ending.
    ///
    /// # Errors
    ///
    /// [`PortError`] if an archive cannot be read.
    pub async fn unsettled(&self) -> Result<UnsettledGames, PortError> {
        self.record.unsettled(Arc::clone(&self.entry.entry)).await
    }
}
