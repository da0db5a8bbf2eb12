use chrono::NaiveTime;

/// A game of the schedule; teams by their number in the league.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fixture {
    /// Counted from opening day.
    pub(crate) day: i32,
    /// Eastern.
    pub(crate) time: NaiveTime,
    pub(crate) away: usize,
    pub(crate) home: usize,
    pub(crate) stage: Stage,
    pub(crate) fate: Fate,
}

/// The part of a season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Preseason,
    Regular,
    Postseason,
}

/// Whether a game is played as scheduled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Played,
    /// Not that day; where it is made up for, that is a fixture of its own.
    Postponed,
    Cancelled,
    /// Played, and where not every final was kept, with none.
    Unentered,
}

impl Stage {
    /// The word files say it with.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Preseason => "preseason",
            Self::Regular => "regular",
            Self::Postseason => "postseason",
        }
    }
}

impl Fixture {
    /// A game that will be played.
    pub(crate) fn new(day: i32, start: (u32, u32), (away, home): (usize, usize), stage: Stage) -> Self {
        let time = NaiveTime::from_hms_opt(start.0, start.1, 0).unwrap_or_default();
        Self { day, time, away, home, stage, fate: Fate::Played }
    }

    /// Whether a team plays in it.
    pub(crate) const fn is_of(&self, team: usize) -> bool {
        self.away == team || self.home == team
    }
}
