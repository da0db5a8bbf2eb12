use actix_web::Error;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

use super::admission::Admission;
use super::cache::{ResponseCache, Worker};
use super::entry::CachedResponse;
use super::key::CacheKey;
use crate::response_body::ResponseBody;

/// The middleware that stores cacheable responses of the application. It has to be the outermost one.
///
/// # Errors
///
/// The application's own.
pub async fn store_response<A: Admission>(
    request: ServiceRequest,
    next: Next<ResponseBody>,
) -> Result<ServiceResponse<ResponseBody>, Error> {
    let Some(cache) = request.app_data::<ResponseCache<A>>().cloned() else { return next.call(request).await };
    let Worker { entries, policy, clock, .. } = &*cache.0;
    let key = CacheKey::of_request(request.head(), &**policy);
    let reservation = key.and_then(|key| entries.borrow_mut().reserve(key, &**policy, clock.now()));
    let response = next.call(request).await?;
    let Some(reservation) = reservation else { return Ok(response) };
    let (cached, response) = CachedResponse::of_response(response).await?;
    if let Some(cached) = cached {
        entries.borrow_mut().store(reservation, cached, &**policy, clock.now());
    }
    Ok(response)
}
