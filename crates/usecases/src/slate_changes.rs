//! The changes of a slate since an earlier moment.

use std::collections::BTreeSet;

use sports_publication::{MoveKind, MovingSlate, SlateMove};

/// The changes of a slate since an earlier moment, by the identities of games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SlateChanges {
    /// The games that are new or have moved.
    changed: BTreeSet<String>,
    /// The games that the slate no longer has.
    gone: BTreeSet<String>,
}

impl SlateChanges {
    pub(crate) fn of<S: MovingSlate>(moves: &[SlateMove<S::Game>]) -> Self {
        let mut changes = Self::default();
        for SlateMove { kind, game } in moves {
            let list = if *kind == MoveKind::Gone { &mut changes.gone } else { &mut changes.changed };
            list.extend(S::id(game).map(str::to_owned));
        }
        changes
    }

    /// Returns true if a game is new or has moved.
    pub fn has(&self, game_id: Option<&str>) -> bool {
        game_id.is_some_and(|id| self.changed.contains(id))
    }

    /// Returns the games that the slate no longer has.
    pub fn gone(&self) -> Vec<String> {
        self.gone.iter().cloned().collect()
    }

    /// Returns the changes of the games of several markets with their odds. A game that a market still has is not gone.
    #[must_use]
    pub fn of_markets(
        markets: impl IntoIterator<Item = Self>,
        odds: Self,
        is_listed: impl Fn(&String) -> bool,
    ) -> Self {
        let ids = markets.into_iter().flat_map(|market| market.changed.into_iter().chain(market.gone));
        let (mut changed, gone): (BTreeSet<_>, _) = ids.partition(&is_listed);
        changed.extend(odds.changed.into_iter().chain(odds.gone).filter(is_listed));
        Self { changed, gone }
    }
}
