//! Dates that no game of the slate's season can have.

use chrono::{Datelike as _, NaiveDate};
use sports_domain::{GameKey, Season};

use crate::{Place, Problem, Release};

/// What is expected of a date of a season.
#[must_use]
pub fn a_date_of(season: Season) -> String {
    format!("a date of the season {season}, in {}", in_words(season.years().into_inner()))
}

/// Every game of the odds, every prediction and every end of a stated move that lies outside the season. Before a
/// league has one, the years around the slate date have to do.
pub(super) fn out_of_season(release: &Release, season: Option<Season>) -> Vec<Problem> {
    let (can_have, expected) = expected(release, season);
    let odds = release.odds.iter().flatten().map(|row| (&row.place, &row.value.key));
    let predicted = release.predictions.values().flat_map(|file| &file.rows);
    let predicted = predicted.map(|row| (&row.place, &row.value.game.key));
    let moved = release.moved.iter().map(|row| (&row.place, &row.value.to));
    let outside = odds.chain(predicted).chain(moved).filter(|(_, key)| !can_have(key.date));
    outside.map(|(place, key)| out(place, key, &expected)).collect()
}

fn out(place: &Place, key: &GameKey, expected: &str) -> Problem {
    Problem::at(place.clone(), expected).in_cell("date", key.date.to_string())
}

fn expected(release: &Release, season: Option<Season>) -> (Box<dyn Fn(NaiveDate) -> bool>, String) {
    match season {
        Some(season) if release.season.is_some() => (Box::new(move |date| season.can_have(date)), a_date_of(season)),
        Some(season) => {
            let hint = "the season of the current predictions; odds of another season name it as `season` in \
                        release.json";
            (Box::new(move |date| season.can_have(date)), format!("{}: {hint}", a_date_of(season)))
        }
        None => {
            let year = release.slate_date.year();
            let around = i32::from(release.sport.splits_years());
            let (first, last) = (year - around, year + around);
            let expected = format!("a date of the slate's season, in {}", in_words((first, last)));
            (Box::new(move |date| (first..=last).contains(&date.year())), expected)
        }
    }
}

fn in_words((first, last): (i32, i32)) -> String {
    match last - first {
        0 => first.to_string(),
        1 => format!("{first} or {last}"),
        _ => format!("{first} to {last}"),
    }
}
