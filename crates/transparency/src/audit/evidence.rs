use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use crate::Quorum;

/// The instants at which trusted voices, which are witnesses and timestamp authorities, had trees of which sizes. A tree has every
/// leaf below its size.
///
/// Something is evident at an instant by which a quorum of the voices had it: one voice alone can err or lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    quorum: Quorum,
    /// The times of each voice by size, in seconds since 1970.
    voices: BTreeMap<usize, BTreeMap<u64, Times>>,
}

/// The times at which a voice stated a tree of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Times {
    first: u64,
    /// The last one at which it had no larger tree; 0 without one.
    last: u64,
}

impl Evidence {
    /// Creates evidence that needs this number of voices.
    pub const fn of_quorum(quorum: NonZeroUsize) -> Self {
        Self::needing(Quorum::Any(quorum))
    }

    /// Creates evidence that needs these voices.
    pub const fn needing(quorum: Quorum) -> Self {
        Self { quorum, voices: BTreeMap::new() }
    }

    /// Adds a verified cosignature of a witness, in seconds since 1970: the tree of this size was its largest then. A time of 0
    /// states nothing.
    pub fn add_cosignature(&mut self, voice: usize, size: u64, time: u64) {
        self.add(voice, size, Times { first: time, last: time });
    }

    /// Adds a verified timestamp, in seconds since 1970: a tree of this size was there. There may have been a larger one.
    pub fn add_timestamp(&mut self, voice: usize, size: u64, time: u64) {
        self.add(voice, size, Times { first: time, last: 0 });
    }

    fn add(&mut self, voice: usize, size: u64, times: Times) {
        if times.first > 0 {
            let known = self.voices.entry(voice).or_default().entry(size).or_insert(times);
            *known = Times { first: times.first.min(known.first), last: times.last.max(known.last) };
        }
    }

    /// Returns the earliest time by which a quorum had a leaf.
    pub fn time_of(&self, leaf: u64) -> Option<u64> {
        self.quorum.time(&self.times_of(leaf))
    }

    /// Returns the earliest time at which each voice had a leaf.
    pub fn times_of(&self, leaf: u64) -> BTreeMap<usize, u64> {
        let first = |sizes: &BTreeMap<u64, Times>| sizes.range(leaf + 1..).map(|(_, times)| times.first).min();
        self.voices.iter().filter_map(|(voice, sizes)| Some((*voice, first(sizes)?))).collect()
    }

    /// Returns `true` if the largest tree of a quorum was without a leaf at `instant` or later: so the leaf came after it.
    pub fn was_absent(&self, leaf: u64, instant: i64) -> bool {
        let is_late = |time: &u64| *time > 0 && !is_before(*time, instant);
        let last = |sizes: &BTreeMap<u64, Times>| sizes.range(..=leaf).map(|(_, times)| times.last).max();
        let absence = |(voice, sizes): (&usize, _)| Some((*voice, last(sizes).filter(is_late)?));
        self.quorum.time(&self.voices.iter().filter_map(absence).collect()).is_some()
    }

    /// Returns the newest time of a voice.
    pub fn newest(&self) -> Option<u64> {
        self.voices.values().flat_map(BTreeMap::values).map(|times| times.last.max(times.first)).max()
    }

    /// Returns the last time at which the largest trees of a quorum had at most so many leaves.
    pub(crate) fn last_of_at_most(&self, size: u64) -> Option<u64> {
        let last = |sizes: &BTreeMap<u64, Times>| sizes.range(..=size).map(|(_, times)| times.last).max();
        let before_the_end =
            |(voice, sizes): (&usize, _)| Some((*voice, u64::MAX - last(sizes).filter(|last| *last > 0)?));
        // The last time of a quorum is the first one of its voices, counted from the end.
        let times = self.voices.iter().filter_map(before_the_end).collect();
        self.quorum.time(&times).map(|time| u64::MAX - time)
    }

    /// Returns the voices that contradict a quorum that had a leaf before `start`: the first time of each is not before it.
    pub fn contradicting(&self, leaf: u64, start: i64) -> BTreeMap<usize, u64> {
        let mut times = self.times_of(leaf);
        let is_evident = self.quorum.time(&times).is_some_and(|time| is_before(time, start));
        times.retain(|_, time| is_evident && !is_before(*time, start));
        times
    }

    /// Returns `true` if a quorum had a leaf in a second before `start`.
    pub fn is_before(&self, leaf: u64, start: i64) -> bool {
        self.time_of(leaf).is_some_and(|time| is_before(time, start))
    }
}

fn is_before(time: u64, instant: i64) -> bool {
    i64::try_from(time).is_ok_and(|time| time < instant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_quorum(quorum: usize, statements: &[(usize, u64, u64)]) -> Evidence {
        let mut evidence = Evidence::of_quorum(NonZeroUsize::new(quorum).expect("a quorum"));
        for (voice, size, time) in statements {
            evidence.add_cosignature(*voice, *size, *time);
        }
        evidence
    }

    #[test]
    fn a_leaf_is_evident_when_the_last_voice_of_the_quorum_had_it() {
        let statements = [(0, 10, 100), (0, 30, 90), (1, 20, 300), (2, 20, 0)];
        let one = of_quorum(1, &statements);
        assert_eq!([one.time_of(3), one.time_of(15), one.time_of(30)], [Some(90), Some(90), None]);
        let two = of_quorum(2, &statements);
        assert_eq!([two.time_of(3), two.time_of(19), two.time_of(20)], [Some(300), Some(300), None]);
        assert_eq!(of_quorum(3, &statements).time_of(3), None, "a time of zero is none");
        assert!(two.is_before(3, 301) && !two.is_before(3, 300));
        assert_eq!(one.contradicting(3, 200), BTreeMap::from([(1, 300)]), "the other voice was late");
        assert!(one.contradicting(3, 90).is_empty() && two.contradicting(3, 200).is_empty(), "no quorum had it before");
    }

    #[test]
    fn a_leaf_was_absent_when_a_quorum_stated_a_smaller_tree() {
        let statements = [(0, 10, 100), (0, 10, 400), (1, 9, 350), (1, 20, 500)];
        assert!(of_quorum(1, &statements).was_absent(10, 400) && of_quorum(2, &statements).was_absent(10, 350));
        assert!(!of_quorum(2, &statements).was_absent(10, 351), "the second voice had the larger tree then");
        assert!(!of_quorum(1, &statements).was_absent(9, 400), "the tree of ten has it");
        let mut stamped = of_quorum(1, &[]);
        stamped.add_timestamp(0, 10, 400);
        assert!(stamped.is_before(9, 401) && !stamped.was_absent(10, 400), "an old tree can be stamped at any time");
    }
}
