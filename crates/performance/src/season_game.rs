use chrono::NaiveDate;
use sports_domain::{GameKey, ModelColumn, Side};
use sports_grading::{Graded, MarketGame, Picks, UngradedReason, Verdict};

/// A game of a season in one market, with its verdict. All figures of this crate are computed from such games.
///
/// Games may be in any order; a season's games must all be of one market. Each game is graded by its own market's
/// rules, but over and home sides of several markets are not comparable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeasonGame<'a> {
    key: &'a GameKey,
    date: NaiveDate,
    market: MarketGame<'a>,
    verdict: Verdict,
}

impl<'a> SeasonGame<'a> {
    /// Grades a game.
    pub fn new(key: &'a GameKey, market: MarketGame<'a>) -> Self {
        Self { key, date: key.date, market, verdict: market.verdict() }
    }

    /// Returns the game's key.
    pub const fn key(&self) -> &'a GameKey {
        self.key
    }

    /// Returns its Eastern date.
    #[inline]
    pub const fn date(&self) -> NaiveDate {
        self.date
    }

    /// Returns the game's market: its line, prices, probabilities and final.
    #[inline]
    pub const fn market(&self) -> &MarketGame<'a> {
        &self.market
    }

    /// Returns the verdict of grading.
    #[inline]
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the picks of a graded game.
    #[inline]
    pub const fn graded(&self) -> Option<&Graded> {
        match &self.verdict {
            Verdict::Graded(graded) => Some(graded),
            Verdict::Ungraded(_) => None,
        }
    }

    /// Returns `true` if it has a final and a line, and is not a push.
    pub(crate) const fn is_decided(&self) -> bool {
        matches!(self.verdict, Verdict::Graded(_) | Verdict::Ungraded(UngradedReason::NoPrediction))
    }
}

/// The number of the six individual models that must pick the same side for the ensemble to pick it.
pub const ENSEMBLE_MAJORITY: u32 = 5;

/// The bits of the six individual models.
const INDIVIDUAL: u64 = {
    let (mut mask, mut index) = (0, 0);
    while index < ModelColumn::INDIVIDUAL.len() {
        mask |= 1 << ModelColumn::INDIVIDUAL[index].index();
        index += 1;
    }
    mask
};

/// Returns `true` if enough of the six individual models picked a side.
#[inline]
pub fn ensemble_agrees(picks: Picks, side: Side) -> bool {
    (picks.on(side) & INDIVIDUAL).count_ones() >= ENSEMBLE_MAJORITY
}

/// Returns the side on which enough of the six individual models agree, if any.
pub fn ensemble_pick(picks: Picks) -> Option<Side> {
    [Side::Positive, Side::Negative].into_iter().find(|side| ensemble_agrees(picks, *side))
}

#[cfg(test)]
mod tests {
    use sports_domain::{FinalScore, Forecasts, GameLines, ModelType, Probability, Total};
    use sports_grading::{MarketGame, Verdict};

    use super::*;

    fn pick_of(probabilities: [Option<f64>; 6]) -> Option<Side> {
        let lines = GameLines { total: Total::new(40.5).ok(), ..GameLines::default() };
        let given = ModelColumn::INDIVIDUAL.into_iter().zip(probabilities);
        // BLEND makes the game graded; it has no vote.
        let blend = Forecasts::default().with(ModelColumn::Blend, Probability::new(0.9).expect("valid"));
        let forecasts = given.fold(blend, |all, (model, probability)| {
            probability.map_or(all, |probability| all.with(model, Probability::new(probability).expect("valid")))
        });
        let game = MarketGame::new(ModelType::OverUnder, &lines, Some(FinalScore { away: 20, home: 24 }), forecasts);
        let Verdict::Graded(graded) = game.verdict() else { panic!("graded") };
        ensemble_pick(graded.picks())
    }

    #[test]
    fn five_of_six_make_a_pick_and_four_do_not() {
        let (over, under, half) = (Some(0.6), Some(0.4), Some(0.5));
        assert_eq!(pick_of([over; 6]), Some(Side::Positive));
        assert_eq!(pick_of([under, over, over, over, over, over]), Some(Side::Positive));
        assert_eq!(pick_of([under, under, under, half, under, under]), Some(Side::Negative));
        assert_eq!(pick_of([under, under, under, None, under, under]), Some(Side::Negative));
        assert_eq!(pick_of([under, under, over, over, over, over]), None);
        assert_eq!(pick_of([None, half, over, over, over, over]), None);
        assert_eq!(pick_of([None; 6]), None);
    }
}
