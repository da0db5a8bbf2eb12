use std::collections::HashMap;
use std::hash::BuildHasher;
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use chrono::{DateTime, Days, NaiveTime, Utc};
use sports_domain::{eastern_date, eastern_instant};
use sports_usecases::record::Changes;

use super::answer::PreparedAnswer;
use super::request::PlainRequest;
use crate::params::API_KEY;

/// The answers of one state of the record, on one Eastern day.
#[derive(Default)]
pub(super) struct Table {
    changes: Changes,
    day: Option<Range<DateTime<Utc>>>,
    answers: HashMap<Box<str>, Forms>,
    weight: usize,
    asked_once: AskedOnce,
}

/// The forms in which one path and query is answered.
type Forms = Vec<(AskedAs, Rc<PreparedAnswer>)>;

/// Where an answer is kept that is being made.
pub(super) struct Place {
    changes: Changes,
    day: Option<Range<DateTime<Utc>>>,
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
    pub(super) fn turn_to(&mut self, changes: Changes, now: DateTime<Utc>) {
        if !self.day.as_ref().is_some_and(|day| day.contains(&now)) {
            self.begin_day(now);
        }
        if self.changes != changes {
            let before = mem::replace(&mut self.changes, changes);
            self.answers.retain(|_, forms| {
                forms.retain(|(_, answer)| changes.leave_alone(answer.sport(), before));
                !forms.is_empty()
            });
            self.weight = self
                .answers
                .iter()
                .map(|(target, forms)| forms.iter().map(|(_, answer)| weight(target, answer)).sum::<usize>())
                .sum();
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
        is_wanted.then(|| Place {
            changes: self.changes,
            day: self.day.clone(),
            target: target.into(),
            asked_as: AskedAs::new(request),
        })
    }

    /// Keeps an answer, unless the record has changed or the day ended since it was asked for.
    pub(super) fn keep(&mut self, place: Place, answer: PreparedAnswer) {
        let Place { changes, day, target, asked_as } = place;
        if self.day != day || !self.changes.leave_alone(answer.sport(), changes) {
            return;
        }
        let weight = weight(&target, &answer);
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

    fn begin_day(&mut self, now: DateTime<Utc>) {
        self.clear();
        let midnight = |date| eastern_instant(date, NaiveTime::MIN);
        let today = eastern_date(now);
        self.day = today.checked_add_days(Days::new(1)).map(|tomorrow| midnight(today)..midnight(tomorrow));
    }

    fn clear(&mut self) {
        self.answers.clear();
        self.weight = 0;
    }
}

/// What an answer takes, and what it is found by.
fn weight(target: &str, answer: &PreparedAnswer) -> usize {
    target.len() + answer.weight()
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
        mem::replace(&mut self.0[place], hash) == hash
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::Sport;

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
    fn an_answer_is_kept_while_its_league_and_the_day_stay_the_same() {
        let (nfl, nba) = (Some(Sport::Nfl), Some(Sport::Nba));
        let none = Changes::default();
        for (sport, changes, later, is_kept) in [
            (nfl, none, 1, true),
            (nfl, none.and_one_of(Sport::Nfl), 0, false),
            (nba, none.and_one_of(Sport::Nfl), 0, true),
            (None, none.and_one_of(Sport::Nfl), 0, false),
            (nfl, none, 24, false),
        ] {
            for is_made_before in [true, false] {
                let mut table = Table::default();
                table.turn_to(none, hour(0));
                let place = place(&mut table);
                let answer = PreparedAnswer::saying("old", sport);
                if is_made_before {
                    table.keep(place, answer);
                    table.turn_to(changes, hour(later));
                } else {
                    table.turn_to(changes, hour(later));
                    table.keep(place, answer);
                }
                assert_eq!(table.answer(&REQUEST).is_some(), is_kept, "{sport:?} {changes:?} {later} {is_made_before}");
            }
        }
    }

    #[test]
    fn what_is_asked_for_once_has_no_place_and_nothing_with_a_key_ever_has() {
        let mut table = Table::default();
        table.turn_to(Changes::default(), hour(0));
        assert!(table.place(&REQUEST).is_none());
        for target in ["/a?api_key=x", "/a?%61pi_key=x"] {
            let request = PlainRequest { target, ..REQUEST };
            assert!((0..3).all(|_| table.place(&request).is_none()), "{target}");
        }
    }
}
