use chrono::NaiveTime;
use sports_domain::FinalScore;

use crate::simulation::league::League;
use crate::simulation::quoting::{Quirks, Quoting};
use crate::simulation::random::Stream;
use crate::simulation::scoring::Belief;
use crate::simulation::teams::Strength;

/// A simulated game with its quotes and score, without a date.
#[derive(Debug, Clone)]
pub(crate) struct Contest {
    pub(crate) fixture: Fixture,
    pub(crate) quoting: Quoting,
    pub(crate) score: FinalScore,
}

/// The minimum expected total of a game, as a fraction of the league's mean.
const LEAST_TOTAL: f64 = 0.55;

impl Contest {
    /// Quotes and plays a game.
    pub(crate) fn play(league: &League, fixture: Fixture, strengths: &[Strength], stream: &mut Stream) -> Self {
        let (away, home) = (strengths[fixture.away], strengths[fixture.home]);
        let (ours, market) = (&league.strengths, &league.market);
        let total = ours.total + home.total + away.total + ours.game_total * stream.bell();
        let close = Belief {
            margin: ours.home_edge + home.margin - away.margin + ours.game_margin * stream.bell(),
            total: total.max(LEAST_TOTAL * ours.total),
        };
        let moved = |stream: &mut Stream, margin: f64, total: f64| Belief {
            margin: close.margin + margin * stream.bell(),
            total: (close.total + total * stream.bell()).max(LEAST_TOTAL * ours.total),
        };
        let open = moved(stream, market.margin_move, market.total_move);
        let truth = moved(stream, market.margin_error, market.total_error);
        let score = league.scoring.play(truth, stream);
        let quoting = Quoting { open, close, seed: stream.next(), quirks: Quirks::default() };
        Self { fixture, quoting, score }
    }

    /// Returns the winning team.
    pub(crate) fn winner(&self) -> usize {
        if self.score.home_margin() > 0 { self.fixture.home } else { self.fixture.away }
    }
}

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
