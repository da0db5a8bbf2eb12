//! The default models of generations, with and without a record of them in the entry.

use std::collections::BTreeMap;

use sports_domain::ModelType;
use sports_publication::Catalog;
use sports_publication::registry::{Change, ShownTo};
use sports_usecases::moment::{Moments, RequestedMoment};
use sports_usecases::publish::{DefaultChange, Published};
use sports_usecases::record::{LeagueDefaults, newest_entry};
use sports_usecases::verify::{Difference, VerifyError, verify};

use crate::declared::{Folder, declarations, model, name};
use crate::world::{SPORT, World, generation};

/// Publishes a season of one game with these columns in all markets.
async fn publish(world: &World, label: &'static str, columns: &[(&'static str, f64)]) -> Published {
    let folder = Folder { seasons: vec![label], columns: columns.to_vec(), ..Folder::default() };
    folder.publish(&world.publisher()).await.expect("publishes")
}

/// Declares a model of the publisher's own, with no word on `public`.
async fn declare(world: &World, own: &str) -> Published {
    let folder = Folder::declaring(declarations([(own, model(|_| {}))], None));
    folder.publish(&world.publisher()).await.expect("declares")
}

/// Returns the default models of the newest generation, and those of an earlier one.
async fn defaults(world: &World, of: u64, shown_to: ShownTo) -> LeagueDefaults {
    let node = world.node();
    node.poll().await;
    let moments = Moments::new(world.past(&node), world.clock.clone());
    let moment = moments.at(SPORT, RequestedMoment::Generation(generation(of))).await.expect("a moment");
    moment.default_models(shown_to).await.expect("readable")
}

fn all(model: &str) -> LeagueDefaults {
    let markets = ModelType::ALL.map(|model_type| (model_type, name(model)));
    LeagueDefaults { league: name(model), markets: markets.into() }
}

fn changes(before: &str, after: &str) -> Vec<DefaultChange> {
    let change = |model_type| DefaultChange { model_type, before: name(before), after: name(after) };
    ModelType::ALL.map(change).into()
}

#[tokio::test]
async fn the_newest_season_with_forecasts_decides_and_each_moment_keeps_its_own() {
    let world = World::new();
    let first = publish(&world, "2022", &[("BLEND", 0.6)]).await;
    assert_eq!((&first.models.defaults, world.head().await.default_models), (&Vec::new(), BTreeMap::new()));
    let second = publish(&world, "2023", &[("XGB", 0.6), ("AI", 0.4)]).await;
    assert_eq!(second.models.defaults, changes("BLEND", "XGB"));
    assert_eq!(world.head().await.default_models, all("XGB").markets);
    let third = publish(&world, "2024", &[]).await;
    assert_eq!(third.models.defaults, []);
    let fourth = publish(&world, "2024", &[("BLEND", 0.5)]).await;
    assert_eq!(fourth.models.defaults, changes("XGB", "BLEND"));
    assert_eq!(world.head().await.default_models, BTreeMap::new());
    for (of, expected) in [(1, "BLEND"), (2, "XGB"), (3, "XGB"), (4, "BLEND")] {
        assert_eq!(defaults(&world, of, ShownTo::Subscribers).await, all(expected), "generation {of}");
    }
}

#[tokio::test]
async fn an_entry_without_the_field_resolves_the_same_and_the_next_publish_records_it() {
    let world = World::new();
    declare(&world, "ELO").await;
    publish(&world, "2023", &[("ELO", 0.6)]).await;
    let recorded = world.head().await;
    assert_eq!(recorded.default_models, all("ELO").markets);
    let of_both =
        async || [defaults(&world, 2, ShownTo::Subscribers).await, defaults(&world, 2, ShownTo::Everyone).await];
    assert_eq!(of_both().await, [all("ELO"), all("ELO")]);
    world.store.forge_entry(Catalog { default_models: BTreeMap::new(), ..recorded });
    assert_eq!(of_both().await, [all("ELO"), all("ELO")]);
    let next = publish(&world, "2024", &[("ELO", 0.6)]).await;
    assert_eq!((next.models.defaults, world.head().await.default_models), (Vec::new(), all("ELO").markets));
    assert_eq!(of_both().await, [all("ELO"), all("ELO")], "as an earlier moment");
}

#[tokio::test]
async fn a_market_without_forecasts_has_the_default_of_the_league() {
    let world = World::new();
    let only = model(|it| it.model_types = Change::Set([ModelType::WonOnPoints].into()));
    let folder = Folder::declaring(declarations([("ELO", only)], None));
    folder.publish(&world.publisher()).await.expect("declares");
    publish(&world, "2023", &[("ELO", 0.6)]).await;
    assert_eq!(defaults(&world, 2, ShownTo::Subscribers).await.of_market(ModelType::OverUnder), name("ELO"));
}

#[tokio::test]
async fn the_first_model_of_a_league_is_public_only_if_no_other_model_has_values() {
    let alone = World::new();
    publish(&alone, "2023", &[]).await;
    assert_eq!(declare(&alone, "ELO").await.models.made_public, Some(name("ELO")));
    assert_eq!(declare(&alone, "nn").await.models.made_public, None);
    publish(&alone, "2024", &[("nn", 0.6)]).await;
    assert_eq!(defaults(&alone, 4, ShownTo::Subscribers).await.league, name("nn"));
    assert_eq!(defaults(&alone, 4, ShownTo::Everyone).await.league, name("BLEND"));
    let models = alone.publisher().models(SPORT).await.expect("readable").registry;
    assert_eq!(models.own().map(|model| model.public).collect::<Vec<_>>(), [true, false]);
    // A value of years ago is one.
    let beside = World::new();
    publish(&beside, "2003", &[("AI", 0.6)]).await;
    publish(&beside, "2023", &[]).await;
    assert_eq!(declare(&beside, "ELO").await.models.made_public, None);
}

#[tokio::test]
async fn a_recorded_default_that_is_none_is_found_by_verification() {
    let world = World::new();
    publish(&world, "2023", &[("XGB", 0.6)]).await;
    let verified = async || verify(&*world.store, &world.archives, &world.slates, SPORT).await;
    assert!(verified().await.is_ok());
    let entry = newest_entry(&*world.store, SPORT).await.expect("answers").expect("an entry").catalog;
    let default_models = [(ModelType::OverUnder, name("RF"))].into();
    world.store.forge_entry(Catalog { default_models, ..entry });
    let Err(VerifyError::Differs(found)) = verified().await else { panic!("it verifies") };
    assert!(matches!(*found, Difference::DefaultModel { found, .. } if found == name("XGB")), "{found:?}");
}
