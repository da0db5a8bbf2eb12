use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_domain::{Sport, TeamSlug, eastern_reading};

use crate::convert::the_odds_api::feed::Event;
use crate::convert::the_odds_api::{Feed, FeedError, TeamTable};

/// The account of a conversion: the events that are not converted, and warnings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Account {
    /// The league's events that are not converted, in the feed's order.
    pub left_out: Vec<LeftOut>,
    /// Names that are not a known team's, in alphabetical order.
    pub unknown_teams: Vec<String>,
    /// The number of events of other leagues, by their key in the feed.
    pub other_sports: BTreeMap<String, usize>,
    /// Other warnings for the user.
    pub warnings: Vec<String>,
}

/// An event that is not converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub match_id: String,
    /// The feed's name of the visiting team.
    pub away: String,
    /// The feed's name of the home team.
    pub home: String,
    pub reason: Reason,
}

/// The reason why an event is not converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The game has started, so its prices are in-play prices.
    Started,
    /// A team is unknown or missing.
    UnknownTeam,
    /// The bookmaker has no prices for it.
    NoPrices,
    /// The game is not over, so its scores are no final.
    NotCompleted,
    /// The game is over, and the feed does not have both scores.
    NoScore,
}

impl Reason {
    /// Returns the reason's code, such as `no_prices`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::UnknownTeam => "unknown_team",
            Self::NoPrices => "no_prices",
            Self::NotCompleted => "not_completed",
            Self::NoScore => "no_score",
        }
    }
}

/// Returns the API's key of a league.
const fn sport_key(sport: Sport) -> &'static str {
    match sport {
        Sport::Mlb => "baseball_mlb",
        Sport::Nba => "basketball_nba",
        Sport::Nfl => "americanfootball_nfl",
        Sport::Nhl => "icehockey_nhl",
        Sport::Ncaaf => "americanfootball_ncaaf",
        Sport::Ncaab => "basketball_ncaab",
    }
}

/// A game as its events have it in common. Only in mlb may two games of a pairing be on one date.
#[derive(PartialEq, Eq, Hash)]
struct Game {
    teams: (TeamSlug, TeamSlug),
    date: NaiveDate,
    time: Option<NaiveTime>,
}

impl Game {
    /// Returns the game of an event; `None` if a team is unknown.
    fn of(event: &Event, sport: Sport, names: &TeamTable) -> Option<Self> {
        let teams = names.slug(event.away_team.as_deref()?).zip(names.slug(event.home_team.as_deref()?))?;
        let start = eastern_reading(event.commence_time.instant());
        Some(Self { teams, date: start.date(), time: (sport == Sport::Mlb).then(|| start.time()) })
    }
}

/// A feed's events of one league, and the instant at which the API updated an event last.
pub(super) struct League<'a, U> {
    pub(super) sport: Sport,
    pub(super) names: &'a TeamTable,
    pub(super) updated: U,
}

impl<U: Fn(&Event) -> Option<DateTime<Utc>>> League<'_, U> {
    /// Returns the league's events in the feed's order, each game once: of several events the one that was updated last.
    ///
    /// # Errors
    ///
    /// [`FeedError`] if the feed has only events of other leagues, or two different events of a game that were updated
    /// at the same time.
    pub(super) fn events<'f>(&self, feed: &'f Feed, account: &mut Account) -> Result<Vec<&'f Event>, FeedError> {
        let key = sport_key(self.sport);
        let mut events: Vec<&Event> = Vec::new();
        let (mut by_id, mut by_game) = (HashMap::new(), HashMap::new());
        for event in &feed.events {
            if !event.sport_key.eq_ignore_ascii_case(key) {
                *account.other_sports.entry(event.sport_key.clone()).or_default() += 1;
                continue;
            }
            event.check_visible()?;
            let game = Game::of(event, self.sport, self.names);
            let known = by_id.get(&event.id).or_else(|| by_game.get(game.as_ref()?)).copied();
            let place = known.unwrap_or(events.len());
            match events.get_mut(place) {
                Some(first) => *first = self.newest(first, event, &mut account.warnings)?,
                None => events.push(event),
            }
            by_id.insert(&event.id, place);
            by_game.extend(game.map(|game| (game, place)));
        }
        if events.is_empty() && !feed.events.is_empty() {
            let found = account.other_sports.keys().cloned().collect();
            return Err(FeedError::WrongSport { sport: self.sport, key, found });
        }
        Ok(events)
    }

    /// Returns the event of a game that was updated last, with a warning.
    fn newest<'f>(
        &self,
        first: &'f Event,
        other: &'f Event,
        warnings: &mut Vec<String>,
    ) -> Result<&'f Event, FeedError> {
        let (one, two) = ((self.updated)(first), (self.updated)(other));
        let newest = if two > one { other } else { first };
        let ids = if first.id == other.id {
            format!("event {} is in the feed twice", first.id)
        } else {
            format!("events {} and {} are one game", first.id, other.id)
        };
        let [away, home] = first.teams();
        if one == two && !first.is_copy_of(other) {
            return Err(FeedError::RepeatedGame(format!("{ids}, {away} at {home}")));
        }
        warnings.push(format!("{ids}, {away} at {home}; taken is {} with the newest `last_update`", newest.id));
        Ok(newest)
    }
}

impl Account {
    /// Returns the slugs of both teams; leaves the event out, and records the names, if one is unknown.
    pub(super) fn teams(
        &mut self,
        event: &Event,
        names: &TeamTable,
    ) -> Result<Option<(TeamSlug, TeamSlug)>, FeedError> {
        let mut slug = |name: &Option<String>| {
            let slug = names.slug(name.as_deref()?);
            self.unknown_teams.extend(name.clone().filter(|_| slug.is_none()));
            slug
        };
        // Both are looked up first, so that two unknown names are recorded.
        let (away, home) = (slug(&event.away_team), slug(&event.home_team));
        let teams = away.zip(home);
        match &teams {
            None => self.leave_out(event, Reason::UnknownTeam),
            Some((team, other)) if team == other => {
                let ([away, home], team) = (event.teams().map(str::to_owned), team.clone());
                return Err(FeedError::AgainstItself { event: event.id.clone(), away, home, team });
            }
            Some(_) => {}
        }
        Ok(teams)
    }

    pub(super) fn leave_out(&mut self, event: &Event, reason: Reason) {
        let [away, home] = event.teams().map(str::to_owned);
        self.left_out.push(LeftOut { match_id: event.id.clone(), away, home, reason });
    }

    /// Sorts the unknown names. If they leave no game to convert, they are an error.
    pub(super) fn finish(&mut self, converted: usize) -> Result<(), FeedError> {
        self.unknown_teams.sort_unstable();
        self.unknown_teams.dedup();
        if converted == 0 && !self.unknown_teams.is_empty() {
            return Err(FeedError::OnlyUnknownTeams(self.unknown_teams.clone()));
        }
        Ok(())
    }
}
