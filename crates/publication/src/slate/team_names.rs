use std::collections::BTreeMap;

use sports_domain::{Club, Label, NotALabel, Sport, TeamSlug, check_visible, trim_blanks};

/// A team's name as its publisher writes it: a label with single spaces between words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamName(Label<{ TeamName::LONGEST }>);

impl TeamName {
    /// The maximum length of a name, in characters.
    pub const LONGEST: usize = 100;

    /// Creates a name; trims it, and puts single spaces between words.
    ///
    /// # Errors
    ///
    /// [`NotALabel`] if the result is empty, is longer than [`Self::LONGEST`], or has a hidden character.
    pub fn new(text: &str) -> Result<Self, NotALabel> {
        check_visible(trim_blanks(text))?;
        Label::new(&text.split_whitespace().collect::<Vec<_>>().join(" ")).map(Self)
    }

    /// Creates a name from a store. It may be older than the check for hidden characters.
    ///
    /// # Errors
    ///
    /// [`NotALabel`] if the text is empty or longer than [`Self::LONGEST`].
    pub fn recorded(text: &str) -> Result<Self, NotALabel> {
        Label::recorded(text).map(Self)
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// A publisher's team names: at most one name for each team.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct TeamNames(BTreeMap<TeamSlug, TeamName>);

impl TeamNames {
    /// Returns a team's name, if its publisher has ever given one.
    pub fn get(&self, team: &TeamSlug) -> Option<&TeamName> {
        self.0.get(team)
    }

    /// Adds the name of a team that has no name yet; the first of several names stays.
    pub fn add(&mut self, team: TeamSlug, name: TeamName) {
        self.0.entry(team).or_insert(name);
    }

    /// Adds the names in `others` of teams that have no name yet.
    pub fn add_all(&mut self, others: &Self) {
        for (team, name) in others.iter() {
            self.add(team.clone(), name.clone());
        }
    }

    /// Returns every name, in the order of slugs.
    pub fn iter(&self) -> impl Iterator<Item = (&TeamSlug, &TeamName)> {
        self.0.iter()
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for TeamName {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for TeamName {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::recorded(&String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

/// Schools whose name is not their slug's words with capitals.
const SCHOOLS: [(&str, &str); 26] = [
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
    ("uconn", "UConn"),
    ("william_and_mary", "William & Mary"),
];

/// Words of college slugs that are initials.
const INITIALS: [&str; 25] = [
    "byu", "iupui", "lsu", "nc", "njit", "se", "siu", "smu", "tcu", "uaa", "uab", "uc", "ucf", "ucla", "uic", "ul",
    "umbc", "unc", "unlv", "usc", "ut", "utep", "utsa", "vcu", "vmi",
];

/// Display names for the teams of a league.
#[derive(Debug, Clone, Copy)]
pub struct Names<'n> {
    pub sport: Sport,
    /// The publisher's names for teams.
    pub published: &'n TeamNames,
}

impl Names<'_> {
    /// Returns a team's name: a known club's name, else the publisher's name, else the words of the slug.
    pub fn display(&self, team: &TeamSlug) -> String {
        let club = || Club::named(self.sport, team).map(|(_, name)| name.display().to_owned());
        let published = || self.published.get(team).map(|name| name.as_str().to_owned());
        club().or_else(published).unwrap_or_else(|| self.spelt_out(team))
    }

    /// Returns the usual abbreviation of a club, such as `BOS`; the display name of a team without an abbreviation.
    pub fn short(&self, team: &TeamSlug) -> String {
        Club::named(self.sport, team).map_or_else(|| self.display(team), |(_, name)| name.abbreviation().to_owned())
    }

    fn spelt_out(&self, team: &TeamSlug) -> String {
        let college = !self.sport.is_professional();
        if let Some((_, name)) = SCHOOLS.iter().find(|(slug, _)| college && *slug == team.as_str()) {
            return (*name).to_owned();
        }
        let words = team.as_str().split('_').map(|word| spelt(self.sport, word));
        words.collect::<Vec<_>>().join(" ")
    }
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
    use crate::slate::TeamName;

    #[test]
    fn a_name_is_a_label_with_single_spaces_between_words() {
        assert_eq!(TeamName::new(" Texas A&M-CC ").expect("a name").as_str(), "Texas A&M-CC");
        assert_eq!(TeamName::new("Texas \u{a0}  A&M").expect("a name").as_str(), "Texas A&M");
        assert!(TeamName::new(&"é".repeat(100)).is_ok());
        for text in ["", "  ", &"é".repeat(101), "a\nb", "a\u{7}b", "a\u{202e}b", "Du\u{200b}ke"] {
            assert!(TeamName::new(text).is_err(), "{text:?}");
        }
    }

    fn team(slug: &str) -> TeamSlug {
        TeamSlug::normalise(slug).expect("a team")
    }

    fn naming(names: &[(&str, &str)]) -> TeamNames {
        let mut all = TeamNames::default();
        for (slug, name) in names {
            all.add(team(slug), TeamName::new(name).expect("a name"));
        }
        all
    }

    #[test]
    fn the_first_name_of_a_team_stays() {
        let mut names = naming(&[("uconn", "UConn")]);
        names.add_all(&naming(&[("uconn", "UCONN"), ("smu", "SMU")]));
        assert_eq!(names, naming(&[("smu", "SMU"), ("uconn", "UConn")]));
        let listed: Vec<_> = names.iter().map(|(team, name)| (team.as_str(), name.as_str())).collect();
        assert_eq!(listed, [("smu", "SMU"), ("uconn", "UConn")]);
        assert_eq!(names.get(&team("uconn")).map(TeamName::as_str), Some("UConn"));
        assert_eq!(names.get(&team("duke")), None);
    }

    fn name(sport: Sport, slug: &str) -> String {
        let published = TeamNames::default();
        Names { sport, published: &published }.display(&named(slug))
    }

    fn named(slug: &str) -> TeamSlug {
        TeamSlug::normalise(slug).expect("a slug")
    }

    #[test]
    fn names_read_as_people_write_them() {
        let table = [
            (Sport::Nfl, "san_francisco_49ers", "San Francisco 49ers"),
            (Sport::Nfl, "oakland_raiders", "Oakland Raiders"),
            (Sport::Nba, "seattle_supersonics", "Seattle SuperSonics"),
            (Sport::Nfl, "canal_foxes", "Canal Foxes"),
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
    fn a_publishers_name_goes_before_the_words_of_the_slug_and_after_a_clubs_own() {
        let mut published = TeamNames::default();
        for (slug, name) in
            [("texas_am_cc", "Texas A&M-CC"), ("boston_red_sox", "The Sox"), ("canal_foxes", "CANAL Foxes")]
        {
            published.add(named(slug), TeamName::new(name).expect("a name"));
        }
        let table = [
            (Sport::Ncaab, "texas_am_cc", "Texas A&M-CC", "Texas A&M-CC"),
            (Sport::Ncaab, "duke", "Duke", "Duke"),
            (Sport::Mlb, "canal_foxes", "CANAL Foxes", "CANAL Foxes"),
            (Sport::Mlb, "boston_red_sox", "Boston Red Sox", "BOS"),
            (Sport::Mlb, "oakland_athletics", "Oakland Athletics", "OAK"),
        ];
        for (sport, slug, display, short) in table {
            let names = Names { sport, published: &published };
            assert_eq!(
                (names.display(&named(slug)), names.short(&named(slug))),
                (display.to_owned(), short.to_owned())
            );
        }
    }
}
