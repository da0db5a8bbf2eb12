//! The cheats of a publisher who can write to the store.

use std::fs;
use std::path::Path;

use sports_domain::{Market, ModelColumn, ModelType, Probability, Sport};
use sports_ports::publication::{
    Appended, ArchiveCodec as _, ObjectKind, Objects as _, PublicationLog as _, SlateCodec as _,
};
use sports_publication::{
    ArchivedGame, Catalog, Generation, LeavesEntry, ResultsEntry, SeasonArchive, SeasonCoverage, SlateArtifact,
};
use sports_store::{ArtifactStore, JsonSlates, OpenOptions};
use sports_tables::archive::ParquetArchives;
use sports_transparency::LeafFact;

const SPORT: Sport = Sport::Nfl;

fn opened(store: &Path) -> ArtifactStore {
    let address = format!("file:{}", store.display());
    ArtifactStore::open_existing_with(&address, &OpenOptions::default()).expect("a store")
}

pub fn is_of_ravens(game: &ArchivedGame) -> bool {
    game.facts.key.home.as_str() == "baltimore_ravens"
}

/// Gives the game of the Ravens another blend.
pub fn forecast_of_ravens(mut game: ArchivedGame, blend: f64) -> ArchivedGame {
    if is_of_ravens(&game) {
        let blend = Probability::new(blend).expect("a probability");
        game.forecast.forecasts = game.forecast.forecasts.with(ModelColumn::Blend, blend);
    }
    game
}

/// Puts another entry in the place of one.
async fn replace(store: &ArtifactStore, folder: &Path, catalog: &Catalog) -> sports_domain::content::ObjectHash {
    fs::remove_file(folder.join(format!("sports/nfl/log/{:012}.json", catalog.generation.get()))).expect("removed");
    match store.append(catalog).await.expect("writes") {
        Appended::Committed { digest } => digest,
        Appended::Taken => panic!("the number is free"),
    }
}

/// Rewrites each row of the archives that entries from one on name, or leaves it out, and links all entries above again. The
/// trees stay as they were.
pub async fn rewrite(folder: &Path, from: u64, change: impl Fn(ArchivedGame) -> Option<ArchivedGame>) {
    let store = opened(folder);
    let mut above = None;
    for generation in store.numbers(SPORT).await.expect("lists").into_iter().filter(|number| number.get() >= from) {
        let mut catalog = store.entry(SPORT, generation).await.expect("reads").expect("an entry").catalog;
        for ((model_type, season), results) in &mut catalog.results {
            let market = Market::new(SPORT, *model_type);
            let bytes = store.get(SPORT, ObjectKind::Parquet, &results.artifact.object).await.expect("reads");
            let archive = ParquetArchives.decode(market, *season, bytes.expect("an archive")).expect("decodes");
            let games = archive.games().iter().cloned().filter_map(&change).collect();
            let archive = SeasonArchive::new(market, *season, games).expect("each game once");
            *results = written(&store, results, &archive).await;
        }
        catalog.previous = above.or(catalog.previous);
        above = Some(replace(&store, folder, &catalog).await);
    }
}

async fn written(store: &ArtifactStore, results: &ResultsEntry, archive: &SeasonArchive) -> ResultsEntry {
    let bytes = ParquetArchives.encode(archive).expect("encodes");
    let mut results = results.clone();
    results.artifact.bytes = bytes.len() as u64;
    results.artifact.object = store.put(SPORT, ObjectKind::Parquet, bytes).await.expect("stored");
    results.coverage = SeasonCoverage::from_archive(archive);
    results
}

/// Leaves the leaf of the Ravens' forecast of the winner out of the first entry's tree.
pub async fn withhold(folder: &Path) {
    let store = opened(folder);
    let mut catalog = store.entry(SPORT, Generation::FIRST).await.expect("reads").expect("an entry").catalog;
    let tree = catalog.tree.as_mut().expect("a tree");
    let bytes = store.get(SPORT, ObjectKind::Json, &tree.leaves.object).await.expect("reads").expect("leaves");
    let SlateArtifact::Leaves(mut leaves) = JsonSlates.decode(SPORT, &bytes).expect("decodes") else {
        panic!("leaves");
    };
    let before = leaves.leaves.len();
    leaves.leaves.retain(|leaf| {
        !matches!(&leaf.fact, LeafFact::Forecast { model_type: ModelType::WonOnPoints, game, .. } if game.home.as_str() == "baltimore_ravens")
    });
    assert_eq!(leaves.leaves.len(), before - 1);
    tree.edge = leaves.edge(None);
    let bytes = JsonSlates.encode(SPORT, &SlateArtifact::Leaves(leaves)).expect("encodes");
    let length = bytes.len() as u64;
    let object = store.put(SPORT, ObjectKind::Json, bytes).await.expect("stored");
    tree.leaves = LeavesEntry { object, bytes: length };
    let _ = replace(&store, folder, &catalog).await;
}
