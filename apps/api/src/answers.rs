//! Answers that are a function of published content: made once, kept, and handed out ready to send.

mod body;
mod slate;

use std::fmt::Debug;
use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::Serialize;
use sports_grading::RULES_VERSION;
use sports_ports::PortError;
use sports_ports::answers::Answers;
use sports_publication::ObjectHash;

pub use body::Body;
pub use slate::{SlateAnswers, SlateQuestion, SlateVersion};

use crate::arguments::Argument;
use crate::caching::{Audience, Validator};
use crate::error::ApiError;
use crate::provided::provided;

/// How a handler gives an answer computed from graded games.
pub struct GradedAnswer {
    request: HttpRequest,
    answers: Data<dyn Answers<Body>>,
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

    /// Gives the answer to `question`, which must name everything the answer depends on: archives by their
    /// hashes, publication times, dates, parameters. A client that has it gets 304; one that was not asked
    /// for yet is made by `making`.
    ///
    /// # Errors
    ///
    /// [`ApiError`] where it cannot be made.
    pub async fn give<T: Serialize + Send + 'static>(
        self,
        question: &(impl Debug + Sync),
        making: impl Future<Output = Result<T, PortError>> + Send,
    ) -> Result<HttpResponse, ApiError> {
        let name = format!("{} {question:?}", self.request.match_pattern().unwrap_or_default());
        let validator = Validator::for_request(&self.request, &[&name, RULES_VERSION]);
        let mut response = validator.response(&self.request, Audience::KeyHolder);
        for header in [("X-Grading-Rules", RULES_VERSION)].into_iter().chain(self.headers) {
            response.insert_header(header);
        }
        if validator.is_current(&self.request) {
            return Ok(response.finish());
        }
        let made = async move { Body::written(making.await?).await.map(Arc::new) };
        let body = self.answers.answer(ObjectHash::from_bytes(name.as_bytes()), Box::pin(made)).await?;
        Ok(body.send(&self.request, response).await)
    }
}
