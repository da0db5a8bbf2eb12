//! The moment that an answer is of: found for a request, and named by the headers of its answer.

mod head;

use actix_web::{HttpRequest, HttpResponse, Responder};
use chrono::NaiveDate;
use serde::Serialize;
use sports_domain::Sport;
use sports_domain::paging::GameFilter;
use sports_ports::PortError;
use sports_publication::to_rfc3339;
use sports_usecases::moment::{LeagueMoment, MomentError, Moments, RequestedMoment};
use sports_usecases::record::{is_being_read, unreadable};
use utoipa::openapi::path::Operation;

use crate::arguments::{Argument, from_request};
use crate::auth::reader_of;
use crate::caching::Revalidated;
use crate::error::ApiError;
use crate::params::{AfterGeneration, MomentQuery};
use crate::past_requests;
use crate::state::State;

pub(crate) use head::FOR_A_DAY;
pub use head::MomentHead;
use head::past_failure;

/// The moments of all leagues, for one request.
pub struct RequestMoments {
    state: State,
    request: HttpRequest,
}

/// The moment of an answer.
pub struct AnswerMoment {
    moment: LeagueMoment,
    head: MomentHead,
}

from_request! { RequestMoments, request => {
    State::of(request).map(|state| Self { state: state.clone(), request: request.clone() })
} }

impl Argument for RequestMoments {
    fn describe(operation: &mut Operation) {
        head::describe(operation);
    }
}

impl RequestMoments {
    /// Returns the present moment of a league.
    ///
    /// # Errors
    ///
    /// [`ApiError::Unavailable`] before the league's log was read.
    pub fn now(&self, sport: Sport) -> Result<AnswerMoment, ApiError> {
        let reader = reader_of(&self.request);
        Ok(AnswerMoment::present(self.state.published.moments.now(sport)?.read_by(reader)))
    }

    /// Returns the requested moment of a league, the present one without a parameter.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the record has no such moment, or it cannot be read.
    pub async fn at(&self, sport: Sport, query: &MomentQuery) -> Result<AnswerMoment, ApiError> {
        let Some(requested) = query.requested() else { return self.now(sport) };
        let moment = self.earlier(sport, requested, query.sent()).await?;
        let head = MomentHead::requested(&moment, query.sent(), &self.request);
        Ok(AnswerMoment { moment, head })
    }

    /// Returns the moment of [`Self::at`] for an answer about the time since a generation, which the parameter `name` has: another
    /// node may have served one that this node has yet to read.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the moment is before the generation; the errors of [`Self::at`].
    pub async fn at_after(
        &self,
        sport: Sport,
        query: &MomentQuery,
        name: &str,
        after: Option<AfterGeneration>,
    ) -> Result<AnswerMoment, ApiError> {
        let at = self.at(sport, query).await?;
        let (Some(AfterGeneration(Some(after))), Some(catalog)) = (after, at.moment().catalog()) else { return Ok(at) };
        if after <= catalog.generation {
            return Ok(at);
        }
        if at.head.is_requested() {
            let newest = catalog.generation;
            let detail =
                format!("`{name}` is {after}, but the answer is of generation {newest}: send {newest} or less");
            return Err(ApiError::BadRequest(detail));
        }
        self.earlier(sport, RequestedMoment::Generation(after), None).await?;
        self.now(sport)
    }

    /// Returns an earlier moment of a league; `sent` is the text of its instant.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the record has no such moment, or it cannot be read.
    pub async fn earlier(
        &self,
        sport: Sport,
        requested: RequestedMoment,
        sent: Option<&str>,
    ) -> Result<LeagueMoment, ApiError> {
        past_requests::begin();
        // In a box: few requests take this way, and all would carry its state.
        let moment = Box::pin(self.state.published.moments.at(sport, requested)).await;
        moment.map_err(|error| refusal(error, sent, sport))
    }

    /// Returns the moments of all leagues.
    pub fn all(&self) -> &Moments {
        &self.state.published.moments
    }
}

impl AnswerMoment {
    pub fn present(moment: LeagueMoment) -> Self {
        let head = MomentHead::present(&moment);
        Self { moment, head }
    }

    /// Replaces the moment of the data by a later one; a requested moment stays.
    pub fn followed_by(self, moment: LeagueMoment) -> Self {
        if self.head.is_requested() { self } else { Self::present(moment) }
    }

    /// Adds to a filter of games up to a date that they have started, where the reader may see no others.
    pub fn filter(&self, filter: GameFilter, last_date: Option<NaiveDate>) -> GameFilter {
        let started_by = self.moment.may_hide(last_date).then(|| self.moment.now());
        GameFilter { started_by, ..filter }
    }

    pub const fn moment(&self) -> &LeagueMoment {
        &self.moment
    }

    /// Returns the headers about the moment.
    pub const fn head(&self) -> &MomentHead {
        &self.head
    }

    /// Awaits a query of the moment. Absent data is named with the instant, and damaged data is unavailable.
    ///
    /// # Errors
    ///
    /// [`ApiError`] of the query.
    pub async fn query<T, E: Into<ApiError>>(&self, query: impl Future<Output = Result<T, E>>) -> Result<T, ApiError> {
        query.await.map_err(|error| self.failure(error))
    }

    /// Returns the failure of a query of the moment.
    pub fn failure(&self, error: impl Into<ApiError>) -> ApiError {
        self.head.failure(error)
    }
}

impl<T: Serialize> Revalidated<T> {
    /// Returns the response with the headers about its moment.
    pub fn respond_at(self, moment: &AnswerMoment, request: &HttpRequest) -> HttpResponse {
        let audience = self.0;
        let mut response = self.respond_to(request);
        moment.head().write(response.headers_mut(), audience);
        response
    }
}

fn refusal(error: MomentError, sent: Option<&str>, sport: Sport) -> ApiError {
    match error {
        MomentError::NotReadYet(error) => error.into(),
        MomentError::Future { now } => {
            ApiError::BadRequest(format!("`as_of` is in the future: it is {} here", to_rfc3339(&now)))
        }
        MomentError::BeforeFirst { first, .. } => {
            let sent = sent.unwrap_or_default();
            let first = to_rfc3339(&first);
            ApiError::NotFound(format!("Nothing was published for {sport} at {sent}: its first release is of {first}"))
        }
        MomentError::AboveNewest { generation, newest: Some(newest), .. } => {
            ApiError::NotFound(format!("{sport} has no generation {generation}: the newest is {newest}"))
        }
        MomentError::AboveNewest { generation, newest: None, .. } => {
            ApiError::NotFound(format!("{sport} has no generation {generation}: nothing is published for it"))
        }
        MomentError::NoMember { generation, .. } => {
            ApiError::NotFound(format!("Number {generation} in the log of {sport} is no part of its record"))
        }
        MomentError::Unreadable(error) => unreadable_past(error),
    }
}

/// Returns the failure of a read of earlier entries.
pub fn unreadable_past(error: PortError) -> ApiError {
    if is_being_read(&error) { ApiError::BeingRead } else { past_failure(unreadable(error).into()) }
}
