//! A server with something to serve: a simulated world of six leagues, kept up to date, and a key.

mod account;
mod cycle;
pub mod exchange;
mod morning;
mod publisher;
mod world_file;

use std::error::Error;
use std::fs;
use std::net::SocketAddr;
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use sports_accounts::ApiKey;
use sports_accounts_sea_orm::AccountsDatabase;
use sports_clock_system::SystemClock;
use sports_ports::Clock;
use sports_prices_kalshi::stub::Exchange;
use sports_settings::{Flag, Settings, Sources};
use sports_simulation::World;
use tokio::task::JoinHandle;

pub use self::cycle::Cycle;
use self::publisher::DemoPublisher;
use self::world_file::WorldFile;
use crate::failure::BadOptions;

type Failure = Box<dyn Error + Send + Sync>;

/// What the root of a demo says.
pub const MESSAGE: &str = "A demo: every team is real, every game, price and forecast is simulated. Model outputs are \
                           research signals, not a validated betting selector, and no edge is guaranteed.";

/// How a demo is set up.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Options {
    /// Keep the demo's world, store and database here
    #[arg(long, value_name = "FOLDER", default_value = "var/demo")]
    pub data_dir: PathBuf,
    /// How many seasons of each league to simulate, the current one included [default: 3]
    #[arg(long, value_name = "N")]
    pub seasons: Option<NonZeroU8>,
    /// Which world to simulate: the same number gives the same games [default: 7]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// How long between odds refreshes, such as `2h` or `30s`; `off` publishes nothing once the world is there,
    /// `stopped` a morning's releases at their times of day and then nothing
    #[arg(long, value_name = "DURATION", default_value = "2h")]
    pub cycle: Cycle,
}

/// A demo whose world is on air.
pub struct Demo {
    key: ApiKey,
    publisher: DemoPublisher,
    cycle: Cycle,
    /// Runs until the demo ends; none where the settings name a market of their own.
    _exchange: Option<Exchange>,
}

/// What a demo publishes while it serves.
pub struct Publishing(Option<JoinHandle<()>>);

impl Publishing {
    /// Ends it, wherever it is: a program that ends takes the work away that it waits for, which is no trouble to
    /// speak of.
    pub async fn end(self) {
        if let Some(cycle) = self.0 {
            cycle.abort();
            drop(cycle.await);
        }
    }
}

/// The settings of a demo: its own store and database in `folder`, whatever else was set.
///
/// # Errors
///
/// When the settings cannot be loaded, or the folder cannot be made.
pub fn settings(mut sources: Sources, folder: &Path) -> Result<Settings, Failure> {
    fs::create_dir_all(folder).map_err(|error| {
        let folder = folder.display();
        BadOptions(format!("--data-dir {folder} can be no folder, name another or make way there: {error}"))
    })?;
    let flag = |key, kind: &str, name: &str| Flag {
        name: "--data-dir",
        key,
        value: format!("{kind}:{}", folder.join(name).display()),
    };
    sources.flags.push(flag("store.url", "file", "store"));
    sources.flags.push(flag("database.url", "sqlite", "sports.db"));
    Ok(Settings::load(&sources)?)
}

impl Demo {
    /// Simulates the world, publishes it up to now, starts a stand-in for the prediction market, which
    /// the settings name from then on, and opens the demo account.
    ///
    /// A demo started again in the same folder goes on with the world it finds there and gets a new
    /// key.
    ///
    /// # Errors
    ///
    /// When the folder holds another world, or the store or the database cannot be used.
    pub async fn prepare(settings: &mut Settings, options: &Options) -> Result<Self, Failure> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::starting_at(settings.clock.as_of));
        let file = WorldFile::open(options, clock.now())?;
        println!("simulating {} seasons of six leagues", file.seasons);
        let WorldFile { seed, seasons, made_at } = file;
        let world = tokio::task::spawn_blocking(move || World::new(seed, made_at, seasons.get().into())).await?;
        let publisher = DemoPublisher::open(settings, world, &options.data_dir)?;
        publisher.become_current(made_at, clock.now(), options.cycle).await?;
        let accounts = AccountsDatabase::connect(settings.database.url.reveal()).await?;
        let key = account::key(&accounts, publisher.store(), &publisher.dataset(made_at)?, clock.as_ref()).await;
        // The server opens it anew.
        accounts.close().await?;
        let key = key?;
        let exchange = exchange::start(settings, publisher.listing(), clock).await?;
        Ok(Self { key, publisher, cycle: options.cycle, _exchange: exchange })
    }

    /// Keeps publishing odds and predictions until that is ended.
    #[must_use]
    pub fn keep_up(&self, settings: &Settings) -> Publishing {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::starting_at(settings.clock.as_of));
        let publisher = self.publisher.clone();
        Publishing(match self.cycle {
            Cycle::Every(period) => Some(tokio::spawn(cycle::run(publisher, clock, period))),
            Cycle::Stopped => Some(tokio::spawn(cycle::mornings(publisher, clock))),
            Cycle::Off => None,
        })
    }

    /// Says what to try.
    pub fn greet(&self, address: SocketAddr) {
        let base = format!("http://{address}");
        println!("export KEY={}", self.key.reveal());
        println!("try, once the line above is pasted:");
        println!("  curl '{base}/api/v1/data-status/nfl'");
        println!("  curl '{base}/api/v1/public/ml-picks/nba/moneyline'");
        for path in [
            "predictions/nfl/won_on_spread",
            "markets/nfl",
            "customers/me/usage",
            "odds/nhl",
            "results/mlb/over_under?limit=1",
            "results/ncaab/won_on_points/seasons",
        ] {
            println!("  curl -H \"X-API-Key: $KEY\" '{base}/api/v1/{path}'");
        }
        match self.cycle {
            Cycle::Every(period) => {
                println!("odds and predictions are renewed every {}", humantime::format_duration(period));
            }
            Cycle::Stopped => println!(
                "a morning's data come until 11:50 Eastern and stop then; {} has the day off, the run of {} breaks off",
                morning::OFF,
                morning::BROKEN
            ),
            Cycle::Off => println!("nothing new is published: the cycle is off"),
        }
        println!("the documentation is at {base}/docs");
    }
}
