use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{Stream, unfold};
use serde::Serialize;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_http_transport::KeptBody;
use sports_ports::{PortError, error_chain, random_bytes};
use sports_usecases::record::EntryFacts;
use sports_usecases::release_stream::{ResetReason, StreamCursor, StreamPosition, StreamStep};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use super::{StreamBeginning, StreamLeague, StreamRelease, StreamStatus};
use crate::state::{OpenStream, Standings, State, StreamEnd};

/// The events of one stream. The next one is made when the client takes it, so that a slow client costs no memory: its state is a
/// position in the log of each league.
pub(super) struct Events {
    state: State,
    open: OpenStream,
    standings: watch::Receiver<Standings>,
    leagues: Vec<FollowedLeague>,
    /// The first event, until it is taken.
    hello: Option<Bytes>,
    comment_at: Instant,
    has_ended: bool,
}

struct FollowedLeague {
    sport: Sport,
    position: StreamPosition,
    /// The status that the client knows.
    status: StreamStatus,
}

/// The time between two comments, by which a client notices a dead connection.
const COMMENTS: Duration = Duration::from_secs(15);

/// The time after which a log that could not be read is read again.
const READ_AGAIN: Duration = Duration::from_secs(1);

/// The time after which a client connects again, in milliseconds.
const RETRY: u32 = 2000;

/// The shortest such time at a shutdown, and what is at most added to it, so that clients do not return all at once.
const RETRY_AT_SHUTDOWN: (u32, u32) = (1000, 4000);

impl Events {
    /// Begins after the cursor; at the current entries of leagues that it lacks.
    pub(super) fn begin(
        state: State,
        open: OpenStream,
        mut standings: watch::Receiver<Standings>,
        leagues: &BTreeSet<Sport>,
        cursor: &StreamCursor,
    ) -> Self {
        let known = Arc::clone(&standings.borrow_and_update());
        let followed = leagues.iter().filter_map(|sport| {
            let standing = known.get(sport)?;
            let position = cursor.position(*sport).unwrap_or_else(|| standing.current.as_ref().into());
            Some(FollowedLeague { sport: *sport, position, status: StreamStatus::new(*sport, &standing.status) })
        });
        let leagues = followed.collect();
        let comment_at = Instant::now() + COMMENTS;
        let mut events = Self { state, open, standings, leagues, hello: None, comment_at, has_ended: false };
        let hello = StreamBeginning::new(None, events.beginnings(&known));
        events.hello = Some(events.event("hello", Some(RETRY), &hello));
        events
    }

    /// Returns the events as the body of a response.
    pub(super) fn into_stream(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        unfold(self, async |mut events| Some((Ok(events.next().await?), events)))
    }

    async fn next(&mut self) -> Option<Bytes> {
        if let Some(hello) = self.hello.take() {
            return Some(hello);
        }
        while !self.has_ended {
            if let Some(end) = self.open.end() {
                self.has_ended = true;
                return self.last(end);
            }
            // In a box: an idle stream does not carry the state of reads.
            let is_unread = match Box::pin(self.pending()).await {
                Ok(Some(event)) => return Some(event),
                Ok(None) => false,
                Err(error) => {
                    tracing::debug!("a stream waits for the log: {}", error_chain(&error));
                    true
                }
            };
            tokio::select! {
                biased;
                () = self.open.ended() => {}
                Ok(()) = self.standings.changed() => {}
                () = sleep(READ_AGAIN), if is_unread => {}
                () = sleep_until(self.comment_at) => {
                    self.comment_at = Instant::now() + COMMENTS;
                    return Some(Bytes::from_static(b":\n\n"));
                }
            }
        }
        None
    }

    /// Returns the event that is due; `None` if the client knows all.
    async fn pending(&mut self) -> Result<Option<Bytes>, PortError> {
        let standings = Arc::clone(&self.standings.borrow_and_update());
        for place in 0..self.leagues.len() {
            let FollowedLeague { sport, position, .. } = self.leagues[place];
            let Some(standing) = standings.get(&sport) else { continue };
            let step = match self.step(sport, position, standing.current.as_ref()).await {
                // It stays so, and the releases after it can be read.
                Err(PortError::Corrupt { .. }) => Step::Reset("gap"),
                step => step?,
            };
            match step {
                Step::Release(entry, text) => {
                    self.leagues[place].position = Some(&*entry).into();
                    return Ok(Some(self.event_of("release", None, &String::from_utf8_lossy(&text))));
                }
                Step::Reset(reason) => {
                    self.leagues[place].position = standing.current.as_ref().into();
                    for league in &mut self.leagues {
                        if let Some(standing) = standings.get(&league.sport) {
                            league.status = StreamStatus::new(league.sport, &standing.status);
                        }
                    }
                    let reset = StreamBeginning::new(Some(reason), self.beginnings(&standings));
                    return Ok(Some(self.event("reset", None, &reset)));
                }
                Step::Wait => {
                    let status = StreamStatus::new(sport, &standing.status);
                    if status != self.leagues[place].status {
                        let event = self.event("status", None, &status);
                        self.leagues[place].status = status;
                        return Ok(Some(event));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns the step after a position, with the text of a release.
    async fn step(
        &self,
        sport: Sport,
        position: StreamPosition,
        current: Option<&EntryFacts>,
    ) -> Result<Step, PortError> {
        let releases = &self.state.published.releases;
        Ok(match releases.step(sport, position, current).await? {
            StreamStep::Release(entry) => {
                let text = self.release(sport, *entry).await?;
                Step::Release(entry, text)
            }
            StreamStep::Reset(ResetReason::Gap) => Step::Reset("gap"),
            StreamStep::Reset(ResetReason::Record) => Step::Reset("record"),
            StreamStep::Wait => Step::Wait,
        })
    }

    /// Returns a release as text, which all streams share.
    async fn release(&self, sport: Sport, entry: EntryFacts) -> Result<Bytes, PortError> {
        let releases = Arc::clone(&self.state.published.releases);
        let making = async move {
            let release = releases.release(sport, &entry).await?;
            Ok(Arc::new(KeptBody::json(text(&StreamRelease::new(sport, release)).into())))
        };
        let name = ObjectHash::of_key(&("a release on a stream", sport, entry.digest));
        Ok(self.state.published.answers.bodies.result(name, Box::pin(making)).await?.bytes())
    }

    fn beginnings(&self, standings: &Standings) -> Vec<StreamLeague> {
        let beginning = |league: &FollowedLeague| Some(StreamLeague::new(league.sport, standings.get(&league.sport)?));
        self.leagues.iter().filter_map(beginning).collect()
    }

    /// Returns what ends the stream.
    fn last(&self, end: StreamEnd) -> Option<Bytes> {
        match end {
            StreamEnd::Key => None,
            StreamEnd::Month => Some(self.event_of("reset", None, r#"{"reason":"month"}"#)),
            StreamEnd::Shutdown => {
                let (least, more) = RETRY_AT_SHUTDOWN;
                let random = random_bytes(&*self.state.random).map_or(0, u32::from_le_bytes);
                Some(format!("retry: {}\n\n", least + random % (more + 1)).into())
            }
        }
    }

    fn event(&self, name: &str, retry: Option<u32>, data: &impl Serialize) -> Bytes {
        self.event_of(name, retry, &text(data))
    }

    /// Returns an event at the positions of the stream.
    fn event_of(&self, name: &str, retry: Option<u32>, data: &(impl Display + ?Sized)) -> Bytes {
        let id: StreamCursor = self.leagues.iter().map(|league| (league.sport, league.position)).collect();
        let retry = retry.map(|retry| format!("retry: {retry}\n")).unwrap_or_default();
        format!("event: {name}\nid: {id}\n{retry}data: {data}\n\n").into()
    }
}

/// The step after a position.
enum Step {
    Release(Box<EntryFacts>, Bytes),
    Reset(&'static str),
    Wait,
}

/// Writes a value as one line of JSON.
pub(crate) fn text(value: &impl Serialize) -> String {
    // A value of these types has no part that JSON lacks.
    serde_json::to_string(value).unwrap_or_default()
}
