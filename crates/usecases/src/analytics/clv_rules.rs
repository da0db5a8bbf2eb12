use std::ops::RangeInclusive;

use chrono::TimeDelta;
use sports_domain::DateSpan;

/// The parameters of closing-line values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct ClvRules {
    /// The forecast of each game that is measured.
    pub taken: TakenRule,
    /// The maximum age of a close at the start.
    pub close_within: CloseWithin,
    /// The dates included.
    pub span: DateSpan,
}

/// The forecast of a game that is measured at the close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum TakenRule {
    /// The first forecast with a probability of the model.
    First,
    /// The forecast that holds for the record.
    #[default]
    Standing,
}

impl TakenRule {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::First, Self::Standing];

    /// Returns the word served as `taken`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Standing => "standing",
        }
    }

    /// Returns the rule with this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.word() == word)
    }
}

/// The maximum time from the reading of a close's source to the start of the game, in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CloseWithin(u16);

impl CloseWithin {
    /// The permitted minutes: up to a day.
    pub const MINUTES: RangeInclusive<usize> = 1..=1440;

    /// Returns the maximum of so many minutes; `None` outside [`Self::MINUTES`].
    pub fn of_minutes(minutes: usize) -> Option<Self> {
        let minutes = Some(minutes).filter(|minutes| Self::MINUTES.contains(minutes))?;
        u16::try_from(minutes).ok().map(Self)
    }

    pub fn minutes(self) -> u32 {
        self.0.into()
    }

    /// Returns true if a close of this age counts.
    pub(super) fn permits(self, age: TimeDelta) -> bool {
        age <= TimeDelta::minutes(self.0.into())
    }
}

impl Default for CloseWithin {
    /// Returns two hours.
    fn default() -> Self {
        Self(120)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_close_counts_up_to_its_maximum_age() {
        let within = CloseWithin::of_minutes(90).expect("permitted");
        assert!(within.permits(TimeDelta::minutes(90)) && within.permits(TimeDelta::seconds(-5)));
        assert!(!within.permits(TimeDelta::minutes(90) + TimeDelta::milliseconds(1)));
        assert_eq!([0, 1441].map(CloseWithin::of_minutes), [None; 2]);
        assert_eq!(
            [1, 1440].map(|minutes| CloseWithin::of_minutes(minutes).map(CloseWithin::minutes)),
            [Some(1), Some(1440)]
        );
        assert_eq!(CloseWithin::default().minutes(), 120);
    }

    #[test]
    fn rules_have_their_words() {
        assert_eq!(TakenRule::ALL.map(|rule| TakenRule::named(rule.word())), TakenRule::ALL.map(Some));
        assert_eq!(["best", "First", ""].map(TakenRule::named), [None; 3]);
    }
}
