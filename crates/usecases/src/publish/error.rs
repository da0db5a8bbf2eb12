use sports_domain::Sport;
use sports_ports::PortError;
use sports_publication::slate_update::Warning;
use sports_publication::{ClockError, Generation, Problem};

/// An error that prevented publishing.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The release conflicts with the record.
    #[error("the release conflicts with the published record")]
    Problems(Vec<Problem>),
    /// The report has warnings and the mode was [`Mode::CommitUnlessWarned`](super::Mode::CommitUnlessWarned).
    #[error("there are {} warnings", .0.len())]
    Warned(Vec<Warning>),
    /// The store does not honour put-if-absent, so two publishers could overwrite each other's entries.
    #[error("the store does not honour put-if-absent, without which the publication log could be overwritten")]
    StoreOverwrites,
    /// An entry does not continue the number below it: nothing is appended to an altered record.
    #[error(
        "the record of {sport} was altered: entry {generation} does not continue the entry before it; \
         `sportsctl verify {sport}` shows where, and `sportsctl repair {sport}` moves it aside"
    )]
    BrokenRecord { sport: Sport, generation: Generation },
    /// A number above the newest entry cannot be read.
    #[error(
        "number {generation} in the log of {sport} is no entry that can be read: {reason}; restore it, or move it aside with \
         `sportsctl repair {sport}`"
    )]
    UnreadableNumber { sport: Sport, generation: Generation, reason: String },
    /// The league has no record yet; only recorded games can be settled.
    #[error("nothing is published for {0} yet: publish a release before settling its games")]
    NothingPublished(Sport),
    /// The clock is inconsistent with the record.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// Another publisher declared models since the release was read: its columns may have another meaning now.
    #[error("another publisher declared models meanwhile; read the release again")]
    OtherModels,
    /// Every attempt lost the race to another publisher.
    #[error("{0} other releases were published meanwhile; publish again")]
    Overtaken(usize),
    /// The store failed.
    #[error(transparent)]
    Port(#[from] PortError),
}
