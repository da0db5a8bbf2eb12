//! Property test of the record: random publishes, odds refreshes, held, moved and called-off games, starts, finals and
//! repeated releases, compared with a simple model that could be kept on index cards.

mod cards;
mod checks;
mod model;
mod publishing;
mod reader;
mod returning;
mod settling;

use chrono::TimeDelta;
use proptest::prelude::*;

use model::{GAMES, Model, STATED};
use publishing::Listing;

/// A step of a publisher, of the clock or of a reader.
#[derive(Debug, Clone)]
enum Step {
    /// Publishes a release with predictions of some markets, with or without odds.
    Publish { listing: Listing, markets: u8, odds: bool },
    /// Publishes a release with odds only.
    Refresh { listed: Vec<bool>, value: u8 },
    /// Publishes a game under the identity of another game, or under one that no game has.
    Misname { game: usize, other: Option<usize> },
    /// Publishes the last release again.
    Again,
    /// Advances the clock.
    Wait { minutes: u16 },
    /// Announces a game at another time, possibly on the next day.
    Announce { game: usize, minutes: u16, tomorrow: bool },
    /// States that a game has an earlier start again, even after play has begun.
    MoveBack { with_id: bool, pick: usize },
    /// Exchanges the announced starts of the doubleheader's games.
    Swap,
    /// Reports a final, or, without a score, a postponement.
    Settle { game: usize, home: Option<u16>, correct: bool },
    /// Polls the log from the reader's node.
    Poll,
}

fn a_step() -> impl Strategy<Value = Step> {
    let some = || proptest::collection::vec(any::<bool>(), GAMES);
    let mostly = || proptest::collection::vec(proptest::bool::weighted(0.85), GAMES);
    let seldom = || proptest::collection::vec(proptest::bool::weighted(0.15), GAMES);
    let listing = (mostly(), seldom(), some(), 1..100_u8).prop_map(|(listed, held, named, value)| Listing {
        listed,
        held,
        named,
        value,
    });
    let score = proptest::option::weighted(0.8, 0..9_u16);
    prop_oneof![
        4 => (listing, 1..8_u8, any::<bool>())
            .prop_map(|(listing, markets, odds)| Step::Publish { listing, markets, odds }),
        2 => (some(), 1..100_u8).prop_map(|(listed, value)| Step::Refresh { listed, value }),
        1 => (0..GAMES, proptest::option::of(0..GAMES)).prop_map(|(game, other)| Step::Misname { game, other }),
        1 => Just(Step::Again),
        3 => (10..400_u16).prop_map(|minutes| Step::Wait { minutes }),
        2 => (0..GAMES, 1..300_u16, proptest::bool::weighted(0.25))
            .prop_map(|(game, minutes, tomorrow)| Step::Announce { game, minutes, tomorrow }),
        5 => (any::<bool>(), 0..4_usize).prop_map(|(with_id, pick)| Step::MoveBack { with_id, pick }),
        1 => Just(Step::Swap),
        2 => (0..GAMES, score, any::<bool>()).prop_map(|(game, home, correct)| Step::Settle { game, home, correct }),
        2 => Just(Step::Poll),
    ]
}

impl Model {
    async fn take(&mut self, step: &Step) {
        // No two entries share an instant, so that each has the time of the clock.
        self.world.clock.advance(TimeDelta::milliseconds(1));
        match step {
            Step::Publish { listing, markets, odds } => {
                let listing = Listing { listed: whole_doubleheader(&listing.listed), ..listing.clone() };
                if !self.collide(&listing.listed, false) {
                    self.publish(&listing, *markets, *odds).await;
                }
            }
            Step::Refresh { listed, value } => {
                let listed = whole_doubleheader(listed);
                if !self.collide(&listed, true) {
                    self.refresh(&listed, *value).await;
                }
            }
            Step::Misname { game, other } => self.misname(*game, *other).await,
            Step::Again => self.again().await,
            Step::Wait { minutes } => self.world.clock.advance(TimeDelta::minutes(i64::from(*minutes))),
            Step::Announce { game, minutes, tomorrow } => self.announce(*game, *minutes, *tomorrow),
            Step::MoveBack { with_id, pick } => self.move_back(if *with_id { 0 } else { STATED }, *pick).await,
            Step::Swap => self.swap(),
            Step::Settle { game, home, correct } => self.settle(*game, *home, *correct).await,
            Step::Poll => self.reader.poll().await,
        }
        self.keep_pages();
    }
}

/// Lists both games of the doubleheader or neither, since a new start could otherwise belong to either game.
fn whole_doubleheader(listed: &[bool]) -> Vec<bool> {
    let mut listed = listed.to_vec();
    listed[5] = listed[4];
    listed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// No started forecast changes, no row is lost or doubled, the served games are the recorded ones, the chain
    /// verifies, and a reader's pages belong to one generation.
    #[test]
    fn random_publishes_agree_with_the_model(steps in proptest::collection::vec(a_step(), 1..30)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.expect("a runtime");
        runtime.block_on(async {
            let mut model = Model::new();
            for step in &steps {
                model.take(step).await;
                model.check().await;
            }
        });
    }
}
