use std::hash::{BuildHasher, Hasher, RandomState};

use async_trait::async_trait;
use bytes::Bytes;
use futures::TryStreamExt;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{Appended, LogEntry, PublicationLog};
use sports_publication::{Catalog, Generation, ObjectHash};

use crate::{ArtifactStore, catalog_json, layout};

const PORT: &str = "the publication log";

fn away(source: object_store::Error) -> PortError {
    PortError::unavailable(PORT, source)
}

#[async_trait]
impl PublicationLog for ArtifactStore {
    async fn newest(&self, sport: Sport) -> Result<Option<Generation>, PortError> {
        self.is_there().map_err(away)?;
        let folder = layout::log(sport);
        let names = self.store.list(Some(&folder)).map_ok(|object| layout::generation(&object.location));
        let newest = names.try_fold(None, |newest, found| async move { Ok(newest.max(found)) });
        self.in_time(newest).await.map_err(away)
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        let Some(bytes) = self.read(&layout::entry(sport, generation)).await.map_err(away)? else { return Ok(None) };
        let catalog = catalog_json::read(&bytes)
            .map_err(|reason| PortError::corrupt(PORT, format!("entry {generation} of {sport}: {reason}")))?;
        if (catalog.sport, catalog.generation) != (sport, generation) {
            return Err(PortError::corrupt(PORT, format!("entry {generation} of {sport} says it is another")));
        }
        Ok(Some(LogEntry { catalog, digest: ObjectHash::of(&bytes) }))
    }

    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
        let bytes = catalog_json::write(catalog).map_err(|reason| PortError::corrupt(PORT, reason))?;
        let bytes = Bytes::from(bytes);
        let path = layout::entry(catalog.sport, catalog.generation);
        let committed = Appended::Committed { digest: ObjectHash::of(&bytes) };
        match self.put_if_absent(&path, bytes.clone()).await {
            Ok(true) => Ok(committed),
            // Ours may stand there already: an earlier attempt whose answer was lost.
            Ok(false) => Ok(if self.stands(&path, &bytes).await? { committed } else { Appended::Taken }),
            Err(error) => match self.stands(&path, &bytes).await {
                Ok(true) => Ok(committed),
                Ok(false) | Err(_) => Err(away(error)),
            },
        }
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        // A name of this probe's own: what an interrupted one left behind must not decide.
        let name = RandomState::new().build_hasher().finish();
        let path = Path::from(format!("probe-{name:016x}"));
        let first = self.put_if_absent(&path, Bytes::from_static(b"first")).await.map_err(away)?;
        let second = self.put_if_absent(&path, Bytes::from_static(b"second")).await.map_err(away)?;
        let stands = self.read(&path).await.map_err(away)?;
        self.in_time(self.store.delete(&path)).await.map_err(away)?;
        Ok(first && !second && stands.as_deref() == Some(b"first"))
    }

    async fn ping(&self) -> Result<(), PortError> {
        // A name nobody uses: whether it is there does not matter, only that the store says so.
        self.read(&Path::from("sign-of-life")).await.map(drop).map_err(away)
    }
}

impl ArtifactStore {
    async fn stands(&self, path: &Path, bytes: &Bytes) -> Result<bool, PortError> {
        Ok(self.read(path).await.map_err(away)?.is_some_and(|found| found == *bytes))
    }
}
