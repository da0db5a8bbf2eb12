use crate::{DatedRatio, DatedTerm, Interval, SettledForecast, SplitMix64, mean_break_even, wilson};

/// A model's picks: the sides with a probability above one half.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Picks {
    /// Picks that won.
    pub wins: u32,
    /// Picks that lost.
    pub losses: u32,
    /// The rate of wins, from 0 to 1; `None` without a pick.
    pub rate: Option<f64>,
    /// The rate's 95 percent interval.
    pub wilson: Option<Interval>,
    /// The break-even rate of the picks with a recorded price; `None` without such a pick.
    pub break_even: Option<f64>,
    /// The profit per unit of one-unit bets on these picks; `None` without such a pick.
    pub roi: Option<f64>,
    /// The 95 percent bootstrap interval of this return; `None` below two dates.
    pub roi_interval: Option<Interval>,
}

impl Picks {
    /// Counts a model's picks.
    pub(crate) fn from_forecasts(forecasts: &[SettledForecast], generator: SplitMix64) -> Self {
        let won = |forecast: &SettledForecast| Some(forecast.probability.favoured()? == forecast.winner);
        let (mut wins, mut losses) = (0, 0);
        for won in forecasts.iter().filter_map(won) {
            *(if won { &mut wins } else { &mut losses }) += 1;
        }
        let priced = || forecasts.iter().filter_map(|forecast| Some((forecast.date, won(forecast)?, forecast.price?)));
        let roi = DatedRatio::from_terms(priced().map(|(date, won, price)| DatedTerm {
            date,
            sum: if won { price.profit_per_unit() } else { -1.0 },
            weight: 1.0,
        }));
        let picks = f64::from(wins) + f64::from(losses);
        Self {
            wins,
            losses,
            rate: (picks > 0.0).then(|| f64::from(wins) / picks),
            wilson: wilson(wins, losses),
            break_even: mean_break_even(priced().map(|(_, _, price)| price)),
            roi: roi.value(),
            roi_interval: roi.interval(generator),
        }
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::{AmericanPrice, Probability, Side};

    use super::*;

    fn forecast(date: &str, probability: f64, winner: Side, price: i32) -> SettledForecast {
        SettledForecast {
            date: date.parse().expect("a date"),
            probability: Probability::new(probability).expect("a probability"),
            market: None,
            winner,
            price: AmericanPrice::new(price).ok(),
        }
    }

    fn picks(forecasts: &[SettledForecast]) -> Picks {
        Picks::from_forecasts(forecasts, SplitMix64::from_names(&["a snapshot", "BLEND", "roi"]))
    }

    /// Picks that won at -200 (profit 1/2), lost at +150 and won without a price, and a game without a pick.
    #[test]
    fn picks_match_hand_calculation() {
        let picks = picks(&[
            forecast("2024-01-06", 0.7, Side::Positive, -200),
            forecast("2024-01-07", 0.4, Side::Positive, 150),
            forecast("2024-01-07", 0.4, Side::Negative, 0),
            forecast("2024-01-07", 0.5, Side::Negative, -110),
        ]);
        assert_eq!((picks.wins, picks.losses), (2, 1));
        assert!((picks.rate.expect("picks") - 2.0 / 3.0).abs() < 1e-12);
        // 2/3 and 2/5.
        assert!((picks.break_even.expect("prices") - 8.0 / 15.0).abs() < 1e-12);
        assert!((picks.roi.expect("prices") + 0.25).abs() < 1e-12);
        assert_eq!(picks.roi_interval, Some(Interval { low: -1.0, high: 0.5 }));
        assert_eq!(picks.wilson, wilson(2, 1));
    }

    #[test]
    fn a_model_without_a_pick_has_no_rates() {
        assert_eq!(picks(&[forecast("2024-01-07", 0.5, Side::Negative, -110)]), Picks::default());
        assert_eq!(picks(&[]), Picks::default());
    }
}
