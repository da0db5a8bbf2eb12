//! One market's predictions after a release.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, GameLines, LineColumn, Market, ModelName, ModelType, Season};

use super::{MarketReport, Publishing};
use crate::registry::probability_in;
use crate::slate::SlateGame;
use crate::slate_artifacts::OPENING;
use crate::{
    ArchivedGame, ForecastOrigin, ForecastRecord, GameFacts, LeagueRecord, Place, PredictedGame, Predictions,
    PredictionsFile, Problem, ReleaseId, RepeatedKey, SeasonArchive, ZeroSpreadOpeners,
};

/// The inputs of one market's predictions.
pub(super) struct MarketSlate<'r> {
    pub(super) publishing: &'r Publishing<'r>,
    /// The record with its odds, openers and starts after this release.
    pub(super) record: &'r LeagueRecord,
    pub(super) model_type: ModelType,
    pub(super) season: Season,
    pub(super) file: &'r PredictionsFile,
    /// The rows of every file by game.
    pub(super) rows: &'r BTreeMap<ModelType, BTreeMap<&'r GameKey, &'r PredictedGame>>,
    /// Closed games whose present start lies ahead or is not known.
    pub(super) closed: &'r BTreeSet<GameKey>,
}

/// The treatment of a row.
enum RowTreatment {
    /// It is published and recorded.
    Published(PredictedGame),
    /// The game has closed: its prediction stays.
    Frozen(PredictedGame),
    /// The publisher holds the game: its previous prediction stays.
    Held,
    /// The game had started before its first forecast.
    Unrecorded(GameKey),
}

impl MarketSlate<'_> {
    /// Returns the market's predictions and archive after the release, and the changes.
    pub(super) fn publish(&self) -> Result<(Predictions, SeasonArchive, MarketReport), Vec<Problem>> {
        let held = self.held()?;
        let mut report = MarketReport::default();
        let (mut games, mut published) = (held.clone(), Vec::new());
        report.held = held.iter().map(|game| game.game.key.clone()).collect();
        for row in &self.file.rows {
            match self.treatment(&row.value, &report.held) {
                RowTreatment::Held => {}
                RowTreatment::Unrecorded(key) => report.unrecorded.push(key),
                RowTreatment::Frozen(game) => {
                    report.frozen.push(game.game.key.clone());
                    games.push(game);
                }
                RowTreatment::Published(game) => {
                    published.push(game.clone());
                    games.push(game);
                }
            }
        }
        let predictions = Predictions::new(self.model_type, self.season, games).map_err(|RepeatedKey(key)| {
            let place = Place { file: format!("predictions/{}", self.model_type).into(), row: None };
            vec![Problem::at(place, format!("each game once; two rows are of {key}"))]
        })?;
        report.repeated = self.is_repeated(&predictions, &report.held);
        let before = self.current().map(Predictions::games).unwrap_or_default().iter().map(|game| &game.game.key);
        let dropped = before.filter(|key| !key.has_started(self.publishing.now) && predictions.get(key).is_none());
        report.dropped = dropped.cloned().collect();
        report.unforecast = self.unforecast(&predictions);
        self.count(&published, &mut report);
        let archive = self.archive(if report.repeated { &[] } else { &published })?;
        Ok((predictions, archive, report))
    }

    /// Returns the held games as they are published.
    fn held(&self) -> Result<Vec<PredictedGame>, Vec<Problem>> {
        let (mut kept, mut problems) = (Vec::new(), Vec::new());
        for held in self.publishing.slate.held_games.get(&self.model_type).into_iter().flatten() {
            match self.current().and_then(|current| current.get(&held.value)) {
                Some(game) => kept.push(game.clone()),
                None => problems.push(
                    Problem::at(held.place.clone(), "a game that has published predictions")
                        .in_cell(format!("held_games.{}", self.model_type), held.value.to_string()),
                ),
            }
        }
        if problems.is_empty() { Ok(kept) } else { Err(problems) }
    }

    fn treatment(&self, row: &PredictedGame, held: &BTreeSet<GameKey>) -> RowTreatment {
        let key = &row.game.key;
        if held.contains(key) {
            return RowTreatment::Held;
        }
        let is_over = self.row(key).is_some_and(|game| game.facts.score().is_some());
        let has_closed = key.has_started(self.publishing.now) || self.closed.contains(key);
        if !has_closed && !is_over {
            return RowTreatment::Published(self.completed(row));
        }
        self.existing(key).map_or_else(|| RowTreatment::Unrecorded(key.clone()), RowTreatment::Frozen)
    }

    /// Returns every game of the season on record, in any market.
    fn recorded(&self) -> impl Iterator<Item = &GameFacts> {
        let archives = self.record.archives.iter().filter(|((_, season), _)| *season == self.season);
        archives.flat_map(|(_, archive)| archive.games()).map(|game| &game.facts)
    }

    /// Returns the row completed with values that its file has no column for: lines from the market's other files, the
    /// odds and the first quotes, and the id and the price source from the odds.
    fn completed(&self, row: &PredictedGame) -> PredictedGame {
        let key = &row.game.key;
        let mut lines = self.row(key).map(|game| game.facts.lines).unwrap_or_default();
        let quoted = self.record.odds.as_ref().and_then(|odds| odds.get(key));
        if let Some(odds) = quoted {
            copy(&mut lines, &odds.lines, LineColumn::ALL.iter().filter(|column| !OPENING.contains(column)));
        }
        if let Some(opener) = self.record.openers.get(key) {
            let missing = OPENING.iter().filter(|column| lines.value(**column).is_none()).copied().collect::<Vec<_>>();
            copy(&mut lines, &opener.lines, &missing);
        }
        for (model_type, file) in &self.publishing.slate.predictions {
            let other = self.rows.get(model_type).and_then(|rows| rows.get(key));
            if let Some(other) = other.filter(|_| *model_type != self.model_type) {
                copy(&mut lines, &other.game.lines, &file.given);
            }
        }
        copy(&mut lines, &row.game.lines, &self.file.given);
        let match_id = row.game.match_id.clone().or_else(|| quoted?.match_id.clone());
        // The odds' quote source applies only if all prices come from the odds.
        let own_prices = self.file.given.iter().any(|column| !OPENING.contains(column));
        let quote_source = row.quote_source.clone().or_else(|| quoted.filter(|_| !own_prices)?.quote_source.clone());
        let lines = match self.publishing.release.zero_spread_openers {
            Some(ZeroSpreadOpeners::PickEm) => lines,
            Some(ZeroSpreadOpeners::Placeholder) | None => lines.without_placeholder_openers(),
        };
        PredictedGame { game: SlateGame { match_id, lines, ..row.game.clone() }, quote_source, ..row.clone() }
    }

    /// Returns a game's predictions before this release, from the current predictions, else from the record.
    fn existing(&self, key: &GameKey) -> Option<PredictedGame> {
        let current = self.current().and_then(|predictions| predictions.get(key));
        current.cloned().or_else(|| self.row(key).filter(|game| game.forecast.is_live()).map(of_record))
    }

    fn current(&self) -> Option<&Predictions> {
        self.record.predictions.get(&self.model_type)
    }

    fn archived(&self) -> Option<&SeasonArchive> {
        self.record.archives.get(&(self.model_type, self.season))
    }

    fn row(&self, key: &GameKey) -> Option<&ArchivedGame> {
        self.archived()?.get(key)
    }

    /// Returns true if the release has no content that is not published already.
    fn is_repeated(&self, predictions: &Predictions, held: &BTreeSet<GameKey>) -> bool {
        let release = self.publishing.release;
        let Some(entry) = self.publishing.catalog.and_then(|catalog| catalog.predictions.get(&self.model_type)) else {
            return false;
        };
        // Team names are not part of a forecast.
        self.current().is_some_and(|current| *current == predictions.clone().naming(current.names().clone()))
            && entry.artifact.slate_date == release.slate_date
            && entry.held_games.iter().eq(held)
            && release.predictions_as_of().is_none_or(|incoming| incoming == entry.artifact.source_as_of)
    }

    fn count(&self, published: &[PredictedGame], report: &mut MarketReport) {
        let current = self.current();
        for game in published {
            let key = &game.game.key;
            if self.row(key).is_none() {
                report.new.push(key.clone());
            } else if current.and_then(|predictions| predictions.get(key)) != Some(game) {
                report.changed.push(key.clone());
            }
        }
    }

    /// Returns the models that had a probability for a game that is still to come, and have none in the file.
    fn unforecast(&self, predictions: &Predictions) -> Vec<ModelName> {
        let now = self.publishing.now;
        let current = self.current().map(Predictions::games).unwrap_or_default().iter();
        let to_come =
            current.filter(|game| !game.game.key.has_started(now) && predictions.get(&game.game.key).is_some());
        let had: BTreeSet<_> = to_come.flat_map(|game| game.game.models()).collect();
        let has: BTreeSet<_> = self.file.rows.iter().flat_map(|row| row.value.game.models()).collect();
        had.difference(&has).copied().collect()
    }

    fn archive(&self, published: &[PredictedGame]) -> Result<SeasonArchive, Vec<Problem>> {
        let existing = self.archived().map(SeasonArchive::games).unwrap_or_default();
        let mut games: BTreeMap<_, _> = existing.iter().map(|game| (game.facts.key.clone(), game.clone())).collect();
        for game in published {
            let key = &game.game.key;
            let row = games.remove(key).unwrap_or_else(|| self.new_row(game));
            let Publishing { release_id, now, .. } = self.publishing;
            games.insert(key.clone(), recorded(row, self.existing(key).as_ref(), game, release_id, *now));
        }
        let market = Market::new(self.publishing.release.sport, self.model_type);
        SeasonArchive::new(market, self.season, games.into_values().collect()).map_err(|repeated| {
            vec![Problem::at(Place { file: "predictions".into(), row: None }, repeated.to_string())]
        })
    }

    /// Creates the row of a game that is new to this market; a game that another market has as called off is called off
    /// here.
    fn new_row(&self, game: &PredictedGame) -> ArchivedGame {
        let key = &game.game.key;
        let elsewhere = self.recorded().find(|facts| facts.key == *key);
        let ending = elsewhere.filter(|facts| facts.is_called_off()).and_then(|facts| facts.ending.clone());
        let former_starts = elsewhere.and_then(|facts| facts.former_starts.clone());
        let game_id = game.game.game_id.clone();
        let facts = GameFacts { game_id, former_starts, ending, ..GameFacts::unforecast(key.clone()) };
        ArchivedGame { facts, forecast: ForecastRecord::default() }
    }
}

fn copy<'c>(lines: &mut GameLines, from: &GameLines, columns: impl IntoIterator<Item = &'c LineColumn>) {
    for column in columns {
        lines.copy_column(from, *column);
    }
}

fn of_record(game: &ArchivedGame) -> PredictedGame {
    let facts = &game.facts;
    PredictedGame {
        game: SlateGame {
            key: facts.key.clone(),
            game_id: facts.game_id.clone(),
            match_id: facts.match_id.clone(),
            lines: facts.lines,
            forecasts: game.forecast.forecasts,
            own: game.forecast.own.clone(),
        },
        game_type: Some(facts.game_type.clone()),
        quote_source: facts.quote_source.clone(),
        extras: facts.extras.clone(),
    }
}

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
        let live = ForecastRecord { forecasts, own, origin: Some(origin), recorded: true, ..ForecastRecord::default() };
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
