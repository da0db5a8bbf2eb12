use sports_domain::Sport;

use crate::random::Stream;
use crate::scoring::Scoring;

mod table;

/// The parameters of one league.
///
/// They are chosen so that the simulation reproduces the rates in `tests/it/calibration.rs`, which come from real
/// seasons. No real hockey seasons are available, so hockey follows common knowledge.
#[derive(Debug)]
pub(crate) struct League {
    pub(crate) sport: Sport,
    pub(crate) scoring: Scoring,
    pub(crate) strengths: Strengths,
    pub(crate) market: Market,
    pub(crate) models: Models,
    /// The duration of a game in minutes, with a variation of about a sixth.
    pub(crate) minutes: i32,
    /// Start times as hour and minute; frequent times occur more than once.
    pub(crate) starts: &'static [(u32, u32)],
}

/// The differences between teams and games, in points.
#[derive(Debug)]
pub(crate) struct Strengths {
    pub(crate) home_edge: f64,
    /// The deviation between teams.
    pub(crate) team_margin: f64,
    /// The deviation between games of the same teams.
    pub(crate) game_margin: f64,
    pub(crate) total: f64,
    pub(crate) team_total: f64,
    pub(crate) game_total: f64,
}

/// The behaviour of the league's market.
#[derive(Debug)]
pub(crate) struct Market {
    /// The deviation of the truth from the closing line, in points.
    pub(crate) margin_error: f64,
    pub(crate) total_error: f64,
    /// The deviation of the opener from the closing line, in points.
    pub(crate) margin_move: f64,
    pub(crate) total_move: f64,
    /// The sum of both sides' break-even rates minus one.
    pub(crate) money_vig: f64,
    pub(crate) spread_vig: f64,
    pub(crate) total_vig: f64,
    /// The frequency of equal prices on both sides in a near-even market.
    pub(crate) even_spreads: f64,
    pub(crate) even_totals: f64,
    /// The frequency with which a spread within a point of zero is posted as a pick'em.
    pub(crate) pick_ems: f64,
    /// Hours before the start at which the opener is posted.
    pub(crate) open_hours: i64,
}

/// The behaviour of the league's models.
#[derive(Debug)]
pub(crate) struct Models {
    pub(crate) spread: Skill,
    pub(crate) total: Skill,
    pub(crate) money: Skill,
    /// True if the league has an AI model.
    pub(crate) has_ai: bool,
}

/// The deviation of models from the market, in probability.
#[derive(Debug)]
pub(crate) struct Skill {
    /// The correlation of the deviation with the market's error, from 0 to 1.
    pub(crate) insight: f64,
    /// The deviation of the blend from the market.
    pub(crate) stray: f64,
    /// The deviation of each model from the blend.
    pub(crate) scatter: f64,
}

impl League {
    /// Returns the league's key in streams of random numbers.
    pub(crate) const fn number(&self) -> u64 {
        self.sport as u64
    }

    /// Draws one of the league's start times.
    pub(crate) fn start(&self, stream: &mut Stream) -> (u32, u32) {
        self.starts[stream.below(self.starts.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sport_has_its_own_league() {
        for sport in Sport::ALL {
            assert_eq!(League::for_sport(sport).sport, sport);
        }
    }
}
