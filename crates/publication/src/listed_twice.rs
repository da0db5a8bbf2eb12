use std::collections::BTreeMap;
use std::fmt;

use chrono::{NaiveDate, TimeDelta};
use sports_domain::{GameKey, TeamSlug};

/// A past game without a final, and a game of the same teams with one on a near date: probably one game on two dates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTwice {
    pub open: GameKey,
    pub played: GameKey,
}

/// The largest distance of the two dates. It is also the age from which on a game lacks its final for good.
const NEAR: TimeDelta = TimeDelta::days(3);

impl ListedTwice {
    /// Finds the games that are listed twice, given those of a season without a final and those with one.
    ///
    /// In a series the game of last night has no final yet: a final on an earlier date counts after three days.
    pub fn among<'g>(
        open: impl IntoIterator<Item = &'g GameKey>,
        played: impl IntoIterator<Item = &'g GameKey>,
        today: NaiveDate,
    ) -> Vec<Self> {
        let open: Vec<_> = open.into_iter().filter(|key| key.date < today).collect();
        if open.is_empty() {
            return Vec::new();
        }
        let mut finals: BTreeMap<(&TeamSlug, &TeamSlug), Vec<&GameKey>> = BTreeMap::new();
        for key in played {
            finals.entry((&key.away, &key.home)).or_default().push(key);
        }
        let pair = |open: &GameKey| {
            let is_near = |played: &&&GameKey| {
                let later = played.date - open.date;
                later != TimeDelta::zero()
                    && later.abs() <= NEAR
                    && (later > TimeDelta::zero() || today - open.date > NEAR)
            };
            let played = finals.get(&(&open.away, &open.home))?.iter().find(is_near)?;
            Some(Self { open: open.clone(), played: (*played).clone() })
        };
        open.into_iter().filter_map(pair).collect()
    }
}

impl fmt::Display for ListedTwice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { open, played } = self;
        write!(
            f,
            "{open} has no final, and {played} has one: if this is one game, leave the former out, or state that it is \
             `postponed`"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(date: &str, home: &str) -> GameKey {
        let team = |name: &str| TeamSlug::normalise(name).expect("a team");
        GameKey {
            date: date.parse().expect("a date"),
            time: None,
            away: team("jets"),
            home: team(home),
            game_number: None,
        }
    }

    #[test]
    fn a_game_without_a_final_is_paired_with_the_final_of_a_near_date() {
        let played = [game("2024-01-10", "bills"), game("2024-01-20", "bills")];
        for (date, home, today, is_paired) in [
            ("2024-01-09", "bills", "2024-01-11", true),
            ("2024-01-07", "bills", "2024-01-11", true),
            ("2024-01-06", "bills", "2024-01-11", false),
            ("2024-01-09", "rams", "2024-01-11", false),
            // The second game of a series, of last night.
            ("2024-01-11", "bills", "2024-01-12", false),
            ("2024-01-11", "bills", "2024-01-15", true),
            // The second game of a day, and a game to come.
            ("2024-01-10", "bills", "2024-02-01", false),
            ("2024-01-19", "bills", "2024-01-19", false),
        ] {
            let open = game(date, home);
            let found = ListedTwice::among([&open], &played, today.parse().expect("a date"));
            let expected = is_paired.then(|| ListedTwice { open: open.clone(), played: played[0].clone() });
            assert_eq!(found, Vec::from_iter(expected), "{date} {home}");
        }
    }
}
