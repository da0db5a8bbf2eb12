use std::collections::{BTreeMap, BTreeSet};

use actix_web::{HttpRequest, HttpResponse, Responder};
use sports_domain::{ModelName, Sport};
use sports_http_transport::Audience;
use sports_program::settings::PublicRecord;
use sports_publication::registry::ShownTo;
use sports_usecases::moment::LeagueMoment;
use sports_usecases::results::finished_seasons;

use super::super::cards;
use crate::auth::CrossOriginCaller;
use crate::caching::Revalidated;
use crate::codes::{Code, ModelNameCode, SportCode};
use crate::error::{ApiError, DependencyDown, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::Params;
use crate::state::State;
use crate::wire::wire;

wire! {
    /// The leagues whose record is open without a key.
    pub struct PublicLeaguesResponse(leagues: Vec<PublicLeague>) {
        /// The leagues, by code; empty if the operator opened none.
        leagues: Vec<PublicLeagueItem> = leagues.iter().map(PublicLeagueItem::new).collect(),
    }
}

wire! {
    /// A league whose record is open. Its answers are those that a key gets, without games that have not started and models that
    /// are not public. Proofs and openings of games that a hidden model forecast need a key.
    #[schema(as = PublicLeague)]
    pub struct PublicLeagueItem(league: &PublicLeague) {
        /// The league.
        sport: SportCode = Code(league.sport),
        /// The open part: `all`, or `finished` for finished seasons.
        #[schema(example = "all")]
        public: &'static str = league.record.word(),
        /// The labels of the open seasons, newest first.
        #[schema(example = json!(["2023-24", "2022-23"]))]
        seasons: Vec<String> = league.seasons.clone(),
        /// The model of an answer to a request that names none.
        #[schema(example = "BLEND")]
        headline: ModelNameCode = Code(league.headline),
        /// The public models: those of the specification, then the publisher's own in order of declaration.
        models: Vec<ModelNameCode> = league.models.iter().copied().map(Code).collect(),
        /// The number of models that are left out. The best of many models is luck, too.
        #[schema(example = 0)]
        models_hidden: usize = league.models_hidden,
        /// The absolute addresses of the models' cards, pictures to share, by market and model: those with a probability in the
        /// market's newest open season. `.png` in the place of `.svg` is a picture of 1200 by 630 pixels, with `?scheme=dark` on dark
        /// paper, and `/badge/` in the place of `/card/` a smaller one.
        #[schema(example = json!({"won_on_points": {"ELO": "https://picks.example.com/card/nfl/won_on_points/ELO.svg"}}))]
        cards: BTreeMap<&'static str, BTreeMap<String, String>> = league.cards.clone(),
    }
}

/// A league whose record is open.
pub struct PublicLeague {
    sport: Sport,
    record: PublicRecord,
    seasons: Vec<String>,
    headline: ModelName,
    models: Vec<ModelName>,
    models_hidden: usize,
    cards: BTreeMap<&'static str, BTreeMap<String, String>>,
}

impl PublicLeague {
    async fn of(record: PublicRecord, moment: LeagueMoment, state: &State) -> Result<Self, ApiError> {
        let moment = moment.read_by(ShownTo::Everyone);
        let finished = finished_seasons(&moment).seasons;
        let published = moment.catalog().into_iter().flat_map(|catalog| catalog.results.keys());
        let is_open = |season: &_| record == PublicRecord::All || finished.contains(season);
        let seasons: BTreeSet<_> = published.map(|(_, season)| *season).filter(is_open).collect();
        Ok(Self {
            sport: moment.sport(),
            record,
            seasons: seasons.iter().rev().map(ToString::to_string).collect(),
            headline: moment.default_models(ShownTo::Everyone).await?.league,
            models: moment.models().await?.names().collect(),
            models_hidden: moment.hidden_models().len(),
            cards: cards::addresses(state, record, &moment).await?,
        })
    }
}

/// List the leagues with a public record
///
/// For each, what is open without a key. Readable from any page of the web.
#[utoipa::path(
    get, path = "/api/v1/public/leagues",
    tag = "public",
    responses(
        (status = 200, description = "The leagues", body = PublicLeaguesResponse, headers(
            ("Access-Control-Allow-Origin" = String, description = "Always `*`"),
        ), example = json!(read_example(include_str!("leagues_example.json")))),
        Unchanged,
        DependencyDown,
    ),
)]
pub(super) async fn list_public_leagues(
    _caller: CrossOriginCaller,
    _params: Params<()>,
    request: HttpRequest,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let mut leagues = Vec::new();
    for (sport, record) in state.site.public_records.open() {
        let at = moments.now(sport)?;
        leagues.push(PublicLeague::of(record, at.moment().clone(), &state).await?);
    }
    Ok(Revalidated(Audience::Public, PublicLeaguesResponse::new(leagues)).respond_to(&request))
}
