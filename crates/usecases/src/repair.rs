//! The repair of a log: numbers that do not continue the record are moved aside.

use sports_domain::Sport;
use sports_ledger::{Beyond, Head, Link, Newest};
use sports_ports::PortError;
use sports_ports::publication::{LogRepairs, PublicationLog, SetAside};
use sports_publication::Generation;

/// The numbers of a log that a repair moves aside.
#[derive(Debug, Clone)]
pub struct Repair {
    sport: Sport,
    /// The newest entry, which stays; `None` if no entry does.
    pub newest: Option<Generation>,
    /// The numbers, lowest first, each with the reason.
    pub moved: Vec<Beyond>,
}

/// The reason for which a log is not repaired.
#[derive(Debug, thiserror::Error)]
pub enum NotRepaired {
    /// A number may be an entry that this program or this person cannot read.
    #[error("number {generation} in the log of {sport} may be an entry of the record: {reason}")]
    MayBeAnEntry { sport: Sport, generation: Generation, reason: String },
    /// No entry is left that continues another.
    #[error("nothing is left of the record of {0} below its newest entry: restore it from a copy")]
    NothingLeft(Sport),
    /// The log cannot be read or changed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl Repair {
    /// Finds the numbers that do not continue the record.
    ///
    /// # Errors
    ///
    /// [`NotRepaired`] if a number may be an entry after all, or the log cannot be read.
    pub async fn of(log: &dyn PublicationLog, sport: Sport) -> Result<Self, NotRepaired> {
        let Head { newest, beyond: moved, .. } = Head::proven(log, sport).await?;
        if let Some(Beyond { generation, reason }) = moved.iter().find(|beyond| beyond.reason.may_be_an_entry()) {
            return Err(NotRepaired::MayBeAnEntry { sport, generation: *generation, reason: reason.to_string() });
        }
        match newest {
            Some(Newest { link: Link::Rootless, .. }) => Err(NotRepaired::NothingLeft(sport)),
            newest => Ok(Self { sport, newest: newest.map(|newest| newest.entry.catalog.generation), moved }),
        }
    }

    /// Moves the numbers aside, the highest first, so that what stays is a record at any time.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the log cannot be changed.
    pub async fn run(&self, repairs: &dyn LogRepairs) -> Result<Vec<SetAside>, PortError> {
        let mut moved = Vec::new();
        for beyond in self.moved.iter().rev() {
            moved.push(repairs.set_aside(self.sport, beyond.generation).await?);
        }
        moved.reverse();
        Ok(moved)
    }
}
