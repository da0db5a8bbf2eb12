//! A game in a leaf and in the message of a salt: `date time away home`, with ` #2` for a game number.

use chrono::{NaiveTime, Timelike as _};
use sports_domain::{GameKey, TeamSlug};

const NO_TIME: &str = "-";

/// Writes a game.
#[must_use]
pub fn game_text(game: &GameKey) -> String {
    let time = time_text(game.time).unwrap_or_else(|| NO_TIME.to_owned());
    let number = game.game_number.map(|number| format!(" #{number}")).unwrap_or_default();
    format!("{} {time} {} {}{number}", game.date, game.away, game.home)
}

/// Writes the time of a game to the second, the precision of the record.
pub(crate) fn time_text(time: Option<NaiveTime>) -> Option<String> {
    // A leap second is a nanosecond beyond the last one of the 59th second.
    let second = |time: &NaiveTime| time.second() + time.nanosecond() / 1_000_000_000;
    time.map(|time| format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), second(&time)))
}

/// Reads a game. Other texts of the same game are refused by comparison with its one text.
pub(crate) fn parse_game(text: &str) -> Option<GameKey> {
    let mut words = text.split(' ');
    let date = words.next()?.parse().ok()?;
    let time = match words.next()? {
        NO_TIME => None,
        time => Some(time.parse().ok()?),
    };
    let away = TeamSlug::normalise(words.next()?).ok()?;
    let home = TeamSlug::normalise(words.next()?).ok()?;
    let game_number = match words.next() {
        None => None,
        Some(number) => Some(number.strip_prefix('#')?.parse().ok()?),
    };
    let game = GameKey { date, time, away, home, game_number };
    (game_text(&game) == text).then_some(game)
}
