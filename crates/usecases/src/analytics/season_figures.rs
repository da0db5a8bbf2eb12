use std::sync::Arc;

use async_trait::async_trait;
use chrono::NaiveDate;
use sports_domain::{GameKey, TeamSlug};
use sports_grading::MarketGame;
use sports_performance::{
    Curves, ForecastOf, Grid, ModelSummary, SeasonGame, TeamForm, Tracking, summarise, team_form,
};
use sports_ports::PortError;
use sports_ports::seasons::{LoadedSeason, SeasonRef, SeasonViews, Weighed};
use sports_publication::{ArchivedGame, ForecastOrigin, ForecastSource, ProbabilitySource, SeasonArchive};
use sports_strategies::{Finality, StrategyGame};

use crate::record::{Archives, off_thread};

/// The figures of one season of one market, computed once from its graded rows.
#[derive(Debug, PartialEq)]
pub struct SeasonAnalytics {
    /// The record of each model.
    pub(super) summary: Vec<ModelSummary>,
    /// The models' four-week curves.
    pub(super) curves: Curves,
    /// The distribution of games over BLEND's probability and the market's.
    pub(super) grid: Grid,
    /// The record of each team.
    pub(super) form: Vec<TeamForm>,
    /// The composition of the record.
    pub(super) tracking: Tracking,
    /// The keys of all games, oldest first.
    pub(super) keys: Vec<GameKey>,
    /// Their identities.
    pub(super) ids: Vec<Box<str>>,
    /// The same games as strategies see them.
    pub(super) strategy_games: Vec<StrategyGame>,
    /// The forecast source of each of these games; `None` for a game without a forecast.
    pub(super) forecast_sources: Vec<Option<ForecastSource>>,
    unsettled: Vec<GameKey>,
}

impl SeasonAnalytics {
    /// Grades a season and computes its figures.
    #[must_use]
    pub fn from_archive(archive: &SeasonArchive) -> Self {
        let model_type = archive.market().model_type;
        let graded = |game| SeasonGame::new(key(game), game.market_game(model_type));
        let games: Vec<_> = archive.games().iter().map(graded).collect();
        let mut tracking = Tracking::default();
        for (archived, game) in archive.games().iter().zip(&games) {
            tracking.add(game.verdict(), provenance(archived));
        }
        let strategy_game = |game: &ArchivedGame| {
            let (facts, finality) = (&game.facts, finality(game));
            StrategyGame::new(model_type, &facts.lines, facts.score(), game.forecast.forecasts, finality)
        };
        Self {
            summary: summarise(&games),
            curves: Curves::from_games(&games),
            grid: Grid::from_games(&games),
            form: team_form(&games),
            tracking,
            keys: archive.games().iter().map(key).cloned().collect(),
            ids: archive.games().iter().map(|game| game.facts.game_id.as_deref().unwrap_or_default().into()).collect(),
            strategy_games: archive.games().iter().map(strategy_game).collect(),
            forecast_sources: archive.games().iter().map(forecast_source).collect(),
            unsettled: archive.unsettled().cloned().collect(),
        }
    }

    /// Returns the graded games.
    pub(super) fn season_games(&self) -> impl Iterator<Item = SeasonGame<'_>> {
        self.keys.iter().zip(&self.strategy_games).map(|(key, game)| SeasonGame::new(key, *game.market()))
    }

    /// Returns the games whose forecasts come from a source, each with its date.
    pub(super) fn games_from(&self, source: ForecastSource) -> impl Iterator<Item = (NaiveDate, &MarketGame<'static>)> {
        let games = self.keys.iter().zip(&self.strategy_games).zip(&self.forecast_sources);
        let games = games.filter(move |(_, from)| **from == Some(source));
        games.map(|((key, game), _)| (key.date, game.market()))
    }

    /// Returns the games without a final that may still get one, once per team.
    pub(super) fn unsettled_by_team(&self) -> impl Iterator<Item = (&TeamSlug, NaiveDate)> {
        self.unsettled.iter().flat_map(|key| [(&key.home, key.date), (&key.away, key.date)])
    }
}

impl LoadedSeason for SeasonAnalytics {
    fn unsettled(&self) -> Vec<GameKey> {
        self.unsettled.clone()
    }
}

fn key(game: &ArchivedGame) -> &GameKey {
    &game.facts.key
}

fn forecast_source(game: &ArchivedGame) -> Option<ForecastSource> {
    game.forecast.origin.as_ref().map(ForecastOrigin::source)
}

fn finality(game: &ArchivedGame) -> Finality {
    if game.facts.is_settled() { Finality::Verified } else { Finality::Unverified }
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
        let cells = self.grid.cells().count() * size_of::<(u8, u8, sports_performance::GridCell)>() * 2;
        let games = size_of_val(&*self.keys)
            + size_of_val(&*self.strategy_games)
            + size_of_val(&*self.forecast_sources)
            + size_of_val(&*self.unsettled);
        let texts = self.keys.len() * TEXTS_OF_A_GAME;
        size_of::<Self>() + size_of_val(&*self.summary) + points + cells + size_of_val(&*self.form) + games + texts
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
