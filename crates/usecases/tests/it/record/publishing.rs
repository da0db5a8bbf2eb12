//! The model's expectations for each release.

use std::collections::BTreeSet;

use sports_domain::{Forecasts, GameKey, LineColumn, ModelColumn, ModelType, OwnForecasts, Probability};
use sports_publication::slate::SlateGame;
use sports_publication::{Extras, Located, MovedGame, PredictedGame, PredictionsFile, Release, Reschedule};
use sports_usecases::publish::{Mode, PublishError, PublishOutcome};
use sports_usecases::record::newest_entry;

use super::cards::{Card, blend_of, place, posted, starts, total};
use super::model::{GAMES, Model, STATED};
use crate::world::SPORT;

/// The content of a release: listed games, held games, games under their `game_id`, and a value for every forecast and
/// line.
#[derive(Debug, Clone)]
pub(super) struct Listing {
    pub(super) listed: Vec<bool>,
    pub(super) held: Vec<bool>,
    pub(super) named: Vec<bool>,
    pub(super) value: u8,
}

impl Model {
    /// Publishes a release with predictions of the markets whose bits are set, with or without odds.
    pub(super) async fn publish(&mut self, listing: &Listing, markets: u8, odds: bool) {
        let Listing { listed, value, .. } = listing;
        let mut release = self.release();
        // An empty file is refused, so it is left out.
        let odds = odds && listed.contains(&true);
        if odds {
            release.odds = Some(self.odds(listed, *value));
        }
        release.moved = self.stated(listed);
        let keys: Vec<_> = (0..GAMES).map(|number| self.listed_key(number)).collect();
        self.follow(listed, false);
        if odds {
            self.quote(listed, *value);
        }
        for (bit, model_type) in ModelType::ALL.into_iter().enumerate() {
            if markets & (1 << bit) != 0 {
                self.predict(&mut release, model_type, listing, &keys);
            }
        }
        let run_without_predictions =
            release.predictions.is_empty() && self.served.values().any(|games| !games.is_empty());
        if run_without_predictions {
            // Nothing is listed, and the service refuses such a release once a slate had predictions.
            self.releases -= 1;
            return;
        }
        let published = self.world.try_publish(&release).await.expect("publishes");
        assert!(matches!(published.outcome, PublishOutcome::Published { .. }), "{published:?}");
        self.last = Some(release);
    }

    /// The reschedule that the release states, where its game can be rescheduled.
    fn stated(&self, listed: &[bool]) -> Vec<Located<MovedGame>> {
        let (now, game, to) = (self.now(), &self.games[STATED], self.listed_key(STATED));
        let can_be_rescheduled = game.is_recorded() && game.is_open(now) && starts(&to) > now && game.key != to;
        let stated = (listed[STATED] && can_be_rescheduled).then(|| Reschedule { from: game.key.clone(), to });
        stated.map(|made| Located { place: place(0), value: made.into() }).into_iter().collect()
    }

    /// Adds one market's file to a release, and updates the expected record.
    fn predict(&mut self, release: &mut Release, model_type: ModelType, listing: &Listing, keys: &[GameKey]) {
        let before = self.served.get(&model_type).cloned().unwrap_or_default();
        let held: BTreeSet<_> = (0..GAMES).filter(|number| listing.held[*number] && before.contains(number)).collect();
        let mut file = PredictionsFile { given: vec![LineColumn::OverUnder], ..PredictionsFile::default() };
        let mut serves = held.clone();
        for number in (0..GAMES).filter(|number| listing.listed[*number]) {
            let mut row = self.row(number, &keys[number], listing.value, model_type);
            row.value.game.game_id = self.game_id(number).filter(|_| listing.named[number]);
            file.rows.push(row);
            if !held.contains(&number) && self.expect(number, keys, listing.value, model_type) {
                serves.insert(number);
            }
        }
        if file.rows.is_empty() && serves.is_empty() {
            return;
        }
        let named = held.iter().map(|number| self.games[*number].key.clone());
        let named: Vec<_> = named.map(|value| Located { place: place(0), value }).collect();
        if !named.is_empty() {
            release.held_games.insert(model_type, named);
        }
        release.predictions.insert(model_type, file);
        self.served.insert(model_type, serves);
    }

    /// Updates the card of a game that is predicted and not held. Returns true if the game is served.
    fn expect(&mut self, number: usize, keys: &[GameKey], value: u8, model_type: ModelType) -> bool {
        let now = self.now();
        // The other game is on record under this start and can no longer leave it.
        let taken = !self.games[number].is_recorded()
            && (4..GAMES).any(|other| other != number && self.is_at(other, &keys[number], &keys[other]));
        let game = &mut self.games[number];
        let over = taken || game.is_final || game.started(now) || starts(&keys[number]) <= now || game.home.is_some();
        if over {
            return game.cards.contains_key(&model_type);
        }
        let recorded = game.cards.get(&model_type).and_then(|card| card.opener);
        let card = Card {
            blend: blend_of(value, number, model_type),
            total: total(value, number),
            opener: recorded
                .or_else(|| game.openers.get(&game.key).filter(|quote| quote.again).map(|quote| quote.total)),
            published_at: now,
        };
        game.cards.insert(model_type, card);
        true
    }

    /// Returns true if a game is on record at `key` while the release lists another start.
    fn is_at(&self, number: usize, key: &GameKey, listed: &GameKey) -> bool {
        let game = &self.games[number];
        game.is_recorded() && game.key == *key && listed != key
    }

    fn row(&self, number: usize, key: &GameKey, value: u8, model_type: ModelType) -> Located<PredictedGame> {
        let percent = blend_of(value, number, model_type);
        let probability = Probability::new(f64::from(percent) / 100.0).expect("a probability");
        let game = SlateGame {
            key: key.clone(),
            game_id: None,
            match_id: self.games[number].match_id.clone(),
            lines: posted(total(value, number)),
            forecasts: Forecasts::default().with(ModelColumn::Blend, probability),
            own: OwnForecasts::default(),
        };
        let value = PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() };
        Located { place: place(number), value }
    }

    /// Returns the identity of a game on record that was not called off.
    fn game_id(&self, number: usize) -> Option<String> {
        let game = &self.games[number];
        self.ids.get(&number).filter(|_| game.is_recorded() && !game.called_off).cloned()
    }

    /// Publishes predictions of a game under the identity of a game of other teams, or under one that no game has, and
    /// checks that the release is refused.
    pub(super) async fn misname(&mut self, number: usize, other: Option<usize>) {
        let pairing = |number: usize| number.min(4);
        let id = match other {
            Some(other) if pairing(other) != pairing(number) => self.game_id(other),
            Some(_) => None,
            None => Some("mlb-2024-11-24-away_9-home_9".to_owned()),
        };
        let Some(id) = id else { return };
        let (model_type, before) = (ModelType::OverUnder, newest_entry(&*self.world.store, SPORT).await);
        let mut row = self.row(number, &self.listed_key(number), 1, model_type);
        row.value.game.game_id = Some(id);
        let file =
            PredictionsFile { given: vec![LineColumn::OverUnder], rows: vec![row], ..PredictionsFile::default() };
        let mut release = self.release();
        self.releases -= 1;
        release.predictions.insert(model_type, file);
        let refused = self.world.try_publish(&release).await;
        assert!(matches!(refused, Err(PublishError::Problems(_))), "{refused:?}");
        let entry = newest_entry(&*self.world.store, SPORT).await.expect("answers");
        assert_eq!(entry, before.expect("answers"), "nothing was published");
    }

    /// Publishes a release with odds only.
    pub(super) async fn refresh(&mut self, listed: &[bool], value: u8) {
        if !listed.contains(&true) {
            return;
        }
        let mut release = self.release();
        release.run = None;
        release.source_as_of.odds = Some(self.now());
        release.odds = Some(self.odds(listed, value));
        self.follow(listed, true);
        self.quote(listed, value);
        self.world.try_publish(&release).await.expect("publishes");
        self.last = Some(release);
    }

    /// Publishes the last release again and checks that it changes nothing.
    pub(super) async fn again(&mut self) {
        let Some(release) = self.last.clone() else { return };
        let before = self.world.head().await;
        let published = self.world.publisher().publish(&release, Mode::Commit).await.expect("publishes");
        assert!(matches!(published.outcome, PublishOutcome::AlreadyPublished { .. }), "{:?}", published.outcome);
        assert_eq!(self.world.head().await, before);
    }
}
