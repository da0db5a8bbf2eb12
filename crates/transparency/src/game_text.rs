//! A game in a leaf and in the message of a salt: `date time away home`, with ` #2` for a game number.

use std::fmt::Write as _;

use chrono::{NaiveDate, NaiveTime};
use sports_domain::{GameKey, TeamSlug, date_digits, parse_date_digits, parse_time_digits, time_digits};

const NO_TIME: &str = "-";

pub fn game_text(game: &GameKey) -> String {
    // As long as most games.
    let mut text = String::with_capacity(64);
    push_game(&mut text, game);
    text
}

/// Writes a game as a part of a longer text.
pub(crate) fn push_game(text: &mut String, game: &GameKey) {
    push_date(text, game.date);
    text.push(' ');
    match game.time {
        Some(time) => push_time(text, time),
        None => text.push_str(NO_TIME),
    }
    for team in [&game.away, &game.home] {
        text.push(' ');
        text.push_str(team.as_str());
    }
    if let Some(number) = game.game_number {
        // Writing to a text cannot fail.
        _ = write!(text, " #{number}");
    }
}

pub(crate) fn push_date(text: &mut String, date: NaiveDate) {
    match date_digits(date) {
        Some(digits) => text.extend(digits.map(char::from)),
        // Other years have a sign.
        None => _ = write!(text, "{date}"),
    }
}

/// Writes the time of a game to the second, the precision of the record.
pub(crate) fn push_time(text: &mut String, time: NaiveTime) {
    text.extend(time_digits(time).map(char::from));
}

/// Reads a game, in any of its texts: whoever reads a leaf compares it with its one text.
pub(crate) fn parse_game(text: &str) -> Option<GameKey> {
    let mut words = text.split(' ');
    let date = parse_date(words.next()?)?;
    let time = match words.next()? {
        NO_TIME => None,
        time => Some(parse_time(time)?),
    };
    let away = TeamSlug::normalise(words.next()?).ok()?;
    let home = TeamSlug::normalise(words.next()?).ok()?;
    let game_number = match words.next() {
        None => None,
        Some(number) => Some(number.strip_prefix('#')?.parse().ok()?),
    };
    Some(GameKey { date, time, away, home, game_number })
}

fn parse_date(text: &str) -> Option<NaiveDate> {
    parse_date_digits(text).or_else(|| text.starts_with(['+', '-']).then(|| text.parse().ok())?)
}

fn parse_time(text: &str) -> Option<NaiveTime> {
    parse_time_digits(text).or_else(|| text.ends_with(":60").then(|| text.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_has_the_text_of_chrono_and_is_read_back() {
        for text in ["2024-02-29", "0000-01-01", "0999-12-31", "9999-12-31", "+10000-01-01", "-0001-12-31"] {
            let date: NaiveDate = text.parse().expect("a date");
            let mut written = String::new();
            push_date(&mut written, date);
            assert_eq!((written.as_str(), parse_date(text)), (text, Some(date)));
        }
        for text in ["2023-02-29", "2024-13-01", "2024-1-01x", "2024/01/01", "20é4-01-1"] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }

    #[test]
    fn a_time_is_written_to_the_second_and_is_read_back() {
        for text in ["00:00:00", "16:30:05", "23:59:59", "23:59:60"] {
            let time: NaiveTime = text.parse().expect("a time");
            let mut written = String::new();
            push_time(&mut written, time);
            assert_eq!((written.as_str(), parse_time(text)), (text, Some(time)));
        }
        for text in ["24:00:00", "12:60:00", "12:00:61", "1:00:00", "12:00", "é:00:000"] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }
}
