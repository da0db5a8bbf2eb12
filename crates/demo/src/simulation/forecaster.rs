use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{Forecasts, ModelColumn, ModelType, Probability, Sport, eastern_date};

use crate::simulation::league::{League, Skill};
use crate::simulation::quoting::{ForecastKind, Quote, Quoting};
use crate::simulation::random::{Purpose, Stream};
use crate::simulation::scoring::rounded;

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
    let skill = skill(league, model_type);
    let centre = centre(skill.stray, quote.probability(model_type), &mut stream);
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
    let has_forecast = stream.happens(model.share);
    let stray = model.stray * skill(league, model_type).stray;
    let centre = centre(stray, quote.probability(model_type), &mut stream);
    has_forecast.then(|| probability(published(centre)))
}

/// Returns the skill of the league's models in a market.
const fn skill(league: &League, model_type: ModelType) -> &Skill {
    match model_type {
        ModelType::OverUnder => &league.models.total,
        ModelType::WonOnPoints => &league.models.money,
        ModelType::WonOnSpread => &league.models.spread,
    }
}

fn probability(parts: i32) -> Probability {
    Probability::new(f64::from(parts) / f64::from(WHOLE)).unwrap_or(Probability::HALF)
}

/// Returns the probability around which the six models scatter: the market and the models' common error.
fn centre(stray: f64, market: f64, stream: &mut Stream) -> f64 {
    // The error shrinks as the probability approaches a certainty.
    0.5 + CONVICTION * (market - 0.5) + stray * stream.bell() * 4.0 * market * (1.0 - market)
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

// The models that one publisher declares beside the standard ones.

/// The league whose publisher declares own models.
const LEAGUE: Sport = Sport::Nhl;

/// A model that a publisher declares.
#[derive(Debug)]
pub(crate) struct OwnModel {
    pub(crate) name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The version before the day on which the world was created, and the version from then on; `None` if the model is
    /// retired on that day.
    versions: (&'static str, Option<&'static str>),
    is_public: bool,
    /// The markets that the model forecasts.
    markets: &'static [ModelType],
    /// The share of games that the model forecasts.
    pub(crate) share: f64,
    /// The deviation of the model from the market, as a multiple of the standard models' common one.
    stray: f64,
}

/// The own models of the league, in the order of their names.
static OWN_MODELS: [OwnModel; 2] = [
    OwnModel {
        name: "ELO",
        title: "Elo with travel",
        description: "One rating a team, corrected for rest and distance.",
        versions: ("1.0", Some("1.1")),
        is_public: true,
        markets: &[ModelType::WonOnPoints, ModelType::WonOnSpread],
        share: 1.0,
        stray: 1.2,
    },
    OwnModel {
        name: "goalie_net",
        title: "Network of goalies",
        description: "A network that needs both starting goalies.",
        versions: ("3", None),
        is_public: false,
        markets: &ModelType::ALL,
        share: 0.8,
        stray: 1.5,
    },
];

/// The own models of a world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnModels {
    is_declared: bool,
    /// The day on which the world was created, when the second model is retired.
    created: NaiveDate,
}

impl OwnModels {
    /// Creates the own models of a world without any.
    pub(crate) const fn none(created: NaiveDate) -> Self {
        Self { is_declared: false, created }
    }

    pub(crate) const fn declared(self) -> Self {
        Self { is_declared: true, ..self }
    }

    /// Returns the models of a league's past, retired ones included.
    pub(crate) fn of_history(self, sport: Sport) -> &'static [OwnModel] {
        if self.is_declared && sport == LEAGUE { &OWN_MODELS } else { &[] }
    }

    /// Returns the models that forecast a league's games at an instant.
    pub(crate) fn in_use(self, sport: Sport, instant: DateTime<Utc>) -> Vec<&'static OwnModel> {
        let models = self.of_history(sport).iter();
        models.filter(|model| self.version(model, Some(instant)).is_some()).collect()
    }

    /// Returns the object `models` of a `release.json`: the models as of an instant, or as of the past.
    pub(crate) fn declarations(self, sport: Sport, instant: Option<DateTime<Utc>>) -> Option<String> {
        let declaration = |model: &OwnModel| {
            let status = match self.version(model, instant) {
                Some(version) => format!("\"version\": \"{version}\""),
                None => "\"retired\": true".to_owned(),
            };
            let markets: Vec<_> = model.markets.iter().map(|market| format!("\"{market}\"")).collect();
            format!(
                "\"{}\": {{\"title\": \"{}\", \"description\": \"{}\", \"public\": {}, \"model_types\": [{}], {status}}}",
                model.name,
                model.title,
                model.description,
                model.is_public,
                markets.join(", ")
            )
        };
        let models: Vec<_> = self.of_history(sport).iter().map(declaration).collect();
        (!models.is_empty()).then(|| format!("{{\n    {}\n  }}", models.join(",\n    ")))
    }

    fn version(self, model: &OwnModel, instant: Option<DateTime<Utc>>) -> Option<&'static str> {
        let is_later = instant.is_some_and(|instant| eastern_date(instant) >= self.created);
        if is_later { model.versions.1 } else { Some(model.versions.0) }
    }
}

impl OwnModel {
    /// Returns true if the model forecasts the market.
    pub(crate) fn has(&self, model_type: ModelType) -> bool {
        self.markets.contains(&model_type)
    }
}
