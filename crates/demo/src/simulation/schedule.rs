use std::collections::BTreeSet;

use sports_domain::Sport;

use crate::simulation::contest::{Fixture, FixtureStatus, Stage};
use crate::simulation::league::League;
use crate::simulation::random::Stream;

/// Returns every game before the postseason, including interruptions, in the order of play.
pub(crate) fn fixtures(league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
    let mut fixtures = match plan(league.sport) {
        Plan::Series => baseball(league, teams, stream),
        Plan::Daily(daily) => daily.fixtures(league, teams, stream),
        Plan::Weekly(weekly) => weekly.fixtures(league, teams, stream),
    };
    add_interruptions(&mut fixtures, league.sport, stream);
    fixtures.sort_by_key(|fixture| (fixture.day, fixture.time, fixture.away, fixture.home));
    fixtures
}

/// The distribution of a league's games over a season.
enum Plan {
    Series,
    Daily(Daily),
    Weekly(Weekly),
}

const fn plan(sport: Sport) -> Plan {
    match sport {
        Sport::Mlb => Plan::Series,
        Sport::Nba | Sport::Nhl => Plan::Daily(Daily { rounds: 82, days: 2, break_after: 55, preseason: 2 }),
        Sport::Ncaab => Plan::Daily(Daily { rounds: 31, days: 4, break_after: 20, preseason: 0 }),
        Sport::Nfl => Plan::Weekly(Weekly::PROFESSIONAL),
        Sport::Ncaaf => Plan::Weekly(Weekly::COLLEGE),
    }
}

/// Returns the number of days of a regular season, including breaks.
pub(crate) const fn regular_days(sport: Sport) -> i32 {
    match plan(sport) {
        Plan::Series => BASEBALL_DAYS.cast_signed(),
        Plan::Daily(daily) => daily.total_days(),
        Plan::Weekly(weekly) => weekly.weeks * 7,
    }
}

/// Returns a busy day in the middle of the regular season.
pub(crate) const fn middle_day(sport: Sport) -> u32 {
    match plan(sport) {
        Plan::Series => 85,
        Plan::Daily(daily) => (daily.rounds / 2 * daily.days).cast_unsigned(),
        Plan::Weekly(weekly) => (weekly.weeks / 2 * 7 + weekly.main_day).cast_unsigned(),
    }
}

/// Returns the number of days at the beginning of a season within which each edge case occurs once. Baseball's number
/// is small, since its season may have begun in January (see `Calendar`).
pub(crate) const fn early_days(sport: Sport) -> i32 {
    match plan(sport) {
        Plan::Series => 20,
        Plan::Daily(_) | Plan::Weekly(_) => middle_day(sport).cast_signed() * 3 / 4,
    }
}

/// Returns an upper bound for the last day of a season, including the postseason.
#[cfg(test)]
pub(crate) const fn last_day(sport: Sport) -> i32 {
    regular_days(sport)
        + match sport {
            Sport::Mlb => 24,
            Sport::Nba | Sport::Nhl => 60,
            Sport::Nfl | Sport::Ncaaf | Sport::Ncaab => 32,
        }
}

/// A draw of opponents in which teams meet about equally often and play at home half the time.
struct Pairing<'s> {
    teams: usize,
    met: Vec<u8>,
    at_home: Vec<i32>,
    stream: &'s mut Stream,
}

/// The number of candidates among which the least frequent opponent is chosen.
const CANDIDATES: usize = 9;

impl<'s> Pairing<'s> {
    fn random(teams: usize, stream: &'s mut Stream) -> Self {
        Self { teams, met: vec![0; teams * teams], at_home: vec![0; teams], stream }
    }

    /// Pairs every team that is not resting once, as away and home team.
    fn round(&mut self, resting: &[usize]) -> Vec<(usize, usize)> {
        let mut left: Vec<_> = (0..self.teams).filter(|team| !resting.contains(team)).collect();
        self.stream.shuffle(&mut left);
        let mut round = Vec::with_capacity(left.len() / 2);
        while let Some(team) = left.pop() {
            let near = left.len().saturating_sub(CANDIDATES);
            let least = (near..left.len()).min_by_key(|place| self.met[team * self.teams + left[*place]]);
            let Some(opponent) = least.map(|place| left.swap_remove(place)) else { break };
            round.push(self.meet(team, opponent));
        }
        round
    }

    fn meet(&mut self, one: usize, other: usize) -> (usize, usize) {
        self.met[one * self.teams + other] += 1;
        self.met[other * self.teams + one] += 1;
        let owed = self.at_home[one] - self.at_home[other];
        let other_is_home = owed > 0 || owed == 0 && self.stream.happens(0.5);
        let (away, home) = if other_is_home { (one, other) } else { (other, one) };
        self.at_home[home] += 1;
        self.at_home[away] -= 1;
        (away, home)
    }

    const fn stream(&mut self) -> &mut Stream {
        self.stream
    }
}

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
fn baseball(league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
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

/// A schedule of rounds in which every team plays once, each spread over a few days.
struct Daily {
    rounds: i32,
    days: i32,
    /// The last round before the break in the second half.
    break_after: i32,
    preseason: i32,
}

const BREAK_DAYS: i32 = 6;

/// The days between the last preseason game and opening day.
const DAYS_TO_OPENING: i32 = 3;

impl Daily {
    const fn total_days(&self) -> i32 {
        self.rounds * self.days + BREAK_DAYS
    }

    fn fixtures(&self, league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
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

/// The smallest number of days between two games of a team.
const SHORTEST_REST: i32 = 4;

/// Returns true if one of two teams has a game after a day.
fn plays_since(fixtures: &[Fixture], (away, home): (usize, usize), day: i32) -> bool {
    fixtures.iter().rev().any(|fixture| fixture.day > day && (fixture.is_of(away) || fixture.is_of(home)))
}

/// A football schedule: one game per team and week, with one week off; day 0 of a week is its Thursday.
struct Weekly {
    weeks: i32,
    /// The day of the week with the most games.
    main_day: i32,
    first_rest: usize,
    rest_weeks: usize,
    preseason: i32,
    /// The games outside the main schedule: the day and start of each.
    apart: &'static [(i32, (u32, u32))],
}

impl Weekly {
    const PROFESSIONAL: Self = Self {
        weeks: 18,
        main_day: 3,
        first_rest: 5,
        rest_weeks: 8,
        preseason: 3,
        apart: &[(0, (20, 15)), (3, (20, 20)), (4, (20, 15))],
    };
    const COLLEGE: Self = Self {
        weeks: 13,
        main_day: 2,
        first_rest: 3,
        rest_weeks: 9,
        preseason: 0,
        apart: &[(0, (19, 30)), (1, (19, 0)), (1, (20, 0)), (1, (22, 15))],
    };

    fn fixtures(&self, league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
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

/// The minimum number of days until a postponed game is made up.
const DAYS_TO_SPARE: i32 = 8;

/// Cancels one or more games of the early season and, in the leagues that play most days, postpones others to a day on
/// which both teams are free. Baseball's schedule contains its own rained-out games.
fn add_interruptions(fixtures: &mut Vec<Fixture>, sport: Sport, stream: &mut Stream) {
    let (cancelled, postponed) = match sport {
        Sport::Nfl | Sport::Mlb => (1, 0),
        Sport::Ncaaf => (2, 0),
        Sport::Nba | Sport::Nhl => (1, 3),
        Sport::Ncaab => (6, 4),
    };
    let can_be = |fixture: &Fixture| {
        fixture.stage == Stage::Regular
            && fixture.status == FixtureStatus::Played
            && (1..early_days(sport)).contains(&fixture.day)
    };
    let mut places: Vec<_> = (0..fixtures.len()).filter(|place| can_be(&fixtures[*place])).collect();
    stream.shuffle(&mut places);
    for place in places.iter().take(cancelled) {
        fixtures[*place].status = FixtureStatus::Cancelled;
    }
    for place in places.iter().skip(cancelled).take(postponed) {
        fixtures[*place].status = FixtureStatus::Postponed;
        let made_up_for = on_a_free_day(fixtures, fixtures[*place], sport);
        fixtures.extend(made_up_for);
    }
}

fn on_a_free_day(fixtures: &[Fixture], game: Fixture, sport: Sport) -> Option<Fixture> {
    let of_either = fixtures.iter().filter(|other| other.is_of(game.away) || other.is_of(game.home));
    let busy: BTreeSet<_> = of_either.map(|other| other.day).collect();
    let days = game.day + DAYS_TO_SPARE..regular_days(sport);
    let free = days.into_iter().find(|day| !busy.contains(day))?;
    Some(Fixture { day: free, status: FixtureStatus::Played, ..game })
}

#[cfg(test)]
mod tests {
    use sports_domain::Sport;

    use super::*;
    use crate::simulation::contest::{FixtureStatus, Stage};
    use crate::simulation::random::Purpose;
    use crate::simulation::teams::teams_of;

    fn season(sport: Sport) -> Vec<Fixture> {
        let league = League::for_sport(sport);
        let mut stream = Stream::for_purpose(11, Purpose::Schedule, &[league.number()]);
        fixtures(league, teams_of(sport).len(), &mut stream)
    }

    #[test]
    fn a_season_has_about_as_many_games_as_the_leagues_real_one() {
        for (sport, games) in Sport::ALL.into_iter().zip([2430, 1230, 272, 1312, 408, 1488]) {
            let regular = season(sport);
            let played = regular
                .iter()
                .filter(|fixture| fixture.stage == Stage::Regular && fixture.status == FixtureStatus::Played);
            let off = played.count().abs_diff(games);
            assert!(off <= 6, "{sport}: {off} off");
        }
    }

    #[test]
    fn no_team_plays_twice_at_a_time_nor_twice_a_day_but_in_a_doubleheader() {
        for sport in Sport::ALL {
            let fixtures = season(sport);
            for pair in fixtures.chunk_by(|a, b| a.day == b.day) {
                for (index, game) in pair.iter().enumerate() {
                    for other in &pair[index + 1..] {
                        let same = [other.away, other.home].into_iter().any(|team| game.is_of(team));
                        let double = sport == Sport::Mlb && game.home == other.home && game.time != other.time;
                        assert!(!same || double, "{sport}: {game:?} {other:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_football_team_plays_twice_in_four_days() {
        for sport in [Sport::Nfl, Sport::Ncaaf] {
            let fixtures = season(sport);
            for team in 0..teams_of(sport).len() {
                let days: Vec<_> = fixtures.iter().filter(|game| game.is_of(team)).map(|game| game.day).collect();
                let shortest = days.windows(2).map(|pair| pair[1] - pair[0]).min();
                assert!(shortest.is_some_and(|rest| rest >= 4), "{sport}: team {team} on days {days:?}");
            }
        }
    }

    #[test]
    fn the_middle_day_is_a_busy_one() {
        for (sport, least) in Sport::ALL.into_iter().zip([12, 7, 8, 8, 20, 10]) {
            let middle = middle_day(sport).cast_signed();
            let games = season(sport).iter().filter(|fixture| fixture.day == middle).count();
            assert!(games >= least, "{sport}: {games}");
        }
    }

    #[test]
    fn home_games_are_shared_fairly() {
        for sport in Sport::ALL {
            let fixtures = season(sport);
            for team in 0..teams_of(sport).len() {
                let regular = || fixtures.iter().filter(|fixture| fixture.stage == Stage::Regular);
                let home = regular().filter(|fixture| fixture.home == team).count();
                let away = regular().filter(|fixture| fixture.away == team).count();
                assert!(home.abs_diff(away) <= 8, "{sport}: {home} at home, {away} away");
            }
        }
    }
}
