use sports_domain::{ModelColumn, Side};
use sports_grading::Graded;

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
pub fn agrees(graded: &Graded, side: Side) -> bool {
    (graded.picks().on(side) & INDIVIDUAL).count_ones() >= ENSEMBLE_MAJORITY
}

/// Returns the side on which enough of the six individual models agree, if any.
pub fn pick(graded: &Graded) -> Option<Side> {
    [Side::Positive, Side::Negative].into_iter().find(|side| agrees(graded, *side))
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
        pick(&graded)
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
