use std::rc::Rc;

use actix_web::{HttpMessage, HttpRequest};
use sports_domain::Sport;

/// The mark that a handler leaves on a request whose response depends on published content, the date, the path and query,
/// `Accept` and `Accept-Encoding` alone; if the path names a league, on the content of that league.
#[derive(Clone, Default)]
pub struct Repeatable(Option<Rc<dyn Fn() -> bool>>);

impl Repeatable {
    pub fn mark(request: &HttpRequest) {
        request.extensions_mut().insert(Self::default());
    }

    /// Marks a request whose response depends on something else, too, which is as it was while a condition holds. Once it does
    /// not, it must never hold again.
    pub fn mark_while(request: &HttpRequest, condition: impl Fn() -> bool + 'static) {
        request.extensions_mut().insert(Self::while_true(condition));
    }

    /// Returns true while the condition holds.
    pub(super) fn holds(&self) -> bool {
        self.0.as_ref().is_none_or(|condition| condition())
    }

    pub(super) fn while_true(condition: impl Fn() -> bool + 'static) -> Self {
        Self(Some(Rc::new(condition)))
    }
}

/// Returns the league in the path of a request.
pub fn league_of(request: &HttpRequest) -> Option<Sport> {
    request.match_info().get("sport")?.parse().ok()
}
