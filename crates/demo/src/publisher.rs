//! Publication of the simulated world through release folders and files, as by a publisher.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use sports_domain::{ModelType, Sport, eastern_date, eastern_instant};
use sports_ports::Clock;
use sports_program::settings::Settings;
use sports_program::{FixedClock, SystemRandom, print_line};
use sports_publication::settle::Permissions;
use sports_publication::{Catalog, ClockSource};
use sports_publisher_files::{ReadError, read_finals, read_under};
use sports_store::{ArtifactStore, JsonSlates};
use sports_tables::archive::ParquetArchives;
use sports_transparency::VerifierKey;
use sports_usecases::publish::{Mode, Publisher, Settlement};
use sports_usecases::record::{Archives, Slates, newest_entry};
use tokio::task::JoinHandle;

use crate::exchange;
use crate::failure::Failure;
use crate::signing::DemoSigner;
use crate::simulation::exchange::{ListedGame, Listing};
use crate::simulation::{ReleaseFiles, Run, Settlement as Played, World};

/// The Eastern time at which the day's first run ends.
const FIRST_RUN: NaiveTime = NaiveTime::from_hms_opt(9, 50, 0).expect("a time");

/// The leagues with live days before the world was created: their seasons began earlier, whatever the date. Other leagues have a
/// slate of the day before.
const LIVE: [Sport; 2] = [Sport::Nba, Sport::Nfl];

/// The Eastern time at which the predictions of a live day are rebuilt, before the first game.
const REBUILT: NaiveTime = NaiveTime::from_hms_opt(11, 50, 0).expect("a time");

/// The time from a live day's last odds to its first game. They are close enough to most games for closing line values.
const BEFORE_PLAY: TimeDelta = TimeDelta::minutes(30);

/// The Eastern time at which every game of the day before is over.
const NIGHT: NaiveTime = NaiveTime::from_hms_opt(3, 0, 0).expect("a time");

/// The age up to which finals are reported again, so that a demo that was stopped catches up.
const FINALS_REPORTED: TimeDelta = TimeDelta::days(30);

/// The publisher of a demo, with its world and store.
#[derive(Clone)]
pub(super) struct DemoPublisher {
    world: Arc<World>,
    store: ArtifactStore,
    signer: Arc<DemoSigner>,
    folder: PathBuf,
    /// The number of live days.
    live_days: u8,
    /// The games of the stand-in: those of the published moneyline predictions.
    listed: Arc<RwLock<HashMap<Sport, Vec<ListedGame>>>>,
}

impl DemoPublisher {
    /// Opens the store that the settings name, to publish `world` into it, with so many live days.
    pub(super) fn open(settings: &Settings, world: World, data_dir: &Path, live_days: u8) -> Result<Self, Failure> {
        let store = ArtifactStore::open(settings.store.url.reveal())?;
        let signer = Arc::new(DemoSigner::open(settings, &store, data_dir)?);
        let (world, folder) = (Arc::new(world), data_dir.join("release"));
        Ok(Self { world, store, signer, folder, live_days, listed: Arc::default() })
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
            tokio::spawn(async move { Box::pin(publisher.catch_up(sport, made_at, now, cycle)).await })
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
        let begins = self.past(sport, made_at, cycle).await?;
        match cycle {
            Cycle::Stopped => self.morning(sport, now).await?,
            Cycle::Off if !begins => {}
            Cycle::Off | Cycle::Every(_) => {
                self.settle(sport, now).await?;
                self.rebuild(sport, now).await?;
            }
        }
        self.sign(sport, now).await;
        self.list(sport).await?;
        let catalog = self.head(sport).await?;
        let rows = |catalog: &Catalog| {
            let archives = catalog.results.iter().filter(|((model_type, _), _)| *model_type == ModelType::WonOnPoints);
            archives.map(|(_, entry)| entry.coverage.rows).sum()
        };
        Ok(catalog.as_ref().map_or(0, rows))
    }

    /// Publishes what came before the creation of the world, or the rest of it after an interrupted start: the history, the
    /// days behind it, and the first run of the day of the creation, unless that morning is published later. Returns false if
    /// all of it was there.
    async fn past(&self, sport: Sport, made_at: DateTime<Utc>, cycle: Cycle) -> Result<bool, Failure> {
        let today = eastern_date(made_at);
        let is_live = LIVE.contains(&sport) && self.live_days > 0;
        let days = if is_live { self.live_days } else { 1 };
        let first = today.checked_sub_days(Days::new(days.into())).unwrap_or(today);
        let begins = first_run(first);
        let published = if let Some(newest) = self.head(sport).await? {
            newest.published_at
        } else {
            if is_live && sport == LIVE[0] {
                let [one, other] = LIVE;
                print_line!("publishing {days} live days of {one} and {other}, release by release");
            }
            self.publish(sport, begins, move |world| Some(world.history_release(sport, begins))).await?;
            begins
        };
        let mut events = vec![(begins, Event::Run(Run::First))];
        if is_live {
            let days = first.iter_days().take_while(|date| *date < today);
            events = days.flat_map(|date| self.live_day(sport, date)).collect();
        }
        if cycle != Cycle::Stopped {
            let todays = first_run(today).min(made_at);
            events.extend([(todays, Event::Finals), (todays, Event::Run(Run::First))]);
        }
        events.retain(|(at, _)| (published..=made_at).contains(at));
        for (at, event) in &events {
            self.release(sport, *at, *event).await?;
            if *event == Event::Run(last_run(sport)) {
                self.sign(sport, *at).await;
            }
        }
        Ok(!events.is_empty())
    }

    /// Returns the releases of a live day. A day with games has odds shortly before the first one, and finals in the night.
    fn live_day(&self, sport: Sport, date: NaiveDate) -> Vec<(DateTime<Utc>, Event)> {
        let tomorrow = date.succ_opt().unwrap_or(date);
        let mut events = vec![(first_run(date), Event::Run(Run::First))];
        if last_run(sport) == Run::Rebuild {
            events.push((eastern_instant(date, REBUILT), Event::Run(Run::Rebuild)));
        }
        if let Some(starts) = self.world.first_start(sport, date) {
            events.extend([(starts - BEFORE_PLAY, Event::Odds), (eastern_instant(tomorrow, NIGHT), Event::Finals)]);
        }
        events
    }

    /// Publishes one release.
    async fn release(&self, sport: Sport, at: DateTime<Utc>, event: Event) -> Result<(), Failure> {
        match event {
            Event::Finals => self.settle(sport, at).await,
            Event::Run(run) => self.publish(sport, at, move |world| Some(world.day_release(sport, at, run))).await,
            Event::Odds => self.refresh_odds(sport, at).await,
        }
    }

    /// Publishes the events of the day's morning that are due by `now` and not published yet.
    pub(super) async fn morning(&self, sport: Sport, now: DateTime<Utc>) -> Result<(), Failure> {
        let Some(current) = self.head(sport).await? else { return Ok(()) };
        for (at, event) in events_between(sport, eastern_date(now), current.published_at, now) {
            self.release(sport, at, event).await?;
            self.sign(sport, at).await;
            self.list(sport).await?;
        }
        Ok(())
    }

    /// Signs the newest tree of a league at an instant.
    pub(super) async fn sign(&self, sport: Sport, at: DateTime<Utc>) {
        self.signer.sign(sport, at).await;
    }

    /// Returns the key of the demo's witness.
    pub(super) fn witness(&self) -> &VerifierKey {
        self.signer.witness()
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
        self.publisher(sport, now).await?.settle(&settlement, Mode::Commit).await?;
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
        let publisher = self.publisher(sport, at).await?;
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

    async fn publisher(&self, sport: Sport, at: DateTime<Utc>) -> Result<Publisher, Failure> {
        let store = Arc::new(self.store.clone());
        let archives = Archives::new(store.clone(), Arc::new(ParquetArchives));
        let slates = Slates::new(store.clone(), Arc::new(JsonSlates));
        let publisher = Publisher::new(store, archives, slates, Arc::new(FixedClock(at)), Arc::new(SystemRandom));
        Ok(publisher.timed_by(ClockSource::Set).announcing(self.signer.keys(sport, at).await?))
    }

    async fn head(&self, sport: Sport) -> Result<Option<Catalog>, Failure> {
        Ok(newest_entry(&self.store, sport).await?.map(|entry| entry.catalog))
    }
}

/// Returns the last run of a live day, after which the tree is signed. A league that plays every week forecasts a game on many
/// days, so its forecasts change without a second run.
fn last_run(sport: Sport) -> Run {
    if sport == LIVE[0] { Run::Rebuild } else { Run::First }
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

// The releases of a running demo.

/// The task that publishes while a demo is served.
pub struct Publishing(Option<JoinHandle<()>>);

impl Publishing {
    /// Starts the task for `cycle`, if it needs one.
    pub(crate) fn start(publisher: DemoPublisher, clock: Arc<dyn Clock>, cycle: Cycle) -> Self {
        Self(match cycle {
            Cycle::Every(period) => Some(tokio::spawn(periods(publisher, clock, period))),
            Cycle::Stopped => Some(tokio::spawn(mornings(publisher, clock))),
            Cycle::Off => None,
        })
    }

    /// Aborts the task, so that it logs no failure while the program ends.
    pub async fn end(self) {
        if let Some(task) = self.0 {
            task.abort();
            drop(task.await);
        }
    }
}

/// The delay between new odds and the rebuild of predictions; at most a quarter of the period.
const REBUILD: Duration = Duration::from_mins(1);

/// Publishes until the task is aborted. A failure is logged, and the next cycle retries.
async fn periods(publisher: DemoPublisher, clock: Arc<dyn Clock>, period: Duration) {
    let rebuild = REBUILD.min(period / 4);
    loop {
        tokio::time::sleep(period.saturating_sub(rebuild)).await;
        for sport in Sport::ALL {
            report(sport, publisher.settle(sport, clock.now()).await);
            report(sport, publisher.refresh_odds(sport, clock.now()).await);
            publisher.sign(sport, clock.now()).await;
        }
        tokio::time::sleep(rebuild).await;
        for sport in Sport::ALL {
            report(sport, publisher.rebuild(sport, clock.now()).await);
            publisher.sign(sport, clock.now()).await;
        }
    }
}

/// The interval at which the task checks if a morning's release is due.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Publishes a morning's releases as they become due. Retries failures at each interval, and logs a failure if it
/// differs from the previous one.
async fn mornings(publisher: DemoPublisher, clock: Arc<dyn Clock>) {
    let mut logged = HashMap::new();
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        for sport in Sport::ALL {
            let outcome = publisher.morning(sport, clock.now()).await;
            let failure = outcome.as_ref().err().map(ToString::to_string);
            if logged.insert(sport, failure.clone()).flatten() != failure {
                report(sport, outcome);
            }
        }
    }
}

fn report(sport: Sport, published: Result<(), Failure>) {
    if let Err(error) = published {
        tracing::warn!(%sport, error = sports_ports::error_chain(&*error), "the demo could not publish");
    }
}

// The schedule of a demo's releases.

/// The schedule of a demo's releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cycle {
    /// Releases with this period.
    Every(Duration),
    /// No releases after the world is published.
    Off,
    /// One morning's releases at their times of day, and none after them.
    Stopped,
}

impl FromStr for Cycle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "off" => return Ok(Self::Off),
            "stopped" => return Ok(Self::Stopped),
            _ => {}
        }
        let period = humantime::parse_duration(text)
            .map_err(|error| format!("expected a duration, `stopped` or `off`: {error}"))?;
        if period < SHORTEST {
            return Err(format!("expected {} or more, `stopped` or `off`", humantime::format_duration(SHORTEST)));
        }
        Ok(Self::Every(period))
    }
}

const SHORTEST: Duration = Duration::from_secs(1);

// One morning's releases, after which nothing is published. They show every state of data-status.

/// A release of a league in the morning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The finals of the day before.
    Finals,
    /// A release of the day's run.
    Run(Run),
    Odds,
}

/// Times are hours and minutes, Eastern. The run lasts from 09:38 to 09:50. No rebuild follows the odds of 11:50,
/// which are the last release.
const USUAL: [((u32, u32), Event); 5] = [
    ((6, 0), Event::Finals),
    ((9, 38), Event::Run(Run::Begun)),
    ((9, 44), Event::Run(Run::Underway)),
    ((9, 50), Event::Run(Run::First)),
    ((11, 50), Event::Odds),
];

/// The run finds no games to predict.
const DAY_OFF: [((u32, u32), Event); 3] =
    [((6, 0), Event::Finals), ((9, 38), Event::Run(Run::Begun)), ((9, 50), Event::Run(Run::DayOff))];

/// The run fails before it completes.
const FAILED: [((u32, u32), Event); 3] =
    [((6, 0), Event::Finals), ((9, 38), Event::Run(Run::Begun)), ((9, 44), Event::Run(Run::Underway))];

/// The league that has an off-day.
pub(super) const OFF: Sport = Sport::Nhl;

/// The league whose run fails.
pub(super) const FAILING: Sport = Sport::Ncaab;

/// Returns the events of a league's morning after `after` and up to `until`, in order.
pub(super) fn events_between(
    sport: Sport,
    date: NaiveDate,
    after: DateTime<Utc>,
    until: DateTime<Utc>,
) -> impl Iterator<Item = (DateTime<Utc>, Event)> {
    let events: &'static [_] = match sport {
        OFF => &DAY_OFF,
        FAILING => &FAILED,
        _ => &USUAL,
    };
    let dated = events.iter().map(move |((hour, minute), event)| {
        let time = NaiveTime::from_hms_opt(*hour, *minute, 0).unwrap_or_default();
        (eastern_instant(date, time), *event)
    });
    dated.filter(move |(at, _)| after < *at && *at <= until)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_a_duration_or_a_word() {
        assert_eq!("2h".parse(), Ok(Cycle::Every(Duration::from_hours(2))));
        assert_eq!("off".parse(), Ok(Cycle::Off));
        assert_eq!("stopped".parse(), Ok(Cycle::Stopped));
        for text in ["", "0s", "10ms", "often"] {
            assert!(text.parse::<Cycle>().is_err(), "{text}");
        }
    }

    #[test]
    fn each_event_occurs_once() {
        let date = "2026-03-14".parse().expect("a date");
        let at = |instant: &str| instant.parse().expect("an instant");
        let events = |sport, after: &str, until: &str| {
            events_between(sport, date, at(after), at(until)).map(|(_, event)| event).collect::<Vec<_>>()
        };
        let (midnight, nine_fifty, noon) = ("2026-03-14T04:00:00Z", "2026-03-14T13:50:00Z", "2026-03-14T16:00:00Z");
        assert_eq!(events(Sport::Nfl, midnight, nine_fifty).len(), 4);
        assert_eq!(events(Sport::Nfl, nine_fifty, noon), [Event::Odds]);
        assert_eq!(events(OFF, midnight, noon).last(), Some(&Event::Run(Run::DayOff)));
        assert_eq!(events(FAILING, midnight, noon).last(), Some(&Event::Run(Run::Underway)));
    }
}
