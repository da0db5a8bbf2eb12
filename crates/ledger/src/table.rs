//! The facts of a log's entries by their numbers: finds an entry by number, by instant and by leaf.
//!
//! Facts are read from the newest entry down, so the known ones have no gap. A number whose content cannot be read stays in the
//! table as such, and a lost one is missing from it: the moments and leaves between the entries beside it are unknown.

use chrono::{DateTime, Utc};
use sports_publication::Generation;

use crate::EntryFacts;

/// The key of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sought {
    /// The newest entry at an instant.
    At(DateTime<Utc>),
    /// An entry by its number.
    Number(Generation),
    /// The entry that added a leaf to the tree, by the place of the leaf.
    Leaf(u64),
}

/// An entry and its neighbours in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub facts: EntryFacts,
    /// The entry before.
    pub before: Option<Generation>,
    /// The entry after; `None` for the newest.
    pub after: Option<Generation>,
}

/// The reason for which no entry was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPlace {
    /// The ledger has no entry.
    Empty,
    /// The first entry is later than the instant, or its tree begins behind the leaf.
    BeforeFirst(DateTime<Utc>),
    /// The number is above the newest one.
    AboveNewest(Generation),
    /// The number is above the newest one and in use, and does not continue the ledger.
    NoMember,
    /// The content of this number is unknown and decides the answer.
    Unreadable(Generation),
}

/// The result of a search in the facts that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    Found(Place),
    None(NoPlace),
    /// Facts of older entries decide the answer.
    Unread,
}

impl Lookup {
    /// Returns the answer; `None` if it is not known.
    pub(crate) const fn known(self) -> Option<Result<Place, NoPlace>> {
        match self {
            Self::Found(place) => Some(Ok(place)),
            Self::None(none) => Some(Err(none)),
            Self::Unread => None,
        }
    }
}

/// The end of a run of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// The run begins at its floor.
    Floor,
    /// The ledger has no older entry.
    First,
}

/// The reason for which a run of entries is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRun {
    /// The entry that this one continues is missing.
    Hole(Generation),
    /// Facts of older entries are not read.
    Unread,
}

/// The content of a number.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content {
    Entry(EntryFacts),
    Unreadable,
}

/// The facts of a log's entries up to the newest one, lowest number first.
#[derive(Debug, Default)]
pub(crate) struct Table {
    numbers: Vec<Generation>,
    /// The contents of the highest numbers, highest first.
    known: Vec<Content>,
    /// The contents of numbers that were added above since.
    added: Vec<Content>,
}

impl Sought {
    /// Returns true if an entry is at or before the sought one. Entries without a tree are before every leaf.
    fn is_reached(self, entry: &EntryFacts) -> bool {
        match self {
            Self::At(instant) => entry.published_at <= instant,
            Self::Number(number) => entry.generation <= number,
            Self::Leaf(leaf) => entry.tree.is_none_or(|tree| tree.first <= leaf),
        }
    }

    /// Returns true if an entry is the sought one whatever follows it.
    fn is_exactly(self, entry: &EntryFacts) -> bool {
        match self {
            Self::At(instant) => entry.published_at == instant,
            Self::Number(number) => entry.generation == number,
            Self::Leaf(leaf) => entry.tree.is_some_and(|tree| (tree.first..tree.size).contains(&leaf)),
        }
    }
}

impl Table {
    /// Creates the table of a log with these numbers, of whose contents none is known.
    pub(crate) fn of_numbers(numbers: Vec<Generation>) -> Self {
        Self { known: Vec::with_capacity(numbers.len()), numbers, added: Vec::new() }
    }

    /// Returns the numbers without known content, lowest first.
    pub(crate) fn unread(&self) -> &[Generation] {
        &self.numbers[..self.read_from()]
    }

    /// Sets the content of the highest unread number.
    pub(crate) fn read(&mut self, content: Content) {
        if self.read_from() > 0 {
            self.known.push(content);
        }
    }

    /// Adds a number above all others.
    pub(crate) fn add(&mut self, number: Generation, content: Content) {
        self.numbers.push(number);
        self.added.push(content);
    }

    /// Sets the content of a number that was lost or unreadable.
    pub(crate) fn mend(&mut self, facts: EntryFacts) {
        let (number, before_added) = (facts.generation, self.numbers.len() - self.added.len());
        match self.numbers.binary_search(&number) {
            Ok(index) if index >= before_added => self.added[index - before_added] = Content::Entry(facts),
            Ok(index) if index >= self.read_from() => self.known[before_added - 1 - index] = Content::Entry(facts),
            Err(index) if index > before_added => {
                self.added.insert(index - before_added, Content::Entry(facts));
                self.numbers.insert(index, number);
            }
            Err(index) if index > self.read_from() => {
                self.known.insert(before_added - index, Content::Entry(facts));
                self.numbers.insert(index, number);
            }
            Ok(_) | Err(_) => {}
        }
    }

    /// Returns the lowest number of the log.
    pub(crate) fn lowest(&self) -> Option<Generation> {
        self.numbers.first().copied()
    }

    /// Returns the facts of the lowest number that was read.
    pub(crate) fn lowest_read(&self) -> Option<&EntryFacts> {
        self.entry(self.read_from())
    }

    /// Returns the facts of an entry, if they are known.
    pub(crate) fn facts(&self, number: Generation) -> Option<&EntryFacts> {
        self.entry(self.numbers.binary_search(&number).ok()?)
    }

    /// Finds an entry among those that are known.
    pub(crate) fn find(&self, sought: Sought) -> Lookup {
        let Some(newest) = self.numbers.last().copied() else { return Lookup::None(NoPlace::Empty) };
        if let Sought::Number(number) = sought {
            return match self.numbers.binary_search(&number) {
                Ok(index) if index < self.read_from() => Lookup::Unread,
                Ok(index) if self.entry(index).is_some() => self.place(index),
                Err(_) if number > newest => Lookup::None(NoPlace::AboveNewest(newest)),
                Ok(_) | Err(_) => Lookup::None(NoPlace::Unreadable(number)),
            };
        }
        let Some(lower) = self.last_reached(sought) else { return self.before_first() };
        let Some(entry) = self.entry(lower) else { return Lookup::Unread };
        match self.above(lower) {
            // Between entries that are not linked, one was lost.
            Some((_, upper)) if !upper.continues(entry) && !sought.is_exactly(entry) => {
                Lookup::None(NoPlace::Unreadable(upper.generation.previous().unwrap_or(Generation::FIRST)))
            }
            _ => self.place(lower),
        }
    }

    /// Returns the facts of the entries from `top` down to the first one that is a floor, oldest first. All are linked.
    pub(crate) fn run(
        &self,
        top: Generation,
        is_floor: impl Fn(&EntryFacts) -> bool,
    ) -> Result<(Vec<EntryFacts>, RunEnd), NoRun> {
        let mut index = self.numbers.binary_search(&top).map_err(|_| NoRun::Hole(top))?;
        let mut entries: Vec<EntryFacts> = Vec::new();
        let end = loop {
            if index < self.read_from() {
                return Err(NoRun::Unread);
            }
            let above = entries.last();
            let hole = || NoRun::Hole(above.map_or(top, |above| above.generation));
            let entry = self.entry(index).ok_or_else(hole)?;
            if above.is_some_and(|above| !above.continues(entry)) {
                return Err(hole());
            }
            entries.push(*entry);
            if index == 0 {
                break RunEnd::First;
            }
            if is_floor(entry) {
                break RunEnd::Floor;
            }
            index -= 1;
        };
        entries.reverse();
        Ok((entries, end))
    }

    /// Returns the numbers of which one may be the entry that was lost at a number: those up to the entries beside it, at most
    /// `most` on each side.
    pub(crate) fn hole(&self, number: Generation, most: u64) -> Vec<Generation> {
        let around = number.get().saturating_sub(most)..=number.get().saturating_add(most);
        let lost = around.filter_map(Generation::new).filter(|number| self.facts(*number).is_none());
        let floor = self.unread().last().copied();
        lost.filter(|number| Some(*number) > floor && Some(number) <= self.numbers.last()).collect()
    }

    /// Returns the index of the lowest number with known content.
    fn read_from(&self) -> usize {
        self.numbers.len() - self.added.len() - self.known.len()
    }

    fn entry(&self, index: usize) -> Option<&EntryFacts> {
        let before_added = self.numbers.len() - self.added.len();
        let content = match index.checked_sub(before_added) {
            Some(added) => self.added.get(added),
            None => self.known.get(before_added - 1 - index),
        };
        match content {
            Some(Content::Entry(facts)) => Some(facts),
            Some(Content::Unreadable) | None => None,
        }
    }

    /// Finds the last known entry at or before the sought one, by bisection.
    fn last_reached(&self, sought: Sought) -> Option<usize> {
        let (mut found, mut low, mut high) = (None, self.read_from(), self.numbers.len());
        while low < high {
            let middle = low.midpoint(high);
            match (low..=middle).rev().find_map(|index| Some((index, self.entry(index)?))) {
                Some((index, entry)) if sought.is_reached(entry) => {
                    found = Some(index);
                    low = middle + 1;
                }
                Some((index, _)) => high = index,
                None => low = middle + 1,
            }
        }
        found
    }

    /// Returns the answer to a search before the lowest known entry.
    fn before_first(&self) -> Lookup {
        let first = (self.read_from()..self.numbers.len()).find_map(|index| self.entry(index));
        match first {
            _ if self.read_from() > 0 => Lookup::Unread,
            Some(first) if first.is_first() => Lookup::None(NoPlace::BeforeFirst(first.published_at)),
            Some(first) => Lookup::None(NoPlace::Unreadable(first.generation.previous().unwrap_or(Generation::FIRST))),
            None => Lookup::None(NoPlace::Unreadable(self.numbers[0])),
        }
    }

    fn above(&self, index: usize) -> Option<(usize, &EntryFacts)> {
        (index + 1..self.numbers.len()).find_map(|index| Some((index, self.entry(index)?)))
    }

    /// Puts a known entry beside its neighbours.
    fn place(&self, index: usize) -> Lookup {
        let below = (self.read_from()..index).rev().find_map(|index| self.entry(index));
        match self.entry(index) {
            Some(facts) if below.is_some() || self.read_from() == 0 => Lookup::Found(Place {
                facts: *facts,
                before: below.map(|below| below.generation),
                after: self.above(index).map(|(_, above)| above.generation),
            }),
            _ => Lookup::Unread,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use chrono::TimeDelta;
    use proptest::prelude::*;
    use sports_domain::content::ObjectHash;
    use sports_publication::{ClockSource, LeavesEntry};
    use sports_transparency::TreeHash;

    use super::*;
    use crate::TreeFacts;

    fn number(number: u64) -> Generation {
        Generation::new(number).expect("not zero")
    }

    fn digest(number: u64) -> ObjectHash {
        ObjectHash::from_bytes(format!("entry {number}").as_bytes())
    }

    fn minute(count: u64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(count.cast_signed())
    }

    /// Returns the facts of an entry that was published ten minutes after the one before, with two leaves.
    pub(crate) fn facts(count: u64) -> EntryFacts {
        let leaves = LeavesEntry { object: digest(1000 + count), bytes: count };
        let root = TreeHash::new([7; TreeHash::LENGTH]);
        EntryFacts {
            generation: number(count),
            digest: digest(count),
            previous: (count > 1).then(|| digest(count - 1)),
            published_at: minute(10 * count),
            clock: ClockSource::System,
            tree: Some(TreeFacts { first: 2 * count - 2, size: 2 * count, root, leaves }),
        }
    }

    /// Creates the table of these entries, of which those above `unread` are known and the `damaged` ones unreadable.
    fn table(numbers: &[u64], damaged: &[u64], unread: u64) -> Table {
        let mut table = Table::of_numbers(numbers.iter().copied().map(number).collect());
        for count in numbers.iter().copied().rev().filter(|count| *count > unread) {
            let content = if damaged.contains(&count) { Content::Unreadable } else { Content::Entry(facts(count)) };
            table.read(content);
        }
        table
    }

    /// Returns the number of the entry that is found; else the reason, or nothing where facts are missing.
    fn found(table: &Table, sought: Sought) -> Result<u64, Option<NoPlace>> {
        let found = table.find(sought).known().ok_or(None)?;
        found.map(|place| place.facts.generation.get()).map_err(Some)
    }

    #[test]
    fn the_moments_and_leaves_between_the_neighbours_of_a_lost_entry_are_unknown() {
        for table in [table(&[1, 2, 3, 4, 5], &[3], 0), table(&[1, 2, 4, 5], &[], 0)] {
            let lost = Err(Some(NoPlace::Unreadable(number(3))));
            let at = [(19, Ok(1)), (20, Ok(2)), (21, lost), (30, lost), (39, lost), (40, Ok(4)), (99, Ok(5))];
            for (minutes, expected) in at {
                assert_eq!(found(&table, Sought::At(minute(minutes))), expected, "minute {minutes}");
            }
            for (leaf, expected) in [(0, Ok(1)), (3, Ok(2)), (4, lost), (5, lost), (6, Ok(4)), (9, Ok(5))] {
                assert_eq!(found(&table, Sought::Leaf(leaf)), expected, "leaf {leaf}");
            }
            assert_eq!(found(&table, Sought::Number(number(3))), lost);
            let place = Place { facts: facts(4), before: Some(number(2)), after: Some(number(5)) };
            assert_eq!(table.find(Sought::Number(number(4))), Lookup::Found(place));
            assert_eq!(table.run(number(5), |_| false), Err(NoRun::Hole(number(4))));
        }
    }

    #[test]
    fn what_older_entries_decide_is_unread_until_their_facts_are_known() {
        let partly = table(&[1, 2, 3, 4, 5], &[], 2);
        assert_eq!(found(&partly, Sought::At(minute(45))), Ok(4));
        for sought in [Sought::At(minute(35)), Sought::At(minute(5)), Sought::Number(number(3)), Sought::Leaf(0)] {
            assert_eq!(partly.find(sought), Lookup::Unread, "{sought:?}");
        }
        assert_eq!(partly.run(number(5), |_| false), Err(NoRun::Unread));
        assert_eq!(partly.unread(), [number(1), number(2)]);
    }

    #[test]
    fn the_ends_of_a_ledger_are_named() {
        let whole = table(&[1, 2, 3], &[], 0);
        assert_eq!(whole.find(Sought::At(minute(9))), Lookup::None(NoPlace::BeforeFirst(minute(10))));
        assert_eq!(whole.find(Sought::Number(number(4))), Lookup::None(NoPlace::AboveNewest(number(3))));
        assert_eq!(Table::default().find(Sought::Leaf(0)), Lookup::None(NoPlace::Empty));
        let beheaded = table(&[2, 3], &[], 0);
        assert_eq!(beheaded.find(Sought::At(minute(9))), Lookup::None(NoPlace::Unreadable(number(1))));
    }

    proptest! {
        /// A table that was read down, added to and mended in any order answers as one that was whole from the start.
        #[test]
        fn a_mended_table_equals_a_whole_one(
            many in 2..30_u64, read in 1..30_u64, lost in prop::collection::btree_set(2..30_u64, 0..5),
        ) {
            let whole = table(&(1..=many).collect::<Vec<_>>(), &[], 0);
            let lost: Vec<_> = lost.into_iter().filter(|lost| *lost < many).collect();
            let read = read.min(many);
            let listed: Vec<_> = (1..=read).filter(|count| !lost.contains(count) || *count == read).collect();
            let mut mended = table(&listed, &[], read.saturating_sub(1));
            for count in read + 1..=many {
                if lost.contains(&count) {
                    mended.add(number(count), Content::Unreadable);
                } else {
                    mended.add(number(count), Content::Entry(facts(count)));
                }
            }
            while let Some(next) = mended.unread().last().copied() {
                mended.read(Content::Entry(facts(next.get())));
            }
            for hole in lost.iter().flat_map(|lost| mended.hole(number(*lost), 40)).collect::<Vec<_>>() {
                mended.mend(facts(hole.get()));
            }
            for minutes in 0..10 * many + 20 {
                let sought = Sought::At(minute(minutes));
                prop_assert_eq!(mended.find(sought), whole.find(sought));
            }
            for count in 1..=many + 1 {
                let sought = Sought::Number(number(count));
                prop_assert_eq!(mended.find(sought), whole.find(sought));
            }
            let is_floor = |entry: &EntryFacts| entry.generation <= number(read);
            prop_assert_eq!(mended.run(number(many), is_floor), whole.run(number(many), is_floor));
        }
    }
}
