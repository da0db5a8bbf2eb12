use super::pairing::Pairing;
use crate::fixture::{Fixture, FixtureStatus, Stage};
use crate::league::League;
use crate::random::Stream;

/// The days of baseball's regular season: 54 series of three days.
pub(crate) const BASEBALL_DAYS: u32 = 162;

const DAYS: i32 = 3;
/// The probability that a series has a rained-out game, or a planned doubleheader.
const RAINED_OUT: f64 = 0.016;
const DOUBLED: f64 = 0.014;
const AFTERNOON: (u32, u32) = (13, 5);
const EVENING: (u32, u32) = (19, 5);

/// The course of a three-day series.
enum Course {
    AsUsual,
    /// The first game is made up on the second day.
    RainedOut,
    /// Two games take place on the second day and none on the third.
    Doubled,
}

/// Returns baseball's schedule: three days against the same team, then the next series.
pub(super) fn fixtures(league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
    let mut fixtures = preseason(league, teams, stream);
    let mut pairing = Pairing::random(teams, stream);
    for series in 0..BASEBALL_DAYS.cast_signed() / DAYS {
        for (place, teams) in pairing.round(&[]).into_iter().enumerate() {
            let stream = pairing.stream();
            // Each case occurs early in every season.
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
            let rained_out = Fixture { status: FixtureStatus::Postponed, ..game(0, times[0]) };
            fixtures.extend([rained_out, game(1, AFTERNOON), game(1, EVENING), game(2, times[2])]);
        }
        Course::Doubled => fixtures.extend([game(0, times[0]), game(1, AFTERNOON), game(1, EVENING)]),
    }
}

/// Returns one game per team in the four days before opening day.
fn preseason(league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
    let mut pairing = Pairing::random(teams, stream);
    let games = pairing.round(&[]).into_iter().zip((-4..0).cycle());
    games.map(|(teams, day)| Fixture::new(day, league.starts[0], teams, Stage::Preseason)).collect()
}
