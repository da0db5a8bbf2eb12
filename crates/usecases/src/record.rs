//! The published record: the entries of the log, the objects they name, and the current generation of each league.

mod archives;
mod checkpoints;
mod generations;
mod kept_log;
mod newest_tree;
mod past;
mod past_archives;
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
pub use generations::{
    CurrentGenerations, CurrentSeasons, FailingGeneration, FailureKind, LeagueGeneration, NotReadYet, PinnedSeasons,
    Preparation, StoreStatus,
};
pub use kept_log::KeptLog;
pub use newest_tree::NewestTree;
pub(crate) use past::in_turn;
pub use past::{NoQueue, PastGeneration, PastPart, PastRecord, Turns, unreadable};
pub(crate) use past_archives::PastArchives;
pub use served::{CheckpointsPage, FoundTile, RecordName, ServedRecords};
pub use slates::{Slates, leaves_of};
pub use sports_ledger::{Ledgers, is_being_read, newest_entry};
pub(crate) use tree_reader::tile_of;
pub use tree_reader::{CachedTile, TreeHead, TreeReader};
