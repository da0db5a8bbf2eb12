//! The first bytes of an input, which select its interpretation. Every byte selects something; seeds use digits from
//! `0`.

use sports_domain::{Season, Sport};

/// Splits a choice off the front: the digit is the index in `choices`.
pub fn choice<'b, T: Copy>(choices: &[T], bytes: &'b [u8]) -> Option<(T, &'b [u8])> {
    let (first, rest) = bytes.split_first()?;
    let place = usize::from(first.wrapping_sub(b'0')) % choices.len();
    Some((choices[place], rest))
}

/// Splits a league off the front, in the order of [`Sport::ALL`].
pub fn sport(bytes: &[u8]) -> Option<(Sport, &[u8])> {
    choice(&Sport::ALL, bytes)
}

/// Splits a league and one of its seasons off the front: `7` is the season that begins in 2023.
pub fn season(bytes: &[u8]) -> Option<(Sport, Season, &[u8])> {
    let (sport, rest) = sport(bytes)?;
    let (year, rest) = rest.split_first()?;
    let first_year = 2016 + u16::from(year.wrapping_sub(b'0') % 16);
    Some((sport, Season::starting_in(sport, first_year)?, rest))
}
