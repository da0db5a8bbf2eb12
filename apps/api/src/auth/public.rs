use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use futures::future::LocalBoxFuture;
use sports_ports::Clock;
use sports_ports::metering::AddressLimit;

use super::gate::Gate;
use super::{CallLimits, missing};
use crate::error::ApiError;
use crate::proxy_trust::ProxyTrust;

/// A caller without a key, held to the limit of the address they call from. For public data, the documentation and
/// downloads, which cost more than a look at what is in memory; probes have no limit.
#[derive(Debug, Clone, Copy)]
pub struct PublicCaller;

impl FromRequest for PublicCaller {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let gate = Gate::close(request);
        let address = ProxyTrust::client_address(request);
        let limit = request.app_data::<Data<dyn AddressLimit>>().cloned();
        let limits = request.app_data::<Data<CallLimits>>().cloned();
        let clock = request.app_data::<Data<dyn Clock>>().cloned();
        Box::pin(async move {
            let (Some(limit), Some(limits), Some(clock)) = (limit, limits, clock) else {
                return Err(missing("address limit"));
            };
            if !limit.admits(address, clock.uptime()).await? {
                return Err(ApiError::second_is_full(limits.public_per_second));
            }
            gate.open();
            Ok(Self)
        })
    }
}
