//! A release's history, game by game, over the games on record.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::NaiveDate;
use foldhash::fast::RandomState;
use sports_domain::{
    FinalScore, Forecasts, GameKey, GameLines, ModelName, ModelSet, ModelType, OwnForecasts, OwnMatrix, Season, Sport,
};
use sports_grading::MarketGame;

use crate::{GamesFile, Place, SeasonArchive, SeasonArchives, SeasonHistory};

/// A game of a season: its key, and the values that the release and the record give it.
#[derive(Debug, Clone)]
pub(crate) struct Game<'r> {
    pub(crate) key: &'r GameKey,
    /// The first row of the release; `None` for a game on record that no file has.
    pub(crate) place: Option<&'r Place>,
    pub(crate) lines: GameLines,
    pub(crate) score: Option<FinalScore>,
    pub(crate) forecasts: Forecasts<'static>,
    /// The probabilities of the publisher's own models.
    pub(crate) own: OwnForecasts,
}

impl<'r> Game<'r> {
    /// Returns a game of a slate, which has no score; the forecasts are of no check.
    pub(crate) fn quoted(key: &'r GameKey, place: &'r Place, lines: GameLines) -> Self {
        let (forecasts, own) = Default::default();
        Self { key, place: Some(place), lines, score: None, forecasts, own }
    }

    /// Returns the game as input to grading, without own models.
    pub(crate) fn market_game(&self, model_type: ModelType) -> MarketGame<'static> {
        MarketGame::new(model_type, &self.lines, self.score, self.forecasts)
    }

    fn update(&mut self, lines: &GameLines, score: Option<FinalScore>, file: &GamesFile) {
        for column in file.given.iter().filter(|column| lines.value(**column).is_some()) {
            self.lines.copy_column(lines, *column);
        }
        self.score = score.or(self.score);
    }
}

/// The games of one market, and the models that have probabilities for them.
#[derive(Debug)]
pub(crate) struct MarketGames<'r> {
    pub(crate) games: Vec<Game<'r>>,
    pub(crate) models: ModelSet,
    own: OwnMatrix,
}

impl<'r> MarketGames<'r> {
    /// Lists the own models on record first, in the order of their declaration; others follow by name.
    fn of(games: Vec<Game<'r>>, on_record: &[ModelName]) -> Self {
        let mut others: BTreeSet<_> = games.iter().flat_map(|game| game.own.iter()).map(|(name, _)| name).collect();
        others.retain(|name| !on_record.contains(name));
        // A release with more models is refused when it is applied.
        let names = on_record.iter().copied().chain(others).take(ModelSet::MOST);
        let models = ModelSet::new(names).unwrap_or_default();
        let own = OwnMatrix::from_games(&models, games.iter().map(|game| &game.own));
        Self { games, models, own }
    }

    /// Returns the games as input to grading.
    pub(crate) fn graded(&self, model_type: ModelType) -> Vec<MarketGame<'_>> {
        let graded = self.games.iter().map(|game| game.market_game(model_type));
        graded.enumerate().map(|(index, game)| game.with_own(self.own.row(index))).collect()
    }
}

/// The games of one season of a release.
#[derive(Debug)]
pub(crate) struct SeasonGames<'r> {
    pub(crate) sport: Sport,
    pub(crate) season: Season,
    /// The games of the files, each once.
    pub(crate) listed: Vec<Game<'r>>,
    pub(crate) on_record: Option<&'r SeasonArchive>,
    /// The games of each market, on record and listed.
    pub(crate) markets: BTreeMap<ModelType, MarketGames<'r>>,
    /// Rows of parts of the season that do not count, by the word for the part.
    pub(crate) left_out: BTreeMap<&'r str, usize>,
    /// The first file.
    pub(crate) file: &'r str,
}

impl<'r> SeasonGames<'r> {
    pub(crate) fn of(sport: Sport, history: &'r SeasonHistory, record: &'r SeasonArchives) -> Self {
        let season = history.season;
        let on_record = record.iter().find(|((_, of), _)| *of == season).map(|(_, archive)| archive);
        let all = history.shared.iter().chain(history.markets.values().flat_map(|market| &market.games));
        let rows = all.clone().flat_map(|file| &file.rows);
        let forecasts = history.markets.values().flat_map(|market| &market.forecasts).map(|row| &*row.place.file);
        let file = rows.clone().map(|row| &*row.place.file).chain(forecasts).next().unwrap_or_default();
        let mut left_out = BTreeMap::new();
        for row in rows.filter(|row| !row.value.game_type.counts_in(sport)) {
            *left_out.entry(row.value.game_type.word()).or_default() += 1;
        }
        let mut listed = Games::default();
        all.for_each(|file| listed.add(sport, file));
        let market = |model_type: ModelType| {
            let own = record.get(&(model_type, season));
            let mut games = Games::on_record(own.or(on_record), own.is_some());
            let incoming = history.markets.get(&model_type);
            for file in history.shared.iter().chain(incoming.into_iter().flat_map(|incoming| &incoming.games)) {
                games.add(sport, file);
            }
            for row in incoming.into_iter().flat_map(|incoming| &incoming.forecasts) {
                if let Some(game) = games.find(&row.value.key) {
                    let forecasts = row.value.record.forecasts.iter();
                    game.forecasts = forecasts.fold(game.forecasts, |all, (model, value)| all.with(model, value));
                    game.own.extend(&row.value.record.own);
                }
            }
            (model_type, MarketGames::of(games.all, own.map_or(&[], |archive| archive.models().own())))
        };
        let markets = history.touched().into_iter().map(market).collect();
        Self { sport, season, listed: listed.all, on_record, markets, left_out, file }
    }
}

/// Games in the order of discovery, found by key.
#[derive(Default)]
struct Games<'r> {
    all: Vec<Game<'r>>,
    places: HashMap<&'r GameKey, usize, RandomState>,
    /// Recorded games by date and teams; `None` for several.
    by_date: HashMap<(NaiveDate, &'r str, &'r str), Option<usize>, RandomState>,
}

impl<'r> Games<'r> {
    fn on_record(archive: Option<&'r SeasonArchive>, with_forecasts: bool) -> Self {
        let mut games = Self::default();
        for game in archive.into_iter().flat_map(SeasonArchive::games) {
            let (facts, key) = (&game.facts, &game.facts.key);
            let place = games.all.len();
            games.places.insert(key, place);
            games.by_date.entry(of_date(key)).and_modify(|known| *known = None).or_insert(Some(place));
            let (forecasts, own) =
                if with_forecasts { (game.forecast.forecasts, game.forecast.own.clone()) } else { Default::default() };
            games.all.push(Game { key, place: None, lines: facts.lines, score: facts.score(), forecasts, own });
        }
        games
    }

    fn add(&mut self, sport: Sport, file: &'r GamesFile) {
        let new = file.rows.len().saturating_sub(self.all.len());
        self.all.reserve(new);
        self.places.reserve(new);
        for row in file.rows.iter().filter(|row| row.value.game_type.counts_in(sport)) {
            let (key, place) = (&row.value.key, Some(&row.place));
            let score = row.value.ending.score;
            if let Some(game) = self.find(key) {
                game.place = game.place.or(place);
                game.key = key;
                game.update(&row.value.lines, score, file);
            } else {
                self.places.insert(key, self.all.len());
                let (forecasts, own) = Default::default();
                self.all.push(Game { key, place, lines: row.value.lines, score, forecasts, own });
            }
        }
    }

    /// Returns the game with a key, or the only recorded game of its teams and date.
    fn find(&mut self, key: &GameKey) -> Option<&mut Game<'r>> {
        let known = self.places.get(key).copied();
        let place = known.or_else(|| self.by_date.get(&of_date(key)).copied().flatten())?;
        self.all.get_mut(place)
    }
}

fn of_date(key: &GameKey) -> (NaiveDate, &str, &str) {
    (key.date, key.away.as_str(), key.home.as_str())
}
