use sports_domain::{ModelColumn, Side};
use sports_grading::Graded;

/// How many of the six individual models must take one side for the ensemble to take it.
pub const ENSEMBLE_MAJORITY: usize = 5;

/// The side on which enough of the six individual models agree.
pub fn pick(graded: &Graded) -> Option<Side> {
    let on = |side| ModelColumn::INDIVIDUAL.iter().filter(|model| graded.pick(**model) == Some(side)).count();
    [Side::Positive, Side::Negative].into_iter().find(|side| on(*side) >= ENSEMBLE_MAJORITY)
}

#[cfg(test)]
mod tests {
    use sports_domain::{FinalScore, Forecasts, GameLines, ModelType, Probability, Total};
    use sports_grading::{MarketGame, Verdict};

    use super::*;

    fn pick_of(probabilities: [Option<f64>; 6]) -> Option<Side> {
        let lines = GameLines { total: Total::new(40.5).ok(), ..GameLines::default() };
        let given = ModelColumn::INDIVIDUAL.into_iter().zip(probabilities);
        // The blend keeps the game graded; it has no vote.
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
