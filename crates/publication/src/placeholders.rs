//! Starts that feeds write while a start is not known.

use std::borrow::Cow;

use sports_domain::{GameKey, Season};

use crate::recorded_names::keys;
use crate::{Place, Release};

/// Returns the release with an unknown start for each placeholder. `are_starts` keeps them as starts, which tell games
/// apart without a number.
pub fn without_placeholders(release: &Release, are_starts: bool) -> Cow<'_, Release> {
    let sport = release.sport;
    let moved = release.moved.iter().flat_map(|row| row.value.keys());
    let named = release.held_games.values().flatten().map(|held| &held.value).chain(moved);
    if !release.starts().map(|(_, _, key)| key).chain(named).any(|key| key.has_placeholder(sport)) {
        return Cow::Borrowed(release);
    }
    let mut release = release.clone();
    for key in keys(&mut release, |_| true, true).into_iter().filter(|key| key.has_placeholder(sport)) {
        if are_starts {
            key.game_number = None;
        } else {
            key.time = None;
        }
    }
    Cow::Owned(release)
}

impl Release {
    /// Returns the start of every row, with its place; the season is that of a row of history.
    pub(crate) fn starts(&self) -> impl Iterator<Item = (Option<Season>, &Place, &GameKey)> {
        let history = self.history.iter().flat_map(|history| {
            let forecasts = history.markets.values().flat_map(|market| &market.forecasts);
            let games = history.rows().map(|row| (&row.place, &row.value.key));
            let rows = games.chain(forecasts.map(|row| (&row.place, &row.value.key)));
            rows.map(|(place, key)| (Some(history.season), place, key))
        });
        history.chain(self.slate_rows().map(|(place, key, _)| (None, place, key)))
    }
}
