//! Properties of the grading rules for arbitrary games.

use proptest::prelude::*;
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameLines, HomeSpread, ModelColumn, ModelType, Probability, Side, Total,
    TwoWayPrices,
};
use sports_grading::{MarketGame, UngradedReason, Verdict};

#[derive(Debug, Clone)]
struct Arbitrary {
    model_type: ModelType,
    lines: GameLines,
    score: Option<FinalScore>,
    forecasts: Forecasts<'static>,
}

impl Arbitrary {
    fn game(&self) -> MarketGame<'static> {
        MarketGame::new(self.model_type, &self.lines, self.score, self.forecasts)
    }

    /// Returns the game with its sides exchanged: probabilities are complemented, and home and away swapped. For
    /// totals, the combined score is reflected about the line; returns `None` if that is not a score.
    fn mirrored(&self) -> Option<MarketGame<'static>> {
        let lines = GameLines {
            money: swapped(self.lines.money),
            spread: self.lines.spread.and_then(|spread| HomeSpread::new(spread.away()).ok()),
            spread_prices: swapped(self.lines.spread_prices),
            total: self.lines.total,
            total_prices: swapped(self.lines.total_prices),
            ..GameLines::default()
        };
        let score = match (self.model_type, self.score, self.lines.total) {
            (ModelType::OverUnder, Some(score), Some(total)) => {
                let reflected = total.get() * 2.0 - f64::from(score.combined());
                Some(FinalScore { away: 0, home: (0..=500).find(|home| (f64::from(*home) - reflected).abs() < 1e-9)? })
            }
            (_, score, _) => score.map(|score| FinalScore { away: score.home, home: score.away }),
        };
        let forecasts = self
            .forecasts
            .iter()
            .fold(Forecasts::default(), |all, (model, probability)| all.with(model, probability.complement()));
        Some(MarketGame::new(self.model_type, &lines, score, forecasts))
    }
}

const fn swapped(prices: TwoWayPrices) -> TwoWayPrices {
    TwoWayPrices { positive: prices.negative, negative: prices.positive }
}

fn any_price() -> impl Strategy<Value = Option<AmericanPrice>> {
    let raw = prop_oneof![-100_000..=-100_i32, 100..=100_000_i32];
    proptest::option::weighted(0.8, raw).prop_map(|raw| raw.and_then(|raw| AmericanPrice::new(raw).ok()))
}

fn any_prices() -> impl Strategy<Value = TwoWayPrices> {
    prop_oneof![
        3 => (any_price(), any_price()).prop_map(|(positive, negative)| TwoWayPrices { positive, negative }),
        1 => any_price().prop_map(|same| TwoWayPrices { positive: same, negative: same }),
    ]
}

fn any_forecasts() -> impl Strategy<Value = Forecasts<'static>> {
    let probability = prop_oneof![2 => Just(None), 1 => Just(Some(0.5)), 5 => (0.0..=1.0_f64).prop_map(Some)];
    proptest::array::uniform8(probability).prop_map(|probabilities| {
        let given = ModelColumn::FORECASTS.into_iter().zip(probabilities);
        given.fold(Forecasts::default(), |all, (model, probability)| match probability.map(Probability::new) {
            Some(Ok(probability)) => all.with(model, probability),
            _ => all,
        })
    })
}

prop_compose! {
    /// Lines in half points, so that pushes are frequent.
    fn any_lines()(
        money in any_prices(), spread_prices in any_prices(), total_prices in any_prices(),
        spread in proptest::option::of(-40..=40_i32), total in proptest::option::of(1..=200_i32),
    ) -> GameLines {
        GameLines {
            money,
            spread: spread.and_then(|halves| HomeSpread::new(f64::from(halves) / 2.0).ok()),
            spread_prices,
            total: total.and_then(|halves| Total::new(f64::from(halves) / 2.0).ok()),
            total_prices,
            ..GameLines::default()
        }
    }
}

prop_compose! {
    fn any_game()(
        model_type in proptest::sample::select(ModelType::ALL.to_vec()), lines in any_lines(),
        score in proptest::option::weighted(0.9, (0..=60_u16, 0..=60_u16)), forecasts in any_forecasts(),
    ) -> Arbitrary {
        Arbitrary { model_type, lines, score: score.map(|(away, home)| FinalScore { away, home }), forecasts }
    }
}

prop_compose! {
    /// Generates any values that the types admit: any number of points, any price, any score.
    fn anything()(
        points in proptest::array::uniform2(any::<f64>()), prices in proptest::array::uniform2(any::<i32>()),
        score in any::<Option<(u16, u16)>>(), probability in any::<f64>(),
        model_type in proptest::sample::select(ModelType::ALL.to_vec()),
    ) -> Arbitrary {
        let [positive, negative] = prices.map(|raw| AmericanPrice::new(raw).ok());
        let both = TwoWayPrices { positive, negative };
        let lines = GameLines {
            money: both, spread_prices: both, total_prices: both,
            spread: HomeSpread::new(points[0]).ok(), total: Total::new(points[1]).ok(), ..GameLines::default()
        };
        let blend = Probability::new(probability).ok();
        let none = Forecasts::default();
        let forecasts = blend.map_or(none, |probability| none.with(ModelColumn::Blend, probability));
        Arbitrary { model_type, lines, score: score.map(|(away, home)| FinalScore { away, home }), forecasts }
    }
}

proptest! {
    /// Grading never panics, and its results are consistent.
    #[test]
    fn any_row_is_graded_or_has_a_reason(recorded in anything()) {
        let game = recorded.game();
        match game.verdict() {
            Verdict::Graded(graded) => {
                prop_assert_eq!(game.push(), Some(false));
                prop_assert_eq!(graded.outcome() == Side::Positive, game.positive_won() == Some(true));
            }
            Verdict::Ungraded(UngradedReason::NoFinal) => prop_assert_eq!(recorded.score, None),
            Verdict::Ungraded(UngradedReason::NoLine) => prop_assert_eq!(game.line(), None),
            Verdict::Ungraded(UngradedReason::Push) => prop_assert_eq!(game.push(), Some(true)),
            Verdict::Ungraded(UngradedReason::NoPrediction) => prop_assert_eq!(game.push(), Some(false)),
        }
        let implied = game.probability(ModelColumn::Implied).map(Probability::get);
        prop_assert!(implied.is_none_or(|probability| (0.0..=1.0).contains(&probability)));
    }

    /// A game with exchanged sides has the mirrored verdict.
    #[test]
    fn swapping_sides_mirrors_every_verdict(recorded in any_game()) {
        let Some(mirror) = recorded.mirrored() else { return Ok(()) };
        match (recorded.game().verdict(), mirror.verdict()) {
            (Verdict::Graded(game), Verdict::Graded(mirror)) => {
                prop_assert_eq!(game.outcome(), mirror.outcome().opposite());
                for model in ModelColumn::ALL {
                    prop_assert_eq!(game.pick(model), mirror.pick(model).map(Side::opposite));
                    prop_assert_eq!(game.won(model), mirror.won(model));
                }
            }
            (game, mirror) => prop_assert_eq!(game, mirror),
        }
    }

    /// A final exactly on the line grades no model.
    #[test]
    fn a_push_grades_no_model(recorded in any_game()) {
        let game = recorded.game();
        if game.push() == Some(true) {
            prop_assert_eq!(game.verdict(), Verdict::Ungraded(UngradedReason::Push));
            prop_assert_eq!(game.positive_won(), Some(false));
        }
    }

    /// A model's wins and losses add up to its picks, and a graded game has at least one pick.
    #[test]
    fn wins_and_losses_add_up_to_picks(games in proptest::collection::vec(any_game(), 0..40)) {
        let verdicts: Vec<_> = games.iter().map(|recorded| recorded.game().verdict()).collect();
        let graded: Vec<_> = verdicts.iter().filter_map(|v| if let Verdict::Graded(g) = v { Some(g) } else { None }).collect();
        for model in ModelColumn::ALL {
            let count = |won| graded.iter().filter(|game| game.won(model) == Some(won)).count();
            let picks = graded.iter().filter(|game| game.pick(model).is_some()).count();
            prop_assert_eq!(count(true) + count(false), picks);
        }
        for game in graded {
            prop_assert!(ModelColumn::FORECASTS.iter().any(|model| game.pick(*model).is_some()));
        }
    }

    /// IMPLIED has a pick only if both sides have a price, and then the side that is likelier at these prices.
    #[test]
    fn implied_needs_both_prices(recorded in any_game()) {
        let prices = recorded.lines.prices(recorded.model_type);
        let likelier = match (prices.positive, prices.negative) {
            (Some(over), Some(under)) if over.break_even() > under.break_even() => Some(Side::Positive),
            (Some(over), Some(under)) if over.break_even() < under.break_even() => Some(Side::Negative),
            _ => None,
        };
        let both = prices.positive.is_some() && prices.negative.is_some();
        prop_assert_eq!(recorded.game().probability(ModelColumn::Implied).is_some(), both);
        if let Verdict::Graded(graded) = recorded.game().verdict() {
            prop_assert_eq!(graded.pick(ModelColumn::Implied), likelier);
        }
    }

    /// The other markets' lines and every opener do not affect a verdict.
    #[test]
    fn unrelated_columns_do_not_change_a_verdict(recorded in any_game(), noise in any_lines(), open_money in any_prices()) {
        let lines = recorded.lines;
        let mut noisy = GameLines { open_money, open_spread: noise.spread, open_total: noise.total, ..noise };
        match recorded.model_type {
            ModelType::OverUnder => (noisy.total, noisy.total_prices) = (lines.total, lines.total_prices),
            ModelType::WonOnPoints => noisy.money = lines.money,
            ModelType::WonOnSpread => (noisy.spread, noisy.spread_prices) = (lines.spread, lines.spread_prices),
        }
        prop_assert_eq!(Arbitrary { lines: noisy, ..recorded.clone() }.game().verdict(), recorded.game().verdict());
    }
}
