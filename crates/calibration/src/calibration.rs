use crate::bins::Binned;
use crate::corp::Pooled;
use crate::interval::holm;
use crate::perfect::PerfectForecaster;
use crate::{
    BINS, Bin, Corp, MarketComparison, MarketVerdict, MurphyTerms, Picks, SampleSize, SettledForecast, SplitMix64,
};

/// The calibration of a model's probabilities over decided games.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The games with the model's probability.
    pub games: u32,
    /// Scores of its probabilities; `None` without games.
    pub scores: Option<Scores>,
    /// The model's picks.
    pub picks: Picks,
    /// The comparison with the market; `None` if no game has both probabilities.
    pub market: Option<MarketComparison>,
    /// The p-value of the Brier difference after Holm's correction; `None` without a p-value.
    pub p_holm: Option<f64>,
    /// The result of the comparison with the market.
    pub verdict: MarketVerdict,
}

/// Scores of probabilities, over one game or more.
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
    /// The distribution of these figures by chance alone.
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

/// Computes the calibration of each model of one market. The p-values are corrected for multiple comparisons. The
/// order of forecasts does not change any bit of the figures.
///
/// `snapshot` names the data; together with a model's name it seeds the draws.
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
    /// Computes the calibration of a model by itself, with an undecided verdict.
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

    /// Returns the size class of the sample.
    pub const fn sample(&self) -> SampleSize {
        SampleSize::from_games(self.games)
    }

    /// Returns the uncorrected p-value of the Brier difference.
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
