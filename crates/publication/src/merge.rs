use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use foldhash::fast::RandomState;
use sports_domain::{GameKey, LineColumn, Market, ModelColumn, Sport, TeamSlug};

use crate::{
    ArchivedGame, Ending, ForecastOrigin, ForecastRecord, ForecastRow, GameFacts, GamesFile, Located, Place, Problem,
    ReportedGame, SeasonArchive, SeasonHistory,
};

/// What merging did to a season archive, in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MergeCounts {
    /// Games that were not in the archive before.
    pub added: usize,
    /// Games that were in the archive and are different now.
    pub changed: usize,
    /// Games left out because a professional league counts regular-season and postseason games only.
    pub left_out: usize,
    /// Live games whose forecasts or prices an import would have changed and did not, by row.
    pub live_kept: usize,
    /// BLENDs that an import would have changed and did not.
    pub blend_kept: usize,
}

/// A season archive after a merge.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The archive.
    pub archive: SeasonArchive,
    /// What changed.
    pub counts: MergeCounts,
}

/// Merges what a release says about a season into the existing archive of one market.
///
/// Games are added and updated, never removed. A forecast recorded live, and the prices beside it,
/// stay as they are; so does every BLEND. A file changes only what it has columns for, and an empty
/// score never erases a final. `run` names the backtest of probabilities that do not say where they
/// come from. `now` is when it is published.
///
/// # Errors
///
/// Every row that cannot be merged: a forecast without its game, a final of a game that has not
/// started, a final that contradicts a settled live game, a game that is in the archive with a start
/// time missing on one of the two.
pub fn merge_history(
    market: Market,
    existing: Option<&SeasonArchive>,
    history: &SeasonHistory,
    run: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Merged, Vec<Problem>> {
    let incoming = history.markets.get(&market.model_type);
    let files: Vec<_> =
        history.shared.iter().chain(incoming.into_iter().flat_map(|incoming| &incoming.games)).collect();
    let most = files.iter().map(|file| file.rows.len()).max().unwrap_or_default();
    let mut merge = Merge::onto(market.sport, existing, most, now);
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

struct Merge<'m> {
    sport: Sport,
    now: DateTime<Utc>,
    games: Vec<ArchivedGame>,
    /// The games of these teams on this date.
    pairings: HashMap<Pairing<'m>, Vec<Paired<'m>>, RandomState>,
    left_out: HashSet<&'m GameKey>,
    /// Games that are a problem themselves: their forecasts are not another.
    refused: HashSet<&'m GameKey>,
    counts: MergeCounts,
    problems: Vec<Problem>,
}

/// The place of a game, and the file that added it; none for one of the existing archive.
type Paired<'m> = (usize, Option<&'m Arc<str>>);

type Pairing<'m> = (NaiveDate, &'m TeamSlug, &'m TeamSlug);

const fn pairing(key: &GameKey) -> Pairing<'_> {
    (key.date, &key.away, &key.home)
}

impl<'m> Merge<'m> {
    /// Nothing merged yet, and room for `most` new games.
    fn onto(sport: Sport, existing: Option<&'m SeasonArchive>, most: usize, now: DateTime<Utc>) -> Self {
        let existing = existing.map(SeasonArchive::games).unwrap_or_default();
        let mut games = Vec::with_capacity(existing.len() + most);
        games.extend_from_slice(existing);
        let mut pairings: HashMap<_, Vec<_>, _> =
            HashMap::with_capacity_and_hasher(games.capacity(), RandomState::default());
        for (place, game) in existing.iter().enumerate() {
            pairings.entry(pairing(&game.facts.key)).or_default().push((place, None));
        }
        Self {
            sport,
            now,
            games,
            pairings,
            left_out: HashSet::new(),
            refused: HashSet::new(),
            counts: MergeCounts::default(),
            problems: Vec::new(),
        }
    }

    /// The place of a game that is there already.
    fn place(&self, key: &GameKey) -> Option<usize> {
        let mut paired = self.pairings.get(&pairing(key))?.iter().map(|(place, _)| *place);
        paired.find(|place| self.games[*place].facts.key == *key)
    }

    fn game(&mut self, file: &GamesFile, row: &'m Located<ReportedGame>) {
        let incoming = &row.value;
        if !incoming.game_type.counts_in(self.sport) {
            self.left_out.insert(&incoming.key);
            return;
        }
        if incoming.ending.score.is_some() && !incoming.key.may_have_started(self.now) {
            let time = incoming.key.time.map(|time| time.to_string()).unwrap_or_default();
            let expected = "a start that has passed, as there is a final";
            self.problems.push(Problem::at(row.place.clone(), expected).in_cell("time_est", time));
            self.refused.insert(&incoming.key);
        } else if let Some(place) = self.place(&incoming.key) {
            let game = &mut self.games[place];
            if game.forecast.is_live() {
                self.counts.live_kept += usize::from(has_other_lines(&game.facts, incoming, &file.given));
                let problem = settle_live(&mut game.facts, incoming);
                self.problems.extend(problem.map(|expected| Problem::at(row.place.clone(), expected)));
            } else {
                update_imported(&mut game.facts, incoming, file);
            }
        } else if let Some(problem) = self.twin(&incoming.key, &row.place) {
            self.problems.push(problem);
            self.refused.insert(&incoming.key);
        } else {
            let added = (self.games.len(), Some(&row.place.file));
            self.pairings.entry(pairing(&incoming.key)).or_default().push(added);
            self.games.push(ArchivedGame { facts: incoming.clone().recorded(), forecast: ForecastRecord::default() });
        }
        self.problems.extend(self.settled_without_a_final(row));
    }

    /// The problem of a row that calls a game settled of which no final is known.
    fn settled_without_a_final(&self, row: &Located<ReportedGame>) -> Option<Problem> {
        let status = row.value.ending.status.as_deref().filter(|status| *status == Ending::SETTLED)?;
        let merged = &self.games[self.place(&row.value.key)?].facts;
        let problem = || Problem::at(row.place.clone(), "both scores beside `settled`");
        merged.score().is_none().then(|| problem().in_cell("settlement_status", status))
    }

    /// What is wrong with adding a game that may be there already under another key: listed elsewhere
    /// with a start time where this row has none (or the reverse), or without times once with a game
    /// number and once without. A timed and an untimed game within one file are a doubleheader.
    fn twin(&self, key: &GameKey, place: &Place) -> Option<Problem> {
        for (place_of_twin, added_by) in self.pairings.get(&pairing(key))? {
            let twin = &self.games[*place_of_twin].facts.key;
            if twin.time.is_none() != key.time.is_none() && *added_by != Some(&place.file) {
                let expected = format!(
                    "the start time this game has elsewhere ({twin}); one of the two has no time, and keeping both \
                     would count the game twice"
                );
                let time = key.time.map(|time| time.to_string());
                return Some(Problem::at(place.clone(), expected).in_cell("time_est", time.unwrap_or_default()));
            }
            if twin.time.is_none() && twin.game_number.is_none() != key.game_number.is_none() {
                let expected = format!("a game number in both rows or in neither; the other is {twin}");
                let number = key.game_number.map(|number| number.to_string());
                return Some(Problem::at(place.clone(), expected).in_cell("game_number", number.unwrap_or_default()));
            }
        }
        None
    }

    fn forecast(&mut self, row: &Located<ForecastRow>, run: Option<&str>) {
        let incoming = &row.value;
        let Some(place) = self.place(&incoming.key) else {
            if !self.left_out.contains(&incoming.key) && !self.refused.contains(&incoming.key) {
                self.problems.push(Problem::at(
                    row.place.clone(),
                    format!("a game {} in games/ or in the published season; this forecast has none", incoming.key),
                ));
            }
            return;
        };
        let game = &mut self.games[place];
        if game.forecast.is_live() {
            self.counts.live_kept += usize::from(!agrees(&game.forecast, &incoming.record));
            return;
        }
        game.facts.extras.extend(&incoming.extras);
        let mut record = incoming.record.clone();
        if let Some(blend) = game.forecast.forecasts.get(ModelColumn::Blend) {
            let blend_differs = record.forecasts.get(ModelColumn::Blend).is_some_and(|incoming| incoming != blend);
            self.counts.blend_kept += usize::from(blend_differs);
            record.forecasts = record.forecasts.with(ModelColumn::Blend, blend);
        }
        if agrees(&game.forecast, &record) {
            // Nothing is new: the run that said it first stays named.
            return;
        }
        let existing = game.forecast.forecasts;
        record.forecasts =
            record.forecasts.iter().fold(existing, |all, (model, probability)| all.with(model, probability));
        game.forecast = record.completed(run);
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
        // A key that is there already is not added.
        let archive = SeasonArchive::new(market, history.season, self.games)
            .map_err(|repeated| vec![Problem::at(place_of(history), repeated.to_string())])?;
        // As they are archived: a cell of a publisher's column takes the kind of the others there.
        for game in archive.games() {
            match existing.and_then(|existing| existing.get(&game.facts.key)) {
                None => self.counts.added += 1,
                Some(before) => self.counts.changed += usize::from(before != game),
            }
        }
        self.counts.left_out = self.left_out.len();
        Ok(Merged { archive, counts: self.counts })
    }
}

fn place_of(history: &SeasonHistory) -> Place {
    Place { file: history.season.to_string().into(), row: None }
}

/// Whether an incoming record says nothing that the existing one does not say already.
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
}

/// Adds a final to a game with a live forecast, and nothing else; says what was expected where it contradicts one.
fn settle_live(facts: &mut GameFacts, incoming: &ReportedGame) -> Option<String> {
    match (facts.score(), incoming.ending.score) {
        (Some(existing), Some(incoming)) if existing != incoming => Some(format!(
            "the final on record, {}-{} (away-home): an import does not change a game that was forecast live and settled",
            existing.away, existing.home
        )),
        (None, Some(_)) => {
            facts.ending = incoming.ending.clone().after(None);
            None
        }
        _ => None,
    }
}

/// Whether an import has other lines for a game than those recorded live.
fn has_other_lines(facts: &GameFacts, incoming: &ReportedGame, given: &[LineColumn]) -> bool {
    given.iter().any(|column| facts.lines.value(*column) != incoming.lines.value(*column))
}

/// Takes over what an import says about an imported game.
fn update_imported(facts: &mut GameFacts, incoming: &ReportedGame, file: &GamesFile) {
    for column in &file.given {
        facts.lines.copy_column(&incoming.lines, *column);
    }
    if file.gives_game_type {
        facts.game_type = incoming.game_type.clone();
    }
    facts.ending = incoming.ending.clone().after(facts.ending.take());
    facts.match_id = incoming.match_id.clone().or_else(|| facts.match_id.take());
    facts.quote_source = incoming.quote_source.clone().or_else(|| facts.quote_source.take());
    facts.extras.extend(&incoming.extras);
}
