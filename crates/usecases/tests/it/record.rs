//! The record under random days: publishes, odds refreshes, held, moved and called-off games, starts, finals
//! and releases published twice, against a model that could be kept on index cards.

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
use publishing::Saying;

/// One thing a publisher, the sun or a reader does.
#[derive(Debug, Clone)]
enum Step {
    /// A release with predictions of some markets, and odds or not.
    Publish { saying: Saying, markets: u8, odds: bool },
    /// A release with odds only.
    Refresh { listed: Vec<bool>, value: u8 },
    /// The release before, published again.
    Again,
    /// Time passes.
    Wait { minutes: u16 },
    /// A game is announced at another time, be it of the next day.
    Announce { game: usize, minutes: u16, tomorrow: bool },
    /// A game is stated to be where it was before, be it that play has begun.
    GiveBack { with_id: bool, pick: usize },
    /// The games of the doubleheader change places.
    Swap,
    /// A final arrives, or without a score the word that a game is postponed.
    Settle { game: usize, home: Option<u16>, correct: bool },
    /// A reader's node polls the log.
    Look,
}

fn a_step() -> impl Strategy<Value = Step> {
    let some = || proptest::collection::vec(any::<bool>(), GAMES);
    let mostly = || proptest::collection::vec(proptest::bool::weighted(0.85), GAMES);
    let seldom = || proptest::collection::vec(proptest::bool::weighted(0.15), GAMES);
    let saying = (mostly(), seldom(), 1..100_u8).prop_map(|(listed, held, value)| Saying { listed, held, value });
    let score = proptest::option::weighted(0.8, 0..9_u16);
    prop_oneof![
        4 => (saying, 1..8_u8, any::<bool>())
            .prop_map(|(saying, markets, odds)| Step::Publish { saying, markets, odds }),
        2 => (some(), 1..100_u8).prop_map(|(listed, value)| Step::Refresh { listed, value }),
        1 => Just(Step::Again),
        3 => (10..400_u16).prop_map(|minutes| Step::Wait { minutes }),
        2 => (0..GAMES, 1..300_u16, proptest::bool::weighted(0.25))
            .prop_map(|(game, minutes, tomorrow)| Step::Announce { game, minutes, tomorrow }),
        5 => (any::<bool>(), 0..4_usize).prop_map(|(with_id, pick)| Step::GiveBack { with_id, pick }),
        1 => Just(Step::Swap),
        2 => (0..GAMES, score, any::<bool>()).prop_map(|(game, home, correct)| Step::Settle { game, home, correct }),
        2 => Just(Step::Look),
    ]
}

impl Model {
    async fn take(&mut self, step: &Step) {
        // No two entries share an instant, so that each is published by the clock as it reads.
        self.world.clock.advance(TimeDelta::milliseconds(1));
        match step {
            Step::Publish { saying, markets, odds } => {
                let saying = Saying { listed: whole_doubleheader(&saying.listed), ..saying.clone() };
                if !self.collide(&saying.listed, false) {
                    self.publish(&saying, *markets, *odds).await;
                }
            }
            Step::Refresh { listed, value } => {
                let listed = whole_doubleheader(listed);
                if !self.collide(&listed, true) {
                    self.refresh(&listed, *value).await;
                }
            }
            Step::Again => self.again().await,
            Step::Wait { minutes } => self.world.clock.advance(TimeDelta::minutes(i64::from(*minutes))),
            Step::Announce { game, minutes, tomorrow } => self.announce(*game, *minutes, *tomorrow),
            Step::GiveBack { with_id, pick } => self.give_back(if *with_id { 0 } else { STATED }, *pick).await,
            Step::Swap => self.swap(),
            Step::Settle { game, home, correct } => self.settle(*game, *home, *correct).await,
            Step::Look => self.reader.look().await,
        }
        self.keep_pages();
    }
}

/// A doubleheader is listed whole, or its new starts could be either game's.
fn whole_doubleheader(listed: &[bool]) -> Vec<bool> {
    let mut listed = listed.to_vec();
    listed[5] = listed[4];
    listed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// No started forecast changes, no row is lost or doubled, what is served is what is recorded, the
    /// chain verifies, and a reader's pages are of one generation.
    #[test]
    fn random_publishes_agree_with_the_model(steps in proptest::collection::vec(a_step(), 1..30)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let mut model = Model::new();
            for step in &steps {
                model.take(step).await;
                model.check().await;
            }
        });
    }
}
