//! One morning's releases, after which nothing is published. They show every state of data-status.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_domain::{Sport, eastern_instant};
use sports_simulation::Run;

/// A release of a league in the morning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The finals of the day before.
    Finals,
    /// A release of the day's run.
    Run(Run),
    Odds,
}

/// Times are hours and minutes, Eastern. The run lasts from 09:38 to 09:50. No rebuild follows the odds of 11:50,
/// which are the last release.
const USUAL: [((u32, u32), Event); 5] = [
    ((6, 0), Event::Finals),
    ((9, 38), Event::Run(Run::Begun)),
    ((9, 44), Event::Run(Run::Underway)),
    ((9, 50), Event::Run(Run::First)),
    ((11, 50), Event::Odds),
];
/// The run finds no games to predict.
const DAY_OFF: [((u32, u32), Event); 3] =
    [((6, 0), Event::Finals), ((9, 38), Event::Run(Run::Begun)), ((9, 50), Event::Run(Run::DayOff))];
/// The run fails before it completes.
const FAILED: [((u32, u32), Event); 3] =
    [((6, 0), Event::Finals), ((9, 38), Event::Run(Run::Begun)), ((9, 44), Event::Run(Run::Underway))];

/// The league that has an off-day.
pub(super) const OFF: Sport = Sport::Nhl;
/// The league whose run fails.
pub(super) const FAILING: Sport = Sport::Ncaab;

/// Returns the events of a league's morning after `after` and up to `until`, in order.
pub(super) fn between(
    sport: Sport,
    date: NaiveDate,
    (after, until): (DateTime<Utc>, DateTime<Utc>),
) -> impl Iterator<Item = (DateTime<Utc>, Event)> {
    let events: &'static [_] = match sport {
        OFF => &DAY_OFF,
        FAILING => &FAILED,
        _ => &USUAL,
    };
    let dated = events.iter().map(move |((hour, minute), event)| {
        let time = NaiveTime::from_hms_opt(*hour, *minute, 0).unwrap_or_default();
        (eastern_instant(date, time), *event)
    });
    dated.filter(move |(at, _)| after < *at && *at <= until)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_occurs_once() {
        let date = "2026-03-14".parse().expect("a date");
        let at = |instant: &str| instant.parse().expect("an instant");
        let events = |sport, after: &str, until: &str| {
            between(sport, date, (at(after), at(until))).map(|(_, event)| event).collect::<Vec<_>>()
        };
        let (midnight, nine_fifty, noon) = ("2026-03-14T04:00:00Z", "2026-03-14T13:50:00Z", "2026-03-14T16:00:00Z");
        assert_eq!(events(Sport::Nfl, midnight, nine_fifty).len(), 4);
        assert_eq!(events(Sport::Nfl, nine_fifty, noon), [Event::Odds]);
        assert_eq!(events(OFF, midnight, noon).last(), Some(&Event::Run(Run::DayOff)));
        assert_eq!(events(FAILING, midnight, noon).last(), Some(&Event::Run(Run::Underway)));
    }
}
