//! Loaded seasons.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, Market, ModelName, Season};
use sports_publication::{ArtifactRef, ModelsEntry, SeasonArchive};

use crate::PortError;

/// A reference to one immutable season archive, with the hash and size of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeasonRef {
    /// The league and model type.
    pub market: Market,
    pub season: Season,
    /// The archive's object.
    pub object: ObjectHash,
    /// The size of the object, in bytes.
    pub bytes: u64,
    /// The registry whose hidden models are left out of the views of rows; `None` for all models.
    pub public_in: Option<ModelsEntry>,
}

impl SeasonRef {
    /// Creates a reference to the archive of a season, with all models, from its catalog entry.
    pub const fn from_artifact(market: Market, season: Season, artifact: &ArtifactRef) -> Self {
        Self { market, season, object: artifact.object, bytes: artifact.bytes, public_in: None }
    }
}

/// A source of views computed from season archives, such as graded and rendered rows.
///
/// # Contract
///
/// - A view depends on the archive alone: two calls for one `SeasonRef` give equal views.
/// - An archive that is missing or has another size is [`PortError::Corrupt`]; an archive that cannot be read is
///   [`PortError::Unavailable`]. Neither is ever an empty season.
/// - `cached` returns what `view` has cached, and loads nothing. A source without a cache returns `None`.
#[async_trait]
pub trait SeasonViews<V: Send + Sync>: Send + Sync {
    /// Returns the view of one season.
    async fn view(&self, season: &SeasonRef) -> Result<Arc<V>, PortError>;

    /// Returns the view of one season if it is in memory.
    async fn cached(&self, _season: &SeasonRef) -> Option<Arc<V>> {
        None
    }
}

/// A season in memory from which requests are answered.
pub trait LoadedSeason: Send + Sync + 'static {
    /// Completes a season that is about to become the current one of its market. A second call changes nothing.
    fn make_ready(&self) {}

    /// Returns the games without a final that may still get one.
    fn unsettled(&self) -> Vec<GameKey>;

    /// Returns the models with a probability of any game.
    fn forecast_models(&self) -> BTreeSet<ModelName>;
}

impl LoadedSeason for SeasonArchive {
    fn unsettled(&self) -> Vec<GameKey> {
        Self::unsettled(self).cloned().collect()
    }

    fn forecast_models(&self) -> BTreeSet<ModelName> {
        Self::forecast_models(self)
    }
}

/// The approximate memory use of a value, which lets a cache limit its size.
pub trait Weighed {
    /// Returns the bytes of the value and of everything it points to. The weight may grow while the value is used, so a
    /// cache must read it again.
    fn weight(&self) -> usize;
}
