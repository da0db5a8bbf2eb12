use std::collections::HashMap;
use std::sync::LazyLock;

use sports_domain::{Sport, TeamSlug};

/// The professional clubs of today: sport, slug, display name, abbreviation.
static CLUBS: LazyLock<HashMap<(Sport, &'static str), Club>> = LazyLock::new(|| {
    let rows = include_str!("teams.csv").lines().skip(1);
    rows.filter_map(|row| {
        let mut cells = row.split(',');
        let sport = cells.next()?.parse().ok()?;
        let slug = cells.next()?;
        Some(((sport, slug), Club { name: cells.next()?, abbreviation: cells.next()? }))
    })
    .collect()
});

struct Club {
    name: &'static str,
    abbreviation: &'static str,
}

/// Schools whose name is not their slug's words with capitals.
const SCHOOLS: [(&str, &str); 25] = [
    ("alabama_a_m", "Alabama A&M"),
    ("alabama_am", "Alabama A&M"),
    ("bethune_cookman", "Bethune-Cookman"),
    ("depaul", "DePaul"),
    ("florida_a_m", "Florida A&M"),
    ("florida_am", "Florida A&M"),
    ("gardner_webb", "Gardner-Webb"),
    ("mcneese", "McNeese"),
    ("mcneese_state", "McNeese State"),
    ("miami_florida", "Miami (FL)"),
    ("miami_oh", "Miami (OH)"),
    ("miami_ohio", "Miami (OH)"),
    ("mount_st_marys", "Mount St. Mary's"),
    ("north_carolina_a_t", "North Carolina A&T"),
    ("prairie_view_a_m", "Prairie View A&M"),
    ("saint_josephs", "Saint Joseph's"),
    ("saint_marys", "Saint Mary's"),
    ("saint_peters", "Saint Peter's"),
    ("st_francis_pa", "St. Francis (PA)"),
    ("st_johns", "St. John's"),
    ("texas_a_m", "Texas A&M"),
    ("texas_a_m_commerce", "Texas A&M-Commerce"),
    ("texas_a_m_corpus_christi", "Texas A&M-Corpus Christi"),
    ("texas_am", "Texas A&M"),
    ("william_and_mary", "William & Mary"),
];

/// Words of college slugs that are initials.
const INITIALS: [&str; 25] = [
    "byu", "iupui", "lsu", "nc", "njit", "se", "siu", "smu", "tcu", "uaa", "uab", "uc", "ucf", "ucla", "uic", "ul",
    "umbc", "unc", "unlv", "usc", "ut", "utep", "utsa", "vcu", "vmi",
];

/// A team's name for people: today's clubs by their own, everybody else by the words of the slug.
#[must_use]
pub fn display_name(sport: Sport, team: &TeamSlug) -> String {
    if let Some(club) = CLUBS.get(&(sport, team.as_str())) {
        return club.name.to_owned();
    }
    if !sport.is_professional()
        && let Some((_, name)) = SCHOOLS.iter().find(|(slug, _)| *slug == team.as_str())
    {
        return (*name).to_owned();
    }
    let words = team.as_str().split('_').map(|word| spelt(sport, word));
    words.collect::<Vec<_>>().join(" ")
}

/// The usual abbreviation of a club, such as `BOS`; a team without one by its display name.
#[must_use]
pub fn short_name(sport: Sport, team: &TeamSlug) -> String {
    CLUBS.get(&(sport, team.as_str())).map_or_else(|| display_name(sport, team), |club| club.abbreviation.to_owned())
}

/// Whether a team is one of today's professional clubs; of a college nobody can say.
#[must_use]
pub fn is_club(sport: Sport, team: &TeamSlug) -> bool {
    CLUBS.contains_key(&(sport, team.as_str()))
}

fn spelt(sport: Sport, word: &str) -> String {
    match word {
        "st" => "St.".to_owned(),
        "of" | "the" | "and" => word.to_owned(),
        initials if !sport.is_professional() && INITIALS.contains(&initials) => initials.to_uppercase(),
        word => {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(sport: Sport, slug: &str) -> String {
        display_name(sport, &TeamSlug::normalise(slug).expect("a slug"))
    }

    #[test]
    fn every_club_of_the_four_professional_leagues_is_known() {
        let count = |sport| CLUBS.keys().filter(|(of, _)| *of == sport).count();
        let counts = [Sport::Mlb, Sport::Nba, Sport::Nfl, Sport::Nhl].map(count);
        assert_eq!(counts, [30, 30, 32, 32]);
    }

    #[test]
    fn names_read_as_people_write_them() {
        let table = [
            (Sport::Nfl, "san_francisco_49ers", "San Francisco 49ers"),
            (Sport::Nfl, "oakland_raiders", "Oakland Raiders"),
            (Sport::Ncaaf, "ucla", "UCLA"),
            (Sport::Ncaaf, "texas_am", "Texas A&M"),
            (Sport::Ncaab, "miami_oh", "Miami (OH)"),
            (Sport::Ncaab, "nc_state", "NC State"),
            (Sport::Ncaab, "uc_santa_barbara", "UC Santa Barbara"),
            (Sport::Ncaab, "st_bonaventure", "St. Bonaventure"),
            (Sport::Ncaab, "north_carolina_a_t", "North Carolina A&T"),
            (Sport::Ncaab, "duke", "Duke"),
        ];
        for (sport, slug, expected) in table {
            assert_eq!(name(sport, slug), expected);
        }
    }

    #[test]
    fn a_team_without_an_abbreviation_goes_by_its_name() {
        let short = |sport, slug| short_name(sport, &TeamSlug::normalise(slug).expect("a slug"));
        assert_eq!(short(Sport::Mlb, "boston_red_sox"), "BOS");
        assert_eq!(short(Sport::Ncaab, "duke"), "Duke");
    }
}
