use actix_web::http::header::LINK;
use actix_web::{HttpRequest, HttpResponse};
use sports_domain::{ModelType, Sport};
use sports_http_transport::Audience;
use sports_publication::registry::ShownTo;
use sports_tables::TabularSeason;
use sports_usecases::forecast_proof::{CachedProofs, ForecastProofs, NoProof, ProofError, RecentProof};
use sports_usecases::game_histories::GameName;
use sports_usecases::moment::LeagueMoment;
use sports_usecases::record::RecordName;

use super::keys::path_of;
use crate::auth::{OfAllSeasons, RecordReader};
use crate::caching::plain_etag;
use crate::codes::ModelTypeCode;
use crate::error::{ApiError, ErrorBody, Unchanged};
use crate::moments::RequestMoments;
use crate::params::{GameQuery, Given, Params};
use crate::paths::{Path, SportPath};
use crate::query_params;
use crate::response_cache::Repeatable;
use crate::routes::odds::{game_hint, swapped_hint};
use crate::state::{Records, State};

query_params! {
    /// The market of a proof, and its checkpoint.
    #[derive(Debug, Clone, Copy)]
    pub struct ProofQuery {
        /// The model type's code, in any letter case.
        #[param(value_type = ModelTypeCode, example = "won_on_points")]
        model_type: ModelType = model_type,
        /// The size of the signed checkpoint to prove against, for a reader who trusts another witness. Without it, the earliest
        /// checkpoint with the forecast that is cosigned, else the earliest with a timestamp, else the earliest: a later one would
        /// prove less.
        #[param(value_type = Option<u64>, minimum = 1)]
        size: Option<usize> = |given| given.tree_size(1),
    }
}

fn model_type(given: Given<'_>) -> Result<ModelType, ApiError> {
    let missing = || ApiError::bad_parameter("model_type", "the code of a model type, such as won_on_points");
    given.parsed()?.ok_or_else(missing)
}

/// Makes a proof as of a moment.
async fn prove(
    proofs: &CachedProofs<TabularSeason>,
    moment: &LeagueMoment,
    query: ProofQuery,
    game: &GameName,
) -> Result<RecentProof, ProofError> {
    let newest = moment.catalog().ok_or(NoProof::NeverMade)?;
    let size = query.size.map(|size| size as u64);
    proofs.proof(newest, query.model_type, game, size).await
}

/// Prove a forecast
///
/// A file by which anybody can check, without this service, that the standing forecast of a game is in the signed tree, and which
/// witness received that tree when: the form `c2sp.org/tlog-proof@v1`, whose `extra` has the leaf, the salt and the forecast.
/// `sportsctl record check`, `/verify.py` and the page `/verify` check it. It discloses this forecast and no other.
#[utoipa::path(
    get, path = "/api/v1/record/{sport}/proof",
    tag = "record",
    params(SportPath),
    responses(
        (status = 200, description = "The proof", content_type = "text/plain", body = String,
            headers(("Link" = String, description = "The addresses of the timestamps of the proof's checkpoint, if it has any, each \
                with `rel=\"related\"`")),
            example = json!("c2sp.org/tlog-proof@v1\nextra …\nindex 1\n…\n\nexample.com/api/v1/record/nfl\n2\n…\n\n— …\n")),
        Unchanged,
        (status = 404, description = "The forecast was never made, was imported, is older than the tree, or is in no signed \
            checkpoint (yet): `detail` says which", body = ErrorBody,
            headers(("Retry-After" = u64, description = "Seconds to wait, if the forecast is not signed yet"))),
    ),
)]
pub(super) async fn show_proof(
    _reader: RecordReader<OfAllSeasons>,
    path: Path<Sport>,
    params: Params<(ProofQuery, GameQuery)>,
    request: HttpRequest,
    present: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((query, game))) = (path, params);
    let game = game.name()?;
    let mut at = present.now(sport)?;
    let Records { proofs: forecasts, recent_proofs: proofs, .. } = &state.published.records;
    expect_open(forecasts, at.moment(), query.model_type, &game).await?;
    let mut proof = prove(proofs, at.moment(), query, &game).await;
    if let Err(ProofError::Refused(NoProof::NeverMade | NoProof::NotSigned(_))) = proof {
        // Another node may have read an entry that this one has not.
        let polled = state.published.moments.after_a_poll(at.moment()).await?;
        at = at.followed_by(polled);
        proof = prove(proofs, at.moment(), query, &game).await;
    }
    let proof = match proof {
        Ok(proof) => proof,
        Err(error) => return Err(failure(error, forecasts, at.moment(), query.model_type, &game).await),
    };
    let validator = plain_etag(&[proof.text()]);
    let mut response = validator.response(&request, Audience::KeyHolder);
    if let Some(links) = timestamp_links(sport, &proof, &state).await? {
        response.insert_header((LINK, links));
    }
    let mut response = if validator.is_current(&request) {
        response.finish()
    } else {
        response.content_type("text/plain; charset=utf-8").body(proof.text().to_owned())
    };
    at.head().write(response.headers_mut(), Audience::KeyHolder);
    Repeatable::mark_while(&request, proof.repeatable());
    Ok(response)
}

/// Checks that a reader without a key may have the proof of a game's forecast. Its opening has the probabilities of all models.
async fn expect_open(
    proofs: &ForecastProofs<TabularSeason>,
    moment: &LeagueMoment,
    model_type: ModelType,
    name: &GameName,
) -> Result<(), ApiError> {
    let (ShownTo::Everyone, Some(newest)) = (moment.reader(), moment.catalog()) else { return Ok(()) };
    let (game, models) = match proofs.game(newest, model_type, name).await {
        Ok(found) => found,
        Err(error) => return Err(failure(error, proofs, moment, model_type, name).await),
    };
    if !moment.shows(&game) {
        return Err(ProofError::from(NoProof::NeverMade).into());
    }
    if moment.hidden_models().iter().any(|hidden| models.contains(hidden)) {
        return Err(ApiError::KeyRequiredFor(HIDDEN.to_owned()));
    }
    Ok(())
}

/// The refusal of an opening that has a probability of a model that is not public.
const HIDDEN: &str =
    "A model that is not public forecast that game, and a proof opens the forecasts of all models; send an API key";

/// Converts the failure of a proof. Where no archive has the game, the sentence says what is probably wrong with its name.
async fn failure(
    error: ProofError,
    proofs: &ForecastProofs<TabularSeason>,
    moment: &LeagueMoment,
    model_type: ModelType,
    name: &GameName,
) -> ApiError {
    let (ProofError::Refused(NoProof::NeverMade), Some(newest)) = (&error, moment.catalog()) else {
        return error.into();
    };
    if proofs.game(newest, model_type, name).await.is_ok() {
        return error.into();
    }
    let mut hint = game_hint(newest.sport, name);
    if let (true, Some(swapped)) = (hint.is_empty(), name.swapped()) {
        let meets = match proofs.game(newest, model_type, &swapped).await {
            Ok((game, _)) => moment.shows(&game),
            Err(other) => matches!(other, ProofError::Refused(NoProof::SeveralGames(_))),
        };
        hint = if meets { swapped_hint(name) } else { hint };
    }
    ApiError::NotFound(format!("{error}{hint}"))
}

/// Returns the links to the timestamps of the checkpoint in a proof; `None` if it has none.
async fn timestamp_links(sport: Sport, proof: &RecentProof, state: &State) -> Result<Option<String>, ApiError> {
    if proof.timestamps().is_empty() {
        return Ok(None);
    }
    let (origin, size) = proof.checkpoint();
    let keys = state.published.records.served.keys().await?;
    let number = keys.iter().find(|key| key.vkey.name() == origin).map(|key| key.record);
    let record = number.map_or(RecordName::first(sport), |number| RecordName { sport, number });
    let link = |name| {
        let path = path_of(record);
        format!("<{path}/checkpoints/{size}/timestamps/{name}>; rel=\"related\"; type=\"application/timestamp-reply\"")
    };
    Ok(Some(proof.timestamps().iter().map(link).collect::<Vec<_>>().join(", ")))
}

impl From<ProofError> for ApiError {
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::Port(error) => error.into(),
            ProofError::Refused(NoProof::SeveralGames(several)) => several.into(),
            ProofError::Refused(reason @ NoProof::NotSigned(_)) => Self::NotYet(reason.to_string()),
            ProofError::Refused(
                reason @ (NoProof::NeverMade
                | NoProof::Imported
                | NoProof::BeforeTree(_)
                | NoProof::NoSuchSize { .. }
                | NoProof::BeforeLeaf { .. }),
            ) => Self::NotFound(reason.to_string()),
        }
    }
}
