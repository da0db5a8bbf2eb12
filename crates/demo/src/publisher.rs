//! Publication of the simulated world through release folders and files, as by a publisher.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use sports_archive_parquet::ParquetArchives;
use sports_artifacts_object_store::{ArtifactStore, JsonSlates};
use sports_domain::{ModelType, Sport, eastern_date, eastern_instant};
use sports_publication::settle::Permissions;
use sports_publication::{Catalog, ClockSource};
use sports_releases_folder::{ReadError, read_finals, read_under};
use sports_settings::Settings;
use sports_simulation::exchange::{ListedGame, Listing};
use sports_simulation::{ReleaseFiles, Run, Settlement as Played, World};
use sports_system::{FixedClock, SystemRandom, print_line};
use sports_usecases::publish::{Mode, Publisher, Settlement};
use sports_usecases::record::{Archives, Slates, newest_entry};

use crate::cycle::Cycle;
use crate::exchange;
use crate::failure::Failure;
use crate::morning::{self, Event};
use crate::signing::DemoSigner;

/// The Eastern time at which the day's first run ends.
const FIRST_RUN: NaiveTime = NaiveTime::from_hms_opt(9, 50, 0).expect("a time");

/// The age up to which finals are reported again, so that a demo that was stopped catches up.
const FINALS_REPORTED: TimeDelta = TimeDelta::days(30);

/// The publisher of a demo, with its world and store.
#[derive(Clone)]
pub(super) struct DemoPublisher {
    world: Arc<World>,
    store: ArtifactStore,
    signer: Arc<DemoSigner>,
    folder: PathBuf,
    /// The games of the stand-in: those of the published moneyline predictions.
    listed: Arc<RwLock<HashMap<Sport, Vec<ListedGame>>>>,
}

impl DemoPublisher {
    /// Opens the store that the settings name, to publish `world` into it.
    pub(super) fn open(settings: &Settings, world: World, data_dir: &Path) -> Result<Self, Failure> {
        let store = ArtifactStore::open(settings.store.url.reveal())?;
        let signer = Arc::new(DemoSigner::open(settings, &store, data_dir)?);
        Ok(Self { world: Arc::new(world), store, signer, folder: data_dir.join("release"), listed: Arc::default() })
    }

    /// Brings every league up to date: publishes everything at the first start, and later what happened since.
    pub(super) async fn publish_up_to(
        &self,
        made_at: DateTime<Utc>,
        now: DateTime<Utc>,
        cycle: Cycle,
    ) -> Result<(), Failure> {
        let leagues = Sport::ALL.map(|sport| {
            let publisher = self.clone();
            // Simulating and encoding seasons is slow, so all leagues run at the same time.
            tokio::spawn(async move { publisher.catch_up(sport, made_at, now, cycle).await })
        });
        for (sport, league) in Sport::ALL.into_iter().zip(leagues) {
            let rows = league.await??;
            print_line!("{sport}: {rows} games on record");
        }
        Ok(())
    }

    async fn catch_up(
        &self,
        sport: Sport,
        made_at: DateTime<Utc>,
        now: DateTime<Utc>,
        cycle: Cycle,
    ) -> Result<usize, Failure> {
        let current = self.head(sport).await?;
        if current.as_ref().is_none_or(|catalog| catalog.predictions.is_empty()) {
            self.begin(sport, made_at).await?;
            if cycle != Cycle::Stopped {
                let todays = first_run(eastern_date(made_at)).min(made_at);
                self.settle(sport, todays).await?;
                self.publish(sport, todays, move |world| Some(world.day_release(sport, todays, Run::First))).await?;
            }
        }
        match cycle {
            Cycle::Stopped => self.morning(sport, now).await?,
            Cycle::Off if current.is_some() => {}
            Cycle::Off | Cycle::Every(_) => {
                self.settle(sport, now).await?;
                self.rebuild(sport, now).await?;
            }
        }
        self.sign(sport).await;
        self.list(sport).await?;
        let catalog = self.head(sport).await?;
        let rows = |catalog: &Catalog| {
            let archives = catalog.results.iter().filter(|((model_type, _), _)| *model_type == ModelType::WonOnPoints);
            archives.map(|(_, entry)| entry.coverage.rows).sum()
        };
        Ok(catalog.as_ref().map_or(0, rows))
    }

    /// Publishes the past, and the slate of the day before the world was created.
    async fn begin(&self, sport: Sport, made_at: DateTime<Utc>) -> Result<(), Failure> {
        let today = eastern_date(made_at);
        let yesterdays = first_run(today.checked_sub_days(Days::new(1)).unwrap_or(today));
        self.publish(sport, yesterdays, move |world| Some(world.history_release(sport, yesterdays))).await?;
        self.publish(sport, yesterdays, move |world| Some(world.day_release(sport, yesterdays, Run::First))).await
    }

    /// Publishes the events of the day's morning that are due by `now` and not published yet.
    pub(super) async fn morning(&self, sport: Sport, now: DateTime<Utc>) -> Result<(), Failure> {
        let Some(current) = self.head(sport).await? else { return Ok(()) };
        for (at, event) in morning::between(sport, eastern_date(now), (current.published_at, now)) {
            match event {
                Event::Finals => self.settle(sport, at).await?,
                Event::Run(run) => {
                    self.publish(sport, at, move |world| Some(world.day_release(sport, at, run))).await?;
                }
                Event::Odds => self.refresh_odds(sport, at).await?,
            }
            self.sign(sport).await;
            self.list(sport).await?;
        }
        Ok(())
    }

    /// Signs the newest tree of a league.
    pub(super) async fn sign(&self, sport: Sport) {
        self.signer.sign(sport).await;
    }

    /// Settles every final known by `now`.
    pub(super) async fn settle(&self, sport: Sport, now: DateTime<Utc>) -> Result<(), Failure> {
        let finals = self.world.finals(sport, now - FINALS_REPORTED, now);
        if finals.is_empty() {
            return Ok(());
        }
        let file = self.folder.join(sport.code()).join("finals.csv");
        fs::create_dir_all(self.folder.join(sport.code()))?;
        fs::write(&file, Played::file(&finals))?;
        let read = read_finals(&file, sport).map_err(in_words)?;
        // A game in progress when the world was created is not in the record.
        let permissions = Permissions { allow_unknown: true, correct: false };
        let settlement = Settlement { sport, finals: read.rows, content: read.content, permissions };
        self.publisher(now).settle(&settlement).await?;
        Ok(())
    }

    /// Publishes new odds. Publishes nothing on a day without games.
    pub(super) async fn refresh_odds(&self, sport: Sport, now: DateTime<Utc>) -> Result<(), Failure> {
        self.publish(sport, now, move |world| world.odds_refresh(sport, now)).await
    }

    /// Publishes the slate of the day: its first run, or a rebuild with newer odds.
    pub(super) async fn rebuild(&self, sport: Sport, now: DateTime<Utc>) -> Result<(), Failure> {
        let slate_date = self
            .head(sport)
            .await?
            .and_then(|catalog| catalog.predictions.values().map(|entry| entry.artifact.slate_date).min());
        let run = if slate_date == Some(eastern_date(now)) { Run::Rebuild } else { Run::First };
        self.publish(sport, now, move |world| Some(world.day_release(sport, now, run))).await?;
        self.list(sport).await
    }

    /// Returns the games of the stand-in.
    pub(super) fn listing(&self) -> Arc<Listing> {
        let listed = Arc::clone(&self.listed);
        Arc::new(move |sport| listed.read().ok().and_then(|all| all.get(&sport).cloned()).unwrap_or_default())
    }

    /// Updates the stand-in's games of a league from the published moneyline predictions.
    async fn list(&self, sport: Sport) -> Result<(), Failure> {
        let Some(catalog) = self.head(sport).await? else { return Ok(()) };
        if let Some(entry) = catalog.predictions.get(&ModelType::WonOnPoints) {
            let slates = Slates::new(Arc::new(self.store.clone()), Arc::new(JsonSlates));
            let predictions = slates.predictions(sport, &entry.artifact).await?;
            let games: Vec<_> = predictions.games().iter().map(|game| game.game.clone()).collect();
            self.listed.write().map_err(|_| "the list of games is broken")?.insert(sport, exchange::listed(&games));
        }
        Ok(())
    }

    async fn publish(
        &self,
        sport: Sport,
        at: DateTime<Utc>,
        files: impl FnOnce(&World) -> Option<ReleaseFiles> + Send + 'static,
    ) -> Result<(), Failure> {
        let (world, folder) = (Arc::clone(&self.world), self.folder.join(sport.code()));
        let publisher = self.publisher(at);
        let models = publisher.models(sport).await?;
        let reading = tokio::task::spawn_blocking(move || {
            let Some(files) = files(&world) else { return Ok(None) };
            if folder.exists() {
                fs::remove_dir_all(&folder)?;
            }
            files.write(&folder)?;
            read_under(&folder, at, &models).map(Some).map_err(in_words)
        });
        if let Some(read) = reading.await?? {
            publisher.publish(&read.release, Mode::Commit).await?;
        }
        Ok(())
    }

    pub(super) const fn store(&self) -> &ArtifactStore {
        &self.store
    }

    /// Writes a file to sell: the newest season's games as of the world's creation.
    pub(super) fn dataset(&self, made_at: DateTime<Utc>) -> Result<PathBuf, Failure> {
        let history = self.world.history_release(Sport::Nfl, made_at);
        let (path, text) =
            history.iter().filter(|(path, _)| path.starts_with("games/")).last().ok_or("no games to sell")?;
        let file = self.folder.join(path.replace('/', "-").replacen("games", "nfl", 1));
        fs::create_dir_all(&self.folder)?;
        fs::write(&file, text)?;
        Ok(file)
    }

    fn publisher(&self, at: DateTime<Utc>) -> Publisher {
        let store = Arc::new(self.store.clone());
        let archives = Archives::new(store.clone(), Arc::new(ParquetArchives));
        let slates = Slates::new(store.clone(), Arc::new(JsonSlates));
        Publisher::new(store, archives, slates, Arc::new(FixedClock(at)), Arc::new(SystemRandom))
            .timed_by(ClockSource::Set)
    }

    async fn head(&self, sport: Sport) -> Result<Option<Catalog>, Failure> {
        Ok(newest_entry(&self.store, sport).await?.map(|entry| entry.catalog))
    }
}

fn first_run(date: NaiveDate) -> DateTime<Utc> {
    eastern_instant(date, FIRST_RUN)
}

/// Joins the problems of a folder that this program wrote into one text.
fn in_words(error: ReadError) -> Failure {
    match error {
        ReadError::Problems(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ").into(),
        error @ ReadError::Io { .. } => error.into(),
    }
}
