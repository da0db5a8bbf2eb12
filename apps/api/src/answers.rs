//! Answers that are a function of published content: made once, kept, and handed out ready to send.

mod body;
mod compression;
mod form;
mod slate;

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::Serialize;
use sports_content::ObjectHash;
use sports_grading::RULES_VERSION;
use sports_ports::PortError;
use sports_ports::answers::Answers;
use sports_usecases::analytics::Question;

pub use body::KeptBody;
pub use form::Form;
pub use slate::{SlateAnswers, SlateQuestion, SlateVersion};

use crate::arguments::Argument;
use crate::caching::Audience;
use crate::compute_queue::ComputeQueue;
use crate::encoding::Encoding;
use crate::error::ApiError;
use crate::format::Format;
use crate::provided::provided;
use crate::response_cache::Repeatable;
use crate::tables::Tabular;

/// How a handler gives an answer computed from graded games.
pub struct GradedAnswer {
    request: HttpRequest,
    answers: Data<dyn Answers<KeptBody>>,
    queue: Data<ComputeQueue>,
    headers: Vec<(&'static str, &'static str)>,
}

impl FromRequest for GradedAnswer {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request))
    }
}

impl Argument for GradedAnswer {}

impl GradedAnswer {
    fn of(request: &HttpRequest) -> Result<Self, ApiError> {
        let answers = provided::<dyn Answers<KeptBody>>(request, "answers")?.clone();
        let queue = provided::<ComputeQueue>(request, "computation")?.clone();
        Ok(Self { request: request.clone(), answers, queue, headers: Vec::new() })
    }

    /// Adds a header to whatever is given.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Gives the answer to a question as JSON, as `write` puts it. A client that has it already gets a 304; an answer
    /// that is not kept is computed, and an expensive one in its turn.
    ///
    /// # Errors
    ///
    /// [`ApiError`] where it cannot be computed.
    pub async fn give<A: Send + 'static, T: Serialize + Send + 'static>(
        self,
        question: Question<A>,
        write: impl FnOnce(A) -> T + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let form = Form::only_json(&self.request);
        let (name, is_expensive) = (self.name(&question), question.is_expensive());
        let made = async move { KeptBody::written(write(question.answer().await?)).await };
        self.give_in(form, name, is_expensive, made).await
    }

    /// Gives it in the form that is named, or that the client accepts.
    ///
    /// # Errors
    ///
    /// [`ApiError`] where it cannot be computed, or does not have the part that is asked for.
    pub async fn give_as<A: Send + 'static, T: Serialize + Tabular + Send + 'static>(
        self,
        format: Option<Format>,
        question: Question<A>,
        write: impl FnOnce(A) -> T + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let form = Form::chosen(&self.request, format);
        let (name, is_expensive, tables) = (self.name(&question), question.is_expensive(), form.tables()?);
        let made = async move { KeptBody::in_form(write(question.answer().await?), tables).await };
        self.give_in(form, name, is_expensive, made).await
    }

    fn name<A>(&self, question: &Question<A>) -> String {
        format!("{} {}", self.request.match_pattern().unwrap_or_default(), question.identity())
    }

    async fn give_in(
        self,
        form: Form,
        name: String,
        is_expensive: bool,
        made: impl Future<Output = Result<KeptBody, PortError>> + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let etag = form.etag(&[&name, RULES_VERSION]);
        let mut response = form.response(&etag, Audience::KeyHolder);
        for header in [("X-Grading-Rules", RULES_VERSION)].iter().chain(&self.headers) {
            response.insert_header(*header);
        }
        Repeatable::mark(&self.request);
        if etag.is_current(&self.request) {
            return Ok(response.finish());
        }
        let name = ObjectHash::from_parts([name.as_bytes(), form.format().name().as_bytes()]);
        let body = if is_expensive {
            self.in_turn(name, etag.encoding(), made).await?
        } else {
            self.answers.answer(name, Box::pin(async move { made.await.map(Arc::new) })).await?
        };
        form.send(&body, &etag, response).await
    }

    /// Returns an answer that is kept, or one that is computed in its turn, compressed for this client.
    async fn in_turn(
        &self,
        name: ObjectHash,
        encoding: Encoding,
        made: impl Future<Output = Result<KeptBody, PortError>> + Send + 'static,
    ) -> Result<Arc<KeptBody>, PortError> {
        let computed = self.queue.run(async move {
            let body = made.await?;
            body.prepare(encoding).await;
            Ok(Arc::new(body))
        });
        let body = self.answers.answer(name, Box::pin(computed)).await?;
        if !body.is_prepared(encoding) {
            let kept = Arc::clone(&body);
            let compression = async move {
                kept.prepare(encoding).await;
                Ok(())
            };
            self.queue.run(compression).await?;
        }
        Ok(body)
    }
}
