use crate::league::League;
use crate::random::{Purpose, Stream};

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
    use super::*;
    use sports_domain::Sport;

    #[test]
    fn a_team_that_was_good_last_season_is_likely_good_this_season() {
        let league = League::for_sport(Sport::Nba);
        let margins = |year| Strength::of_all(5, league, 30, year).into_iter().map(|strength| strength.margin);
        let product: f64 = margins(2024).zip(margins(2025)).map(|(last, this)| last * this).sum();
        let correlation = product / 30.0 / (league.strengths.team_margin * league.strengths.team_margin);
        assert!((0.2..0.95).contains(&correlation), "{correlation}");
    }
}
