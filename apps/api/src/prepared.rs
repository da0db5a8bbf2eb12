//! Answers that are ready to be sent: what was asked twice is answered, from the third time on, from bytes that were put
//! together once, head and body.
//!
//! An answer that depends on published content and the date alone is the same, byte for byte, until a generation changes (that
//! of the league its path names, if it names one) or the day is over. Its handler says so with [`Repeatable`]. [`record`], the first of all middlewares, then keeps it under
//! the path and query it was asked with and under the headers by which its form was chosen. A [`Front`] looks at what a
//! client sends before the HTTP library does: a plain `GET` that there is an answer for never gets further. Its caller is
//! let in, counted, logged and measured as any other. Whatever is out of the ordinary goes on to the library, untouched:
//! another method, a body, an unusual header, a caller who is refused, a server that is about to stop.
//!
//! Each worker keeps answers of its own, so nothing is shared and nothing is waited for.

mod answer;
mod front;
mod gate;
mod record;
mod request;
mod table;

use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;

use actix_web::{HttpMessage, HttpRequest};
use chrono::{DateTime, Utc};
use sports_ports::Clock;
use sports_usecases::record::CurrentGenerations;

use crate::draining::Draining;
use crate::plain_text::{HTTP_DATE, SecondText};
use crate::shell::Watcher;
use table::Table;

pub(crate) use front::Front;
pub(crate) use gate::Gate;
pub(crate) use record::record;

/// The mark that a handler leaves in the extensions of a request whose answer depends on published content, the date, the
/// path and query, `Accept` and `Accept-Encoding` alone; where the path names a league, on what is published of that one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repeatable;

impl Repeatable {
    /// Marks a request.
    pub(crate) fn mark(request: &HttpRequest) {
        request.extensions_mut().insert(Self);
    }
}

/// What one worker has ready.
#[derive(Clone)]
pub(crate) struct PreparedAnswers(Rc<Worker>);

struct Worker {
    table: RefCell<Table>,
    generations: Arc<CurrentGenerations>,
    clock: Arc<dyn Clock>,
    draining: Arc<Draining>,
    gate: Gate,
    watcher: Watcher,
    date: RefCell<SecondText>,
}

impl PreparedAnswers {
    /// Nothing is ready yet.
    pub(crate) fn new(
        generations: Arc<CurrentGenerations>,
        clock: Arc<dyn Clock>,
        draining: Arc<Draining>,
        gate: Gate,
        watcher: Watcher,
    ) -> Self {
        let (table, date) = (RefCell::default(), RefCell::new(SecondText::new(HTTP_DATE)));
        Self(Rc::new(Worker { table, generations, clock, draining, gate, watcher, date }))
    }

    /// Has the table be that of the record and the day as they are now, and says what the clock shows. What is made from
    /// here on is of this state of the record or of a later one.
    fn current(&self) -> (RefMut<'_, Table>, DateTime<Utc>) {
        let Worker { table, generations, clock, .. } = &*self.0;
        let mut table = table.borrow_mut();
        let (changes, now) = (generations.changes(), clock.now());
        table.turn_to(changes, now);
        (table, now)
    }
}
