use super::pairing::Pairing;
use crate::fixture::{Fixture, Stage};
use crate::league::League;
use crate::random::Stream;

/// The smallest number of days between two games of a team.
const SHORTEST_REST: i32 = 4;

/// Returns true if one of two teams has a game after a day.
fn plays_since(fixtures: &[Fixture], (away, home): (usize, usize), day: i32) -> bool {
    fixtures.iter().rev().any(|fixture| fixture.day > day && (fixture.is_of(away) || fixture.is_of(home)))
}

/// A football schedule: one game per team and week, with one week off; day 0 of a week is its Thursday.
pub(super) struct Weekly {
    pub(super) weeks: i32,
    /// The day of the week with the most games.
    pub(super) main_day: i32,
    first_rest: usize,
    rest_weeks: usize,
    preseason: i32,
    /// The games outside the main schedule: the day and start of each.
    apart: &'static [(i32, (u32, u32))],
}

impl Weekly {
    pub(super) const PROFESSIONAL: Self = Self {
        weeks: 18,
        main_day: 3,
        first_rest: 5,
        rest_weeks: 8,
        preseason: 3,
        apart: &[(0, (20, 15)), (3, (20, 20)), (4, (20, 15))],
    };
    pub(super) const COLLEGE: Self = Self {
        weeks: 13,
        main_day: 2,
        first_rest: 3,
        rest_weeks: 9,
        preseason: 0,
        apart: &[(0, (19, 30)), (1, (19, 0)), (1, (20, 0)), (1, (22, 15))],
    };

    pub(super) fn fixtures(&self, league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        let mut pairing = Pairing::random(teams, stream);
        for week in -self.preseason..0 {
            self.week(&mut fixtures, week, Stage::Preseason, league, &mut pairing, &[]);
        }
        let rests = self.rests(teams, stream);
        let mut pairing = Pairing::random(teams, stream);
        for (week, resting) in (0..self.weeks).zip(&rests) {
            self.week(&mut fixtures, week, Stage::Regular, league, &mut pairing, resting);
        }
        fixtures
    }

    /// Assigns each team its week of rest. The number of resting teams is even, so that the others can be paired.
    fn rests(&self, teams: usize, stream: &mut Stream) -> Vec<Vec<usize>> {
        let mut order: Vec<_> = (0..teams).collect();
        stream.shuffle(&mut order);
        let mut rests: Vec<Vec<usize>> = (0..self.weeks).map(|_| Vec::new()).collect();
        for (pair, week) in order.chunks(2).zip((0..self.rest_weeks).cycle()) {
            rests[self.first_rest + week].extend(pair);
        }
        rests
    }

    fn week(
        &self,
        fixtures: &mut Vec<Fixture>,
        week: i32,
        stage: Stage,
        league: &League,
        pairing: &mut Pairing<'_>,
        resting: &[usize],
    ) {
        let mut round = pairing.round(resting);
        for (place, (day, _)) in self.apart.iter().enumerate() {
            // A team of the last Monday game does not play on Thursday.
            let is_rested = |teams: &(usize, usize)| !plays_since(fixtures, *teams, week * 7 + day - SHORTEST_REST);
            if let Some(rested) = (place..round.len()).find(|other| is_rested(&round[*other])) {
                round.swap(place, rested);
            }
        }
        for (place, teams) in round.into_iter().enumerate() {
            let usual = (self.main_day, league.start(pairing.stream()));
            let (day, time) = self.apart.get(place).copied().unwrap_or(usual);
            fixtures.push(Fixture::new(week * 7 + day, time, teams, stage));
        }
    }
}
