//! The first quotes of games.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use sports_domain::{GameKey, GameLines, LineColumn, TwoWayPrices};

use crate::RepeatedKey;
use crate::slate::{OddsGame, is_another};

/// The first published quotes of each game by market, with a mark for openers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Openers(BTreeMap<GameKey, Opener>);

/// The first quotes of a game.
///
/// A first quote becomes an opener when odds published later quote the game again, changed or not. Until then it is
/// only the current quote, from which no line move can be measured.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Opener {
    /// The identity of the game in its league.
    #[cfg_attr(feature = "serde", serde(with = "crate::slate::serialized::identity"))]
    pub game_id: Option<String>,
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// The openers, in the opening columns only.
    #[cfg_attr(feature = "serde", serde(default))]
    pub lines: GameLines,
    /// First quotes that no later odds have followed yet, in the opening columns only.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serialized::is_default"))]
    pub unconfirmed: GameLines,
}

impl Opener {
    /// Records a quote of the game: earlier first quotes become openers, and the first quote of a market becomes
    /// unconfirmed.
    fn quoted(&mut self, now: &GameLines) {
        if LineColumn::ALL.iter().all(|column| now.value(*column).is_none()) {
            return;
        }
        let (lines, first) = (&mut self.lines, std::mem::take(&mut self.unconfirmed));
        if lines.open_money == TwoWayPrices::default() {
            lines.open_money = first.open_money;
        }
        lines.open_spread = lines.open_spread.or(first.open_spread);
        lines.open_total = lines.open_total.or(first.open_total);
        if lines.open_money == TwoWayPrices::default() {
            self.unconfirmed.open_money = now.money;
        }
        self.unconfirmed.open_spread = now.spread.filter(|_| lines.open_spread.is_none());
        self.unconfirmed.open_total = now.total.filter(|_| lines.open_total.is_none());
    }
}

impl Openers {
    /// Collects the first quotes of games.
    ///
    /// # Errors
    ///
    /// [`RepeatedKey`] if two games have the same key.
    pub fn new(games: impl IntoIterator<Item = (GameKey, Opener)>) -> Result<Self, RepeatedKey> {
        let mut openers = BTreeMap::new();
        for (key, opener) in games {
            match openers.entry(key) {
                Entry::Vacant(free) => _ = free.insert(opener),
                Entry::Occupied(taken) => return Err(RepeatedKey(taken.key().clone())),
            }
        }
        Ok(Self(openers))
    }

    /// Returns every game, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&GameKey, &Opener)> {
        self.0.iter()
    }

    /// Returns the first quotes of a game.
    pub fn get(&self, key: &GameKey) -> Option<&Opener> {
        self.0.get(key)
    }

    /// Records the odds of a game. First quotes of another game under the same start are removed.
    pub fn note(&mut self, odds: &OddsGame) {
        let opener = self.0.entry(odds.key.clone()).or_default();
        if is_another(opener.game_id.as_deref(), odds.game_id.as_deref()) {
            *opener = Opener::default();
        }
        opener.game_id.clone_from(&odds.game_id);
        if odds.match_id.is_some() {
            opener.match_id.clone_from(&odds.match_id);
        }
        opener.quoted(&odds.lines);
    }

    /// Changes the quotes of all games; their keys stay.
    pub(crate) fn change_all(&mut self, mut change: impl FnMut(&GameKey, &mut Opener)) {
        self.0.iter_mut().for_each(|(key, opener)| change(key, opener));
    }

    /// Returns the quotes with games under their new keys. Quotes that a game has at its new key stay.
    pub(crate) fn renamed(self, target: impl Fn(&Opener) -> Option<GameKey>) -> Self {
        let (moved, mut openers): (Vec<_>, BTreeMap<_, _>) = {
            let (moved, stay): (Vec<_>, Vec<_>) = self
                .0
                .into_iter()
                .map(|(key, opener)| (target(&opener).filter(|to| *to != key), key, opener))
                .partition(|(to, ..)| to.is_some());
            (moved, stay.into_iter().map(|(_, key, opener)| (key, opener)).collect())
        };
        for (to, _, opener) in moved {
            to.map(|to| openers.entry(to).or_insert(opener));
        }
        Self(openers)
    }

    /// Removes games dated before `first`.
    pub(crate) fn forget_before(&mut self, first: chrono::NaiveDate) {
        self.0.retain(|key, _| key.date >= first);
    }
}
