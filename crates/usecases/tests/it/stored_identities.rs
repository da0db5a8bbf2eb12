//! Identities of games that earlier versions stored without any.

use std::sync::Arc;

use sports_domain::{Market, ModelType, Total};
use sports_ports::publication::{ArchiveCodec as _, ObjectKind, Objects as _};
use sports_ports::seasons::SeasonRef;
use sports_publication::testing::{a_game, a_release, season};
use sports_publication::{ArchivedGame, SeasonArchive};
use sports_testkit::publication::CodecFake;
use sports_usecases::record::Archives;

use crate::world::{SEASON, SPORT, World};

const MARKETS: [ModelType; 2] = [ModelType::OverUnder, ModelType::WonOnPoints];

fn game_at(time: &str) -> ArchivedGame {
    let time = time.parse().expect("a time");
    a_game().with(|game| game.facts.key.time = Some(time)).unforecast().build()
}

/// A record whose games have no identities: the first game of a doubleheader is in one market only.
async fn stored_before() -> (World, Arc<CodecFake>) {
    let (world, codec) = (World::new(), Arc::new(CodecFake::default()));
    let world = World { archives: Archives::new(world.store.clone(), codec.clone()), ..world };
    world.publish(vec![game_at("13:00:00"), game_at("19:00:00")]).await;
    let mut catalog = world.head().await;
    for (model_type, times) in MARKETS.into_iter().zip([&["19:00:00"][..], &["13:00:00", "19:00:00"]]) {
        let games = times.iter().map(|time| game_at(time)).collect();
        let archive = SeasonArchive::new(Market::new(SPORT, model_type), season(SPORT, SEASON), games).expect("keys");
        let bytes = codec.encode(&archive).expect("encodes");
        let size = bytes.len() as u64;
        let object = world.store.put(SPORT, ObjectKind::Parquet, bytes).await.expect("stored");
        let entry = catalog.results.get_mut(&(model_type, season(SPORT, SEASON))).expect("published");
        (entry.artifact.object, entry.artifact.bytes) = (object, size);
    }
    world.store.forge_entry(catalog);
    (world, codec)
}

/// The identity of each start in a market, as a server reads it.
async fn identities(world: &World, model_type: ModelType) -> Vec<(String, Option<String>)> {
    let catalog = world.head().await;
    let (archives, label) = (world.archives.clone().identified_by(world.store.clone()), season(SPORT, SEASON));
    let entry = &catalog.results[&(model_type, label)];
    let stored = SeasonRef::from_artifact(Market::new(SPORT, model_type), label, &entry.artifact);
    let archive = archives.read(&stored).await.expect("reads");
    let facts = archive.games().iter().map(|game| &game.facts);
    facts.map(|facts| (facts.key.time.expect("timed").to_string(), facts.game_id.clone())).collect()
}

#[tokio::test]
async fn a_publish_keeps_the_identities_that_servers_gave_to_stored_games() {
    let (world, _) = stored_before().await;
    let [totals, winners] = [identities(&world, MARKETS[0]).await, identities(&world, MARKETS[1]).await];
    assert_eq!(totals[..], winners[1..], "both markets have one game at 19:00");
    let mut changed = game_at("19:00:00");
    changed.facts.lines.total = Total::new(9.5).ok();
    world.try_publish(&a_release(SPORT, SEASON, vec![game_at("13:00:00"), changed])).await.expect("publishes");
    assert_eq!(identities(&world, MARKETS[1]).await, winners);
    assert_eq!(
        identities(&world, MARKETS[0]).await,
        winners,
        "the game that was missing has the identity of the other market"
    );
}
