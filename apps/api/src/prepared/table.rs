use std::collections::HashMap;
use std::hash::BuildHasher;
use std::ops::Range;
use std::rc::Rc;

use chrono::{DateTime, Days, NaiveTime, Utc};
use sports_domain::{eastern_date, eastern_instant};

use super::answer::PreparedAnswer;
use super::request::PlainRequest;
use crate::params::API_KEY;

/// The answers of one state of the record, on one Eastern day.
#[derive(Default)]
pub(super) struct Table {
    changes: u64,
    /// How often it was turned to another state or day.
    turns: u64,
    day: Option<Range<DateTime<Utc>>>,
    answers: HashMap<Box<str>, Forms>,
    weight: usize,
    asked_once: AskedOnce,
}

/// The forms in which one path and query is answered.
type Forms = Vec<(AskedAs, Rc<PreparedAnswer>)>;

/// Where an answer is kept that is being made.
pub(super) struct Place {
    turn: u64,
    target: Box<str>,
    asked_as: AskedAs,
}

/// The headers by which the form of an answer is chosen.
#[derive(PartialEq, Eq)]
struct AskedAs {
    accept: Option<Box<[u8]>>,
    accept_encoding: Option<Box<[u8]>>,
}

impl AskedAs {
    fn new(request: &PlainRequest<'_>) -> Self {
        Self { accept: request.accept.map(Box::from), accept_encoding: request.accept_encoding.map(Box::from) }
    }

    fn is_of(&self, request: &PlainRequest<'_>) -> bool {
        self.accept.as_deref() == request.accept && self.accept_encoding.as_deref() == request.accept_encoding
    }
}

/// What all answers of a worker weigh together at most.
const ROOM: usize = 8 * 1024 * 1024;

/// In how many ways one path and query are kept.
const FORMS: usize = 8;

impl Table {
    /// Turns to a state of the record at an instant.
    pub(super) fn turn_to(&mut self, changes: u64, now: DateTime<Utc>) {
        if self.changes != changes || !self.day.as_ref().is_some_and(|day| day.contains(&now)) {
            self.begin(changes, now);
        }
    }

    /// The answer to a request.
    pub(super) fn answer(&self, request: &PlainRequest<'_>) -> Option<Rc<PreparedAnswer>> {
        let forms = self.answers.get(request.target)?;
        forms.iter().find(|(asked_as, _)| asked_as.is_of(request)).map(|(_, answer)| Rc::clone(answer))
    }

    /// A place for the answer to a request, if there is none and it was asked for lately.
    pub(super) fn place(&mut self, request: &PlainRequest<'_>) -> Option<Place> {
        let target = request.target;
        // A key is not kept, however it is written.
        let may_hold_a_key = target.contains(API_KEY) || target.contains('%');
        let is_wanted = !may_hold_a_key
            && self.answer(request).is_none_or(|answer| !answer.is_whole())
            && self.asked_once.is_again(self.answers.hasher().hash_one(target));
        is_wanted.then(|| Place { turn: self.turns, target: target.into(), asked_as: AskedAs::new(request) })
    }

    /// Keeps an answer, unless the record has changed or the day ended since it was asked for.
    pub(super) fn keep(&mut self, place: Place, answer: PreparedAnswer) {
        let Place { turn, target, asked_as } = place;
        if self.turns != turn {
            return;
        }
        let weight = target.len() + answer.weight();
        if self.weight + weight > ROOM {
            // What is asked for again is soon there again.
            self.clear();
        }
        self.weight += weight;
        let forms = self.answers.entry(target).or_default();
        forms.retain(|(known, _)| *known != asked_as);
        if forms.len() < FORMS {
            forms.push((asked_as, Rc::new(answer)));
        }
    }

    fn begin(&mut self, changes: u64, now: DateTime<Utc>) {
        self.clear();
        self.turns += 1;
        let midnight = |date| eastern_instant(date, NaiveTime::MIN);
        let today = eastern_date(now);
        self.changes = changes;
        self.day = today.checked_add_days(Days::new(1)).map(|tomorrow| midnight(today)..midnight(tomorrow));
    }

    fn clear(&mut self) {
        self.answers.clear();
        self.weight = 0;
    }
}

/// What was asked for lately, so that what is asked for once is not kept.
struct AskedOnce(Box<[u64]>);

impl Default for AskedOnce {
    fn default() -> Self {
        Self(vec![0; 4096].into())
    }
}

impl AskedOnce {
    /// Whether this was asked for lately; from now on it was.
    fn is_again(&mut self, hash: u64) -> bool {
        let places = self.0.len() as u64;
        let place = usize::try_from(hash % places).unwrap_or_default();
        std::mem::replace(&mut self.0[place], hash) == hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: PlainRequest<'static> = PlainRequest {
        target: "/a",
        accept: None,
        accept_encoding: None,
        if_none_match: None,
        api_key: None,
        authorization: None,
        request_id: None,
        traceparent: None,
        forwarded_for: None,
    };

    fn hour(hour: u32) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + i64::from(hour) * 3600, 0).expect("an instant")
    }

    fn place(table: &mut Table) -> Place {
        table.place(&REQUEST);
        table.place(&REQUEST).expect("asked for again")
    }

    #[test]
    fn an_answer_is_kept_for_the_state_and_the_day_that_it_was_asked_in() {
        for (changes, later, is_kept) in [(1, 1, true), (2, 0, false), (1, 24, false)] {
            let mut table = Table::default();
            table.turn_to(1, hour(0));
            let place = place(&mut table);
            table.turn_to(changes, hour(later));
            table.keep(place, PreparedAnswer::saying("old"));
            assert_eq!(table.answer(&REQUEST).is_some(), is_kept, "{changes} {later}");
        }
    }

    #[test]
    fn what_is_asked_for_once_has_no_place_and_nothing_with_a_key_ever_has() {
        let mut table = Table::default();
        table.turn_to(1, hour(0));
        assert!(table.place(&REQUEST).is_none());
        for target in ["/a?api_key=x", "/a?%61pi_key=x"] {
            let request = PlainRequest { target, ..REQUEST };
            assert!((0..3).all(|_| table.place(&request).is_none()), "{target}");
        }
    }
}
