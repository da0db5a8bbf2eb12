use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use sports_domain::GameKey;

use super::publishing::Publishing;
use crate::registry::probability_in;
use crate::{ArchivedGame, ForecastOrigin, ForecastRecord, LeagueRecord, PredictedGame, ReleaseId};

/// Returns a game's row with its prediction, just published before play in place of an earlier one.
pub(super) fn recorded(
    mut row: ArchivedGame,
    earlier: Option<&PredictedGame>,
    published: &PredictedGame,
    release_id: &ReleaseId,
    published_at: DateTime<Utc>,
) -> ArchivedGame {
    let facts = &mut row.facts;
    facts.lines = published.game.lines;
    facts.game_id.clone_from(&published.game.game_id);
    // A game that was called off has no name anymore.
    let name = published.game.match_id.clone().filter(|_| !facts.is_called_off());
    facts.match_id = name.or_else(|| facts.match_id.take());
    facts.game_type = published.game_type.clone().unwrap_or_else(|| facts.game_type.clone());
    facts.quote_source = published.quote_source.clone().or_else(|| facts.quote_source.take());
    let replaced = earlier.into_iter().flat_map(|earlier| earlier.extras.iter());
    for (column, _) in replaced.filter(|(_, value)| probability_in(value).is_some()) {
        // A later declaration would make it a forecast of this release.
        facts.extras.remove(column);
    }
    facts.extras.extend(&published.extras);
    let (forecasts, own) = (published.game.forecasts, published.game.own.clone());
    if !forecasts.is_empty() || !own.is_empty() {
        let origin = ForecastOrigin::Live { run: Some(release_id.to_string()), published_at: Some(published_at) };
        let live = ForecastRecord { forecasts, own, origin: Some(origin), ..ForecastRecord::default() };
        row.forecast = live.completed(None);
    } else if row.forecast.is_live() {
        // Withdrawn before play: the record keeps what was served when the game began.
        row.forecast = ForecastRecord::default();
    }
    row
}

/// Records the current predictions of games to come whose only models had extra columns until now: they are live forecasts
/// of this release.
pub(super) fn record_promoted(publishing: &Publishing<'_>, closed: &BTreeSet<GameKey>, record: &mut LeagueRecord) {
    let Publishing { release_id, now, .. } = publishing;
    let is_open = |key: &GameKey| !key.has_started(*now) && !closed.contains(key);
    for (model_type, predictions) in &record.predictions {
        let Some(archive) = record.archives.get_mut(&(*model_type, predictions.season())) else { continue };
        let own = predictions.games().iter().filter(|game| game.game.forecasts.is_empty() && !game.game.own.is_empty());
        for game in own.filter(|game| is_open(&game.game.key)) {
            archive.change(&game.game.key, |row| {
                if !row.forecast.is_live() && row.facts.score().is_none() {
                    *row = recorded(row.clone(), None, game, release_id, *now);
                }
            });
        }
    }
}
