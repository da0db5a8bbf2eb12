//! The models that one publisher declares beside the standard ones.

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{ModelType, Sport, eastern_date};

use crate::league::Skill;

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
    /// The insight and stray of the model, as a share of those of the standard ones.
    skill: (f64, f64),
}

/// The own models of the league, in the order of their names.
static MODELS: [OwnModel; 2] = [
    OwnModel {
        name: "ELO",
        title: "Elo with travel",
        description: "One rating a team, corrected for rest and distance.",
        versions: ("1.0", Some("1.1")),
        is_public: true,
        markets: &[ModelType::WonOnPoints, ModelType::WonOnSpread],
        share: 1.0,
        skill: (0.9, 1.2),
    },
    OwnModel {
        name: "goalie_net",
        title: "Network of goalies",
        description: "A network that needs both starting goalies.",
        versions: ("3", None),
        is_public: false,
        markets: &ModelType::ALL,
        share: 0.8,
        skill: (0.4, 1.5),
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
        if self.is_declared && sport == LEAGUE { &MODELS } else { &[] }
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

    /// Returns the model's skill in a market, derived from that of the standard models.
    pub(crate) fn skill(&self, of_standard: &Skill) -> Skill {
        let (insight, stray) = self.skill;
        Skill { insight: insight * of_standard.insight, stray: stray * of_standard.stray, ..*of_standard }
    }
}
