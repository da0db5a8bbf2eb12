use std::collections::HashMap;
use std::ops::Range;

use chrono::NaiveDate;
use sports_domain::{Club, GameKey, Market, Season, TeamSlug};

use crate::{GameFilter, Limit, Order, PageRows, page};

/// The games of a season by their dates and teams, so that what a filter leaves is found without a look at each game.
#[derive(Debug)]
pub struct GameIndex {
    market: Market,
    season: Season,
    /// One a game, oldest first.
    dates: Box<[NaiveDate]>,
    /// The places of each team's games among the dates.
    teams: HashMap<TeamSlug, Vec<usize>>,
}

/// A team that no game of a season can be found by.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchTeam {
    /// Neither a game of the season nor the league has a team of that name.
    #[error("no game of season {season} of {market} has a team `{team}`")]
    Unknown {
        /// The league and model type.
        market: Market,
        /// The season.
        season: Season,
        /// The name asked for.
        team: TeamSlug,
    },
    /// Several clubs of the league are called so.
    #[error("`{team}` may be {}", clubs.iter().map(TeamSlug::as_str).collect::<Vec<_>>().join(" or "))]
    Ambiguous {
        /// The name asked for.
        team: TeamSlug,
        /// Who may be meant.
        clubs: Vec<TeamSlug>,
    },
}

/// What a filter leaves of a season, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilteredGames<'a> {
    /// How many games the season has.
    season: usize,
    left: Left<'a>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Left<'a> {
    /// Games that follow each other.
    Run(Range<usize>),
    /// The games at these places.
    Each(&'a [usize]),
}

impl GameIndex {
    /// Indexes the games of a season, which come oldest first.
    pub fn new<'k>(market: Market, season: Season, games: impl Iterator<Item = &'k GameKey>) -> Self {
        let (mut dates, mut teams) = (Vec::new(), HashMap::<TeamSlug, Vec<usize>>::new());
        for (place, key) in games.enumerate() {
            dates.push(key.date);
            for team in [&key.away, &key.home] {
                match teams.get_mut(team) {
                    Some(places) => places.push(place),
                    None => drop(teams.insert(team.clone(), vec![place])),
                }
            }
        }
        Self { market, season, dates: dates.into(), teams }
    }

    /// What a filter leaves.
    ///
    /// # Errors
    ///
    /// [`NoSuchTeam`] for a team that is neither on record in the season nor a club of the league.
    pub fn filtered(&self, filter: &GameFilter) -> Result<FilteredGames<'_>, NoSuchTeam> {
        let begin = self.dates.partition_point(|date| filter.dates.begins_after(*date));
        let end = begin + self.dates[begin..].partition_point(|date| filter.dates.contains(*date));
        let left = match &filter.team {
            None => Left::Run(begin..end),
            Some(team) => {
                let places = self.games_of(team)?;
                let place = |of: usize| places.partition_point(|game| *game < of);
                Left::Each(&places[place(begin)..place(end)])
            }
        };
        Ok(FilteredGames { season: self.dates.len(), left })
    }

    /// The places of a team's games: of a club under any of its names, or under what it is called for short.
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

    /// Bytes held, about.
    #[must_use]
    pub fn weight(&self) -> usize {
        let places = self.teams.values().map(|places| places.capacity() * size_of::<usize>()).sum::<usize>();
        size_of_val(&*self.dates) + places + self.teams.len() * size_of::<(TeamSlug, Vec<usize>)>()
    }
}

impl FilteredGames<'_> {
    /// How many games are left.
    #[must_use]
    pub fn total(&self) -> usize {
        match &self.left {
            Left::Run(run) => run.len(),
            Left::Each(places) => places.len(),
        }
    }

    /// The page of what is left, in an order, from the row `offset` on: its rows, counted in that order over the whole
    /// season, and where the next page starts.
    #[must_use]
    pub fn page(&self, order: Order, offset: usize, limit: Limit) -> (PageRows, Option<usize>) {
        let total = self.total();
        let cut = page(total, offset, limit);
        let rows = match (&self.left, order) {
            (Left::Run(run), Order::OldestFirst) => PageRows::Run(run.start + cut.rows.start..run.start + cut.rows.end),
            (Left::Run(run), Order::NewestFirst) => {
                let newer = self.season - run.end;
                PageRows::Run(newer + cut.rows.start..newer + cut.rows.end)
            }
            (Left::Each(places), Order::OldestFirst) => PageRows::Each(places[cut.rows].into()),
            (Left::Each(places), Order::NewestFirst) => {
                let oldest_first = &places[total - cut.rows.end..total - cut.rows.start];
                PageRows::Each(oldest_first.iter().rev().map(|place| self.season - 1 - place).collect())
            }
        };
        (rows, cut.next_offset)
    }
}
