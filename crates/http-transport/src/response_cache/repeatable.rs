use std::rc::Rc;

use actix_web::{HttpMessage, HttpRequest};
use sports_domain::Sport;

/// The mark that a handler leaves on a request whose response depends on published content, the date, the path and query,
/// `Accept` and `Accept-Encoding` alone; if the path names a league, on the content of that league.
#[derive(Clone)]
pub struct Repeatable {
    share: Share,
    condition: Option<Rc<dyn Fn() -> bool>>,
}

/// A share of the cache, with a bound of its own: responses of one share never replace those of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// Responses about the present.
    Present,
    /// Responses about earlier moments, whose number is unbounded.
    Past,
}

impl Repeatable {
    pub fn mark(request: &HttpRequest) {
        request.extensions_mut().insert(Self::always());
    }

    /// Marks a request for an earlier moment, whose response never takes the place of one about the present.
    pub fn mark_past(request: &HttpRequest) {
        request.extensions_mut().insert(Self::of_share(Share::Past));
    }

    /// Marks a request whose response depends on something else, too, which is as it was while a condition holds. Once it does
    /// not, it must never hold again.
    pub fn mark_while(request: &HttpRequest, condition: impl Fn() -> bool + 'static) {
        request.extensions_mut().insert(Self::while_true(condition));
    }

    /// Returns true while the condition holds.
    pub(super) fn holds(&self) -> bool {
        self.condition.as_ref().is_none_or(|condition| condition())
    }

    /// Returns the share of the cache that the response belongs to.
    pub(super) const fn share(&self) -> Share {
        self.share
    }

    pub(super) const fn always() -> Self {
        Self::of_share(Share::Present)
    }

    pub(super) const fn of_share(share: Share) -> Self {
        Self { share, condition: None }
    }

    pub(super) fn while_true(condition: impl Fn() -> bool + 'static) -> Self {
        Self { condition: Some(Rc::new(condition)), ..Self::always() }
    }
}

/// Returns the league in the path of a request.
pub fn league_of(request: &HttpRequest) -> Option<Sport> {
    request.match_info().get("sport")?.parse().ok()
}
