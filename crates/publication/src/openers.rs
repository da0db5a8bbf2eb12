//! What games were first quoted at.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use sports_domain::{GameKey, GameLines, LineColumn, TwoWayPrices};
use sports_slate::{OddsGame, is_another};

use crate::RepeatedKey;

/// The first quotes the log has seen of each game, market by market, and which of them are openers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Openers(BTreeMap<GameKey, Opener>);

/// One game's first quotes.
///
/// A first quote becomes an opener when odds published later quote the game again, changed or not. Until then it is
/// only what is posted now, and no move can be measured from it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Opener {
    /// The identity of the game in its league.
    pub game_id: Option<String>,
    /// The publisher's own id of the game.
    pub match_id: Option<String>,
    /// The openers: only the opening columns hold anything.
    pub lines: GameLines,
    /// First quotes that no later odds have followed yet, in the opening columns too.
    pub unconfirmed: GameLines,
}

impl Opener {
    /// Takes a later quote of the game, or its first: what was quoted first before is an opener now, and a market
    /// quoted for the first time waits for the next quote.
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
    /// The first quotes of these games.
    ///
    /// # Errors
    ///
    /// [`RepeatedKey`] when two of them have the same key.
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

    /// Every game, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&GameKey, &Opener)> {
        self.0.iter()
    }

    /// One game's first quotes.
    #[must_use]
    pub fn get(&self, key: &GameKey) -> Option<&Opener> {
        self.0.get(key)
    }

    /// Takes what odds quote a game at now. What another game was quoted at under this start is forgotten.
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

    /// Gives games without an identity theirs.
    pub(crate) fn identify(&mut self, mut id_of: impl FnMut(&GameKey, &Opener) -> String) {
        for (key, opener) in &mut self.0 {
            if opener.game_id.is_none() {
                opener.game_id = Some(id_of(key, opener));
            }
        }
    }

    /// The same quotes with games under their new keys. A moved game takes the place of what was quoted there.
    pub(crate) fn renamed(self, target: impl Fn(&Opener) -> Option<GameKey>) -> Self {
        let (moved, mut openers): (Vec<_>, BTreeMap<_, _>) = {
            let (moved, stay): (Vec<_>, Vec<_>) = self
                .0
                .into_iter()
                .map(|(key, opener)| (target(&opener), key, opener))
                .partition(|(to, ..)| to.is_some());
            (moved, stay.into_iter().map(|(_, key, opener)| (key, opener)).collect())
        };
        openers.extend(moved.into_iter().filter_map(|(to, _, opener)| Some((to?, opener))));
        Self(openers)
    }

    /// Forgets games dated before `first`.
    pub(crate) fn forget_before(&mut self, first: chrono::NaiveDate) {
        self.0.retain(|key, _| key.date >= first);
    }
}
