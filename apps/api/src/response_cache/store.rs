use actix_web::Error;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

use super::ResponseCache;
use super::entry::CachedResponse;
use super::key::CacheKey;
use crate::connections::AnswerBody;

/// Has the application respond, and stores the response if it may be cached and is requested repeatedly.
pub(crate) async fn store(
    request: ServiceRequest,
    next: Next<AnswerBody>,
) -> Result<ServiceResponse<AnswerBody>, Error> {
    let Some(cache) = request.app_data::<ResponseCache>().cloned() else { return next.call(request).await };
    let reservation = CacheKey::of_request(request.head()).and_then(|key| cache.current().0.reserve(key));
    let response = next.call(request).await?;
    let Some(reservation) = reservation else { return Ok(response) };
    let (cached, response) = CachedResponse::of_response(response).await?;
    if let Some(cached) = cached {
        cache.0.entries.borrow_mut().store(reservation, cached);
    }
    Ok(response)
}
