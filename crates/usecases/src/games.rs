//! The games of a league with their markets beside each other: the season of a page of them.

use std::sync::Arc;

use sports_domain::paging::{HistoryRequest, Order, Snapshot};
use sports_domain::{Season, Sport};

use crate::moment::{LeagueMoment, Moments};
use crate::record::NotReadYet;
use crate::season_tables::{SeasonTableError, TableSeason, TableSubject, single, snapshot};

/// Queries of the games of leagues.
#[derive(Clone)]
pub struct Games {
    moments: Arc<Moments>,
}

/// The season of a page of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamesSeason {
    /// The season and its archives.
    pub season: TableSeason,
    /// The order of the games.
    pub order: Order,
    /// The requested offset, which may be past the end.
    pub offset: usize,
    /// An identifier of the season's content under these grading rules.
    pub snapshot: Snapshot,
}

/// An error in finding the season of a page of games.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The league's log has not been read yet.
    #[error(transparent)]
    NotReadYet(#[from] NotReadYet),
    /// There is no such season.
    #[error(transparent)]
    NoSeason(#[from] SeasonTableError),
    /// The snapshot is not that of the season: the season was published again, or never had the snapshot.
    #[error("season {season} of {sport} has another snapshot")]
    SnapshotChanged { sport: Sport, season: Season },
    /// The snapshot is not that of the season at the requested moment.
    #[error("this is not the snapshot of season {season} at that moment")]
    AnotherMoment { season: Season },
}

impl GamesSeason {
    /// Checks that a snapshot of the season is the requested one.
    ///
    /// # Errors
    ///
    /// [`GamesError::SnapshotChanged`] if it is not.
    pub fn expect_snapshot(&self, sport: Sport, request: &HistoryRequest) -> Result<(), GamesError> {
        let is_other = request.snapshot().is_some_and(|requested| *requested != self.snapshot);
        if is_other { Err(GamesError::SnapshotChanged { sport, season: self.season.season }) } else { Ok(()) }
    }
}

impl Games {
    /// Creates the queries of these moments.
    pub fn new(moments: Arc<Moments>) -> Self {
        Self { moments }
    }

    /// Returns the season of the requested page, and the moment that it belongs to: a later one if only a later generation has
    /// the requested snapshot.
    ///
    /// # Errors
    ///
    /// [`GamesError`] if there is no such season.
    pub async fn season(
        &self,
        moment: LeagueMoment,
        request: &HistoryRequest,
    ) -> Result<(LeagueMoment, GamesSeason), GamesError> {
        match season_at(&moment, request) {
            Err(GamesError::SnapshotChanged { season, .. }) if moment.requested().is_some() => {
                Err(GamesError::AnotherMoment { season })
            }
            Err(GamesError::SnapshotChanged { .. }) => {
                // Another node may have issued this snapshot from a newer generation, so the log is polled once.
                let moment = self.moments.after_a_poll(&moment).await?;
                season_at(&moment, request).map(|season| (moment, season))
            }
            answer => answer.map(|season| (moment, season)),
        }
    }
}

/// Returns the season that a moment has.
fn season_at(moment: &LeagueMoment, request: &HistoryRequest) -> Result<GamesSeason, GamesError> {
    let sport = moment.sport();
    let (order, offset, named, expected) = match request {
        HistoryRequest::Current { offset } => (Order::NewestFirst, *offset, None, None),
        HistoryRequest::OfSeason { season, offset, snapshot } => {
            (Order::OldestFirst, *offset, Some(*season), snapshot.as_ref())
        }
    };
    let season = single(moment, TableSubject::League(sport), named)?;
    let snapshot = snapshot(TableSubject::League(sport), [&season]);
    if !moment.may_hide(season.last_date) && expected.is_some_and(|expected| *expected != snapshot) {
        return Err(GamesError::SnapshotChanged { sport, season: season.season });
    }
    Ok(GamesSeason { season, order, offset, snapshot })
}
