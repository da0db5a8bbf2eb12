//! The published record: the entries of the log, the objects they name, and the current generation of each league.

mod archives;
mod checkpoint_listing;
mod checkpoints;
mod generations;
mod kept_log;
mod leaves;
mod newest_tree;
mod past;
mod past_archives;
mod past_views;
mod recent;
mod served;
mod slates;
mod threads;
mod tree_reader;

pub use archives::Archives;
pub use checkpoint_listing::CheckpointListings;
pub use checkpoints::{
    ListedKey, StoredCheckpoint, StoredKeys, newest_checkpoint, published_keys, stored_checkpoints, stored_keys,
};
pub use generations::{
    CurrentGenerations, CurrentSeasons, FailingGeneration, FailureKind, LeagueGeneration, NotReadYet, Preparation,
    StoreStatus,
};
pub use kept_log::KeptLog;
pub use leaves::leaves_of;
pub use newest_tree::NewestTree;
pub use past::{Inline, PastGeneration, PastPart, PastRecord, WorkQueue, unreadable};
pub use past_views::SplitViews;
pub use served::{CheckpointsPage, FoundTile, RecordName, ServedRecords};
pub use slates::Slates;
pub use sports_ledger::{Ledgers, is_being_read, newest_entry};
pub use threads::off_thread;
pub use tree_reader::{KeptTile, TreeHead, TreeReader};

pub(crate) use checkpoint_listing::{CheckpointListing, ListedTree};
pub(crate) use checkpoints::{Strength, checkpoints_of_size, newest_record};
pub(crate) use past::run_queued;
pub(crate) use past_archives::PastArchives;
pub(crate) use tree_reader::tile_of;
