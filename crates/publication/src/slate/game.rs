use chrono::NaiveDate;
use sports_domain::{Forecasts, GameKey, GameLines, ModelColumn, ModelName, ModelType, OwnForecasts, Probability};

/// One game of one market's predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct SlateGame {
    pub key: GameKey,
    /// The identity of the game in its league; in a publisher's row, the game that the row names.
    pub game_id: Option<String>,
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// Current and opening lines.
    pub lines: GameLines,
    /// The probabilities of the positive side by the specification's models.
    pub forecasts: Forecasts<'static>,
    /// The same by the publisher's own models.
    pub own: OwnForecasts,
}

impl SlateGame {
    /// Returns a model's probability of the positive side in the market of `model_type`. IMPLIED is computed from both
    /// current prices; it is `None` without both.
    pub fn probability(&self, model_type: ModelType, model: impl Into<ModelName>) -> Option<Probability> {
        let model = model.into();
        match model.column() {
            Some(ModelColumn::Implied) => self.lines.prices(model_type).no_vig(),
            Some(forecast) => self.forecasts.get(forecast),
            None => self.own.get(model),
        }
    }

    /// Returns the models with a probability of their own, which IMPLIED is not.
    pub fn models(&self) -> impl Iterator<Item = ModelName> {
        let standard = self.forecasts.iter().map(|(model, _)| ModelName::of(model));
        standard.chain(self.own.iter().map(|(model, _)| model))
    }

    /// Returns every available probability: of the specification's models in their order, then of these own models.
    pub fn probabilities<'a>(
        &'a self,
        model_type: ModelType,
        own: &'a [ModelName],
    ) -> impl Iterator<Item = (ModelName, Probability)> + 'a {
        let models = ModelColumn::ALL.into_iter().map(ModelName::of).chain(own.iter().copied());
        models.filter_map(move |model| Some((model, self.probability(model_type, model)?)))
    }
}

/// Returns the models with a probability for at least one game, in the order of [`SlateGame::probabilities`].
pub fn models_used(model_type: ModelType, games: &[SlateGame], own: &[ModelName]) -> Vec<ModelName> {
    let has_value = |model: &ModelName| games.iter().any(|game| game.probability(model_type, *model).is_some());
    ModelColumn::ALL.into_iter().map(ModelName::of).chain(own.iter().copied()).filter(has_value).collect()
}

/// Returns the first date that counts as upcoming.
///
/// A completed run for today or a later date makes it today, even if the run found no games. Before such a run, the
/// earlier slate stays: its games count from the slate's own date on, but never from before the last completed run,
/// because earlier games were over by then.
pub fn upcoming_floor(today: NaiveDate, completed_run_for: Option<NaiveDate>, artifact_slate: NaiveDate) -> NaiveDate {
    completed_run_for.map_or(artifact_slate, |completed| completed.max(artifact_slate)).min(today)
}

#[cfg(test)]
mod tests {
    use sports_domain::{AmericanPrice, TeamSlug, TwoWayPrices};

    use super::*;

    fn game(prices: TwoWayPrices, forecasts: Forecasts<'static>) -> SlateGame {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let date = "2024-07-05".parse().expect("a date");
        let key =
            GameKey { date, time: None, away: team("canal_foxes"), home: team("harbor_gulls"), game_number: None };
        let lines = GameLines { money: prices, ..GameLines::default() };
        SlateGame { key, game_id: None, match_id: None, lines, forecasts, own: OwnForecasts::default() }
    }

    #[test]
    fn models_with_a_probability_are_listed_in_column_order() {
        let probability = |raw| Probability::new(raw).expect("valid");
        let even = AmericanPrice::new(-110).ok();
        let (both, one) =
            (TwoWayPrices { positive: even, negative: even }, TwoWayPrices { positive: even, negative: None });
        let forecasts =
            Forecasts::default().with(ModelColumn::Xgb, probability(0.4)).with(ModelColumn::Blend, probability(0.6));
        let priced = game(both, forecasts);
        let probabilities: Vec<_> = priced.probabilities(ModelType::WonOnPoints, &[]).collect();
        let spoken = [(ModelColumn::Implied, 0.5), (ModelColumn::Blend, 0.6), (ModelColumn::Xgb, 0.4)];
        assert_eq!(probabilities, spoken.map(|(model, raw)| (ModelName::of(model), probability(raw))));
        assert_eq!(models_used(ModelType::WonOnPoints, &[], &[]), []);
        let games = [game(one, Forecasts::default().with(ModelColumn::Rf, probability(0.5))), game(one, forecasts)];
        let used = [ModelColumn::Blend, ModelColumn::Rf, ModelColumn::Xgb].map(ModelName::of);
        assert_eq!(models_used(ModelType::WonOnPoints, &games, &[]), used, "one price is no IMPLIED");
        // The money line belongs to another market.
        assert_eq!(
            models_used(ModelType::OverUnder, &[priced], &[]),
            [ModelColumn::Blend, ModelColumn::Xgb].map(ModelName::of)
        );
    }

    #[test]
    fn own_models_are_listed_in_the_given_order_behind_those_of_the_specification() {
        let probability = |raw| Probability::new(raw).expect("valid");
        let mut quoted = game(TwoWayPrices::default(), Forecasts::default().with(ModelColumn::Xt, probability(0.6)));
        let own: [ModelName; 3] = ["nn_v2", "ELO", "GLM"].map(|name| name.parse().expect("a name"));
        quoted.own.insert(own[0], probability(0.7));
        let mut other = quoted.clone();
        other.own.insert(own[1], probability(0.3));
        let used = models_used(ModelType::OverUnder, &[quoted.clone(), other], &own);
        assert_eq!(used.iter().map(ModelName::as_str).collect::<Vec<_>>(), ["XT", "nn_v2", "ELO"]);
        assert_eq!(
            own.map(|model| quoted.probability(ModelType::OverUnder, model)),
            [Some(probability(0.7)), None, None]
        );
        let listed: Vec<_> = quoted.probabilities(ModelType::OverUnder, &own).map(|(model, _)| model).collect();
        assert_eq!(listed, [ModelName::of(ModelColumn::Xt), own[0]]);
    }

    #[test]
    fn the_latest_slate_stays_visible_until_todays_run_has_completed() {
        let date = |day| NaiveDate::from_ymd_opt(2024, 11, day).expect("a date");
        let table = [
            (Some(24), 24, 24, "today's run is done"),
            (Some(25), 25, 24, "a later run is done"),
            (Some(24), 23, 24, "an off-day: yesterday's games are over"),
            (Some(23), 22, 23, "the day after an off-day: what was over then is not to come again"),
            (Some(23), 23, 23, "yesterday's slate is the latest"),
            (None, 23, 23, "no run is known"),
            (Some(23), 26, 24, "a slate ahead of today hides nothing of today"),
        ];
        for (run, artifact, floor, why) in table {
            assert_eq!(upcoming_floor(date(24), run.map(date), date(artifact)), date(floor), "{why}");
        }
    }
}
