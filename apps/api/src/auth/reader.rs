use std::marker::PhantomData;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppService, HttpServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue, VARY,
};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpMessage, Resource};
use utoipa::openapi::path::Operation;

use super::access::{Access, AdmissionRule};
use super::opened::{PublicReading, RecordPart};
use super::scope::{scope, take_caller};
use crate::arguments::from_request;
use crate::error::{KeyRefused, NotEntitled, RequestRefused, ServiceFault};
use crate::openapi::add_responses;
use crate::openapi::security::behind_a_key;
use crate::params::UnknownParams;
use crate::response_cache::Repeatable;

/// A reader of a league's record: a subscriber, or anybody where the operator opened the record. `P` is the part that the
/// operation answers about.
///
/// # Contract
///
/// - Without a key, and with a key that has no subscription, a reader is admitted to the open part by the limit of the address.
///   The moment that [`RequestMoments`](crate::moments::RequestMoments) gives to the handler is then one of
///   [`ShownTo::Everyone`](sports_publication::registry::ShownTo::Everyone), which hides games that have not started, and models that are not public.
/// - Requests of an earlier moment need a key.
/// - A key that is wrong or expired is refused, whatever is open.
#[derive(Debug, Clone, Copy)]
pub struct RecordReader<P>(PhantomData<P>);

/// A part of a record, as a type.
pub trait KnownPart: 'static {
    #[doc(hidden)]
    const PART: RecordPart;
}

/// [`RecordPart::League`].
#[derive(Debug, Clone, Copy)]
pub enum OfLeague {}

/// [`RecordPart::Season`].
#[derive(Debug, Clone, Copy)]
pub enum OfSeason {}

/// [`RecordPart::AllSeasons`].
#[derive(Debug, Clone, Copy)]
pub enum OfAllSeasons {}

impl KnownPart for OfLeague {
    const PART: RecordPart = RecordPart::League;
}

impl KnownPart for OfSeason {
    const PART: RecordPart = RecordPart::Season;
}

impl KnownPart for OfAllSeasons {
    const PART: RecordPart = RecordPart::AllSeasons;
}

from_request! { <P: KnownPart> RecordReader<P>, request => {
    take_caller(request, AdmissionRule::Record(P::PART)).map(|_| Self(PhantomData))
} }

impl<P: KnownPart> Access for RecordReader<P> {
    const RULE: Option<AdmissionRule> = Some(AdmissionRule::Record(P::PART));
    const UNKNOWN_PARAMS: UnknownParams = UnknownParams::Refused;

    fn register(resource: Resource, config: &mut AppService) {
        resource.wrap(from_fn(scope::<Self, _>)).wrap(from_fn(shown_to_anybody)).register(config);
    }

    fn describe(operation: &mut Operation) {
        add_responses::<KeyRefused>(operation);
        add_responses::<RequestRefused>(operation);
        add_responses::<ServiceFault>(operation);
        add_responses::<NotEntitled>(operation);
        // A server opens nothing by default, so the document asks for a key.
        behind_a_key(operation);
        operation.description.get_or_insert_default().push_str(OPEN_WHERE);
    }
}

/// The end of the description of an operation.
const OPEN_WHERE: &str = "\n\nWhere the operator made the record of the league public (`/api/v1/public/leagues`), it needs no key for games that have \
                          started and public models.";

/// Adds the headers by which caches and pages of any origin may have a public answer, and takes away what is of keys.
async fn shown_to_anybody<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let kept = request.request().clone();
    let mut response = next.call(request).await?.map_into_boxed_body();
    let Some(reading) = PublicReading::of(&kept) else { return Ok(response) };
    // The cache of responses has those of subscribers.
    kept.extensions_mut().remove::<Repeatable>();
    let is_answer = !response.status().is_client_error() && !response.status().is_server_error();
    let reading = PublicReading { caching: reading.caching.filter(|_| is_answer), ..reading };
    insert_headers(response.headers_mut(), reading);
    Ok(response)
}

fn insert_headers(headers: &mut HeaderMap, PublicReading { caching, models_hidden }: PublicReading) {
    const RECORD_HEAD: HeaderName = HeaderName::from_static("x-record-head");
    const MODELS_HIDDEN: HeaderName = HeaderName::from_static("x-models-hidden");
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("*"));
    headers.append(VARY, HeaderValue::from_static("X-API-Key, Authorization"));
    headers.remove(RECORD_HEAD);
    if let Some(caching) = caching {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
        headers.insert(MODELS_HIDDEN, models_hidden.into());
    }
}
