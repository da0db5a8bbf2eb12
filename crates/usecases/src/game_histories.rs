//! The published lines and forecasts of games, from release to release.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{NaiveDate, NaiveTime};
use futures::stream::{self, StreamExt, TryStreamExt};
use sports_domain::{Club, ModelType, Season, Sport, TeamSlug};
use sports_ports::PortError;
use sports_publication::identity::Start;
use sports_publication::movement::{ForecastItem, GameHistory, SeasonMovement, Window};
use sports_publication::{Catalog, EntryLeaves};

use crate::moment::{LeagueMoment, Moments};
use crate::record::PastRecord;
use crate::season_walk::{NeededParts, SeasonWalks, WalkError, known_seasons};

/// The name of a game in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameName {
    /// The identity of the game in its league.
    Id(String),
    /// The publisher's own id of the game.
    MatchId(String),
    /// The start and the teams.
    Listed {
        /// The Eastern date of the start.
        date: NaiveDate,
        /// The Eastern time of the start; it can be left out if the teams meet once that day.
        time: Option<NaiveTime>,
        /// The visiting team, under any of its names.
        away: TeamSlug,
        /// The home team, under any of its names.
        home: TeamSlug,
    },
}

impl GameName {
    /// Returns the name with the teams on each other's side; `None` for a name without teams.
    pub fn swapped(&self) -> Option<Self> {
        match self.clone() {
            Self::Listed { date, time, away, home } => Some(Self::Listed { date, time, away: home, home: away }),
            Self::Id(_) | Self::MatchId(_) => None,
        }
    }
}

/// The starts of two teams that meet more than once on a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the teams meet more than once that day: at {}", self.written())]
pub struct SeveralGames(pub Vec<Option<NaiveTime>>);

impl SeveralGames {
    /// Returns the times as a phrase.
    pub fn written(&self) -> String {
        let times =
            self.0.iter().map(|time| time.map_or_else(|| "an unknown time".to_owned(), |time| time.to_string()));
        times.collect::<Vec<_>>().join(" and ")
    }
}

/// An error in finding a game.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The season cannot be read now.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// No release had the game.
    #[error("the game is not on record")]
    UnknownGame,
    /// The teams play that day, but on each other's side.
    #[error("the home team of that game is the visiting team of the name")]
    TeamsSwapped,
    /// The name is of several games.
    #[error(transparent)]
    SeveralGames(#[from] SeveralGames),
}

/// A game in the movement of its season.
pub struct FoundGame {
    movement: Arc<SeasonMovement>,
    game_id: String,
    is_final: bool,
}

impl FoundGame {
    /// Returns the movement of the season.
    pub fn season(&self) -> &SeasonMovement {
        &self.movement
    }

    /// Returns the identity of the game.
    pub fn game_id(&self) -> &str {
        &self.game_id
    }

    pub fn game(&self) -> Option<GameHistory<'_>> {
        self.movement.game(&self.game_id)
    }

    /// Returns true if the game has started and every entry before its start was read.
    pub const fn is_final(&self) -> bool {
        self.is_final
    }
}

/// Returns the seasons in which a game with this name may be, the newest first.
pub fn seasons_of(name: &GameName, newest: &Catalog) -> Vec<Season> {
    let known = known_seasons(newest).into_iter().rev();
    let date = match name {
        GameName::Id(id) => date_in(newest.sport, id),
        GameName::MatchId(_) => return known.collect(),
        GameName::Listed { date, .. } => Some(*date),
    };
    // Every game is in one of the calendar years of its season.
    known.filter(|season| date.is_some_and(|date| season.can_have(date))).collect()
}

/// Returns the date in an identity such as `nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens`.
fn date_in(sport: Sport, id: &str) -> Option<NaiveDate> {
    let rest = id.strip_prefix(sport.code())?.strip_prefix('-')?;
    rest.get(.."2024-01-06".len())?.parse().ok()
}

/// Returns the identity of the game with a name in a season; `None` if the season does not have it.
///
/// A game is found under its present start, else under an earlier one.
///
/// # Errors
///
/// [`SeveralGames`] if the teams meet more than once that day, or were to meet, and the name has no time.
pub fn find(movement: &SeasonMovement, name: &GameName) -> Result<Option<String>, SeveralGames> {
    let (date, time, away, home) = match name {
        GameName::Id(id) => return Ok(movement.game(id).map(|game| game.game_id().to_owned())),
        GameName::MatchId(id) => {
            let games = movement.games();
            let mut named = games.iter().rev().filter(|game| game.match_id() == Some(id));
            return Ok(named.next().map(|game| game.game_id().to_owned()));
        }
        GameName::Listed { date, time, away, home } => (*date, *time, away, home),
    };
    let (sport, season) = (movement.sport(), movement.season());
    let is_pair = |game: &GameHistory<'_>| {
        is_team(sport, season, away, &game.key().away) && is_team(sport, season, home, &game.key().home)
    };
    let games: Vec<_> = movement.games().into_iter().filter(is_pair).collect();
    let is_it = |start: &Start| start.date == date && (time.is_none() || time == start.time);
    let present = games.iter().map(|game| (game.game_id(), Start::of(game.key()))).filter(|(_, start)| is_it(start));
    if let Some(game_id) = only_game(present)? {
        return Ok(Some(game_id.to_owned()));
    }
    let earlier = games.iter().filter_map(|game| Some((game.game_id(), game.former_starts().filter(is_it).last()?)));
    Ok(only_game(earlier)?.map(str::to_owned))
}

/// Returns the only game of a list, in which each has its start; `None` for an empty list.
pub(crate) fn only_game<G>(games: impl Iterator<Item = (G, Start)>) -> Result<Option<G>, SeveralGames> {
    let (mut games, times): (Vec<_>, Vec<_>) = games.map(|(game, start)| (game, start.time)).unzip();
    if games.len() > 1 { Err(SeveralGames(times)) } else { Ok(games.pop()) }
}

/// Returns true if a team is the recorded one: by the same slug, or by another name of its club.
pub(crate) fn is_team(sport: Sport, season: Season, given: &TeamSlug, recorded: &TeamSlug) -> bool {
    let club = || match &Club::candidates(sport, season, given)[..] {
        [club] => Club::is_same(sport, club.slug(), recorded),
        _ => false,
    };
    given == recorded || club()
}

/// Returns the window of the last days before the start of a game.
pub fn window<'m>(movement: &'m SeasonMovement, game: &GameHistory<'_>, days: u16) -> Option<Window<'m>> {
    Window::before(movement, game.starts_at().unwrap_or_else(|| game.closes_at()), days)
}

/// Returns the place of a forecast among the leaves of its entry.
pub fn place(model_type: ModelType, forecast: &ForecastItem<'_>, leaves: Option<&EntryLeaves>) -> Option<u64> {
    let game = forecast.slate_game().filter(|_| !forecast.is_empty())?;
    leaves?.forecast(model_type, &game.key).map(|(place, _)| place)
}

/// The number of entries whose leaves are read concurrently.
const READ_AT_ONCE: usize = 16;

/// Returns the place of each forecast in the league's tree, as [`GameHistories::places`] does.
pub(crate) async fn places(
    record: &Arc<PastRecord>,
    (sport, model_type): (Sport, ModelType),
    forecasts: &[ForecastItem<'_>],
) -> Result<Vec<Option<u64>>, PortError> {
    let generations: BTreeSet<_> = forecasts.iter().map(|forecast| forecast.published.generation).collect();
    let reads: Vec<_> =
        generations.into_iter().map(|at| async move { Ok((at, record.leaves(sport, at).await?)) }).collect();
    let leaves: BTreeMap<_, _> = stream::iter(reads).buffered(READ_AT_ONCE).try_collect().await?;
    let place = |item: &ForecastItem<'_>| place(model_type, item, leaves.get(&item.published.generation)?.as_deref());
    Ok(forecasts.iter().map(place).collect())
}

/// The days before the start of which a history is by default.
pub const DEFAULT_DAYS: u16 = 14;

/// The most days before the start of which a history can be.
pub const MOST_DAYS: u16 = 60;

/// Queries of the histories of games, from the walks over their seasons.
pub struct GameHistories {
    moments: Arc<Moments>,
    walks: Arc<SeasonWalks>,
}

impl GameHistories {
    /// Creates the queries of these moments and walks.
    pub const fn new(moments: Arc<Moments>, walks: Arc<SeasonWalks>) -> Self {
        Self { moments, walks }
    }

    /// Returns the game with a name, with everything that was published of it up to a moment, in the needed parts at least.
    ///
    /// # Errors
    ///
    /// [`HistoryError`] if no release had the game or the reader may not see it, or its season cannot be read now.
    pub async fn game(
        &self,
        moment: &LeagueMoment,
        name: &GameName,
        needed: NeededParts,
    ) -> Result<FoundGame, HistoryError> {
        match self.found(moment, name, needed).await {
            Err(HistoryError::UnknownGame) => match name.swapped() {
                Some(swapped) => match self.found(moment, &swapped, needed).await {
                    Ok(_) | Err(HistoryError::SeveralGames(_)) => Err(HistoryError::TeamsSwapped),
                    Err(error) => Err(error),
                },
                None => Err(HistoryError::UnknownGame),
            },
            found => found,
        }
    }

    async fn found(
        &self,
        moment: &LeagueMoment,
        name: &GameName,
        needed: NeededParts,
    ) -> Result<FoundGame, HistoryError> {
        let Some(catalog) = moment.catalog() else { return Err(HistoryError::UnknownGame) };
        for season in seasons_of(name, catalog) {
            let movement = self.walks.season(moment, season, needed).await?;
            if let Some(game_id) = find(&movement, name)? {
                if !movement.game(&game_id).is_some_and(|game| moment.shows(game.key())) {
                    return Err(HistoryError::UnknownGame);
                }
                let is_final = movement.game(&game_id).is_some_and(|game| self.is_final(moment, &game));
                return Ok(FoundGame { movement, game_id, is_final });
            }
        }
        Err(HistoryError::UnknownGame)
    }

    /// Returns the movement of a season's odds up to a moment.
    ///
    /// # Errors
    ///
    /// [`WalkError`] if the season cannot be read now.
    pub async fn odds(&self, moment: &LeagueMoment, season: Season) -> Result<Arc<SeasonMovement>, WalkError> {
        self.walks.season(moment, season, NeededParts::Odds).await
    }

    /// Returns the place of each forecast in the league's tree: `None` for one that was withdrawn, or is from before the tree.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the leaves of an entry cannot be read.
    pub async fn places(
        &self,
        (sport, model_type): (Sport, ModelType),
        forecasts: &[ForecastItem<'_>],
    ) -> Result<Vec<Option<u64>>, PortError> {
        places(self.walks.record(), (sport, model_type), forecasts).await
    }

    fn is_final(&self, moment: &LeagueMoment, game: &GameHistory<'_>) -> bool {
        let start = game.starts_at().unwrap_or_else(|| game.closes_at());
        // Before a look at the log after the start, an entry before the start may still be unknown here.
        start <= moment.now() && self.moments.generations().polled_after(moment.sport(), start)
    }
}
