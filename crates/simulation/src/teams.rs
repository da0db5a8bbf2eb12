use sports_domain::{Sport, TeamSlug};

/// A line a league: its code, then its teams.
const TEAMS: &str = include_str!("teams.txt");

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
    fn every_professional_club_is_one_of_today() {
        for sport in Sport::ALL.into_iter().filter(|sport| sport.is_professional()) {
            for team in teams_of(sport) {
                assert_ne!(short_name(sport, &team), display_name(sport, &team), "{sport} {team}");
            }
        }
    }
}
