use chrono::NaiveTime;

/// A game of the schedule; teams are numbers within the league.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fixture {
    /// The day, counted from opening day.
    pub(crate) day: i32,
    /// The Eastern start time.
    pub(crate) time: NaiveTime,
    pub(crate) away: usize,
    pub(crate) home: usize,
    pub(crate) stage: Stage,
    pub(crate) status: FixtureStatus,
}

/// The part of a season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Preseason,
    Regular,
    Postseason,
}

/// The course of a scheduled game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FixtureStatus {
    Played,
    /// The game is not played that day; a make-up game is a separate fixture.
    Postponed,
    Cancelled,
    /// The game is played, but has no final if the season's sources lack some finals.
    Unentered,
}

impl Stage {
    /// Returns the word for the stage in files.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Preseason => "preseason",
            Self::Regular => "regular",
            Self::Postseason => "postseason",
        }
    }
}

impl Fixture {
    /// Creates a game that will be played.
    pub(crate) fn new(day: i32, start: (u32, u32), (away, home): (usize, usize), stage: Stage) -> Self {
        let time = NaiveTime::from_hms_opt(start.0, start.1, 0).unwrap_or_default();
        Self { day, time, away, home, stage, status: FixtureStatus::Played }
    }

    /// Returns true if a team plays in the game.
    pub(crate) const fn is_of(&self, team: usize) -> bool {
        self.away == team || self.home == team
    }
}
