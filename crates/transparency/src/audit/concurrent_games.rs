//! Games that can be one game under two names.

use sports_domain::{Club, Sport, TeamSlug};

use super::FindingKind;
use super::judged_game::JudgedGame;

/// The time between the starts of two games that one club cannot both play.
const OVERLAP: i64 = 4 * 3600;

/// The time between two games of one pairing that can be one game on two dates.
pub(crate) const TWIN: i64 = 36 * 3600;

/// Returns the kind of what two games of a league are; `None` for games apart.
///
/// No club of nba, nhl, nfl and ncaab has two games within four hours in 39,090 real ones, in mlb only in a doubleheader. A series of
/// mlb has a game of one pairing each day.
pub(crate) fn concurrent(sport: Sport, one: &JudgedGame<'_>, other: &JudgedGame<'_>) -> Option<FindingKind> {
    let apart = (one.start()? - other.start()?).abs();
    if apart >= TWIN {
        return None;
    }
    let is_same = |one: &TeamSlug, other: &TeamSlug| Club::is_same(sport, one, other);
    let (one, other) = (&one.key, &other.key);
    let straight = [is_same(&one.away, &other.away), is_same(&one.home, &other.home)];
    let crossed = [is_same(&one.away, &other.home), is_same(&one.home, &other.away)];
    let is_pairing = straight == [true; 2] || crossed == [true; 2];
    let has_club = straight.contains(&true) || crossed.contains(&true);
    match sport {
        Sport::Mlb => (has_club && !is_pairing && apart < OVERLAP).then_some(FindingKind::Overlap),
        _ if has_club && apart < OVERLAP => Some(FindingKind::Overlap),
        _ => is_pairing.then_some(FindingKind::Twin),
    }
}
