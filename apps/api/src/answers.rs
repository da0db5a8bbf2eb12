//! Answers that are a function of published content: made on their first request and cached, ready to send.

mod body;
mod form;
mod record;
mod season_table;
mod slate;

use std::sync::Arc;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use sports_content::ObjectHash;
use sports_grading::RULES_VERSION;
use sports_http_transport::{Audience, ComputeQueue, Encoding, Etag, KeptBody};
use sports_ports::PortError;
use sports_ports::answers::{Answers, Making};
use sports_usecases::analytics::Question;

use body::{as_json, as_table, in_form};
pub use form::Form;
pub use record::RecordAnswer;
pub use season_table::{SeasonTableAnswer, SelectedRows, Selection};
pub use slate::{SlateAnswers, SlateQuestion, SlateVersion};

use crate::arguments::{Argument, from_request};
use crate::error::ApiError;
use crate::format::Format;
use crate::moments::{AnswerMoment, FOR_A_DAY, MomentHead, noting_load};
use crate::provided::provided;
use crate::response_cache::Repeatable;
use crate::tables::Tabular;

/// The answer of a handler that follows from published content: cached by everything that it depends on, with a validator.
pub struct CachedAnswer {
    request: HttpRequest,
    answers: Data<dyn Answers<KeptBody>>,
    queue: Data<ComputeQueue>,
    audience: Audience,
    headers: Vec<(&'static str, String)>,
    moment: MomentHead,
    /// True if no later publication changes the answer.
    is_final: bool,
    /// True if the answer is made of all entries of a log: most publications change what it depends on, and few its content.
    is_of_log: bool,
}

/// The cached answers of earlier moments, which never replace those of the present.
pub struct PastAnswers(pub Arc<dyn Answers<KeptBody>>);

/// An answer computed from graded games, for holders of a key.
pub struct GradedAnswer(CachedAnswer);

from_request! { CachedAnswer, request => Self::to(request, Audience::Public) }

from_request! { GradedAnswer, request => CachedAnswer::graded(request).map(Self) }

impl Argument for CachedAnswer {}
impl Argument for GradedAnswer {}

impl GradedAnswer {
    /// Returns the answer to a question, its name, and true if it is expensive.
    fn for_question<A>(self, question: &Question<A>) -> (CachedAnswer, String, bool) {
        let name = self.0.name(question.identity());
        (CachedAnswer { is_of_log: question.reads_log(), ..self.0 }, name, question.is_expensive())
    }

    /// Sets the moment that the answer is of.
    pub fn at(self, moment: &AnswerMoment) -> Self {
        Self(self.0.at(moment))
    }

    /// Adds a header to the response.
    pub fn with_header(self, name: &'static str, value: &str) -> Self {
        Self(self.0.with_header(name, value))
    }

    /// Answers a question as JSON, in the shape that `write` returns. An expensive answer is computed in the queue.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the answer cannot be computed.
    pub async fn give<A: Send + 'static, T: Serialize + Send + 'static>(
        self,
        question: Question<A>,
        write: impl FnOnce(A) -> T + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let form = Form::only_json(&self.0.request);
        let (answer, name, is_expensive) = self.for_question(&question);
        let making = async move { as_json(write(question.answer().await?)).await };
        answer.give_in(form, &name, is_expensive, making).await
    }

    /// Answers a question in the named format, else in the one that the client accepts.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the answer cannot be computed, or does not have the requested part.
    pub async fn give_as<A: Send + 'static, T: Serialize + Tabular + Send + 'static>(
        self,
        format: Option<Format>,
        question: Question<A>,
        write: impl FnOnce(A) -> T + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let form = Form::chosen(&self.0.request, format);
        let (answer, name, is_expensive) = self.for_question(&question);
        let tables = form.tables()?;
        let making = async move { in_form(write(question.answer().await?), tables).await };
        answer.give_in(form, &name, is_expensive, making).await
    }
}

impl GradedAnswer {
    /// Answers a question that has no form as JSON with a table.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the answer cannot be computed, or does not have the requested part.
    pub async fn give_table<T: Tabular + Send + 'static>(
        self,
        format: Format,
        question: Question<T>,
    ) -> Result<HttpResponse, ApiError> {
        let form = Form::chosen(&self.0.request, Some(format));
        let (answer, name, is_expensive) = self.for_question(&question);
        let tables = form.tables()?.ok_or_else(|| ApiError::bad_parameter("format", "the name of a table"))?;
        let making = async move { as_table(question.answer().await?, tables).await };
        answer.give_in(form, &name, is_expensive, making).await
    }
}

impl CachedAnswer {
    fn to(request: &HttpRequest, audience: Audience) -> Result<Self, ApiError> {
        let answers = provided::<dyn Answers<KeptBody>>(request, "answers")?.clone();
        let queue = provided::<ComputeQueue>(request, "computation")?.clone();
        Ok(Self {
            request: request.clone(),
            answers,
            queue,
            audience,
            headers: Vec::new(),
            moment: MomentHead::default(),
            is_final: false,
            is_of_log: false,
        })
    }

    /// Begins an answer computed from graded games.
    pub(crate) fn graded(request: &HttpRequest) -> Result<Self, ApiError> {
        Ok(Self::to(request, Audience::KeyHolder)?.with_header("X-Grading-Rules", &RULES_VERSION))
    }

    /// Adds a header to the response.
    pub(crate) fn with_header(mut self, name: &'static str, value: &(impl ToString + ?Sized)) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }

    /// Sets the moment that the answer is of.
    pub(crate) fn at(self, moment: &AnswerMoment) -> Self {
        Self { moment: moment.head().clone(), ..self }
    }

    pub(crate) const fn request(&self) -> &HttpRequest {
        &self.request
    }

    /// Gives JSON to anybody. `identity` is everything that the answer depends on.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the answer cannot be made.
    pub async fn give<T: Serialize + Send + 'static>(
        self,
        identity: &str,
        making: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let (form, name) = (Form::only_json(&self.request), self.name(identity));
        self.give_in(form, &name, false, async move { as_json(making.await?).await }).await
    }

    fn name(&self, identity: &str) -> String {
        format!("{} {identity}", self.request.match_pattern().unwrap_or_default())
    }

    async fn give_in(
        self,
        form: Form,
        name: &str,
        is_expensive: bool,
        making: impl Future<Output = Result<KeptBody, PortError>> + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let mut etag = form.etag(&[name, RULES_VERSION]);
        let mut body = None;
        if self.is_of_log || !etag.is_current(&self.request) {
            let kept = ObjectHash::from_parts([name, form.format().name()].map(str::as_bytes));
            let made = self.body(kept, etag.encoding(), is_expensive, making).await?;
            if self.is_of_log {
                etag = form.etag(&[&self.name(&ObjectHash::from_bytes(&made.bytes()).to_string())]);
            }
            body = Some(made).filter(|_| !etag.is_current(&self.request));
        }
        let mut response = self.response(&form, &etag);
        match body {
            Some(body) => form.send(&body, &etag, response).await,
            None => Ok(response.finish()),
        }
    }

    /// Returns the beginning of the response: 304 if the client has the answer, else 200, with all headers but those about
    /// the body.
    pub(crate) fn response(&self, form: &Form, etag: &Etag) -> HttpResponseBuilder {
        let mut response = form.response(etag, self.audience);
        for (name, value) in &self.headers {
            response.append_header((*name, value.as_str()));
        }
        give_moment((&self.moment, self.audience), &self.request, &mut response);
        if self.is_final {
            response.insert_header((CACHE_CONTROL, FOR_A_DAY));
        }
        response
    }

    /// Runs work for the answer: in the queue, if it is of a requested moment.
    pub(crate) async fn in_turn<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<T, ApiError> {
        if self.moment.is_requested() {
            return Box::pin(self.queued(work)).await;
        }
        work.await.map_err(|error| self.moment.failure(error))
    }

    /// Runs expensive work for the answer in the queue.
    pub(crate) async fn queued<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<T, ApiError> {
        let work = self.queue.run(work);
        let done = if self.moment.is_requested() { noting_load(work).await } else { work.await };
        done.map_err(|error| self.moment.failure(error))
    }

    /// Returns the cached body of that name, or makes it: an expensive one and that of a requested moment in the queue, and
    /// compressed for this client.
    pub(crate) async fn body(
        &self,
        name: ObjectHash,
        encoding: Encoding,
        is_expensive: bool,
        making: impl Future<Output = Result<KeptBody, PortError>> + Send + 'static,
    ) -> Result<Arc<KeptBody>, ApiError> {
        let is_requested = self.moment.is_requested();
        let answers: &dyn Answers<KeptBody> =
            if is_requested { &*provided::<PastAnswers>(&self.request, "earlier answers")?.0 } else { &**self.answers };
        if !is_expensive && !is_requested {
            return Ok(answers.answer(name, Box::pin(async move { making.await.map(Arc::new) })).await?);
        }
        let computation = async move {
            let body = making.await?;
            body.prepare(encoding).await;
            Ok(Arc::new(body))
        };
        let computed = self.queue.making(name, computation);
        let making: Making<'_, KeptBody> =
            if is_requested { Box::pin(noting_load(computed)) } else { Box::pin(computed) };
        let made = self.queue.answer(name, answers.answer(name, making)).await;
        let body = made.map_err(|error| self.moment.failure(error))?;
        if !body.is_prepared(encoding) {
            let kept = Arc::clone(&body);
            let compression = async move {
                kept.prepare(encoding).await;
                Ok(())
            };
            self.queue.run(compression).await.map_err(|error| self.moment.failure(error))?;
        }
        Ok(body)
    }
}

/// Writes the headers about the moment of an answer. The response cache may repeat it, unless a poll of the log could change it.
fn give_moment((moment, audience): (&MomentHead, Audience), request: &HttpRequest, response: &mut HttpResponseBuilder) {
    moment.each(audience, |name, value| {
        response.append_header((name, value));
    });
    if let Some(caching) = moment.caching() {
        response.insert_header((CACHE_CONTROL, caching));
    }
    if !moment.is_requested() {
        Repeatable::mark(request);
    } else if moment.has_later() {
        Repeatable::mark_past(request);
    }
}
