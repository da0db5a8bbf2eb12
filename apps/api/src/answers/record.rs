use actix_web::HttpResponse;
use serde::Serialize;
use sports_http_transport::Audience;
use sports_ports::PortError;

use super::body::in_form;
use super::{CachedAnswer, Form};
use crate::arguments::{Argument, from_request};
use crate::error::ApiError;
use crate::format::Format;
use crate::moments::AnswerMoment;
use crate::tables::Tabular;

/// An answer from the record of a league, for holders of a key.
pub struct RecordAnswer {
    answer: CachedAnswer,
    is_expensive: bool,
}

from_request! { RecordAnswer, request => {
    let answer = CachedAnswer::to(request, Audience::KeyHolder);
    answer.map(|answer| Self { answer: CachedAnswer { is_of_log: true, ..answer }, is_expensive: false })
} }

impl Argument for RecordAnswer {}

impl RecordAnswer {
    /// Sets the moment that the answer is of.
    pub fn at(self, moment: &AnswerMoment) -> Self {
        Self { answer: self.answer.at(moment), ..self }
    }

    /// Adds a header to the response.
    pub fn with_header(self, name: &'static str, value: &(impl ToString + ?Sized)) -> Self {
        Self { answer: self.answer.with_header(name, value), ..self }
    }

    /// Returns true if the answer will be a table, in the named format or the one that the client accepts.
    pub fn is_table(&self, format: Option<Format>) -> bool {
        Form::chosen(self.answer.request(), format).format().is_table()
    }

    /// Lets clients keep the answer for a day, if it is final.
    pub fn kept_if_final(self, is_final: bool) -> Self {
        Self { answer: CachedAnswer { is_final, ..self.answer }, ..self }
    }

    /// Makes the answer in the queue of expensive computations.
    pub fn queued(self) -> Self {
        Self { is_expensive: true, ..self }
    }

    /// Gives the answer in the named format, else in the one that the client accepts. `identity` is everything that it depends
    /// on.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the answer cannot be made, or does not have the requested part.
    pub async fn give_as<T: Serialize + Tabular + Send + 'static>(
        self,
        format: Option<Format>,
        identity: &str,
        making: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let form = Form::chosen(self.answer.request(), format);
        let (name, tables) = (self.answer.name(identity), form.tables()?);
        let making = async move { in_form(making.await?, tables).await };
        self.answer.give_in(form, &name, self.is_expensive, making).await
    }
}
