#![doc = include_str!("../README.md")]

mod account;
pub mod exchange;
mod failure;
mod options;
mod publisher;
mod signing;
pub mod simulation;
mod world_file;

use std::sync::Arc;

use sports_accounts::ApiKey;
use sports_accounts_sea_orm::AccountsDatabase;
use sports_ports::Clock;
use sports_program::settings::{Bind, Settings};
use sports_program::{SystemClock, SystemRandom, print_line};
use sports_transparency::VerifierKey;

use crate::simulation::World;
use crate::simulation::exchange::Exchange;
use account::Token;
use publisher::DemoPublisher;
use world_file::WorldFile;

pub use failure::{BadOptions, Failure};
pub use options::{DemoOptions, settings};
pub use publisher::{Cycle, Publishing};

/// The message at the root of a demo's server.
pub const MESSAGE: &str = "A demo: every team is real, every game, price and forecast is simulated, and so are the key and \
                           the witness of the record. Model outputs are research signals, not a validated betting \
                           selector, and no edge is guaranteed.";

/// A demo whose world is published.
pub struct Demo {
    key: ApiKey,
    /// The way into the page, if the server can be reached from this machine alone.
    token: Option<Token>,
    opens: bool,
    publisher: DemoPublisher,
    cycle: Cycle,
    /// Runs until the demo ends; `None` if the settings name a prediction market.
    _exchange: Option<Exchange>,
}

impl Demo {
    /// Simulates the world, publishes it up to now, starts a stand-in for the prediction market, and opens the demo
    /// account. Sets the stand-in's address in `settings`.
    ///
    /// A demo that is started again in the same folder continues its world and gets a new key.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder holds another world, or the store or the database cannot be used.
    pub async fn prepare(settings: &mut Settings, options: &DemoOptions) -> Result<Self, Failure> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::starting_at(settings.clock.as_of));
        let file = WorldFile::open(options, clock.now())?;
        print_line!("simulating {} seasons of six leagues", file.seasons);
        let WorldFile { seed, seasons, made_at } = file;
        let world =
            tokio::task::spawn_blocking(move || World::new(seed, made_at, seasons.get().into()).with_own_models())
                .await?;
        let publisher = DemoPublisher::open(settings, world, &options.data_dir, options.live_days)?;
        publisher.publish_up_to(made_at, clock.now(), options.cycle).await?;
        let accounts = AccountsDatabase::connect(settings.database.url.reveal()).await?;
        let key = account::key(&accounts, publisher.store(), &publisher.dataset(made_at)?, clock.as_ref()).await;
        // The server opens its own connection.
        accounts.close().await?;
        let key = key?;
        let exchange = exchange::start(settings, publisher.listing(), clock).await?;
        let is_local = match &settings.http.bind {
            Bind::Address(address) => address.ip().is_loopback(),
            Bind::Socket(_) => true,
        };
        let token = is_local.then(|| Token::draw(&SystemRandom)).transpose()?;
        Ok(Self { key, token, opens: options.open, publisher, cycle: options.cycle, _exchange: exchange })
    }

    /// Returns the token that the page exchanges for the key, and the key; none if other machines can reach the server.
    pub fn one_click(&self) -> Option<(&str, &str)> {
        Some((self.token.as_ref()?.as_str(), self.key.reveal()))
    }

    /// Returns the key of the witness that cosigns the records of the demo within this program.
    pub fn witness(&self) -> &VerifierKey {
        self.publisher.witness()
    }

    /// Starts the releases of the option `--cycle`, until [`Publishing::end`].
    pub fn keep_up(&self, settings: &Settings) -> Publishing {
        let clock = Arc::new(SystemClock::starting_at(settings.clock.as_of));
        Publishing::start(self.publisher.clone(), clock, self.cycle)
    }

    /// Prints the key and commands to try.
    pub fn print_commands(&self, base: &str) {
        print_line!("export SPORTS_URL={base} SPORTS_API_KEY={}", self.key.reveal());
        print_line!("paste the line above, then try:");
        print_line!("  curl '{base}/api/v1/data-status/nfl'");
        print_line!("  curl '{base}/api/v1/public/ml-picks/nba/moneyline'");
        for path in [
            "predictions/nfl/won_on_spread",
            "markets/nfl",
            "customers/me/usage",
            "odds/nhl",
            "results/mlb/over_under?limit=1",
            "results/ncaab/won_on_points/seasons",
            "clv/nba/won_on_points",
        ] {
            print_line!("  curl -H \"X-API-Key: $SPORTS_API_KEY\" '{base}/api/v1/{path}'");
        }
        match self.cycle {
            Cycle::Every(period) => {
                print_line!("odds and predictions are renewed every {}", humantime::format_duration(period));
            }
            Cycle::Stopped => print_line!(
                "one morning's data is published until 11:50 Eastern; {} has an off-day and the run of {} fails",
                publisher::OFF,
                publisher::FAILING
            ),
            Cycle::Off => print_line!("nothing new is published: the cycle is off"),
        }
        print_line!(
            "games, prices and forecasts are simulated, and so are the key and the witness of the record: they prove nothing"
        );
        self.show_page(base);
        print_line!("the documentation is at {base}/docs");
    }

    /// Prints the address of the page, and opens it if that is an option of the demo.
    fn show_page(&self, base: &str) {
        let page = match &self.token {
            Some(token) => format!("{base}/explore/#token={}", token.as_str()),
            None => format!("{base}/explore/"),
        };
        let note = if self.token.is_some() { " (the address has the key, and works once)" } else { "" };
        print_line!("the page is at {page}{note}");
        if self.opens && !account::open_page(&page) {
            print_line!("no browser could be started: open the address above");
        }
    }
}
