//! Tasks on the record, one after another.

use std::ffi::OsString;
use std::path::Path;

use actix_web::http::StatusCode;
use serde_json::{Value, json};
use sports_accounts::UploadTokenRecord;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::error_chain;
use sports_publication::Upload;
use sports_usecases::publish::{PublishError, PublishedUpload, Recorded, Uploads};
use tokio::sync::oneshot;

use super::answers::{Answer, Answers};
use super::order::Order;
use super::refusal::Refusal;
use super::tokens::TokenFile;
use super::upload::{Area, Files};
use crate::commands::{outcome, releases, status};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// The times that an upload is tried, if others publish meanwhile.
const TRIES: usize = 20;

/// Something to do, and where its answer goes.
pub struct Job {
    pub sport: Sport,
    pub task: Task,
    pub reply: oneshot::Sender<Result<Answered, Refusal>>,
}

pub enum Task {
    Publish(Box<Delivery>),
    Releases { limit: usize },
    Status,
}

/// An upload, and what its request states about it.
pub struct Delivery {
    pub area: Area,
    pub files: Files,
    pub token: UploadTokenRecord,
    /// The idempotency key, or what stands for it.
    pub key: String,
    pub precondition: Precondition,
    /// The parameters in one form.
    pub parameters: String,
    /// The hash of the league, the parameters and the files.
    pub content: ObjectHash,
    pub is_dry_run: bool,
}

/// The record on which an upload may be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precondition {
    None,
    First,
    Head(ObjectHash),
}

/// The answer to a task.
#[derive(Debug)]
pub struct Answered {
    pub body: Value,
    /// Whether it was given before.
    pub is_replayed: bool,
}

/// What does the tasks.
pub struct Worker<'p> {
    places: &'p Places<'p>,
    /// The options of the command line that name settings, for processes of its own.
    options: Vec<OsString>,
    uploads: Uploads,
    answers: Answers,
    tokens: TokenFile,
}

impl<'p> Worker<'p> {
    pub async fn new(
        places: &'p Places<'p>,
        options: Vec<OsString>,
        received: &Path,
        tokens: TokenFile,
    ) -> Result<Self, Failure> {
        let answers = Answers::open(received, places.clock.now()).map_err(Failure::other)?;
        let store = places.store().await?;
        Ok(Self { places, options, uploads: Uploads::new(store.ledgers), answers, tokens })
    }

    /// Does a task and answers it.
    pub async fn work(&mut self, job: Job) {
        let Job { sport, task, reply } = job;
        let answer = match task {
            Task::Releases { limit } => plain(releases::run(self.places, sport, limit).await),
            Task::Status => plain(status::run(self.places, Some(sport)).await),
            Task::Publish(delivery) => self.delivered(sport, &delivery).await,
        };
        // The client may be gone.
        drop(reply.send(answer));
    }

    async fn delivered(&self, sport: Sport, delivery: &Delivery) -> Result<Answered, Refusal> {
        // It may have been revoked since its request began.
        self.tokens.expect_valid(&delivery.token.digest, self.places.clock.now())?;
        let content = delivery.content;
        let key = ObjectHash::from_parts([delivery.token.id.as_bytes(), delivery.key.as_bytes()]);
        let upload = Upload { token: delivery.token.id.clone(), key, content };
        for _ in 0..TRIES {
            let recorded = self.uploads.find(sport, &key, self.places.clock.now()).await;
            let recorded = recorded.map_err(|error| Refusal::own_failure(&error_chain(&error)))?;
            if !delivery.is_dry_run
                && let Some(answer) = self.answered(&key, &recorded)?
            {
                return replayed(answer.body, answer.content == content);
            }
            let newest = recorded.newest;
            let head = newest.as_ref().map(|newest| newest.digest);
            expect_head(delivery.precondition, head)?;
            let upload = (!delivery.is_dry_run).then(|| upload.clone());
            let parameters = &delivery.parameters;
            let order = Order::new((delivery.area, sport), parameters, &delivery.files, &delivery.token, head, upload);
            let mut body = match order.done(self.places, &self.options).await {
                Ok(report) => report,
                // Another publisher was first: what it published may be this very upload.
                Err(refusal) if refusal.status == StatusCode::PRECONDITION_FAILED => continue,
                Err(refusal) => return Err(refusal),
            };
            complete(&mut body, newest.as_ref());
            if !delivery.is_dry_run {
                self.remember(&key, content, &body)?;
            }
            return Ok(Answered { body, is_replayed: false });
        }
        Err(Refusal::own_failure(&"other publishers were first each time"))
    }

    /// Returns the answer that an upload received before. A record that lacks what the answer says is another one.
    fn answered(&self, key: &ObjectHash, recorded: &Recorded) -> Result<Option<Answer>, Refusal> {
        let now = self.places.clock.now();
        let kept = self.answers.find(key, now).map_err(|error| Refusal::own_failure(&error))?;
        if let Some(published) = &recorded.published {
            let rebuilt = || Answer { content: published.upload.content, at: now, body: answer_of(published) };
            let kept = kept.filter(|answer| answer.body["head"] == published.digest.to_string());
            return Ok(Some(kept.unwrap_or_else(rebuilt)));
        }
        let newest = recorded.newest.as_ref().map(|newest| newest.generation.get());
        let is_of_record = |answer: &Answer| {
            answer.body["outcome"] != outcome::ON_RECORD && answer.body["generation"].as_u64() <= newest
        };
        Ok(kept.filter(is_of_record))
    }

    /// Keeps an answer before it is given. One to an upload that is on record can be made again; any other is all there is.
    fn remember(&self, key: &ObjectHash, content: ObjectHash, body: &Value) -> Result<(), Refusal> {
        let answer = Answer { content, at: self.places.clock.now(), body: body.clone() };
        let kept = self.answers.keep(key, &answer).map_err(|error| Refusal::own_failure(&error));
        if body["outcome"] == outcome::ON_RECORD { Ok(()) } else { kept }
    }
}

fn expect_head(precondition: Precondition, head: Option<ObjectHash>) -> Result<(), Refusal> {
    let is_met = match precondition {
        Precondition::None => true,
        Precondition::First => head.is_none(),
        Precondition::Head(expected) => head == Some(expected),
    };
    if is_met { Ok(()) } else { Err(Failure::from(PublishError::OtherHead(head)).into()) }
}

/// Adds the release and the head of the record where a report has none.
fn complete(body: &mut Value, newest: Option<&PublishedUpload<()>>) {
    let Value::Object(fields) = body else { return };
    let is_rehearsal = fields["outcome"] == "would_be";
    let release_id = newest.filter(|_| !is_rehearsal).map(|newest| newest.release_id.as_str());
    fields.entry("release_id").or_insert_with(|| json!(release_id));
    fields.entry("head").or_insert_with(|| json!(newest.map(|newest| newest.digest.to_string())));
}

/// Returns the answer to an upload whose report is lost, by its entry.
fn answer_of(published: &PublishedUpload) -> Value {
    json!({
        "outcome": outcome::ON_RECORD,
        "sport": published.sport.code(),
        "generation": published.generation.get(),
        "release_id": published.release_id.as_str(),
        "head": published.digest.to_string(),
        "warning_count": 0,
        "warnings": [],
    })
}

fn replayed(body: Value, is_same: bool) -> Result<Answered, Refusal> {
    if is_same {
        return Ok(Answered { body, is_replayed: true });
    }
    Err(Refusal::content("this Idempotency-Key was sent with other content: each upload has a key of its own"))
}

fn plain(report: Result<Report, Failure>) -> Result<Answered, Refusal> {
    Ok(Answered { body: report?.json, is_replayed: false })
}
