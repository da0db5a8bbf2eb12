use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::{GameKey, ModelType, Sport};
use sports_freshness::MarketVerdict;
use sports_publication::{ArtifactRef, Catalog, Run};
use sports_usecases::data_status::{LeagueStatus, live_results};
use utoipa::ToSchema;

use crate::codes::{DataStatusCode, DegradationCode, SportCode};

/// How fresh a league's daily data is. All timestamps but the deadlines are those of what is published.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DataStatus)]
pub struct DataStatusBody {
    /// The league.
    sport: SportCode,
    /// How its data of today stands.
    status: DataStatusCode,
    /// False once the deadline has passed without all of today's data, and where nothing can be told. A rebuild
    /// that is late leaves it true: what it is to replace is still served.
    operational: bool,
    /// What is wrong; null where nothing is.
    #[schema(required)]
    degradation_reason: Option<DegradationCode>,
    /// Whether newer odds wait for some market's predictions to be rebuilt.
    refresh_pending: bool,
    /// Today's Eastern date.
    date: NaiveDate,
    /// By when today's data is promised: 10:15 Eastern.
    deadline: DateTime<Utc>,
    /// The latest release on air; null where nothing was ever published.
    #[schema(required, example = "2025-01-15.20250115T145000000Z.5f3a0c9b1d22")]
    release_id: Option<String>,
    /// The publisher's run that decides the status: the last completed one where it was for today or later, else the
    /// last one begun for the latest slate; null where none is known.
    #[schema(required)]
    run: Option<RunBody>,
    /// The league's markets, each on its own.
    markets: MarketStatuses,
}

/// A run of the publisher's models.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PublisherRun)]
pub struct RunBody {
    /// The publisher's id of it.
    #[schema(example = "nightly-2025-01-15")]
    id: String,
    /// When it started.
    started_at: DateTime<Utc>,
    /// When it ended; null while it runs.
    #[schema(required)]
    completed_at: Option<DateTime<Utc>>,
    /// `active` where it found games to serve, `none` for a confirmed off-day.
    #[schema(example = "active")]
    slate: &'static str,
}

/// The markets by model type.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarketStatuses {
    /// The total.
    over_under: MarketStatus,
    /// The moneyline.
    won_on_points: MarketStatus,
    /// The spread.
    won_on_spread: MarketStatus,
}

/// How fresh one market is.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarketStatus {
    /// How its data of today stands.
    status: DataStatusCode,
    /// Whether newer odds wait for its predictions to be rebuilt.
    refresh_pending: bool,
    /// Until when they must be; null where none wait.
    #[schema(required)]
    refresh_deadline: Option<DateTime<Utc>>,
    /// The release of its predictions.
    #[schema(required, example = "2025-01-15.20250115T145000000Z.5f3a0c9b1d22")]
    release_id: Option<String>,
    /// As of when the sources of its predictions spoke.
    #[schema(required)]
    source_as_of: Option<DateTime<Utc>>,
    /// Games that kept their previous prediction; that changes no status.
    held_games: Vec<GameKeyBody>,
    /// The predictions.
    predictions: Publication,
    /// The results of the season the predictions are recorded in.
    results: Publication,
    /// The summary, computed from those results.
    summary: Publication,
    /// The model tracking, computed from those results.
    model_tracking: Publication,
}

/// When something was published.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Publication {
    /// When; null where nothing is.
    #[schema(required)]
    published_at: Option<DateTime<Utc>>,
}

/// What tells a game from every other of its league.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GameKey)]
pub struct GameKeyBody {
    /// The Eastern date of the start.
    date: NaiveDate,
    /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
    #[schema(required, value_type = Option<String>, example = "13:00:00")]
    time_est: Option<NaiveTime>,
    /// The visiting team's slug.
    #[schema(example = "buffalo_bills")]
    away_team: String,
    /// The home team's slug.
    #[schema(example = "miami_dolphins")]
    home_team: String,
}

impl DataStatusBody {
    /// What is known of a league.
    #[must_use]
    pub fn of(sport: Sport, known: &LeagueStatus) -> Self {
        let (verdict, catalog) = (&known.verdict, known.league.as_ref().map(|league| league.catalog()));
        let [over_under, won_on_points, won_on_spread] =
            verdict.markets().each_ref().map(|market| MarketStatus::of(market, catalog));
        Self {
            sport: SportCode(sport),
            status: DataStatusCode(verdict.status()),
            operational: verdict.operational(),
            degradation_reason: verdict.degradation().map(DegradationCode),
            refresh_pending: verdict.refresh_pending(),
            date: verdict.day().date,
            deadline: verdict.day().deadline,
            release_id: catalog.map(|catalog| catalog.release_id.to_string()),
            run: catalog.and_then(|catalog| catalog.run_deciding(verdict.day().date)).map(RunBody::from),
            markets: MarketStatuses { over_under, won_on_points, won_on_spread },
        }
    }
}

impl MarketStatus {
    fn of(verdict: &MarketVerdict, catalog: Option<&Catalog>) -> Self {
        let predictions = catalog.and_then(|catalog| catalog.predictions.get(&verdict.model_type));
        let artifact = predictions.map(|entry| &entry.artifact);
        let results = Publication::of(results(catalog, verdict.model_type));
        Self {
            status: DataStatusCode(verdict.status),
            refresh_pending: verdict.refresh_pending(),
            refresh_deadline: verdict.refresh_deadline,
            release_id: artifact.map(|artifact| artifact.release_id.to_string()),
            source_as_of: artifact.map(|artifact| artifact.source_as_of),
            held_games: predictions.iter().flat_map(|entry| &entry.held_games).map(GameKeyBody::from).collect(),
            predictions: Publication::of(artifact),
            results,
            summary: results,
            model_tracking: results,
        }
    }
}

fn results(catalog: Option<&Catalog>, model_type: ModelType) -> Option<&ArtifactRef> {
    live_results(catalog?, model_type).map(|entry| &entry.artifact)
}

impl Publication {
    fn of(artifact: Option<&ArtifactRef>) -> Self {
        Self { published_at: artifact.map(|artifact| artifact.published_at) }
    }
}

impl From<&Run> for RunBody {
    fn from(run: &Run) -> Self {
        Self { id: run.id.clone(), started_at: run.started_at, completed_at: run.completed_at, slate: run.slate.word() }
    }
}

impl From<&GameKey> for GameKeyBody {
    fn from(key: &GameKey) -> Self {
        Self { date: key.date, time_est: key.time, away_team: key.away.to_string(), home_team: key.home.to_string() }
    }
}
