//! Tasks on the record, one after another, by the functions of the commands.

use std::path::{Path, PathBuf};

use actix_web::http::StatusCode;
use serde_json::{Value, json};
use sports_accounts::{UploadRight, UploadTokenRecord};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::error_chain;
use sports_ports::publication::LogEntry;
use sports_program::folder::Folder;
use sports_publication::Upload;
use sports_publisher_files::{MANIFEST, ReleaseFiles};
use sports_usecases::publish::{Conditions, ExpectedHead, PublishError, Recorded, Uploads};
use tokio::sync::oneshot;

use super::answers::{Answer, Answers};
use super::refusal::Refusal;
use crate::cli::{Publish, Settle};
use crate::commands::publish::Terms;
use crate::commands::{convert, outcome, publish, releases, settle, status};
use crate::failure::Failure;
use crate::places::Places;
use crate::signing;

/// The times that an upload is tried, if others publish meanwhile.
const TRIES: usize = 20;

/// The field of `release.json` for which a token needs to be allowed more than publishing.
const MOVED: &str = "moved";

/// Something to do, and where its answer goes.
pub struct Job {
    pub sport: Sport,
    pub task: Task,
    /// The upload of a task that publishes.
    pub delivery: Option<Delivery>,
    pub reply: oneshot::Sender<Result<Answered, Refusal>>,
}

pub enum Task {
    Release { publish: Publish, folder: PathBuf },
    Finals(Settle),
    Convert { publish: Publish, within: PathBuf },
    Releases { limit: usize },
    Status,
}

/// What a request states about its upload.
pub struct Delivery {
    pub token: UploadTokenRecord,
    pub key: Option<String>,
    pub precondition: Precondition,
    /// The parameters in one form.
    pub parameters: String,
    pub is_dry_run: bool,
    pub older: OlderPolicy,
}

/// The record on which an upload may be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precondition {
    None,
    First,
    Head(ObjectHash),
}

/// The treatment of a release that was made before what is on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OlderPolicy {
    Refuse,
    Publish,
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
    uploads: Uploads,
    answers: Answers,
}

/// The content of an upload, read.
enum Content {
    Release(Box<Publish>, ReleaseFiles, Vec<String>),
    Finals(Settle),
}

impl<'p> Worker<'p> {
    pub async fn new(places: &'p Places<'p>, received: &Path) -> Result<Self, Failure> {
        let answers = Answers::open(received, places.clock.now()).map_err(Failure::other)?;
        let store = places.store().await?;
        Ok(Self { places, uploads: Uploads::new(store.ledgers), answers })
    }

    /// Does a task and answers it.
    pub async fn work(&mut self, job: Job) {
        let Job { sport, task, delivery, reply } = job;
        let answer = match (task, delivery) {
            (Task::Releases { limit }, _) => plain(releases::run(self.places, sport, limit).await),
            (Task::Status, _) => plain(status::run(self.places, Some(sport)).await),
            (task, Some(delivery)) => self.delivered(sport, task, &delivery).await,
            (_, None) => Err(Refusal::own_failure(&"an upload without a token")),
        };
        // The client may be gone.
        drop(reply.send(answer));
    }

    async fn delivered(&self, sport: Sport, task: Task, delivery: &Delivery) -> Result<Answered, Refusal> {
        let (content, given) = self.content(sport, task)?;
        if let Content::Release(_, files, _) = &content {
            expect_own_release(files, sport, &delivery.token)?;
        }
        let parts = [sport.code(), &delivery.parameters, &given];
        let hash = ObjectHash::from_parts(parts.iter().map(|part| part.as_bytes()));
        let key = delivery.key.clone().unwrap_or_else(|| hash.to_string());
        let key = ObjectHash::from_parts([delivery.token.id.as_bytes(), key.as_bytes()]);
        if !delivery.is_dry_run
            && let Some(answer) = self.remembered(&key)?
        {
            return replayed(answer.body, answer.content == hash);
        }
        let upload = Upload { token: delivery.token.id.clone(), key, content: hash };
        for _ in 0..TRIES {
            let recorded = self.uploads.find(sport, &key, self.places.clock.now()).await;
            let Recorded { newest, published } =
                recorded.map_err(|error| Refusal::own_failure(&error_chain(&error)))?;
            if let Some(entry) = published.filter(|_| !delivery.is_dry_run) {
                let is_same = entry.catalog.upload.as_ref().is_some_and(|upload| upload.content == hash);
                return replayed(answer_of(&entry), is_same);
            }
            let head = newest.as_ref().map(|newest| newest.digest);
            expect_head(delivery.precondition, head)?;
            let terms = Terms {
                conditions: Conditions {
                    head: ExpectedHead::Exactly(head),
                    upload: (!delivery.is_dry_run).then(|| upload.clone()),
                },
                refuses_older: delivery.older == OlderPolicy::Refuse,
                // A declaration that changes nothing is part of many a daily release.
                refuses_declarations: delivery.token.expect(sport, Some(UploadRight::Mend)).is_err(),
            };
            let mut body = match self.published(&content, &terms).await {
                Ok(report) => report,
                // Another publisher was first: what it published may be this very upload.
                Err(failure) if is_overtaken(&failure) => continue,
                Err(Failure::Other(cause)) if matches!(cause.downcast_ref(), Some(PublishError::Declares(_))) => {
                    return Err(without_mending(&delivery.token, sport, &error_chain(&*cause)));
                }
                Err(failure) => return Err(failure.into()),
            };
            complete(&mut body, newest.as_deref());
            if !delivery.is_dry_run {
                let answer = Answer { content: hash, at: self.places.clock.now(), body: body.clone() };
                // The record has the upload; only its report would be missing from a repeated answer.
                if let Err(error) = self.answers.keep(&key, &answer) {
                    drop(Refusal::own_failure(&error));
                }
            }
            return Ok(Answered { body, is_replayed: false });
        }
        Err(Refusal::own_failure(&"other publishers were first each time"))
    }

    fn remembered(&self, key: &ObjectHash) -> Result<Option<Answer>, Refusal> {
        self.answers.find(key, self.places.clock.now()).map_err(|error| Refusal::own_failure(&error))
    }

    /// Reads what was uploaded; returns the hashes of its files, too.
    fn content(&self, sport: Sport, task: Task) -> Result<(Content, String), Refusal> {
        let own = |error: std::io::Error| Refusal::own_failure(&error);
        match task {
            Task::Release { publish, folder } => {
                let files = Folder::open(&folder).and_then(|folder| ReleaseFiles::in_folder(&folder)).map_err(own)?;
                let files = files.in_league(sport);
                let hashes = files.hashes();
                Ok((Content::Release(Box::new(publish), files, Vec::new()), hashes))
            }
            Task::Convert { publish, within } => {
                let converted = convert::tables::release(self.places, &publish.from, &publish.source, publish.finals);
                let (files, warnings) = converted.map_err(|failure| of_tables(failure, &within))?;
                if publish.strict && !warnings.is_empty() {
                    return Err(Failure::Warned(warnings).into());
                }
                let mut given = String::new();
                for file in publish.from.iter().chain(&publish.source.map) {
                    let bytes = std::fs::read(file).map_err(own)?;
                    given.push_str(&ObjectHash::from_bytes(&bytes).to_string());
                }
                Ok((Content::Release(Box::new(publish), files, warnings), given))
            }
            Task::Finals(settle) => {
                let bytes = std::fs::read(&settle.file).map_err(own)?;
                let hash = ObjectHash::from_bytes(&bytes).to_string();
                Ok((Content::Finals(settle), hash))
            }
            Task::Releases { .. } | Task::Status => Err(Refusal::own_failure(&"nothing to publish")),
        }
    }

    async fn published(&self, content: &Content, terms: &Terms) -> Result<Value, Failure> {
        let mut report = match content {
            Content::Release(publish, files, warnings) => {
                let signing = signing::of(self.places.settings())?;
                let mut report = publish::files(self.places, publish, files, signing, terms).await?;
                if !warnings.is_empty() {
                    report.warn(warnings.clone());
                }
                report
            }
            Content::Finals(settle) => settle::under(self.places, settle, &terms.conditions).await?,
        };
        Ok(report.json.take())
    }
}

/// Checks the league of `release.json`, and that the token may do what the file declares.
fn expect_own_release(files: &ReleaseFiles, sport: Sport, token: &UploadTokenRecord) -> Result<(), Refusal> {
    let forbidden = |error: sports_domain::FormError| Refusal::new(StatusCode::FORBIDDEN, error.to_string());
    if let Some(stated) = files.league().filter(|stated| *stated != sport) {
        token.expect(stated, None).map_err(forbidden)?;
        return Err(Refusal::content(format!(
            "{MANIFEST} is of {stated}, and this is the address of {sport}: send it there"
        )));
    }
    let moves =
        files.manifest().is_some_and(|manifest| manifest[MOVED].as_array().is_some_and(|moved| !moved.is_empty()));
    if moves && token.expect(sport, Some(UploadRight::Mend)).is_err() {
        return Err(without_mending(token, sport, &format!("the release moves games, under `{MOVED}` in {MANIFEST}")));
    }
    Ok(())
}

/// Returns the refusal of what a token may not do.
fn without_mending(token: &UploadTokenRecord, sport: Sport, what: &str) -> Refusal {
    let refused = token.expect(sport, Some(UploadRight::Mend)).err();
    let detail = refused.map_or_else(|| what.to_owned(), |error| format!("{what}: {error}"));
    Refusal::new(StatusCode::FORBIDDEN, detail)
}

/// Returns the refusal of tables, whose paths here are nobody's business.
fn of_tables(failure: Failure, within: &Path) -> Refusal {
    let refusal = match failure {
        Failure::BadInput(cause) => Refusal::content(error_chain(&*cause)),
        failure => failure.into(),
    };
    refusal.without(&format!("{}/", within.display()))
}

fn expect_head(precondition: Precondition, head: Option<ObjectHash>) -> Result<(), Refusal> {
    let is_met = match precondition {
        Precondition::None => true,
        Precondition::First => head.is_none(),
        Precondition::Head(expected) => head == Some(expected),
    };
    if is_met { Ok(()) } else { Err(Failure::from(PublishError::OtherHead(head)).into()) }
}

fn is_overtaken(failure: &Failure) -> bool {
    matches!(failure, Failure::Other(cause) if matches!(cause.downcast_ref(), Some(PublishError::OtherHead(_))))
}

/// Adds the release and the head of the record where a report has none.
fn complete(body: &mut Value, newest: Option<&LogEntry>) {
    let Value::Object(fields) = body else { return };
    let is_rehearsal = fields["outcome"] == "would_be";
    let release_id = newest.filter(|_| !is_rehearsal).map(|newest| newest.catalog.release_id.as_str());
    fields.entry("release_id").or_insert_with(|| json!(release_id));
    fields.entry("head").or_insert_with(|| json!(newest.map(|newest| newest.digest.to_string())));
}

/// Returns the answer to an upload whose report is lost, by its entry.
fn answer_of(entry: &LogEntry) -> Value {
    json!({
        "outcome": outcome::ON_RECORD,
        "sport": entry.catalog.sport.code(),
        "generation": entry.catalog.generation.get(),
        "release_id": entry.catalog.release_id.as_str(),
        "head": entry.digest.to_string(),
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

fn plain(report: Result<crate::report::Report, Failure>) -> Result<Answered, Refusal> {
    Ok(Answered { body: report?.json, is_replayed: false })
}
