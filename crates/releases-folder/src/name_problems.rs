//! Reasons to suspect that a name unknown in its league is a mistake.

use std::fmt;

use sports_domain::{Club, ClubName, Season, Sport, TeamSlug};

use crate::hint;

/// The source of the names, which decides the treatment of names unknown in the league.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// Games of the slate: a name that looks like a misspelt club is refused.
    SlateActivity,
    /// Games of the past, whose teams may have any name: only clubs of other leagues are refused.
    History,
    /// Recorded games: a team has the name under which it is recorded.
    Finals,
}

/// A reason to suspect that a team name is a mistake. Its `Display` text completes a sentence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NameProblem {
    /// Several clubs of the league share the name.
    Ambiguous(Vec<&'static str>),
    /// The name is the full name of another league's club.
    Elsewhere(Sport),
    /// The name is a short name of clubs of other leagues.
    ElsewhereInShort(Vec<Sport>),
    /// The name is close to the name of a club of the league.
    Misspelt(&'static str),
    /// The name is close to the full name of another league's club.
    MisspeltElsewhere(&'static str, Sport),
}

impl NameProblem {
    /// Returns the doubt about a name that does not identify exactly one club. For college leagues the only doubt is
    /// that a professional club has the name.
    pub(crate) fn about(sport: Sport, season: Season, team: &TeamSlug) -> Option<Self> {
        let elsewhere = Club::of_another_league(sport, team).map(Self::Elsewhere);
        if elsewhere.is_some() || !sport.is_professional() {
            return elsewhere;
        }
        let several = Club::candidates(sport, season, team);
        if !several.is_empty() {
            return Some(Self::Ambiguous(several.into_iter().map(ClubName::display).collect()));
        }
        let leagues: Vec<_> = Club::in_short_of_other_leagues(sport, team).collect();
        if !leagues.is_empty() {
            return Some(Self::ElsewhereInShort(leagues));
        }
        misspelt(sport, season, team).map(Self::Misspelt).or_else(|| misspelt_elsewhere(sport, season, team))
    }

    /// Returns true if the doubt makes a name of this kind a problem; otherwise it is a warning.
    pub(crate) fn refuses(&self, kind: Names) -> bool {
        match self {
            Self::Ambiguous(_) => false,
            Self::Elsewhere(_) => kind != Names::Finals,
            Self::ElsewhereInShort(_) | Self::Misspelt(_) | Self::MisspeltElsewhere(..) => kind == Names::SlateActivity,
        }
    }
}

impl fmt::Display for NameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous(clubs) => write!(f, " (it may be `{}`)", clubs.join("` or `")),
            Self::Elsewhere(other) => write!(f, "; this is one of {other}"),
            Self::ElsewhereInShort(leagues) => {
                let leagues: Vec<_> = leagues.iter().map(ToString::to_string).collect();
                write!(f, "; this is short for one of {}", leagues.join(" and one of "))
            }
            Self::Misspelt(club) => write!(f, " (did you mean `{club}`?)"),
            Self::MisspeltElsewhere(club, other) => write!(f, " (did you mean `{club}` of {other}?)"),
        }
    }
}

/// Returns the club of the league with the closest name.
fn misspelt(sport: Sport, season: Season, team: &TeamSlug) -> Option<&'static str> {
    let near = hint::nearest(team.as_str(), Club::guesses(sport, season).map(|(word, _)| word))?;
    Club::guesses(sport, season).find(|(word, _)| *word == near).map(|(_, club)| club.display())
}

/// Returns the club of another league with the closest name of several words.
fn misspelt_elsewhere(sport: Sport, season: Season, team: &TeamSlug) -> Option<NameProblem> {
    let others = Sport::ALL.into_iter().filter(|other| *other != sport);
    let guesses = others.filter_map(|other| Some((other, Season::starting_in(other, season.first_year())?)));
    let words: Vec<_> = guesses
        .flat_map(|(other, season)| Club::guesses(other, season).map(move |(word, club)| (word, club, other)))
        .filter(|(word, ..)| word.contains('_'))
        .collect();
    let near = hint::nearest(team.as_str(), words.iter().map(|(word, ..)| *word))?;
    let (_, club, other) = words.into_iter().find(|(word, ..)| *word == near)?;
    Some(NameProblem::MisspeltElsewhere(club.display(), other))
}
