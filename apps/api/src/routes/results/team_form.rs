use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::Market;
use sports_performance::{LAST_N, TeamForm};
use sports_ports::tables::TableColumn;
use sports_usecases::analytics::SeasonForm;

use crate::answer::{Answer, Rows};
use crate::auth::{OfAllSeasons, RecordReader};
use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{FormatQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::state::State;
use crate::wire::{TableOf, Tabular, wire, with_fields};

wire! {
    /// The teams' records in one market of a season.
    #[schema(as = TeamForm)]
    pub struct TeamFormResponse(form: SeasonForm) {
        let SeasonForm { season, current, teams, next_games } = form;
        let market = season.archive.market;
        let item = |form| TeamFormItem::new(form, next_games.get(&form.team).copied());

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// The season of the form: the current one, or the newest while no season is current.
        #[schema(example = "2023-24")]
        season: String = season.archive.season.to_string(),
        /// The latest season with a game played against a posted line; null until there is such a season.
        #[schema(required, example = "2023-24")]
        current_season: Option<String> = current.map(|current| current.to_string()),
        /// The date of the season's last recorded game, played or scheduled.
        #[schema(required)]
        season_end: Option<NaiveDate> = season.last_date,
        /// The most games that `last_10` holds: 10.
        #[schema(example = 10)]
        last_n: usize = LAST_N,
        /// Teams with a decided game: best share of wins first, then most wins, then name.
        teams: Vec<TeamFormItem> = teams.iter().map(item).collect(),
        /// The time at which the season was published.
        last_updated: DateTime<Utc> = season.published_at,
    }
}

wire! {
    /// One team's decided games. The meaning of a win depends on the market: the game won, the spread covered, or, for
    /// both teams, the over. A push is no result for either team.
    #[schema(as = TeamFormEntry)]
    pub row TeamFormItem(form: &TeamForm, next_game: Option<NaiveDate>) {
        /// The team's slug.
        #[schema(example = "baltimore_ravens")]
        team: String = form.team.to_string(),
        /// Wins and losses together.
        #[schema(example = 19)]
        games: u32 = form.record.games(),
        /// Decided games that the team won, that it covered, or that went over.
        #[schema(example = 14)]
        wins: u32 = form.record.wins,
        /// Decided games that were not wins.
        #[schema(example = 5)]
        losses: u32 = form.record.losses,
        /// `wins / games`, 0 to 1.
        #[schema(example = 0.736_842)]
        // Only teams with a decided game are listed, so the share exists.
        win_pct: f64 = form.record.win_share().unwrap_or_default(),
        /// The latest results, oldest first: 1 for a win, 0 for a loss.
        #[schema(example = json!([1, 0, 1, 1, 1, 1, 1, 0, 1, 0]))]
        last_10: Vec<u8> = form.last.iter().map(|won| u8::from(*won)).collect(),
        /// The current streak: `W` or `L` and its length.
        #[schema(example = "L1")]
        streak: String = form.streak.to_string(),
        /// The date of the earliest game from today on without a final; null if no such game is known.
        #[schema(required)]
        next_game_date: Option<NaiveDate> = next_game,
    }
}

/// Rows are teams.
impl Tabular for TeamFormResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let teams = TableOf::rows(&self.teams)
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("season", self.season.as_str());
        with_fields(teams).columns()
    }
}

/// Show how teams did
///
/// Each team's record, last ten results and streak in this market of the current season. All decided games count,
/// with or without a forecast. A team's record equals a regrading of its rows in the results.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}/team-form",
    tag = "performance",
    params(MarketPath),
    responses(
        (status = 200, description = "The form", body = TeamFormResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("team_form_example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_team_form(
    _reader: RecordReader<OfAllSeasons>,
    path: Path<Market>,
    params: Params<(FormatQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((FormatQuery { format }, moment))) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(state.published.analytics.team_form(at.moment(), market)).await?;
    answer.graded().in_format(format).at(&at).respond_to(question, |answer| Rows(TeamFormResponse::new(answer))).await
}
