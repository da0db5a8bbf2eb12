//! The leagues, model types and teams that the service has.

mod teams;

use sports_domain::{ModelType, Sport};
use sports_http_transport::Audience;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::Subscriber;
use crate::caching::Revalidated;
use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::error::Unchanged;
use crate::operation::operation;
use crate::params::Params;
use crate::wire::wire;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(list_sports)).service(operation!(teams::list_teams));
}

wire! {
    /// The leagues and model types that the other operations take.
    #[schema(as = LeaguesAndModelTypes)]
    pub struct DiscoveryResponse(sports: &[Sport], model_types: &[ModelType]) {
        /// The leagues served.
        sports: Vec<SportItem> = sports.iter().copied().map(SportItem::new).collect(),
        /// The model types, the same for every league.
        model_types: Vec<ModelTypeItem> = model_types.iter().copied().map(ModelTypeItem::new).collect(),
    }
}

wire! {
    /// A league.
    #[schema(as = SportEntry)]
    pub struct SportItem(sport: Sport) {
        /// The code used in paths.
        code: SportCode = Code(sport),
        /// The full name.
        #[schema(example = "Major League Baseball")]
        name: &'static str = sport.name(),
    }
}

wire! {
    /// A model type.
    #[schema(as = ModelTypeEntry)]
    pub struct ModelTypeItem(model_type: ModelType) {
        /// The code used in paths.
        code: ModelTypeCode = Code(model_type),
        /// The market's usual name.
        #[schema(example = "Moneyline")]
        name: &'static str = model_type.name(),
    }
}

/// List leagues and model types
///
/// The codes in the paths of every other operation, with their names.
#[utoipa::path(
    get, path = "/api/v1/sports",
    tag = "discovery",
    responses(
        (status = 200, description = "All leagues and model types", body = DiscoveryResponse,
            example = json!(DiscoveryResponse::new(&Sport::ALL, &ModelType::ALL))),
        Unchanged,
    ),
)]
async fn list_sports(_caller: Subscriber, _params: Params<()>) -> Revalidated<DiscoveryResponse> {
    Revalidated(Audience::KeyHolder, DiscoveryResponse::new(&Sport::ALL, &ModelType::ALL))
}
