use sports_domain::Sport;

use crate::random::Stream;
use crate::scoring::Scoring;

mod table;

/// The numbers that make one league what it is.
///
/// They were chosen so that the rates of `tests/it/calibration.rs`, which come from real seasons, come
/// out; hockey, of which there are no such seasons, follows what is commonly known of it.
#[derive(Debug)]
pub(crate) struct League {
    pub(crate) sport: Sport,
    pub(crate) scoring: Scoring,
    pub(crate) strengths: Strengths,
    pub(crate) market: Market,
    pub(crate) models: Models,
    /// How long a game lasts, in minutes, give or take a sixth.
    pub(crate) minutes: i32,
    /// Start times, the likely ones more than once, as hour and minute.
    pub(crate) starts: &'static [(u32, u32)],
}

/// How teams and games differ, in points.
#[derive(Debug)]
pub(crate) struct Strengths {
    pub(crate) home_edge: f64,
    /// Between teams.
    pub(crate) team_margin: f64,
    /// Between games of the same teams.
    pub(crate) game_margin: f64,
    pub(crate) total: f64,
    pub(crate) team_total: f64,
    pub(crate) game_total: f64,
}

/// How the league's market behaves.
#[derive(Debug)]
pub(crate) struct Market {
    /// How far the truth is from the closing line, in points.
    pub(crate) margin_error: f64,
    pub(crate) total_error: f64,
    /// How far the opener is from the closing line, in points.
    pub(crate) margin_move: f64,
    pub(crate) total_move: f64,
    /// What both sides' break-even rates add up to beyond one.
    pub(crate) money_vig: f64,
    pub(crate) spread_vig: f64,
    pub(crate) total_vig: f64,
    /// How often a near-even market is posted at the same price on both sides.
    pub(crate) even_spreads: f64,
    pub(crate) even_totals: f64,
    /// How often a spread within a point of zero is posted as a pick'em.
    pub(crate) pick_ems: f64,
    /// Hours before the start at which the opener is posted.
    pub(crate) open_hours: i64,
}

/// What the league's models are like.
#[derive(Debug)]
pub(crate) struct Models {
    pub(crate) spread: Skill,
    pub(crate) total: Skill,
    pub(crate) money: Skill,
    /// Whether there is an AI model.
    pub(crate) has_ai: bool,
}

/// How models differ from the market, in probability.
#[derive(Debug)]
pub(crate) struct Skill {
    /// How much of that is what the market missed, from 0 to 1.
    pub(crate) insight: f64,
    /// How far the blend strays from the market.
    pub(crate) stray: f64,
    /// How far each model strays from the blend.
    pub(crate) scatter: f64,
}

impl League {
    /// What streams of random numbers of this league are keyed by.
    pub(crate) const fn number(&self) -> u64 {
        self.sport as u64
    }

    /// Returns any of its start times.
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
