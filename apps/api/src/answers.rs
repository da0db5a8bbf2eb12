//! Answers that are a function of published content: made once, kept, and handed out ready to send.

mod body;
mod slate;

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::Serialize;
use sports_content::ObjectHash;
use sports_grading::RULES_VERSION;
use sports_ports::answers::Answers;
use sports_usecases::analytics::Question;

pub use body::KeptBody;
pub use slate::{SlateAnswers, SlateQuestion, SlateVersion};

use crate::arguments::Argument;
use crate::caching::{Audience, Etag};
use crate::error::ApiError;
use crate::provided::provided;

/// How a handler gives an answer computed from graded games.
pub struct GradedAnswer {
    request: HttpRequest,
    answers: Data<dyn Answers<KeptBody>>,
    headers: Vec<(&'static str, &'static str)>,
}

impl FromRequest for GradedAnswer {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let answers = provided(request, "answers");
        ready(answers.map(|answers| Self { request: request.clone(), answers, headers: Vec::new() }))
    }
}

impl Argument for GradedAnswer {}

impl GradedAnswer {
    /// Adds a header to whatever is given.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Gives the answer to a question, as `write` puts it. A client that has it already gets a 304; an answer
    /// that is not kept is computed.
    ///
    /// # Errors
    ///
    /// [`ApiError`] where it cannot be computed.
    pub async fn give<A: Send, T: Serialize + Send + 'static>(
        self,
        question: Question<A>,
        write: impl FnOnce(A) -> T + Send,
    ) -> Result<HttpResponse, ApiError> {
        let name = format!("{} {}", self.request.match_pattern().unwrap_or_default(), question.identity());
        let validator = Etag::for_request(&self.request, &[&name, RULES_VERSION]);
        let mut response = validator.response(&self.request, Audience::KeyHolder);
        for header in [("X-Grading-Rules", RULES_VERSION)].into_iter().chain(self.headers) {
            response.insert_header(header);
        }
        if validator.is_current(&self.request) {
            return Ok(response.finish());
        }
        let made = async move { KeptBody::written(write(question.answer().await?)).await.map(Arc::new) };
        let body = self.answers.answer(ObjectHash::from_bytes(name.as_bytes()), Box::pin(made)).await?;
        Ok(body.send(&self.request, response).await)
    }
}
