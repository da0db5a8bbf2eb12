//! Cards and badges to share: the record of one public model in the newest public season, as a picture. They are no operations, so
//! the document does not list them; `public/leagues` has their addresses.

mod drawing;
mod figures;

use std::collections::BTreeMap;

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::web::ServiceConfig;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use sports_domain::{Market, ModelName, ModelType, Season, Sport};
use sports_http_transport::KeptBody;
use sports_ports::PortError;
use sports_program::settings::PublicRecord;
use sports_publication::registry::ShownTo;
use sports_usecases::analytics::ListedModels;
use sports_usecases::moment::LeagueMoment;
use sports_usecases::record::off_thread;
use sports_usecases::results::finished_seasons;

use self::drawing::{Look, Scheme, Site};
use self::figures::{Figures, Questions};
use crate::answer::Answer;
use crate::auth::{CrossOriginCaller, FINISHED, OPEN};
use crate::error::ApiError;
use crate::moments::AnswerMoment;
use crate::operation::undocumented;
use crate::page::escaped;
use crate::params::{Given, Params};
use crate::paths::Path;
use crate::query_params;
use crate::response_cache::Repeatable;
use crate::state::State;

/// The paths of this area.
pub(crate) const PATHS: [&str; 2] = ["/card/{sport}/{model_type}/{file}", "/badge/{sport}/{model_type}/{file}"];

pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(undocumented(Method::GET, PATHS[0], show_card)).service(undocumented(
        Method::GET,
        PATHS[1],
        show_badge,
    ));
}

query_params! {
    /// The colours of a picture.
    struct SchemeQuery {
        /// `light` or `dark`, for a `.png`; a `.svg` follows its reader.
        #[param(value_type = Option<String>)]
        scheme: Option<Scheme> = |given: Given<'_>| given.parse("`light` or `dark`", Scheme::by_name),
    }
}

/// The content policy of a picture, which has its colours in a style sheet and nothing else.
const POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'");

/// A card, or a badge, which is a few lines high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    Card,
    Badge,
}

async fn show_card(
    _caller: CrossOriginCaller,
    path: Path<Market>,
    params: Params<SchemeQuery>,
    request: HttpRequest,
    answer: Answer,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (name, look) = match request.match_info().get("file").and_then(|file| file.rsplit_once('.')) {
        Some((name, "svg")) if params.0.scheme.is_none() => (name, Look::Svg),
        Some((name, "png")) => (name, Look::Png(params.0.scheme.unwrap_or(Scheme::Light))),
        Some((_, "svg")) => {
            let detail = "A `.svg` follows the scheme of its reader: leave out `scheme`, or ask for the `.png`";
            return Err(ApiError::BadRequest(detail.to_owned()));
        }
        _ => return Err(ApiError::NoSuchPath),
    };
    picture_of((path.0, name), Shape::Card, look, answer, &state).await
}

async fn show_badge(
    _caller: CrossOriginCaller,
    path: Path<Market>,
    _params: Params<()>,
    request: HttpRequest,
    answer: Answer,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let name =
        request.match_info().get("file").and_then(|file| file.strip_suffix(".svg")).ok_or(ApiError::NoSuchPath)?;
    picture_of((path.0, name), Shape::Badge, Look::Svg, answer, &state).await
}

async fn picture_of(
    (market, name): (Market, &str),
    shape: Shape,
    look: Look,
    answer: Answer,
    state: &State,
) -> Result<HttpResponse, ApiError> {
    let record = state.site.public_records.of(market.sport);
    if record == PublicRecord::None {
        let detail = "That league has no public record; /api/v1/public/leagues lists those that have one";
        return Err(ApiError::NotFound(detail.to_owned()));
    }
    let at = AnswerMoment::present(state.published.moments.now(market.sport)?.read_by(ShownTo::Everyone));
    let (moment, analytics) = (at.moment(), &state.published.analytics);
    let unknown = || ApiError::NotFound(format!("{market} has no card of a model with that name"));
    let model: ModelName = name.parse().map_err(|_| unknown())?;
    let season = public_season(record, moment, market.model_type).ok_or_else(unknown)?;
    if !at.query(analytics.forecast_models(moment, market, Some(season))).await?.contains(&model) {
        return Err(unknown());
    }
    let listed = || ListedModels::Named([model].into());
    let (tracking, _) = at.query(analytics.model_tracking(moment, market, Some(season), None)).await?;
    let questions = Questions {
        summary: at.query(analytics.summary(moment, market, Some(season), None, listed())).await?,
        reliability: analytics.reliability(moment, market, season, model).map_err(|error| at.failure(error))?,
        tracking,
    };
    let site = Site::of(&state.site, moment);
    let key = (questions.key(), model, shape, look, site.clone());
    let making = async move {
        let figures = Figures::answered(questions, model).await?;
        off_thread("a card", move || drawn(&figures, &site, shape, look)).await?
    };
    let request = answer.request().clone();
    let is_finished = finished_seasons(moment).seasons.contains(&season);
    let mut response = answer.public().at(&at).validated_by_body().queued_if(true).respond(&key, making).await?;
    // A cosignature can come without a publication, and the clock can finish a season.
    request.extensions_mut().remove::<Repeatable>();
    let caching = HeaderValue::from_static(if is_finished { FINISHED } else { OPEN });
    response.headers_mut().insert(CACHE_CONTROL, caching);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, POLICY);
    Ok(response)
}

fn drawn(figures: &Figures, site: &Site, shape: Shape, look: Look) -> Result<KeptBody, PortError> {
    let svg = match shape {
        Shape::Card => drawing::card(figures, site, look),
        Shape::Badge => drawing::badge(figures, site),
    };
    Ok(match look {
        Look::Svg => KeptBody::new(HeaderValue::from_static("image/svg+xml"), svg.into()),
        Look::Png(_) => KeptBody::new(HeaderValue::from_static("image/png"), Bytes::from(drawing::png(&svg)?)),
    })
}

/// Returns the newest open season of a market: the current one where all are open.
fn public_season(record: PublicRecord, moment: &LeagueMoment, model_type: ModelType) -> Option<Season> {
    let catalog = moment.catalog()?;
    if record == PublicRecord::All {
        return catalog.default_season(model_type).map(|(season, _)| season);
    }
    let finished = finished_seasons(moment).seasons;
    catalog.seasons(model_type).map(|(season, _)| season).rfind(|season| finished.contains(season))
}

/// Returns the absolute addresses of a league's cards, by market and model.
///
/// # Errors
///
/// [`ApiError`] if a season cannot be read.
pub(super) async fn addresses(
    state: &State,
    record: PublicRecord,
    moment: &LeagueMoment,
) -> Result<BTreeMap<&'static str, BTreeMap<String, String>>, ApiError> {
    let mut addresses = BTreeMap::new();
    let Some(site) = &state.site.public_url else { return Ok(addresses) };
    for model_type in moment.markets().await? {
        let Some(season) = public_season(record, moment, model_type) else { continue };
        let market = Market::new(moment.sport(), model_type);
        let models = state.published.analytics.forecast_models(moment, market, Some(season)).await?;
        let address = |model: &ModelName| (model.to_string(), format!("{site}{}.svg", path(market, *model)));
        addresses.insert(model_type.code(), models.iter().map(address).collect());
    }
    Ok(addresses)
}

/// The markets, the one that most people know first.
const SHOWN_FIRST: [ModelType; 3] = [ModelType::WonOnPoints, ModelType::WonOnSpread, ModelType::OverUnder];

/// Returns the absolute address of a picture of the page: the card of the default model of an open league and market, the first
/// of those that are asked for.
pub(super) async fn picture(state: &State, of: Option<Sport>, in_market: Option<ModelType>) -> Option<String> {
    let site = state.site.public_url.as_ref()?;
    for (sport, record) in state.site.public_records.open().filter(|(sport, _)| of.is_none_or(|of| of == *sport)) {
        let moment = state.published.moments.now(sport).ok()?.read_by(ShownTo::Everyone);
        let defaults = moment.default_models(ShownTo::Everyone).await.ok()?;
        let markets = moment.markets().await.ok()?;
        let is_asked = |market: &ModelType| markets.contains(market) && in_market.is_none_or(|asked| asked == *market);
        for model_type in SHOWN_FIRST.into_iter().filter(is_asked) {
            let (market, model) = (Market::new(sport, model_type), defaults.of_market(model_type));
            let Some(season) = public_season(record, &moment, model_type) else { continue };
            let models = state.published.analytics.forecast_models(&moment, market, Some(season)).await.ok()?;
            if models.contains(&model) {
                return Some(format!("{site}{}.png", path(market, model)));
            }
        }
    }
    None
}

fn path(market: Market, model: ModelName) -> String {
    format!("/card/{}/{}/{model}", market.sport.code(), market.model_type.code())
}
