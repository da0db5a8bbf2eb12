//! The changes of rows with a live forecast by one entry of a league's log: the part of the league's tree that follows from
//! the season archives before and after the entry.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

use foldhash::fast::RandomState;
use sports_domain::{GameKey, GameLines, ModelName, ModelType, Probability, Season};

use crate::{ArchivedGame, Ending, ForecastRecord, ReleaseId, SeasonArchive};

/// The forecast of one row by the release of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct ForecastMade {
    pub season: Season,
    /// The lines and prices recorded with it.
    pub lines: GameLines,
    /// Its probabilities: those of the specification's models, then the publisher's own ones in the order of declaration.
    pub probabilities: Vec<(ModelName, Probability)>,
}

impl ForecastMade {
    /// Returns the forecast of a row, as the row has it.
    pub fn of(archive: &SeasonArchive, game: &ArchivedGame) -> Self {
        let ForecastRecord { forecasts, own, .. } = &game.forecast;
        let standard = forecasts.iter().map(|(column, probability)| (column.into(), probability));
        let own = archive.models().own().iter().filter_map(|name| Some((*name, own.get(*name)?)));
        Self { season: archive.season(), lines: game.facts.lines, probabilities: standard.chain(own).collect() }
    }
}

/// The changes of live rows by one entry. Each kind is in the order in which the tree lists it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowChanges {
    /// Games that got another start, by the old one.
    pub moved: BTreeMap<GameKey, (GameKey, Season)>,
    /// Games that lost their forecast, by market and present start.
    pub withdrawn: BTreeMap<(ModelType, GameKey), Season>,
    /// Games that the entry's release forecast, by market and start.
    pub forecast: BTreeMap<(ModelType, GameKey), ForecastMade>,
    /// Games whose final or status came, changed or went, with what they have now.
    pub ended: BTreeMap<GameKey, (Season, Option<Ending>)>,
    /// The same of games that have no forecast in any market, such as withdrawn ones: what became of them must not depend on the
    /// publisher.
    pub unforecast_ended: BTreeMap<GameKey, (Season, Option<Ending>)>,
}

/// A comparison of season archives before and after an entry, one season of one market at a time.
///
/// A row is followed by the identity of its game, also into another season. Rows that a release imports as live change
/// nothing when they come, since the release did not forecast them. Rows of a backtest never change anything.
#[derive(Debug)]
pub struct RowComparison<'r> {
    release_id: &'r ReleaseId,
    changes: RowChanges,
    /// Live rows whose place has another game or none.
    left: Vec<FollowedRow>,
    /// Rows whose place had another game or none before: live ones, and those of games in `left`.
    arrived: Vec<FollowedRow>,
}

impl<'r> RowComparison<'r> {
    /// Begins a comparison for the entry of a release.
    pub fn of(release_id: &'r ReleaseId) -> Self {
        Self { release_id, changes: RowChanges::default(), left: Vec::new(), arrived: Vec::new() }
    }

    /// Compares a season of a market, of which either archive may be missing.
    pub fn compare(&mut self, before: Option<&SeasonArchive>, after: Option<&SeasonArchive>) {
        let first_left = self.left.len();
        let (mut olds, mut news) = (rows(before).peekable(), rows(after).peekable());
        loop {
            let order = match (olds.peek(), news.peek()) {
                (Some(old), Some(new)) => old.key().cmp(new.key()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            let old = olds.next_if(|_| order.is_le());
            let new = news.next_if(|_| order.is_ge());
            match (old, new) {
                (Some(old), Some(new)) if old.is_game_of(&new) => self.stayed(&old, &new),
                (old, new) => {
                    self.left.extend(old.filter(Row::is_live).map(|old| old.followed()));
                    if let Some(new) = new.filter(Row::is_live) {
                        self.arrived(&new);
                    }
                }
            }
        }
        // A moved game may have lost its forecast at the same time.
        let left: HashSet<_, RandomState> =
            self.left[first_left..].iter().filter_map(|row| row.game_id.as_deref()).collect();
        let of_left = |row: &Row<'_>| row.id().is_some_and(|id| left.contains(id));
        let without_forecast = rows(after).filter(|row| !left.is_empty() && !row.is_live() && of_left(row));
        self.arrived.extend(without_forecast.map(|row| row.followed()).collect::<Vec<_>>());
    }

    /// Follows the rows that are in other places, and returns the changes.
    pub fn finish(mut self) -> RowChanges {
        let mut arrived = BTreeMap::new();
        for row in std::mem::take(&mut self.arrived) {
            match row.game_id.clone() {
                Some(id) => _ = arrived.insert((row.model_type, id), row),
                None => self.came(row),
            }
        }
        for old in std::mem::take(&mut self.left) {
            match old.game_id.clone().and_then(|id| arrived.remove(&(old.model_type, id))) {
                Some(new) => self.followed(old, new),
                None => _ = self.changes.withdrawn.insert((old.model_type, old.key), old.season),
            }
        }
        for row in arrived.into_values() {
            self.came(row);
        }
        let RowChanges { ended, unforecast_ended, .. } = &mut self.changes;
        unforecast_ended.retain(|game, _| !ended.contains_key(game));
        self.changes
    }

    /// Returns true for a row whose changes can be part of the tree: a live one, and one that may have lost its forecast.
    pub fn follows(game: &ArchivedGame) -> bool {
        game.forecast.is_live() || game.forecast == ForecastRecord::default()
    }

    /// Notes the changes of a row in the place of its game before.
    fn stayed(&mut self, old: &Row<'_>, new: &Row<'_>) {
        if new.is_live() {
            self.forecast(new);
        }
        match (old.is_live(), new.is_live()) {
            (true, true) if old.game.facts.ending == new.game.facts.ending => {}
            (true, _) => self.followed(old.followed(), new.followed()),
            (false, true) => self.came(new.followed()),
            (false, false) => self.unforecast(old, new),
        }
    }

    /// Notes a live row whose place had another game or none before.
    fn arrived(&mut self, new: &Row<'_>) {
        self.forecast(new);
        self.arrived.push(new.followed());
    }

    /// Notes the changes of a row that was live.
    fn followed(&mut self, old: FollowedRow, new: FollowedRow) {
        if old.key != new.key {
            self.changes.moved.insert(old.key, (new.key.clone(), new.season));
        }
        if !new.is_live {
            self.changes.withdrawn.insert((new.model_type, new.key), new.season);
        } else if old.ending != new.ending {
            self.ended(new);
        }
    }

    /// Notes the final or status of a row that was not live before.
    fn came(&mut self, new: FollowedRow) {
        let is_forecast = self.changes.forecast.contains_key(&(new.model_type, new.key.clone()));
        if is_forecast && new.ending.is_some() {
            self.ended(new);
        }
    }

    /// Notes the ending of a row that had and has no forecast.
    fn unforecast(&mut self, old: &Row<'_>, new: &Row<'_>) {
        let is_followed = [old, new].iter().all(|row| Self::follows(row.game));
        if is_followed && old.game.facts.ending != new.game.facts.ending {
            note_ending(&mut self.changes.unforecast_ended, new.followed());
        }
    }

    fn ended(&mut self, row: FollowedRow) {
        note_ending(&mut self.changes.ended, row);
    }

    /// Notes the forecast of a live row, if the release made it.
    fn forecast(&mut self, row: &Row<'_>) {
        let forecast = &row.game.forecast;
        if forecast.origin.as_ref().and_then(|origin| origin.run()) != Some(self.release_id.as_str()) {
            return;
        }
        let made = ForecastMade::of(row.archive, row.game);
        self.changes.forecast.insert((row.model_type(), row.key().clone()), made);
    }
}

fn note_ending(ended: &mut BTreeMap<GameKey, (Season, Option<Ending>)>, row: FollowedRow) {
    let FollowedRow { key, season, ending, .. } = row;
    let ended = ended.entry(key).or_insert((season, None));
    // A file of one market may have settled the game in that market only.
    ended.1 = ended.1.take().or(ending);
}

/// A row of an archive.
struct Row<'a> {
    archive: &'a SeasonArchive,
    game: &'a ArchivedGame,
}

fn rows(archive: Option<&SeasonArchive>) -> impl Iterator<Item = Row<'_>> {
    archive.into_iter().flat_map(|archive| archive.games().iter().map(move |game| Row { archive, game }))
}

impl<'a> Row<'a> {
    const fn key(&self) -> &'a GameKey {
        &self.game.facts.key
    }

    fn id(&self) -> Option<&'a str> {
        self.game.facts.game_id.as_deref()
    }

    const fn model_type(&self) -> ModelType {
        self.archive.market().model_type
    }

    const fn is_live(&self) -> bool {
        self.game.forecast.is_live()
    }

    /// Returns true for a row of the same game under the same key.
    fn is_game_of(&self, other: &Self) -> bool {
        let ids = self.id().zip(other.id());
        self.key() == other.key() && ids.is_none_or(|(id, other)| id == other)
    }

    fn followed(&self) -> FollowedRow {
        FollowedRow {
            model_type: self.model_type(),
            season: self.archive.season(),
            key: self.key().clone(),
            game_id: self.game.facts.game_id.clone(),
            ending: self.game.facts.ending.clone(),
            is_live: self.is_live(),
        }
    }
}

/// A row that is followed by the identity of its game.
#[derive(Debug)]
struct FollowedRow {
    model_type: ModelType,
    season: Season,
    key: GameKey,
    game_id: Option<String>,
    ending: Option<Ending>,
    is_live: bool,
}
