//! The known name that a misspelt one is nearest to.

use sports_domain::{Club, Season, Sport, TeamSlug};

/// The longest name that is compared: a comparison takes time.
const LONGEST: usize = 64;

/// The length from which names may differ by two letters.
const LONG: usize = 7;

/// The length from which a known name may be meant by one with another letter.
const SHORTEST: usize = 4;

/// The latest year of a season, in which every club has its present name.
const LATEST: u16 = 9999;

/// Returns the nearest of the known names, by the rule of `sportsctl publish`; `None` if none resembles the name.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let near = known.into_iter().filter_map(|known| Some((typos(name, known)?, known)));
    near.min_by_key(|(typos, _)| *typos).map(|(_, known)| known)
}

/// Returns the number of wrong letters in a name that may be misspelt, whatever its letter case; `None` if another is meant.
pub fn typos(name: &str, known: &str) -> Option<usize> {
    let most = match name.len().min(known.len()) {
        LONG.. => 2,
        _ if known.len() >= SHORTEST => 1,
        _ => 0,
    };
    if name.len() > LONGEST || name.len().abs_diff(known.len()) > 2 * most {
        return None;
    }
    let typos = strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase());
    (typos <= most).then_some(typos)
}

/// Returns what is probably wrong with the name of a team that a league does not have, as the end of a sentence; an empty text
/// if nothing is known. College leagues have no list of clubs.
pub fn team_hint(sport: Sport, season: Option<Season>, team: &TeamSlug) -> String {
    if let Some(other) = Club::of_another_league(sport, team) {
        return format!("; `{team}` is a team of {other}");
    }
    let Some(season) = season.or_else(|| Season::starting_in(sport, LATEST)) else { return String::new() };
    let guesses = || Club::guesses(sport, season);
    let near = nearest(team.as_str(), guesses().map(|(word, _)| word));
    let meant = guesses().find(|(word, _)| Some(*word) == near);
    meant.map(|(_, club)| format!("; did you mean `{}`?", club.slug())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(sport: Sport, team: &str) -> String {
        team_hint(sport, None, &TeamSlug::normalise(team).expect("a team"))
    }

    #[test]
    fn a_misspelt_team_is_named_and_one_of_another_league_is_said_to_be() {
        let table = [
            ("Baltimore Ravnes", "; did you mean `baltimore_ravens`?"),
            ("stelers", "; did you mean `pittsburgh_steelers`?"),
            ("kansas_city_cheifs", "; did you mean `kansas_city_chiefs`?"),
            ("Los Angeles Lakers", "; `los_angeles_lakers` is a team of nba"),
            ("fc_barcelona", ""),
        ];
        for (team, expected) in table {
            assert_eq!(hint(Sport::Nfl, team), expected, "{team}");
        }
        assert_eq!(hint(Sport::Ncaab, "Michigan Sate"), "");
    }

    #[test]
    fn short_names_are_not_misspelt_ones() {
        assert_eq!(nearest("nlf", ["nfl", "nba"]), None);
        assert_eq!(nearest("spred", ["spread", "moneyline"]), Some("spread"));
        assert_eq!(nearest("won_on_piont", ["won_on_points", "won_on_spread"]), Some("won_on_points"));
        assert_eq!(nearest(&"x".repeat(10_000), ["moneyline"]), None);
    }
}
