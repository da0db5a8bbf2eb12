use sports_domain::{Season, Sport, TeamSlug};

/// A line a league: its code, then its teams.
const TEAMS: &str = include_str!("teams.txt");

/// What clubs were called until a season, by its first year, under today's names.
const FORMER: [(Sport, &str, u16, &str); 9] = [
    (Sport::Mlb, "athletics", 2024, "oakland_athletics"),
    (Sport::Mlb, "cleveland_guardians", 2021, "cleveland_indians"),
    (Sport::Nfl, "las_vegas_raiders", 2019, "oakland_raiders"),
    (Sport::Nfl, "los_angeles_chargers", 2016, "san_diego_chargers"),
    (Sport::Nfl, "los_angeles_rams", 2015, "st_louis_rams"),
    (Sport::Nfl, "washington_commanders", 2019, "washington_redskins"),
    (Sport::Nfl, "washington_commanders", 2021, "washington_football_team"),
    (Sport::Nhl, "utah_mammoth", 2023, "arizona_coyotes"),
    (Sport::Nhl, "utah_mammoth", 2024, "utah_hockey_club"),
];

/// The teams of a league under the names of a season, numbered as they are today.
pub(crate) fn teams_in(sport: Sport, season: Season) -> Vec<TeamSlug> {
    let former = |team: &TeamSlug| {
        let known = |(of, today, until, _): &&(Sport, &str, u16, &str)| {
            *of == sport && *today == team.as_str() && season.first_year() <= *until
        };
        FORMER.iter().find(known).and_then(|(.., name)| TeamSlug::normalise(name).ok())
    };
    teams_of(sport).into_iter().map(|team| former(&team).unwrap_or(team)).collect()
}

/// The teams of a league, in the order they are numbered.
pub(crate) fn teams_of(sport: Sport) -> Vec<TeamSlug> {
    let names = TEAMS.lines().filter_map(|line| line.split_once(' ')).find(|(code, _)| *code == sport.code());
    let slugs = names.into_iter().flat_map(|(_, names)| names.split(' '));
    slugs.filter_map(|name| TeamSlug::normalise(name).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sports_slate::{display_name, short_name};

    #[test]
    fn every_league_has_its_teams_once() {
        for (sport, count) in Sport::ALL.into_iter().zip([30, 30, 32, 32, 68, 96]) {
            let mut teams = teams_of(sport);
            teams.sort();
            teams.dedup();
            assert_eq!(teams.len(), count, "{sport}");
        }
    }

    #[test]
    fn clubs_have_the_names_of_their_season() {
        let names = |sport: Sport, label: &str| {
            let season = Season::parse(sport, label).expect("a season");
            teams_in(sport, season).into_iter().filter(|team| !teams_of(sport).contains(team)).collect::<Vec<_>>()
        };
        let slugs =
            |names: &[&str]| names.iter().map(|name| TeamSlug::normalise(name).expect("a team")).collect::<Vec<_>>();
        assert_eq!(names(Sport::Mlb, "2025"), []);
        assert_eq!(names(Sport::Mlb, "2024"), slugs(&["oakland_athletics"]));
        assert_eq!(names(Sport::Nhl, "2024-25"), slugs(&["utah_hockey_club"]));
        assert_eq!(names(Sport::Nhl, "2023-24"), slugs(&["arizona_coyotes"]));
        let nfl = slugs(&["oakland_raiders", "washington_redskins"]);
        assert_eq!(names(Sport::Nfl, "2019-20"), nfl);
        assert_eq!(names(Sport::Nfl, "2021-22"), slugs(&["washington_football_team"]));
        for (sport, today, ..) in FORMER {
            assert!(teams_of(sport).iter().any(|team| team.as_str() == today), "{today}");
        }
    }

    #[test]
    fn every_professional_club_is_one_of_today() {
        for sport in Sport::ALL.into_iter().filter(|sport| sport.is_professional()) {
            for team in teams_of(sport) {
                assert_ne!(short_name(sport, &team), display_name(sport, &team), "{sport} {team}");
            }
        }
    }
}
