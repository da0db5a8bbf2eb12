use std::collections::BTreeSet;

use sports_domain::Sport;

use super::plan::{early_days, regular_days};
use crate::fixture::{Fixture, FixtureStatus, Stage};
use crate::random::Stream;

/// The minimum number of days until a postponed game is made up.
const DAYS_TO_SPARE: i32 = 8;

/// Cancels one or more games of the early season and, in the leagues that play most days, postpones others to a day on
/// which both teams are free. Baseball's schedule contains its own rained-out games.
pub(super) fn add(fixtures: &mut Vec<Fixture>, sport: Sport, stream: &mut Stream) {
    let (cancelled, postponed) = match sport {
        Sport::Nfl | Sport::Mlb => (1, 0),
        Sport::Ncaaf => (2, 0),
        Sport::Nba | Sport::Nhl => (1, 3),
        Sport::Ncaab => (6, 4),
    };
    let can_be = |fixture: &Fixture| {
        fixture.stage == Stage::Regular
            && fixture.status == FixtureStatus::Played
            && (1..early_days(sport)).contains(&fixture.day)
    };
    let mut places: Vec<_> = (0..fixtures.len()).filter(|place| can_be(&fixtures[*place])).collect();
    stream.shuffle(&mut places);
    for place in places.iter().take(cancelled) {
        fixtures[*place].status = FixtureStatus::Cancelled;
    }
    for place in places.iter().skip(cancelled).take(postponed) {
        fixtures[*place].status = FixtureStatus::Postponed;
        let made_up_for = on_a_free_day(fixtures, fixtures[*place], sport);
        fixtures.extend(made_up_for);
    }
}

fn on_a_free_day(fixtures: &[Fixture], game: Fixture, sport: Sport) -> Option<Fixture> {
    let of_either = fixtures.iter().filter(|other| other.is_of(game.away) || other.is_of(game.home));
    let busy: BTreeSet<_> = of_either.map(|other| other.day).collect();
    let days = game.day + DAYS_TO_SPARE..regular_days(sport);
    let free = days.into_iter().find(|day| !busy.contains(day))?;
    Some(Fixture { day: free, status: FixtureStatus::Played, ..game })
}
