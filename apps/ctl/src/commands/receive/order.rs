//! An upload that is to be published, by the functions of the commands: in the process of the door, or in one of its own, which gives
//! all its memory back at its end.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sports_accounts::{UploadRight, UploadTokenRecord};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::error_chain;
use sports_program::StopSignals;
use sports_program::folder::Folder;
use sports_publication::Upload;
use sports_publisher_files::{MANIFEST, ReleaseFiles};
use sports_usecases::publish::{Conditions, ExpectedHead, PublishError};

use super::query::Query;
use super::refusal::Refusal;
use super::tokens::{WrittenToken, expect_right};
use super::upload::{Area, Arguments, Files, allows_older};
use crate::commands::publish::Terms;
use crate::commands::{convert, publish, settle};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::{Report, written_instant};
use crate::signing;

/// The field of `release.json` for which a token needs to be allowed more than publishing.
const MOVED: &str = "moved";

/// The most bytes of `release.json` that are read before the other files.
const LARGEST_MANIFEST: u64 = 8 << 20;

/// An upload that is to be published on a record as it is now.
#[derive(Serialize, Deserialize)]
pub struct Order {
    area: Area,
    sport: String,
    /// The parameters of the request.
    query: String,
    files: Files,
    token: WrittenToken,
    /// The head of the record.
    head: Option<ObjectHash>,
    /// None for a dry run.
    upload: Option<Upload>,
}

impl Order {
    pub fn new(
        (area, sport): (Area, Sport),
        query: &str,
        files: &Files,
        token: &UploadTokenRecord,
        head: Option<ObjectHash>,
        upload: Option<Upload>,
    ) -> Self {
        let (sport, query, files) = (sport.code().to_owned(), query.to_owned(), files.clone());
        Self { area, sport, query, files, token: WrittenToken::of(token), head, upload }
    }

    /// Carries it out where there is room for it, and returns the report of the command.
    pub async fn done(self, places: &Places<'_>, options: &[OsString]) -> Result<Value, Refusal> {
        if self.files.are_small() {
            return self.done_here(places).await;
        }
        let file = self.files.within.join("order.json");
        let own = |error: &dyn std::fmt::Display| Refusal::own_failure(error);
        let text = serde_json::to_vec(&self).map_err(|error| own(&error))?;
        fs::write(&file, text).map_err(|error| own(&error))?;
        // On Linux the program that runs, even if an upgrade has put another in its place.
        let own_program = Path::new("/proc/self/exe");
        let program = if own_program.exists() { Ok(own_program.to_owned()) } else { env::current_exe() };
        let mut command = Command::new(program.map_err(|error| own(&error))?);
        command.args(options).args(["--json", "receive", "--order"]).arg(&file);
        if places.settings().clock.as_of.is_some() {
            // The clock of the door has gone on since its start.
            command.args(["--as-of", &written_instant(places.clock.now())]);
        }
        command.stdin(Stdio::null()).stderr(Stdio::inherit());
        let output = tokio::task::spawn_blocking(move || command.output()).await.map_err(|error| own(&error))?;
        let output = output.map_err(|error| own(&error))?;
        match serde_json::from_slice(&output.stdout) {
            Ok(Done { report: Some(report), .. }) => Ok(report),
            Ok(Done { refusal: Some(refusal), .. }) => Err(refusal),
            _ => Err(own(&format!("an upload was not published: its process ended with {}", output.status))),
        }
    }

    /// Carries it out, and returns the report of the command.
    async fn done_here(&self, places: &Places<'_>) -> Result<Value, Refusal> {
        let sport: Sport = self.sport.parse().map_err(|error| Refusal::own_failure(&error))?;
        let token = self.token.record().ok_or_else(|| Refusal::own_failure(&"a token is malformed"))?;
        let query = Query::parse(&self.query, self.area.parameters())?;
        let terms = Terms {
            conditions: Conditions { head: ExpectedHead::Exactly(self.head), upload: self.upload.clone() },
            refuses_older: !allows_older(&query)?,
            // A declaration that changes nothing is part of many a daily release.
            refuses_declarations: token.expect(sport, Some(UploadRight::Mend)).is_err(),
        };
        let published = match Arguments::of(self.area, sport, &query)? {
            Arguments::Settle(mut settle) => {
                settle.file.clone_from(&self.files.main);
                settle::under(places, &settle, &terms.conditions).await
            }
            Arguments::Publish(mut publish) => {
                publish.from.clone_from(&self.files.tables);
                publish.source.map.clone_from(&self.files.map);
                match self.area {
                    Area::Convert => {
                        let tables = convert::tables::release(places, &publish.from, &publish.source, publish.finals);
                        let tables = tables.map_err(|failure| of_tables(failure, &self.files.within))?;
                        let signing = signing::of(places.settings())?;
                        publish::converted(places, &publish, tables, signing, &terms).await
                    }
                    Area::Releases | Area::Finals => {
                        let files = release(&self.files.main, sport, &token)?;
                        let signing = signing::of(places.settings())?;
                        publish::files(places, &publish, &files, signing, &terms).await
                    }
                }
            }
        };
        match published {
            Ok(Report { json, .. }) => Ok(json),
            Err(Failure::Other(cause)) if matches!(cause.downcast_ref(), Some(PublishError::Declares(_))) => {
                Err(without_mending(&token, sport, &error_chain(&*cause)))
            }
            Err(failure) => Err(failure.into()),
        }
    }
}

/// The answer of a process that carried out an order.
#[derive(Serialize, Deserialize)]
struct Done {
    report: Option<Value>,
    refusal: Option<Refusal>,
}

/// Carries out the order in a file, in a process of its own, and prints how it went. Signals that stop the door do not stop it.
pub async fn run(places: &Places<'_>, file: &Path) -> Result<Report, Failure> {
    let _signals = StopSignals::listen().map_err(Failure::other)?;
    let order: Order = serde_json::from_slice(&fs::read(file).map_err(Failure::other)?).map_err(Failure::other)?;
    let done = match order.done_here(places).await {
        Ok(report) => Done { report: Some(report), refusal: None },
        Err(refusal) => Done { report: None, refusal: Some(refusal) },
    };
    Ok(Report::new(Vec::new(), json!(done)))
}

/// Reads a release folder, and before its other files the league of `release.json`.
fn release(folder: &Path, sport: Sport, token: &UploadTokenRecord) -> Result<ReleaseFiles, Refusal> {
    let own = |error: std::io::Error| Refusal::own_failure(&error);
    let manifest = sports_program::regular_file::read(&folder.join(MANIFEST), LARGEST_MANIFEST).ok();
    let manifest = ReleaseFiles::of(manifest.map(|bytes| (MANIFEST.to_owned(), bytes.into())));
    if let Some(stated) = manifest.league().filter(|stated| *stated != sport) {
        expect_right(token, stated, None)?;
        let detail = format!("{MANIFEST} is of {stated}, and this is the address of {sport}: send it there");
        return Err(Refusal::content(detail));
    }
    let moves =
        manifest.manifest().is_some_and(|stated| stated[MOVED].as_array().is_some_and(|moved| !moved.is_empty()));
    if moves && token.expect(sport, Some(UploadRight::Mend)).is_err() {
        return Err(without_mending(token, sport, &format!("the release moves games, under `{MOVED}` in {MANIFEST}")));
    }
    let files = Folder::open(folder).and_then(|folder| ReleaseFiles::in_folder(&folder)).map_err(own)?;
    Ok(files.in_league(sport))
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
