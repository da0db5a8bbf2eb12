use std::collections::BTreeMap;

use sports_domain::{Label, NotALabel, TeamSlug, check_visible, trim_blanks};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
