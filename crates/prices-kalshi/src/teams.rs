use std::collections::HashMap;
use std::sync::LazyLock;

use sports_domain::{Sport, TeamSlug};

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
