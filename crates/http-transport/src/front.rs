use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_http::{HttpMessage, Request, Response};
use actix_service::Service;
use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use futures::future::LocalBoxFuture;
use sports_telemetry::RequestId;

use crate::connection::Connection;
use crate::limits::{HEAD, HEADERS};
use crate::refusal::{Refusal, Refusals};
use crate::response_body::{ResponseBody, ResponseGuard};
use crate::response_cache::{Admission, ResponseCache};
use crate::tally::Tally;

/// The service between the HTTP library and the application of a worker: it responds from the cache, stores what is repeated, and
/// keeps a connection in its responding state until the end of the body.
pub(crate) struct Front<S, A: Admission> {
    pub(crate) application: Rc<S>,
    pub(crate) cache: Option<ResponseCache<A>>,
    pub(crate) refusals: Arc<dyn Refusals>,
    pub(crate) tally: Arc<Tally>,
}

impl<S, A> Service<Request> for Front<S, A>
where
    S: Service<Request, Response = ServiceResponse, Error = Error> + 'static,
    A: Admission,
{
    type Response = Response<ResponseBody>;
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self::Response, Error>>;

    fn poll_ready(&self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.application.poll_ready(context)
    }

    fn call(&self, request: Request) -> Self::Future {
        let connection = request.conn_data::<Arc<Connection>>().cloned();
        let ready = self.cache.as_ref().and_then(|cache| cache.respond(request.head(), connection.as_ref()));
        let is_too_large =
            connection.as_ref().is_some_and(|connection| connection.is_multiplexed() && is_large(&request));
        let guard = ResponseGuard::begin(connection);
        if is_too_large {
            self.tally.count_malformed();
            let refusal = self.refusals.response(Refusal::HeadTooLarge).into_response(&RequestId::new());
            return Box::pin(async { Ok(refusal.map_body(|_, body| ResponseBody::new(body, guard))) });
        }
        let (application, cache) = (Rc::clone(&self.application), self.cache.clone());
        Box::pin(async move {
            let ready = match ready {
                Some(ready) => ready.await,
                None => None,
            };
            let response = match ready {
                Some(response) => response,
                None => respond(&*application, cache, request).await?,
            };
            Ok(response.map_body(|_, body| ResponseBody::new(body, guard)))
        })
    }
}

/// Lets the application respond, and stores what is repeated.
async fn respond<S, A>(
    application: &S,
    cache: Option<ResponseCache<A>>,
    request: Request,
) -> Result<Response<BoxBody>, Error>
where
    S: Service<Request, Response = ServiceResponse, Error = Error>,
    A: Admission,
{
    let reservation = cache.and_then(|cache| Some((cache.reserve(request.head())?, cache)));
    let response = application.call(request).await?;
    match reservation {
        Some((reservation, cache)) => cache.store(reservation, response).await,
        None => Ok(response.into()),
    }
}

/// Returns true if a head of HTTP/2 is larger than one of HTTP/1 may be, which its stream measures.
fn is_large(request: &Request) -> bool {
    let lines = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    request.headers().len() > HEADERS || lines.sum::<usize>() + target > HEAD
}
