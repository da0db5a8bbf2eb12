use sports_domain::{Club, Season, Sport, TeamSlug};

/// The college teams, one line per league: its code, then its teams.
const COLLEGES: &str = include_str!("colleges.txt");

/// Returns the teams of a league with their names in a season, in today's numbering.
pub(crate) fn teams_in(sport: Sport, season: Season) -> Vec<TeamSlug> {
    named(sport, |club| club.name_in(season).slug())
}

/// Returns the teams of a league in the order of their numbers.
#[cfg(test)]
pub(crate) fn teams_of(sport: Sport) -> Vec<TeamSlug> {
    named(sport, |club| club.today().slug())
}

fn named(sport: Sport, name: impl Fn(&'static Club) -> &'static TeamSlug) -> Vec<TeamSlug> {
    if sport.is_professional() {
        return Club::all(sport).iter().map(name).cloned().collect();
    }
    let names = COLLEGES.lines().filter_map(|line| line.split_once(' ')).find(|(code, _)| *code == sport.code());
    let slugs = names.into_iter().flat_map(|(_, names)| names.split(' '));
    slugs.filter_map(|name| TeamSlug::normalise(name).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
