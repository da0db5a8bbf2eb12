use std::ops::RangeInclusive;

use sports_domain::{LineBounds, LineColumn, Sport};

use crate::simulation::random::Stream;
use crate::simulation::scoring::{Margins, Runs, Scoring};

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

/// The deviation of models from the market, in probability. It is noise: no model knows more than the market.
#[derive(Debug)]
pub(crate) struct Skill {
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

    /// Returns the usual range of lines in a column, which simulated lines do not leave.
    pub(crate) fn usual(&self, column: LineColumn) -> RangeInclusive<f64> {
        LineBounds::of(self.sport, column).map_or(f64::MIN..=f64::MAX, |bounds| bounds.usual)
    }

    /// Draws one of the league's start times.
    pub(crate) fn start(&self, stream: &mut Stream) -> (u32, u32) {
        self.starts[stream.below(self.starts.len())]
    }
}

const fn skill(stray: f64, scatter: f64) -> Skill {
    Skill { stray, scatter }
}

static MLB: League = League {
    sport: Sport::Mlb,
    scoring: Scoring::Runs(Runs { clumping: 3.9, home_in_extra: 0.53, last_at_bat: 0.14, empty_net: 0.0 }),
    strengths: Strengths {
        home_edge: 0.38,
        team_margin: 0.58,
        game_margin: 0.64,
        total: 8.62,
        team_total: 0.45,
        game_total: 0.95,
    },
    market: Market {
        margin_error: 0.22,
        total_error: 0.35,
        margin_move: 0.22,
        total_move: 0.36,
        money_vig: 0.0246,
        spread_vig: 0.0323,
        total_vig: 0.0407,
        even_spreads: 0.05,
        even_totals: 0.17,
        pick_ems: 0.0,
        open_hours: 26,
    },
    models: Models { spread: skill(0.025, 0.019), total: skill(0.03, 0.016), money: skill(0.025, 0.019), has_ai: true },
    minutes: 180,
    starts: &[(19, 5), (19, 10), (18, 40), (13, 10), (13, 35), (20, 10), (21, 40), (22, 10)],
};

static NBA: League = League {
    sport: Sport::Nba,
    scoring: Scoring::Margins(Margins {
        deviation: 12.05,
        total_deviation: 17.6,
        widest: 70,
        football: false,
        excess: 0.0,
    }),
    strengths: Strengths {
        home_edge: 2.75,
        team_margin: 4.0,
        game_margin: 2.6,
        total: 206.4,
        team_total: 7.5,
        game_total: 9.3,
    },
    market: Market {
        margin_error: 1.2,
        total_error: 1.8,
        margin_move: 1.3,
        total_move: 2.3,
        money_vig: 0.0378,
        spread_vig: 0.0476,
        total_vig: 0.0476,
        even_spreads: 0.3,
        even_totals: 0.3,
        pick_ems: 0.42,
        open_hours: 26,
    },
    models: Models { spread: skill(0.025, 0.017), total: skill(0.024, 0.015), money: skill(0.03, 0.038), has_ai: true },
    minutes: 140,
    starts: &[(19, 0), (19, 0), (19, 30), (19, 30), (20, 0), (20, 30), (21, 0), (22, 0), (22, 30)],
};

static NFL: League = League {
    sport: Sport::Nfl,
    scoring: Scoring::Margins(Margins {
        deviation: 13.7,
        total_deviation: 14.0,
        widest: 60,
        football: true,
        excess: -0.3,
    }),
    strengths: Strengths {
        home_edge: 2.5,
        team_margin: 4.55,
        game_margin: 2.0,
        total: 43.9,
        team_total: 2.6,
        game_total: 3.2,
    },
    market: Market {
        margin_error: 1.5,
        total_error: 1.5,
        margin_move: 1.7,
        total_move: 1.8,
        money_vig: 0.0254,
        spread_vig: 0.0241,
        total_vig: 0.0265,
        even_spreads: 0.0,
        even_totals: 0.15,
        pick_ems: 0.04,
        open_hours: 170,
    },
    models: Models { spread: skill(0.04, 0.024), total: skill(0.039, 0.024), money: skill(0.035, 0.034), has_ai: true },
    minutes: 190,
    starts: &[(13, 0), (13, 0), (13, 0), (13, 0), (13, 0), (16, 5), (16, 25), (16, 25)],
};

static NHL: League = League {
    sport: Sport::Nhl,
    scoring: Scoring::Runs(Runs { clumping: 400.0, home_in_extra: 0.51, last_at_bat: 0.0, empty_net: 0.3 }),
    strengths: Strengths {
        home_edge: 0.24,
        team_margin: 0.4,
        game_margin: 0.33,
        total: 5.75,
        team_total: 0.16,
        game_total: 0.22,
    },
    market: Market {
        margin_error: 0.12,
        total_error: 0.2,
        margin_move: 0.14,
        total_move: 0.2,
        money_vig: 0.04,
        spread_vig: 0.04,
        total_vig: 0.045,
        even_spreads: 0.0,
        even_totals: 0.25,
        pick_ems: 0.0,
        open_hours: 26,
    },
    models: Models {
        spread: skill(0.02, 0.018),
        total: skill(0.025, 0.018),
        money: skill(0.022, 0.018),
        has_ai: false,
    },
    minutes: 150,
    starts: &[(19, 0), (19, 0), (19, 0), (19, 30), (20, 0), (21, 0), (22, 0), (22, 30)],
};

static NCAAF: League = League {
    sport: Sport::Ncaaf,
    scoring: Scoring::Margins(Margins {
        deviation: 16.5,
        total_deviation: 17.6,
        widest: 80,
        football: true,
        excess: 0.75,
    }),
    strengths: Strengths {
        home_edge: 5.0,
        team_margin: 9.9,
        game_margin: 5.2,
        total: 57.2,
        team_total: 4.6,
        game_total: 5.6,
    },
    market: Market {
        margin_error: 1.6,
        total_error: 1.8,
        margin_move: 1.6,
        total_move: 2.0,
        money_vig: 0.0364,
        spread_vig: 0.0476,
        total_vig: 0.0476,
        even_spreads: 0.4,
        even_totals: 0.4,
        pick_ems: 0.4,
        open_hours: 170,
    },
    models: Models {
        spread: skill(0.037, 0.023),
        total: skill(0.033, 0.022),
        money: skill(0.04, 0.039),
        has_ai: false,
    },
    minutes: 205,
    starts: &[(12, 0), (12, 0), (12, 0), (15, 30), (15, 30), (19, 0), (19, 30), (22, 30)],
};

static NCAAB: League = League {
    sport: Sport::Ncaab,
    scoring: Scoring::Margins(Margins {
        deviation: 11.1,
        total_deviation: 16.7,
        widest: 70,
        football: false,
        excess: 0.0,
    }),
    strengths: Strengths {
        home_edge: 4.4,
        team_margin: 5.1,
        game_margin: 4.0,
        total: 141.4,
        team_total: 4.8,
        game_total: 6.6,
    },
    market: Market {
        margin_error: 1.0,
        total_error: 1.8,
        margin_move: 1.25,
        total_move: 2.25,
        money_vig: 0.0395,
        spread_vig: 0.0476,
        total_vig: 0.0476,
        even_spreads: 0.4,
        even_totals: 0.4,
        pick_ems: 0.6,
        open_hours: 26,
    },
    models: Models { spread: skill(0.014, 0.01), total: skill(0.025, 0.013), money: skill(0.03, 0.04), has_ai: false },
    minutes: 125,
    starts: &[(12, 0), (14, 0), (16, 0), (18, 30), (19, 0), (19, 0), (20, 0), (21, 0), (22, 0)],
};

impl League {
    /// Returns the league of a sport.
    pub(crate) const fn for_sport(sport: Sport) -> &'static Self {
        match sport {
            Sport::Mlb => &MLB,
            Sport::Nba => &NBA,
            Sport::Nfl => &NFL,
            Sport::Nhl => &NHL,
            Sport::Ncaaf => &NCAAF,
            Sport::Ncaab => &NCAAB,
        }
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
