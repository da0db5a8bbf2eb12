//! Declarations in random order with releases between them, against an independent model of the registry.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use sports_domain::{ModelName, ModelType};
use sports_ports::publication::PublicationLog;
use sports_publication::registry::{Change, DeclaredAs, Registry};
use sports_usecases::publish::{PublishError, PublishOutcome};
use sports_usecases::verify::verify;

use crate::declared::{Columns, Folder, NotPublished, columns_on_record, declarations, model};
use crate::world::{SPORT, World, generation};

const NAMES: [&str; 4] = ["ELO", "a.b-c_1", "constructor", "nn"];
const SEASONS: [&str; 2] = ["2022", "2023"];

/// One release.
#[derive(Debug, Clone)]
enum Step {
    Declare {
        which: usize,
        what: What,
    },
    Headline(usize),
    /// Columns of probabilities: the names whose bits are set.
    Publish {
        season: usize,
        columns: u8,
        value: u8,
    },
}

#[derive(Debug, Clone, Copy)]
enum What {
    Model,
    NoModel,
    Retired(bool),
    Version(u8, bool),
    Title(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let what = prop_oneof![
        2 => Just(What::Model),
        1 => Just(What::NoModel),
        4 => any::<bool>().prop_map(What::Retired),
        2 => (0..3_u8, any::<bool>()).prop_map(|(version, hashed)| What::Version(version, hashed)),
        1 => (0..2_u8).prop_map(What::Title),
    ];
    let step = prop_oneof![
        4 => (0..NAMES.len(), what).prop_map(|(which, what)| Step::Declare { which, what }),
        1 => (0..=NAMES.len()).prop_map(Step::Headline),
        4 => (0..SEASONS.len(), 1..16_u8, 0..4_u8)
            .prop_map(|(season, columns, value)| Step::Publish { season, columns, value }),
    ];
    prop::collection::vec(step, 1..24)
}

/// A declared model, as expected.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    name: &'static str,
    declared: u64,
    retired: Option<u64>,
    title: Option<String>,
    /// Each version with the first digits of its hash and the entry that declared it.
    versions: Vec<(String, Option<String>, u64)>,
}

/// The expected registry of a league and its expected columns.
#[derive(Debug, Clone, Default, PartialEq)]
struct Expected {
    models: Vec<Known>,
    not_models: BTreeSet<&'static str>,
    headline: Option<&'static str>,
    values: BTreeMap<(&'static str, &'static str), f64>,
}

impl Expected {
    fn known(&self, name: &str) -> Option<&Known> {
        self.models.iter().find(|known| known.name == name)
    }

    /// Applies a step whose entry would have this number; returns `false` if it must be refused.
    fn apply(&mut self, step: &Step, next: u64) -> bool {
        match step {
            Step::Declare { which, what } => self.declare(NAMES[*which], *what, next),
            Step::Headline(which) => match NAMES.get(*which) {
                None => {
                    self.headline = Some("BLEND");
                    true
                }
                Some(name) if self.known(name).is_some_and(|known| known.retired.is_none()) => {
                    self.headline = Some(name);
                    true
                }
                Some(_) => false,
            },
            Step::Publish { season, columns, value } => {
                let names = listed(*columns);
                let is_refused = |name: &&str| self.known(name).is_some_and(|known| known.retired.is_some());
                if names.iter().any(is_refused) {
                    return false;
                }
                self.values.extend(names.into_iter().map(|name| ((SEASONS[*season], name), probability(*value))));
                true
            }
        }
    }

    fn declare(&mut self, name: &'static str, what: What, next: u64) -> bool {
        if matches!(what, What::NoModel) {
            let is_unknown = self.known(name).is_none();
            self.not_models.extend(is_unknown.then_some(name));
            return is_unknown;
        }
        let is_headline = self.headline == Some(name);
        if matches!(what, What::Retired(true)) && is_headline {
            return false;
        }
        self.not_models.remove(name);
        if self.known(name).is_none() {
            self.models.push(Known { name, declared: next, retired: None, title: None, versions: Vec::new() });
        }
        let known = self.models.iter_mut().find(|known| known.name == name).expect("it is known now");
        match what {
            What::Retired(true) => known.retired = known.retired.or(Some(next)),
            What::Retired(false) => known.retired = None,
            What::Title(title) => known.title = Some(format!("title {title}")),
            What::Version(version, hashed) => {
                let version = version.to_string();
                let last = known.versions.last().filter(|(last, ..)| *last == version);
                // A version without a hash keeps the hash that it has.
                let kept = || last.and_then(|(_, hash, _)| hash.clone());
                let hash = if hashed { Some("07".to_owned()) } else { kept() };
                if last.is_none_or(|(_, known, _)| *known != hash) {
                    known.versions.push((version, hash, next));
                }
            }
            What::Model | What::NoModel => {}
        }
        true
    }

    /// Returns the values of models, and of extra columns, of all markets.
    fn columns(&self) -> (Columns, Columns) {
        let columns = self.values.iter().flat_map(|((season, name), value)| {
            ModelType::ALL.map(|model_type| (((*season).to_owned(), model_type, (*name).to_owned()), *value))
        });
        columns.partition(|((.., name), _)| self.known(name).is_some())
    }

    fn assert_is(&self, registry: &Registry) {
        assert_eq!(registry.declared_headline().as_ref().map(ModelName::as_str), self.headline);
        assert_eq!(registry.not_models().iter().map(ModelName::as_str).collect::<BTreeSet<_>>(), self.not_models);
        let found: Vec<_> = registry
            .own()
            .map(|model| Known {
                name: NAMES.into_iter().find(|name| *name == model.name.as_str()).expect("a known name"),
                declared: model.declared.generation.get(),
                retired: model.retired.map(|retired| retired.generation.get()),
                title: model.title.clone(),
                versions: model
                    .versions
                    .iter()
                    .map(|version| {
                        let hash = version.sha256.map(|hash| hash.short(2));
                        (version.version.clone(), hash, version.since.generation.get())
                    })
                    .collect(),
            })
            .collect();
        assert_eq!(found, self.models);
    }
}

fn listed(columns: u8) -> Vec<&'static str> {
    NAMES.into_iter().enumerate().filter(|(bit, _)| columns & (1 << bit) != 0).map(|(_, name)| name).collect()
}

fn probability(value: u8) -> f64 {
    f64::from(value) / 4.0
}

fn folder(step: &Step) -> Folder {
    match step {
        Step::Headline(which) => {
            Folder::declaring(declarations([], Some(NAMES.get(*which).copied().unwrap_or("BLEND"))))
        }
        Step::Publish { season, columns, value } => Folder {
            seasons: vec![SEASONS[*season]],
            columns: listed(*columns).into_iter().map(|name| (name, probability(*value))).collect(),
            ..Folder::default()
        },
        Step::Declare { which, what } => {
            let content = match *what {
                What::NoModel => DeclaredAs::NoModel,
                What::Model => model(|_| {}),
                What::Retired(retired) => model(|declared| declared.retired = Change::Set(retired)),
                What::Title(title) => model(|declared| declared.title = Change::Set(format!("title {title}"))),
                What::Version(version, hashed) => model(|declared| {
                    declared.version = Change::Set(version.to_string());
                    if hashed {
                        declared.sha256 = Change::Set("07".repeat(32).parse().expect("a hash"));
                    }
                }),
            };
            Folder::declaring(declarations([(NAMES[*which], content)], None))
        }
    }
}

/// Publishes the steps; returns the expected registry after each entry.
async fn publish(world: &World, steps: &[Step]) -> Vec<Expected> {
    let mut entries: Vec<Expected> = vec![Expected::default()];
    for step in steps {
        let (before, next) = (entries.last().expect("the first"), entries.len() as u64);
        let mut after = before.clone();
        let is_accepted = after.apply(step, next);
        match folder(step).publish(&world.publisher()).await {
            Err(NotPublished::Unread(_) | NotPublished::Refused(PublishError::Problems(_))) => assert!(!is_accepted),
            Err(error) => panic!("{step:?}: {error:?}"),
            Ok(published) => {
                assert!(is_accepted, "{step:?}");
                let is_new = matches!(published.outcome, PublishOutcome::Published { .. });
                // The first entry of a league is one even without content.
                assert_eq!(is_new, after != *before || next == 1, "{step:?}: {published:?}");
                entries.extend(is_new.then_some(after));
            }
        }
    }
    entries
}

async fn check(steps: &[Step]) {
    let world = World::new();
    let entries = publish(&world, steps).await;
    let verified = verify(&*world.store, &world.archives, &world.slates, SPORT).await.expect("intact");
    assert_eq!(verified.entries, entries.len() as u64 - 1);
    for (number, expected) in (1..).zip(&entries[1..]) {
        let entry = world.store.entry(SPORT, generation(number)).await.expect("answers").expect("an entry");
        expected.assert_is(&world.slates.registry(&entry.catalog).await.expect("readable"));
        // A name means one model for ever.
        for known in &expected.models {
            assert!(
                entries[usize::try_from(number).expect("small")..]
                    .iter()
                    .all(|later| { later.known(known.name).is_some_and(|later| later.declared == known.declared) })
            );
        }
    }
    if let Some(last) = entries.last().filter(|_| entries.len() > 1) {
        assert_eq!(columns_on_record(&world).await, last.columns());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn declared_retired_and_restored_models_are_those_of_the_expected_registry(steps in steps()) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(check(&steps));
    }
}
