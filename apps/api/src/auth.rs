//! Who is asking. A handler says what it needs by taking a [`Subscriber`] or an [`AnyKey`].

mod gate;
mod presented;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use futures::future::{LocalBoxFuture, TryFutureExt};
use sports_ports::accounts::{KeyHolder, KeyRing};
use sports_ports::{Clock, PortError};

use gate::Gate;
pub use gate::Gated;
use presented::presented_key;

use crate::error::ApiError;

/// A caller with a valid key and an active subscription.
#[derive(Debug, Clone)]
pub struct Subscriber(pub KeyHolder);

/// A caller with a valid key, subscribed or not.
#[derive(Debug, Clone)]
pub struct AnyKey(pub KeyHolder);

impl FromRequest for AnyKey {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let gate = Gate::close(request);
        Box::pin(authenticate(request).map_ok(Self).inspect_ok(move |_| gate.open()))
    }
}

impl FromRequest for Subscriber {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let gate = Gate::close(request);
        let holder = authenticate(request);
        Box::pin(async move {
            let holder = holder.await?;
            if !holder.customer.is_subscribed() {
                return Err(ApiError::SubscriptionRequired);
            }
            gate.open();
            Ok(Self(holder))
        })
    }
}

/// Finds the holder of the key that came with a request. A mistyped key costs no lookup.
fn authenticate(request: &HttpRequest) -> impl Future<Output = Result<KeyHolder, ApiError>> + 'static {
    let key = presented_key(request);
    let ring = request.app_data::<Data<dyn KeyRing>>().cloned();
    let clock = request.app_data::<Data<dyn Clock>>().cloned();
    async move {
        let digest = key?.digest();
        let (Some(ring), Some(clock)) = (ring, clock) else {
            return Err(PortError::unavailable("key ring", "the program was started without one").into());
        };
        let holder = ring.holder(&digest).await?;
        holder.filter(|holder| holder.key.is_active(clock.now())).ok_or(ApiError::KeyRefused)
    }
}
