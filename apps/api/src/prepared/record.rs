use actix_web::Error;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

use super::PreparedAnswers;
use super::answer::PreparedAnswer;
use super::request::PlainRequest;
use crate::connections::AnswerBody;

/// Answers a request by the application, and keeps what will be asked for again, if it can be given again.
pub(crate) async fn record(
    request: ServiceRequest,
    next: Next<AnswerBody>,
) -> Result<ServiceResponse<AnswerBody>, Error> {
    let Some(ready) = request.app_data::<PreparedAnswers>().cloned() else { return next.call(request).await };
    let place = PlainRequest::of_head(request.head()).and_then(|plain| ready.current().0.place(&plain));
    let response = next.call(request).await?;
    let Some(place) = place else { return Ok(response) };
    let (answer, response) = PreparedAnswer::of_response(response).await?;
    if let Some(answer) = answer {
        ready.0.table.borrow_mut().keep(place, answer);
    }
    Ok(response)
}
