//! The clubs of the professional leagues and their names.

mod index;

use std::ops::RangeInclusive;

use self::index::League;
use crate::{Season, Sport, TeamSlug};

impl Club {
    /// Returns the clubs of a league in the alphabetical order of today's names. College leagues have no list of
    /// clubs.
    pub fn all(sport: Sport) -> &'static [Self] {
        League::for_sport(sport).map_or(&[], |league| &league.clubs)
    }

    /// Finds a club of the league by a full name of any season. Returns the club and that name.
    pub fn named(sport: Sport, team: &TeamSlug) -> Option<(&'static Self, &'static ClubName)> {
        League::for_sport(sport)?.named(team)
    }

    /// Finds a club by any of its names: a full name of any season; or its nickname, city or abbreviation, if
    /// unambiguous. Returns the club's name in `season`.
    pub fn called(sport: Sport, season: Season, team: &TeamSlug) -> Option<&'static ClubName> {
        match Self::candidates(sport, season, team)[..] {
            [club] => Some(club),
            _ => None,
        }
    }

    /// Returns every club that this name may refer to in a season, each with its name in that season.
    pub fn candidates(sport: Sport, season: Season, team: &TeamSlug) -> Vec<&'static ClubName> {
        let Some(league) = League::for_sport(sport) else { return Vec::new() };
        match league.named(team) {
            Some((club, _)) => vec![club.name_in(season)],
            None => league.clubs_named(season, team).map(|club| club.name_in(season)).collect(),
        }
    }

    /// Finds a club by any of its names, and returns its present name.
    pub fn called_today(sport: Sport, team: &TeamSlug) -> Option<&'static ClubName> {
        // A season after the last season of every former name.
        let season = Season::starting_in(sport, 9999)?;
        let name = Self::called(sport, season, team)?;
        Self::named(sport, name.slug()).map(|(club, _)| club.today())
    }

    /// Returns `true` if two slugs refer to one team of a league, such as two names of one club.
    pub fn is_same(sport: Sport, one: &TeamSlug, other: &TeamSlug) -> bool {
        let today = |team| Self::called_today(sport, team).map(ClubName::slug);
        one == other || today(one).is_some_and(|club| today(other) == Some(club))
    }

    /// Returns the other league that has a club with this full name; `None` if `sport` has one, too.
    pub fn of_another_league(sport: Sport, team: &TeamSlug) -> Option<Sport> {
        let has = |sport: &Sport| League::for_sport(*sport).is_some_and(|league| league.has_in_full(team));
        if has(&sport) { None } else { Sport::ALL.into_iter().find(has) }
    }

    /// Returns the other leagues that have a club with this nickname or abbreviation. City names are not searched,
    /// because many teams share them.
    pub fn in_short_of_other_leagues(sport: Sport, team: &TeamSlug) -> impl Iterator<Item = Sport> {
        let others = Sport::ALL.into_iter().filter(move |other| *other != sport);
        others.filter(|other| League::for_sport(*other).is_some_and(|league| league.has_in_short(team)))
    }

    /// Returns candidates for a misspelt name, with their clubs: full names of all seasons, and nicknames of this
    /// season. Shorter names are omitted, because they are too similar to each other.
    pub fn guesses(sport: Sport, season: Season) -> impl Iterator<Item = (&'static str, &'static ClubName)> {
        League::for_sport(sport).into_iter().flat_map(move |league| league.guesses(season))
    }
}

/// A club of a professional league, with its present and former names.
#[derive(Debug)]
pub struct Club {
    /// Today's name first, then the former names, latest first.
    names: Vec<ClubName>,
}

/// A name of a club: today's, or the name of some of its seasons.
#[derive(Debug)]
pub struct ClubName {
    slug: TeamSlug,
    display: String,
    nickname: &'static str,
    abbreviation: &'static str,
    /// The first years of the seasons in which it was used; `None` for today's name.
    years: Option<RangeInclusive<u16>>,
}

impl ClubName {
    /// Returns the slug, as in keys of games.
    pub const fn slug(&self) -> &TeamSlug {
        &self.slug
    }

    /// Returns the display name.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Returns the name without the city, such as `Red Sox`.
    pub const fn nickname(&self) -> &'static str {
        self.nickname
    }

    /// Returns the usual abbreviation, such as `BOS`.
    pub const fn abbreviation(&self) -> &'static str {
        self.abbreviation
    }

    fn was_used_in(&self, season: Season) -> bool {
        self.years.as_ref().is_some_and(|years| years.contains(&season.first_year()))
    }
}

impl Club {
    /// Returns the club's present name.
    pub fn today(&self) -> &ClubName {
        &self.names[0]
    }

    /// Returns every present and former name.
    pub fn names(&self) -> &[ClubName] {
        &self.names
    }

    /// Returns the club's name in a season.
    pub fn name_in(&self, season: Season) -> &ClubName {
        self.names.iter().find(|name| name.was_used_in(season)).unwrap_or_else(|| self.today())
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
    fn every_club_of_the_four_professional_leagues_is_listed() {
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
    fn a_club_has_todays_name_first_and_an_abbreviation_for_each() {
        let (club, name) = Club::named(Sport::Nfl, &slug("oakland_raiders")).expect("a club");
        assert_eq!((name.display(), name.abbreviation()), ("Oakland Raiders", "OAK"));
        assert_eq!((club.today().display(), club.today().abbreviation()), ("Las Vegas Raiders", "LV"));
        let all: Vec<_> = club.names().iter().map(|name| name.slug().as_str()).collect();
        assert_eq!(all, ["las_vegas_raiders", "oakland_raiders"]);
    }

    #[test]
    fn common_names_find_the_club() {
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

    /// The labels of markets at Kalshi whose city is not enough, and names in feeds of The Odds API that need care.
    #[test]
    fn names_of_feeds_find_the_club() {
        let table = [
            (Sport::Mlb, "New York Y", "new_york_yankees"),
            (Sport::Mlb, "New York M", "new_york_mets"),
            (Sport::Mlb, "Chicago C", "chicago_cubs"),
            (Sport::Mlb, "Chicago WS", "chicago_white_sox"),
            (Sport::Mlb, "Los Angeles A", "los_angeles_angels"),
            (Sport::Mlb, "Los Angeles D", "los_angeles_dodgers"),
            (Sport::Mlb, "A's", "athletics"),
            (Sport::Mlb, "Oakland Athletics", "athletics"),
            (Sport::Nfl, "New York G", "new_york_giants"),
            (Sport::Nfl, "New York J", "new_york_jets"),
            (Sport::Nfl, "Los Angeles C", "los_angeles_chargers"),
            (Sport::Nfl, "Los Angeles R", "los_angeles_rams"),
            (Sport::Nfl, "TB Buccaneers", "tampa_bay_buccaneers"),
            (Sport::Nba, "Los Angeles C", "los_angeles_clippers"),
            (Sport::Nba, "Los Angeles L", "los_angeles_lakers"),
            (Sport::Nba, "Philadelphia 76ers", "philadelphia_76ers"),
            (Sport::Nhl, "New York I", "new_york_islanders"),
            (Sport::Nhl, "New York R", "new_york_rangers"),
            (Sport::Nhl, "St Louis Blues", "st_louis_blues"),
            (Sport::Nhl, "Utah Hockey Club", "utah_mammoth"),
        ];
        for (sport, name, expected) in table {
            assert_eq!(called(sport, 2025, name), Some(expected), "{name}");
        }
    }

    #[test]
    fn an_ambiguous_name_is_no_club() {
        for (sport, name) in
            [(Sport::Nba, "Los Angeles"), (Sport::Nfl, "New York"), (Sport::Mlb, "Chicago"), (Sport::Nhl, "NY")]
        {
            assert_eq!(called(sport, 2025, name), None, "{name}");
        }
        assert_eq!(called(Sport::Ncaab, 2025, "Boston Celtics"), None);
    }

    #[test]
    fn a_former_full_name_finds_the_clubs_name_of_the_season() {
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
    fn a_former_name_finds_todays_name() {
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
    fn a_full_name_of_another_season_finds_the_clubs_name_of_the_season() {
        assert_eq!(called(Sport::Nfl, 2010, "Las Vegas Raiders"), Some("oakland_raiders"));
        assert_eq!(called(Sport::Nfl, 2010, "Washington Football Team"), Some("washington_redskins"));
        assert_eq!(called(Sport::Nhl, 2013, "Arizona Coyotes"), Some("phoenix_coyotes"));
        assert_eq!(called(Sport::Nfl, 1990, "Los Angeles Rams"), Some("los_angeles_rams"), "before the list begins");
    }

    #[test]
    fn codes_and_nicknames_of_the_usual_sources_find_the_club() {
        let table = [
            (
                Sport::Nfl,
                "JAC LVR ARZ BLT CLV HST LA GNB KAN NWE NOR SFO TAM HTX CLT CRD RAV RAI RAM SDG OTI WSH",
                "jacksonville_jaguars las_vegas_raiders arizona_cardinals baltimore_ravens cleveland_browns houston_texans \
              los_angeles_rams green_bay_packers kansas_city_chiefs new_england_patriots new_orleans_saints \
              san_francisco_49ers tampa_bay_buccaneers houston_texans indianapolis_colts arizona_cardinals \
              baltimore_ravens las_vegas_raiders los_angeles_rams los_angeles_chargers tennessee_titans \
              washington_commanders",
            ),
            (
                Sport::Nfl,
                "Niners Pats Bucs Jags Vikes Skins Bolts Cards",
                "san_francisco_49ers new_england_patriots tampa_bay_buccaneers jacksonville_jaguars minnesota_vikings \
              washington_commanders los_angeles_chargers arizona_cardinals",
            ),
            (
                Sport::Mlb,
                "ARI CHW WSN SFG SDP KCR TBR Nats Phils Jays Yanks O's A's D-backs Cards Halos WAS",
                "arizona_diamondbacks chicago_white_sox washington_nationals san_francisco_giants san_diego_padres \
              kansas_city_royals tampa_bay_rays washington_nationals philadelphia_phillies toronto_blue_jays \
              new_york_yankees baltimore_orioles athletics arizona_diamondbacks st_louis_cardinals \
              los_angeles_angels washington_nationals",
            ),
            (
                Sport::Nba,
                "PHO BRK CHO T-Wolves GS NO NY SA UTAH WSH Cavs Mavs Sixers Blazers Wolves Nugs",
                "phoenix_suns brooklyn_nets charlotte_hornets minnesota_timberwolves golden_state_warriors \
              new_orleans_pelicans new_york_knicks san_antonio_spurs utah_jazz washington_wizards \
              cleveland_cavaliers dallas_mavericks philadelphia_76ers portland_trail_blazers \
              minnesota_timberwolves denver_nuggets",
            ),
            (
                Sport::Nhl,
                "MON NAS CLB VEG LA NJ SJ TB WAS Habs Leafs Caps Pens Wings Bolts Avs Isles Canes Preds Sens Yotes",
                "montreal_canadiens nashville_predators columbus_blue_jackets vegas_golden_knights los_angeles_kings \
              new_jersey_devils san_jose_sharks tampa_bay_lightning washington_capitals montreal_canadiens \
              toronto_maple_leafs washington_capitals pittsburgh_penguins detroit_red_wings tampa_bay_lightning \
              colorado_avalanche new_york_islanders carolina_hurricanes nashville_predators ottawa_senators \
              utah_mammoth",
            ),
        ];
        for (sport, words, expected) in table {
            let found: Vec<_> = words.split(' ').map(|word| called(sport, 2025, word).unwrap_or(word)).collect();
            assert_eq!(found, expected.split_whitespace().collect::<Vec<_>>(), "{sport}");
        }
        assert_eq!(called(Sport::Nfl, 2025, "Tampa Bay Bucs"), Some("tampa_bay_buccaneers"));
        assert_eq!(called(Sport::Nfl, 2025, "JAC Jaguars"), Some("jacksonville_jaguars"));
        assert_eq!(called(Sport::Nfl, 2012, "LA"), Some("st_louis_rams"));
        assert_eq!(called(Sport::Mlb, 2025, "Sox"), None, "the nickname of two clubs");
    }

    #[test]
    fn every_word_of_the_list_belongs_to_one_club_of_its_league() {
        let shared = |sport: Sport| {
            let season = Season::starting_in(sport, 2025).expect("a season");
            let is_shared = move |word: &&str| Club::candidates(sport, season, &slug(word)).len() > 1;
            let rows = include_str!("clubs/clubs.csv").lines().map(|row| row.split(',').collect::<Vec<_>>());
            let words = rows
                .filter(|row| row[0] == sport.code())
                .flat_map(|row| row[6].split_whitespace().chain([row[5], row[4]]).collect::<Vec<_>>());
            words.filter(is_shared).collect::<Vec<_>>()
        };
        assert_eq!(Sport::ALL.map(shared), [vec!["sox", "sox"], vec![], vec![], vec![], vec![], vec![]]);
    }

    #[test]
    fn a_short_name_finds_the_club_that_had_it_in_the_season() {
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
            (Sport::Nfl, 2018, "LV", "oakland_raiders"),
            // No club had this name in that season, so it is the club of today's name.
            (Sport::Nba, 2013, "Hornets", "charlotte_bobcats"),
        ];
        for (sport, year, name, expected) in table {
            assert_eq!(called(sport, year, name), Some(expected), "{name} in {year}");
        }
    }

    #[test]
    fn a_club_of_another_league_is_found_by_its_full_name() {
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
    fn a_nickname_is_found_in_other_leagues() {
        let of = |sport, name| Club::in_short_of_other_leagues(sport, &slug(name)).collect::<Vec<_>>();
        assert_eq!(of(Sport::Nfl, "Rangers"), [Sport::Mlb, Sport::Nhl]);
        assert_eq!(of(Sport::Nfl, "Kings"), [Sport::Nba, Sport::Nhl]);
        assert_eq!(of(Sport::Mlb, "GSW"), [Sport::Nba]);
        assert_eq!(of(Sport::Nfl, "Portland"), []);
    }

    #[test]
    fn a_guess_has_the_clubs_name_of_the_season() {
        let guess = |sport, year, wanted| {
            let season = Season::starting_in(sport, year).expect("a season");
            let name = Club::guesses(sport, season).find(|(word, _)| *word == wanted).map(|(_, name)| name);
            name.map(ClubName::display)
        };
        assert_eq!(guess(Sport::Nba, 2025, "los_angeles_clippers"), Some("Los Angeles Clippers"));
        assert_eq!(guess(Sport::Nba, 2025, "la_clippers"), Some("Los Angeles Clippers"));
        assert_eq!(guess(Sport::Nba, 2025, "celtics"), Some("Boston Celtics"));
        assert_eq!(guess(Sport::Nba, 2025, "boston"), None, "cities are no guesses");
        assert_eq!(guess(Sport::Nfl, 2025, "oilers"), None, "a former name");
        assert_eq!(guess(Sport::Nfl, 1997, "oilers"), Some("Tennessee Oilers"));
        assert_eq!(guess(Sport::Nfl, 2025, "oakland_raiders"), Some("Las Vegas Raiders"));
        assert_eq!(guess(Sport::Nfl, 2018, "las_vegas_raiders"), Some("Oakland Raiders"));
    }
}
