use std::collections::HashMap;
use std::sync::LazyLock;

use chrono::{NaiveDate, NaiveTime};
use sports_domain::{Sport, TeamSlug};

/// A parsed ticker of a market, such as `KXMLBGAME-26JUL261335AZWSH-AZ`.
///
/// After the series come year, month and day of the game as first scheduled, in some leagues the start, and the codes
/// of away and home team without a separator. In a doubleheader `G1` or `G2` follows. The last part is the team on
/// whose win the market pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ticker<'a> {
    /// The game: the series and everything up to the last part.
    pub(crate) event: &'a str,
    pub(crate) date: NaiveDate,
    pub(crate) time: Option<NaiveTime>,
    pub(crate) game_number: Option<u8>,
    pub(crate) away: &'static TeamSlug,
    pub(crate) home: &'static TeamSlug,
    /// The team on whose win the market pays.
    pub(crate) pays: &'static TeamSlug,
}

/// Months in tickers, January first.
pub const MONTHS: [&str; 12] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/// Returns the series ticker of a league's game winners; `None` for leagues that are not read from the exchange.
pub const fn series_ticker(sport: Sport) -> Option<&'static str> {
    match sport {
        Sport::Mlb => Some("KXMLBGAME"),
        Sport::Nba => Some("KXNBAGAME"),
        Sport::Nfl => Some("KXNFLGAME"),
        Sport::Nhl => Some("KXNHLGAME"),
        Sport::Ncaaf | Sport::Ncaab => None,
    }
}

impl<'a> Ticker<'a> {
    /// Parses a ticker of a league's game winners. Returns `None` for any other ticker, such as a spread market's,
    /// and for an exhibition, an unknown team, and a team that would play itself.
    pub(crate) fn read(sport: Sport, text: &'a str) -> Option<Self> {
        let (event, pays) = text.rsplit_once('-')?;
        let (series, game) = event.split_once('-')?;
        if Some(series) != series_ticker(sport) {
            return None;
        }
        let (date, rest) = game.split_at_checked(7)?;
        let (time, rest) = time_before(rest);
        let (teams, game_number) = number_after(rest);
        let (away, home) = two_teams(sport, teams).filter(|(away, home)| away != home)?;
        let pays = team(sport, pays).filter(|pays| [away, home].contains(pays))?;
        Some(Self { event, date: date_of(date)?, time, game_number, away, home, pays })
    }
}

/// Parses a date such as `26JUL26`.
fn date_of(text: &str) -> Option<NaiveDate> {
    let (year, rest) = text.split_at_checked(2)?;
    let (month, day) = rest.split_at_checked(3)?;
    let month = (1..).zip(MONTHS).find(|(_, name)| *name == month)?.0;
    let year: i32 = digits(year)?;
    NaiveDate::from_ymd_opt(2000 + year, month, digits(day)?)
}

/// Parses a time such as `1335` at the front, if any, and returns the rest.
fn time_before(text: &str) -> (Option<NaiveTime>, &str) {
    let read = |text: &str| NaiveTime::from_hms_opt(digits(&text[..2])?, digits(&text[2..])?, 0);
    match text.split_at_checked(4) {
        Some((front, rest)) if front.bytes().all(|byte| byte.is_ascii_digit()) => (read(front), rest),
        _ => (None, text),
    }
}

/// Parses a number such as `G2` at the end, if any. Codes have no digits.
fn number_after(text: &str) -> (&str, Option<u8>) {
    let numbered = text.len().checked_sub(2).and_then(|at| text.split_at_checked(at));
    match numbered.map(|(front, end)| (front, end.strip_prefix('G').and_then(digits))) {
        Some((front, Some(number))) => (front, Some(number)),
        _ => (text, None),
    }
}

/// Parses two codes without a separator; there is only one way to divide them.
fn two_teams(sport: Sport, text: &str) -> Option<(&'static TeamSlug, &'static TeamSlug)> {
    (2..=3).find_map(|at| {
        let (away, home) = text.split_at_checked(at)?;
        Some((team(sport, away)?, team(sport, home)?))
    })
}

/// Parses a number that has digits only.
fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// The codes of clubs in tickers, by league.
static CLUBS: LazyLock<Vec<Club>> = LazyLock::new(|| {
    let rows = include_str!("teams.csv").lines().skip(1);
    rows.filter_map(|row| {
        let mut cells = row.split(',');
        let (sport, code) = (cells.next()?.parse().ok()?, cells.next()?);
        Some(Club { sport, code, team: TeamSlug::normalise(cells.next()?).ok()? })
    })
    .collect()
});

static BY_CODE: LazyLock<HashMap<(Sport, &'static str), &'static TeamSlug>> =
    LazyLock::new(|| CLUBS.iter().map(|row| ((row.sport, row.code), &row.team)).collect());

struct Club {
    sport: Sport,
    code: &'static str,
    team: TeamSlug,
}

/// Returns the team with this code, present or former.
pub(crate) fn team(sport: Sport, code: &str) -> Option<&'static TeamSlug> {
    BY_CODE.get(&(sport, code)).copied()
}

/// Returns the present code of a team in tickers; `None` if the exchange does not list the team's games.
pub fn club_code(sport: Sport, team: &TeamSlug) -> Option<&'static str> {
    // Present codes come before former ones.
    CLUBS.iter().find(|row| row.sport == sport && row.team == *team).map(|row| row.code)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use sports_domain::Club;

    use super::*;

    /// League, ticker, date, time, number, away team, and the home team, on whose win the market pays.
    type Row = (Sport, &'static str, &'static str, Option<&'static str>, Option<u8>, &'static str, &'static str);

    #[test]
    fn tickers_of_the_exchange_are_parsed() {
        let table: [Row; 9] = [
            (
                Sport::Nfl,
                "KXNFLGAME-26OCT08TBDAL-DAL",
                "2026-10-08",
                None,
                None,
                "tampa_bay_buccaneers",
                "dallas_cowboys",
            ),
            (
                Sport::Mlb,
                "KXMLBGAME-26JUL261335AZWSH-WSH",
                "2026-07-26",
                Some("13:35"),
                None,
                "arizona_diamondbacks",
                "washington_nationals",
            ),
            (
                Sport::Mlb,
                "KXMLBGAME-26MAY012140CWSSD-SD",
                "2026-05-01",
                Some("21:40"),
                None,
                "chicago_white_sox",
                "san_diego_padres",
            ),
            (
                Sport::Nhl,
                "KXNHLGAME-26SEP19VGKLA-LA",
                "2026-09-19",
                None,
                None,
                "vegas_golden_knights",
                "los_angeles_kings",
            ),
            (Sport::Nba, "KXNBAGAME-26NOV19UTAGSW-GSW", "2026-11-19", None, None, "utah_jazz", "golden_state_warriors"),
            (
                Sport::Mlb,
                "KXMLBGAME-26SEP041410DETCLEG1-CLE",
                "2026-09-04",
                Some("14:10"),
                Some(1),
                "detroit_tigers",
                "cleveland_guardians",
            ),
            (
                Sport::Mlb,
                "KXMLBGAME-27MAY08BOSSTLG2-STL",
                "2027-05-08",
                None,
                Some(2),
                "boston_red_sox",
                "st_louis_cardinals",
            ),
            (Sport::Mlb, "KXMLBGAME-25AUG09OAKARI-ARI", "2025-08-09", None, None, "athletics", "arizona_diamondbacks"),
            (
                Sport::Nfl,
                "KXNFLGAME-25NOV09LASF-SF",
                "2025-11-09",
                None,
                None,
                "los_angeles_rams",
                "san_francisco_49ers",
            ),
        ];
        for (sport, text, date, time, number, away, home) in table {
            let ticker = Ticker::read(sport, text).expect(text);
            let read = (ticker.date.to_string(), ticker.time.map(|time| time.format("%H:%M").to_string()));
            assert_eq!(read, (date.to_owned(), time.map(str::to_owned)), "{text}");
            assert_eq!(
                (ticker.game_number, ticker.away.as_str(), ticker.home.as_str()),
                (number, away, home),
                "{text}"
            );
            assert_eq!(ticker.pays.as_str(), home, "{text}");
            assert_eq!(Some(ticker.event), text.rsplit_once('-').map(|(event, _)| event));
        }
        let away = Ticker::read(Sport::Nfl, "KXNFLGAME-26OCT08TBDAL-TB").expect("a ticker");
        assert_eq!(away.pays, away.away);
    }

    #[test]
    fn other_tickers_are_left_out() {
        let table = [
            (Sport::Mlb, "KXMLBSPREAD-26JUL261335AZWSH-AZ2", "another product"),
            (Sport::Mlb, "KXMLBGAMES-26JUL261335AZWSH-AZ", "a series that only begins alike"),
            (Sport::Nfl, "KXMLBGAME-26JUL261335AZWSH-AZ", "another league"),
            (Sport::Mlb, "KXMLBGAME-26JUL142000ALNL-AL", "the All-Star game"),
            (Sport::Mlb, "KXMLBGAME-26JUL261335AZWSH-NYY", "a team that does not play"),
            (Sport::Mlb, "KXMLBGAME-26JUL261335AZWSH-TIE", "no team"),
            (Sport::Mlb, "KXMLBGAME-26FEB301335AZWSH-AZ", "no such day"),
            (Sport::Mlb, "KXMLBGAME-26QQQ261335AZWSH-AZ", "no such month"),
            (Sport::Mlb, "KXMLBGAME-26JUL2AZWSH-AZ", "half a date"),
            (Sport::Mlb, "KXMLBGAME-26JUL261335AZ-AZ", "one team"),
            (Sport::Mlb, "KXMLBGAME-26JUL261335AZAZ-AZ", "a team that would play itself"),
            (Sport::Mlb, "KXMLBGAME-26JUL261335AZWSH", "no market"),
            (Sport::Mlb, "KXMLBGAME", "no game"),
            (Sport::Mlb, "", "nothing"),
            (Sport::Mlb, "KXMLBGAME-2éJUL261335AZWSH-AZ", "another alphabet"),
            (Sport::Ncaaf, "KXNCAAFGAME-26SEP05TEXOSU-OSU", "a league that is not covered"),
        ];
        for (sport, text, why) in table {
            assert_eq!(Ticker::read(sport, text), None, "{why}: {text}");
        }
    }

    fn codes(sport: Sport) -> HashSet<&'static str> {
        CLUBS.iter().filter(|row| row.sport == sport).map(|row| row.code).collect()
    }

    #[test]
    fn every_club_of_the_four_leagues_has_a_code() {
        for sport in [Sport::Mlb, Sport::Nba, Sport::Nfl, Sport::Nhl] {
            let teams: HashSet<_> = CLUBS.iter().filter(|row| row.sport == sport).map(|row| &row.team).collect();
            assert_eq!(teams, Club::all(sport).iter().map(|club| club.today().slug()).collect(), "{sport}");
        }
        assert_eq!(CLUBS.len(), include_str!("teams.csv").lines().count() - 1, "a row cannot be parsed");
        assert_eq!(BY_CODE.len(), CLUBS.len(), "a code is listed twice");
    }

    #[test]
    fn two_adjacent_codes_have_one_reading() {
        for sport in [Sport::Mlb, Sport::Nba, Sport::Nfl, Sport::Nhl] {
            let codes = codes(sport);
            let pairs = codes.iter().flat_map(|away| codes.iter().map(move |home| (away, home)));
            let written: Vec<_> = pairs.filter(|(away, home)| away != home).map(|(a, h)| format!("{a}{h}")).collect();
            assert_eq!(written.iter().collect::<HashSet<_>>().len(), written.len(), "{sport}");
        }
    }
}
