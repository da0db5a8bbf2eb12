//! Bodies of requests, received into files.

use std::cell::Cell;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use actix_multipart::{Multipart, MultipartError};
use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::web::{Bytes, Payload};
use futures::{Stream, StreamExt};
use sports_domain::content::{ObjectHash, ObjectHasher};
use sports_domain::printable;
use tokio::time::{Instant, timeout, timeout_at};

use super::refusal::Refusal;
use super::upload::FORM;

/// The most bytes of a body.
pub const MOST_RECEIVED: u64 = 64 << 20;
/// The most parts of a form.
const MOST_PARTS: usize = 32;
/// The longest pause between two pieces of a body.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The fewest bytes of a body in each such time.
const SLOWEST: u64 = 16 << 10;
/// The longest time of a whole body.
const LONGEST: Duration = Duration::from_mins(10);

/// A file of a body.
#[derive(Debug)]
pub struct Part {
    /// The name of the part; empty for a body that is one file.
    pub name: String,
    /// The ending of its name, if it has one, or that of its type.
    pub ending: Option<String>,
    pub path: PathBuf,
    pub bytes: u64,
    pub hash: ObjectHash,
}

/// Checks the type and the stated length of a body before it is read; returns its type without parameters.
pub fn expect_type(request: &HttpRequest, known: &[&str]) -> Result<String, Refusal> {
    let header = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = header.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !known.contains(&kind.as_str()) {
        let found = if kind.is_empty() { "no Content-Type".to_owned() } else { format!("`{}`", printable(&kind)) };
        let detail = format!("the body has {found}: send one of {}", known.join(", "));
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > MOST_RECEIVED) { Err(too_large()) } else { Ok(kind) }
}

/// Receives a body into files of a folder. `received` is counted on as bytes arrive, those between the parts of a form included.
pub async fn receive(
    request: &HttpRequest,
    payload: Payload,
    kind: &str,
    folder: &Path,
    received: &Rc<Cell<u64>>,
) -> Result<Vec<Part>, Refusal> {
    let counted = Rc::clone(received);
    let bounded = payload.map(move |piece| {
        let piece = piece?;
        counted.set(counted.get() + piece.len() as u64);
        if counted.get() > MOST_RECEIVED { Err(PayloadError::Overflow) } else { Ok(piece) }
    });
    let begun = Instant::now();
    let mut receiving = Receiving { received, until: begun + LONGEST, since: begun, before: 0 };
    let refusal = |error: PayloadError| match error {
        PayloadError::Overflow => too_large(),
        error => Refusal::bad_request(format!("the body was cut off or cannot be read: {error}; send it again")),
    };
    if kind != FORM {
        let path = folder.join("body");
        let (bytes, hash) = receiving.write(bounded, &path, refusal).await?;
        return Ok(vec![Part { name: String::new(), ending: ending_of(kind), path, bytes, hash }]);
    }
    let malformed = |error: MultipartError| match error {
        MultipartError::Payload(error) => refusal(error),
        error => Refusal::bad_request(format!("the form cannot be read: {error}")),
    };
    let mut form = Multipart::new(request.headers(), bounded);
    let mut parts = Vec::new();
    while let Some(field) = receiving.next(&mut form).await? {
        let field = field.map_err(malformed)?;
        if parts.len() == MOST_PARTS {
            return Err(Refusal::bad_request(format!("the form has more than {MOST_PARTS} parts")));
        }
        let disposition = field.content_disposition();
        let name = disposition.and_then(|found| found.get_name()).unwrap_or_default().to_owned();
        let named = disposition.and_then(|found| found.get_filename()).map(Path::new);
        let ending = named.and_then(Path::extension).map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let of_type = || ending_of(field.content_type()?.essence_str());
        let ending = ending.or_else(of_type);
        let path = folder.join(format!("part-{}", parts.len() + 1));
        let (bytes, hash) = receiving.write(field, &path, malformed).await?;
        parts.push(Part { name, ending, path, bytes, hash });
    }
    Ok(parts)
}

/// Returns the ending of files of a type of tables.
fn ending_of(kind: &str) -> Option<String> {
    let ending = match kind {
        "text/csv" => "csv",
        "application/json" => "json",
        "application/vnd.apache.parquet" => "parquet",
        _ => return None,
    };
    Some(ending.to_owned())
}

fn too_large() -> Refusal {
    let most = MOST_RECEIVED >> 20;
    Refusal::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("packed: the body is larger than {most} MiB, the most that is taken"),
    )
}

struct Receiving<'r> {
    received: &'r Rc<Cell<u64>>,
    until: Instant,
    /// The beginning of the time in which a least number of bytes has to arrive, and the bytes before it.
    since: Instant,
    before: u64,
}

impl Receiving<'_> {
    /// Returns the next item of a stream of a body.
    async fn next<S: Stream + Unpin>(&mut self, stream: &mut S) -> Result<Option<S::Item>, Refusal> {
        let in_time = timeout_at(self.until, timeout(LONGEST_PAUSE, stream.next())).await;
        let received = self.received.get();
        let is_slow = self.since.elapsed() > LONGEST_PAUSE && received < self.before + SLOWEST;
        if self.since.elapsed() > LONGEST_PAUSE {
            (self.since, self.before) = (Instant::now(), received);
        }
        let item = in_time.ok().and_then(Result::ok).filter(|item| item.is_none() || !is_slow);
        item.ok_or_else(|| {
            let detail = "the body did not arrive in time: send it over a faster connection, or in smaller releases";
            Refusal::new(StatusCode::REQUEST_TIMEOUT, detail)
        })
    }

    /// Writes a stream to a file and returns its length and its hash.
    async fn write<E>(
        &mut self,
        mut stream: impl Stream<Item = Result<Bytes, E>> + Unpin,
        path: &Path,
        refusal: impl Fn(E) -> Refusal,
    ) -> Result<(u64, ObjectHash), Refusal> {
        let own = |error: std::io::Error| Refusal::own_failure(&error);
        let mut file = File::create_new(path).map_err(own)?;
        let (mut written, mut hasher) = (0, ObjectHasher::default());
        while let Some(piece) = self.next(&mut stream).await? {
            let piece = piece.map_err(&refusal)?;
            written += piece.len() as u64;
            hasher.update(&piece);
            file.write_all(&piece).map_err(own)?;
        }
        Ok((written, hasher.finish()))
    }
}
