//! Starts that changed while no slate listed the game. Only the archives of the entries between have them.

use crate::Generation;
use crate::identity::Start;

use crate::movement::game::{GameMovement, Naming};
use crate::movement::row::{RecordedRow, SeasonRows};
use crate::movement::season::SeasonMovement;

/// The entries in which the start of a game may have changed while no slate listed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnlistedSpan {
    /// The identity of the game.
    pub game_id: String,
    /// The entry before the first possible change.
    pub from: Generation,
    /// The last entry of a possible change.
    pub through: Generation,
}

/// The state of a movement up to which the starts of unlisted games were searched for.
#[derive(Debug, Clone, Default)]
pub struct SearchedMoves {
    through: Option<Generation>,
    rows: SeasonRows,
}

impl SeasonMovement {
    /// Returns the state of the movement, as one whose unlisted games were searched for.
    pub fn as_searched(&self) -> SearchedMoves {
        SearchedMoves { through: self.entries().last().map(|entry| entry.generation), rows: self.rows().clone() }
    }

    /// Returns the games whose start may have changed while no slate listed them, except for what was searched before: games
    /// that were listed again with another start, and games whose row has a start under which they were not listed.
    pub fn unlisted_spans(&self, searched: &SearchedMoves) -> Vec<UnlistedSpan> {
        let span = |game: &GameMovement| {
            let row = self.any_row(game.game_id())?;
            let spans = [self.listed_again(game, searched.through), self.moved_in_row(game, row, &searched.rows)];
            let (from, through) =
                spans.into_iter().flatten().reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
            Some(UnlistedSpan { game_id: game.game_id().to_owned(), from, through })
        };
        self.movements().filter_map(span).collect()
    }

    /// Returns the entries from the last listing with another start to the one before the game was listed again.
    fn listed_again(&self, game: &GameMovement, searched: Option<Generation>) -> Option<(Generation, Generation)> {
        let changes = game.names().windows(2).filter(|names| names[0].start != names[1].start);
        let new = changes.filter(|names| Some(names[1].generation) > searched);
        let mut unlisted = new.filter_map(|names| {
            let before = self.entry_before(names[1].generation).filter(|before| !self.lists(game, *before))?;
            Some((names[0].generation, before))
        });
        let (from, through) = unlisted.next()?;
        Some((from, unlisted.last().map_or(through, |(_, through)| through)))
    }

    /// Returns the entries up to the newest one, if the row has a start under which the game was not listed.
    fn moved_in_row(
        &self,
        game: &GameMovement,
        row: &RecordedRow,
        searched: &SeasonRows,
    ) -> Option<(Generation, Generation)> {
        let (names, through) = (game.names(), self.entries().last()?.generation);
        let was_listed = |start: &Start| names.iter().any(|naming| naming.start == *start);
        let last = names.last().filter(|last| last.start != Start::of(&row.key));
        let first = names.first().filter(|_| !row.former_starts.iter().all(was_listed));
        let from = first.or(last).map(|Naming { generation, .. }| *generation)?;
        let is_known = searched.of_game(game.game_id()).next().is_some_and(|known| known.has_starts_of(row));
        (!is_known).then_some((from, through))
    }

    /// Returns the entry before another one.
    fn entry_before(&self, generation: Generation) -> Option<Generation> {
        let entries = self.entries();
        let index = entries.partition_point(|entry| entry.generation < generation);
        Some(entries.get(index.checked_sub(1)?)?.generation)
    }

    /// Returns true if the odds or predictions of an entry have content of a game.
    fn lists(&self, game: &GameMovement, generation: Generation) -> bool {
        let quoted = self.odds.through_entry(generation).checked_sub(1);
        let predicted = |of| self.predictions.get(of)?.through_entry(generation).checked_sub(1);
        quoted.is_some_and(|index| game.quotes.in_publication(index).is_some())
            || game
                .forecasts
                .iter()
                .any(|(of, versions)| predicted(of).is_some_and(|index| versions.in_publication(index).is_some()))
    }
}
