//! The contract suites of the publication ports, one function per promise; every adapter and fake runs all of them.
#![expect(clippy::missing_panics_doc, reason = "a broken promise panics: that is what a contract is for")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Timelike as _, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{
    AmericanPrice, GameKey, GameLines, Market, ModelColumn, ModelType, Probability, Sport, TeamSlug, TwoWayPrices,
};
use sports_ports::PortError;
use sports_ports::contents::{Part, StoreContents};
use sports_ports::publication::{Appended, ArchiveCodec, LogRepairs, ObjectKind, Objects, PublicationLog, SlateCodec};
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles, StoredAs};
use sports_publication::registry::{ModelVersion, Moment, RegisteredModel, Registry};
use sports_publication::slate::{OddsGame, SlateGame, TeamName, TeamNames};
use sports_publication::testing::{a_game, key, season};
use sports_publication::{
    ArchivedGame, ArtifactRef, Catalog, ClockSource, CompletedRun, EntryLeaves, Exceptions, Generation, LeavesEntry,
    ModelsEntry, Odds, Openers, Override, PredictedGame, Predictions, PredictionsEntry, ReleaseId, Replacement,
    ResultsEntry, Run, SeasonArchive, SeasonCoverage, SlateActivity, SlateArtifact, TreeEntry, Upload, Value,
};
use sports_transparency::{
    KeyId, Leaf, LeafFact, Nonce, RecordedEnding, RightEdge, TreeHash, VerifierKey, WrittenLeaf,
};

/// The league used throughout the suite.
pub const SPORT: Sport = Sport::Nfl;

fn instant() -> DateTime<Utc> {
    "2024-11-24T14:50:00.250Z".parse().expect("an instant")
}

/// Returns a catalog of generation `number` with every kind of content, identified by `name`.
pub fn a_catalog(number: u64, name: &str) -> Catalog {
    let slate_date: NaiveDate = "2024-11-24".parse().expect("a date");
    let release_id = ReleaseId::new(slate_date, instant(), &ObjectHash::from_bytes(name.as_bytes()));
    let archive = an_archive();
    let artifact = ArtifactRef {
        object: ObjectHash::from_bytes(b"an archive"),
        bytes: 10,
        published_at: instant(),
        source_as_of: instant(),
        slate_date,
        release_id: release_id.clone(),
    };
    let predictions = predictions_of(artifact.clone(), &archive);
    let (odds, openers) = (Some(artifact.clone()), Some(artifact.clone()));
    let models = archive.model_counts();
    let entry = ResultsEntry { artifact, coverage: SeasonCoverage::from_archive(&archive), models };
    Catalog {
        sport: SPORT,
        generation: Generation::new(number).expect("not zero"),
        previous: (number > 1).then(|| ObjectHash::from_bytes(b"the one before")),
        release_id,
        published_at: instant(),
        clock: ClockSource::Set,
        slate_date,
        run: Some(Run { id: "run".into(), started_at: instant(), completed_at: None, slate: SlateActivity::Active }),
        earlier_run: slate_date.pred_opt().and_then(run_on),
        frozen_games: BTreeSet::from([key("2024-11-24", "20:00:00", "frozen_team", "home_team")]),
        listed_ahead: BTreeSet::from([GameKey {
            time: None,
            ..key("2024-11-25", "00:00:00", "early_team", "home_team")
        }]),
        exceptions: exceptions(&archive),
        default_models: BTreeMap::new(),
        ended_season: Some(archive.season()),
        upload: Some(Upload {
            token: "tok_0123456789ab".to_owned(),
            key: ObjectHash::from_bytes(b"a key"),
            content: ObjectHash::from_bytes(b"an upload"),
        }),
        models: Some(ModelsEntry { object: ObjectHash::from_bytes(b"a registry"), bytes: 12 }),
        tree: Some(a_tree()),
        odds,
        predictions: BTreeMap::from([(ModelType::OverUnder, predictions)]),
        openers,
        results: BTreeMap::from([((ModelType::WonOnSpread, archive.season()), entry)]),
    }
}

/// Returns the tree after an entry with three leaves.
fn a_tree() -> TreeEntry {
    let mut edge = RightEdge::default();
    for leaf in 0..7_u8 {
        edge.append(TreeHash::of_leaf(&[leaf]));
    }
    let leaves = LeavesEntry { object: ObjectHash::from_bytes(b"leaves"), bytes: 6 };
    TreeEntry { nonce: Nonce::new([0x1f; Nonce::LENGTH]), first: 4, edge, leaves, keys: vec![a_key()] }
}

fn a_key() -> VerifierKey {
    "example.com/api/v1/record/nfl+9dd40a8e+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea".parse().expect("a vkey")
}

/// Returns the leaves of an entry: a release, a key, a version of a model and a final.
fn some_leaves() -> EntryLeaves {
    let (sport, generation, hash) = (SPORT, 9, ObjectHash::from_bytes(b"an entry"));
    let release = Leaf {
        sport,
        generation,
        fact: LeafFact::Release { published_at: instant(), clock: ClockSource::Set, continues: Some(hash) },
    };
    let (model, version) = ("ELO".parse().expect("a name"), Some("2026.11 b".to_owned()));
    let model = Leaf { sport, generation, fact: LeafFact::Model { model, version, sha256: Some(hash) } };
    let ending = RecordedEnding::CalledOff { status: "called off".parse().expect("a status") };
    let game = key("2024-11-24", "20:00:00", "away_team", "home_team");
    let ended = Leaf { sport, generation, fact: LeafFact::Final { season: season(SPORT, "2024-25"), game, ending } };
    let announced = Leaf { sport, generation, fact: LeafFact::Key { vkey: a_key() } };
    EntryLeaves { first: 4096, leaves: [release, announced, model, ended].map(WrittenLeaf::from).to_vec() }
}

fn predictions_of(artifact: ArtifactRef, archive: &SeasonArchive) -> PredictionsEntry {
    PredictionsEntry {
        artifact,
        season: archive.season(),
        held_games: vec![key("2024-11-24", "13:00:00", "held_team", "home_team")],
        newer_odds_since: Some(instant()),
    }
}

fn exceptions(archive: &SeasonArchive) -> Exceptions {
    let (season, model_type) = (archive.season(), archive.market().model_type);
    let columns_dropped = vec!["XGB".to_owned(), "wind".to_owned()];
    let replaced = vec![Replacement { season, model_type, rows_before: 6, rows_after: 5, columns_dropped }];
    Exceptions { overrides: BTreeSet::from([Override::SpreadSigns, Override::TimeZone]), replaced }
}

fn run_on(day: NaiveDate) -> Option<CompletedRun> {
    let (started_at, completed_at) = (instant(), Some(instant()));
    CompletedRun::new(day, Run { id: "the day before".into(), started_at, completed_at, slate: SlateActivity::None })
}

/// Returns an archive with every value that rows can contain.
pub fn an_archive() -> SeasonArchive {
    let market = Market::new(SPORT, ModelType::WonOnSpread);
    let games = vec![
        a_game().build(),
        a_game().visited_by("live").live("release", instant()).build(),
        a_game()
            .visited_by("bare")
            .unplayed()
            .unforecast()
            .with(|game| game.facts.lines = GameLines::default())
            .build(),
        a_game().visited_by("untimed").without_time(Some(2)).ending(17, 17).build(),
        a_full_game(),
    ];
    let games = games.into_iter().map(|mut game| {
        let GameKey { date, away, home, .. } = &game.facts.key;
        let id = format!("{SPORT}-{date}-{away}-{home}");
        game.facts.game_id.get_or_insert(id);
        game
    });
    let games = games.collect();
    SeasonArchive::new(market, season(SPORT, "2024-25"), games).expect("no key repeats")
}

/// Returns a game with a value in every field.
fn a_full_game() -> ArchivedGame {
    a_game()
        .visited_by("full")
        .with(|game| {
            let facts = &mut game.facts;
            facts.match_id = Some("m-1".into());
            facts.game_id = Some("nfl-2024-11-24-full-home_team".into());
            facts.former_starts = Some("2024-11-24 12:00:00".into());
            facts.quote_source = Some("closing".into());
            facts.game_type = sports_domain::GameType::Postseason;
            facts.lines.money = TwoWayPrices { positive: AmericanPrice::new(-90_000).ok(), negative: None };
            facts.extras.insert("stadium", Value::Text("Soldier Field".into()));
            facts.extras.insert("attendance", Value::Integer(61_500));
            facts.extras.insert("wind", Value::Number(12.5));
            facts.extras.insert("roof", Value::Flag(false));
            for (index, model) in ModelColumn::FORECASTS.into_iter().enumerate() {
                let probability = Probability::new(0.1 + 0.07 * f64::from(u8::try_from(index).unwrap_or(0)));
                game.forecast.forecasts = game.forecast.forecasts.with(model, probability.expect("a probability"));
            }
            for (name, probability) in [("ELO", 0.61), ("a.b-c_1", 1.0)] {
                let probability = Probability::new(probability).expect("a probability");
                game.forecast.own.insert(name.parse().expect("a name"), probability);
            }
            game.forecast.training_through = Some("2023-24".into());
            game.forecast.reconstruction_method = Some("rolling".into());
        })
        .build()
}

/// Returns a registry with every value that it can contain.
pub fn a_registry() -> Registry {
    let moment = |number| Moment { generation: Generation::new(number).expect("not zero"), at: instant() };
    let name = |text: &str| text.parse().expect("a name");
    let own = RegisteredModel {
        title: Some("Elo with travel".to_owned()),
        description: Some("One rating a team,\nK = 20.".to_owned()),
        url: Some("https://example.com/elo".to_owned()),
        public: true,
        model_types: BTreeSet::from([ModelType::WonOnPoints]),
        versions: vec![
            ModelVersion { version: "1".to_owned(), sha256: None, since: moment(4) },
            ModelVersion { version: "2".to_owned(), sha256: Some(ObjectHash::from_bytes(b"2")), since: moment(9) },
        ],
        ..RegisteredModel::new(name("ELO"), moment(4))
    };
    let retired = RegisteredModel { retired: Some(moment(9)), ..RegisteredModel::new(name("a.b-c_1"), moment(4)) };
    let standard =
        RegisteredModel { title: Some("Blend".to_owned()), ..RegisteredModel::new(name("BLEND"), moment(9)) };
    let (not_models, before) = (BTreeSet::from([name("public_bet_pct")]), ObjectHash::from_bytes(b"the one before"));
    Registry::restored(name("ELO"), not_models, vec![own, retired, standard], Some(before)).expect("a registry")
}

/// Returns one artifact of each kind, with every value that it can contain.
pub fn slate_artifacts() -> [SlateArtifact; 5] {
    let archive = an_archive();
    let odds: Vec<_> = archive.games().iter().map(quoted).collect();
    let mut openers = Openers::default();
    for game in &odds {
        openers.note(game);
    }
    let mut names = TeamNames::default();
    let team = TeamSlug::normalise("texas_am_cc").expect("a team");
    names.add(team, TeamName::new("Texas A&M-CC \u{2013} \"Islanders\"").expect("a name"));
    let predictions =
        Predictions::new(ModelType::WonOnPoints, archive.season(), archive.games().iter().map(predicted).collect());
    let predictions = predictions.expect("no key repeats").naming(names);
    let odds = Odds::new(odds).expect("no key repeats");
    let (predictions, openers) = (SlateArtifact::Predictions(predictions), SlateArtifact::Openers(openers));
    let (models, leaves) = (SlateArtifact::Models(a_registry()), SlateArtifact::Leaves(some_leaves()));
    [SlateArtifact::Odds(odds), predictions, openers, models, leaves]
}

/// Returns the prediction of a game on record.
fn predicted(game: &ArchivedGame) -> PredictedGame {
    PredictedGame {
        game: SlateGame {
            key: game.facts.key.clone(),
            game_id: game.facts.game_id.clone(),
            match_id: game.facts.match_id.clone(),
            lines: game.facts.lines,
            forecasts: game.forecast.forecasts,
            own: game.forecast.own.clone(),
        },
        game_type: Some(game.facts.game_type.clone()),
        quote_source: game.facts.quote_source.clone(),
        extras: game.facts.extras.clone(),
    }
}

/// Returns the odds of a game on record.
fn quoted(game: &ArchivedGame) -> OddsGame {
    OddsGame {
        key: game.facts.key.clone(),
        game_id: game.facts.game_id.clone(),
        match_id: game.facts.match_id.clone(),
        lines: game.facts.lines,
        quote_source: game.facts.quote_source.clone(),
        listed_start: instant().naive_utc().with_nanosecond(0),
        last_updated: instant().naive_utc().with_nanosecond(0),
    }
}

/// Runs every check of [`SlateCodec`].
pub fn slate_codec(codec: &dyn SlateCodec) {
    for artifact in slate_artifacts() {
        let bytes = codec.encode(SPORT, &artifact).expect("encodes");
        assert_eq!(codec.encode(SPORT, &artifact.clone()).expect("encodes"), bytes, "equal artifacts, equal bytes");
        assert_eq!(codec.decode(SPORT, &bytes).expect("decodes"), artifact, "a round trip loses nothing");
        let spoilt = [Bytes::new(), Bytes::from_static(b"{}"), bytes.slice(..bytes.len() / 2)];
        let refused = spoilt.iter().map(|bytes| codec.decode(SPORT, bytes));
        for refusal in refused.chain([codec.decode(Sport::Nba, &bytes)]) {
            assert!(matches!(refusal, Err(PortError::Corrupt { .. })), "{refusal:?}");
        }
    }
}

/// Runs every check of [`PublicationLog`], each on a new log from `fresh`.
pub async fn log<L: PublicationLog + 'static>(fresh: impl AsyncFn() -> L) {
    nothing_published_is_no_error(&fresh().await).await;
    an_entry_reads_back_as_appended(&fresh().await).await;
    a_used_number_is_never_overwritten(&fresh().await).await;
    appending_the_same_again_succeeds(&fresh().await).await;
    numbers_are_listed_from_the_lowest(&fresh().await).await;
    of_racing_appends_exactly_one_is_committed(Arc::new(fresh().await)).await;
    let log = fresh().await;
    assert!(log.honours_put_if_absent().await.expect("answers"), "put-if-absent is honoured");
    log.ping().await.expect("answers");
}

async fn nothing_published_is_no_error(log: &dyn PublicationLog) {
    for sport in Sport::ALL {
        assert_eq!(log.numbers(sport).await.expect("answers"), []);
        assert_eq!(log.entry(sport, Generation::FIRST).await.expect("answers"), None);
    }
}

async fn an_entry_reads_back_as_appended(log: &dyn PublicationLog) {
    let catalog = a_catalog(1, "first");
    let appended = log.append(&catalog).await.expect("answers");
    let entry = log.entry(SPORT, Generation::FIRST).await.expect("answers").expect("it was appended");
    assert_eq!(entry.catalog, catalog);
    assert_eq!(appended, Appended::Committed { digest: entry.digest });
}

async fn a_used_number_is_never_overwritten(log: &dyn PublicationLog) {
    let (first, second) = (a_catalog(1, "first"), a_catalog(1, "second"));
    let _ = log.append(&first).await.expect("answers");
    assert_eq!(log.append(&second).await.expect("answers"), Appended::Taken);
    let entry = log.entry(SPORT, Generation::FIRST).await.expect("answers");
    assert_eq!(entry.map(|entry| entry.catalog), Some(first));
}

async fn appending_the_same_again_succeeds(log: &dyn PublicationLog) {
    let catalog = a_catalog(1, "first");
    let first = log.append(&catalog).await.expect("answers");
    assert_eq!(log.append(&catalog).await.expect("answers"), first);
}

async fn numbers_are_listed_from_the_lowest(log: &dyn PublicationLog) {
    for number in 1..=11 {
        let _ = log.append(&a_catalog(number, "one")).await.expect("answers");
    }
    let numbers: Vec<_> = (1..=11).filter_map(Generation::new).collect();
    assert_eq!(log.numbers(SPORT).await.expect("answers"), numbers);
    for after in (1..=12).filter_map(Generation::new) {
        let expected: Vec<_> = numbers.iter().copied().filter(|number| *number > after).collect();
        assert_eq!(log.numbers_after(SPORT, after).await.expect("answers"), expected, "after {after}");
    }
    assert_eq!(log.numbers_after(Sport::Nba, Generation::FIRST).await.expect("answers"), []);
    assert_eq!(log.numbers(Sport::Nba).await.expect("answers"), [], "each league has its own log");
}

async fn of_racing_appends_exactly_one_is_committed<L: PublicationLog + 'static>(log: Arc<L>) {
    let racers: Vec<_> = (0..8)
        .map(|racer| {
            let log = Arc::clone(&log);
            tokio::spawn(async move { log.append(&a_catalog(1, &format!("racer {racer}"))).await.expect("answers") })
        })
        .collect();
    let mut committed = 0;
    for racer in racers {
        committed += usize::from(racer.await.expect("no panic") != Appended::Taken);
    }
    assert_eq!(committed, 1);
}

/// Runs every check of [`Objects`].
pub async fn objects(objects: &dyn Objects) {
    let bytes = Bytes::from_static(b"some bytes");
    let hash = ObjectHash::from_bytes(&bytes);
    let absent = objects.get(SPORT, ObjectKind::Json, &hash).await.expect("answers");
    assert_eq!(absent, None, "an object that was never put");
    for _ in 0..2 {
        let put = objects.put(SPORT, ObjectKind::Json, bytes.clone()).await.expect("answers");
        assert_eq!(put, hash, "an object is named by its bytes");
        let read = objects.get(SPORT, ObjectKind::Json, &hash).await.expect("answers");
        assert_eq!(read.as_ref(), Some(&bytes), "what was put reads back");
    }
}

/// Runs every check of [`StoreContents`] on a new store without running writers.
pub async fn contents<S: Objects + StoreContents>(store: &S) {
    assert_eq!(store.objects(SPORT).await.expect("answers"), [], "a league never published");
    let mut expected = Vec::new();
    for (kind, bytes) in [(ObjectKind::Json, "{}"), (ObjectKind::Parquet, "a table")] {
        let object = store.put(SPORT, kind, Bytes::from_static(bytes.as_bytes())).await.expect("answers");
        expected.push((Some(object), bytes.len() as u64));
    }
    let mut found: Vec<_> =
        store.objects(SPORT).await.expect("answers").into_iter().map(|file| (file.object, file.bytes)).collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "every object once");
    for part in [Part::League(SPORT), Part::Datasets] {
        assert_eq!(store.leftovers(part).await.expect("answers"), [], "a writer that ends leaves nothing");
        assert_eq!(store.remove_leftovers(part, DateTime::<Utc>::MAX_UTC).await.expect("answers"), 0);
    }
    assert_eq!(store.objects(SPORT).await.expect("answers").len(), 2, "objects are no leftovers");
}

/// Runs every check of [`ArchiveCodec`].
pub fn codec(codec: &dyn ArchiveCodec) {
    let archive = an_archive();
    let (market, season) = (archive.market(), archive.season());
    let bytes = codec.encode(&archive).expect("encodes");
    assert_eq!(codec.encode(&archive.clone()).expect("encodes"), bytes, "equal archives, equal bytes");
    assert_eq!(codec.decode(market, season, bytes.clone()).expect("decodes"), archive, "a round trip loses nothing");

    let other_season = sports_publication::testing::season(SPORT, "2023-24");
    let spoilt = [Bytes::new(), Bytes::from_static(b"no archive"), bytes.slice(..bytes.len() / 2)];
    let refused = spoilt.into_iter().map(|bytes| codec.decode(market, season, bytes));
    for refusal in refused.chain([codec.decode(market, other_season, bytes)]) {
        assert!(matches!(refusal, Err(PortError::Corrupt { .. })), "{refusal:?}");
    }
}

/// Checks tiles: each is written once, and they are listed in order, each of its league.
async fn record_tiles(store: &impl RecordFiles) {
    let tile = RecordFile::Tile(SPORT, "0/x001/067".parse().expect("a tile"));
    assert_eq!(store.record_file(&tile).await.expect("readable"), None);
    assert_eq!(store.put_record_file(&tile, Bytes::from_static(b"a")).await.expect("writable"), StoredAs::New);
    assert_eq!(store.put_record_file(&tile, Bytes::from_static(b"a")).await.expect("writable"), StoredAs::Present);
    assert_eq!(store.put_record_file(&tile, Bytes::from_static(b"b")).await.expect("writable"), StoredAs::Different);
    assert_eq!(store.record_file(&tile).await.expect("readable"), Some(Bytes::from_static(b"a")));
    let tiles = ["0/000", "0/x001/067", "1/000.p/4", "entries/000"].map(|path| path.parse().expect("a tile"));
    for path in tiles.iter().rev() {
        let stored = store.put_record_file(&RecordFile::Tile(SPORT, *path), Bytes::from_static(b"a")).await;
        assert!(stored.is_ok(), "{stored:?}");
    }
    assert_eq!(store.tiles(SPORT).await.expect("listable"), tiles);
    assert_eq!(store.tiles(Sport::Nba).await.expect("listable"), []);
}

/// Checks the files of the record: each is written once, and checkpoints and keys are listed in order.
pub async fn record_files(store: &impl RecordFiles) {
    let file_of = |size, kind, content: &[u8]| CheckpointFile { size, kind, content: ObjectHash::from_bytes(content) };
    assert_eq!(store.checkpoints(SPORT, 0..=u64::MAX).await.expect("listable"), []);
    assert_eq!(store.record_keys().await.expect("listable"), []);
    record_tiles(store).await;
    let mut files = vec![
        file_of(9, CheckpointKind::Note, b"one"),
        file_of(9, CheckpointKind::Note, b"two"),
        file_of(9, CheckpointKind::Timestamp, b"one"),
        file_of(10, CheckpointKind::Note, b"three"),
        file_of(1_000_000, CheckpointKind::Note, b"four"),
    ];
    for file in files.iter().rev() {
        let stored = store.put_record_file(&RecordFile::Checkpoint(SPORT, *file), Bytes::from_static(b"x")).await;
        assert_eq!(stored.expect("writable"), StoredAs::New);
    }
    files.sort_unstable();
    assert_eq!(store.checkpoints(SPORT, 0..=u64::MAX).await.expect("listable"), files);
    assert_eq!(store.checkpoints(SPORT, 10..=u64::MAX).await.expect("listable"), files[3..]);
    assert_eq!(store.checkpoints(SPORT, 9..=9).await.expect("listable"), files[..3]);
    assert_eq!(store.checkpoints(SPORT, 9..=10).await.expect("listable"), files[..4]);
    for (trees, count) in [(0, 0), (1, 3), (2, 4), (3, 5), (4, 5)] {
        let first = store.first_checkpoints(SPORT, 9..=u64::MAX, trees).await.expect("listable");
        assert_eq!(first, files[..count], "{trees} trees");
    }
    assert_eq!(store.first_checkpoints(SPORT, 10..=10, 2).await.expect("listable"), files[3..4]);
    assert_eq!(store.checkpoints(SPORT, 1_000_001..=u64::MAX).await.expect("listable"), []);
    assert_eq!(store.checkpoints(Sport::Nba, 0..=u64::MAX).await.expect("listable"), []);
    let keys = [KeyId::new([0, 1, 2, 3]), KeyId::new([255; 4])];
    for key in keys.iter().rev() {
        let stored = store.put_record_file(&RecordFile::Key(*key), Bytes::from_static(b"a key")).await;
        assert_eq!(stored.expect("writable"), StoredAs::New);
    }
    assert_eq!(store.record_keys().await.expect("listable"), keys);
    let index = RecordFile::Index(SPORT, Generation::new(256).expect("not zero"));
    assert_eq!(store.record_file(&index).await.expect("readable"), None);
    assert_eq!(store.put_record_file(&index, Bytes::from_static(b"a")).await.expect("writable"), StoredAs::New);
    assert_eq!(store.record_file(&index).await.expect("readable"), Some(Bytes::from_static(b"a")));
}

/// Runs every check of [`LogRepairs`] on an empty store.
pub async fn repairs<S: PublicationLog + LogRepairs>(store: &S) {
    let first = Generation::FIRST;
    assert_eq!(store.all_set_aside(SPORT).await.expect("listable"), []);
    assert!(store.set_aside(SPORT, first).await.is_err(), "a free number is not moved");
    let mut moved = Vec::new();
    for name in ["one", "two"] {
        store.append(&a_catalog(1, name)).await.expect("appended");
        moved.push(store.set_aside(SPORT, first).await.expect("moved"));
        assert_eq!(store.numbers(SPORT).await.expect("listable"), []);
        assert_eq!(store.entry(SPORT, first).await.expect("readable"), None);
    }
    assert!(moved.iter().all(|moved| moved.generation == first) && moved[0].name != moved[1].name, "{moved:?}");
    moved.sort_unstable();
    assert_eq!(store.all_set_aside(SPORT).await.expect("listable"), moved);
    assert_eq!(store.all_set_aside(Sport::Nba).await.expect("listable"), []);
}
