use std::collections::BTreeMap;
use std::fmt;

use crate::TeamSlug;

/// The most games of a name that is probably another spelling of a near one.
const FEW: usize = 3;

/// A name of few games beside a near name of at least as many: probably one college under two spellings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearName {
    /// The name of few games.
    pub name: TeamSlug,
    /// Its number of games.
    pub games: usize,
    /// The near name.
    pub near: TeamSlug,
    /// The number of games of the near name.
    pub near_games: usize,
}

impl NearName {
    /// Returns the names of at most three games that are near another name, given both teams of each game of a season.
    ///
    /// Names are near if they differ in nothing but a final `U`, `St` for `State`, `No` or `North` for `Northern`, `and`
    /// for `&`, or the place of a blank.
    pub fn among<'t>(teams: impl IntoIterator<Item = &'t TeamSlug>) -> Vec<Self> {
        let mut games: BTreeMap<&TeamSlug, usize> = BTreeMap::new();
        for team in teams {
            *games.entry(team).or_default() += 1;
        }
        let mut alike: BTreeMap<String, Vec<(&TeamSlug, usize)>> = BTreeMap::new();
        for (team, games) in games {
            alike.entry(in_full(team)).or_default().push((team, games));
        }
        let mut near = Vec::new();
        for mut names in alike.into_values() {
            names.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
            let most = names.remove(0);
            let few = names.into_iter().filter(|(_, games)| *games <= FEW);
            near.extend(few.map(|(name, games)| Self {
                name: name.clone(),
                games,
                near: most.0.clone(),
                near_games: most.1,
            }));
        }
        near
    }
}

impl fmt::Display for NearName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, games, near, near_games } = self;
        let word = if *games == 1 { "game" } else { "games" };
        write!(
            f,
            "`{name}` has {games} {word} beside `{near}` with {near_games}: under two names a team has two records"
        )
    }
}

/// Returns a name as its near names have it in common.
fn in_full(team: &TeamSlug) -> String {
    let words: Vec<_> = team.as_str().split('_').collect();
    let last = words.len() - 1;
    let word = |(index, word): (usize, &&'_ str)| match *word {
        "u" if index == last && index > 0 => String::new(),
        "and" => String::new(),
        "st" if index > 0 => "state".to_owned(),
        "no" | "northern" if index == 0 => "north".to_owned(),
        word => word.to_owned(),
    };
    words.iter().enumerate().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sentences about a season of names with their numbers of games.
    fn near(names: &[(&str, usize)]) -> Vec<String> {
        let slugs = names.iter().map(|(name, games)| (TeamSlug::normalise(name).expect("a team"), *games));
        let slugs: Vec<_> = slugs.collect();
        let teams = slugs.iter().flat_map(|(slug, games)| std::iter::repeat_n(slug, *games));
        NearName::among(teams).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_name_of_few_games_is_named_with_the_near_name_of_more() {
        for (few, many) in [
            ("Houston U", "Houston"),
            ("Seattle", "Seattle U"),
            ("Michigan St", "Michigan State"),
            ("No Illinois", "Northern Illinois"),
            ("Northern Carolina", "North Carolina"),
            ("Texas A & M", "Texas A&M"),
            ("William and Mary", "William & Mary"),
        ] {
            let [few_slug, many_slug] = [few, many].map(|name| TeamSlug::normalise(name).expect("a team"));
            let sentence = "under two names a team has two records";
            let expected = format!("`{few_slug}` has 3 games beside `{many_slug}` with 30: {sentence}");
            assert_eq!(near(&[(few, 3), (many, 30)]), [expected], "{few}");
            assert_eq!(near(&[(few, 4), (many, 30)]), [""; 0], "{few} four times");
            assert!(near(&[(few, 1), (many, 1)])[0].contains("has 1 game beside"), "{few}");
        }
    }

    #[test]
    fn names_of_other_schools_are_not_near() {
        let names = [
            "Michigan",
            "Michigan State",
            "Mississippi",
            "Mississippi State",
            "Miami (OH)",
            "Miami",
            "St. John's",
            "Saint Joseph's",
            "Texas A&M",
            "Texas",
            "Northern Iowa",
            "Iowa",
            "Northwestern",
            "Northwestern State",
            "Utah",
            "Utah State",
        ];
        assert_eq!(near(&names.map(|name| (name, 1))), [""; 0]);
    }
}
