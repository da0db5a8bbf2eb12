use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, Responder};
use sports_domain::{Club, ClubName, Sport, TeamSlug};
use sports_http_transport::Audience;
use sports_publication::slate::{Names, TeamNames};
use sports_usecases::today;

use crate::auth::PublicCaller;
use crate::caching::Revalidated;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, DependencyDown, Unchanged};
use crate::moments::RequestMoments;
use crate::params::Params;
use crate::paths::{Path, SportPath};
use crate::wire::wire;

wire! {
    /// The teams of a league and their names.
    #[schema(as = LeagueTeams)]
    pub struct TeamsResponse(sport: Sport, teams: Vec<TeamItem>) {
        /// The league.
        sport: SportCode = Code(sport),
        /// The teams, by slug.
        teams: Vec<TeamItem> = teams,
    }
}

wire! {
    /// A team, or an earlier name of one.
    #[schema(as = TeamEntry)]
    pub struct TeamItem(names: Names<'_>, team: &TeamSlug, club: Option<&'static ClubName>) {
        /// The slug, as in games and their `game_id`.
        #[schema(example = "boston_red_sox")]
        team: String = team.to_string(),
        /// The name to display: a club's own, or a college's as the publisher writes it.
        #[schema(example = "Boston Red Sox")]
        name: String = names.display(team),
        /// The usual abbreviation of a club; null for a college.
        #[schema(required, example = "BOS")]
        abbreviation: Option<&'static str> = club.map(ClubName::abbreviation),
        /// The name of a club without its city; null for a college.
        #[schema(required, example = "Red Sox")]
        nickname: Option<&'static str> = club.map(ClubName::nickname),
    }
}

impl TeamsResponse {
    /// Lists the clubs of a league under each name that they had, and the teams of a slate.
    fn of(sport: Sport, listed: impl IntoIterator<Item = TeamSlug>, published: &TeamNames) -> Self {
        let names = Names { sport, published };
        let clubs = Club::all(sport).iter().flat_map(Club::names);
        let mut teams: BTreeMap<_, _> = listed.into_iter().map(|team| (team, None)).collect();
        teams.extend(clubs.map(|name| (name.slug().clone(), Some(name))));
        Self::new(sport, teams.into_iter().map(|(team, club)| TeamItem::new(names, &team, club)).collect())
    }
}

/// List the teams of a league
///
/// The slugs of games with the names to show for them. A professional league has its clubs, under today's names and under
/// each former one, since games of old seasons have those. A college league has the teams that its newest predictions list,
/// and those that the publisher has ever named.
#[utoipa::path(
    get, path = "/api/v1/teams/{sport}",
    tag = "discovery",
    params(SportPath),
    responses(
        (status = 200, description = "The teams", body = TeamsResponse,
            example = json!(TeamsResponse::of(Sport::Nba, [], &TeamNames::default()))),
        Unchanged,
        DependencyDown,
    ),
)]
pub(super) async fn list_teams(
    _caller: PublicCaller,
    path: Path<Sport>,
    _params: Params<()>,
    request: HttpRequest,
    moments: RequestMoments,
) -> Result<HttpResponse, ApiError> {
    let Path(sport) = path;
    let (listed, published) = today::teams(moments.now(sport)?.moment()).await?;
    Ok(Revalidated(Audience::Public, TeamsResponse::of(sport, listed, &published)).respond_to(&request))
}
