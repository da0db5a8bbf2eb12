use super::pairing::Pairing;
use crate::fixture::{Fate, Fixture, Stage};
use crate::league::League;
use crate::random::Stream;

/// How many days baseball's regular season has: 54 series of three days.
pub(crate) const BASEBALL_DAYS: u32 = 162;

const DAYS: i32 = 3;
/// How often a series has a game rained out, or two on one day by plan.
const RAINED_OUT: f64 = 0.016;
const DOUBLED: f64 = 0.014;
const AFTERNOON: (u32, u32) = (13, 5);
const EVENING: (u32, u32) = (19, 5);

/// What becomes of three games in three days.
enum Course {
    AsUsual,
    /// The first is made up for on the second day.
    RainedOut,
    /// Two on the second day, none on the third.
    Doubled,
}

/// Baseball: the same teams for three days, then others.
pub(super) fn fixtures(league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
    let mut fixtures = preseason(league, teams, stream);
    let mut pairing = Pairing::random(teams, stream);
    for series in 0..BASEBALL_DAYS.cast_signed() / DAYS {
        for (place, teams) in pairing.round(&[]).into_iter().enumerate() {
            let stream = pairing.stream();
            // One of each early on, so that no season is without.
            let course = match (series, place, stream.unit()) {
                (2, 0, _) => Course::RainedOut,
                (2, 1, _) => Course::Doubled,
                (_, _, probability) if probability < RAINED_OUT => Course::RainedOut,
                (_, _, probability) if probability < RAINED_OUT + DOUBLED => Course::Doubled,
                _ => Course::AsUsual,
            };
            let times = [(); 3].map(|()| league.start(stream));
            push(&mut fixtures, &course, series * DAYS, times, teams);
        }
    }
    fixtures
}

fn push(fixtures: &mut Vec<Fixture>, course: &Course, first: i32, times: [(u32, u32); 3], teams: (usize, usize)) {
    let game = |day: i32, time| Fixture::new(first + day, time, teams, Stage::Regular);
    match course {
        Course::AsUsual => fixtures.extend((0..).zip(times).map(|(day, time)| game(day, time))),
        Course::RainedOut => {
            let rained_out = Fixture { fate: Fate::Postponed, ..game(0, times[0]) };
            fixtures.extend([rained_out, game(1, AFTERNOON), game(1, EVENING), game(2, times[2])]);
        }
        Course::Doubled => fixtures.extend([game(0, times[0]), game(1, AFTERNOON), game(1, EVENING)]),
    }
}

/// One game a team, in the four days before opening day.
fn preseason(league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
    let mut pairing = Pairing::random(teams, stream);
    let games = pairing.round(&[]).into_iter().zip((-4..0).cycle());
    games.map(|(teams, day)| Fixture::new(day, league.starts[0], teams, Stage::Preseason)).collect()
}
