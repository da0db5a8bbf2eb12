use std::collections::{BTreeMap, BTreeSet};

use sports_domain::content::ObjectHash;
use sports_domain::{FormError, ModelColumn, ModelName, ModelType};

use super::{LeagueSettings, ModelVersion, Moment, NotDeclarable, RegisteredModel, Registry, SlateDays};
use crate::{Place, Problem};

/// The log entry of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declaring {
    /// Its number and time.
    pub moment: Moment,
    /// The object of the registry that the declaration changes; `None` for the first.
    pub before: Option<ObjectHash>,
}

impl Registry {
    /// Returns the registry after a release's declarations. It equals this one if they change nothing.
    ///
    /// # Errors
    ///
    /// Returns a [`Problem`] for each declaration that cannot be made.
    pub fn declare(&self, release: &Declarations, declaring: &Declaring) -> Result<Self, Vec<Problem>> {
        let (next, problems) = self.declare_possible(release, declaring);
        if problems.is_empty() { Ok(next) } else { Err(problems) }
    }

    /// Returns the registry after those declarations of a release that can be made, and the problems of the others.
    pub fn declare_possible(&self, release: &Declarations, declaring: &Declaring) -> (Self, Vec<Problem>) {
        let mut next = self.clone();
        let mut problems = Vec::new();
        for (name, declaration) in release.in_order() {
            let (value, expected) = match next.take(name, declaration, declaring.moment) {
                Ok(()) => continue,
                Err(Refusal::OfTheName(expected)) => (name, expected),
                Err(Refusal::OfTheValue(expected)) => (&declaration.written, expected),
            };
            problems.push(problem(&format!("models.{name}"), value.clone(), expected));
        }
        problems
            .extend(self.exceeding(&next, release).into_iter().map(|(name, expected)| release.problem(name, expected)));
        next.take_headline(release, &mut problems);
        next.league = release.league.applied_to(&self.league);
        if next != *self {
            next.before = declaring.before;
        }
        (next, problems)
    }

    /// Returns the own model that a release declares if it is the first and only one, and `public` is absent.
    pub fn first_without_a_word_on_public(&self, before: &Self, release: &Declarations) -> Option<ModelName> {
        let mut own = self.own().map(|model| model.name);
        let first = own.next().filter(|_| before.own().next().is_none())?;
        let declaration = release.models.get(first.as_str()).map(|declaration| &declaration.content);
        let is_silent = matches!(declaration, Some(DeclaredAs::Model(model)) if model.public == Change::Keep);
        (is_silent && own.next().is_none()).then_some(first)
    }

    /// Returns the registry with a model that the public feed shows.
    pub fn publicising(mut self, name: ModelName) -> Self {
        self.models.iter_mut().filter(|model| model.name == name).for_each(|model| model.public = true);
        self
    }

    fn take(&mut self, name: &str, declaration: &Declaration, moment: Moment) -> Result<(), Refusal> {
        let name: ModelName = name.parse().map_err(|error: FormError| Refusal::OfTheName(error.to_string()))?;
        if name.column().is_some_and(|column| column != ModelColumn::Implied) {
            return self.describe_standard(name, &declaration.content, moment).map_err(Refusal::OfTheValue);
        }
        // Names of no models may differ in letter case alone.
        let is_model = matches!(declaration.content, DeclaredAs::Model(_));
        self.check_name(name, self.not_models.iter().copied().filter(|_| is_model)).map_err(Refusal::of_name)?;
        match &declaration.content {
            DeclaredAs::NoModel if self.get(name.as_str()).is_some() => {
                Err(Refusal::OfTheValue("retired: a model stays one".to_owned()))
            }
            DeclaredAs::NoModel => {
                self.not_models.insert(name);
                Ok(())
            }
            DeclaredAs::Model(declared) => {
                self.not_models.remove(&name);
                self.change(name, moment, |model| update(model, declared, moment)).map_err(Refusal::OfTheValue)
            }
        }
    }

    /// Changes a model, which is added if it is not declared yet.
    fn change<T>(&mut self, name: ModelName, moment: Moment, change: impl FnOnce(&mut RegisteredModel) -> T) -> T {
        let known = self.models.iter().position(|model| model.name == name);
        let index = known.unwrap_or(self.models.len());
        if known.is_none() {
            self.models.push(RegisteredModel::new(name, moment));
        }
        change(&mut self.models[index])
    }

    fn describe_standard(&mut self, name: ModelName, content: &DeclaredAs, moment: Moment) -> Result<(), String> {
        let refused = || "title, description, url, version or sha256: it is a standard model".to_owned();
        let DeclaredAs::Model(declared) = content else { return Err(refused()) };
        if (&declared.model_types, &declared.public, &declared.retired) != (&Change::Keep, &Change::Keep, &Change::Keep)
        {
            return Err(refused());
        }
        let mut described = RegisteredModel::new(name, moment);
        update(&mut described, declared, moment)?;
        if self.get(name.as_str()).is_none() && described == RegisteredModel::new(name, moment) {
            return Ok(());
        }
        self.change(name, moment, |model| update(model, declared, moment))
    }

    /// Returns the models that a release takes into use beyond a limit, and the names that it declares `false` beyond one.
    fn exceeding(&self, next: &Self, release: &Declarations) -> Vec<(ModelName, String)> {
        let declared = |model: &&RegisteredModel| release.models.contains_key(model.name.as_str());
        let last = |all: Vec<ModelName>, surplus: usize| all.into_iter().rev().take(surplus).collect::<Vec<_>>();
        let new = next.own().filter(|model| self.get(model.name.as_str()).is_none()).map(|model| model.name).collect();
        let ever = last(new, next.own().count().saturating_sub(Self::MOST_EVER));
        let was_used = |name: ModelName| self.in_use().any(|model| model.name == name);
        let used = next.in_use().filter(declared).map(|model| model.name).filter(|name| !was_used(*name)).collect();
        let in_use = last(used, next.in_use().count().saturating_sub(Self::MOST_IN_USE));
        let ever = ever.into_iter().map(|name| (name, format!("at most {} models of your own ever", Self::MOST_EVER)));
        let in_use = in_use.into_iter().map(|name| {
            (name, format!("at most {} models of your own that are not retired; retire one first", Self::MOST_IN_USE))
        });
        let not_models = next.not_models.difference(&self.not_models).copied().collect();
        let not_models = last(not_models, next.not_models.len().saturating_sub(Self::MOST_NOT_MODELS));
        let not_models = not_models.into_iter().map(|name| {
            let remedy = "leave this one out: its column is kept all the same, with a warning";
            (name, format!("at most {} names declared `false`; {remedy}", Self::MOST_NOT_MODELS))
        });
        let mut exceeding: Vec<_> = ever.chain(in_use).chain(not_models).collect();
        exceeding.sort();
        exceeding
    }

    fn take_headline(&mut self, release: &Declarations, problems: &mut Vec<Problem>) {
        match &release.headline {
            Change::Keep if !self.can_be_headline(self.headline) => {
                problems.push(release.problem(self.headline, "another `headline` first".to_owned()));
            }
            Change::Keep => {}
            Change::Remove => (self.headline, self.headline_declared) = (Self::DEFAULT_HEADLINE, false),
            Change::Set(name) => {
                if let Some(name) = name.parse().ok().filter(|name| self.can_be_headline(*name)) {
                    (self.headline, self.headline_declared) = (name, name == Self::DEFAULT_HEADLINE);
                } else {
                    let expected = "a declared model that is not retired".to_owned();
                    problems.push(problem("headline", name.clone(), expected));
                }
            }
        }
    }
}

impl Declarations {
    /// Creates a problem with the declaration of a model.
    fn problem(&self, name: ModelName, expected: String) -> Problem {
        let written = self.models.get(name.as_str()).map(|declaration| declaration.written.clone());
        problem(&format!("models.{name}"), written.unwrap_or_default(), expected)
    }
}

/// The reason to refuse a declaration: its name, or its value.
enum Refusal {
    OfTheName(String),
    OfTheValue(String),
}

impl Refusal {
    fn of_name(reason: NotDeclarable) -> Self {
        Self::OfTheName(match reason {
            NotDeclarable::Reserved => "a name that is not reserved".to_owned(),
            NotDeclarable::InOtherCase(other) => {
                format!("another name: it differs from `{other}` in letter case alone")
            }
        })
    }
}

fn problem(column: &str, value: String, expected: String) -> Problem {
    Problem::at(Place { file: "release.json".into(), row: None }, expected).in_cell(column, value)
}

/// Applies a declaration to a model.
fn update(model: &mut RegisteredModel, declared: &ModelDeclaration, moment: Moment) -> Result<(), String> {
    declared.title.apply(&mut model.title);
    declared.description.apply(&mut model.description);
    declared.url.apply(&mut model.url);
    model.public = declared.public.after(model.public, false);
    let every: BTreeSet<_> = ModelType::ALL.into();
    let model_types = declared.model_types.after(model.model_types.clone(), every);
    // The model of a market stays one, and its column there never becomes an extra column again.
    if model.declared != moment && !model_types.is_superset(&model.model_types) {
        let known: Vec<_> = model.model_types.iter().map(|known| known.code()).collect();
        return Err(format!("every market that the model has: {}", known.join(", ")));
    }
    model.model_types = model_types;
    let is_retired = declared.retired.after(model.retired.is_some(), false);
    model.retired = is_retired.then(|| model.retired.unwrap_or(moment));
    if let Change::Set(version) = &declared.version {
        add_version(model, version, &declared.sha256, moment);
    }
    Ok(())
}

fn add_version(model: &mut RegisteredModel, version: &str, sha256: &Change<ObjectHash>, since: Moment) {
    let last = model.versions.last().filter(|last| last.version == version);
    let sha256 = sha256.clone();
    let mut hash = last.and_then(|last| last.sha256);
    sha256.apply(&mut hash);
    if last.is_some_and(|last| last.sha256 == hash) {
        return;
    }
    model.versions.push(ModelVersion { version: version.to_owned(), sha256: hash, since });
    let surplus = model.versions.len().saturating_sub(Registry::MOST_VERSIONS);
    model.versions.drain(..surplus);
}

/// The change of a field by a declaration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Change<T> {
    /// The field is absent: its value stays.
    #[default]
    Keep,
    /// The field is null: its value is removed.
    Remove,
    /// The field has a new value.
    Set(T),
}

impl<T: Clone> Change<T> {
    /// Applies the change to a value.
    pub(super) fn apply(&self, value: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Remove => *value = None,
            Self::Set(new) => *value = Some(new.clone()),
        }
    }

    /// Returns the value after the change, `default` for a removed one.
    pub(super) fn after(&self, value: T, default: T) -> T {
        match self {
            Self::Keep => value,
            Self::Remove => default,
            Self::Set(new) => new.clone(),
        }
    }
}

/// The fields of one model under `models` in `release.json`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelDeclaration {
    pub title: Change<String>,
    pub description: Change<String>,
    /// The address of a page about the model.
    pub url: Change<String>,
    /// The version. It is never removed, since versions are history.
    pub version: Change<String>,
    /// The hash of the version; only beside `version`.
    pub sha256: Change<ObjectHash>,
    /// The markets that the model forecasts.
    pub model_types: Change<BTreeSet<ModelType>>,
    /// True if the public feed shows the model.
    pub public: Change<bool>,
    /// True retires the model, false takes it back.
    pub retired: Change<bool>,
}

/// The content of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeclaredAs {
    /// The column is a model.
    Model(Box<ModelDeclaration>),
    /// The column is an extra column, and no model.
    NoModel,
}

/// One entry under `models` in `release.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The value as the publisher wrote it, for problems.
    pub written: String,
    pub content: DeclaredAs,
}

/// The changes of a league's settings by a release.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeagueDeclaration {
    pub markets: Change<BTreeSet<ModelType>>,
    pub slate_days: Change<SlateDays>,
    pub odds_dependent: Change<bool>,
}

impl LeagueDeclaration {
    /// Returns the settings after the changes.
    fn applied_to(&self, settings: &LeagueSettings) -> LeagueSettings {
        let mut next = settings.clone();
        self.markets.apply(&mut next.markets);
        self.slate_days.apply(&mut next.slate_days);
        next.odds_dependent = self.odds_dependent.after(settings.odds_dependent, true);
        next
    }
}

/// The declarations of one release.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declarations {
    /// The declarations by name, as written.
    pub models: BTreeMap<String, Declaration>,
    /// Their names in the order in which the publisher wrote them; new models without a place here follow by name.
    pub order: Vec<String>,
    /// The headline model.
    pub headline: Change<String>,
    /// The settings of the league.
    pub league: LeagueDeclaration,
}

impl Declarations {
    /// Returns true if the release declares nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn in_order(&self) -> impl Iterator<Item = (&String, &Declaration)> {
        let written = self.order.iter().filter_map(|name| self.models.get_key_value(name));
        written.chain(self.models.iter().filter(|(name, _)| !self.order.contains(name)))
    }
}

/// The models of a release: its declarations, and the registry under which its files were read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReleaseModels {
    pub declarations: Declarations,
    /// The registry under which the columns of the files were read: that on record with these declarations.
    pub read_under: Registry,
}
