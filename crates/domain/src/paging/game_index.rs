use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};

use crate::game_key::shown_from;
use crate::paging::{Limit, Order, PageRows, page};
use crate::{Club, DateSpan, GameKey, Market, Season, TeamSlug, eastern_date};

/// An index of a season's games by date, team and state. A filter is applied without a scan of all games.
#[derive(Debug)]
pub struct GameIndex {
    market: Market,
    season: Season,
    /// The date of each game, oldest first.
    dates: Box<[NaiveDate]>,
    /// The Eastern time of each game.
    times: Box<[Option<NaiveTime>]>,
    /// The progress of each game.
    progress: Box<[GameProgress]>,
    /// The indices of each team's games.
    teams: HashMap<TeamSlug, Vec<usize>>,
}

/// The error for a team that cannot be found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchTeam {
    /// No game of the season and no club of the league has this name.
    #[error("no game of season {season} of {market} has a team `{team}`")]
    Unknown {
        /// The league and model type.
        market: Market,
        /// The season whose games were searched.
        season: Season,
        /// The requested name.
        team: TeamSlug,
    },
    /// Several clubs of the league have this name.
    #[error("`{team}` may be {}", clubs.iter().map(TeamSlug::as_str).collect::<Vec<_>>().join(" or "))]
    Ambiguous {
        /// The requested name.
        team: TeamSlug,
        /// Two clubs or more, each under the name that the season has for it.
        clubs: Vec<TeamSlug>,
    },
}

/// The games of a season that a filter keeps, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilteredGames<'a> {
    /// The number of games in the season.
    season: usize,
    kept: Kept<'a>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kept<'a> {
    /// Consecutive games.
    Run(Range<usize>),
    /// The games at these indices.
    Each(Cow<'a, [usize]>),
}

impl GameIndex {
    /// Indexes the games of a season, which must be in the order of their dates.
    pub fn new<'k>(market: Market, season: Season, games: impl Iterator<Item = (&'k GameKey, GameProgress)>) -> Self {
        let (mut dates, mut times, mut progress) = (Vec::new(), Vec::new(), Vec::new());
        let mut teams = HashMap::<TeamSlug, Vec<usize>>::new();
        for (place, (key, known)) in games.enumerate() {
            dates.push(key.date);
            times.push(key.time);
            progress.push(known);
            for team in [&key.away, &key.home] {
                match teams.get_mut(team) {
                    Some(places) => places.push(place),
                    None => drop(teams.insert(team.clone(), vec![place])),
                }
            }
        }
        Self { market, season, dates: dates.into(), times: times.into(), progress: progress.into(), teams }
    }

    /// Applies a filter.
    ///
    /// # Errors
    ///
    /// [`NoSuchTeam`] if the team has no game in the season and is not a club of the league, or is ambiguous.
    pub fn filtered(&self, filter: &GameFilter) -> Result<FilteredGames<'_>, NoSuchTeam> {
        let begin = self.dates.partition_point(|date| filter.dates.begins_after(*date));
        let end = begin + self.dates[begin..].partition_point(|date| filter.dates.contains(*date));
        let kept = match &filter.team {
            None => Kept::Run(begin..end),
            Some(team) => {
                let places = self.games_of(team)?;
                let place = |of: usize| places.partition_point(|game| *game < of);
                Kept::Each(places[place(begin)..place(end)].into())
            }
        };
        let kept = match filter.state {
            None => kept,
            Some(state) => kept.filtered(|place| self.progress[*place].is(state)),
        };
        let kept = match filter.started_by {
            None => kept,
            Some(instant) => self.started(kept, instant),
        };
        Ok(FilteredGames { season: self.dates.len(), kept })
    }

    /// Leaves out the games that have not started at an instant.
    fn started<'a>(&self, kept: Kept<'a>, instant: DateTime<Utc>) -> Kept<'a> {
        let first_late = self.dates.partition_point(|date| *date < eastern_date(instant) - Days::new(1));
        kept.filtered(|place| *place < first_late || self.shown_from(*place) <= instant)
    }

    /// Returns an instant at which a public record shows the same games as at `now`: that of the season's last start before. `None`
    /// if it shows all games that a filter keeps.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::filtered`].
    pub fn last_start(&self, filter: &GameFilter, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, NoSuchTeam> {
        let all = GameFilter { started_by: None, ..filter.clone() };
        let started = GameFilter { started_by: Some(now), ..filter.clone() };
        if self.filtered(&all)?.total() == self.filtered(&started)?.total() {
            return Ok(None);
        }
        let all = 0..self.dates.len();
        let last = all.map(|place| self.shown_from(place)).filter(|shown| *shown <= now).max();
        Ok(Some(last.unwrap_or(DateTime::UNIX_EPOCH)))
    }

    fn shown_from(&self, place: usize) -> DateTime<Utc> {
        shown_from(self.dates[place], self.times[place])
    }

    /// Returns the indices of a team's games. A club is found by any of its names, including short ones.
    fn games_of(&self, team: &TeamSlug) -> Result<&[usize], NoSuchTeam> {
        if let Some(places) = self.teams.get(team) {
            return Ok(places);
        }
        let clubs = Club::candidates(self.market.sport, self.season, team);
        match &clubs[..] {
            [] => Err(NoSuchTeam::Unknown { market: self.market, season: self.season, team: team.clone() }),
            [club] => {
                let is_it = |name: &TeamSlug| Club::is_same(self.market.sport, name, club.slug());
                let recorded = self.teams.iter().find(|(name, _)| is_it(name));
                Ok(recorded.map_or(&[], |(_, places)| places))
            }
            several => Err(NoSuchTeam::Ambiguous {
                team: team.clone(),
                clubs: several.iter().map(|club| club.slug().clone()).collect(),
            }),
        }
    }

    /// Returns the approximate size in bytes.
    pub fn weight(&self) -> usize {
        let places = self.teams.values().map(|places| places.capacity() * size_of::<usize>()).sum::<usize>();
        size_of_val(&*self.dates)
            + size_of_val(&*self.times)
            + size_of_val(&*self.progress)
            + places
            + self.teams.len() * size_of::<(TeamSlug, Vec<usize>)>()
    }
}

impl Kept<'_> {
    /// Leaves out the games for which `is_kept` is false.
    fn filtered(self, is_kept: impl Fn(&usize) -> bool) -> Self {
        match self {
            Self::Run(run) if run.clone().all(|place| is_kept(&place)) => Self::Run(run),
            Self::Run(run) => Self::Each(run.filter(is_kept).collect()),
            Self::Each(places) if places.iter().all(&is_kept) => Self::Each(places),
            Self::Each(places) => Self::Each(places.iter().copied().filter(is_kept).collect()),
        }
    }
}

impl FilteredGames<'_> {
    /// Returns the number of games that the filter keeps.
    pub fn total(&self) -> usize {
        match &self.kept {
            Kept::Run(run) => run.len(),
            Kept::Each(places) => places.len(),
        }
    }

    /// Returns the page that starts at `offset` within the kept games in `order`, and the offset of the next page, if
    /// any. The rows are indices within the whole season in that order.
    pub fn page(&self, order: Order, offset: usize, limit: Limit) -> (PageRows, Option<usize>) {
        let total = self.total();
        let cut = page(total, offset, limit);
        let rows = match (&self.kept, order) {
            (Kept::Run(run), Order::OldestFirst) => PageRows::Run(run.start + cut.rows.start..run.start + cut.rows.end),
            (Kept::Run(run), Order::NewestFirst) => {
                let newer = self.season - run.end;
                PageRows::Run(newer + cut.rows.start..newer + cut.rows.end)
            }
            (Kept::Each(places), Order::OldestFirst) => PageRows::Each(places[cut.rows].into()),
            (Kept::Each(places), Order::NewestFirst) => {
                let oldest_first = &places[total - cut.rows.end..total - cut.rows.start];
                PageRows::Each(oldest_first.iter().rev().map(|place| self.season - 1 - place).collect())
            }
        };
        (rows, cut.next_offset)
    }
}

/// The facts from which the state of a game follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameProgress {
    /// True if the game has a final score.
    pub has_score: bool,
    /// True if at least one model graded the game.
    pub is_graded: bool,
    /// True if the game was called off and has no final.
    pub is_called_off: bool,
}

/// A state by which games are selected. A graded game is final, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameState {
    /// The game has a score.
    Final,
    /// At least one model graded the game.
    Graded,
    /// The game has no score and was not called off.
    Scheduled,
}

impl GameState {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Final, Self::Graded, Self::Scheduled];

    /// Returns the word, such as `final`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Final => "final",
            Self::Graded => "graded",
            Self::Scheduled => "scheduled",
        }
    }

    /// Returns the state with this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }
}

impl GameProgress {
    /// Returns the progress of a game that two markets have.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            has_score: self.has_score || other.has_score,
            is_graded: self.is_graded || other.is_graded,
            is_called_off: self.is_called_off || other.is_called_off,
        }
    }

    const fn is(self, state: GameState) -> bool {
        match state {
            GameState::Final => self.has_score,
            GameState::Graded => self.is_graded,
            GameState::Scheduled => !self.has_score && !self.is_called_off,
        }
    }
}

/// A filter for games of a season: by date, by team, by state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct GameFilter {
    /// The first and last Eastern dates, both included; open by default.
    pub dates: DateSpan,
    /// The team, under any of its names; `None` for all teams.
    pub team: Option<TeamSlug>,
    /// The state; `None` for all games.
    pub state: Option<GameState>,
    /// Only games that a public record shows at this instant, which have started.
    pub started_by: Option<DateTime<Utc>>,
}

impl GameFilter {
    /// Returns `true` if the filter keeps every game.
    pub fn leaves_all(&self) -> bool {
        *self == Self::default()
    }
}
