use sports_domain::Sport;
use sports_publication::Generation;

use crate::game_histories::SeveralGames;

/// The reason for which a forecast has no proof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoProof {
    /// The game is unknown, or it has no forecast in this market.
    #[error("No forecast of that game is on record")]
    NeverMade,
    /// The name is of several games.
    #[error(transparent)]
    SeveralGames(#[from] SeveralGames),
    /// No entry of this log made the forecast.
    #[error("That forecast was imported: the record has no commitment to it")]
    Imported,
    /// An entry without a tree made the forecast.
    #[error("That forecast was published before the record kept commitments (generation {0})")]
    BeforeTree(Generation),
    /// No signed checkpoint has the leaf yet.
    #[error("That forecast is in no signed checkpoint of {0} yet")]
    NotSigned(Sport),
    /// No checkpoint of the requested size is signed.
    #[error("No signed checkpoint of {sport} has the size {size}")]
    NoSuchSize {
        sport: Sport,
        /// The requested size.
        size: u64,
    },
    /// The requested tree ends before the leaf.
    #[error("The tree of size {size} does not have that forecast: it is leaf {index}")]
    BeforeLeaf {
        /// The requested size.
        size: u64,
        /// The index of the leaf.
        index: u64,
    },
}
