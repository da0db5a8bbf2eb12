//! A store with a record of three entries, and machines that sign it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sports_domain::content::ObjectHash;
use sports_domain::{Forecasts, GameLines, ModelColumn, ModelType, OwnForecasts, Probability, Sport};
use sports_ports::attestation::{TimestampServer, Witness};
use sports_ports::publication::{ArchiveCodec, Objects, PublicationLog, SlateCodec};
use sports_ports::record::{RecordFile, RecordFiles};
use sports_ports::signing::{SigningMemories, SigningMemory};
use sports_publication::slate::SlateGame;
use sports_publication::testing::{a_release, key, place as row, season};
use sports_publication::{Extras, Generation, Located, PredictedGame, PredictionsFile, Release};
use sports_record_signing::keys::MemoryFiles;
use sports_store::{ArtifactStore, JsonSlates, OpenOptions};
use sports_tables::archive::ParquetArchives;
use sports_testkit::clock::ClockFake;
use sports_testkit::publication::{CodecFake, SlateCodecFake, StoreFake};
use sports_testkit::random::RandomFake;
use sports_testkit::services::S3Server;
use sports_testkit::signing::{CutLog, Disturbed, MemoriesFake, Steps, TimestampServerFake, WitnessFake};
use sports_transparency::{KeyKind, SigningKey, TilePath, TreeHash, VerifierKey};
use sports_usecases::publish::{Mode, Publisher};
use sports_usecases::record::{Archives, Slates, TreeHead, TreeReader, newest_entry};
use sports_usecases::signing::{LogKeys, RecordSigner, Signing, TreeSigning};
use sports_usecases::verify::{StatedTrees, verify, verify_record_files};

use crate::support::files;

pub const SPORT: Sport = Sport::Nfl;
const PUBLISHED: &str = "2024-01-06T15:00:00Z";
/// The games of each entry, each with a forecast in three markets: 271 leaves an entry.
const GAMES: usize = 90;
const ENTRIES: u64 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Memory,
    Folder,
    Bucket,
}

/// The ports of a store.
#[derive(Clone)]
pub struct Opened {
    pub log: Arc<dyn PublicationLog>,
    pub objects: Arc<dyn Objects>,
    pub files: Arc<dyn RecordFiles>,
}

/// A store with a record of three entries.
pub struct SigningSite {
    kind: Kind,
    folder: tempfile::TempDir,
    server: Option<S3Server>,
    opened: Opened,
    codecs: (Arc<dyn ArchiveCodec>, Arc<dyn SlateCodec>),
    /// The tree after each entry.
    pub heads: Vec<TreeHead>,
    /// The texts of all leaves.
    pub leaves: Vec<String>,
}

/// A machine that signs the record into a store of its own files.
pub struct Machine {
    pub files: Arc<dyn RecordFiles>,
    /// The folder of the stored tiles, or the fake that has them.
    stored: Stored,
    memories: Arc<dyn SigningMemories>,
    witness: Arc<WitnessFake>,
    server: Arc<TimestampServerFake>,
}

enum Stored {
    Fake(Arc<StoreFake>),
    Folder(PathBuf),
}

/// Returns the ports of a store.
pub fn opened(store: &ArtifactStore) -> Opened {
    let store = Arc::new(store.clone());
    Opened { log: Arc::clone(&store) as _, objects: Arc::clone(&store) as _, files: store }
}

/// A slate with a forecast in three markets for each of these games, which a `tick` changes.
pub fn slate(games: &[usize], tick: u64) -> Release {
    let file = |shift: u64| {
        let rows = games.iter().map(|game| {
            let raw = 0.3
                + 0.002 * f64::from(u32::try_from(*game).expect("few"))
                + 0.01 * f64::from(u32::try_from(shift + tick).expect("few"));
            let probability = Probability::new(raw).expect("a probability");
            let game = SlateGame {
                key: key("2024-01-06", "20:00:00", &format!("visitors_{game}"), &format!("hosts_{game}")),
                game_id: None,
                match_id: None,
                lines: GameLines::default(),
                forecasts: Forecasts::default().with(ModelColumn::Blend, probability),
                own: OwnForecasts::default(),
            };
            PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() }
        });
        let rows = rows.enumerate().map(|(at, value)| Located { place: row(at + 2), value }).collect();
        PredictionsFile { rows, ..PredictionsFile::default() }
    };
    let mut release = a_release(SPORT, "2023-24", Vec::new());
    release.history.clear();
    release.slate_date = "2024-01-06".parse().expect("a date");
    release.season = Some(season(SPORT, "2023-24"));
    release.predictions =
        [(ModelType::OverUnder, file(0)), (ModelType::WonOnPoints, file(1)), (ModelType::WonOnSpread, file(2))].into();
    release.content = ObjectHash::from_bytes(format!("{:?}", release.predictions).as_bytes());
    release
}

fn options(server: &S3Server) -> OpenOptions {
    // Any test may be the first to make a connection.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let variables = server.variables().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    OpenOptions { variables, ..OpenOptions::default() }
}

pub fn bucket(server: &S3Server) -> (ArtifactStore, PathBuf) {
    let name = server.fresh_bucket();
    let store = ArtifactStore::open_with(&format!("s3://{name}"), &options(server)).expect("opens");
    (store, server.folder_of(&name))
}

pub fn folder(at: &Path) -> ArtifactStore {
    ArtifactStore::open_with(&format!("file:{}", at.display()), &OpenOptions::default()).expect("opens")
}

/// The key that signs the record.
pub fn signing_key() -> SigningKey {
    let name = "example.com/record/nfl".parse().expect("a name");
    SigningKey::from_seed(name, KeyKind::Log, &[7; 32]).expect("a key")
}

pub fn log_key() -> VerifierKey {
    signing_key().verifier().clone()
}

pub fn witness_key() -> VerifierKey {
    WitnessFake::named("witness.example/1").key().clone()
}

/// The memory of a machine on which the key was made.
pub fn new_memory(at: &Path) -> MemoryFiles {
    let memories = MemoryFiles::beside(at);
    memories.remember(signing_key().verifier().name(), &SigningMemory::default()).expect("remembered");
    memories
}

impl SigningSite {
    /// Publishes the three entries.
    pub async fn new(kind: Kind) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let server = (kind == Kind::Bucket).then(S3Server::start);
        let (parquet, json): (Arc<dyn ArchiveCodec>, Arc<dyn SlateCodec>) =
            (Arc::new(ParquetArchives), Arc::new(JsonSlates));
        let (opened, codecs) = match (kind, &server) {
            (Kind::Memory, _) => {
                let fake = Arc::new(StoreFake::default());
                let opened = Opened { log: fake.clone(), objects: fake.clone(), files: fake };
                let (archives, slates) = (Arc::<CodecFake>::default(), Arc::<SlateCodecFake>::default());
                (opened, (archives as Arc<dyn ArchiveCodec>, slates as Arc<dyn SlateCodec>))
            }
            (_, Some(server)) => (opened(&bucket(server).0), (parquet, json)),
            _ => (opened(&self::folder(&folder.path().join("store"))), (parquet, json)),
        };
        let mut site = Self { kind, folder, server, opened, codecs, heads: Vec::new(), leaves: Vec::new() };
        site.publish().await;
        site
    }

    async fn publish(&mut self) {
        let publisher = publisher(&self.opened, &self.codecs, Arc::default());
        let games: Vec<_> = (0..GAMES).collect();
        for tick in 1..=ENTRIES {
            publisher.publish(&slate(&games, tick), Mode::Commit).await.expect("publishes");
            let newest = newest_entry(&*self.opened.log, SPORT).await.expect("reads").expect("an entry");
            self.heads.push(TreeHead::of(&newest.catalog).expect("a tree"));
        }
        let tree = self.reader(&self.opened.log, &self.opened.files);
        let head = *self.heads.last().expect("an entry");
        assert_eq!(head.size, ENTRIES * (3 * GAMES as u64 + 1));
        let leaves = tree.leaves(&head, 0..head.size).await.expect("reads");
        self.leaves = leaves.iter().map(|leaf| leaf.to_text()).collect();
    }

    pub fn reader(&self, log: &Arc<dyn PublicationLog>, files: &Arc<dyn RecordFiles>) -> TreeReader {
        let slates = Slates::new(Arc::clone(&self.opened.objects), Arc::clone(&self.codecs.1));
        TreeReader::new(Arc::clone(log), slates, Arc::clone(files))
    }

    /// Returns a machine that made the key, and has a store of its own for the files of the record.
    pub fn machine(&self) -> Machine {
        let (witness, server) = (
            Arc::new(WitnessFake::named("witness.example/1")),
            Arc::new(TimestampServerFake::at("http://stamps.example")),
        );
        let (files, stored, memories): (Arc<dyn RecordFiles>, _, Arc<dyn SigningMemories>) = match &self.server {
            _ if self.kind == Kind::Memory => {
                let fake = Arc::new(StoreFake::default());
                (fake.clone(), Stored::Fake(fake), Arc::new(MemoriesFake::default()))
            }
            Some(server) => {
                let (store, at) = bucket(server);
                (Arc::new(store), Stored::Folder(at), Arc::new(MemoriesFake::default()))
            }
            None => {
                let at = tempfile::tempdir_in(self.folder.path()).expect("a folder").keep();
                let memories = new_memory(&at.join("record.key"));
                (Arc::new(folder(&at.join("store"))), Stored::Folder(at.join("store")), Arc::new(memories))
            }
        };
        Machine { files, stored, memories, witness, server }
    }

    /// Verifies the record and the files that a machine stored.
    pub async fn verify(&self, machine: &Machine) {
        let roots = self.heads.iter().map(|head| (head.size, head.root)).collect();
        let trees = StatedTrees { roots, ..StatedTrees::default() };
        let tree = self.reader(&self.opened.log, &machine.files);
        let witness = [witness_key()];
        verify_record_files(&tree, SPORT, &trees, &witness).await.expect("verifies");
    }
}

/// Creates a publisher into a store.
pub fn publisher(
    opened: &Opened,
    (archives, slates): &(Arc<dyn ArchiveCodec>, Arc<dyn SlateCodec>),
    random: Arc<RandomFake>,
) -> Publisher {
    let archives = Archives::new(Arc::clone(&opened.objects), Arc::clone(archives));
    let slates = Slates::new(Arc::clone(&opened.objects), Arc::clone(slates));
    Publisher::new(Arc::clone(&opened.log), archives, slates, Arc::new(ClockFake::at(PUBLISHED)), random)
}

/// Verifies a record and its files; returns the number of entries, and the root of each size.
pub async fn verified(opened: &Opened, tree: &TreeReader, witness: &VerifierKey) -> (u64, Option<(u64, TreeHash)>) {
    let archives = Archives::new(Arc::clone(&opened.objects), Arc::new(ParquetArchives));
    let slates = Slates::new(Arc::clone(&opened.objects), Arc::new(JsonSlates));
    let found = verify(&*opened.log, &archives, &slates, SPORT).await.expect("verifies");
    let trees = &found.trees;
    verify_record_files(tree, SPORT, trees, std::slice::from_ref(witness)).await.expect("verifies");
    (found.entries, found.tree)
}

/// Creates the signer of a machine with a key, a witness and a timestamp server.
pub fn signer(
    tree: TreeReader,
    memories: Arc<dyn SigningMemories>,
    parties: (Arc<dyn Witness>, Arc<dyn TimestampServer>),
) -> RecordSigner {
    let keys = LogKeys { newest: signing_key(), earlier: Vec::new() };
    let signing = Signing {
        keys: [(SPORT, keys)].into(),
        memories,
        witnesses: vec![parties.0],
        servers: vec![parties.1],
        timeout: Duration::from_mins(5),
    };
    RecordSigner::new(
        tree,
        Arc::new(ClockFake::at(PUBLISHED)),
        Arc::new(RandomFake::default()),
        TreeSigning::With(Arc::new(signing)),
    )
}

impl Machine {
    /// Returns a signer of the tree after an entry, each of whose uses of anything else is a step.
    pub fn signer(&self, site: &SigningSite, generation: u64, steps: &Arc<Steps>) -> RecordSigner {
        let newest = Generation::new(generation).expect("not zero");
        let log = Arc::new(CutLog::after(newest, Arc::clone(&site.opened.log)));
        let slates = Slates::new(Disturbed::new(&site.opened.objects, steps), Arc::clone(&site.codecs.1));
        let tree = TreeReader::new(Disturbed::new(&log, steps), slates, Disturbed::new(&self.files, steps));
        let parties = (Disturbed::new(&self.witness, steps) as _, Disturbed::new(&self.server, steps) as _);
        signer(tree, Disturbed::new(&self.memories, steps), parties)
    }

    /// Returns the names of the stored tiles.
    pub fn tile_paths(&self) -> Vec<TilePath> {
        match &self.stored {
            Stored::Fake(fake) => {
                let all = fake.record_files();
                all.into_keys()
                    .filter_map(|file| if let RecordFile::Tile(_, path) = file { Some(path) } else { None })
                    .collect()
            }
            Stored::Folder(folder) => {
                let tiles = folder.join("sports/nfl/record/tile");
                let names = files(&tiles)
                    .into_iter()
                    .map(|path| path.strip_prefix(&tiles).expect("below").display().to_string());
                names.map(|name| name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
            }
        }
    }
}
