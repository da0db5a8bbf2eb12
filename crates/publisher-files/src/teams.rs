use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use chrono::{Datelike as _, NaiveDate};
use foldhash::fast::RandomState;
use sports_domain::{Club, ClubName, NotATeam, Season, Sport, TeamSlug};
use sports_publication::slate::TeamName;

use crate::cells::{Reading, TEAM};
use crate::names;

/// The first month of a season, in leagues whose seasons span two years.
const FIRST_MONTH: u32 = 8;

/// The first year of a far season, in which every club has its present name.
const LATEST: u16 = 9999;

/// A reader of one file's team names, which accepts every known name of a professional club.
#[derive(Debug)]
pub(crate) struct Teams {
    sport: Option<Sport>,
    /// The season of the file; if unknown, the game's date determines the season.
    season: Option<Season>,
    kind: Names,
    /// The teams by season and written name: a season repeats a few dozen names, so each is resolved once.
    known: HashMap<Option<Season>, HashMap<String, Team, RandomState>, RandomState>,
}

/// A team as a file names it.
#[derive(Debug, Clone)]
pub(crate) struct Team {
    pub(crate) slug: TeamSlug,
    /// The publisher's own spelling; `None` for a club, and for a name that is only a slug.
    pub(crate) name: Option<TeamName>,
    /// The warning about a name unknown in the league.
    pub(crate) remark: Option<String>,
}

impl Teams {
    /// Creates a reader for a league and a season, if these are known.
    pub(crate) fn in_season(sport: Option<Sport>, season: Option<Season>, kind: Names) -> Self {
        Self { sport, season, kind, known: HashMap::default() }
    }

    /// Resolves a team name in a game of this date.
    pub(crate) fn read(&mut self, written: &str, date: Option<NaiveDate>) -> Reading<Team> {
        let season = self.season.or_else(|| season_of(self.sport?, date?));
        if let Some(team) = self.known.get(&season).and_then(|known| known.get(written)) {
            return Ok(Some(team.clone()));
        }
        let team = self.team(written, season)?;
        self.known.entry(season).or_default().insert(written.to_owned(), team.clone());
        Ok(Some(team))
    }

    fn team(&self, written: &str, season: Option<Season>) -> Result<Team, Cow<'static, str>> {
        let slug = named(written)?;
        let Some(sport) = self.sport else { return Ok(Team { slug, name: None, remark: None }) };
        // Without a date, clubs have their present names.
        let Some(season) = season.or_else(|| Season::starting_in(sport, LATEST)) else { return Err(TEAM.into()) };
        if let Some(club) = Club::called(sport, season, &slug) {
            return Ok(Team { slug: club.slug().clone(), name: None, remark: None });
        }
        let doubt = NameProblem::about(sport, season, &slug);
        if doubt.as_ref().is_some_and(|doubt| doubt.refuses(self.kind)) {
            return Err(Cow::Owned(format!("a team of {sport}{}", explanation(doubt.as_ref()))));
        }
        let has_warning = sport.is_professional() || doubt.is_some();
        let taken = if self.kind == Names::Finals { "" } else { " and is taken as it is" };
        let remark = || format!("`{written}` is no team of {sport}{taken}{}", explanation(doubt.as_ref()));
        Ok(Team { name: self.own_name(written)?, remark: has_warning.then(remark), slug })
    }

    /// Returns a name that is more than a slug: with a capital letter, and spaces between words.
    fn own_name(&self, written: &str) -> Result<Option<TeamName>, Cow<'static, str>> {
        if self.kind != Names::SlateActivity || written.contains('_') || !written.contains(char::is_uppercase) {
            return Ok(None);
        }
        let expected = || format!("a team name of at most {} characters", TeamName::LONGEST);
        TeamName::new(written).map(Some).map_err(|_| Cow::Owned(expected()))
    }
}

/// Reads a team's name, known or not.
pub(crate) fn named(written: &str) -> Result<TeamSlug, Cow<'static, str>> {
    TeamSlug::normalise(written).map_err(|error| match error {
        NotATeam::NoLetter(_) => Cow::Borrowed(TEAM),
        NotATeam::Hidden { hidden, .. } => Cow::Owned(format!("a team name without {hidden}")),
    })
}

fn explanation(doubt: Option<&NameProblem>) -> String {
    doubt.map(ToString::to_string).unwrap_or_default()
}

/// Returns the season of a game by its date alone.
fn season_of(sport: Sport, date: NaiveDate) -> Option<Season> {
    let before = i32::from(sport.splits_years() && date.month() < FIRST_MONTH);
    Season::starting_in(sport, u16::try_from(date.year() - before).ok()?)
}

// Reasons to suspect that a name unknown in its league is a mistake.

/// The source of the names, which decides the treatment of names unknown in the league.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// Games of the slate: a name that several clubs share, or that looks like a misspelt club, is refused.
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
            Self::Elsewhere(_) => kind != Names::Finals,
            Self::Ambiguous(_) | Self::ElsewhereInShort(_) | Self::Misspelt(_) | Self::MisspeltElsewhere(..) => {
                kind == Names::SlateActivity
            }
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
    let near = names::nearest(team.as_str(), Club::guesses(sport, season).map(|(word, _)| word))?;
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
    let near = names::nearest(team.as_str(), words.iter().map(|(word, ..)| *word))?;
    let (_, club, other) = words.into_iter().find(|(word, ..)| *word == near)?;
    Some(NameProblem::MisspeltElsewhere(club.display(), other))
}
