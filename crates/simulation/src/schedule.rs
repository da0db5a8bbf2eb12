use sports_domain::Sport;

use crate::fixture::Fixture;
use crate::league::League;
use crate::random::Stream;

mod daily;
mod interruptions;
mod pairing;
mod series;
mod weekly;

use daily::Daily;
use weekly::Weekly;

/// The days of baseball's regular season: 54 series of three days.
pub(crate) const BASEBALL_DAYS: u32 = 162;

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

/// Returns every game before the postseason, including interruptions, in the order of play.
pub(crate) fn fixtures(league: &League, teams: usize, stream: &mut Stream) -> Vec<Fixture> {
    let mut fixtures = match plan(league.sport) {
        Plan::Series => series::fixtures(league, teams, stream),
        Plan::Daily(daily) => daily.fixtures(league, teams, stream),
        Plan::Weekly(weekly) => weekly.fixtures(league, teams, stream),
    };
    interruptions::add(&mut fixtures, league.sport, stream);
    fixtures.sort_by_key(|fixture| (fixture.day, fixture.time, fixture.away, fixture.home));
    fixtures
}

/// Draws one of a league's start times.
fn start(league: &League, stream: &mut Stream) -> (u32, u32) {
    league.starts[stream.below(league.starts.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fate, Stage};
    use crate::random::Purpose;
    use crate::teams::teams_of;

    fn season(sport: Sport) -> Vec<Fixture> {
        let league = League::for_sport(sport);
        let mut stream = Stream::for_purpose(11, Purpose::Schedule, &[league.number()]);
        fixtures(league, teams_of(sport).len(), &mut stream)
    }

    #[test]
    fn a_season_has_about_as_many_games_as_the_leagues_real_one() {
        for (sport, games) in Sport::ALL.into_iter().zip([2430, 1230, 272, 1312, 408, 1488]) {
            let regular = season(sport);
            let played =
                regular.iter().filter(|fixture| fixture.stage == Stage::Regular && fixture.fate == Fate::Played);
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
