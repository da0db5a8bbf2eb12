use crate::corp::{Pooled, log_loss, squared_error};
use crate::{DatedMean, DatedRatio, DatedTerm, MIN_GAMES, SettledForecast, SplitMix64};

/// A comparison of a model with the market, over the games that have both probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarketComparison {
    /// The number of games, at least one.
    pub games: u32,
    /// The number of their dates.
    pub dates: usize,
    /// The market's Brier score.
    pub implied_brier: f64,
    /// The market's log loss.
    pub implied_log_loss: f64,
    /// 1 − the model's Brier score / the market's; `None` if the market's is zero.
    pub skill: Option<f64>,
    /// The model's squared error minus the market's. Below zero, the model is closer to the outcomes.
    pub brier: DatedMean,
    /// The same difference of log losses.
    pub log_loss: DatedMean,
}

impl MarketComparison {
    /// Compares a model's probabilities with the market's; returns `None` if no game has both.
    pub(crate) fn from_forecasts(forecasts: &[SettledForecast], generator: &SplitMix64) -> Option<Self> {
        let both = || forecasts.iter().filter_map(|forecast| Some((forecast, forecast.market?.get())));
        let implied = Pooled::from_forecasts(both().map(|(forecast, market)| (market, forecast.positive_won())))?;
        let own = both().map(|(forecast, _)| (forecast.probability.get(), forecast.positive_won()));
        let own = Pooled::from_forecasts(own)?;
        let losses = |loss: fn(f64, bool) -> f64| {
            DatedRatio::from_terms(both().map(|(forecast, market)| {
                let (probability, won) = (forecast.probability.get(), forecast.positive_won());
                DatedTerm { date: forecast.date, sum: loss(probability, won) - loss(market, won), weight: 1.0 }
            }))
        };
        let (games, implied_brier) = (implied.games(), implied.brier());
        let brier = losses(squared_error);
        Some(Self {
            games,
            dates: brier.dates(),
            implied_brier,
            implied_log_loss: implied.log_loss(),
            skill: (implied_brier > 0.0).then(|| 1.0 - own.brier() / implied_brier),
            // Equal generators: both intervals use the same draws of dates.
            brier: DatedMean::of_games(&brier, games, generator)?,
            log_loss: DatedMean::of_games(&losses(log_loss), games, generator)?,
        })
    }
}

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
    use chrono::{Days, NaiveDate};
    use sports_domain::{Probability, Side};

    use super::*;
    use crate::DatedMean;
    use crate::dated_ratio::NO_SPREAD;

    fn forecast(day: u64, model: f64, market: Option<f64>, won: bool) -> SettledForecast {
        let probability = |raw| Probability::new(raw).expect("a probability");
        SettledForecast {
            date: NaiveDate::from_ymd_opt(2023, 9, 7).expect("a date") + Days::new(day),
            probability: probability(model),
            market: market.map(probability),
            winner: if won { Side::Positive } else { Side::Negative },
            price: None,
        }
    }

    fn compare(forecasts: &[SettledForecast]) -> Option<MarketComparison> {
        MarketComparison::from_forecasts(forecasts, &SplitMix64::from_names(&["a snapshot", "BLEND", "market"]))
    }

    /// Squared errors .04, .16 and .36 against .25, .25 and .16: differences -.21 and -.09 on one date and .20 on the next.
    /// Their mean is -1/30; residuals -.30 + 2/30 and .20 + 1/30 are both 7/30, so se² = 2 · 2 · (7/30)² / 9.
    #[test]
    fn a_comparison_matches_hand_calculation() {
        let games = [
            forecast(0, 0.8, Some(0.5), true),
            forecast(0, 0.4, Some(0.5), false),
            forecast(1, 0.6, Some(0.4), false),
            forecast(1, 0.9, None, true),
        ];
        let compared = compare(&games).expect("games");
        assert_eq!((compared.games, compared.dates), (3, 2));
        assert!((compared.implied_brier - 0.22).abs() < 1e-12);
        assert!((compared.skill.expect("a score") - (1.0 - 0.56 / 0.66)).abs() < 1e-12);
        // ln 2 + ln 2 - ln .6, a game each.
        assert!((compared.implied_log_loss - 0.632_373).abs() < 1e-6);
        assert!((compared.brier.mean + 1.0 / 30.0).abs() < 1e-12);
        assert!((compared.brier.se.expect("dates") - 7.0 / 45.0).abs() < 1e-12);
        assert!((compared.brier.t.expect("dates") + 3.0 / 14.0).abs() < 1e-12);
        assert_eq!(compared.brier.p, None, "three games are too few");
        assert!((compared.log_loss.mean - (0.223_144 + 0.510_826 + 0.916_291 - 1.897_120) / 3.0).abs() < 1e-6);
    }

    #[test]
    fn a_p_value_needs_thirty_games_with_both_probabilities() {
        let season = |games: u64| {
            let game = |game: u64| forecast(game / 3, 0.6, Some(0.55), game.is_multiple_of(2));
            let unpriced = std::iter::repeat_n(forecast(0, 0.6, None, true), 10);
            compare(&(0..games).map(game).chain(unpriced).collect::<Vec<_>>()).expect("games")
        };
        let of = |compared: MarketComparison| [compared.brier.p, compared.log_loss.p].map(|p| p.is_some());
        assert_eq!([29, 30].map(|games| of(season(games))), [[false; 2], [true; 2]]);
    }

    #[test]
    fn without_games_with_both_probabilities_there_is_no_comparison() {
        assert_eq!(compare(&[forecast(0, 0.8, None, true)]), None);
        assert_eq!(compare(&[]), None);
    }

    #[test]
    fn one_date_and_equal_differences_have_no_t_statistic() {
        let of_one_date = compare(&[forecast(0, 0.8, Some(0.5), true), forecast(0, 0.8, Some(0.5), false)]);
        let brier = of_one_date.expect("games").brier;
        assert_eq!((brier.se, brier.t, brier.p, brier.interval), (None, None, None, None));
        let equal: Vec<_> = (0..40).map(|day| forecast(day, 0.7, Some(0.4), true)).collect();
        let brier = compare(&equal).expect("games").brier;
        assert!((brier.mean + 0.27).abs() < 1e-12 && brier.se.expect("dates") < NO_SPREAD);
        assert_eq!((brier.t, brier.p), (None, None));
    }

    /// Certain and wrong on both dates, once for each side: the differences are equal.
    #[test]
    fn clipped_losses_to_either_side_are_equal() {
        let wrong = |game: u64| {
            let day = game % 2;
            forecast(day, if day == 0 { 1.0 } else { 0.0 }, Some(0.5), day == 1)
        };
        let log_loss = compare(&(0..60).map(wrong).collect::<Vec<_>>()).expect("games").log_loss;
        // ln 10⁶ − ln 2.
        assert!((log_loss.mean - 500_000.0_f64.ln()).abs() < 1e-5, "{log_loss:?}");
        assert_eq!((log_loss.t, log_loss.p), (None, None));
    }

    #[test]
    fn there_is_no_skill_against_a_market_with_a_score_of_zero() {
        let compared = compare(&[forecast(0, 0.8, Some(1.0), true)]).expect("games");
        assert_eq!((compared.implied_brier.to_bits(), compared.skill), (0.0_f64.to_bits(), None));
    }

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
