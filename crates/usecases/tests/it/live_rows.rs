//! Live rows against their leaves, and withdrawals after a start: entries that a publisher made without our program.

use sports_domain::content::ObjectHash;
use sports_domain::{Forecasts, Market, ModelColumn, Probability, Sport};
use sports_ports::publication::{
    Appended, ArchiveCodec as _, ObjectKind, Objects as _, PublicationLog as _, SlateCodec as _,
};
use sports_ports::seasons::SeasonRef;
use sports_publication::testing::{key, season};
use sports_publication::{
    ArchivedGame, Catalog, EntryChanges, EntryLeaves, ForecastOrigin, ForecastRecord, LeavesEntry, ReleaseId,
    RowComparison, SeasonArchive, SeasonCoverage, SlateArtifact, TreeEntry,
};
use sports_transparency::Nonce;
use sports_usecases::record::{FailureKind, newest_entry};
use sports_usecases::verify::{Difference, VerifyError, verify};

use crate::moved_back::{Evening, LABEL, MARKET, game_at};

/// Ten hours before the game of the evening, at 19:00 Eastern.
const BEFORE: &str = "2025-12-10T14:00:00Z";
/// Five minutes after its start.
const AFTER: &str = "2025-12-11T00:05:00Z";
const NEXT_DAY: &str = "2025-12-11T15:00:00Z";

/// Appends an entry as other programs could: rows change as `edit` has them, and all leaves follow from that.
async fn append(evening: &Evening, at: &str, edit: impl FnOnce(&mut Vec<ArchivedGame>)) {
    let (world, sport) = (&evening.world, evening.sport);
    let before = newest_entry(&*world.store, sport).await.expect("answers").expect("an entry");
    let place = (MARKET, season(sport, LABEL));
    let market = Market::new(sport, MARKET);
    let named = SeasonRef::from_artifact(market, place.1, &before.catalog.results[&place].artifact);
    let old = world.archives.read(&named).await.expect("reads");
    let mut games = old.games().to_vec();
    edit(&mut games);
    let archive = SeasonArchive::new(market, place.1, games).expect("each game once");
    let bytes = world.codecs.0.encode(&archive).expect("encodes");
    let size = bytes.len() as u64;
    let object = world.store.put(sport, ObjectKind::Parquet, bytes).await.expect("stored");

    let (generation, published_at) = (before.catalog.generation.next(), at.parse().expect("an instant"));
    let content = ObjectHash::from_bytes(at.as_bytes());
    let release_id = ReleaseId::new(before.catalog.slate_date, published_at, &content);
    let previous = Some(before.digest);
    let mut entry = Catalog { generation, published_at, release_id, previous, ..before.catalog.clone() };
    let results = entry.results.get_mut(&place).expect("an archive");
    (results.artifact.object, results.artifact.bytes) = (object, size);
    (results.coverage, results.models) = (SeasonCoverage::from_archive(&archive), archive.model_counts());

    let mut comparison = RowComparison::of(&entry.release_id);
    comparison.compare(Some(&old), Some(&archive));
    let changes = EntryChanges { rows: comparison.finish(), ..EntryChanges::default() };
    let (nonce, tree) = (Nonce::new([7; Nonce::LENGTH]), before.catalog.tree.as_ref());
    let leaves = EntryLeaves::behind(tree, changes.leaves(&entry, &nonce));
    let (first, edge, keys) = (leaves.first, leaves.edge(tree), Vec::new());
    let bytes = world.codecs.1.encode(sport, &SlateArtifact::Leaves(leaves)).expect("encodes");
    let size = bytes.len() as u64;
    let object = world.store.put(sport, ObjectKind::Json, bytes).await.expect("stored");
    entry.tree = Some(TreeEntry { nonce, first, edge, leaves: LeavesEntry { object, bytes: size }, keys });
    let appended = world.store.append(&entry).await.expect("answers");
    assert!(matches!(appended, Appended::Committed { .. }), "{appended:?}");
}

/// A league whose only game was forecast in time.
async fn forecast_evening() -> Evening {
    let evening = Evening::new(Sport::Nba);
    evening.predict(BEFORE, 0.55, None).await;
    evening
}

async fn found(evening: &Evening) -> Result<(), Difference> {
    let world = &evening.world;
    match verify(&*world.store, &world.archives, &world.slates, evening.sport).await {
        Ok(_) => Ok(()),
        Err(VerifyError::Differs(difference)) => Err(*difference),
        Err(VerifyError::Port(error)) => panic!("the store answers: {error}"),
    }
}

/// Returns the rows that differ from their leaves, in words.
async fn differing(evening: &Evening) -> Vec<String> {
    match found(evening).await {
        Err(Difference::LiveRows(rows)) => rows,
        other => panic!("live rows differ: {other:?}"),
    }
}

fn with_blend(game: &mut ArchivedGame, blend: f64) {
    let blend = Probability::new(blend).expect("a probability");
    game.forecast.forecasts = Forecasts::default().with(ModelColumn::Blend, blend);
}

#[tokio::test]
async fn a_number_that_an_entry_changed_under_its_release_is_named_with_its_game() {
    let evening = forecast_evening().await;
    assert!(found(&evening).await.is_ok());
    append(&evening, AFTER, |games| with_blend(&mut games[0], 0.45)).await;
    let game = game_at("19:00");
    let expected = format!("{game} won_on_points: BLEND is another number than in the leaf of entry 1");
    assert_eq!(differing(&evening).await, [expected]);
}

#[tokio::test]
async fn a_price_and_a_model_that_came_later_are_named() {
    let evening = forecast_evening().await;
    append(&evening, AFTER, |games| games[0].facts.lines.money.positive = sports_domain::AmericanPrice::new(300).ok())
        .await;
    assert!(differing(&evening).await[0].contains("money_line is another number"), "{:?}", differing(&evening).await);

    let evening = forecast_evening().await;
    append(&evening, AFTER, |games| {
        let catb = Probability::new(0.9).expect("a probability");
        games[0].forecast.forecasts = games[0].forecast.forecasts.with(ModelColumn::Catb, catb);
    })
    .await;
    assert!(differing(&evening).await[0].contains("CATB is another number"), "{:?}", differing(&evening).await);
}

#[tokio::test]
async fn a_row_that_claims_a_release_of_the_log_needs_a_leaf_and_an_imported_one_none() {
    for is_claimed in [true, false] {
        let evening = forecast_evening().await;
        let release = evening.head().await.release_id;
        append(&evening, AFTER, |games| {
            let mut other = games[0].clone();
            other.facts.key = key("2025-12-10", "19:00:00", "utah_jazz", "phoenix_suns");
            other.facts.game_id = Some("nba-2025-12-10-utah_jazz-phoenix_suns".to_owned());
            let run = Some(if is_claimed { release.to_string() } else { "an-import".to_owned() });
            let published_at = BEFORE.parse().ok();
            other.forecast.origin = Some(ForecastOrigin::Live { run, published_at });
            games.push(other);
        })
        .await;
        if is_claimed {
            let rows = differing(&evening).await;
            assert!(rows.len() == 1 && rows[0].contains("utah_jazz") && rows[0].contains("no leaf stands"), "{rows:?}");
        } else {
            assert!(found(&evening).await.is_ok());
        }
    }
}

/// The row of another game takes over the identity, so the tree has the forecast under that game's start.
#[tokio::test]
async fn a_leaf_whose_row_another_one_replaced_is_named() {
    let evening = forecast_evening().await;
    append(&evening, AFTER, |games| {
        games[0].facts.key = key("2025-12-12", "19:00:00", "utah_jazz", "phoenix_suns");
        with_blend(&mut games[0], 0.9);
        games[0].forecast.origin = Some(ForecastOrigin::Live { run: Some("an-import".to_owned()), published_at: None });
    })
    .await;
    let rows = differing(&evening).await;
    assert!(rows.len() == 1 && rows[0].contains("its row names an-import"), "{rows:?}");
}

#[tokio::test]
async fn a_withdrawn_forecast_does_not_come_back_without_a_leaf() {
    let evening = forecast_evening().await;
    let forecast = evening.row().await.forecast;
    append(&evening, "2025-12-10T20:00:00Z", |games| games[0].forecast = ForecastRecord::default()).await;
    assert!(found(&evening).await.is_ok(), "withdrawn in time");
    append(&evening, AFTER, |games| games[0].forecast = forecast).await;
    let rows = differing(&evening).await;
    assert!(rows.len() == 1 && rows[0].contains("no leaf stands for it"), "{rows:?}");
}

#[tokio::test]
async fn a_withdrawal_after_the_start_is_named_and_no_node_adopts_it_until_the_next_entry() {
    let evening = forecast_evening().await;
    let world = &evening.world;
    append(&evening, NEXT_DAY, |games| games[0].forecast = ForecastRecord::default()).await;
    let game = game_at("19:00");
    let difference = found(&evening).await.expect_err("the game was over");
    let expected = format!("entry 2 withdraws forecasts of games that had started: {game} won_on_points");
    assert_eq!(difference.to_string(), expected);

    let node = world.node();
    let served = || node.current(Sport::Nba).expect("read").map(|league| league.catalog().generation.get());
    for _ in 0..2 {
        node.poll().await;
        assert_eq!(served(), Some(1), "the entry before");
    }
    let [failing] = &node.status().failing[..] else { panic!("{:?}", node.status()) };
    assert_eq!((failing.generation.get(), failing.kind), (2, FailureKind::Unloadable));
    let reason = format!("it withdraws the forecast of a game that had started: {game} won_on_points");
    assert_eq!(failing.reason, reason);

    append(&evening, "2025-12-11T16:00:00Z", |_| {}).await;
    node.poll().await;
    assert_eq!((served(), node.status().failing.len()), (Some(3), 0));
    assert!(
        matches!(found(&evening).await, Err(Difference::LateWithdrawals { generation, .. }) if generation.get() == 2)
    );
}

/// The loser moves to next week with its withdrawal, in one entry.
#[tokio::test]
async fn a_withdrawal_is_judged_by_the_start_before_its_entry() {
    let evening = forecast_evening().await;
    append(&evening, AFTER, |games| {
        games[0].facts.key = key("2025-12-17", "19:00:00", "boston_celtics", "new_york_knicks");
        games[0].forecast = ForecastRecord::default();
    })
    .await;
    let difference = found(&evening).await.expect_err("the game had started");
    assert!(difference.to_string().contains("2025-12-10 19:00:00 boston_celtics"), "{difference}");
}

#[tokio::test]
async fn a_start_brought_back_withdraws_what_was_published_between() {
    let evening = Evening::new(Sport::Nba);
    // Announced for 19:00 Eastern, forecast at 14:00, and really begun at 13:00.
    evening.predict("2025-12-10T19:00:00Z", 0.55, None).await;
    evening.move_to("2025-12-10T19:30:00Z", LABEL, "13:00").await.expect("goes back");
    assert_eq!(evening.forecast().await, (None, None));
    assert!(found(&evening).await.is_ok());
    let node = evening.world.node();
    node.poll().await;
    let served = node.current(Sport::Nba).expect("read").map(|league| league.catalog().generation.get());
    assert_eq!(served, Some(2));
}
