use std::borrow::Cow;
use std::collections::HashMap;

use chrono::{Datelike as _, NaiveDate};
use foldhash::fast::RandomState;
use sports_domain::{Club, Season, Sport, TeamSlug};
use sports_slate::TeamName;

use crate::cells::{Reading, TEAM};
use crate::doubts::{Doubt, Names};

/// The month from which a game is of the season that starts in its year, where seasons span two.
const FIRST_MONTH: u32 = 8;

/// The first year of a season in which every club is called as it is today.
const LATEST: u16 = 9999;

/// How the teams of one file are read: clubs of professional leagues by any of their names.
#[derive(Debug)]
pub(crate) struct Teams {
    sport: Option<Sport>,
    /// The season of the file; where it is unknown, a game's date says which.
    season: Option<Season>,
    kind: Names,
    /// A season repeats a few dozen names: each is read once.
    known: HashMap<Option<Season>, HashMap<String, Team, RandomState>, RandomState>,
}

/// A team as a file names it.
#[derive(Debug, Clone)]
pub(crate) struct Team {
    pub(crate) slug: TeamSlug,
    /// The name as its publisher writes it; `None` of a club and where it is no more than a slug.
    pub(crate) name: Option<TeamName>,
    /// The warning about a name that no club of the league has.
    pub(crate) remark: Option<String>,
}

impl Teams {
    /// Teams of a league, as far as league and season are known.
    pub(crate) fn in_season(sport: Option<Sport>, season: Option<Season>, kind: Names) -> Self {
        Self { sport, season, kind, known: HashMap::default() }
    }

    /// Reads a name in a game of this date.
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
        let slug = TeamSlug::normalise(written).map_err(|_| Cow::Borrowed(TEAM))?;
        let Some(sport) = self.sport else { return Ok(Team { slug, name: None, remark: None }) };
        // Without a date, today's names of clubs are taken.
        let Some(season) = season.or_else(|| Season::starting_in(sport, LATEST)) else { return Err(TEAM.into()) };
        if let Some(club) = Club::called(sport, season, &slug) {
            return Ok(Team { slug: club.slug().clone(), name: None, remark: None });
        }
        let doubt = Doubt::about(sport, season, &slug);
        if doubt.as_ref().is_some_and(|doubt| doubt.refuses(self.kind)) {
            return Err(Cow::Owned(format!("a team of {sport}{}", said(doubt.as_ref()))));
        }
        let is_worth_a_word = sport.is_professional() || doubt.is_some();
        let taken = if self.kind == Names::Finals { "" } else { " and is taken as it is" };
        let remark = || format!("`{written}` is no team of {sport}{taken}{}", said(doubt.as_ref()));
        Ok(Team { name: self.own_name(written)?, remark: is_worth_a_word.then(remark), slug })
    }

    /// A name that is more than a slug: it has a capital, and spaces between its words.
    fn own_name(&self, written: &str) -> Result<Option<TeamName>, Cow<'static, str>> {
        if self.kind != Names::SlateActivity || written.contains('_') || !written.contains(char::is_uppercase) {
            return Ok(None);
        }
        let longest = TeamName::LONGEST;
        let expected = || format!("a team name of at most {longest} characters, none of them a control character");
        TeamName::new(written).map(Some).map_err(|_| Cow::Owned(expected()))
    }
}

fn said(doubt: Option<&Doubt>) -> String {
    doubt.map(ToString::to_string).unwrap_or_default()
}

/// The season of a game by its date alone.
fn season_of(sport: Sport, date: NaiveDate) -> Option<Season> {
    let before = i32::from(sport.splits_years() && date.month() < FIRST_MONTH);
    Season::starting_in(sport, u16::try_from(date.year() - before).ok()?)
}
