use actix_web::HttpResponse;
use sports_paging::{GameFilter, SeasonChoice};
use sports_usecases::season_tables::{TableSubject, chosen};

use crate::answers::{Form, SeasonTableAnswer, Selection};
use crate::error::ApiError;
use crate::moments::AnswerMoment;

/// Answers with a table of several seasons.
pub async fn give_seasons(
    subject: TableSubject,
    choice: &SeasonChoice,
    filter: GameFilter,
    answer: SeasonTableAnswer,
    at: &AnswerMoment,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let seasons = chosen(at.moment(), subject, choice, filter.dates).map_err(|error| at.failure(error))?;
    let answer = answer.at(at).to_selection(Selection::whole(subject, seasons, filter), form);
    if let Some(unchanged) = answer.unchanged() {
        return Ok(unchanged);
    }
    let rows = answer.rows().await?;
    answer.give_table(rows, |request, _| request.path().to_owned()).await
}
