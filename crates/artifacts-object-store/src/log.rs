use std::hash::{BuildHasher, Hasher, RandomState};

use async_trait::async_trait;
use bytes::Bytes;
use object_store::ObjectStoreExt;
use object_store::path::Path;
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::publication::{Appended, LogEntry, NewerForm, PublicationLog, Unopened};
use sports_ports::{PortError, in_one_line};
use sports_publication::{Catalog, Generation};

use crate::store::ReadError;
use crate::{ArtifactStore, catalog_json, layout};

const PORT: &str = "the publication log";

fn unavailable(source: object_store::Error) -> PortError {
    PortError::unavailable(PORT, source)
}

#[async_trait]
impl PublicationLog for ArtifactStore {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        let names = self.names(&layout::log(sport)).await.map_err(unavailable)?;
        let mut numbers: Vec<_> = names.iter().filter_map(|name| layout::generation(name)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        let corrupt = |reason: String| PortError::corrupt(PORT, format!("entry {generation} of {sport}: {reason}"));
        let bytes = match self.read(&layout::entry(sport, generation)).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(None),
            Err(ReadError::NoObject(what)) => return Err(corrupt(what.to_string())),
            Err(ReadError::Unopened(error)) => {
                let reason = in_one_line(&error);
                return Err(PortError::corrupt(PORT, Unopened { sport, generation, reason }));
            }
            Err(ReadError::Unavailable(error)) => return Err(unavailable(error)),
        };
        let catalog = catalog_json::read(&bytes).map_err(|reason| match reason.downcast::<NewerForm>() {
            Ok(newer) => PortError::corrupt(PORT, *newer),
            Err(reason) => corrupt(reason.to_string()),
        })?;
        if (catalog.sport, catalog.generation) != (sport, generation) {
            return Err(PortError::corrupt(PORT, format!("entry {generation} of {sport} says it is another")));
        }
        Ok(Some(LogEntry { catalog, digest: ObjectHash::from_bytes(&bytes) }))
    }

    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
        let bytes = catalog_json::write(catalog).map_err(|reason| PortError::corrupt(PORT, reason))?;
        let bytes = Bytes::from(bytes);
        let path = layout::entry(catalog.sport, catalog.generation);
        let committed = Appended::Committed { digest: ObjectHash::from_bytes(&bytes) };
        match self.put_if_absent(&path, bytes.clone()).await {
            Ok(true) => Ok(committed),
            // The entry there may be ours, of an earlier attempt whose answer was lost.
            Ok(false) => Ok(if self.holds(&path, &bytes).await? { committed } else { Appended::Taken }),
            Err(error) => match self.holds(&path, &bytes).await {
                Ok(true) => Ok(committed),
                Ok(false) | Err(_) => Err(unavailable(error)),
            },
        }
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        // A name of this probe's own: what an interrupted one left behind must not decide.
        let name = RandomState::new().build_hasher().finish();
        let path = Path::from(format!("probe-{name:016x}"));
        // What has the name says whether this was written: the answer to a write that was tried again may not.
        self.put_if_absent(&path, Bytes::from_static(b"first")).await.map_err(unavailable)?;
        let second = self.put_if_absent(&path, Bytes::from_static(b"second")).await.map_err(unavailable)?;
        let found = self.read(&path).await.map_err(Self::unavailable)?;
        self.in_time(self.store.delete(&path)).await.map_err(unavailable)?;
        Ok(!second && found.as_deref() == Some(b"first"))
    }

    async fn ping(&self) -> Result<(), PortError> {
        // A name that is not used: the answer does not matter, only that there is one.
        match self.read(&Path::from("sign-of-life")).await {
            Err(ReadError::Unavailable(error)) => Err(unavailable(error)),
            _ => Ok(()),
        }
    }
}

impl ArtifactStore {
    async fn holds(&self, path: &Path, bytes: &Bytes) -> Result<bool, PortError> {
        match self.read(path).await {
            Ok(found) => Ok(found.is_some_and(|found| found == *bytes)),
            Err(ReadError::NoObject(_) | ReadError::Unopened(_)) => Ok(false),
            Err(ReadError::Unavailable(error)) => Err(unavailable(error)),
        }
    }

    /// A failure to read a file that is only looked for.
    fn unavailable(error: ReadError) -> PortError {
        match error {
            ReadError::Unavailable(error) => unavailable(error),
            ReadError::NoObject(what) => PortError::corrupt(PORT, what),
            ReadError::Unopened(source) => PortError::corrupt(PORT, source),
        }
    }
}
