//! Answers: cached by everything that they depend on, with a validator, in the format and encoding of the request.

mod body;
mod form;
mod selection;

use std::any::type_name;
use std::hash::Hash;
use std::sync::Arc;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_grading::RULES_VERSION;
use sports_http_transport::{Audience, ComputeQueue, Encoding, Etag, KeptBody};
use sports_ports::PortError;
use sports_usecases::analytics::Question;

use crate::arguments::{Argument, from_request};
use crate::error::ApiError;
use crate::format::Format;
use crate::moments::{AnswerMoment, FOR_A_DAY, MomentHead};
use crate::past_requests::noting_load;
use crate::response_cache::Repeatable;
use crate::state::{CachedAnswers, State};

pub use body::{Body, BodyForm, Json, Rows, Table};
pub use form::Form;
pub(crate) use selection::LONG_PAGE;
pub use selection::{SelectedRows, Selection, SelectionTables};

/// The answer of a handler, for holders of a key and as JSON unless it says otherwise. It follows from published content: a
/// key with everything that it depends on identifies it.
pub struct Answer {
    state: State,
    request: HttpRequest,
    audience: Audience,
    form: Form,
    headers: Vec<(&'static str, String)>,
    moment: MomentHead,
    cost: Cost,
    validator: ValidatorOf,
    /// True if no later publication changes the answer.
    is_final: bool,
    /// The instant at which the answer changes without a publication.
    changes_at: Option<DateTime<Utc>>,
}

/// The cost of work for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    Cheap,
    /// Tens of milliseconds of a core: computed in the queue.
    Expensive,
}

/// The origin of a validator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValidatorOf {
    /// The key, so that an answer that the client has is not computed.
    Key,
    /// The body: most publications change the key, and few the body.
    Body,
}

from_request! { Answer, request => State::of(request).map(|state| Self::to(request, state)) }

impl Argument for Answer {}

impl Answer {
    fn to(request: &HttpRequest, state: &State) -> Self {
        Self {
            state: state.clone(),
            request: request.clone(),
            audience: Audience::KeyHolder,
            form: Form::only_json(),
            headers: Vec::new(),
            moment: MomentHead::default(),
            cost: Cost::Cheap,
            validator: ValidatorOf::Key,
            is_final: false,
            changes_at: None,
        }
    }

    /// Opens the answer to anybody.
    pub fn public(self) -> Self {
        Self { audience: Audience::Public, ..self }
    }

    /// Names the grading rules in a header.
    pub fn graded(self) -> Self {
        self.with_header("X-Grading-Rules", RULES_VERSION)
    }

    /// Chooses the named format, else the one that the client accepts.
    pub fn in_format(self, named: Option<Format>) -> Self {
        Self { form: Form::chosen(&self.request, named), ..self }
    }

    /// Names the file of a table, whose name is otherwise made of the path.
    pub fn called(self, file_name: String) -> Self {
        Self { form: self.form.called(file_name), ..self }
    }

    /// Sets the moment that the answer is of.
    pub fn at(self, moment: &AnswerMoment) -> Self {
        Self { moment: moment.head().clone(), ..self }
    }

    /// Adds a header to the response.
    pub fn with_header(mut self, name: &'static str, value: &(impl ToString + ?Sized)) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }

    /// Lets clients keep the answer for a day, if it is final.
    pub fn kept_if_final(self, is_final: bool) -> Self {
        Self { is_final, ..self }
    }

    /// Names the instant at which the answer changes without a publication: the response cache does not repeat it from then on.
    pub fn changing_at(self, instant: Option<DateTime<Utc>>) -> Self {
        Self { changes_at: instant, ..self }
    }

    /// Makes the answer in the queue of expensive computations, if it is expensive.
    pub fn queued_if(self, is_expensive: bool) -> Self {
        Self { cost: if is_expensive { Cost::Expensive } else { Cost::Cheap }, ..self }
    }

    /// Makes the validator of the body, for an answer from all entries of a log.
    pub fn validated_by_body(self) -> Self {
        Self { validator: ValidatorOf::Body, ..self }
    }

    pub(crate) const fn state(&self) -> &State {
        &self.state
    }

    pub const fn request(&self) -> &HttpRequest {
        &self.request
    }

    pub const fn format(&self) -> Format {
        self.form.format()
    }

    /// Returns the encoding of JSON for this client.
    pub fn encoding(&self) -> Encoding {
        self.form.encoding(&self.request)
    }

    /// Returns the answer to a client that has it: 304.
    pub fn unchanged(&self, key: &impl Hash) -> Option<HttpResponse> {
        let etag = self.etag(key);
        etag.is_current(&self.request).then(|| self.begin(&etag).finish())
    }

    /// Answers a question with what `write` makes of its result.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the answer cannot be computed, or does not have the requested part.
    pub async fn respond_to<A: Send + 'static, B: Body>(
        self,
        question: Question<A>,
        write: impl FnOnce(A) -> B + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let (key, is_expensive) = (question.key(), question.is_expensive());
        let answer = if question.reads_log() { self.validated_by_body() } else { self };
        let making = async move { question.answer().await.map(write) };
        answer.queued_if(is_expensive).respond(&key, making).await
    }

    /// Answers with a body: the cached one of that key, or the one that `making` gives. `key` has everything that the body
    /// depends on but the grading rules and the format.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if the body cannot be made, or does not have the requested part.
    pub async fn respond<B: Body>(
        self,
        key: &impl Hash,
        making: impl Future<Output = Result<B, PortError>> + Send + 'static,
    ) -> Result<HttpResponse, ApiError> {
        let name = self.name(key);
        let mut etag = self.etag_of(name);
        let mut body = None;
        if self.validator == ValidatorOf::Body || !etag.is_current(&self.request) {
            let form = self.form.of_body();
            let made = self.body(name, etag.encoding(), async move { making.await?.write(form).await }).await?;
            if self.validator == ValidatorOf::Body {
                etag = self.etag(&ObjectHash::from_bytes(&made.bytes()));
            }
            body = Some(made).filter(|_| !etag.is_current(&self.request));
        }
        let mut response = self.begin(&etag);
        match body {
            Some(body) => self.form.send(&self.request, &body, &etag, response).await,
            None => Ok(response.finish()),
        }
    }

    /// Begins the response: 304 if the client has the answer, else 200, with all headers but those about the body.
    pub fn begin(&self, etag: &Etag) -> HttpResponseBuilder {
        let mut response = self.form.response(&self.request, etag, self.audience);
        for (name, value) in &self.headers {
            response.append_header((*name, value.as_str()));
        }
        self.moment.each(self.audience, |name, value| {
            response.append_header((name, value));
        });
        if let Some(caching) = self.moment.caching() {
            response.insert_header((CACHE_CONTROL, caching));
        }
        // The response cache may repeat it, unless a poll of the log could change it.
        if !self.moment.is_requested() || self.moment.has_later() {
            match self.changes_at.filter(|_| !self.moment.is_requested()) {
                None => Repeatable::mark(&self.request),
                Some(instant) => {
                    let clock = Arc::clone(&self.state.clock);
                    Repeatable::mark_while(&self.request, move || clock.now() < instant);
                }
            }
        }
        if self.is_final {
            response.insert_header((CACHE_CONTROL, FOR_A_DAY));
        }
        response
    }

    /// Runs work for the answer: in the queue, if it is expensive or of a requested moment.
    pub async fn run<T: Send + 'static>(
        &self,
        cost: Cost,
        work: impl Future<Output = Result<T, PortError>> + Send + 'static,
    ) -> Result<T, ApiError> {
        let done = match (cost, self.moment.is_requested()) {
            (Cost::Cheap, false) => work.await,
            (Cost::Expensive, false) => Box::pin(self.queue().run(work)).await,
            (_, true) => Box::pin(noting_load(self.queue().run(work))).await,
        };
        done.map_err(|error| self.moment.failure(error))
    }

    /// Returns the validator of the answer with that key.
    pub fn etag(&self, key: &impl Hash) -> Etag {
        self.etag_of(self.name(key))
    }

    fn etag_of(&self, name: ObjectHash) -> Etag {
        self.form.etag(&self.request, &[&name.to_string(), RULES_VERSION])
    }

    /// Returns the name of the body with that key in the format of the answer.
    fn name(&self, key: &impl Hash) -> ObjectHash {
        ObjectHash::of_key(&(self.request.match_pattern(), self.format(), type_of(key), key))
    }

    /// Returns the cached body of that name, or makes it: an expensive one and that of a requested moment in the queue, and
    /// compressed for this client.
    async fn body(
        &self,
        name: ObjectHash,
        encoding: Encoding,
        making: impl Future<Output = Result<KeptBody, PortError>> + Send + 'static,
    ) -> Result<Arc<KeptBody>, ApiError> {
        let CachedAnswers { queue, bodies: answers } = &self.state.published.answers;
        let is_requested = self.moment.is_requested();
        if self.cost == Cost::Cheap && !is_requested {
            return Ok(answers.result(name, Box::pin(async move { making.await.map(Arc::new) })).await?);
        }
        let computation = async move {
            let body = making.await?;
            body.prepare(encoding).await;
            Ok(Arc::new(body))
        };
        let made = match (self.cost, answers.cached(&name).await) {
            (_, Some(body)) => Ok(body),
            // The turn is taken outside of the cache: a request for the present that shares the computation never waits for it.
            (Cost::Cheap, None) => {
                let answers = Arc::clone(answers);
                let computation = async move { answers.result(name, Box::pin(computation)).await };
                Box::pin(noting_load(queue.run(computation))).await
            }
            (Cost::Expensive, None) => {
                let computed = queue.making(name, computation);
                let computed = async { if is_requested { noting_load(computed).await } else { computed.await } };
                queue.answer(name, answers.result(name, Box::pin(computed))).await
            }
        };
        let body = made.map_err(|error| self.moment.failure(error))?;
        if !body.is_prepared(encoding) {
            let kept = Arc::clone(&body);
            let compression = async move {
                kept.prepare(encoding).await;
                Ok(())
            };
            queue.run(compression).await.map_err(|error| self.moment.failure(error))?;
        }
        Ok(body)
    }

    fn queue(&self) -> &ComputeQueue {
        &self.state.published.answers.queue
    }
}

/// Keys of several types can have equal parts.
fn type_of<K>(_: &K) -> &'static str {
    type_name::<K>()
}
