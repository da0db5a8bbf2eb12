//! The leagues and model types that the service has.

use serde::Serialize;
use sports_domain::{ModelType, Sport};
use sports_http_transport::Audience;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::Subscriber;
use crate::caching::Revalidated;
use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::error::Unchanged;
use crate::operation::operation;
use crate::params::Params;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(list_sports));
}

/// The leagues and model types that the other operations take.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LeaguesAndModelTypes)]
pub struct DiscoveryResponse {
    /// The leagues served.
    sports: Vec<SportItem>,
    /// The model types, the same for every league.
    model_types: Vec<ModelTypeItem>,
}

/// A league.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SportEntry)]
pub struct SportItem {
    /// The code used in paths.
    code: SportCode,
    /// The full name.
    #[schema(example = "Major League Baseball")]
    name: &'static str,
}

/// A model type.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ModelTypeEntry)]
pub struct ModelTypeItem {
    /// The code used in paths.
    code: ModelTypeCode,
    /// The market's usual name.
    #[schema(example = "Moneyline")]
    name: &'static str,
}

impl DiscoveryResponse {
    fn everything() -> Self {
        Self {
            sports: Sport::ALL.map(|sport| SportItem { code: Code(sport), name: sport.name() }).into(),
            model_types: ModelType::ALL
                .map(|model_type| ModelTypeItem { code: Code(model_type), name: model_type.name() })
                .into(),
        }
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
            example = json!(DiscoveryResponse::everything())),
        Unchanged,
    ),
)]
async fn list_sports(_caller: Subscriber, _params: Params<()>) -> Revalidated<DiscoveryResponse> {
    Revalidated(Audience::KeyHolder, DiscoveryResponse::everything())
}
