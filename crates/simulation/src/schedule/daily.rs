use super::pairing::Pairing;
use crate::fixture::{Fixture, Stage};
use crate::league::League;
use crate::random::Stream;

/// A schedule of rounds in which every team plays once, each spread over a few days.
pub(super) struct Daily {
    pub(super) rounds: i32,
    pub(super) days: i32,
    /// The last round before the break in the second half.
    pub(super) break_after: i32,
    pub(super) preseason: i32,
}

const BREAK_DAYS: i32 = 6;
/// The days between the last preseason game and opening day.
const DAYS_TO_OPENING: i32 = 3;

impl Daily {
    pub(super) const fn total_days(&self) -> i32 {
        self.rounds * self.days + BREAK_DAYS
    }

    pub(super) fn fixtures(&self, league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
        let mut fixtures = self.rounds(-self.preseason..0, Stage::Preseason, league, Pairing::random(teams, stream));
        fixtures.extend(self.rounds(0..self.rounds, Stage::Regular, league, Pairing::random(teams, stream)));
        fixtures
    }

    fn rounds(
        &self,
        rounds: std::ops::Range<i32>,
        stage: Stage,
        league: &League,
        mut pairing: Pairing<'_>,
    ) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for round in rounds {
            let off = match stage {
                Stage::Preseason => -DAYS_TO_OPENING,
                _ if round > self.break_after => BREAK_DAYS,
                _ => 0,
            };
            // Taking the days in turn gives each day of a round equally many games.
            for (teams, turn) in pairing.round(&[]).into_iter().zip((0..self.days).cycle()) {
                let start = league.start(pairing.stream());
                fixtures.push(Fixture::new(round * self.days + turn + off, start, teams, stage));
            }
        }
        fixtures
    }
}
