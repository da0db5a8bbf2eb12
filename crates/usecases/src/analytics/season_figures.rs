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

/// Everything figures need of one season of one market, computed once from its graded rows.
#[derive(Debug, PartialEq)]
pub struct SeasonAnalytics {
    /// How each model did.
    pub(super) summary: Vec<ModelSummary>,
    /// The models' four-week curves.
    pub(super) curves: Curves,
    /// How games spread over BLEND's probability and the market's.
    pub(super) grid: Grid,
    /// How each team did.
    pub(super) form: Vec<TeamForm>,
    /// What the record is made of.
    pub(super) tracking: Tracking,
    /// Which games there are, oldest first.
    pub(super) keys: Vec<GameKey>,
    /// The same games as strategies see them.
    pub(super) strategy_games: Vec<StrategyGame>,
    /// Where the forecasts of the same games come from; `None` for a game without any.
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
            strategy_games: archive.games().iter().map(strategy_game).collect(),
            forecast_sources: archive.games().iter().map(forecast_source).collect(),
            unsettled: archive.unsettled().cloned().collect(),
        }
    }

    /// The games, graded.
    pub(super) fn season_games(&self) -> impl Iterator<Item = SeasonGame<'_>> {
        self.keys.iter().zip(&self.strategy_games).map(|(key, game)| SeasonGame::new(key, *game.market()))
    }

    /// The games whose forecasts come from a source, each with its date.
    pub(super) fn games_from(&self, source: ForecastSource) -> impl Iterator<Item = (NaiveDate, &MarketGame)> {
        let games = self.keys.iter().zip(&self.strategy_games).zip(&self.forecast_sources);
        let games = games.filter(move |(_, from)| **from == Some(source));
        games.map(|((key, game), _)| (key.date, game.market()))
    }

    /// The games that have no final and may still get one, once for each of their teams.
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

/// About what a team's name takes that no other game shares.
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

/// Reads, grades and analyses a season each time it is asked for one: made to be put behind a cache.
pub struct AnalyseSeasons(pub Archives);

#[async_trait]
impl SeasonViews<SeasonAnalytics> for AnalyseSeasons {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<SeasonAnalytics>, PortError> {
        let archive = self.0.read(season).await?;
        off_thread("the analytics of a season", move || Arc::new(SeasonAnalytics::from_archive(&archive))).await
    }
}
