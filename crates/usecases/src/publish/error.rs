use sports_domain::Sport;
use sports_ports::PortError;
use sports_publication::slate_update::Warning;
use sports_publication::{ClockError, Generation, Problem};

/// Why a release was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The release does not fit the record.
    #[error("the release conflicts with the published record")]
    Problems(Vec<Problem>),
    /// There are warnings, and [`Mode::CommitUnlessWarned`](super::Mode::CommitUnlessWarned) was asked for.
    #[error("there are {} warnings", .0.len())]
    Warned(Vec<Warning>),
    /// The store would let two publishers overwrite each other.
    #[error("the store does not honour put-if-absent, without which the publication log could be overwritten")]
    StoreOverwrites,
    /// The newest entry does not continue the one before it: nothing is built on an altered record.
    #[error(
        "the record of {sport} was altered: entry {generation} does not continue the entry before it; \
         `sportsctl verify {sport}` shows where"
    )]
    BrokenRecord {
        /// The league.
        sport: Sport,
        /// The newest entry.
        generation: Generation,
    },
    /// Games can only be settled once they are on record.
    #[error("nothing is published for {0} yet: publish a release before settling its games")]
    NothingPublished(Sport),
    /// The clock does not fit the record.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// Others published again and again meanwhile.
    #[error("{0} other releases were published meanwhile; publish again")]
    Overtaken(usize),
    /// The store.
    #[error(transparent)]
    Port(#[from] PortError),
}
