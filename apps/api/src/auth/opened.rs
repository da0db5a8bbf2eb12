//! What of a league's record is open without a key.

use actix_web::{HttpMessage, HttpRequest};
use sports_domain::Season;
use sports_http_transport::league_of;
use sports_program::settings::PublicRecord;
use sports_publication::registry::ShownTo;
use sports_usecases::moment::LeagueMoment;
use sports_usecases::results::finished_seasons;

use crate::error::ApiError;
use crate::params::{MomentQuery, RawQuery};
use crate::state::State;

/// The part of a league's record that an operation answers about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordPart {
    /// Labels and numbers of the whole league, open with any season.
    League,
    /// The season that the parameter `season` names, by default the newest.
    Season,
    /// Every season at once, or one game of any.
    AllSeasons,
}

/// A request without a subscription to a league whose record is open, as its scope leaves it in the extensions.
#[derive(Debug, Clone, Copy)]
pub(super) struct PublicReading {
    /// The `Cache-Control` of an answer; `None` for a request outside of the open part.
    pub(super) caching: Option<&'static str>,
    /// The number of models that the answer leaves out.
    pub(super) models_hidden: usize,
}

/// The caching of an answer about games that may start at any time, in seconds.
pub const OPEN: &str = "public, max-age=30";

/// The caching of an answer about finished seasons.
pub const FINISHED: &str = "public, max-age=3600";

impl PublicReading {
    /// Returns what the scope of a request left.
    pub(super) fn of(request: &HttpRequest) -> Option<Self> {
        request.extensions().get().copied()
    }
}

/// Returns the reader of a request that was admitted.
pub fn reader_of(request: &HttpRequest) -> ShownTo {
    PublicReading::of(request).map_or(ShownTo::Subscribers, |_| ShownTo::Everyone)
}

/// Opens a part of a league's record to a request without a subscription.
///
/// # Errors
///
/// [`ApiError::KeyRequired`] or [`ApiError::KeyRequiredFor`] if the request asks for more than is open.
pub(super) fn open(part: RecordPart, request: &HttpRequest) -> Result<(), ApiError> {
    let state = State::of(request)?;
    let sport = league_of(request).ok_or(ApiError::KeyRequired)?;
    let record = state.site.public_records.of(sport);
    if record == PublicRecord::None {
        return Err(ApiError::KeyRequired);
    }
    let moment = state.published.moments.now(sport)?.read_by(ShownTo::Everyone);
    let caching = caching(part, record, &moment, request);
    let reading =
        PublicReading { caching: caching.as_ref().ok().copied(), models_hidden: moment.hidden_models().len() };
    request.extensions_mut().insert(reading);
    caching.map(drop)
}

/// Returns the caching of the answer to a request for an open part.
fn caching(
    part: RecordPart,
    record: PublicRecord,
    moment: &LeagueMoment,
    request: &HttpRequest,
) -> Result<&'static str, ApiError> {
    let sport = moment.sport();
    let query = RawQuery::parse(request.query_string());
    if MomentQuery::is_in(&query) {
        let detail = "An earlier moment of a public record needs an API key; leave out `as_of` and `generation`";
        return Err(ApiError::KeyRequiredFor(detail.to_owned()));
    }
    let finished = finished_seasons(moment);
    let is_finished =
        |label: &str| Season::parse(sport, label.trim()).is_ok_and(|season| finished.seasons.contains(&season));
    let are_finished = match query.first("season") {
        Some("all") | None => finished.are_all,
        Some(labels) => labels.split(',').all(is_finished),
    };
    let is_open = match (record, part) {
        (PublicRecord::All, _) | (_, RecordPart::League) => true,
        (_, RecordPart::Season) => are_finished,
        (_, RecordPart::AllSeasons) => false,
    };
    if is_open {
        return Ok(if are_finished && part == RecordPart::Season { FINISHED } else { OPEN });
    }
    Err(ApiError::KeyRequiredFor(match (part, finished.seasons.last()) {
        (RecordPart::Season, Some(newest)) => {
            format!("Finished seasons of {sport} are public: add season={newest}, or send an API key for the others")
        }
        (RecordPart::Season, None) => {
            format!("Finished seasons of {sport} are public, and none is finished; send an API key")
        }
        _ => format!("Finished seasons of {sport} are public, and this answer is about all: send an API key"),
    }))
}
