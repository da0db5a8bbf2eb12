use std::any::type_name;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use futures::future::BoxFuture;
use futures::{StreamExt, TryStreamExt, stream};
use sports_domain::content::ObjectHash;
use sports_domain::{DateSpan, FinalScore, GameKey, ModelColumn, ModelId, ModelName, ModelSet, OwnMatrix, TeamSlug};
use sports_grading::MarketGame;
use sports_performance::{
    Curves, ForecastOf, Grid, ModelCoverage, ModelSummary, SeasonGame, TeamForm, Tracking, grids, model_coverage,
    summarise, team_form,
};
use sports_ports::PortError;
use sports_ports::seasons::{LoadedSeason, SeasonRef, SeasonViews, Weighed};
use sports_publication::{
    ArchivedGame, CountedForecasts, ForecastKind, ForecastOrigin, ProbabilitySource, SeasonArchive,
};
use sports_strategies::{Finality, StrategyGame};

use super::PublishedSeason;
use crate::record::{Archives, off_thread};

/// The figures of one season of one market, computed once from its graded rows.
#[derive(Debug, PartialEq)]
pub struct SeasonAnalytics {
    /// The record of each model.
    pub(super) summary: Vec<ModelSummary>,
    /// The models' four-week curves.
    pub(super) curves: Curves,
    /// The distribution of games over each model's probability and the market's, in the order of models.
    grids: Vec<Grid>,
    /// The record of each team.
    pub(super) form: Vec<TeamForm>,
    /// The composition of the record.
    pub(super) tracking: Tracking,
    /// The games of each model.
    pub(super) coverage: Vec<ModelCoverage>,
    /// The models of the season.
    pub(super) models: ModelSet,
    /// The keys of all games, oldest first.
    pub(super) keys: Vec<GameKey>,
    /// Their identities.
    pub(super) ids: Vec<Box<str>>,
    /// The same games as input of the strategies, with BLEND's edges and without the probabilities of own models.
    strategy_games: Vec<StrategyGame<'static>>,
    /// The probabilities of own models, a row for each game.
    own: OwnMatrix,
    /// The kind of forecast of each of these games; `None` for a game without a forecast.
    pub(super) forecast_kinds: Vec<Option<ForecastKind>>,
    /// The time at which an entry of this log published the forecast of each of these games; `None` for other forecasts.
    recorded_at: Vec<Option<DateTime<Utc>>>,
    unsettled: Vec<GameKey>,
}

impl SeasonAnalytics {
    /// Grades a season and computes its figures.
    pub fn from_archive(archive: &SeasonArchive) -> Self {
        let model_type = archive.market().model_type;
        let (models, archived) = (archive.models(), archive.games());
        let own = OwnMatrix::from_games(models, archived.iter().map(|game| &game.forecast.own));
        let markets = archived.iter().enumerate();
        let markets = markets.map(|(row, game)| (key(game), game.market_game_with(model_type, own.row(row))));
        let games: Vec<_> = markets.map(|(key, market)| SeasonGame::new(key, market)).collect();
        let mut tracking = Tracking::default();
        for (archived, game) in archive.games().iter().zip(&games) {
            tracking.add(game.verdict(), provenance(archived));
        }
        let strategy_game = |game: &ArchivedGame| {
            let (facts, finality) = (&game.facts, finality(game));
            let (score, forecasts) = (facts.score_in(model_type), game.forecast.forecasts);
            StrategyGame::new(model_type, &facts.lines, score, forecasts, finality, ModelColumn::Blend)
        };
        Self {
            summary: summarise(&games, models),
            curves: Curves::from_games(&games, models),
            grids: grids(&games, models),
            form: team_form(&games),
            tracking,
            coverage: model_coverage(&games, models),
            models: models.clone(),
            keys: archive.games().iter().map(key).cloned().collect(),
            ids: archive.games().iter().map(|game| game.facts.game_id.as_deref().unwrap_or_default().into()).collect(),
            strategy_games: archive.games().iter().map(strategy_game).collect(),
            forecast_kinds: archive.games().iter().map(|game| game.forecast.kind()).collect(),
            recorded_at: archive.games().iter().map(recorded_at).collect(),
            unsettled: archive.unsettled().cloned().collect(),
            own,
        }
    }

    /// Returns the graded games.
    pub(super) fn season_games(&self) -> impl Iterator<Item = SeasonGame<'_>> {
        self.season_markets().map(|(key, market)| SeasonGame::new(key, market))
    }

    /// Returns each game's key and market, with the probabilities of all models.
    fn season_markets(&self) -> impl Iterator<Item = (&GameKey, MarketGame<'_>)> {
        let market = |game: usize| self.strategy_games[game].market().with_own(self.own.row(game));
        self.keys.iter().enumerate().map(move |(game, key)| (key, market(game)))
    }

    /// Returns the games as input of the strategies, with the edges of a model; without edges if the season lacks it.
    pub(super) fn strategy_games_of(&self, model: ModelName) -> impl Iterator<Item = StrategyGame<'_>> + Clone {
        let model = self.models.id(model.as_str());
        self.strategy_games.iter().enumerate().map(move |(row, game)| {
            let market = game.market().with_own(self.own.row(row));
            game.with_edge_of(model.and_then(|model| market.probability(model)))
        })
    }

    /// Returns a game as input of a rule, with the probabilities of all models.
    pub(super) fn rule_game(&self, row: usize) -> StrategyGame<'_> {
        self.strategy_games[row].with_own(self.own.row(row))
    }

    /// Returns the models with a probability of any game, in the order of models.
    pub(super) fn covered_models(&self) -> impl Iterator<Item = ModelName> {
        self.coverage.iter().map(|coverage| coverage.model)
    }

    /// Returns the distribution of games over a model's probability and the market's; `None` if the season lacks it.
    pub(super) fn grid_of(&self, model: ModelName) -> Option<&Grid> {
        self.grids.get(self.models.id(model.as_str())?.index())
    }

    /// Returns the games whose forecasts count, oldest first.
    pub(super) fn forecast_games(&self, counted: CountedForecasts) -> impl Iterator<Item = ForecastGame<'_>> {
        let games = self.season_markets().zip(&self.ids).zip(&self.forecast_kinds);
        games.filter_map(move |(((key, market), id), kind)| {
            let kind = kind.filter(|kind| counted.include(*kind))?;
            Some(ForecastGame { key, id, kind, market })
        })
    }

    /// Returns the models with a probability that counts for any game, played or not.
    pub(super) fn forecast_models(&self, counted: CountedForecasts) -> impl Iterator<Item = (ModelName, ModelId)> {
        let has_forecast =
            move |model| self.forecast_games(counted).any(|game| game.market.probability(model).is_some());
        let models = self.models.forecasts().filter(move |model| has_forecast(*model));
        models.map(|model| (self.models.name(model), model))
    }

    /// Returns the number of games of each kind of forecast on these dates.
    pub(super) fn count_forecasts(&self, span: DateSpan) -> ForecastCounts {
        let mut counts = ForecastCounts::default();
        let games = self.keys.iter().zip(&self.forecast_kinds);
        games.filter(|(key, _)| span.contains(key.date)).for_each(|(_, kind)| counts.add(*kind));
        counts
    }

    /// Returns each game whose forecast this log recorded, and the time of its publication.
    pub(super) fn recordings(&self) -> impl Iterator<Item = (&GameKey, MarketGame<'_>, DateTime<Utc>)> {
        let games = self.season_markets().zip(&self.recorded_at);
        games.filter_map(|((key, market), at)| Some((key, market, (*at)?)))
    }

    /// Returns the time at which an entry of this log published the forecast in a row.
    pub(super) fn recorded_at(&self, row: usize) -> Option<DateTime<Utc>> {
        self.recorded_at[row]
    }

    /// Returns the models of the season.
    pub(super) const fn models(&self) -> &ModelSet {
        &self.models
    }

    /// Returns the identity and the final of each game that has one.
    pub(super) fn finals(&self) -> impl Iterator<Item = (&str, FinalScore)> {
        let games = self.ids.iter().zip(&self.strategy_games);
        games.filter_map(|(id, game)| Some((&**id, game.market().score()?)))
    }

    /// Returns the games without a final that may still get one, once per team.
    pub(super) fn unsettled_by_team(&self) -> impl Iterator<Item = (&TeamSlug, NaiveDate)> {
        self.unsettled.iter().flat_map(|key| [(&key.home, key.date), (&key.away, key.date)])
    }
}

/// The numbers of games by the kind of their forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForecastCounts {
    /// Live forecasts that entries of this log published before the start.
    pub recorded: u32,
    /// Live forecasts that files brought.
    pub imported: u32,
    pub walk_forward: u32,
}

impl ForecastCounts {
    /// Counts a game; one without a forecast is of no kind.
    pub(super) const fn add(&mut self, kind: Option<ForecastKind>) {
        match kind {
            Some(ForecastKind::Recorded) => self.recorded += 1,
            Some(ForecastKind::Imported) => self.imported += 1,
            Some(ForecastKind::WalkForward) => self.walk_forward += 1,
            None => {}
        }
    }
}

/// A game of a season with a forecast.
pub(super) struct ForecastGame<'s> {
    pub(super) key: &'s GameKey,
    /// The identity of the game.
    pub(super) id: &'s str,
    pub(super) kind: ForecastKind,
    /// The game by its row.
    pub(super) market: MarketGame<'s>,
}

impl LoadedSeason for SeasonAnalytics {
    fn unsettled(&self) -> Vec<GameKey> {
        self.unsettled.clone()
    }

    fn forecast_models(&self) -> BTreeSet<ModelName> {
        self.covered_models().collect()
    }
}

fn key(game: &ArchivedGame) -> &GameKey {
    &game.facts.key
}

fn finality(game: &ArchivedGame) -> Finality {
    if game.facts.is_settled() { Finality::Verified } else { Finality::Unverified }
}

fn recorded_at(game: &ArchivedGame) -> Option<DateTime<Utc>> {
    let forecast = &game.forecast;
    (forecast.kind() == Some(ForecastKind::Recorded)).then(|| forecast.origin.as_ref()?.published_at())?
}

fn provenance(game: &ArchivedGame) -> ForecastOf<'_> {
    let origin = game.forecast.origin.as_ref();
    ForecastOf {
        forecast_source: origin.map(ForecastOrigin::word),
        probability_source: game.forecast.probability_source.map(ProbabilitySource::word),
        published_at: origin.and_then(ForecastOrigin::published_at),
    }
}

/// The approximate memory of a game's team names that is not shared with other games, in bytes.
const TEXTS_OF_A_GAME: usize = 64;

impl Weighed for SeasonAnalytics {
    fn weight(&self) -> usize {
        let points: usize = self.curves.iter().map(|curve| size_of_val(&*curve.points)).sum();
        let grids = size_of_val(&*self.grids) + self.grids.iter().map(Grid::bytes).sum::<usize>();
        let games = self.own.bytes()
            + size_of_val(&*self.coverage)
            + size_of_val(&*self.keys)
            + size_of_val(&*self.ids)
            + self.ids.iter().map(|id| id.len()).sum::<usize>()
            + size_of_val(&*self.strategy_games)
            + size_of_val(&*self.forecast_kinds)
            + size_of_val(&*self.recorded_at)
            + size_of_val(&*self.unsettled);
        let texts = self.keys.len() * TEXTS_OF_A_GAME;
        size_of::<Self>() + size_of_val(&*self.summary) + points + grids + size_of_val(&*self.form) + games + texts
    }
}

/// A source of season figures that reads, grades and analyses a season on every call; intended for use behind a cache.
pub struct AnalyseSeasons(pub Archives);

#[async_trait]
impl SeasonViews<SeasonAnalytics> for AnalyseSeasons {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<SeasonAnalytics>, PortError> {
        let archive = self.0.read(season).await?;
        off_thread("the analytics of a season", move || Arc::new(SeasonAnalytics::from_archive(&archive))).await
    }
}

/// The number of archives read concurrently for a figure over many seasons.
const READ_AT_ONCE: usize = 4;

/// A query of graded games: the dependencies of its answer, and the computation of the answer. No season is opened
/// before [`Self::answer`].
pub struct Question<T> {
    key: ObjectHash,
    is_expensive: bool,
    reads_log: bool,
    answer: BoxFuture<'static, Result<T, PortError>>,
}

impl<T> Question<T> {
    pub(super) fn new<A: QuestionKind<Answer = T>>(question: A, figures: &SeasonFigures) -> Self {
        let (key, figures) = (ObjectHash::of_key(&(type_name::<A>(), &question)), figures.clone());
        let (is_expensive, reads_log) = (A::IS_EXPENSIVE, A::READS_LOG);
        Self { key, is_expensive, reads_log, answer: Box::pin(async move { question.answer(&figures).await }) }
    }

    /// Returns the key of the answer: a hash of everything that it depends on except the grading rules, that is, the archives by
    /// their hashes, publication times, dates and parameters. Questions with equal keys have equal answers.
    pub const fn key(&self) -> ObjectHash {
        self.key
    }

    /// Returns true if the answer takes tens of milliseconds of a core, so that a server should compute few of them at
    /// once.
    pub const fn is_expensive(&self) -> bool {
        self.is_expensive
    }

    /// Returns true if the key names the newest entry of a log, so that a publication that leaves the answer as it is gives it
    /// another key.
    pub const fn reads_log(&self) -> bool {
        self.reads_log
    }

    /// Opens the seasons and computes the answer.
    ///
    /// # Errors
    ///
    /// [`PortError`] if a season cannot be opened.
    pub async fn answer(self) -> Result<T, PortError> {
        self.answer.await
    }
}

/// The complete parameters of a query: the answer is computed from these and from the archives they name. Their hash is the key of
/// the question.
pub(super) trait QuestionKind: Hash + Send + 'static {
    /// The type of the answer.
    type Answer;

    /// True for an answer that resamples thousands of seasons, lists the bets of a season, or opens many seasons.
    const IS_EXPENSIVE: bool = false;

    /// True for an answer that is computed from the entries of a log.
    const READS_LOG: bool = false;

    /// Opens the seasons and computes the answer.
    fn answer(self, figures: &SeasonFigures) -> impl Future<Output = Result<Self::Answer, PortError>> + Send;
}

/// A value that follows from the other fields of a key, or that no answer depends on: it adds nothing to the hash.
#[derive(Debug, Clone, Copy)]
pub(super) struct Implied<T>(pub T);

impl<T> Hash for Implied<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The source of season figures.
#[derive(Clone)]
pub(super) struct SeasonFigures {
    views: Arc<dyn SeasonViews<SeasonAnalytics>>,
    archives: Archives,
}

impl SeasonFigures {
    pub(super) const fn new(views: Arc<dyn SeasonViews<SeasonAnalytics>>, archives: Archives) -> Self {
        Self { views, archives }
    }

    pub(super) async fn open(&self, season: &PublishedSeason) -> Result<Arc<SeasonAnalytics>, PortError> {
        self.views.view(&season.archive).await
    }

    /// Opens a season as if it had no games but those whose forecasts count, all of them by default; returns the counts of the whole
    /// season beside it.
    pub(super) async fn open_counted(
        &self,
        season: &PublishedSeason,
        counted: Option<CountedForecasts>,
    ) -> Result<(Arc<SeasonAnalytics>, ForecastCounts), PortError> {
        let whole = self.open(season).await?;
        let counts = whole.count_forecasts(DateSpan::default());
        let Some(counted) = counted else { return Ok((whole, counts)) };
        let archive = self.archives.read(&season.archive).await?;
        let counting = move || Arc::new(SeasonAnalytics::from_archive(&archive.counting(counted)));
        Ok((off_thread("the analytics of a season", counting).await?, counts))
    }

    /// Opens several seasons, a few at a time; returns them in the given order.
    pub(super) async fn open_all(&self, seasons: &[PublishedSeason]) -> Result<Vec<Arc<SeasonAnalytics>>, PortError> {
        let opening: Vec<_> = seasons.iter().map(|season| self.open(season)).collect();
        stream::iter(opening).buffered(READ_AT_ONCE).try_collect().await
    }
}
