//! Proofs of forecasts: the opening of a row's commitment, and a signed tree that has its leaf.

mod cached;
mod evidence;
mod opening;
mod openings;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, Market, ModelName, ModelType, Sport};
use sports_ports::PortError;
use sports_ports::results::{ResultCache, Uncached};
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_publication::identity::Start;
use sports_publication::{ArchivedGame, Catalog, ForecastOrigin, Generation, SeasonArchive};
use sports_transparency::ForecastProof;
use sports_transparency::audit::LocatedOpening;

use crate::game_histories::{GameName, SeveralGames, is_team, only_game, seasons_of};
use crate::record::{CheckpointListing, StoredCheckpoint, TreeHead, TreeReader};
use evidence::{Candidates, Chosen, Evidence};
use opening::{Found, Recordings};

pub use cached::{CachedProof, CachedProofs, RecentProof};
pub use opening::Recording;
pub use openings::SeasonOpening;

/// The forecasts of one store's records that can be proven. `V` is a view of a season that has its archive.
pub struct ForecastProofs<V> {
    recordings: Recordings,
    seasons: Arc<dyn SeasonViews<V>>,
}

/// A proof, and the timestamps of its checkpoint, which are files beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StampedProof {
    pub proof: ForecastProof,
    /// The hashes of the replies of timestamp authorities.
    pub timestamps: Vec<ObjectHash>,
}

/// An error in making a proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// There is no proof.
    #[error(transparent)]
    Refused(#[from] NoProof),
    /// The store cannot be read.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl<V: AsRef<SeasonArchive> + Send + Sync> ForecastProofs<V> {
    /// Creates the proofs of the trees in `reader` and the archives in `seasons`.
    pub fn new(reader: Arc<TreeReader>, seasons: Arc<dyn SeasonViews<V>>) -> Self {
        Self { recordings: Recordings { reader, cache: Arc::new(Uncached) }, seasons }
    }

    /// Keeps the entries that were read last, with their leaves, in memory.
    pub fn with_recordings_in(mut self, cache: Arc<dyn ResultCache<Recording>>) -> Self {
        self.recordings.cache = cache;
        self
    }

    /// Makes the proof of a game's standing forecast as of an entry. The names of the game are searched in their order.
    ///
    /// The checkpoint is the earliest one that has the leaf and is cosigned, else the earliest with a timestamp, else the
    /// earliest: a later one would prove less. With a `size`, it is the one of that size.
    ///
    /// # Errors
    ///
    /// [`ProofError`] if there is no proof, or the store cannot be read.
    pub async fn proof(
        &self,
        newest: &Catalog,
        model_type: ModelType,
        names: &[GameName],
        size: Option<u64>,
    ) -> Result<StampedProof, ProofError> {
        let head = TreeHead::of(newest);
        self.made(newest, head.as_ref(), model_type, names, size, None).await.map(|(proof, _)| proof)
    }

    /// Makes a proof as of an entry and its tree, from the checkpoints of a listing or else of the store; returns it with the
    /// files among which its checkpoint was chosen.
    async fn made(
        &self,
        newest: &Catalog,
        head: Option<&TreeHead>,
        model_type: ModelType,
        names: &[GameName],
        size: Option<u64>,
        listing: Option<&CheckpointListing>,
    ) -> Result<(StampedProof, Candidates), ProofError> {
        let (view, place) = self.row(newest, model_type, names).await?;
        let row = ForecastRow::at(view.as_ref().as_ref(), place).ok_or(NoProof::NeverMade)?;
        let recording = self.recordings.of(newest, &row).await??;
        let LocatedOpening { index, opening } = match recording.opening(&*self.seasons, &row).await? {
            Found::Opened(opening) => opening,
            Found::Differs => return Err(recording.contradiction(&row).into()),
            Found::Absent => return Err(NoProof::Imported.into()),
        };
        // An entry that is newer than the caller's may have a leaf that the caller's tree has not.
        let head = head.filter(|head| index < head.size).ok_or(NoProof::NotSigned(newest.sport))?;
        let evidence = Evidence { reader: &self.recordings.reader, head, index, listing };
        let leaf = opening.entry.as_bytes();
        let Chosen { checkpoint, path, candidates } = match size {
            Some(size) => evidence.of_size(leaf, size).await??,
            None => evidence.earliest(leaf).await?.ok_or(NoProof::NotSigned(newest.sport))?,
        };
        let StoredCheckpoint { note: checkpoint, timestamps } = checkpoint;
        Ok((StampedProof { proof: ForecastProof { opening, index, path, checkpoint }, timestamps }, candidates))
    }

    /// Returns the game with a name, and the own models that forecast it in its row.
    ///
    /// # Errors
    ///
    /// [`ProofError`] if no archive has the game, or the store cannot be read.
    pub async fn game(
        &self,
        newest: &Catalog,
        model_type: ModelType,
        name: &GameName,
    ) -> Result<(GameKey, Vec<ModelName>), ProofError> {
        let (view, place) = self.row(newest, model_type, std::slice::from_ref(name)).await?;
        let game = view.as_ref().as_ref().games().get(place).ok_or(NoProof::NeverMade)?;
        Ok((game.facts.key.clone(), game.forecast.own.iter().map(|(name, _)| name).collect()))
    }

    /// Finds the archive that has a game, and the game's place in it.
    async fn row(
        &self,
        newest: &Catalog,
        model_type: ModelType,
        names: &[GameName],
    ) -> Result<(Arc<V>, usize), ProofError> {
        for name in names {
            for season in seasons_of(name, newest) {
                let Some(results) = newest.results.get(&(model_type, season)) else { continue };
                let market = Market::new(newest.sport, model_type);
                let view = self.seasons.view(&SeasonRef::from_artifact(market, season, &results.artifact)).await?;
                if let Some(place) = find_row(view.as_ref().as_ref(), name).map_err(NoProof::from)? {
                    return Ok((view, place));
                }
            }
        }
        Err(NoProof::NeverMade.into())
    }
}

/// The reason for which a forecast has no proof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoProof {
    /// The game is unknown, or it has no forecast in this market.
    #[error("No forecast of that game is on record")]
    NeverMade,
    /// The name is of several games.
    #[error(transparent)]
    SeveralGames(#[from] SeveralGames),
    /// No entry of this log made the forecast.
    #[error("That forecast was imported: the record has no commitment to it")]
    Imported,
    /// An entry without a tree made the forecast.
    #[error("That forecast was published before the record kept commitments (generation {0})")]
    BeforeTree(Generation),
    /// No signed checkpoint has the leaf yet.
    #[error("That forecast is in no signed checkpoint of {0} yet")]
    NotSigned(Sport),
    /// No checkpoint of the requested size is signed.
    #[error("No signed checkpoint of {sport} has the size {size}")]
    NoSuchSize {
        sport: Sport,
        /// The requested size.
        size: u64,
    },
    /// The requested tree ends before the leaf.
    #[error("The tree of size {size} does not have that forecast: it is leaf {index}")]
    BeforeLeaf {
        /// The requested size.
        size: u64,
        /// The index of the leaf.
        index: u64,
    },
}

// A row with a forecast, found by the name of its game.

/// A row of an archive with a forecast.
struct ForecastRow<'a> {
    archive: &'a SeasonArchive,
    game: &'a ArchivedGame,
    origin: &'a ForecastOrigin,
}

impl<'a> ForecastRow<'a> {
    /// Returns the row at a place of an archive; `None` if it has no forecast.
    fn at(archive: &'a SeasonArchive, place: usize) -> Option<Self> {
        let game = archive.games().get(place)?;
        Some(Self { archive, game, origin: game.forecast.origin.as_ref()? })
    }

    /// Returns the release that made the forecast and its time, as the row states them; `None` for a forecast that no
    /// release made.
    fn release(&self) -> Option<(&'a str, DateTime<Utc>)> {
        self.origin.run().zip(self.origin.published_at())
    }
}

/// Returns the place of the game with a name in an archive: under its present start, else under an earlier one.
fn find_row(archive: &SeasonArchive, name: &GameName) -> Result<Option<usize>, SeveralGames> {
    let games = archive.games();
    let (date, time, away, home) = match name {
        GameName::Id(id) => {
            return Ok(games.iter().position(|game| game.facts.game_id.as_deref() == Some(id)));
        }
        GameName::MatchId(id) => {
            return Ok(games.iter().rposition(|game| game.facts.match_id.as_deref() == Some(id)));
        }
        GameName::Listed { date, time, away, home } => (*date, *time, away, home),
    };
    let (sport, season) = (archive.market().sport, archive.season());
    let is_it = |start: &Start| start.date == date && (time.is_none() || time == start.time);
    let is_of_pair = |place: usize| {
        let key = &games[place].facts.key;
        is_team(sport, season, away, &key.away) && is_team(sport, season, home, &key.home)
    };
    // Starts are compared first, because names take longer.
    let present = games.iter().map(|game| Some(Start::of(&game.facts.key)).filter(is_it));
    let of_pair = |(place, start): (usize, Option<Start>)| Some((place, start?)).filter(|_| is_of_pair(place));
    if let Some(place) = only_game(present.enumerate().filter_map(of_pair))? {
        return Ok(Some(place));
    }
    let former = |game: &ArchivedGame| Start::list(game.facts.former_starts.as_deref()).filter(is_it).last();
    only_game(games.iter().map(former).enumerate().filter_map(of_pair))
}

#[cfg(test)]
mod tests {
    use sports_domain::{Market, ModelType, Sport};
    use sports_publication::testing::{a_game, key, season};

    use super::*;

    /// Returns an archive of two games of a date that were moved from the date before.
    fn moved() -> SeasonArchive {
        let game = |time: &str, former: &str| {
            let game = a_game().with(|game| {
                game.facts.key = key("2025-06-11", time, "new_york_yankees", "boston_red_sox");
                game.facts.former_starts = Some(former.to_owned());
            });
            game.build()
        };
        let games =
            vec![game("13:05:00", "2025-06-10 12:00:00; 2025-06-10 13:05:00"), game("19:10:00", "2025-06-10 19:10:00")];
        let market = Market::new(Sport::Mlb, ModelType::WonOnPoints);
        SeasonArchive::new(market, season(Sport::Mlb, "2025"), games).expect("two games")
    }

    #[test]
    fn a_pair_that_was_to_play_twice_is_named_by_a_former_time() {
        let archive = moved();
        let teams = key("2025-06-10", "13:05:00", "new_york_yankees", "boston_red_sox");
        let found = |date: &str, time: Option<&str>| {
            let time = time.map(|time| time.parse().expect("a time"));
            let (away, home) = (teams.away.clone(), teams.home.clone());
            find_row(&archive, &GameName::Listed { date: date.parse().expect("a date"), time, away, home })
        };
        for date in ["2025-06-10", "2025-06-11"] {
            let refused = found(date, None).expect_err("two games");
            assert_eq!(refused.written(), "13:05:00 and 19:10:00", "{date}");
            assert_eq!(found(date, Some("13:05:00")), Ok(Some(0)), "{date}");
            assert_eq!(found(date, Some("19:10:00")), Ok(Some(1)), "{date}");
        }
        assert_eq!(found("2025-06-10", Some("12:00:00")), Ok(Some(0)), "a start before that");
        assert_eq!(found("2025-06-09", None), Ok(None));
    }
}
