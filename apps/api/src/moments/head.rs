use std::time::SystemTime;

use actix_web::HttpRequest;
use actix_web::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue, HttpDate, LINK};
use chrono::{DateTime, SecondsFormat, Utc};
use sports_http_transport::Audience;
use sports_ports::PortError;
use sports_publication::{Generation, RecordHead, to_rfc3339};
use sports_usecases::moment::{LeagueMoment, Neighbours};
use sports_usecases::record::unreadable;
use url::form_urlencoded;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{HeaderBuilder, RefOr};

use crate::error::ApiError;
use crate::params::{API_KEY, MomentQuery};

/// The caching of an answer that no later entry changes. Today's rules and program may change it, so it is not immutable.
pub(crate) const FOR_A_DAY: HeaderValue = HeaderValue::from_static("private, max-age=86400");

/// The caching of an answer from the newest entry: another one may still be published before its instant.
const REVALIDATED: HeaderValue = HeaderValue::from_static("private, no-cache");

const X_GENERATION: HeaderName = HeaderName::from_static("x-generation");

const X_PUBLISHED_AT: HeaderName = HeaderName::from_static("x-published-at");

const X_RECORD_HEAD: HeaderName = HeaderName::from_static("x-record-head");

const X_AS_OF: HeaderName = HeaderName::from_static("x-as-of");

const MEMENTO_DATETIME: HeaderName = HeaderName::from_static("memento-datetime");

/// The headers about the moment of an answer.
#[derive(Debug, Clone, Default)]
pub struct MomentHead {
    /// The number and the publication time of the generation; `None` for a league without releases.
    generation: Option<(Generation, DateTime<Utc>)>,
    /// The receipt for holders of a key; `None` before the tree.
    receipt: Option<RecordHead>,
    /// The place of a requested moment; `None` for the present one.
    requested: Option<Box<RequestedHead>>,
}

/// The headers about a requested moment.
#[derive(Debug, Clone)]
struct RequestedHead {
    as_of: String,
    /// The addresses of the same answer at the entries before and after; empty without neighbours.
    link: String,
    has_later: bool,
}

impl MomentHead {
    /// Creates the headers of the present moment.
    pub fn present(moment: &LeagueMoment) -> Self {
        let generation = moment.catalog().map(|catalog| (catalog.generation, catalog.published_at));
        Self { generation, receipt: moment.record_head().cloned(), requested: None }
    }

    /// Creates the headers of a requested moment, which was sent as a text or as a number.
    pub fn requested(moment: &LeagueMoment, sent: Option<&str>, request: &HttpRequest) -> Self {
        let place = moment.requested().unwrap_or_default();
        let as_of = sent.map_or_else(|| to_rfc3339(&moment.now()), str::to_owned);
        let requested = RequestedHead { as_of, link: link(request, place), has_later: place.after.is_some() };
        Self { requested: Some(Box::new(requested)), ..Self::present(moment) }
    }

    /// Returns true for a requested moment.
    pub const fn is_requested(&self) -> bool {
        self.requested.is_some()
    }

    /// Returns true for a requested moment before the publication of another entry.
    pub fn has_later(&self) -> bool {
        self.requested.as_ref().is_some_and(|requested| requested.has_later)
    }

    /// Returns the failure of a query of the moment. Absent data is named with the instant, and damaged data of a requested
    /// moment is unavailable.
    pub fn failure(&self, error: impl Into<ApiError>) -> ApiError {
        let error = error.into();
        let Some(requested) = &self.requested else { return error };
        match error {
            ApiError::NotFound(detail) => ApiError::NotFound(format!("{detail} as of {}", requested.as_of)),
            ApiError::Conflict(detail) => ApiError::Conflict(detail.replace("{as_of}", &requested.as_of)),
            ApiError::Internal(source) => match source.downcast::<PortError>() {
                Ok(error) => past_failure(unreadable(*error).into()),
                Err(source) => ApiError::Internal(source),
            },
            error => past_failure(error),
        }
    }

    /// Writes the headers of an answer to this audience. Only `Cache-Control` replaces one that is there.
    pub fn write(&self, headers: &mut HeaderMap, audience: Audience) {
        self.each(audience, |name, value| headers.append(name, value));
        if let Some(caching) = self.caching() {
            headers.insert(CACHE_CONTROL, caching);
        }
    }

    /// Calls `append` with each header of an answer to this audience but `Cache-Control`.
    pub fn each(&self, audience: Audience, mut append: impl FnMut(HeaderName, HeaderValue)) {
        let mut append = |name: HeaderName, value: String| {
            // Addresses are encoded, and times and numbers are plain text.
            if let Ok(value) = HeaderValue::try_from(value) {
                append(name, value);
            }
        };
        if let Some((generation, published_at)) = self.generation {
            append(X_GENERATION, generation.to_string());
            append(X_PUBLISHED_AT, published_at.to_rfc3339_opts(SecondsFormat::Millis, true));
        }
        if let (Audience::KeyHolder, Some(receipt)) = (audience, &self.receipt) {
            append(X_RECORD_HEAD, receipt.as_str().to_owned());
        }
        let Some(requested) = &self.requested else { return };
        append(X_AS_OF, requested.as_of.clone());
        if let Some((_, published_at)) = self.generation {
            append(MEMENTO_DATETIME, HttpDate::from(SystemTime::from(published_at)).to_string());
        }
        if !requested.link.is_empty() {
            append(LINK, requested.link.clone());
        }
    }

    /// Returns the `Cache-Control` of an answer about a requested moment.
    pub fn caching(&self) -> Option<HeaderValue> {
        self.requested.as_ref().map(|requested| if requested.has_later { FOR_A_DAY } else { REVALIDATED })
    }
}

/// Returns the failure of work for an earlier moment.
pub(super) fn past_failure(error: ApiError) -> ApiError {
    match error {
        ApiError::Busy => ApiError::PastBusy,
        error => error,
    }
}

/// Returns the addresses of the same answer at the entries beside: with all parameters but the key and the moment, as they were
/// sent.
fn link(request: &HttpRequest, place: Neighbours) -> String {
    let mut address = String::with_capacity(request.path().len() + request.query_string().len() + 2);
    address.extend(["<", request.path(), "?"]);
    for pair in request.query_string().split('&').filter(|pair| is_kept(pair)) {
        address.extend([pair, "&"]);
    }
    let beside = [(place.before, "predecessor-version"), (place.after, "successor-version")];
    let links = beside.into_iter().filter_map(|(number, relation)| {
        Some([&address, "generation=", &number?.to_string(), ">; rel=\"", relation, "\""].concat())
    });
    links.collect::<Vec<_>>().join(", ")
}

/// Returns true for a parameter, as it was sent, that is neither the key nor the moment.
fn is_kept(pair: &str) -> bool {
    let name = pair.split_once('=').map_or(pair, |(name, _)| name);
    let is_kept = |name: &str| name != API_KEY && !MomentQuery::NAMES.contains(&name);
    if name.contains(['%', '+']) {
        form_urlencoded::parse(name.as_bytes()).next().is_some_and(|(name, _)| is_kept(&name))
    } else {
        !pair.is_empty() && is_kept(name)
    }
}

/// Describes the headers of an answer from one generation.
pub(super) fn describe(operation: &mut Operation) {
    let takes_moment = crate::openapi::document_known(operation).any(|name| MomentQuery::NAMES.contains(&name));
    let every = [
        ("X-Generation", "The number of the log entry that the answer is from; absent before the first release"),
        ("X-Published-At", "The publication time of that entry"),
    ];
    let requested = [
        ("X-As-Of", "With `as_of` or `generation`: the instant of the answer"),
        ("Memento-Datetime", "With `as_of` or `generation`: the publication time of the entry"),
        ("Link", "With `as_of` or `generation`: the same answer at the entries before and after; other links beside"),
    ];
    let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200") else { return };
    for (name, description) in every.into_iter().chain(requested.into_iter().filter(|_| takes_moment)) {
        let kind = if name == "X-Generation" { Type::Integer } else { Type::String };
        let schema = ObjectBuilder::new().schema_type(kind).build();
        let header = HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build();
        answer.headers.entry(name.to_owned()).or_insert(RefOr::T(header));
    }
}
