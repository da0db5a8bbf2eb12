use sports_domain::{Club, Season, Sport, TeamSlug};

use crate::simulation::league::League;
use crate::simulation::random::{Purpose, Stream};

/// The college teams, one line per league: its code, then its teams.
const COLLEGES: &str = include_str!("colleges.txt");

/// Returns the teams of a league with their names in a season, in today's numbering.
pub(crate) fn teams_in(sport: Sport, season: Season) -> Vec<TeamSlug> {
    named(sport, |club| club.name_in(season).slug())
}

/// Returns the teams of a league in the order of their numbers.
#[cfg(test)]
pub(crate) fn teams_of(sport: Sport) -> Vec<TeamSlug> {
    named(sport, |club| club.today().slug())
}

fn named(sport: Sport, name: impl Fn(&'static Club) -> &'static TeamSlug) -> Vec<TeamSlug> {
    if sport.is_professional() {
        return Club::all(sport).iter().map(name).cloned().collect();
    }
    let names = COLLEGES.lines().filter_map(|line| line.split_once(' ')).find(|(code, _)| *code == sport.code());
    let slugs = names.into_iter().flat_map(|(_, names)| names.split(' '));
    slugs.filter_map(|name| TeamSlug::normalise(name).ok()).collect()
}

/// The strength of a team in one season, in points against an average team.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strength {
    pub(crate) margin: f64,
    /// The difference of its games' mean total from the league's.
    pub(crate) total: f64,
}

/// The deviations of the lasting part of a team's strength and of the season's part; together of deviation one.
const LASTING: f64 = 0.75;

const SEASONAL: f64 = 0.661;

impl Strength {
    /// Returns every team's strength in the season that starts in `year`.
    pub(crate) fn of_all(seed: u64, league: &League, teams: usize, year: u16) -> Vec<Self> {
        let draws = |years: &[u64], deviation: f64| {
            let mut stream = Stream::for_purpose(seed, Purpose::Strength, &[&[league.number()], years].concat());
            [(); 2].map(|()| spread_out(teams, deviation, &mut stream))
        };
        let lasting = draws(&[], LASTING);
        let seasonal = draws(&[u64::from(year)], SEASONAL);
        let sum = |kind: usize, team: usize| lasting[kind][team] + seasonal[kind][team];
        let strengths = &league.strengths;
        let of_team =
            |team| Self { margin: strengths.team_margin * sum(0, team), total: strengths.team_total * sum(1, team) };
        (0..teams).map(of_team).collect()
    }
}

/// Draws a number per team, scaled to exactly mean zero and the deviation, so that teams are never all equal or
/// extremely unequal by chance.
fn spread_out(teams: usize, deviation: f64, stream: &mut Stream) -> Vec<f64> {
    let draws: Vec<_> = (0..teams).map(|_| stream.bell()).collect();
    let count = draws.iter().fold(0.0, |count, _| count + 1.0);
    let mean = draws.iter().sum::<f64>() / count;
    let square = draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum::<f64>() / count;
    draws.iter().map(|draw| (draw - mean) / square.sqrt() * deviation).collect()
}

#[cfg(test)]
mod tests {
    use sports_domain::Sport;

    use super::*;

    #[test]
    fn every_league_has_its_teams_once() {
        for (sport, count) in Sport::ALL.into_iter().zip([30, 30, 32, 32, 68, 96]) {
            let mut teams = teams_of(sport);
            teams.sort();
            teams.dedup();
            assert_eq!(teams.len(), count, "{sport}");
        }
    }

    #[test]
    fn clubs_have_the_names_of_their_season() {
        let names = |sport: Sport, label: &str| {
            let season = Season::parse(sport, label).expect("a season");
            teams_in(sport, season).into_iter().filter(|team| !teams_of(sport).contains(team)).collect::<Vec<_>>()
        };
        let slugs =
            |names: &[&str]| names.iter().map(|name| TeamSlug::normalise(name).expect("a team")).collect::<Vec<_>>();
        assert_eq!(names(Sport::Mlb, "2025"), []);
        assert_eq!(names(Sport::Mlb, "2024"), slugs(&["oakland_athletics"]));
        assert_eq!(names(Sport::Nhl, "2024-25"), slugs(&["utah_hockey_club"]));
        assert_eq!(names(Sport::Nhl, "2023-24"), slugs(&["arizona_coyotes"]));
        let nfl = slugs(&["oakland_raiders", "washington_redskins"]);
        assert_eq!(names(Sport::Nfl, "2019-20"), nfl);
        assert_eq!(names(Sport::Nfl, "2021-22"), slugs(&["washington_football_team"]));
    }

    #[test]
    fn a_team_that_was_good_last_season_is_likely_good_this_season() {
        let league = League::for_sport(Sport::Nba);
        let margins = |year| Strength::of_all(5, league, 30, year).into_iter().map(|strength| strength.margin);
        let product: f64 = margins(2024).zip(margins(2025)).map(|(last, this)| last * this).sum();
        let correlation = product / 30.0 / (league.strengths.team_margin * league.strengths.team_margin);
        assert!((0.2..0.95).contains(&correlation), "{correlation}");
    }
}
