use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{GameLines, ModelType, Season, Sport};

use crate::movement::game::{GameMovement, Membership};
use crate::movement::publications::{Publications, Published, ReadEntry};
use crate::movement::row::{RecordedRow, SeasonRows};
use crate::{Generation, Odds, Predictions, ReleaseId};

/// The parts of the slate that one log entry published.
#[derive(Debug, Clone)]
pub struct EntrySlate<'e> {
    /// The number of the entry.
    pub generation: Generation,
    /// The time from which the entry was the newest. Entries of the oldest forms can share it with those noted before.
    pub published_at: DateTime<Utc>,
    /// The release that the entry published.
    pub release_id: &'e ReleaseId,
    /// The season that was current in the entry.
    pub season: Season,
    /// The odds that the entry published and the time of their sources; `None` if it kept those of the entry before.
    pub odds: Option<(DateTime<Utc>, &'e Odds)>,
    /// The same of each market's predictions.
    pub predictions: BTreeMap<ModelType, (DateTime<Utc>, &'e Predictions)>,
}

/// The movement of the odds and forecasts of a season, from the entries that were read. It is immutable once it is shared:
/// a reader that goes on copies it, and unchanged games are not copied.
#[derive(Debug, Clone)]
pub struct SeasonMovement {
    sport: Sport,
    season: Season,
    entries: Vec<ReadEntry>,
    /// The indices of the entries by release.
    releases: HashMap<String, usize>,
    is_from_the_first: bool,
    pub(crate) odds: Publications,
    pub(crate) predictions: BTreeMap<ModelType, Publications>,
    /// Every game of the entries, by identity; some are of another season.
    games: BTreeMap<String, Arc<GameMovement>>,
    rows: SeasonRows,
    /// The games whose published id another game has now, once they were needed.
    without_id: OnceLock<HashSet<String>>,
    /// The games in the newest odds.
    quoted: HashSet<String>,
    /// The games in the newest predictions of each market.
    predicted: BTreeMap<ModelType, HashSet<String>>,
}

impl SeasonMovement {
    /// Begins the movement of a season. `is_from_the_first` is true if the first entry to be noted is the first of the record.
    pub fn new(sport: Sport, season: Season, is_from_the_first: bool) -> Self {
        Self {
            sport,
            season,
            entries: Vec::new(),
            releases: HashMap::new(),
            is_from_the_first,
            odds: Publications::default(),
            predictions: BTreeMap::new(),
            games: BTreeMap::new(),
            rows: SeasonRows::default(),
            without_id: OnceLock::new(),
            quoted: HashSet::new(),
            predicted: BTreeMap::new(),
        }
    }

    /// Notes the next entry.
    pub fn note(&mut self, entry: &EntrySlate<'_>) {
        let (generation, published_at) = (entry.generation, entry.published_at);
        self.without_id = OnceLock::new();
        self.releases.insert(entry.release_id.to_string(), self.entries.len());
        self.entries.push(ReadEntry { generation, published_at, release_id: entry.release_id.clone() });
        if let Some((source_as_of, odds)) = entry.odds {
            self.note_odds(entry.season, Published { generation, published_at, source_as_of }, odds);
        }
        for (model_type, (source_as_of, predictions)) in &entry.predictions {
            let published = Published { generation, published_at, source_as_of: *source_as_of };
            self.note_predictions(*model_type, published, predictions);
        }
    }

    /// Replaces the rows of the season's archives.
    pub fn set_rows(&mut self, rows: SeasonRows) {
        self.without_id = OnceLock::new();
        self.rows = rows;
    }

    /// Notes the start that an entry gave a game in the archives while no slate listed the game.
    pub fn note_move(&mut self, game_id: &str, generation: Generation, row: &RecordedRow) {
        if let Some(entry) = self.entry(generation).cloned() {
            self.without_id = OnceLock::new();
            self.of_game(game_id).move_to(&entry, row);
        }
    }

    /// Returns the rows of the season's archives.
    pub const fn rows(&self) -> &SeasonRows {
        &self.rows
    }

    /// Returns the movement up to an entry, as if no later one had been read. The rows are to be replaced by those of the entry.
    pub fn up_to(&self, generation: Generation) -> Self {
        let mut then = self.clone();
        then.entries.retain(|entry| entry.generation <= generation);
        then.releases.retain(|_, index| *index < then.entries.len());
        then.odds.cut_after(generation);
        then.predictions.values_mut().for_each(|publications| publications.cut_after(generation));
        if then.entries.is_empty() {
            return Self::new(self.sport, self.season, self.is_from_the_first);
        }
        let (odds, predictions) = (&then.odds, &then.predictions);
        let of_market = |of: ModelType| predictions.get(&of).map_or(0, Publications::len);
        let cut = |game: &GameMovement| game.up_to(generation, odds.len(), of_market);
        then.games = self.games.iter().filter_map(|(id, game)| Some((id.clone(), Arc::new(cut(game)?)))).collect();
        then.set_rows(SeasonRows::default());
        then
    }

    fn note_odds(&mut self, current: Season, published: Published, odds: &Odds) {
        let (index, mut now) = (self.odds.add(published), HashSet::new());
        for quoted in odds.games() {
            let Some(id) = quoted.game_id.as_deref() else { continue };
            let is_member = season_of(self.sport, current, quoted.key.date) == self.season;
            let membership = if is_member { Membership::Quoted } else { Membership::Other };
            let game = self.of_game(id);
            game.list(published, &quoted.key, quoted.match_id.as_ref());
            game.membership = game.membership.max(membership);
            game.quotes.note(index, Some(quoted.lines).filter(|lines| *lines != GameLines::default()));
            now.insert(id.to_owned());
        }
        let before = std::mem::take(&mut self.quoted);
        for id in before.difference(&now) {
            self.of_game(id).quotes.note(index, None);
        }
        self.quoted = now;
    }

    fn note_predictions(&mut self, model_type: ModelType, published: Published, predictions: &Predictions) {
        let place = (model_type, self.predictions.entry(model_type).or_default().add(published));
        let mut now = HashSet::new();
        let membership = if predictions.season() == self.season { Membership::Predicted } else { Membership::Other };
        for predicted in predictions.games().iter().map(|game| &game.game) {
            let Some(id) = predicted.game_id.as_deref() else { continue };
            let game = self.of_game(id);
            game.predict(published, place, predicted);
            game.membership = game.membership.max(membership);
            now.insert(id.to_owned());
        }
        let before = self.predicted.remove(&place.0).unwrap_or_default();
        for id in before.difference(&now) {
            self.of_game(id).forecasts.entry(place.0).or_default().note(place.1, None);
        }
        self.predicted.insert(place.0, now);
    }

    fn of_game(&mut self, id: &str) -> &mut GameMovement {
        let game = self.games.entry(id.to_owned()).or_insert_with(|| Arc::new(GameMovement::new(id)));
        Arc::make_mut(game)
    }

    pub const fn sport(&self) -> Sport {
        self.sport
    }

    pub const fn season(&self) -> Season {
        self.season
    }

    /// Returns the entries that were read, oldest first.
    pub fn entries(&self) -> &[ReadEntry] {
        &self.entries
    }

    /// Returns true if the record has no entry before those that were read.
    pub const fn is_from_the_first(&self) -> bool {
        self.is_from_the_first
    }

    /// Returns the entry that was the newest at an instant.
    pub(crate) fn entry_at(&self, instant: DateTime<Utc>) -> Option<&ReadEntry> {
        let later = self.entries.partition_point(|entry| entry.published_at <= instant);
        self.entries.get(later.checked_sub(1)?)
    }

    /// Returns the entry with a number.
    pub fn entry(&self, generation: Generation) -> Option<&ReadEntry> {
        let index = self.entries.binary_search_by_key(&generation, |entry| entry.generation).ok()?;
        self.entries.get(index)
    }

    /// Returns the entry that published a release.
    pub fn entry_of(&self, release_id: &str) -> Option<&ReadEntry> {
        self.entries.get(*self.releases.get(release_id)?)
    }

    /// Returns the publication of the odds that were current at an instant.
    pub fn odds_at(&self, instant: DateTime<Utc>) -> Option<Published> {
        self.odds.get(self.odds.through(instant).checked_sub(1)?)
    }

    /// Returns the games of the season that were quoted or predicted.
    pub(crate) fn movements(&self) -> impl Iterator<Item = &GameMovement> {
        self.games.values().map(|game| &**game).filter(|game| self.has(game))
    }

    /// Returns a game of the season.
    pub(crate) fn movement(&self, game_id: &str) -> Option<&GameMovement> {
        self.games.get(game_id).map(|game| &**game).filter(|game| self.has(game))
    }

    /// Returns a game's row in the newest archive of a market.
    pub fn row(&self, model_type: ModelType, game_id: &str) -> Option<&RecordedRow> {
        self.rows.get(model_type, game_id)
    }

    /// Returns a game's row in the newest archive of any market.
    pub(crate) fn any_row<'r>(&'r self, game_id: &'r str) -> Option<&'r RecordedRow> {
        self.rows.of_game(game_id).next()
    }

    /// Returns true if another game has the published id of a game now: by its row, or by a later publication.
    pub(crate) fn lost_its_id(&self, game_id: &str) -> bool {
        let games = || self.games.values().map(|game| &**game);
        let lost = || {
            let mut holders = HashMap::new();
            let mut named: Vec<_> = games().flat_map(GameMovement::ids).collect();
            named.sort_by_key(|(generation, ..)| *generation);
            holders.extend(named.into_iter().map(|(_, id, game_id)| (id, game_id)));
            let rows = ModelType::ALL.into_iter().flat_map(|of| self.rows.iter(of));
            holders.extend(rows.filter_map(|(game_id, row)| Some((row.match_id.as_deref()?, game_id))));
            let is_lost = |game: &&GameMovement| {
                let id = game.newest_listing().and_then(|listing| listing.match_id.as_deref());
                id.is_some_and(|id| holders[id] != game.game_id())
            };
            games().filter(is_lost).map(|game| game.game_id().to_owned()).collect()
        };
        self.without_id.get_or_init(lost).contains(game_id)
    }

    /// Returns true for a game of the season: one that an archive has, or that was published for it.
    fn has(&self, game: &GameMovement) -> bool {
        game.membership > Membership::Other || self.any_row(game.game_id()).is_some()
    }

    /// Returns the approximate memory, in bytes.
    pub fn bytes(&self) -> usize {
        let entries = self.entries.len() * (size_of::<ReadEntry>() + size_of::<(String, usize)>() + 2 * TEXTS);
        let publications = self.odds.bytes() + self.predictions.values().map(Publications::bytes).sum::<usize>();
        let games = self.games.values().map(|game| game.bytes() + TEXTS).sum::<usize>();
        entries + publications + games + self.rows.bytes()
    }
}

/// Returns the season of a game that was quoted while a season was current: that one, unless its months lack the date and those of
/// another season have it. The first odds of a season can come before its first predictions, which make it the current one.
fn season_of(sport: Sport, current: Season, date: NaiveDate) -> Season {
    let around = Season::around(sport, date);
    let is_of_another = !current.usually_has(sport, date) && around.usually_has(sport, date);
    if is_of_another { around } else { current }
}

/// The approximate memory of the text of an id, in bytes.
const TEXTS: usize = 64;
