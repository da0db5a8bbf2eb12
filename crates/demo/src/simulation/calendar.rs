use chrono::{Datelike as _, Days, NaiveDate};
use sports_domain::{Season, Sport};

use crate::simulation::contest::{Fixture, Stage};
use crate::simulation::schedule;
use crate::simulation::schedule::regular_days;

/// The dates of a season: day 0 is opening day, earlier days are preseason.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calendar {
    pub(crate) season: Season,
    opening: NaiveDate,
}

/// The maximum number of days between the first preseason game and opening day.
const PRESEASON_DAYS: u64 = 30;

/// The distance between seasons in whole weeks, so that a league plays on the same weekdays each season.
const DAYS_BETWEEN_SEASONS: u64 = 364;

/// The first and last opening days, as days of the year from 1, with which a whole baseball season including preseason
/// and postseason fits one calendar year, as its label requires.
const FIRST_OPENING: u32 = 5;

const LAST_OPENING: u32 = 178;

impl Calendar {
    /// Returns the calendar of the season that was `age` seasons ago when `today` is in the middle of the current one.
    ///
    /// Baseball's label is one calendar year. Around New Year its current season is therefore not in its middle: early
    /// in January it has just begun, late in December it is about to end.
    pub(crate) fn for_season(sport: Sport, today: NaiveDate, age: u16) -> Self {
        let middle = schedule::middle_day(sport);
        let (opening, first_year) = if sport.splits_years() {
            let opening = back(today, u64::from(middle));
            let first = back(opening, PRESEASON_DAYS);
            (back(opening, DAYS_BETWEEN_SEASONS * u64::from(age)), first.year())
        } else {
            let year = today.year() - i32::from(age);
            let day = match age {
                0 => opening_of_today(today, middle),
                _ => today.ordinal().saturating_sub(middle).clamp(FIRST_OPENING, LAST_OPENING),
            };
            (NaiveDate::from_yo_opt(year, day).unwrap_or(today), today.year())
        };
        let label = u16::try_from(first_year).ok().and_then(|year| Season::starting_in(sport, year.checked_sub(age)?));
        Self { season: label.expect("simulated years have four digits"), opening }
    }

    /// Returns the date of a day; `None` outside the years of the season's label.
    pub(crate) fn date(self, day: i32) -> Option<NaiveDate> {
        let date = self.opening.checked_add_signed(chrono::Duration::days(i64::from(day)))?;
        let first = i32::from(self.season.first_year());
        let last = first + i32::from(self.season.to_string().contains('-'));
        (first..=last).contains(&date.year()).then_some(date)
    }
}

/// Returns baseball's opening day of the year if `today` must be in the regular season: as near its middle as the
/// calendar year allows, with room for a preseason from 5 January on.
fn opening_of_today(today: NaiveDate, middle: u32) -> u32 {
    let day = today.ordinal();
    let earliest = if day < FIRST_OPENING { 1 } else { FIRST_OPENING };
    let days_of_year = if today.leap_year() { 366 } else { 365 };
    let latest = days_of_year + 1 - schedule::BASEBALL_DAYS;
    day.saturating_sub(middle).clamp(earliest, latest)
}

fn back(date: NaiveDate, days: u64) -> NaiveDate {
    date.checked_sub_days(Days::new(days)).unwrap_or(date)
}

/// A knock-out tournament among the best teams, in single games or series.
struct Bracket {
    teams: usize,
    wins: usize,
    days_between_games: i32,
    days_between_rounds: i32,
    /// The number of single games between the next best teams, before the first round.
    bowls: usize,
    start: (u32, u32),
}

const fn bracket(sport: Sport) -> Bracket {
    let (teams, wins, days_between_games, days_between_rounds, bowls, start) = match sport {
        Sport::Mlb => (8, 3, 1, 7, 0, (20, 8)),
        Sport::Nba | Sport::Nhl => (16, 4, 2, 14, 0, (20, 30)),
        Sport::Nfl => (16, 1, 0, 7, 0, (16, 30)),
        Sport::Ncaaf => (4, 1, 0, 9, 16, (19, 30)),
        Sport::Ncaab => (64, 1, 0, 3, 0, (19, 15)),
    };
    Bracket { teams, wins, days_between_games, days_between_rounds, bowls, start }
}

/// The games of a series that the better team hosts.
const HOSTED: [bool; 7] = [true, true, false, false, true, false, true];

const DAYS_OF_REST: i32 = 3;

/// Plays a season's postseason. `ranking` lists the best team first; `play` plays a game and returns the winner.
pub(crate) fn play_off(sport: Sport, ranking: &[usize], mut play: impl FnMut(Fixture) -> usize) {
    let bracket = bracket(sport);
    let mut day = regular_days(sport) + DAYS_OF_REST;
    let next_best = ranking.get(bracket.teams..bracket.teams + 2 * bracket.bowls).unwrap_or_default();
    for (pair, off) in next_best.chunks_exact(2).zip((0..bracket.days_between_rounds).cycle()) {
        play(Fixture::new(day + off, bracket.start, (pair[1], pair[0]), Stage::Postseason));
    }
    day += if bracket.bowls > 0 { bracket.days_between_rounds } else { 0 };
    let mut left = ranking.get(..bracket.teams).unwrap_or_default().to_vec();
    while left.len() > 1 {
        let (better, worse) = left.split_at(left.len() / 2);
        let pairs = better.iter().copied().zip(worse.iter().rev().copied());
        let winners = pairs.enumerate().map(|(place, pair)| {
            // A round of single games takes two days, so that not all games start at the same time.
            let second_day = i32::from(place % 2 == 1);
            series(&bracket, day + second_day, pair, &mut play)
        });
        left = winners.collect();
        day += bracket.days_between_rounds;
    }
}

fn series(bracket: &Bracket, first: i32, teams: (usize, usize), play: &mut impl FnMut(Fixture) -> usize) -> usize {
    let (better, worse) = teams;
    let (mut won, mut lost, mut day) = (0, 0, first);
    for hosted in HOSTED {
        let pair = if hosted { (worse, better) } else { (better, worse) };
        if play(Fixture::new(day, bracket.start, pair, Stage::Postseason)) == better {
            won += 1;
        } else {
            lost += 1;
        }
        day += bracket.days_between_games;
        if won == bracket.wins || lost == bracket.wins {
            break;
        }
    }
    if won > lost { better } else { worse }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::schedule::last_day;
    use crate::simulation::teams::teams_of;

    fn every_day() -> impl Iterator<Item = NaiveDate> {
        let first = NaiveDate::from_ymd_opt(2023, 12, 25).expect("a date");
        first.iter_days().take(800)
    }

    #[test]
    fn today_is_within_the_regular_season() {
        for today in every_day() {
            for sport in Sport::ALL {
                let calendar = Calendar::for_season(sport, today, 0);
                let day = (today - calendar.opening).num_days();
                let days = i64::from(schedule::regular_days(sport));
                assert!((0..days).contains(&day), "{sport} {today}: day {day}");
                assert_eq!(calendar.date(i32::try_from(day).expect("small")), Some(today), "{sport}");
            }
        }
    }

    #[test]
    fn every_earlier_season_lies_within_its_label_from_preseason_to_final() {
        for today in every_day() {
            for (sport, age) in Sport::ALL.into_iter().flat_map(|sport| (1..6).map(move |age| (sport, age))) {
                let calendar = Calendar::for_season(sport, today, age);
                let before = Calendar::for_season(sport, today, age - 1);
                assert_eq!(calendar.season.first_year() + 1, before.season.first_year());
                assert!(
                    calendar.date(-4).is_some() && calendar.date(schedule::last_day(sport)).is_some(),
                    "{sport} {today}"
                );
                let gap = (before.opening - calendar.opening).num_days();
                assert!(gap > i64::from(schedule::last_day(sport)), "{sport} {today}: {gap}");
            }
        }
    }

    #[test]
    fn a_postseason_ends_in_time_with_one_team_left() {
        for (sport, most) in Sport::ALL.into_iter().zip([35, 105, 15, 105, 19, 63]) {
            let ranking: Vec<_> = (0..teams_of(sport).len()).collect();
            let mut games = Vec::new();
            play_off(sport, &ranking, |game| {
                games.push(game);
                // The visitors win every second game, so that series are long.
                if games.len() % 2 == 0 { game.away } else { game.home }
            });
            assert!(games.len() <= most && games.len() * 2 > most, "{sport}: {}", games.len());
            let last = games.iter().map(|game| game.day).max().expect("a final");
            assert!(last <= last_day(sport) && last > regular_days(sport), "{sport}: {last}");
        }
    }
}
