//! A published season, and the API over it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use sports_accounts::testing::{a_customer, a_key_record, second};
use sports_api::state::{AppState, StoredData};
use sports_cache::CachedKeyRing;
use sports_domain::{ModelColumn, Probability, Sport};
use sports_ports::Clock;
use sports_ports::accounts::{Customers, KeyRing as _};
use sports_publication::testing::{a_game, a_release};
use sports_publication::{ArchivedGame, Release};
use sports_store::{ArtifactStore, JsonSlates};
use sports_tables::archive::ParquetArchives;
use sports_testkit::accounts::AccountsFake;
use sports_testkit::clock::ClockFake;
use sports_testkit::metering::contract::limits;
use sports_testkit::random::RandomFake;
use sports_usecases::publish::{Mode, Publisher};
use sports_usecases::record::{Archives, Slates};

#[path = "../../tests/state/mod.rs"]
mod state;

pub const LABEL: &str = "2023-24";

/// Returns a college basketball season: every model, every price, and scores with every outcome.
pub fn season(games: u32) -> Vec<ArchivedGame> {
    let game = |number: u32| {
        let (day, away) = (number / 50, format!("team {}", number % 50));
        let date = chrono::NaiveDate::from_ymd_opt(2023, 11, 6).expect("a date") + chrono::Days::new(day.into());
        let points = |spread: u32| u16::try_from(60 + (number * 7 + spread) % 40).expect("small");
        a_game().on(&date.to_string()).visited_by(&away).ending(points(3), points(11)).with(|game| {
            for (place, model) in ModelColumn::INDIVIDUAL.into_iter().enumerate() {
                let tenth = (number as usize + place * 31) % 1_000;
                let probability = Probability::new(f64::from(u32::try_from(tenth).expect("small")) / 1_000.0);
                game.forecast.forecasts = game.forecast.forecasts.with(model, probability.expect("a probability"));
            }
        })
    };
    (0..games).map(|number| game(number).build()).collect()
}

/// A store with the season published.
pub struct Published {
    pub store: ArtifactStore,
    pub archives: Archives,
    clock: Arc<ClockFake>,
}

impl Published {
    /// Publishes another release.
    pub async fn publish(&self, release: &Release) {
        let (store, clock) = (Arc::new(self.store.clone()), self.clock.clone());
        let publisher =
            Publisher::new(store, self.archives.clone(), self.slates(), clock, Arc::new(RandomFake::default()));
        publisher.publish(release, Mode::Commit).await.expect("publishes");
    }

    pub fn slates(&self) -> Slates {
        Slates::new(Arc::new(self.store.clone()), Arc::new(JsonSlates))
    }
}

pub async fn published(games: u32) -> Published {
    let store = ArtifactStore::in_memory();
    let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
    let clock = Arc::new(ClockFake::at("2024-04-01T12:00:00Z"));
    let games = season(games);
    let mut release = a_release(Sport::Ncaab, LABEL, games.clone());
    let spread_history = release.history[0].markets.entry(sports_domain::ModelType::WonOnSpread).or_default();
    spread_history.forecasts = games
        .iter()
        .map(|game| sports_publication::Located {
            place: sports_publication::testing::place(2),
            value: sports_publication::ForecastRow {
                key: game.facts.key.clone(),
                ids: sports_publication::RowIds::default(),
                record: game.forecast.clone(),
                extras: sports_publication::Extras::default(),
            },
        })
        .collect();
    let published = Published { store, archives, clock };
    published.publish(&release).await;
    published
}

/// A clock whose uptime grows by a quarter of a second with each reading, so that no limit per second is reached.
#[derive(Default)]
struct FastClock(AtomicU32);

impl Clock for FastClock {
    fn now(&self) -> DateTime<Utc> {
        second(0)
    }

    fn uptime(&self) -> Duration {
        self.0.fetch_add(1, Ordering::Relaxed) * Duration::from_millis(250)
    }
}

/// Creates the state over that store, with caches of so many bytes; 0 keeps nothing in memory.
pub async fn state(published: &Published, memory: u64) -> Arc<AppState> {
    let accounts = Arc::new(AccountsFake::new());
    let (customer, key) = (a_customer().build(), a_key_record().issued(second(0)).build());
    let _ = accounts.create(&customer).await.expect("answers");
    let _ = accounts.issue(customer.id, &key).await.expect("answers");
    let store = Arc::new(published.store.clone());
    let stored = StoredData {
        log: store.clone(),
        archives: published.archives.clone(),
        slates: published.slates(),
        files: store,
    };
    let limits = limits(u64::MAX - 1, 50);
    let mut state = state::complete(Arc::new(FastClock::default()), &stored, &accounts, limits, memory);
    state.callers.keys = Arc::new(CachedKeyRing::new(accounts));
    state.published.generations.poll().await;
    Arc::new(state)
}
