use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{GameKey, LineColumn, Market, ModelColumn, Sport, TeamSlug};

use crate::{
    ArchivedGame, ForecastOrigin, ForecastRecord, ForecastRow, GameFacts, GamesFile, Located, Place, Problem,
    SeasonArchive, SeasonHistory,
};

/// What merging did to a season archive, in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MergeCounts {
    /// Games that were not in the archive before.
    pub added: usize,
    /// Games that stood in the archive and read differently now.
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

/// Merges what a release says about a season into the standing archive of one market.
///
/// Games are added and updated, never removed. A forecast recorded live, and the prices beside it,
/// stay as they are; so does every BLEND. A file changes only what it has columns for, and an empty
/// score never erases a final. `run` names the backtest of probabilities that do not say where they
/// come from. `now` is when it is published.
///
/// # Errors
///
/// Every row that cannot be merged: a forecast without its game, a final of a game that has not
/// started, a final that contradicts a settled live game, a game that stands in the archive with a start
/// time missing on one of the two.
pub fn merge_history(
    market: Market,
    standing: Option<&SeasonArchive>,
    history: &SeasonHistory,
    run: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Merged, Vec<Problem>> {
    let mut merge = Merge::of(market.sport, standing, now);
    let told = history.markets.get(&market.model_type);
    for file in history.shared.iter().chain(told.into_iter().flat_map(|told| &told.games)) {
        for row in &file.rows {
            merge.game(file, row);
        }
    }
    for row in told.into_iter().flat_map(|told| &told.forecasts) {
        merge.forecast(row, run);
    }
    merge.finish(market, history, standing)
}

struct Merge {
    sport: Sport,
    now: DateTime<Utc>,
    games: BTreeMap<GameKey, ArchivedGame>,
    /// The games of these teams on this date, each with the file that added it; none for a standing one.
    pairings: HashMap<Pairing, Vec<Paired>>,
    left_out: BTreeSet<GameKey>,
    /// Games that are a problem themselves: their forecasts are not another.
    refused: BTreeSet<GameKey>,
    counts: MergeCounts,
    problems: Vec<Problem>,
}

type Pairing = (NaiveDate, TeamSlug, TeamSlug);

/// A game and the file that added it.
type Paired = (GameKey, Option<Arc<str>>);

fn pairing(key: &GameKey) -> Pairing {
    (key.date, key.away.clone(), key.home.clone())
}

impl Merge {
    fn of(sport: Sport, standing: Option<&SeasonArchive>, now: DateTime<Utc>) -> Self {
        let standing = standing.map(SeasonArchive::games).unwrap_or_default();
        let mut pairings: HashMap<_, Vec<_>> = HashMap::new();
        for game in standing {
            pairings.entry(pairing(&game.facts.key)).or_default().push((game.facts.key.clone(), None));
        }
        Self {
            sport,
            now,
            games: standing.iter().map(|game| (game.facts.key.clone(), game.clone())).collect(),
            pairings,
            left_out: BTreeSet::new(),
            refused: BTreeSet::new(),
            counts: MergeCounts::default(),
            problems: Vec::new(),
        }
    }

    fn game(&mut self, file: &GamesFile, row: &Located<GameFacts>) {
        let told = &row.value;
        if !told.game_type.counts_in(self.sport) {
            self.left_out.insert(told.key.clone());
            return;
        }
        if told.score.is_some() && !told.key.may_have_started(self.now) {
            let time = told.key.time.map(|time| time.to_string()).unwrap_or_default();
            let expected = "a start that has passed, as there is a final";
            self.problems.push(Problem::at(row.place.clone(), expected).in_cell("time_est", time));
            self.refused.insert(told.key.clone());
        } else if let Some(game) = self.games.get_mut(&told.key) {
            if game.forecast.is_live() {
                self.counts.live_kept += usize::from(tells_other_lines(&game.facts, told, &file.given));
                let problem = settle_live(&mut game.facts, told);
                self.problems.extend(problem.map(|expected| Problem::at(row.place.clone(), expected)));
            } else {
                update_imported(&mut game.facts, told, file);
            }
        } else if let Some(problem) = self.twin(&told.key, &row.place) {
            self.problems.push(problem);
            self.refused.insert(told.key.clone());
        } else {
            let mut facts = told.clone();
            complete_settlement(&mut facts);
            let added = (told.key.clone(), Some(Arc::clone(&row.place.file)));
            self.pairings.entry(pairing(&told.key)).or_default().push(added);
            self.games.insert(told.key.clone(), ArchivedGame { facts, forecast: ForecastRecord::default() });
        }
    }

    /// What is wrong with adding a game that may be there already under another key: told elsewhere
    /// with a start time where this row has none (or the reverse), or without times once with a game
    /// number and once without. A timed and an untimed game within one file are a doubleheader.
    fn twin(&self, key: &GameKey, place: &Place) -> Option<Problem> {
        for (twin, added_by) in self.pairings.get(&pairing(key))? {
            if twin.time.is_none() != key.time.is_none() && added_by.as_ref() != Some(&place.file) {
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
        let told = &row.value;
        let Some(game) = self.games.get_mut(&told.key) else {
            if !self.left_out.contains(&told.key) && !self.refused.contains(&told.key) {
                self.problems.push(Problem::at(
                    row.place.clone(),
                    format!("a game {} in games/ or in the published season; this forecast has none", told.key),
                ));
            }
            return;
        };
        if game.forecast.is_live() {
            self.counts.live_kept += usize::from(!agrees(&game.forecast, &told.record));
            return;
        }
        game.facts.extras.extend(&told.extras);
        let mut record = told.record.clone();
        if let Some(blend) = game.forecast.forecasts.get(ModelColumn::Blend) {
            let told_other = record.forecasts.get(ModelColumn::Blend).is_some_and(|told| told != blend);
            self.counts.blend_kept += usize::from(told_other);
            record.forecasts = record.forecasts.with(ModelColumn::Blend, blend);
        }
        if agrees(&game.forecast, &record) {
            // Nothing new is said: the run that said it first keeps the credit.
            return;
        }
        let standing = game.forecast.forecasts;
        record.forecasts = record.forecasts.iter().fold(standing, |all, (model, chance)| all.with(model, chance));
        game.forecast = record.completed(run);
    }

    fn finish(
        mut self,
        market: Market,
        history: &SeasonHistory,
        standing: Option<&SeasonArchive>,
    ) -> Result<Merged, Vec<Problem>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let games = self.games.into_values().collect();
        // The keys come out of a map, so none repeats.
        let archive = SeasonArchive::new(market, history.season, games)
            .map_err(|repeated| vec![Problem::at(place_of(history), repeated.to_string())])?;
        let before: HashMap<_, _> =
            standing.into_iter().flat_map(SeasonArchive::games).map(|game| (&game.facts.key, game)).collect();
        // As they are archived: a cell of a publisher's column takes the kind of the others there.
        for game in archive.games() {
            match before.get(&game.facts.key) {
                None => self.counts.added += 1,
                Some(stood) => self.counts.changed += usize::from(*stood != game),
            }
        }
        self.counts.left_out = self.left_out.len();
        Ok(Merged { archive, counts: self.counts })
    }
}

fn place_of(history: &SeasonHistory) -> Place {
    Place { file: history.season.to_string().into(), row: None }
}

/// Whether a told record says nothing the standing one does not say already.
fn agrees(standing: &ForecastRecord, told: &ForecastRecord) -> bool {
    let same = |told: &Option<String>, stands: &Option<String>| told.is_none() || told == stands;
    let origin = match (&told.origin, &standing.origin) {
        (None, _) | (Some(ForecastOrigin::WalkForward { run: None }), Some(ForecastOrigin::WalkForward { .. })) => true,
        (told, standing) => told == standing,
    };
    let source = told.probability_source.is_none() || told.probability_source == standing.probability_source;
    origin
        && source
        && same(&told.training_through, &standing.training_through)
        && same(&told.reconstruction_method, &standing.reconstruction_method)
        && told.forecasts.iter().all(|(model, chance)| standing.forecasts.get(model) == Some(chance))
}

/// Adds a final to a live game and nothing else; says what was expected where it contradicts one.
fn settle_live(facts: &mut GameFacts, told: &GameFacts) -> Option<String> {
    match (facts.score, told.score) {
        (Some(stands), Some(told)) if stands != told => Some(format!(
            "the final on record, {}-{} (away-home): an import does not change a game that was forecast live and settled",
            stands.away, stands.home
        )),
        (None, Some(score)) => {
            facts.score = Some(score);
            facts.settlement_status.clone_from(&told.settlement_status);
            complete_settlement(facts);
            None
        }
        _ => None,
    }
}

/// Whether an import has other lines for a game than those recorded live.
fn tells_other_lines(facts: &GameFacts, told: &GameFacts, given: &[LineColumn]) -> bool {
    given.iter().any(|column| facts.lines.value(*column) != told.lines.value(*column))
}

/// Takes over what an import says about an imported game. A final, once known, is only replaced by
/// another, and with it goes its status: a game that was played is not called off.
fn update_imported(facts: &mut GameFacts, told: &GameFacts, file: &GamesFile) {
    for column in &file.given {
        facts.lines.copy_column(&told.lines, *column);
    }
    if file.gives_game_type {
        facts.game_type = told.game_type.clone();
    }
    if told.score.is_some() || facts.score.is_none() {
        let settled_before = facts.score.is_some();
        facts.score = told.score;
        let kept = facts.settlement_status.take().filter(|_| told.score.is_none() || settled_before);
        facts.settlement_status = told.settlement_status.clone().or(kept);
    }
    facts.match_id = told.match_id.clone().or_else(|| facts.match_id.take());
    facts.quote_source = told.quote_source.clone().or_else(|| facts.quote_source.take());
    facts.extras.extend(&told.extras);
    complete_settlement(facts);
}

/// A game with a final and no stated status is settled.
fn complete_settlement(facts: &mut GameFacts) {
    if facts.score.is_some() && facts.settlement_status.is_none() {
        facts.settlement_status = Some(GameFacts::SETTLED.to_owned());
    }
}
