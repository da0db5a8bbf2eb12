use std::collections::BTreeMap;

use sports_domain::{TeamSlug, is_invisible};

/// A team's name as its publisher writes it: 1 to 100 visible characters, with single spaces between words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamName(String);

/// The error for a text that is not a valid team name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a team name has 1 to {max} characters and no control characters", max = TeamName::LONGEST)]
pub struct NotATeamName;

impl TeamName {
    /// The maximum length of a name, in characters.
    pub const LONGEST: usize = 100;

    /// Creates a name; trims it, puts single spaces between words, and removes invisible characters.
    ///
    /// # Errors
    ///
    /// [`NotATeamName`] if the result is empty, is longer than [`Self::LONGEST`], or has a control character or a
    /// character that changes the direction of text.
    pub fn new(text: &str) -> Result<Self, NotATeamName> {
        let seen: String = text.trim().chars().filter(|symbol| !is_invisible(*symbol)).collect();
        let name = seen.split_whitespace().collect::<Vec<_>>().join(" ");
        let fits = (1..=Self::LONGEST).contains(&name.chars().count());
        if fits && !seen.chars().any(is_control) { Ok(Self(name)) } else { Err(NotATeamName) }
    }

    /// Returns the name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns true for control characters, line and paragraph separators, and direction marks.
fn is_control(symbol: char) -> bool {
    let turns = matches!(symbol, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    symbol.is_control() || turns
}

/// A publisher's team names: at most one name for each team.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TeamNames(BTreeMap<TeamSlug, TeamName>);

impl TeamNames {
    /// Returns a team's name, if its publisher has ever given one.
    #[must_use]
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
    fn a_name_is_text_of_limited_length_without_control_characters() {
        assert_eq!(TeamName::new(" Texas A&M-CC ").expect("a name").as_str(), "Texas A&M-CC");
        assert_eq!(TeamName::new("Texas \u{a0}  A&M").expect("a name").as_str(), "Texas A&M");
        for unseen in ['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'] {
            assert_eq!(TeamName::new(&format!("{unseen}Du{unseen}ke")).expect("a name").as_str(), "Duke");
        }
        assert!(TeamName::new(&"é".repeat(100)).is_ok());
        for text in ["", "  ", "\u{200b}", &"é".repeat(101), "a\nb", "a\u{7}b", "a\u{202e}b"] {
            assert_eq!(TeamName::new(text), Err(NotATeamName), "{text:?}");
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
