use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};
use foldhash::fast::RandomState;
use sports_domain::{GameKey, GameLines, LineColumn, Market, ModelColumn, ModelName, ModelType, Season, Sport};

use crate::identity::{Resolution, Resolved};
use crate::{
    ArchivedGame, Ending, Extras, ForecastOrigin, ForecastRecord, ForecastRow, GameFacts, GamesFile, LeagueRecord,
    Located, Place, Problem, Release, Replacement, ReportedGame, SeasonArchive, SeasonArchives, SeasonHistory,
};

/// The changes of a merge to a season archive, in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MergeCounts {
    /// Games that are new to the archive.
    pub added: usize,
    /// Games of the archive that changed.
    pub changed: usize,
    /// Games left out because a professional league counts regular-season and postseason games only.
    pub left_out: usize,
    /// Live games that rows would have changed in their forecast, prices or other columns; they kept their values.
    pub live_kept: usize,
    /// BLENDs that an import would have changed and that were kept.
    pub blend_kept: usize,
    /// Finals of imported games that the import replaced.
    pub finals_changed: usize,
}

/// A season archive after a merge.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    pub archive: SeasonArchive,
    /// The changes.
    pub counts: MergeCounts,
    /// The largest difference between a BLEND that was kept and that of the import.
    pub blend_gap: f64,
    /// Games that had started and got a live forecast from the import.
    pub imported_live: Vec<GameKey>,
}

impl Merged {
    /// Returns the merge with the former starts of the games of an archive that it replaces, if any.
    pub fn in_place_of(self, replaced: Option<&SeasonArchive>) -> Self {
        match replaced {
            Some(replaced) => Self { archive: self.archive.with_former_starts(replaced), ..self },
            None => self,
        }
    }

    /// Calls the games off that are new to the archive and were called off in another market, as these endings say by identity.
    pub fn called_off_as(mut self, called_off: &HashMap<String, Ending>, existing: Option<&SeasonArchive>) -> Self {
        if called_off.is_empty() {
            return self;
        }
        let known: HashSet<_> =
            existing.into_iter().flat_map(SeasonArchive::games).map(|game| &game.facts.game_id).collect();
        let games = self.archive.games().iter().map(|game| &game.facts);
        let new = games.filter(|facts| facts.ending.is_none() && !known.contains(&facts.game_id));
        let new: HashSet<String> = new.filter_map(|facts| facts.game_id.clone()).collect();
        self.archive.end(|id| called_off.get(id).filter(|_| new.contains(id)));
        self
    }
}

/// Merges a release's history of a season into the existing archive of one market.
///
/// `resolution` has the game of every row; `existing` has its games under the keys of the resolution. Games are added
/// and updated, never removed. A live forecast and its prices stay as they are, and so does every BLEND. A game that
/// closed with a live forecast in any market takes no price and no forecast in the others. A file changes only values
/// of columns that it has, and an empty score never erases a final. `run` is the backtest run for probabilities without
/// a stated origin. `now` is the publication instant.
///
/// # Errors
///
/// Returns a problem for every row that cannot be merged: a forecast without its game, a final of a game that has not
/// started, or a final that contradicts a settled live game.
pub fn merge_history(
    market: Market,
    existing: Option<&SeasonArchive>,
    history: &SeasonHistory,
    resolution: &Resolution<'_>,
    run: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Merged, Vec<Problem>> {
    let incoming = history.markets.get(&market.model_type);
    let files: Vec<_> =
        history.shared.iter().chain(incoming.into_iter().flat_map(|incoming| &incoming.games)).collect();
    let most = files.iter().map(|file| file.rows.len()).max().unwrap_or_default();
    let context = Context { sport: market.sport, season: history.season, resolution, now };
    let mut merge = Merge::onto(context, existing, most);
    for file in files {
        for row in &file.rows {
            merge.game(file, row);
        }
    }
    for row in incoming.into_iter().flat_map(|incoming| &incoming.forecasts) {
        merge.forecast(row, run);
    }
    merge.finish(market, history, existing)
}

/// The context for merging rows.
struct Context<'m> {
    sport: Sport,
    season: Season,
    resolution: &'m Resolution<'m>,
    now: DateTime<Utc>,
}

struct Merge<'m> {
    context: Context<'m>,
    games: Vec<ArchivedGame>,
    /// The index of each game by its identity.
    places: HashMap<&'m str, usize, RandomState>,
    left_out: HashSet<&'m GameKey>,
    /// Games with a problem; their forecasts are not reported as well.
    refused: HashSet<&'m GameKey>,
    /// The indexes of live games that kept values in spite of a row.
    live_kept: HashSet<usize, RandomState>,
    counts: MergeCounts,
    blend_gap: f64,
    imported_live: Vec<GameKey>,
    problems: Vec<Problem>,
}

impl<'m> Merge<'m> {
    /// Creates a merge with capacity for `most` new games.
    fn onto(context: Context<'m>, existing: Option<&'m SeasonArchive>, most: usize) -> Self {
        let existing = existing.map(SeasonArchive::games).unwrap_or_default();
        let mut games = Vec::with_capacity(existing.len() + most);
        games.extend_from_slice(existing);
        let mut places = HashMap::with_capacity_and_hasher(games.capacity(), RandomState::default());
        let ids = existing.iter().enumerate().filter_map(|(place, game)| Some((game.facts.game_id.as_deref()?, place)));
        places.extend(ids);
        let (left_out, refused, live_kept) = (HashSet::new(), HashSet::new(), HashSet::default());
        let (counts, blend_gap, problems) = (MergeCounts::default(), 0.0, Vec::new());
        let imported_live = Vec::new();
        Self { context, games, places, left_out, refused, live_kept, counts, blend_gap, imported_live, problems }
    }

    fn resolved(&self, key: &GameKey) -> Option<&'m Resolved> {
        self.context.resolution.game(self.context.season, key)
    }

    fn game(&mut self, file: &GamesFile, row: &'m Located<ReportedGame>) {
        let incoming = &row.value;
        if !incoming.game_type.counts_in(self.context.sport) {
            self.left_out.insert(&incoming.key);
            return;
        }
        let Some(resolved) = self.resolved(&incoming.key) else {
            // The resolution reports the problem.
            self.refused.insert(&incoming.key);
            return;
        };
        if incoming.ending.score.is_some() && !incoming.key.may_have_started(self.context.now) {
            let time = incoming.key.time.map(|time| time.to_string()).unwrap_or_default();
            let expected = "a start that has passed, as there is a final";
            self.problems.push(Problem::at(row.place.clone(), expected).in_cell("time_est", time));
            self.refused.insert(&incoming.key);
            return;
        }
        let has_closed = resolved.known.is_some_and(|known| known.has_closed);
        let place = match self.places.get(&*resolved.id).copied() {
            Some(place) => {
                self.update(place, file, row, has_closed);
                place
            }
            None => self.add(resolved, incoming, has_closed),
        };
        self.problems.extend(settled_without_a_final(&self.games[place].facts, row));
    }

    fn update(&mut self, place: usize, file: &GamesFile, row: &Located<ReportedGame>, has_closed: bool) {
        let (game, incoming) = (&mut self.games[place], &row.value);
        if has_closed || game.forecast.is_live() {
            let is_other =
                has_other_lines(&game.facts, incoming, &file.given) || adds_to(&game.facts.extras, &incoming.extras);
            self.live_kept.extend(is_other.then_some(place));
            let problem = settle_live(&mut game.facts, incoming);
            self.problems.extend(problem.map(|expected| Problem::at(row.place.clone(), expected)));
        } else {
            let before = game.facts.score();
            update_imported(&mut game.facts, incoming, file);
            self.counts.finals_changed += usize::from(before.is_some() && before != game.facts.score());
        }
    }

    fn add(&mut self, resolved: &'m Resolved, incoming: &ReportedGame, has_closed: bool) -> usize {
        let place = self.games.len();
        let mut facts = incoming.clone().recorded();
        facts.game_id = Some(resolved.id.to_string());
        facts.key = resolved.key.clone().unwrap_or(facts.key);
        if has_closed {
            self.live_kept.extend((facts.lines != GameLines::default()).then_some(place));
            (facts.lines, facts.quote_source) = (GameLines::default(), None);
        }
        facts.forget_name_if_called_off();
        self.places.insert(&resolved.id, place);
        self.games.push(ArchivedGame { facts, forecast: ForecastRecord::default() });
        place
    }

    fn forecast(&mut self, row: &Located<ForecastRow>, run: Option<&str>) {
        let incoming = &row.value;
        let resolved = self.resolved(&incoming.key);
        let Some(place) = resolved.and_then(|resolved| self.places.get(&*resolved.id)) else {
            let is_refused = self.refused.contains(&incoming.key)
                || self.context.resolution.is_refused(self.context.season, &incoming.key);
            if !self.left_out.contains(&incoming.key) && !is_refused {
                self.problems.push(Problem::at(
                    row.place.clone(),
                    format!("a game {} in games/ or in the published season; this forecast has none", incoming.key),
                ));
            }
            return;
        };
        let has_closed = resolved.and_then(|resolved| resolved.known).is_some_and(|known| known.has_closed);
        let game = &mut self.games[*place];
        if has_closed || game.forecast.is_live() {
            let is_other = !agrees(&game.forecast, &incoming.record) || adds_to(&game.facts.extras, &incoming.extras);
            self.live_kept.extend(is_other.then_some(*place));
            return;
        }
        game.facts.extras.extend(&incoming.extras);
        let mut record = incoming.record.clone();
        if let Some(blend) = game.forecast.forecasts.get(ModelColumn::Blend) {
            let other = record.forecasts.get(ModelColumn::Blend).filter(|incoming| *incoming != blend);
            self.counts.blend_kept += usize::from(other.is_some());
            let gap = other.map_or(0.0, |other| (other.get() - blend.get()).abs());
            self.blend_gap = self.blend_gap.max(gap);
            record.forecasts = record.forecasts.with(ModelColumn::Blend, blend);
        }
        if agrees(&game.forecast, &record) {
            // Nothing is new: the first run stays recorded.
            return;
        }
        let incoming = record.forecasts.iter();
        record.forecasts = incoming.fold(game.forecast.forecasts, |all, (model, value)| all.with(model, value));
        let incoming = std::mem::replace(&mut record.own, game.forecast.own.clone());
        record.own.extend(&incoming);
        game.forecast = record.completed(run);
        let key = &game.facts.key;
        self.imported_live.extend((game.forecast.is_live() && key.has_started(self.context.now)).then(|| key.clone()));
    }

    fn finish(
        mut self,
        market: Market,
        history: &SeasonHistory,
        existing: Option<&SeasonArchive>,
    ) -> Result<Merged, Vec<Problem>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        // An existing key is not added.
        let archive = SeasonArchive::new(market, history.season, self.games)
            .map_err(|repeated| vec![Problem::at(place_of(history), repeated.to_string())])?;
        // Compares archived rows, since a cell of a publisher's column takes the column's common kind.
        for game in archive.games() {
            match existing.and_then(|existing| existing.get(&game.facts.key)) {
                None => self.counts.added += 1,
                Some(before) => self.counts.changed += usize::from(before != game),
            }
        }
        (self.counts.left_out, self.counts.live_kept) = (self.left_out.len(), self.live_kept.len());
        let Self { counts, blend_gap, imported_live, .. } = self;
        Ok(Merged { archive, counts, blend_gap, imported_live })
    }
}

/// Returns a problem if a row reports a game as settled that has no final.
fn settled_without_a_final(merged: &GameFacts, row: &Located<ReportedGame>) -> Option<Problem> {
    let status = row.value.ending.status.as_deref().filter(|status| *status == Ending::SETTLED)?;
    let problem = || Problem::at(row.place.clone(), "both scores beside `settled`");
    merged.score().is_none().then(|| problem().in_cell("settlement_status", status))
}

fn place_of(history: &SeasonHistory) -> Place {
    Place { file: history.season.to_string().into(), row: None }
}

/// Returns true if an incoming record adds nothing to the existing record.
fn agrees(existing: &ForecastRecord, incoming: &ForecastRecord) -> bool {
    let same = |incoming: &Option<String>, existing: &Option<String>| incoming.is_none() || incoming == existing;
    let origin = match (&incoming.origin, &existing.origin) {
        (None, _) | (Some(ForecastOrigin::WalkForward { run: None }), Some(ForecastOrigin::WalkForward { .. })) => true,
        (incoming, existing) => incoming == existing,
    };
    let source = incoming.probability_source.is_none() || incoming.probability_source == existing.probability_source;
    origin
        && source
        && same(&incoming.training_through, &existing.training_through)
        && same(&incoming.reconstruction_method, &existing.reconstruction_method)
        && incoming.forecasts.iter().all(|(model, probability)| existing.forecasts.get(model) == Some(probability))
        && incoming.own.iter().all(|(model, probability)| existing.own.get(model) == Some(probability))
}

/// Adds only an ending and a missing `match_id` to a game with a live forecast; returns the expected value if the final
/// contradicts the final on record.
fn settle_live(facts: &mut GameFacts, incoming: &ReportedGame) -> Option<String> {
    let expected = match (facts.score(), incoming.ending.score) {
        (Some(existing), Some(incoming)) if existing != incoming => Some(format!(
            "the final on record, {}-{} (away-home): an import does not change a game that was forecast live and settled",
            existing.away, existing.home
        )),
        (Some(_), Some(_)) if has_other_void(facts, incoming) => Some(
            "the void markets on record: an import does not change a game that was forecast live and settled"
                .to_owned(),
        ),
        (None, _) => {
            facts.ending = incoming.ending.clone().after(facts.ending.take());
            facts.forget_name_if_called_off();
            None
        }
        (Some(_), _) => None,
    };
    // One that was called off and was played after all has a name again.
    if facts.match_id.is_none() && !facts.is_called_off() {
        facts.match_id.clone_from(&incoming.match_id);
    }
    expected
}

/// Returns true if an import states other void markets than those of the final on record.
fn has_other_void(facts: &GameFacts, incoming: &ReportedGame) -> bool {
    let known = facts.ending.as_ref().map(|ending| ending.word_and_void().1).unwrap_or_default();
    incoming.ending.void.as_ref().is_some_and(|void| *void != known)
}

/// Returns true if an import has a value of a column of the publisher's that a game lacks, or another one.
fn adds_to(recorded: &Extras, incoming: &Extras) -> bool {
    incoming.iter().any(|(column, value)| recorded.get(column) != Some(value))
}

/// Returns true if an import has other lines for a game than those recorded live.
fn has_other_lines(facts: &GameFacts, incoming: &ReportedGame, given: &[LineColumn]) -> bool {
    given.iter().any(|column| facts.lines.value(*column) != incoming.lines.value(*column))
}

/// Updates an imported game from a row of an import.
fn update_imported(facts: &mut GameFacts, incoming: &ReportedGame, file: &GamesFile) {
    for column in &file.given {
        facts.lines.copy_column(&incoming.lines, *column);
    }
    if file.gives_game_type {
        facts.game_type = incoming.game_type.clone();
    }
    facts.ending = incoming.ending.clone().after(facts.ending.take());
    facts.match_id = incoming.match_id.clone().or_else(|| facts.match_id.take());
    facts.forget_name_if_called_off();
    facts.quote_source = incoming.quote_source.clone().or_else(|| facts.quote_source.take());
    facts.extras.extend(&incoming.extras);
}

// The rules for replacing a season as a whole.

/// Returns a problem for every season that a release cannot replace: a season without a game in the release, a season
/// that is not on record, one with a row that was recorded live, and the season of the release's predictions.
pub fn irreplaceable(seasons: &BTreeSet<Season>, release: &Release, record: &LeagueRecord) -> Vec<Problem> {
    let problem = |season: &Season| {
        let archives = || record.archives.iter().filter(|((_, of), _)| of == season).map(|(_, archive)| archive);
        let is_live = |archive: &SeasonArchive| archive.games().iter().any(|game| game.forecast.is_live());
        let counts = |history: &SeasonHistory| history.rows().any(|row| row.value.game_type.counts_in(release.sport));
        let expected = if !release.history.iter().any(|history| history.season == *season && counts(history)) {
            "a season of which the release has a game in games/ or results/"
        } else if archives().next().is_none() {
            "a season on record; the release adds this one without the option"
        } else if archives().any(is_live) {
            "a season without live rows: what was recorded live is never replaced"
        } else if release.season == Some(*season) && !release.predictions.is_empty() {
            "a season without predictions in the release"
        } else {
            return None;
        };
        let place = Place { file: "--replace-season".into(), row: None };
        Some(Problem { value: Some(season.to_string()), ..Problem::at(place, expected) })
    };
    seasons.iter().filter_map(problem).collect()
}

/// Returns what a replacement did to each market of the seasons.
pub fn replacements(seasons: &BTreeSet<Season>, before: &SeasonArchives, after: &SeasonArchives) -> Vec<Replacement> {
    let places = seasons.iter().flat_map(|season| ModelType::ALL.map(|model_type| (model_type, *season)));
    let made = |place: (ModelType, Season)| {
        let (old, new) = (before.get(&place), after.get(&place));
        let kept = new.map(columns).unwrap_or_default();
        let dropped = old.map(columns).unwrap_or_default().into_iter().filter(|name| !kept.contains(name));
        let rows = |archive: Option<&SeasonArchive>| archive.map_or(0, |archive| archive.games().len());
        (old.is_some() || new.is_some()).then(|| Replacement {
            season: place.1,
            model_type: place.0,
            rows_before: rows(old),
            rows_after: rows(new),
            columns_dropped: dropped.collect(),
        })
    };
    places.filter_map(made).collect()
}

/// Returns the columns of models and of the publisher that have values.
fn columns(archive: &SeasonArchive) -> BTreeSet<String> {
    let mut columns = BTreeSet::new();
    for game in archive.games() {
        let own: Vec<_> = game.forecast.own.iter().map(|(model, _)| model).collect();
        let models = game.forecast.forecasts.iter().map(|(model, _)| model.name());
        let models = models.chain(own.iter().map(ModelName::as_str));
        for name in models.chain(game.facts.extras.iter().map(|(name, _)| name)) {
            if !columns.contains(name) {
                columns.insert(name.to_owned());
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use sports_domain::{Market, Probability, Sport};

    use super::*;
    use crate::testing::{a_game, season};

    #[test]
    fn a_replacement_names_own_models_and_extra_columns_that_it_drops() {
        let label = season(Sport::Nfl, "2024-25");
        let place = (ModelType::OverUnder, label);
        let archives = |own: bool| -> SeasonArchives {
            let game = a_game().with(|game| {
                if own {
                    game.forecast.own.insert("Foo".parse().expect("a name"), Probability::new(0.7).expect("below 1"));
                    game.facts.extras.insert("wind", crate::Value::Integer(3));
                }
            });
            let archive = SeasonArchive::new(Market::new(Sport::Nfl, place.0), label, vec![game.build()]);
            [(place, archive.expect("one game"))].into()
        };
        let made = replacements(&[label].into(), &archives(true), &archives(false));
        assert_eq!(made.iter().map(|made| made.columns_dropped.clone()).collect::<Vec<_>>(), [["Foo", "wind"]]);
    }
}
