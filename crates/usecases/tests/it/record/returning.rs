//! Reschedules of a game back to an earlier start.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, ModelType};
use sports_publication::{Located, Reschedule};
use sports_usecases::publish::PublishError;

use super::cards::{Card, place, starts};
use super::model::Model;

/// A game's cards after one release, and the markets that served the game then.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Page {
    pub(super) at: DateTime<Utc>,
    pub(super) key: GameKey,
    pub(super) cards: BTreeMap<ModelType, Card>,
    pub(super) served: BTreeSet<ModelType>,
}

impl Model {
    /// Stores the present cards of every recorded game.
    pub(super) fn keep_pages(&mut self) {
        let at = self.now();
        for number in 0..self.games.len() {
            let served = self.served.iter().filter(|(_, games)| games.contains(&number)).map(|(market, _)| *market);
            let served = served.collect();
            let game = &mut self.games[number];
            if game.is_recorded() {
                game.pages.push(Page { at, key: game.key.clone(), cards: game.cards.clone(), served });
            }
        }
    }

    /// Publishes the statement that a game has an earlier start again, once either start has passed.
    pub(super) async fn move_back(&mut self, number: usize, pick: usize) {
        let (now, game) = (self.now(), &self.games[number]);
        let had: BTreeSet<_> = game.pages.iter().map(|page| &page.key).filter(|key| **key != game.key).collect();
        let Some(to) = had.iter().nth(pick % had.len().max(1)).copied().cloned() else { return };
        let (from, to_passed) = (game.key.clone(), starts(&to) <= now);
        if game.called_off || !(game.started(now) || to_passed) {
            return;
        }
        let then = game.pages.iter().rfind(|page| page.at < starts(&to)).cloned().filter(|_| to_passed);
        let then_cards = then.as_ref().map(|then| then.cards.clone()).unwrap_or_default();
        let counts = game.started(now) || game.is_final;
        let differs = to_passed && game.cards != then_cards;
        let refused = (game.home.is_some() && !to_passed) || (counts && differs);
        if !refused && differs && game.cards.keys().any(|market| !then_cards.contains_key(market)) {
            // The forecast of that market would be removed for good; the model has no pages for this case.
            return;
        }
        let mut release = self.release();
        release.run = None;
        release.moved =
            vec![Located { place: place(0), value: Reschedule { from: from.clone(), to: to.clone() }.into() }];
        match self.world.try_publish(&release).await {
            Ok(_) => assert!(!refused, "{from} to {to} was taken"),
            Err(PublishError::Problems(problems)) => {
                assert!(refused, "{from} to {to}: {problems:?}");
                return;
            }
            Err(other) => panic!("{other}"),
        }
        let game = &mut self.games[number];
        game.is_final |= counts;
        game.reschedule_to(&from, &to);
        game.announced = to;
        // A game that had closed stays as it is served.
        if let Some(then) = then.filter(|_| !counts) {
            game.cards = then.cards;
            for (market, games) in &mut self.served {
                if !then.served.contains(market) {
                    games.remove(&number);
                }
            }
        }
        self.last = None;
    }
}
