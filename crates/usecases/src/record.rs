//! The published record: the entries of the log, the objects they name, and the current generation of each league.

mod archives;
mod checkpoints;
mod default_models;
mod evident;
mod generations;
mod newest_tree;
mod past;
mod recent;
mod served;
mod slates;
mod tree_reader;

pub use archives::{Archives, off_thread};
pub(crate) use checkpoints::{CheckpointListing, ListedTree, Strength, checkpoints_of_size, newest_record};
pub use checkpoints::{
    CheckpointListings, ListedKey, StoredCheckpoint, StoredKeys, newest_checkpoint, published_keys, stored_checkpoints,
    stored_keys,
};
pub(crate) use default_models::Defaults;
pub use default_models::{ForecastSeasons, LeagueDefaults};
pub(crate) use evident::{CommitmentTimes, EvidentTrees};
pub use generations::{
    CurrentGenerations, CurrentSeasons, FailingGeneration, FailureKind, LeagueGeneration, NotReadYet, PinnedSeasons,
    Preparation, StoreStatus,
};
pub use newest_tree::NewestTree;
pub(crate) use past::run_queued;
pub use past::{Inline, PastGeneration, PastPart, PastRecord, WorkQueue, unreadable};
pub use served::{CheckpointsPage, FoundTile, RecordName, ServedRecords};
pub use slates::{Slates, leaves_of};
pub use sports_ledger::{EntryFacts, Ledgers, is_being_read, newest_entry};
pub(crate) use tree_reader::tile_of;
pub use tree_reader::{CachedTile, TreeHead, TreeReader};
