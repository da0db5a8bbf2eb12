//! Proofs of forecasts from a store: each verifies with the keys of its checkpoint, or is refused with its reason.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use sports_domain::content::ObjectHash;
use sports_domain::{Market, ModelType, Sport};
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles as _};
use sports_ports::results::{Making, ResultCache};
use sports_ports::seasons::SeasonRef;
use sports_publication::testing::{a_game, a_release, place};
use sports_publication::{ArchivedGame, Catalog, Extras, ForecastRow, Located, MarketHistory, RowIds};
use sports_transparency::{
    Checkpoint, ForecastProof, KeyKind, RightEdge, SignedCheckpoint, SigningKey, Tree, TreeHash, WrittenLeaf,
};
use sports_usecases::analytics::{AnalyseSeasons, Analytics};
use sports_usecases::forecast_proof::{
    CachedProof, CachedProofs, ForecastProofs, NoProof, ProofError, Recording, SeasonOpening,
};
use sports_usecases::game_histories::GameName;
use sports_usecases::moment::Moments;
use sports_usecases::record::{CachedTile, CheckpointListings, TreeHead, TreeReader};

use crate::following::Opened;
use crate::moved_back::{Evening, LABEL, MARKET, game_at};

const ID: &str = "nba-2025-12-10-boston_celtics-new_york_knicks";

fn signer(name: &str, kind: KeyKind) -> SigningKey {
    SigningKey::from_seed(name.parse().expect("a name"), kind, &[7; 32]).expect("a key")
}

fn log() -> SigningKey {
    signer("example.com/record/nba", KeyKind::Log)
}

fn witness() -> SigningKey {
    signer("witness.example.com", KeyKind::Witness)
}

/// The kinds of evidence that a checkpoint of a test has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Has {
    Signature,
    Timestamp,
    Cosignature,
}

/// Returns all leaves of the record.
async fn leaves(evening: &Evening) -> Vec<WrittenLeaf> {
    let head = TreeHead::of(&evening.head().await).expect("a tree");
    reader(evening).leaves(&head, 0..head.size).await.expect("reads")
}

/// Returns the root of the first leaves, computed from all of them.
async fn root(evening: &Evening, size: u64) -> TreeHash {
    let tree: Tree = leaves(evening).await.iter().map(WrittenLeaf::hash).collect();
    RightEdge::of(&tree, size).expect("all hashes").root()
}

async fn sign_root(evening: &Evening, (size, root): (u64, TreeHash), has: Has) {
    let checkpoint = Checkpoint { origin: log().verifier().name().clone(), size, root };
    let mut lines = vec![log().sign(&checkpoint)];
    if has == Has::Cosignature {
        lines.push(witness().cosign(&checkpoint, 1_765_382_400));
    }
    let note = SignedCheckpoint::new(checkpoint, &lines).to_string();
    put(evening, size, CheckpointKind::Note, Bytes::from(note)).await;
    if has == Has::Timestamp {
        put(evening, size, CheckpointKind::Timestamp, Bytes::from(format!("a token of {size}"))).await;
    }
}

async fn sign(evening: &Evening, size: u64, has: Has) {
    sign_root(evening, (size, root(evening, size).await), has).await;
}

async fn put(evening: &Evening, size: u64, kind: CheckpointKind, bytes: Bytes) {
    let file = CheckpointFile { size, kind, content: ObjectHash::from_bytes(&bytes) };
    let _ = evening.world.store.put_record_file(&RecordFile::Checkpoint(evening.sport, file), bytes).await;
}

fn reader(evening: &Evening) -> TreeReader {
    let store = &evening.world.store;
    TreeReader::new(Arc::clone(store) as _, evening.world.slates.clone(), Arc::clone(store) as _)
}

fn proofs(evening: &Evening) -> ForecastProofs<sports_publication::SeasonArchive> {
    ForecastProofs::new(Arc::new(reader(evening)), Arc::new(Opened(evening.world.archives.clone())))
}

fn named(id: &str) -> Vec<GameName> {
    vec![GameName::Id(id.to_owned()), GameName::MatchId(id.to_owned())]
}

async fn proof(evening: &Evening, size: Option<u64>) -> Result<ForecastProof, NoProof> {
    proof_of(evening, MARKET, &named(ID), size).await
}

async fn proof_of(
    evening: &Evening,
    market: ModelType,
    names: &[GameName],
    size: Option<u64>,
) -> Result<ForecastProof, NoProof> {
    let made = proofs(evening).proof(&evening.head().await, market, names, size).await;
    made.map(|made| made.proof).map_err(|error| match error {
        ProofError::Refused(reason) => reason,
        ProofError::Port(error) => panic!("the store answers: {error}"),
    })
}

/// Verifies a proof from its text alone; returns the number of cosignatures.
fn verified(proof: &ForecastProof) -> usize {
    let read = ForecastProof::parse(proof.to_string().as_bytes()).expect("a proof");
    read.verify(log().verifier(), &[witness().verifier().clone()]).expect("holds").cosignatures.len()
}

fn size(proof: &ForecastProof) -> u64 {
    proof.checkpoint.checkpoint().size
}

/// Imports history, which adds one leaf to the tree.
async fn import(evening: &Evening, at: &str, games: Vec<ArchivedGame>) {
    let release = a_release(evening.sport, "2024-25", games);
    evening.publish(at, release).await.expect("imports");
}

fn visited_by(away: &str) -> ArchivedGame {
    a_game().visited_by(away).build()
}

/// A record of six leaves, each entry's release first: 1 is a forecast, 3 the standing one, 4 and 5 are imports.
async fn forecast_twice() -> Evening {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.55, None).await;
    evening.predict("2025-12-10T16:00:00Z", 0.75, None).await;
    import(&evening, "2025-12-10T17:00:00Z", vec![visited_by("one")]).await;
    import(&evening, "2025-12-10T18:00:00Z", vec![visited_by("one"), visited_by("two")]).await;
    assert_eq!(leaves(&evening).await.len(), 6);
    evening
}

#[tokio::test]
async fn a_proof_of_the_standing_forecast_verifies() {
    let evening = forecast_twice().await;
    sign(&evening, 4, Has::Cosignature).await;
    let proof = proof(&evening, None).await.expect("a proof");
    assert_eq!((proof.index, size(&proof), verified(&proof)), (3, 4, 1));
    assert!(proof.opening.payload.ends_with(r#""probabilities":{"BLEND":0.75}}"#), "{}", proof.opening.payload);
    let by_start = GameName::Listed {
        date: game_at("19:00").date,
        time: None,
        away: game_at("19:00").away,
        home: game_at("19:00").home,
    };
    assert_eq!(proof_of(&evening, MARKET, &[by_start], None).await, Ok(proof));
}

#[tokio::test]
async fn the_checkpoint_is_the_earliest_of_the_strongest_evidence() {
    use Has::{Cosignature, Signature, Timestamp};
    let table: [(&[(u64, Has)], u64); 6] = [
        (&[(4, Signature), (5, Signature)], 4),
        (&[(4, Signature), (5, Timestamp), (6, Timestamp)], 5),
        (&[(4, Signature), (5, Timestamp), (6, Cosignature)], 6),
        (&[(4, Cosignature), (5, Cosignature)], 4),
        (&[(2, Cosignature), (3, Cosignature), (5, Signature)], 5),
        (&[(4, Timestamp), (5, Cosignature), (6, Cosignature)], 5),
    ];
    for (signed, expected) in table {
        let evening = forecast_twice().await;
        for (size, has) in signed {
            sign(&evening, *size, *has).await;
        }
        let proof = proof(&evening, None).await.expect("a proof");
        assert_eq!(size(&proof), expected);
        let _ = verified(&proof);
    }
}

/// Two keys of the record signed one tree, the second one after the loss of the first.
#[tokio::test]
async fn of_one_size_the_checkpoint_that_was_cosigned_first_is_taken() {
    for names in [["a.example.com/nba", "example.com/record/nba"], ["example.com/record/nba", "z.example.com/nba"]] {
        let evening = forecast_twice().await;
        let root = root(&evening, 4).await;
        for (name, time) in names.into_iter().zip([1_765_382_400, 1_765_400_000]) {
            let log = signer(name, KeyKind::Log);
            let checkpoint = Checkpoint { origin: log.verifier().name().clone(), size: 4, root };
            let lines = [log.sign(&checkpoint), witness().cosign(&checkpoint, time)];
            let note = SignedCheckpoint::new(checkpoint, &lines).to_string();
            put(&evening, 4, CheckpointKind::Note, Bytes::from(note)).await;
        }
        for size in [None, Some(4)] {
            let proof = proof(&evening, size).await.expect("a proof");
            assert_eq!(proof.checkpoint.checkpoint().origin.as_str(), names[0]);
        }
    }
}

#[tokio::test]
async fn the_checkpoint_of_a_requested_size_is_taken_or_refused() {
    let evening = forecast_twice().await;
    for (size, has) in [(2, Has::Signature), (4, Has::Cosignature), (6, Has::Signature)] {
        sign(&evening, size, has).await;
    }
    let later = proof(&evening, Some(6)).await.expect("a proof");
    assert_eq!((size(&later), verified(&later)), (6, 0));
    let no_such = |size| Err(NoProof::NoSuchSize { sport: Sport::Nba, size });
    for (size, refused) in [
        (2, Err(NoProof::BeforeLeaf { size: 2, index: 3 })),
        (3, no_such(3)),
        (5, no_such(5)),
        (7, no_such(7)),
        (0, no_such(0)),
        (u64::MAX, no_such(u64::MAX)),
    ] {
        assert_eq!(proof(&evening, Some(size)).await, refused);
    }
}

#[tokio::test]
async fn a_checkpoint_of_another_tree_is_passed_over() {
    let evening = forecast_twice().await;
    let fork = TreeHash::of_leaf(b"a tree that was lost");
    sign_root(&evening, (4, fork), Has::Cosignature).await;
    assert_eq!(proof(&evening, None).await, Err(NoProof::NotSigned(Sport::Nba)));
    assert_eq!(proof(&evening, Some(4)).await, Err(NoProof::NoSuchSize { sport: Sport::Nba, size: 4 }));
    sign(&evening, 5, Has::Signature).await;
    let proof = proof(&evening, None).await.expect("a proof");
    assert_eq!((size(&proof), verified(&proof)), (5, 0));
}

#[tokio::test]
async fn a_forecast_without_a_proof_is_refused_with_the_reason() {
    let evening = forecast_twice().await;
    assert_eq!(proof(&evening, None).await, Err(NoProof::NotSigned(Sport::Nba)));
    sign(&evening, 3, Has::Cosignature).await;
    assert_eq!(proof(&evening, None).await, Err(NoProof::NotSigned(Sport::Nba)), "the leaf is the next one");

    let never = proof_of(&evening, ModelType::WonOnSpread, &named(ID), None).await;
    assert_eq!(never, Err(NoProof::NeverMade), "another market");
    let unknown = proof_of(&evening, MARKET, &named("nba-2025-12-11-boston_celtics-new_york_knicks"), None).await;
    assert_eq!(unknown, Err(NoProof::NeverMade), "another game");
    let unforecast = proof_of(&evening, MARKET, &named("nba-2024-11-24-one-home_team"), None).await;
    assert_eq!(unforecast, Err(NoProof::NeverMade), "a game without a forecast");
}

/// Returns the openings of the season, each as index and payload, after a check against the leaves.
async fn openings(evening: &Evening) -> Vec<(u64, String)> {
    let head = evening.head().await;
    let label = sports_publication::testing::season(evening.sport, LABEL);
    let market = sports_domain::Market::new(evening.sport, MARKET);
    let archive = SeasonRef::from_artifact(market, label, &head.results[&(MARKET, label)].artifact);
    let archive = evening.world.archives.read(&archive).await.expect("reads");
    let openings = proofs(evening).openings(&head, &archive).await.expect("reads");
    let Some(_) = TreeHead::of(&head) else { return Vec::new() };
    let leaves = leaves(evening).await;
    let checked = openings.into_iter().map(|SeasonOpening { located, .. }| {
        let sports_transparency::Opening { entry, salt, payload } = located.opening;
        let leaf = &leaves[usize::try_from(located.index).expect("few leaves")];
        assert_eq!(leaf.to_text(), entry);
        let committed = format!("sha256:{}\n", salt.commit(payload.as_bytes()));
        assert!(entry.ends_with(&committed), "{entry}");
        (located.index, payload)
    });
    checked.collect()
}

#[tokio::test]
async fn each_row_that_the_log_recorded_opens_once() {
    let evening = forecast_twice().await;
    let opened = openings(&evening).await;
    assert_eq!(opened.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [3]);
    assert!(opened[0].1.contains(r#""BLEND":0.75"#));
}

#[tokio::test]
async fn a_moved_game_opens_under_the_start_of_its_forecast() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.55, None).await;
    evening.move_to("2025-12-10T16:00:00Z", LABEL, "20:30").await.expect("moves");
    let size = leaves(&evening).await.len() as u64;
    sign(&evening, size, Has::Cosignature).await;
    let proof = proof(&evening, None).await.expect("a proof");
    assert_eq!((proof.index, verified(&proof)), (1, 1));
    assert!(proof.opening.payload.contains(r#""time_est":"19:00:00""#), "{}", proof.opening.payload);
    let opened = openings(&evening).await;
    assert_eq!(opened, [(1, proof.opening.payload)]);
}

#[tokio::test]
async fn a_model_that_was_declared_later_is_in_no_opening() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.55, Some(0.51)).await;
    evening.declare_elo("2025-12-10T17:00:00Z").await;
    sign(&evening, leaves(&evening).await.len() as u64, Has::Cosignature).await;
    let proof = proof(&evening, None).await.expect("a proof");
    let _ = verified(&proof);
    assert!(proof.opening.payload.ends_with(r#""probabilities":{"BLEND":0.55}}"#), "{}", proof.opening.payload);
}

#[tokio::test]
async fn an_imported_forecast_is_refused_even_if_it_names_a_release_of_the_log() {
    let evening = forecast_twice().await;
    let head = evening.head().await;
    let at = head.published_at;
    let rows = [
        ("backtest", visited_by("backtest")),
        ("elsewhere", a_game().visited_by("elsewhere").live("another-run", at).build()),
        ("claimed", a_game().visited_by("claimed").live(head.release_id.as_str(), at).build()),
    ];
    let mut release = a_release(evening.sport, "2024-25", rows.iter().map(|(_, game)| game.clone()).collect());
    let forecasts = rows.iter().map(|(_, game)| {
        let key = game.facts.key.clone();
        let record = game.forecast.clone();
        let value = ForecastRow { key, ids: RowIds::default(), record, extras: Extras::default() };
        Located { place: place(2), value }
    });
    let market = MarketHistory { games: Vec::new(), forecasts: forecasts.collect() };
    release.history[0].markets = [(ModelType::WonOnSpread, market)].into();
    evening.publish("2025-12-10T19:00:00Z", release).await.expect("imports");
    for (away, _) in rows {
        let id = format!("nba-2024-11-24-{away}-home_team");
        let refused = proof_of(&evening, ModelType::WonOnSpread, &named(&id), None).await;
        assert_eq!(refused, Err(NoProof::Imported), "{away}");
    }
    let words = NoProof::Imported.to_string();
    assert_eq!(words, "That forecast was imported: the record has no commitment to it");
}

/// A memory without a limit.
struct Memory<A>(Mutex<HashMap<ObjectHash, Arc<A>>>);

impl<A> Default for Memory<A> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

#[async_trait]
impl<A: Send + Sync> ResultCache<A> for Memory<A> {
    async fn result(&self, name: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError> {
        if let Some(cached) = self.cached(&name).await {
            return Ok(cached);
        }
        let made = making.await?;
        self.0.lock().expect("no panic").insert(name, Arc::clone(&made));
        Ok(made)
    }

    async fn cached(&self, name: &ObjectHash) -> Option<Arc<A>> {
        self.0.lock().expect("no panic").get(name).cloned()
    }
}

type CachedArchiveProofs = CachedProofs<sports_publication::SeasonArchive>;

fn cached_proofs(evening: &Evening) -> CachedArchiveProofs {
    let listings = Arc::new(CheckpointListings::new(Arc::new(reader(evening))));
    CachedProofs::new(Arc::new(proofs(evening)), listings, Arc::new(Memory::<CachedProof>::default()))
}

async fn cached_proof(evening: &Evening, kept: &CachedArchiveProofs) -> Result<ForecastProof, NoProof> {
    let made = kept.proof(&evening.head().await, MARKET, &GameName::Id(ID.to_owned()), None).await;
    match made {
        Ok(proof) => Ok(ForecastProof::parse(proof.text().as_bytes()).expect("a proof")),
        Err(ProofError::Refused(reason)) => Err(reason),
        Err(ProofError::Port(error)) => panic!("the store answers: {error}"),
    }
}

async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// Lets the time pass after which new files are listed.
async fn after_a_second() {
    pass(Duration::from_secs(1)).await;
}

/// Lets the time pass after which all files are listed.
async fn after_ten_seconds() {
    pass(Duration::from_secs(10)).await;
}

#[tokio::test]
async fn a_kept_proof_gives_way_to_stronger_evidence_within_ten_seconds() {
    let evening = forecast_twice().await;
    let kept = cached_proofs(&evening);
    let mut expected = Vec::new();
    for (signed, has, size) in [
        (5, Has::Signature, 5),
        (4, Has::Signature, 4),
        (6, Has::Timestamp, 6),
        (6, Has::Cosignature, 6),
        (5, Has::Cosignature, 5),
        // Behind a cosigned checkpoint nothing is preferred to it.
        (6, Has::Timestamp, 5),
    ] {
        sign(&evening, signed, has).await;
        after_ten_seconds().await;
        let proof = cached_proof(&evening, &kept).await.expect("a proof");
        expected.push((proof.checkpoint.checkpoint().size, size));
        assert_eq!(Ok(&proof), cached_proof(&evening, &kept).await.as_ref(), "the same once more");
        assert_eq!(Ok(proof), self::proof(&evening, None).await, "as without a memory");
    }
    assert!(expected.iter().all(|(found, expected)| found == expected), "{expected:?}");
}

#[tokio::test]
async fn a_later_cosignature_of_the_same_checkpoint_is_in_a_kept_proof_within_a_second() {
    let evening = forecast_twice().await;
    let kept = cached_proofs(&evening);
    sign(&evening, 4, Has::Cosignature).await;
    let first = cached_proof(&evening, &kept).await.expect("a proof");
    assert_eq!(verified(&first), 1);
    let checkpoint = first.checkpoint.checkpoint().clone();
    let other = signer("other.example.org", KeyKind::Witness);
    let lines = [log().sign(&checkpoint), other.cosign(&checkpoint, 1_765_382_500)];
    let note = SignedCheckpoint::new(checkpoint, &lines).to_string();
    put(&evening, 4, CheckpointKind::Note, Bytes::from(note)).await;
    after_a_second().await;
    let both = cached_proof(&evening, &kept).await.expect("a proof");
    let known = [witness().verifier().clone(), other.verifier().clone()];
    let logged = both.verify(log().verifier(), &known).expect("holds");
    assert_eq!(logged.cosignatures.len(), 2);
}

#[tokio::test]
async fn a_refusal_is_not_kept_and_a_newer_forecast_is_proven_at_once() {
    let evening = Evening::new(Sport::Nba);
    let kept = cached_proofs(&evening);
    for (at, blend, size) in [("2025-12-10T15:00:00Z", 0.55, 2), ("2025-12-10T16:00:00Z", 0.75, 4)] {
        evening.predict(at, blend, None).await;
        assert_eq!(cached_proof(&evening, &kept).await, Err(NoProof::NotSigned(Sport::Nba)));
        sign(&evening, size, Has::Signature).await;
        let proof = cached_proof(&evening, &kept).await.expect("a proof");
        let blend = format!(r#""probabilities":{{"BLEND":{blend}}}}}"#);
        assert!(proof.opening.payload.ends_with(&blend), "{}", proof.opening.payload);
    }
}

#[tokio::test]
async fn a_kept_proof_is_of_one_game_one_market_and_one_size() {
    let evening = forecast_twice().await;
    for size in [4, 6] {
        sign(&evening, size, Has::Signature).await;
    }
    let (kept, newest) = (cached_proofs(&evening), evening.head().await);
    let of = async |market, id: &str, size| {
        let game = GameName::Id(id.to_owned());
        let proof = kept.proof(&newest, market, &game, size).await.ok()?;
        Some(ForecastProof::parse(proof.text().as_bytes()).expect("a proof").checkpoint.checkpoint().size)
    };
    for _ in 0..2 {
        assert_eq!(of(MARKET, ID, None).await, Some(4));
        assert_eq!(of(MARKET, ID, Some(6)).await, Some(6));
        assert_eq!(of(MARKET, ID, Some(5)).await, None);
        assert_eq!(of(ModelType::WonOnSpread, ID, None).await, None);
        assert_eq!(of(MARKET, "nba-2025-12-11-boston_celtics-new_york_knicks", None).await, None);
    }
}

#[tokio::test]
async fn a_proof_may_be_repeated_until_checkpoints_are_listed_again() {
    let evening = forecast_twice().await;
    sign(&evening, 4, Has::Signature).await;
    let (kept, newest, game) = (cached_proofs(&evening), evening.head().await, GameName::Id(ID.to_owned()));
    let repeatable = async |size| kept.proof(&newest, MARKET, &game, size).await.expect("a proof").repeatable();
    tokio::time::pause();
    let first = repeatable(None).await;
    tokio::time::advance(Duration::from_millis(999)).await;
    let (again, other) = (repeatable(None).await, repeatable(Some(4)).await);
    assert!(first() && again() && other());
    tokio::time::advance(Duration::from_millis(1)).await;
    assert!(!first() && !again() && !other(), "the files may be others");
    let listed_again = repeatable(None).await;
    sign(&evening, 6, Has::Signature).await;
    let unlisted = repeatable(Some(6)).await;
    assert!(listed_again() && !unlisted(), "listed for this request alone");
}

#[tokio::test]
async fn first_proofs_of_a_league_share_a_listing() {
    let evening = forecast_twice().await;
    sign(&evening, 4, Has::Signature).await;
    let (kept, newest, game) = (cached_proofs(&evening), evening.head().await, GameName::Id(ID.to_owned()));
    let cosignatures = async |size| {
        let text = kept.proof(&newest, MARKET, &game, size).await.expect("a proof").text().to_owned();
        verified(&ForecastProof::parse(text.as_bytes()).expect("a proof"))
    };
    tokio::time::pause();
    assert_eq!(cosignatures(None).await, 0);
    sign(&evening, 4, Has::Cosignature).await;
    assert_eq!(cosignatures(Some(4)).await, 0, "from the files that were listed for the other one");
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!((cosignatures(None).await, cosignatures(Some(4)).await), (1, 1));
}

#[tokio::test]
async fn what_is_in_memory_is_not_read_again() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.55, None).await;
    sign(&evening, 2, Has::Cosignature).await;
    let (newest, names) = (evening.head().await, named(ID));
    let kept = cached_proofs(&evening);
    let reader = reader(&evening).with_tiles_in(Arc::new(Memory::<CachedTile>::default()));
    let opened = Arc::new(Opened(evening.world.archives.clone()));
    let made = ForecastProofs::<sports_publication::SeasonArchive>::new(Arc::new(reader), opened);
    let made = made.with_recordings_in(Arc::new(Memory::<Recording>::default()));
    let both = async || {
        let text = kept.proof(&newest, MARKET, &names[0], None).await.expect("a proof").text().to_owned();
        let proof = made.proof(&newest, MARKET, &names, None).await.expect("a proof").proof;
        assert_eq!(proof.to_string(), text);
        proof
    };
    let first = both().await;
    // From now on the store has another entry.
    evening.world.store.forge_entry(Catalog { tree: None, ..newest.clone() });
    let again = proofs(&evening).proof(&newest, MARKET, &names, None).await;
    assert!(matches!(again, Err(ProofError::Refused(NoProof::BeforeTree(_)))));
    after_a_second().await;
    assert_eq!(both().await, first);
}

/// Returns the recorded and the proven forecasts of a model, by a new node.
async fn tracked(evening: &Evening, model: &str) -> (u32, Option<u32>) {
    let world = &evening.world;
    let node = world.node();
    node.poll().await;
    let past = world.past(&node);
    let walks = world.walks(Arc::clone(&past));
    let analytics = Analytics::new(Arc::new(AnalyseSeasons(world.archives.clone())), walks, world.checkpoints());
    let moment = Moments::new(past, world.clock.clone()).now(evening.sport).expect("read");
    let (question, _) =
        analytics.model_tracking(&moment, Market::new(evening.sport, MARKET), None, None).await.expect("a question");
    let tracking = question.answer().await.expect("an answer");
    let tracked = tracking.models.iter().find(|tracked| tracked.coverage.model.as_str() == model).expect("the model");
    (tracked.recorded, tracked.proven)
}

/// The game starts at 19:00 Eastern, which is 00:00 UTC.
#[tokio::test]
async fn a_forecast_is_proven_by_a_checkpoint_that_others_saw_before_the_start() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.6, None).await;
    let first = TreeHead::of(&evening.head().await).expect("a tree").size;
    evening.predict("2025-12-10T20:00:00Z", 0.55, None).await;
    let second = TreeHead::of(&evening.head().await).expect("a tree").size;
    evening.world.clock.set("2025-12-12T00:00:00Z".parse().expect("an instant"));
    let cosign = async |size, time: &str, root| {
        let checkpoint = Checkpoint { origin: log().verifier().name().clone(), size, root };
        let time: chrono::DateTime<chrono::Utc> = time.parse().expect("an instant");
        let lines = [log().sign(&checkpoint), witness().cosign(&checkpoint, time.timestamp().cast_unsigned())];
        put(&evening, size, CheckpointKind::Note, SignedCheckpoint::new(checkpoint, &lines).to_string().into()).await;
    };
    sign(&evening, second, Has::Signature).await;
    assert_eq!(tracked(&evening, "BLEND").await, (1, Some(0)), "nobody else has seen it");
    cosign(first, "2025-12-10T16:00:00Z", root(&evening, first).await).await;
    assert_eq!(tracked(&evening, "BLEND").await, (1, Some(0)), "the earlier forecast alone was seen");
    cosign(second, "2025-12-11T00:00:00Z", root(&evening, second).await).await;
    assert_eq!(tracked(&evening, "BLEND").await, (1, Some(0)), "at the start, not before");
    cosign(second, "2025-12-10T23:59:59Z", TreeHash::of_empty_tree()).await;
    assert_eq!(tracked(&evening, "BLEND").await, (1, Some(0)), "another tree");
    cosign(second, "2025-12-10T23:59:59Z", root(&evening, second).await).await;
    assert_eq!(tracked(&evening, "BLEND").await, (1, Some(1)));
}

#[tokio::test]
async fn a_model_that_was_declared_after_the_commitment_is_not_proven_by_it() {
    let evening = Evening::new(Sport::Nba);
    evening.predict("2025-12-10T15:00:00Z", 0.6, Some(0.7)).await;
    evening.declare_elo("2025-12-10T16:00:00Z").await;
    let head = TreeHead::of(&evening.head().await).expect("a tree");
    sign(&evening, head.size, Has::Cosignature).await;
    evening.world.clock.set("2025-12-12T00:00:00Z".parse().expect("an instant"));
    let declared_later = (tracked(&evening, "BLEND").await, tracked(&evening, "ELO").await);
    assert_eq!(declared_later, ((1, Some(1)), (1, Some(0))));
}
