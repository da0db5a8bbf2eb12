//! The times of a league's entries: finds the entry that was the newest at an instant, or that added a leaf to the tree.

mod facts;
mod neighbours;
mod search;

use std::sync::{Arc, Mutex};

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::Generation;

use facts::{Facts, lock};
use neighbours::Neighbours;
use search::{Direct, Search};

pub(crate) use facts::{Dated, Sought, Undated};

/// The known times of one league's log.
#[derive(Default)]
pub(crate) struct Timeline {
    numbers: Mutex<Arc<Vec<Generation>>>,
    facts: Facts,
}

impl Timeline {
    /// Finds an entry in memory; `None` if the store has to be read.
    pub(crate) async fn known(
        &self,
        sport: Sport,
        newest: Generation,
        sought: Sought,
    ) -> Option<Result<Dated, Undated>> {
        let numbers = Arc::clone(&*lock(&self.numbers));
        if numbers.last().is_none_or(|last| *last < newest) {
            return None;
        }
        match Search::new(&self.facts, None, sport, numbers, newest).direct(sought).await.ok()? {
            Direct::Found(found) => Some(found),
            Direct::Near(_) | Direct::Free(..) => None,
        }
    }

    /// Finds an entry, reading those that are not in memory. `newest` is an entry of the record; the numbers above the
    /// known ones are listed if it is not among them, or if `lists`.
    pub(crate) async fn find(
        &self,
        log: &dyn PublicationLog,
        sport: Sport,
        newest: Generation,
        sought: Sought,
        lists: bool,
    ) -> Result<Result<Dated, Undated>, PortError> {
        let numbers = self.listed(log, sport, newest, lists).await?;
        let found = self.found(log, sport, Arc::clone(&numbers), newest, sought).await?;
        if !matches!(found, Err(Undated::Unreadable(_))) || !has_gap(&numbers) {
            return Ok(found);
        }
        // An entry that was lost may be back.
        let again = Arc::new(log.numbers(sport).await?);
        if again == numbers {
            return Ok(found);
        }
        *lock(&self.numbers) = Arc::clone(&again);
        self.found(log, sport, again, newest, sought).await
    }

    async fn found(
        &self,
        log: &dyn PublicationLog,
        sport: Sport,
        numbers: Arc<Vec<Generation>>,
        newest: Generation,
        sought: Sought,
    ) -> Result<Result<Dated, Undated>, PortError> {
        let mut search = Search::new(&self.facts, Some(log), sport, numbers, newest);
        let near = match search.direct(sought).await? {
            Direct::Found(found) => return Ok(found),
            Direct::Free(number, next) => return Neighbours::of(&mut search, log, next).free(number).await.map(Err),
            Direct::Near(index) => index,
        };
        let neighbours = Neighbours::of(&mut search, log, near);
        match sought {
            Sought::At(_) | Sought::Leaf(_) => neighbours.at(sought).await,
            Sought::Number(_) => neighbours.numbered().await,
        }
    }

    async fn listed(
        &self,
        log: &dyn PublicationLog,
        sport: Sport,
        newest: Generation,
        lists: bool,
    ) -> Result<Arc<Vec<Generation>>, PortError> {
        let numbers = Arc::clone(&*lock(&self.numbers));
        let listed = match numbers.last() {
            None => log.numbers(sport).await?,
            Some(last) if lists || *last < newest => {
                let from = newest.min(*last);
                let above = log.numbers_after(sport, from).await?;
                numbers.iter().copied().take_while(|number| *number <= from).chain(above).collect()
            }
            Some(_) => return Ok(numbers),
        };
        let listed = Arc::new(listed);
        *lock(&self.numbers) = Arc::clone(&listed);
        Ok(listed)
    }
}

/// Returns true if a number between these is free.
fn has_gap(numbers: &[Generation]) -> bool {
    numbers.windows(2).any(|pair| pair[1].previous() != Some(pair[0]))
}
