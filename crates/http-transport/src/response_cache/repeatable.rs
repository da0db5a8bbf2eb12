use actix_web::{HttpMessage, HttpRequest};
use sports_domain::Sport;

/// The mark that a handler leaves on a request whose response depends on published content, the date, the path and query,
/// `Accept` and `Accept-Encoding` alone; if the path names a league, on the content of that league.
#[derive(Debug, Clone, Copy)]
pub struct Repeatable;

impl Repeatable {
    /// Marks a request.
    pub fn mark(request: &HttpRequest) {
        request.extensions_mut().insert(Self);
    }
}

/// Returns the league in the path of a request.
#[must_use]
pub fn league_of(request: &HttpRequest) -> Option<Sport> {
    request.match_info().get("sport")?.parse().ok()
}
