//! Seasons made ready to serve.

use std::sync::Arc;

use async_trait::async_trait;
use sports_content::ObjectHash;
use sports_domain::{GameKey, Market, Season};
use sports_publication::{ArtifactRef, SeasonArchive};

use crate::PortError;

/// One immutable season archive, by what it is and the hash and size of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeasonRef {
    /// The league and model type.
    pub market: Market,
    /// The season.
    pub season: Season,
    /// The archive's object.
    pub object: ObjectHash,
    /// The size of the object, in bytes.
    pub bytes: u64,
}

impl SeasonRef {
    /// Refers to the archive of a season by what a catalog says of its object.
    #[must_use]
    pub const fn from_artifact(market: Market, season: Season, artifact: &ArtifactRef) -> Self {
        Self { market, season, object: artifact.object, bytes: artifact.bytes }
    }
}

/// Something computed from season archives, such as graded and rendered rows.
///
/// # Contract
///
/// - A view depends on the archive alone: two calls for one `SeasonRef` give equal views.
/// - An archive that is named but not there, or of another size, is [`PortError::Corrupt`], one that cannot be asked for
///   [`PortError::Unavailable`]; neither is ever an empty season.
#[async_trait]
pub trait SeasonViews<V: Send + Sync>: Send + Sync {
    /// The view of one season.
    async fn view(&self, season: &SeasonRef) -> Result<Arc<V>, PortError>;
}

/// A season as it is kept for answers.
pub trait LoadedSeason: Send + Sync + 'static {
    /// Completes a season that is about to become the current one of its market. A second call changes nothing.
    fn make_ready(&self) {}

    /// The games without a final that may still get one.
    fn unsettled(&self) -> Vec<GameKey>;
}

impl LoadedSeason for SeasonArchive {
    fn unsettled(&self) -> Vec<GameKey> {
        Self::unsettled(self).cloned().collect()
    }
}

/// How much memory a value takes, roughly, so that a cache can be bounded.
pub trait Weighed {
    /// Bytes, the value's own and those it points to. It may grow while the value is used; who bounds memory by it asks
    /// again.
    fn weight(&self) -> usize;
}
