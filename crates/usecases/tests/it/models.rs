//! Declarations of models, and the promotion of extra columns.

use sports_domain::{ModelName, ModelType};
use sports_publication::registry::{
    Change, Declaration, Declarations, DeclaredAs, ModelDeclaration, NotDeclarable, RegistryOnRecord,
};
use sports_publication::testing::{a_game, a_release, season};
use sports_publication::{ArchivedGame, Release, Value};
use sports_usecases::models::league_models;
use sports_usecases::publish::{PublishError, PublishOutcome, Published};
use sports_usecases::record::Slates;
use sports_usecases::verify::verify;

use crate::declared::{Folder, NotPublished, declarations, model};
use crate::world::{SEASON, SPORT, World, generation, published};

fn elo() -> ModelName {
    "ELO".parse().expect("a name")
}

/// Creates games with an extra column ELO.
fn with_extra(values: &[f64]) -> Vec<ArchivedGame> {
    with_extras(&["ELO"], values)
}

/// Creates games with extra columns of the same values.
fn with_extras(names: &[&str], values: &[f64]) -> Vec<ArchivedGame> {
    let games = values.iter().enumerate().map(|(index, value)| {
        let game = a_game().visited_by(&format!("team_{index}"));
        let insert = |game: &mut ArchivedGame| {
            for name in names {
                game.facts.extras.insert(*name, Value::Number(*value));
            }
        };
        game.with(insert).build()
    });
    games.collect()
}

/// Creates a release without files that declares ELO, read under the models on record.
fn declaring(change: impl FnOnce(&mut ModelDeclaration), models: &RegistryOnRecord) -> Release {
    let mut declared = ModelDeclaration::default();
    change(&mut declared);
    let declaration = Declaration { written: "{}".to_owned(), content: DeclaredAs::Model(Box::new(declared)) };
    let declarations = Declarations { models: [("ELO".to_owned(), declaration)].into(), ..Declarations::default() };
    reading(Release { history: Vec::new(), ..a_release(SPORT, SEASON, Vec::new()) }, declarations, models)
}

/// Returns a release as if it was read under the models on record.
fn reading(mut release: Release, declarations: Declarations, models: &RegistryOnRecord) -> Release {
    let moment = sports_publication::registry::Moment { generation: models.next, at: chrono::DateTime::UNIX_EPOCH };
    let at = sports_publication::registry::Declaring { moment, before: models.object };
    release.models.read_under = models.registry.declare(&declarations, &at).expect("sound");
    release.models.declarations = declarations;
    release
}

async fn declare(world: &World, change: impl FnOnce(&mut ModelDeclaration)) -> Result<Published, PublishError> {
    let models = world.publisher().models(SPORT).await.expect("readable");
    world.try_publish(&declaring(change, &models)).await
}

#[tokio::test]
async fn a_column_that_is_declared_later_is_a_models_column_in_every_market_and_season() {
    let world = World::new();
    world.publish(with_extra(&[0.1, 0.2, 0.3, 0.4, 1.0])).await;
    let last_season = vec![a_game().on("2023-11-26").build()];
    world.try_publish(&a_release(SPORT, "2023", last_season)).await.expect("publishes");
    let before = world.head().await;
    let done = declare(&world, |_| {}).await.expect("declared");
    assert_eq!(published(&done), 3);
    assert!(done.models.first && done.models.declared == [elo()]);
    assert_eq!(done.models.promoted.len(), 3);
    assert!(done.models.promoted.iter().all(|column| column.games == 5));
    let after = world.head().await;
    for model_type in ModelType::ALL {
        let place = (model_type, season(SPORT, SEASON));
        assert_eq!(after.results[&place].models.get(&elo()), Some(&5));
        assert_ne!(after.results[&place].artifact.object, before.results[&place].artifact.object);
        let other = (model_type, season(SPORT, "2023"));
        assert_eq!(after.results[&other], before.results[&other], "other seasons keep their snapshot");
    }
    let verified = verify(&*world.store, &world.archives, &world.slates, SPORT).await.expect("intact");
    assert_eq!(verified.entries, 3);
}

#[tokio::test]
async fn a_repeated_declaration_adds_no_entry_and_a_later_entry_keeps_the_registry() {
    let world = World::new();
    world.publish(with_extra(&[0.5])).await;
    declare(&world, |_| {}).await.expect("declared");
    let registry = world.head().await.models;
    let again = declare(&world, |_| {}).await.expect("nothing new");
    assert_eq!(again.outcome, PublishOutcome::AlreadyPublished { generation: generation(2) });
    let models = world.publisher().models(SPORT).await.expect("readable");
    let games = a_release(SPORT, "2023", vec![a_game().on("2023-11-26").build()]);
    world.try_publish(&reading(games, Declarations::default(), &models)).await.expect("publishes");
    assert_eq!(world.head().await.models, registry);
    let retired = declare(&world, |declared| declared.retired = Change::Set(true)).await.expect("retired");
    assert_eq!(retired.models.retired, [elo()]);
}

#[tokio::test]
async fn a_value_on_record_that_is_no_probability_refuses_the_declaration() {
    let world = World::new();
    world.publish(with_extra(&[0.5, 1.2])).await;
    let before = world.head().await;
    match declare(&world, |_| {}).await {
        Err(PublishError::Problems(problems)) => {
            assert_eq!(problems.len(), 3, "each market's archive: {problems:?}");
            assert!(problems.iter().all(|problem| problem.value.as_deref() == Some("1.2")));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(world.head().await, before);
}

#[tokio::test]
async fn a_release_that_was_read_under_other_models_is_read_again() {
    let world = World::new();
    world.publish(with_extra(&[0.5])).await;
    declare(&world, |_| {}).await.expect("declared");
    // The second publisher read its folder before the declaration.
    let release = a_release(SPORT, SEASON, with_extra(&[0.5, 0.6]));
    assert!(matches!(world.try_publish(&release).await, Err(PublishError::OtherModels)));
}

#[tokio::test]
async fn each_generation_carries_its_registry() {
    let world = World::new();
    world.publish(with_extra(&[0.5])).await;
    let node = world.node();
    node.poll_league(SPORT).await;
    declare(&world, |_| {}).await.expect("declared");
    let held = node.current(SPORT).expect("read").expect("published");
    node.poll_league(SPORT).await;
    let league = node.current(SPORT).expect("read").expect("published");
    assert!(held.registry.is_empty() && league.registry.get("ELO").is_some());
}

#[tokio::test]
async fn extra_columns_that_look_like_probabilities_are_listed_until_they_are_declared() {
    let world = World::new();
    world.publish(with_extra(&[0.1, 0.2, 0.3, 0.4, 1.0])).await;
    let slates: &Slates = &world.slates;
    let undeclared = async || {
        let models = league_models(&*world.store, &world.archives, slates, SPORT, true).await;
        models.expect("readable").expect("published").undeclared
    };
    let found = undeclared().await;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].name, found[0].games, found[0].lowest, found[0].highest), (elo(), 15, 0.1, 1.0));
    declare(&world, |_| {}).await.expect("declared");
    assert_eq!(undeclared().await, []);
}

#[tokio::test]
async fn an_extra_column_that_cannot_be_declared_is_listed_with_the_reason() {
    let world = World::new();
    let names = ["ELO", "WX", "confidence", "elo", "wx"];
    world.publish(with_extras(&names, &[0.1, 0.2, 0.3, 0.4, 1.0])).await;
    declare(&world, |_| {}).await.expect("declared");
    let models = league_models(&*world.store, &world.archives, &world.slates, SPORT, true).await;
    let found = models.expect("readable").expect("published").undeclared;
    let found: Vec<_> = found.iter().map(|column| (column.name.as_str(), column.declarable)).collect();
    let twin_of = |text: &str| Err(NotDeclarable::InOtherCase(text.parse().expect("a name")));
    let expected = [("WX", Ok(())), ("confidence", Err(NotDeclarable::Reserved)), ("elo", twin_of("ELO"))];
    assert_eq!(found, [&expected[..], &[("wx", twin_of("WX"))]].concat());
}

#[tokio::test]
async fn a_33rd_own_model_of_a_season_is_refused_with_its_column_and_a_remedy() {
    let world = World::new();
    let names: Vec<&'static str> = (0..32).map(|index| &*format!("m{index:02}").leak()).collect();
    let columns = names.iter().map(|name| (*name, 0.5)).collect();
    let declared = declarations(names.iter().map(|name| (*name, model(|_| {}))), None);
    let full = Folder { declarations: declared, seasons: vec!["2022"], columns };
    full.publish(&world.publisher()).await.expect("32 models");
    let retired = model(|declared| declared.retired = Change::Set(true));
    let exchange = declarations([("m00", retired), ("m32", model(|_| {}))], None);
    let further = Folder { declarations: exchange, seasons: vec!["2022"], columns: vec![("m32", 0.5)] };
    match further.publish(&world.publisher()).await {
        Err(NotPublished::Refused(PublishError::Problems(problems))) => assert_eq!(
            problems[0].to_string(),
            "over_under 2022, column m32: expected at most 32 models of your own with values in one season of a market; leave this \
             column out, or publish the season with --replace-season and without the values of a retired model"
        ),
        other => panic!("{other:?}"),
    }
}
