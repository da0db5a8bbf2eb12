//! Reading of season archives: bytes from the store, rows from the codec.

use std::sync::Arc;

use async_trait::async_trait;
use sports_domain::{Market, ModelType, Season};
use sports_ports::PortError;
use sports_ports::publication::{ArchiveCodec, ObjectKind, Objects, PublicationLog};
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_publication::identity::identify;
use sports_publication::{Catalog, LeagueRecord, SeasonArchive, SeasonCoverage};

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
    pub fn new(objects: Arc<dyn Objects>, codec: Arc<dyn ArchiveCodec>) -> Self {
        Self { objects, codec, log: None }
    }

    /// The same archives, in which games that were stored without an identity are numbered together with those of the
    /// other archives around their dates, as the newest entry of `log` names them.
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
        if has_identities(&archive) {
            return Ok(archive);
        }
        let newest = match &self.log {
            Some(log) => newest_entry(&**log, season.market.sport).await?,
            None => None,
        };
        let identified = self.identified_in(Arc::new(archive), newest.as_ref().map(|newest| &newest.catalog)).await?;
        Ok(Arc::unwrap_or_clone(identified))
    }

    /// Returns an archive in which each game has its identity among the games of an entry. Games that were stored without
    /// one are numbered together with those of the entry's other archives around their dates.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::read`].
    pub(crate) async fn identified_in(
        &self,
        archive: Arc<SeasonArchive>,
        entry: Option<&Catalog>,
    ) -> Result<Arc<SeasonArchive>, PortError> {
        if has_identities(&archive) {
            return Ok(archive);
        }
        let (sport, place) = (archive.market().sport, (archive.market().model_type, archive.season()));
        let mut record = LeagueRecord::default();
        for other in entry.map(|entry| around(place, entry)).unwrap_or_default() {
            record.archives.insert((other.market.model_type, other.season), self.stored(&other).await?);
        }
        record.archives.insert(place, Arc::unwrap_or_clone(archive));
        identify(sport, &mut record);
        let missing = || PortError::corrupt(PORT, "the archive that was read is missing".to_owned());
        record.archives.remove(&place).map(Arc::new).ok_or_else(missing)
    }

    /// Reads one archive as it is stored.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::read`].
    pub(crate) async fn stored(&self, season: &SeasonRef) -> Result<SeasonArchive, PortError> {
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

#[async_trait]
impl SeasonViews<SeasonArchive> for Archives {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<SeasonArchive>, PortError> {
        self.read(season).await.map(Arc::new)
    }
}

fn has_identities(archive: &SeasonArchive) -> bool {
    archive.games().iter().all(|game| game.facts.game_id.is_some())
}

/// The other archives of a season in an entry, and those of seasons with dates in common.
fn around(place: (ModelType, Season), entry: &Catalog) -> Vec<SeasonRef> {
    let own = entry.results.iter().filter(|((_, of), _)| *of == place.1).map(|(_, entry)| &entry.coverage);
    let first = own.clone().filter_map(|coverage| coverage.first_date).min();
    let last = own.filter_map(|coverage| coverage.last_date).max();
    let overlaps = |coverage: &SeasonCoverage| coverage.first_date <= last && coverage.last_date >= first;
    let others =
        entry.results.iter().filter(|(of, entry)| **of != place && (of.1 == place.1 || overlaps(&entry.coverage)));
    let market = |model_type| Market::new(entry.sport, model_type);
    others.map(|((of, label), entry)| SeasonRef::from_artifact(market(*of), *label, &entry.artifact)).collect()
}
