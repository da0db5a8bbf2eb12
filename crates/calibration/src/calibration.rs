use crate::bins::Binned;
use crate::holm::holm;
use crate::perfect::PerfectForecaster;
use crate::pooled::Pooled;
use crate::{
    BINS, Bin, Corp, MarketComparison, MarketVerdict, MurphyTerms, Picks, SampleSize, SettledForecast, SplitMix64,
};

/// How right a model's probabilities were, over games that were decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The games with the model's probability.
    pub games: u32,
    /// How right they were; `None` over no games.
    pub scores: Option<Scores>,
    /// The model's picks.
    pub picks: Picks,
    /// The model against the market; `None` where no game has both probabilities.
    pub market: Option<MarketComparison>,
    /// The p-value of the Brier difference after Holm's correction; `None` where there is no p-value.
    pub p_holm: Option<f64>,
    /// Whether the model or the market was closer to what happened.
    pub verdict: MarketVerdict,
}

/// How right probabilities were, over one game or more.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// The mean of (probability − outcome)²: 0 is best, one half for every game scores 0.25.
    pub brier: f64,
    /// The mean of −ln of the probability given to what happened: 0 is best, one half for every game scores 0.693.
    pub log_loss: f64,
    /// Games whose probability the log loss clips.
    pub clipped: u32,
    /// Miscalibration, discrimination and uncertainty, with the blocks of a reliability diagram.
    pub corp: Corp,
    /// Murphy's terms in ten bins.
    pub murphy: MurphyTerms,
    /// Games by tenths of the probability.
    pub bins: [Bin; BINS],
    /// The mean distance of probabilities from rates in ten bins.
    pub ece10: f64,
    /// What chance alone does to these figures.
    pub perfect: PerfectForecaster,
}

/// A model's settled forecasts.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelForecasts<'a> {
    /// The model's name, which seeds its draws.
    pub model: &'a str,
    /// Its forecasts, in any order.
    pub forecasts: Vec<SettledForecast>,
}

/// The calibration of each model of one market; their p-values are corrected for being asked together. The same forecasts in
/// another order have the same figures, to the last bit.
///
/// `snapshot` names the data; it and a model's name seed the draws.
#[must_use]
pub fn calibrate(models: &[ModelForecasts<'_>], snapshot: &str) -> Vec<Calibration> {
    let mut calibrations: Vec<_> = models.iter().map(|model| Calibration::uncorrected(model, snapshot)).collect();
    let p_values: Vec<_> = calibrations.iter().filter_map(Calibration::p).collect();
    let tested = calibrations.iter_mut().filter(|calibration| calibration.p().is_some());
    for (calibration, p_holm) in tested.zip(holm(&p_values)) {
        let mean = calibration.market.map_or(0.0, |market| market.brier.mean);
        calibration.p_holm = Some(p_holm);
        calibration.verdict = MarketVerdict::from_p(mean, p_holm);
    }
    calibrations
}

impl Calibration {
    /// The calibration of a model by itself, with nothing decided yet.
    fn uncorrected(model: &ModelForecasts<'_>, snapshot: &str) -> Self {
        let generator = |figure| SplitMix64::from_names(&[snapshot, model.model, figure]);
        let own = model.forecasts.iter().map(|forecast| (forecast.probability.get(), forecast.positive_won()));
        let own = Pooled::from_forecasts(own);
        Self {
            games: own.as_ref().map_or(0, Pooled::games),
            scores: own.and_then(|own| Scores::from_forecasts(&own, generator("perfect"))),
            picks: Picks::from_forecasts(&model.forecasts, generator("roi")),
            market: MarketComparison::from_forecasts(&model.forecasts, &generator("market")),
            p_holm: None,
            verdict: MarketVerdict::Undecided,
        }
    }

    /// How much so many games can say.
    #[must_use]
    pub const fn sample(&self) -> SampleSize {
        SampleSize::from_games(self.games)
    }

    /// The p-value of the Brier difference by itself.
    fn p(&self) -> Option<f64> {
        self.market?.brier.p
    }
}

impl Scores {
    fn from_forecasts(forecasts: &Pooled, generator: SplitMix64) -> Option<Self> {
        let (corp, binned) = (Corp::from_forecasts(forecasts), Binned::from_forecasts(forecasts));
        Some(Self {
            brier: forecasts.brier(),
            log_loss: forecasts.log_loss(),
            clipped: forecasts.clipped(),
            perfect: PerfectForecaster::draw(forecasts, &corp, generator)?,
            corp,
            murphy: binned.murphy(),
            bins: binned.bins(),
            ece10: binned.ece(),
        })
    }
}
