//! Reading of season archives: bytes from the store, rows from the codec.

use std::sync::Arc;

use sports_domain::Market;
use sports_ports::PortError;
use sports_ports::publication::{ArchiveCodec, ObjectKind, Objects, PublicationLog};
use sports_ports::seasons::SeasonRef;
use sports_publication::identity::identify;
use sports_publication::{LeagueRecord, SeasonArchive, SeasonCoverage};

use crate::record::{newest_entry, off_thread};

/// The name of the port in errors about objects.
const PORT: &str = "the object store";

/// Checks that an object has the size recorded in its catalog.
pub(super) fn expect_size(bytes: &[u8], named: u64) -> Result<(), PortError> {
    match bytes.len() as u64 {
        size if size == named => Ok(()),
        size => Err(PortError::corrupt(PORT, format!("the object has {size} bytes, but its entry records {named}"))),
    }
}

/// The season archives of one store.
#[derive(Clone)]
pub struct Archives {
    pub(crate) objects: Arc<dyn Objects>,
    pub(crate) codec: Arc<dyn ArchiveCodec>,
    /// The log whose newest entry names the archives that games without an identity are numbered with.
    log: Option<Arc<dyn PublicationLog>>,
}

impl Archives {
    /// Creates a reader of archives stored in `objects` and encoded by `codec`.
    #[must_use]
    pub fn new(objects: Arc<dyn Objects>, codec: Arc<dyn ArchiveCodec>) -> Self {
        Self { objects, codec, log: None }
    }

    /// The same archives, in which games that were stored without an identity are numbered together with those of the
    /// other archives around their dates, as the newest entry of `log` names them.
    #[must_use]
    pub fn identified_by(mut self, log: Arc<dyn PublicationLog>) -> Self {
        self.log = Some(log);
        self
    }

    /// Reads one archive, each game with its identity.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store cannot be read; [`PortError::Corrupt`] if the archive is missing or
    /// differs from the catalog.
    pub async fn read(&self, season: &SeasonRef) -> Result<SeasonArchive, PortError> {
        let archive = self.stored(season).await?;
        if archive.games().iter().all(|game| game.facts.game_id.is_some()) {
            return Ok(archive);
        }
        let place = (season.market.model_type, season.season);
        let mut record = LeagueRecord::default();
        for other in self.around(season).await? {
            record.archives.insert((other.market.model_type, other.season), self.stored(&other).await?);
        }
        record.archives.insert(place, archive);
        identify(season.market.sport, &mut record);
        let missing = || PortError::corrupt(PORT, "the archive that was read is missing".to_owned());
        record.archives.remove(&place).ok_or_else(missing)
    }

    /// The other archives of the season, and those of seasons with dates in common.
    async fn around(&self, season: &SeasonRef) -> Result<Vec<SeasonRef>, PortError> {
        let Some(log) = &self.log else { return Ok(Vec::new()) };
        let Some(entry) = newest_entry(&**log, season.market.sport).await? else { return Ok(Vec::new()) };
        let results = &entry.catalog.results;
        let own = results.iter().filter(|((_, of), _)| *of == season.season).map(|(_, entry)| &entry.coverage);
        let first = own.clone().filter_map(|coverage| coverage.first_date).min();
        let last = own.filter_map(|coverage| coverage.last_date).max();
        let overlaps = |coverage: &SeasonCoverage| coverage.first_date <= last && coverage.last_date >= first;
        let others = results.iter().filter(|((market, of), entry)| {
            (*market, *of) != (season.market.model_type, season.season)
                && (*of == season.season || overlaps(&entry.coverage))
        });
        let market = |model_type| Market::new(season.market.sport, model_type);
        Ok(others.map(|((of, label), entry)| SeasonRef::from_artifact(market(*of), *label, &entry.artifact)).collect())
    }

    /// Reads one archive as it is stored.
    async fn stored(&self, season: &SeasonRef) -> Result<SeasonArchive, PortError> {
        let bytes = self.objects.get(season.market.sport, ObjectKind::Parquet, &season.object).await?;
        let Some(bytes) = bytes else {
            let missing = format!("the archive {} of {} {} is missing", season.object, season.market, season.season);
            return Err(PortError::corrupt(PORT, missing));
        };
        expect_size(&bytes, season.bytes)?;
        let (codec, market, label) = (Arc::clone(&self.codec), season.market, season.season);
        off_thread("the season archive format", move || codec.decode(market, label, bytes)).await?
    }
}
