//! The clubs of the professional leagues and what they are called.

mod index;

use std::ops::RangeInclusive;

use self::index::League;
use crate::{Season, Sport, TeamSlug};

/// A club of a professional league, under today's name and the ones it had before.
#[derive(Debug)]
pub struct Club {
    /// Today's name first, then the former ones, the last of them first.
    names: Vec<ClubName>,
}

/// One name of a club: today's, or that of some of its seasons.
#[derive(Debug)]
pub struct ClubName {
    slug: TeamSlug,
    display: String,
    abbreviation: &'static str,
    /// The first years of the seasons it was used in; `None` for today's.
    years: Option<RangeInclusive<u16>>,
}

impl ClubName {
    /// The name as keys of games have it.
    #[must_use]
    pub const fn slug(&self) -> &TeamSlug {
        &self.slug
    }

    /// The name as people write it.
    #[must_use]
    pub fn display(&self) -> &str {
        &self.display
    }

    /// The usual abbreviation, such as `BOS`.
    #[must_use]
    pub const fn abbreviation(&self) -> &'static str {
        self.abbreviation
    }

    fn was_used_in(&self, season: Season) -> bool {
        self.years.as_ref().is_some_and(|years| years.contains(&season.first_year()))
    }

    /// Whether a season is later than all that had this name.
    fn is_over_by(&self, season: Season) -> bool {
        self.years.as_ref().is_some_and(|years| *years.end() < season.first_year())
    }
}

impl Club {
    /// The clubs of a league by today's names, in alphabetical order; none of a college league, whose teams
    /// are not listed.
    #[must_use]
    pub fn all(sport: Sport) -> &'static [Self] {
        League::of(sport).map_or(&[], |league| &league.clubs)
    }

    /// What the club is called today.
    #[must_use]
    pub fn today(&self) -> &ClubName {
        &self.names[0]
    }

    /// Every name it has or had.
    #[must_use]
    pub fn names(&self) -> &[ClubName] {
        &self.names
    }

    /// What it was called in a season.
    #[must_use]
    pub fn name_in(&self, season: Season) -> &ClubName {
        self.names.iter().find(|name| name.was_used_in(season)).unwrap_or_else(|| self.today())
    }

    /// A full name of a club of the league, of whatever season, and the club it is of.
    #[must_use]
    pub fn named(sport: Sport, team: &TeamSlug) -> Option<(&'static Self, &'static ClubName)> {
        League::of(sport)?.named(team)
    }

    /// The name behind whatever a club may be called in a season: in full, by its nickname, its city or its
    /// abbreviation, where that is one club's alone.
    ///
    /// A full name stays as it is, be it that of another season, unless the club has given it up: then it is
    /// taken for the one that came after.
    #[must_use]
    pub fn called(sport: Sport, season: Season, team: &TeamSlug) -> Option<&'static ClubName> {
        let league = League::of(sport)?;
        match league.named(team) {
            Some((club, name)) if name.is_over_by(season) => Some(club.name_in(season)),
            Some((_, name)) => Some(name),
            None => league.short(season, team),
        }
    }

    /// The name of today behind whatever a club may be called.
    #[must_use]
    pub fn called_today(sport: Sport, team: &TeamSlug) -> Option<&'static ClubName> {
        // Later than the last season of every former name.
        let season = Season::starting_in(sport, 9999)?;
        let name = Self::called(sport, season, team)?;
        Self::named(sport, &name.slug).map(|(club, _)| club.today())
    }

    /// Whether two teams of a league are one, be it a club under two of its names.
    #[must_use]
    pub fn is_same(sport: Sport, one: &TeamSlug, other: &TeamSlug) -> bool {
        let today = |team| Self::called_today(sport, team).map(ClubName::slug);
        one == other || today(one).is_some_and(|club| today(other) == Some(club))
    }

    /// The other league whose club is called this in full; `None` where one of `sport` is, too.
    #[must_use]
    pub fn of_another_league(sport: Sport, team: &TeamSlug) -> Option<Sport> {
        let has = |sport: &Sport| League::of(*sport).is_some_and(|league| league.has_in_full(team));
        if has(&sport) { None } else { Sport::ALL.into_iter().find(has) }
    }

    /// Everything a misspelt name may have been meant as, with the name it is of: full names and nicknames, of
    /// whatever season. Shorter words are too close to each other.
    pub fn guesses(sport: Sport) -> impl Iterator<Item = (&'static str, &'static ClubName)> {
        League::of(sport).into_iter().flat_map(League::guesses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slug(name: &str) -> TeamSlug {
        TeamSlug::normalise(name).expect("a team")
    }

    fn called(sport: Sport, first_year: u16, name: &str) -> Option<&'static str> {
        let season = Season::starting_in(sport, first_year).expect("a season");
        Club::called(sport, season, &slug(name)).map(|name| name.slug().as_str())
    }

    #[test]
    fn every_club_of_the_four_professional_leagues_is_there() {
        assert_eq!(Sport::ALL.map(|sport| Club::all(sport).len()), [30, 30, 32, 32, 0, 0]);
    }

    #[test]
    fn every_name_is_written_out_in_its_slug() {
        let names = Sport::ALL.into_iter().flat_map(Club::all).flat_map(Club::names);
        for name in names {
            assert_eq!(slug(name.display()), *name.slug());
        }
    }

    #[test]
    fn names_people_use_find_the_club() {
        let table = [
            (Sport::Nba, "LA Clippers", "los_angeles_clippers"),
            (Sport::Nba, "L.A. Clippers", "los_angeles_clippers"),
            (Sport::Nba, "Lakers", "los_angeles_lakers"),
            (Sport::Nba, "Sixers", "philadelphia_76ers"),
            (Sport::Nba, "Golden State", "golden_state_warriors"),
            (Sport::Nba, "Portland Trailblazers", "portland_trail_blazers"),
            (Sport::Nfl, "NY Jets", "new_york_jets"),
            (Sport::Nfl, "KC Chiefs", "kansas_city_chiefs"),
            (Sport::Nfl, "49ers", "san_francisco_49ers"),
            (Sport::Nfl, "JAX", "jacksonville_jaguars"),
            (Sport::Mlb, "Saint Louis Cardinals", "st_louis_cardinals"),
            (Sport::Mlb, "Arizona D-backs", "arizona_diamondbacks"),
            (Sport::Mlb, "Red Sox", "boston_red_sox"),
            (Sport::Nhl, "Montréal Canadiens", "montreal_canadiens"),
            (Sport::Nhl, "TB Lightning", "tampa_bay_lightning"),
        ];
        for (sport, name, expected) in table {
            assert_eq!(called(sport, 2025, name), Some(expected), "{name}");
        }
    }

    #[test]
    fn what_two_clubs_may_be_called_is_neither() {
        for (sport, name) in
            [(Sport::Nba, "Los Angeles"), (Sport::Nfl, "New York"), (Sport::Mlb, "Chicago"), (Sport::Nhl, "NY")]
        {
            assert_eq!(called(sport, 2025, name), None, "{name}");
        }
        assert_eq!(called(Sport::Ncaab, 2025, "Boston Celtics"), None);
    }

    #[test]
    fn a_name_given_up_is_taken_for_the_one_of_the_season() {
        let table = [
            (Sport::Mlb, 2024, "Oakland Athletics", "oakland_athletics"),
            (Sport::Mlb, 2025, "Oakland Athletics", "athletics"),
            (Sport::Mlb, 2025, "Oakland A's", "athletics"),
            (Sport::Mlb, 2016, "Oakland A's", "oakland_athletics"),
            (Sport::Nfl, 2019, "Washington Redskins", "washington_redskins"),
            (Sport::Nfl, 2020, "Washington Redskins", "washington_football_team"),
            (Sport::Nfl, 2022, "Washington Football Team", "washington_commanders"),
            (Sport::Nhl, 2023, "Arizona Coyotes", "arizona_coyotes"),
            (Sport::Nhl, 2024, "Arizona Coyotes", "utah_hockey_club"),
            (Sport::Nhl, 2025, "Utah Hockey Club", "utah_mammoth"),
        ];
        for (sport, year, name, expected) in table {
            assert_eq!(called(sport, year, name), Some(expected), "{name} in {year}");
        }
    }

    #[test]
    fn a_former_name_is_taken_for_that_of_today() {
        for (sport, name, expected) in [
            (Sport::Mlb, "Oakland Athletics", Some("athletics")),
            (Sport::Nfl, "St. Louis Rams", Some("los_angeles_rams")),
            (Sport::Nfl, "Los Angeles Rams", Some("los_angeles_rams")),
            (Sport::Nfl, "AFC", None),
        ] {
            assert_eq!(Club::called_today(sport, &slug(name)).map(|name| name.slug().as_str()), expected, "{name}");
        }
    }

    #[test]
    fn a_club_is_the_same_under_all_its_names() {
        let same = |sport, one, other| Club::is_same(sport, &slug(one), &slug(other));
        assert!(same(Sport::Mlb, "oakland_athletics", "athletics"));
        assert!(same(Sport::Nba, "la_clippers", "los_angeles_clippers"));
        assert!(same(Sport::Ncaab, "duke", "duke"));
        assert!(!same(Sport::Nba, "los_angeles_lakers", "los_angeles_clippers"));
        assert!(!same(Sport::Nfl, "canal_foxes", "harbor_gulls"));
        assert!(!same(Sport::Ncaab, "duke", "duke_blue_devils"));
    }

    #[test]
    fn a_full_name_of_a_later_season_stays() {
        assert_eq!(called(Sport::Nfl, 2010, "Las Vegas Raiders"), Some("las_vegas_raiders"));
        assert_eq!(called(Sport::Nfl, 2010, "Washington Football Team"), Some("washington_football_team"));
    }

    #[test]
    fn a_short_name_is_that_of_its_season() {
        let table = [
            (Sport::Nba, 2008, "Hornets", "new_orleans_hornets"),
            (Sport::Nba, 2014, "Hornets", "charlotte_hornets"),
            (Sport::Nba, 2000, "Hornets", "charlotte_hornets"),
            (Sport::Nba, 2013, "Charlotte", "charlotte_bobcats"),
            (Sport::Nfl, 2015, "Rams", "st_louis_rams"),
            (Sport::Nfl, 2016, "Los Angeles", "los_angeles_rams"),
            (Sport::Nfl, 2016, "SD Chargers", "san_diego_chargers"),
            (Sport::Nfl, 2025, "SD Chargers", "los_angeles_chargers"),
            (Sport::Nfl, 2018, "Raiders", "oakland_raiders"),
        ];
        for (sport, year, name, expected) in table {
            assert_eq!(called(sport, year, name), Some(expected), "{name} in {year}");
        }
    }

    #[test]
    fn a_club_of_another_league_is_known_by_its_full_name() {
        let of = |sport, name| Club::of_another_league(sport, &slug(name));
        assert_eq!(of(Sport::Mlb, "Boston Celtics"), Some(Sport::Nba));
        assert_eq!(of(Sport::Ncaab, "LA Lakers"), Some(Sport::Nba));
        assert_eq!(of(Sport::Nfl, "Seattle SuperSonics"), Some(Sport::Nba));
        assert_eq!(of(Sport::Nba, "Boston Celtics"), None);
        for word in ["Rangers", "Boston", "BOS", "Houston", "Canal Foxes"] {
            assert_eq!(of(Sport::Ncaaf, word), None, "{word}");
        }
    }

    #[test]
    fn a_guess_is_said_as_the_name_it_means() {
        let guess =
            |wanted| Club::guesses(Sport::Nba).find(|(word, _)| *word == wanted).map(|(_, name)| name.display());
        assert_eq!(guess("los_angeles_clippers"), Some("Los Angeles Clippers"));
        assert_eq!(guess("la_clippers"), Some("Los Angeles Clippers"));
        assert_eq!(guess("celtics"), Some("Boston Celtics"));
        assert_eq!(guess("boston"), None, "cities are no guesses");
    }
}
