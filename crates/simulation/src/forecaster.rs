use sports_domain::{Forecasts, ModelColumn, ModelType, Probability};

use crate::league::{League, Skill};
use crate::own_models::OwnModel;
use crate::pmf::rounded;
use crate::quoting::{ForecastKind, Quote, Quoting};
use crate::random::{Purpose, Stream};

/// Probabilities are published in ten-thousandths, and never as 0 or 1.
const WHOLE: i32 = 10_000;
const HALF: i32 = WHOLE / 2;
const LEAST: i32 = 150;
/// The probability that one of the models is at exactly one half.
const AT_HALF: f64 = 0.01;
/// The fraction of the market's distance from one half that models keep.
const CONVICTION: f64 = 0.95;
const MODELS: usize = ModelColumn::INDIVIDUAL.len();

/// The presence of the AI model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AiModel {
    Present,
    Absent,
}

/// Returns the models' probabilities for one market of a game with the lines `quote`; empty without a forecast.
pub(crate) fn forecasts(
    league: &League,
    model_type: ModelType,
    quoting: &Quoting,
    quote: &Quote,
    ai: AiModel,
) -> Forecasts<'static> {
    if quoting.quirks.foreseen == ForecastKind::Never || !is_posted(model_type, quote) {
        return Forecasts::default();
    }
    let mut stream = Stream::for_purpose(quoting.seed, Purpose::Forecast, &[model_type as u64]);
    let (skill, missed) = skill(league, model_type, quoting);
    let centre = centre(skill, quote.probability(model_type), missed, &mut stream);
    let single = |stream: &mut Stream| published(centre + skill.scatter * stream.bell());
    let mut models = [(); MODELS].map(|()| single(&mut stream));
    let ai_model = single(&mut stream);
    if stream.happens(AT_HALF) {
        models[stream.below(MODELS)] = HALF;
    }
    if quoting.quirks.foreseen == ForecastKind::Evenly {
        for pair in models.chunks_exact_mut(2) {
            pair[1] = WHOLE - pair[0];
        }
    }
    let (sum, count) = models.iter().fold((0, 0), |(sum, count), parts| (sum + parts, count + 1));
    let blend = rounded(f64::from(sum) / f64::from(count));
    let silent = ai == AiModel::Absent;
    let blends = [(ModelColumn::Ai, ai_model), (ModelColumn::Blend, blend)].into_iter().skip(usize::from(silent));
    let columns = blends.chain(ModelColumn::INDIVIDUAL.into_iter().zip(models));
    columns.fold(Forecasts::default(), |forecasts, (column, parts)| forecasts.with(column, probability(parts)))
}

/// Returns an own model's text in a file, for one market of a game with the lines `quote`: a probability with four decimals,
/// or nothing.
pub(crate) fn own_cell(
    league: &League,
    model_type: ModelType,
    quoting: &Quoting,
    quote: &Quote,
    model: &OwnModel,
) -> String {
    let probability = own_forecast(league, model_type, quoting, quote, model);
    probability.map(|given| format!("{:.4}", given.get())).unwrap_or_default()
}

/// Returns an own model's probability for one market of a game with the lines `quote`, if the model has one.
fn own_forecast(
    league: &League,
    model_type: ModelType,
    quoting: &Quoting,
    quote: &Quote,
    model: &OwnModel,
) -> Option<Probability> {
    if quoting.quirks.foreseen == ForecastKind::Never || !is_posted(model_type, quote) {
        return None;
    }
    let name = model.name.bytes().map(u64::from);
    let key: Vec<_> = [model_type as u64].into_iter().chain(name).collect();
    let mut stream = Stream::for_purpose(quoting.seed, Purpose::OwnForecast, &key);
    let (of_standard, missed) = skill(league, model_type, quoting);
    let has_forecast = stream.happens(model.share);
    let centre = centre(&model.skill(of_standard), quote.probability(model_type), missed, &mut stream);
    has_forecast.then(|| probability(published(centre)))
}

/// Returns the skill of the league's models in a market, and the part of the game that the market missed.
const fn skill<'l>(league: &'l League, model_type: ModelType, quoting: &Quoting) -> (&'l Skill, f64) {
    match model_type {
        ModelType::OverUnder => (&league.models.total, quoting.missed.total),
        ModelType::WonOnPoints => (&league.models.money, quoting.missed.margin),
        ModelType::WonOnSpread => (&league.models.spread, quoting.missed.margin),
    }
}

fn probability(parts: i32) -> Probability {
    Probability::new(f64::from(parts) / f64::from(WHOLE)).unwrap_or(Probability::HALF)
}

/// Returns the probability around which the six models scatter: the market, the part of its error that they detect, and
/// their own error.
fn centre(skill: &Skill, market: f64, missed: f64, stream: &mut Stream) -> f64 {
    let error = (1.0 - skill.insight * skill.insight).sqrt();
    let stray = skill.stray * (skill.insight * missed + error * stream.bell());
    // The deviation shrinks as the probability approaches a certainty.
    0.5 + CONVICTION * (market - 0.5) + stray * 4.0 * market * (1.0 - market)
}

fn published(probability: f64) -> i32 {
    rounded(probability * f64::from(WHOLE)).clamp(LEAST, WHOLE - LEAST)
}

/// Returns true if the market can be forecast: totals and spreads need a line, a win does not.
const fn is_posted(model_type: ModelType, quote: &Quote) -> bool {
    match model_type {
        ModelType::OverUnder => quote.lines.total.is_some(),
        ModelType::WonOnSpread => quote.lines.spread.is_some(),
        ModelType::WonOnPoints => true,
    }
}
