use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::Sport;
use sports_publication::slate::freshness::Status;
use sports_usecases::data_status::StatusDay;

use crate::answer::{Answer, Json};
use crate::auth::PublicCaller;
use crate::codes::{Code, DataStatusCode, SportCode};
use crate::error::{ApiError, DependencyDown, Unchanged};
use crate::examples::read_example;
use crate::moments::AnswerMoment;
use crate::params::{Given, Params};
use crate::paths::{Path, SportPath};
use crate::query_params;
use crate::response_cache::Repeatable;
use crate::state::State;
use crate::wire::wire;

query_params! {
    /// The length of a history of the data status.
    #[derive(Debug, Clone, Copy)]
    pub struct DataStatusHistoryQuery {
        /// The number of days, of which the last one is the last whose deadline has passed.
        #[param(value_type = Option<u32>, minimum = 1, maximum = 31, default = 30)]
        days: Option<usize> = |given: Given<'_>| given.whole_number(1..=31),
    }
}

wire! {
    /// The data status of past days.
    #[schema(as = DataStatusHistory)]
    pub struct DataStatusHistoryResponse(sport: Sport, days: Vec<StatusDay>) {
        /// The league.
        sport: SportCode = Code(sport),
        /// The number of these days whose data was complete by their deadline.
        #[schema(example = 29)]
        days_on_time: usize = days.iter().filter(|day| day.on_time()).count(),
        /// The number of days: those whose deadline has passed, and before which the league was published.
        #[schema(example = 30)]
        days_counted: usize = days.len(),
        /// The days, oldest first.
        days: Vec<DataStatusDay> = days.into_iter().map(DataStatusDay::new).collect(),
    }
}

wire! {
    /// The data status of a past day.
    pub struct DataStatusDay(day: StatusDay) {
        let on_time = day.on_time();

        /// The Eastern date.
        date: NaiveDate = day.date,
        /// The deadline: 10:15 Eastern, as an instant.
        deadline: DateTime<Utc> = day.deadline,
        /// The first instant of the day at which its status was `fresh` or `off_day`, by the clock of the publisher; null if it never
        /// was.
        #[schema(required)]
        first_complete_at: Option<DateTime<Utc>> = day.first_complete_at,
        /// True if that was by the deadline.
        on_time: bool = on_time,
        /// True if the checkpoint that covers the complete data has a cosignature or a timestamp from before the deadline, false if from
        /// later; null without one.
        #[schema(required)]
        proven: Option<bool> = day.proven,
        /// The status through the day, each with the instant at which it began.
        states: Vec<DataStatusState> = day.states.into_iter().map(DataStatusState::new).collect(),
    }
}

wire! {
    /// A status, and its beginning.
    pub struct DataStatusState(state: (DateTime<Utc>, Status)) {
        /// The instant at which it began, UTC; the first one of a day is midnight in the East.
        since: DateTime<Utc> = state.0,
        /// The status from then on.
        status: DataStatusCode = Code(state.1),
    }
}

/// List a league's data status day by day
///
/// For each day its deadline, the first instant at which its data was complete, and whether somebody else's clock says so: the record of
/// being on time. A day counts once its deadline has passed, if the league was published before it. A day without a slate is on time if
/// that was known in time.
#[utoipa::path(
    get, path = "/api/v1/data-status/{sport}/history",
    tag = "service",
    params(SportPath),
    responses(
        (status = 200, description = "The days", body = DataStatusHistoryResponse,
            example = json!(read_example(include_str!("data_status_history_example.json")))),
        Unchanged,
        DependencyDown,
    ),
)]
pub(super) async fn list_data_status_history(
    _caller: PublicCaller,
    path: Path<Sport>,
    params: Params<DataStatusHistoryQuery>,
    request: HttpRequest,
    answer: Answer,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params(query)) = (path, params);
    let days = query.days.unwrap_or(30) as u64;
    let moment = state.published.moments.now(sport)?;
    let newest = moment.catalog().map(|catalog| catalog.release_id.clone());
    // A cosignature can come without a publication, and a deadline passes without one.
    let key = (sport, days, newest, moment.now().timestamp() / 60);
    let at = AnswerMoment::present(moment.clone());
    let status = state.published.data_status.clone();
    let making = async move { Ok(Json(DataStatusHistoryResponse::new(sport, status.days(&moment, days).await?))) };
    let response = answer.public().at(&at).validated_by_body().queued_if(true).respond(&key, making).await;
    request.extensions_mut().remove::<Repeatable>();
    response
}
