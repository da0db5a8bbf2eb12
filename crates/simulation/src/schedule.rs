use crate::fixture::Fixture;
use crate::league::League;
use crate::random::Stream;

mod daily;
mod interruptions;
mod pairing;
mod plan;
mod series;
mod weekly;

use plan::{Plan, plan};

#[cfg(test)]
pub(crate) use plan::last_day;
pub(crate) use plan::{early_days, middle_day, regular_days};
pub(crate) use series::BASEBALL_DAYS;

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

#[cfg(test)]
mod tests {
    use sports_domain::Sport;

    use super::*;
    use crate::fixture::{FixtureStatus, Stage};
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
