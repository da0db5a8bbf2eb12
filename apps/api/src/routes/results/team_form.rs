use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use serde_json::json;
use sports_domain::Market;
use sports_performance::LAST_N;
use sports_ports::tables::TableColumn;
use sports_usecases::analytics::SeasonForm;
use utoipa::ToSchema;

use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{FormatQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::state::State;
use crate::tables::{TableOf, Tabular, columns};

/// The teams' records in one market of a season.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TeamForm)]
pub struct TeamFormResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The season of the form: the current one, or the newest while no season is current.
    #[schema(example = "2023-24")]
    season: String,
    /// The latest season with a game played against a posted line; null until there is such a season.
    #[schema(required, example = "2023-24")]
    current_season: Option<String>,
    /// The date of the season's last recorded game, played or scheduled.
    #[schema(required)]
    season_end: Option<NaiveDate>,
    /// The most games that `last_10` holds: 10.
    #[schema(example = 10)]
    last_n: usize,
    /// Teams with a decided game: best share of wins first, then most wins, then name.
    teams: Vec<TeamFormItem>,
    /// The time at which the season was published.
    last_updated: DateTime<Utc>,
}

/// One team's decided games. The meaning of a win depends on the market: the game won, the spread covered, or, for
/// both teams, the over. A push is no result for either team.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TeamFormEntry)]
pub struct TeamFormItem {
    /// The team's slug.
    #[schema(example = "baltimore_ravens")]
    team: String,
    /// Wins and losses together.
    #[schema(example = 19)]
    games: u32,
    /// Decided games that the team won, that it covered, or that went over.
    #[schema(example = 14)]
    wins: u32,
    /// Decided games that were not wins.
    #[schema(example = 5)]
    losses: u32,
    /// `wins / games`, 0 to 1.
    #[schema(example = 0.736_842)]
    win_pct: f64,
    /// The latest results, oldest first: 1 for a win, 0 for a loss.
    #[schema(example = json!([1, 0, 1, 1, 1, 1, 1, 0, 1, 0]))]
    last_10: Vec<u8>,
    /// The current streak: `W` or `L` and its length.
    #[schema(example = "L1")]
    streak: String,
    /// The date of the earliest game from today on without a final; null if no such game is known.
    #[schema(required)]
    next_game_date: Option<NaiveDate>,
}

impl From<SeasonForm> for TeamFormResponse {
    fn from(SeasonForm { season, current, teams, next_games }: SeasonForm) -> Self {
        let market = season.archive.market;
        let entry = |form: &sports_performance::TeamForm| TeamFormItem {
            team: form.team.to_string(),
            games: form.record.games(),
            wins: form.record.wins,
            losses: form.record.losses,
            // Only teams with a decided game are listed, so the share exists.
            win_pct: form.record.win_share().unwrap_or_default(),
            last_10: form.last.iter().map(|won| u8::from(*won)).collect(),
            streak: form.streak.to_string(),
            next_game_date: next_games.get(&form.team).copied(),
        };
        Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            season: season.archive.season.to_string(),
            current_season: current.map(|current| current.to_string()),
            season_end: season.last_date,
            last_n: LAST_N,
            teams: teams.iter().map(entry).collect(),
            last_updated: season.published_at,
        }
    }
}

/// Rows are teams.
impl Tabular for TeamFormResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let teams = TableOf::rows(&self.teams)
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("season", self.season.as_str());
        let teams = columns!(teams, team, games, wins, losses, win_pct);
        let teams = teams.column("last_10", |form| json!(form.last_10).to_string());
        columns!(teams, streak, next_game_date).columns()
    }
}

/// Show how teams did
///
/// Each team's record, last ten results and streak in this market of the current season. All decided games count,
/// with or without a forecast. A team's record equals a regrading of its rows in the results.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}/team-form",
    tag = "performance",
    params(MarketPath, FormatQuery, MomentQuery),
    responses(
        (status = 200, description = "The form", body = TeamFormResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("team_form_example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_team_form(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<(FormatQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((FormatQuery { format }, moment))) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(state.published.analytics.team_form(at.moment(), market)).await?;
    answer.graded().in_format(format).at(&at).respond_to(question, |answer| Rows(TeamFormResponse::from(answer))).await
}
