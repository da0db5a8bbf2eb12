use std::borrow::Cow;
use std::collections::HashMap;

use chrono::{Datelike as _, NaiveDate};
use foldhash::fast::RandomState;
use sports_domain::{Club, NotATeam, Season, Sport, TeamSlug};
use sports_slate::TeamName;

use crate::cells::{Reading, TEAM};
use crate::name_problems::{NameProblem, Names};

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
        let slug = TeamSlug::normalise(written).map_err(|error| match error {
            NotATeam::NoLetter(_) => Cow::Borrowed(TEAM),
            NotATeam::Hidden { hidden, .. } => Cow::Owned(format!("a team name without {hidden}")),
        })?;
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

fn explanation(doubt: Option<&NameProblem>) -> String {
    doubt.map(ToString::to_string).unwrap_or_default()
}

/// Returns the season of a game by its date alone.
fn season_of(sport: Sport, date: NaiveDate) -> Option<Season> {
    let before = i32::from(sport.splits_years() && date.month() < FIRST_MONTH);
    Season::starting_in(sport, u16::try_from(date.year() - before).ok()?)
}
