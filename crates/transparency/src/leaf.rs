use std::cmp::Ordering;

use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_domain::{ClockSource, GameKey, ModelName, ModelType, Season, Sport};

use crate::RecordedEnding;

/// The length of the longest leaf, in bytes: what two bytes of an entry bundle can state.
pub const LEAF_LIMIT: usize = 65_535;

/// A leaf of a league's tree, in the order of kinds within one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leaf {
    /// An entry of the log; the first leaf of each entry.
    Release {
        sport: Sport,
        /// The generation of the entry.
        generation: u64,
        /// The publication instant of the entry, to the millisecond.
        published_at: DateTime<Utc>,
        /// The origin of that instant.
        clock: ClockSource,
        /// The entry that it continues; `None` for the first entry of a log.
        continues: Option<ObjectHash>,
    },
    /// A record that begins anew after a loss.
    Restart {
        sport: Sport,
        /// The generation of the entry.
        generation: u64,
        /// The SHA-256 of the text of the lost checkpoint.
        lost: ObjectHash,
    },
    /// A new version of a model.
    Model {
        sport: Sport,
        /// The generation of the entry.
        generation: u64,
        model: ModelName,
        /// The version, in the publisher's words.
        version: Option<String>,
        /// The hash that the publisher declared.
        sha256: Option<ObjectHash>,
    },
    /// Another start of a game with a live row.
    Moved {
        sport: Sport,
        /// The season of the game.
        season: Season,
        /// The generation of the entry.
        generation: u64,
        /// The game with its old start.
        from: GameKey,
        /// The game with its new start.
        to: GameKey,
    },
    /// A live row that lost its forecast.
    Withdrawn {
        sport: Sport,
        model_type: ModelType,
        /// The season of the game.
        season: Season,
        /// The generation of the entry.
        generation: u64,
        game: GameKey,
    },
    /// A forecast of this entry, as a commitment.
    Forecast {
        sport: Sport,
        model_type: ModelType,
        /// The season of the game.
        season: Season,
        /// The generation of the entry.
        generation: u64,
        game: GameKey,
        /// The commitment to salt and payload.
        commitment: ObjectHash,
    },
    /// The ending of a game with a live row came, changed or went.
    Final {
        sport: Sport,
        /// The season of the game.
        season: Season,
        /// The generation of the entry.
        generation: u64,
        game: GameKey,
        ending: RecordedEnding,
    },
}

impl Leaf {
    /// Returns the SHA-256 of the text of the lost checkpoint that the leaf states; `None` for leaves of other kinds.
    pub const fn lost_checkpoint(&self) -> Option<ObjectHash> {
        match self {
            Self::Restart { lost, .. } => Some(*lost),
            _ => None,
        }
    }

    /// Returns the word of the leaf's kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Release { .. } => "release",
            Self::Restart { .. } => "restart",
            Self::Model { .. } => "model",
            Self::Moved { .. } => "moved",
            Self::Withdrawn { .. } => "withdrawn",
            Self::Forecast { .. } => "forecast",
            Self::Final { .. } => "final",
        }
    }

    pub const fn sport(&self) -> Sport {
        match self {
            Self::Release { sport, .. }
            | Self::Restart { sport, .. }
            | Self::Model { sport, .. }
            | Self::Moved { sport, .. }
            | Self::Withdrawn { sport, .. }
            | Self::Forecast { sport, .. }
            | Self::Final { sport, .. } => *sport,
        }
    }

    /// Returns the game that the leaf is about, with its old start if it moved; `None` for leaves about something else.
    pub const fn game(&self) -> Option<&GameKey> {
        match self {
            Self::Moved { from: game, .. }
            | Self::Withdrawn { game, .. }
            | Self::Forecast { game, .. }
            | Self::Final { game, .. } => Some(game),
            Self::Release { .. } | Self::Restart { .. } | Self::Model { .. } => None,
        }
    }

    /// Returns the generation of the entry that adds the leaf.
    pub const fn generation(&self) -> u64 {
        match self {
            Self::Release { generation, .. }
            | Self::Restart { generation, .. }
            | Self::Model { generation, .. }
            | Self::Moved { generation, .. }
            | Self::Withdrawn { generation, .. }
            | Self::Forecast { generation, .. }
            | Self::Final { generation, .. } => *generation,
        }
    }

    /// Compares two leaves of one entry by their order in the tree: by kind, then by market, then by game. Models
    /// are ordered by name.
    pub fn record_order(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }

    fn rank(&self) -> (u8, Option<ModelName>, Option<ModelType>, Option<&GameKey>) {
        match self {
            Self::Release { .. } => (0, None, None, None),
            Self::Restart { .. } => (1, None, None, None),
            Self::Model { model, .. } => (2, Some(*model), None, None),
            Self::Moved { from, .. } => (3, None, None, Some(from)),
            Self::Withdrawn { model_type, game, .. } => (4, None, Some(*model_type), Some(game)),
            Self::Forecast { model_type, game, .. } => (5, None, Some(*model_type), Some(game)),
            Self::Final { game, .. } => (6, None, None, Some(game)),
        }
    }
}
