use chrono::{NaiveTime, TimeDelta};
use sports_domain::GameKey;

use crate::QuotedGame;

/// The largest difference between our start of a doubleheader's game and a quoted start of the same game.
const WITHIN: TimeDelta = TimeDelta::minutes(90);

/// Returns the quoted game that is `game`, if exactly one can be; `slate` is the whole slate of `game`.
///
/// Date and teams decide, in either order of the teams. A doubleheader needs more: the nearest start within 90 minutes,
/// nearest from both sides; where starts are equal or missing, the game number. An ambiguous game has no match, because
/// a guess would price another game.
pub(crate) fn quoted<'q>(game: &GameKey, slate: &[&GameKey], quotes: &'q [QuotedGame]) -> Option<&'q QuotedGame> {
    let quotes: Vec<_> = quotes.iter().filter(|quote| is_of(quote, game)).collect();
    let games: Vec<_> = slate.iter().copied().filter(|other| are_alike(other, game)).collect();
    match (&*games, &*quotes) {
        ([_], [quote]) => Some(quote),
        _ => by_start(game, &games, &quotes).or_else(|| by_number(game, &games, &quotes)),
    }
}

fn is_of(quote: &QuotedGame, game: &GameKey) -> bool {
    quote.date == game.date && quote.is_between(&game.away, &game.home)
}

fn are_alike(one: &GameKey, other: &GameKey) -> bool {
    one.date == other.date
        && ((&one.away, &one.home) == (&other.away, &other.home)
            || (&one.away, &one.home) == (&other.home, &other.away))
}

/// Returns the quote whose start is nearest to the game's, if the game is also the nearest to that quote.
fn by_start<'q>(game: &GameKey, games: &[&GameKey], quotes: &[&'q QuotedGame]) -> Option<&'q QuotedGame> {
    let quote = *nearest(game.time?, quotes, |quote| quote.time)?;
    let back = *nearest(quote.time?, games, |game| game.time)?;
    (back == game).then_some(quote)
}

/// Returns the item nearest to a start, within [`WITHIN`] of it; `None` if two items are equally near.
fn nearest<T>(start: NaiveTime, items: &[T], time: impl Fn(&T) -> Option<NaiveTime>) -> Option<&T> {
    let distance = |item: &T| Some((time(item)? - start).abs());
    let reach = items.iter().filter_map(distance).min().filter(|distance| *distance <= WITHIN)?;
    only(items.iter().filter(|item| distance(item) == Some(reach)))
}

/// Returns the quote with the game's number, if starts decide nothing: they are all equal, or a start is missing.
fn by_number<'q>(game: &GameKey, games: &[&GameKey], quotes: &[&'q QuotedGame]) -> Option<&'q QuotedGame> {
    let starts = quotes.iter().map(|quote| quote.time);
    let tell_apart = starts.clone().all(|start| start.is_some()) && starts.clone().any(|start| start != quotes[0].time);
    if tell_apart && game.time.is_some() {
        return None;
    }
    let number = number(game, games)?;
    only(quotes.iter().filter(|quote| quote.game_number == Some(number))).copied()
}

/// Returns the game's number on its day: the number in its key, else by the order of starts.
fn number(game: &GameKey, games: &[&GameKey]) -> Option<u8> {
    if game.game_number.is_some() {
        return game.game_number;
    }
    let start = game.time?;
    let [one, other] = games else { return None };
    let (one, other) = (one.time?, other.time?);
    (one != other).then_some(if start == one.min(other) { 1 } else { 2 })
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
