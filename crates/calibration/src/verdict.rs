use crate::{MIN_GAMES, MarketComparison};

/// The familywise error rate: the share of seasons without any difference in which a difference is found, over all
/// models of a market.
pub const SIGNIFICANCE: f64 = 0.05;

/// The result of comparing a model's Brier score with the market's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarketVerdict {
    /// The model's probabilities were closer to the outcomes, by more than chance would explain.
    ModelBetter,
    /// The market's probabilities were closer to the outcomes, by more than chance would explain.
    MarketBetter,
    /// Chance could explain the difference; or there is no p-value, because there are too few games, they are of one
    /// date, or every date has the same difference.
    Undecided,
}

impl MarketVerdict {
    /// Every verdict.
    pub const ALL: [Self; 3] = [Self::ModelBetter, Self::MarketBetter, Self::Undecided];

    /// Decides by the mean difference and its p-value after Holm's correction.
    pub(crate) fn from_p(mean_difference: f64, p_holm: f64) -> Self {
        if p_holm > SIGNIFICANCE {
            Self::Undecided
        } else if mean_difference < 0.0 {
            Self::ModelBetter
        } else {
            Self::MarketBetter
        }
    }

    /// Returns the word served as `verdict`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::ModelBetter => "model_better",
            Self::MarketBetter => "market_better",
            Self::Undecided => "undecided",
        }
    }

    /// Returns the verdict on a comparison in a sentence or two. The text makes no claim about future games.
    pub fn in_words(self, compared: Option<&MarketComparison>) -> String {
        let games = compared.map_or(0, |compared| compared.games);
        let over = format!("Over the {games} games with both probabilities");
        match self {
            _ if games < MIN_GAMES => format!(
                "Too few games to say: {games} with a probability of the model and of the market, and {MIN_GAMES} are needed."
            ),
            Self::ModelBetter => format!(
                "{over}, the model's were closer to what happened than the market's, by more than chance would explain. \
                 This says nothing of games to come, nor that bets would have paid: prices include the bookmaker's margin."
            ),
            Self::MarketBetter => format!(
                "{over}, the market's were closer to what happened than the model's, by more than chance would explain."
            ),
            Self::Undecided if compared.is_none_or(|compared| compared.brier.p.is_none()) => format!(
                "{over}, it cannot be said how far chance reaches, because they are of one date or every date has the same \
                 difference: it is undecided whether the model's or the market's were closer to what happened."
            ),
            Self::Undecided => format!(
                "{over}, chance could explain the difference: it is undecided whether the model's or the market's were \
                 closer to what happened."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DatedMean;

    fn compared(games: u32, p: Option<f64>) -> MarketComparison {
        let difference = DatedMean { mean: 0.0, se: None, t: None, p, interval: None };
        MarketComparison {
            games,
            dates: 1,
            implied_brier: 0.25,
            implied_log_loss: 0.7,
            skill: None,
            brier: difference,
            log_loss: difference,
        }
    }

    #[test]
    fn a_verdict_needs_a_p_value_of_five_percent_or_less() {
        use MarketVerdict::{MarketBetter, ModelBetter, Undecided};
        for (difference, p, verdict) in [
            (-0.01, 0.05, ModelBetter),
            (0.01, 0.05, MarketBetter),
            (-0.01, 0.051, Undecided),
            (0.01, 0.051, Undecided),
        ] {
            assert_eq!(MarketVerdict::from_p(difference, p), verdict, "{difference} {p}");
        }
        assert_eq!(MarketVerdict::ALL.map(MarketVerdict::word), ["model_better", "market_better", "undecided"]);
    }

    #[test]
    fn the_words_of_a_verdict_name_the_games_and_promise_nothing() {
        for verdict in MarketVerdict::ALL {
            let words = verdict.in_words(Some(&compared(285, Some(0.5))));
            assert!(words.starts_with("Over the 285 games with both probabilities, "), "{words}");
            let small = words.to_lowercase();
            for promise in ["edge", "will ", "should", "beat", "guarantee", "profitable", "recommend", "bet on"] {
                assert!(!small.contains(promise), "{words}");
            }
        }
        for (games, compared) in [(0, None), (29, Some(compared(29, None)))] {
            let words = MarketVerdict::Undecided.in_words(compared.as_ref());
            assert!(words.starts_with(&format!("Too few games to say: {games} with")), "{words}");
        }
        let words = |p| MarketVerdict::Undecided.in_words(Some(&compared(30, p)));
        assert!(words(Some(0.5)).starts_with("Over the 30 games with both probabilities, chance could explain"));
        assert!(words(None).starts_with("Over the 30 games with both probabilities, it cannot be said how far chance"));
    }
}
