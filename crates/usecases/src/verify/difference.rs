//! Differences between a log and its objects.

use std::fmt;

use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelName, ModelType, Season};
use sports_ports::PortError;
use sports_publication::Generation;

/// The first difference found by verification.
#[derive(Debug, thiserror::Error)]
pub enum Difference {
    /// A number below the newest has no entry.
    #[error("entry {0} is missing")]
    MissingEntry(Generation),
    /// An entry cannot be read.
    #[error("entry {generation} cannot be read")]
    UnreadableEntry {
        /// The number of the entry.
        generation: Generation,
        source: PortError,
    },
    /// An entry does not name the previous entry.
    #[error("entry {generation} continues {named}, but entry {before} is {found}", before = .generation.previous().map_or(0, Generation::get))]
    BrokenChain {
        /// The number of the entry.
        generation: Generation,
        /// The hash that the entry names.
        named: String,
        /// The hash of the previous entry.
        found: String,
    },
    /// An entry has the same publication time as the entry it continues.
    #[error("time stands still: entry {generation} and the entry before it were both published at {published_at}")]
    TimeStandsStill {
        /// The number of the entry.
        generation: Generation,
        /// The publication time of both entries.
        published_at: DateTime<Utc>,
    },
    /// An entry has an earlier publication time than the entry it continues.
    #[error("time runs backward: entry {generation} was published at {published_at}, the entry before it at {before}")]
    TimeRunsBackward {
        /// The number of the entry.
        generation: Generation,
        /// The publication time of the entry.
        published_at: DateTime<Utc>,
        /// The publication time of the previous entry.
        before: DateTime<Utc>,
    },
    /// An entry with a time set by hand continues an entry with a system time.
    #[error("entry {0} was published at a time set by hand, the entry before it by a machine's own clock")]
    SetAfterSystem(Generation),
    /// A tile, a signed checkpoint or a timestamp is not right.
    #[error("{name}, beside the record: {reason}")]
    RecordFile {
        /// The name of the file.
        name: String,
        reason: String,
    },
    /// A season archive is missing, altered or unreadable.
    #[error("entry {generation}: the archive of {market} {season} is missing, altered or unreadable")]
    Archive {
        /// The entry that names it.
        generation: Generation,
        /// The league and model type.
        market: Market,
        season: Season,
        source: PortError,
    },
    /// Odds, predictions or openers are missing, altered or unreadable.
    #[error("entry {generation}: its {what} are missing, altered or unreadable")]
    Slate {
        /// The entry that names them.
        generation: Generation,
        /// The affected part of the slate.
        what: SlatePart,
        source: PortError,
    },
    /// An archive's coverage differs from its entry.
    #[error("entry {generation}: the archive of {market} {season} has another coverage than the entry records")]
    Coverage {
        /// The entry that names it.
        generation: Generation,
        /// The league and model type.
        market: Market,
        season: Season,
    },
    /// An archive has a column of a model that its entry's registry does not declare for the market.
    #[error(
        "entry {generation}: the archive of {market} {season} has the column {model} of a model that is not declared"
    )]
    UndeclaredModel {
        /// The entry that names it.
        generation: Generation,
        /// The league and model type.
        market: Market,
        season: Season,
        /// The name of the column.
        model: ModelName,
    },
    /// An archive's numbers of games with a value of an own model differ from its entry.
    #[error(
        "entry {generation}: the archive of {market} {season} has {found} games with a value of {model}; the entry records {recorded}"
    )]
    ModelGames {
        /// The entry that names it.
        generation: Generation,
        /// The league and model type.
        market: Market,
        season: Season,
        model: ModelName,
        /// The number of games in the archive.
        found: usize,
        /// The number of games that the entry records.
        recorded: usize,
    },
    /// A default model of an entry is not that of its forecasts.
    #[error("entry {generation}: the default model of {market} is {found}; the entry records {recorded}")]
    DefaultModel {
        generation: Generation,
        /// The league and model type.
        market: Market,
        /// The default model by the forecasts.
        found: ModelName,
        recorded: ModelName,
    },
    /// An entry has no tree.
    #[error("entry {0} has no tree")]
    NoTree(Generation),
    /// The leaves of an entry begin elsewhere than behind the tree of the entry before.
    #[error("entry {generation}: its leaves begin at {found}; the tree of the entry before has {expected}")]
    TreeStart {
        generation: Generation,
        /// The place that the entry or its leaves state.
        found: u64,
        /// The size of the tree before.
        expected: u64,
    },
    /// An entry lacks a key that the entry before it names.
    #[error("entry {0} does not name the keys that the entry before it announces")]
    Keys(Generation),
    /// A leaf differs from what follows from the entry, the entry before and their objects.
    #[error("entry {generation}: leaf {index} of the tree is {found}; the entry and its objects make it {expected}")]
    Leaf {
        generation: Generation,
        /// The place of the leaf in the tree.
        index: u64,
        /// The stored leaf.
        found: String,
        /// The leaf that follows from the rest.
        expected: String,
    },
    /// An entry withdraws forecasts of games that had started.
    #[error("entry {generation} withdraws forecasts of games that had started: {}", .withdrawn.join("; "))]
    LateWithdrawals { generation: Generation, withdrawn: Vec<String> },
    /// Live rows of the newest archives are not what the leaves commit to.
    #[error("live rows of the newest archives differ from their leaves: {}", .0.join("; "))]
    LiveRows(Vec<String>),
    /// An entry states a loss that never was.
    #[error("entry {generation} states the loss of the checkpoint {checkpoint}: {reason}")]
    Loss {
        generation: Generation,
        /// The SHA-256 of the text of the checkpoint.
        checkpoint: ObjectHash,
        /// The reason for which it is not lost.
        reason: String,
    },
    /// The right edge of a tree differs from that of its leaves.
    #[error("entry {generation}: its tree has {found}; its leaves make {expected}")]
    Tree {
        generation: Generation,
        /// The size and root of the entry.
        found: String,
        /// The size and root of the leaves.
        expected: String,
    },
}

/// One of the JSON objects of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlatePart {
    /// Current odds.
    Odds,
    /// First quotes.
    Openers,
    Predictions(ModelType),
    /// The registry of models.
    Models,
    /// The leaves of the tree.
    Leaves,
}

impl fmt::Display for SlatePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Odds => f.write_str("odds"),
            Self::Openers => f.write_str("openers"),
            Self::Predictions(model_type) => write!(f, "predictions/{model_type}"),
            Self::Models => f.write_str("models"),
            Self::Leaves => f.write_str("leaves"),
        }
    }
}

/// An error that ended a verification.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A difference was found.
    #[error(transparent)]
    Differs(Box<Difference>),
    /// The store cannot be read.
    #[error(transparent)]
    Port(PortError),
}

impl From<Difference> for VerifyError {
    fn from(difference: Difference) -> Self {
        Self::Differs(Box::new(difference))
    }
}
