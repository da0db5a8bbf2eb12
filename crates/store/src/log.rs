use std::hash::{BuildHasher, Hasher, RandomState};

use async_trait::async_trait;
use bytes::Bytes;
use object_store::ObjectStoreExt;
use object_store::path::Path;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::publication::{Appended, LogEntry, LogRepairs, OtherForm, PublicationLog, SetAside, Unopened};
use sports_ports::{PortError, error_chain};
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
        self.listed_numbers(sport, None).await
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        let mut numbers = self.listed_numbers(sport, Some(generation)).await?;
        numbers.retain(|number| *number > generation);
        Ok(numbers)
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        let corrupt = |reason: String| PortError::corrupt(PORT, format!("entry {generation} of {sport}: {reason}"));
        let bytes = match self.read(&layout::entry(sport, generation)).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(None),
            Err(ReadError::NoObject(reason)) => return Err(corrupt(reason.to_string())),
            Err(ReadError::Unopened(error)) => {
                let reason = error_chain(&error);
                return Err(PortError::corrupt(PORT, Unopened { sport, generation, reason }));
            }
            Err(ReadError::Unavailable(error)) => return Err(unavailable(error)),
        };
        let catalog = catalog_json::read(&bytes).map_err(|reason| match reason.downcast::<OtherForm>() {
            Ok(form) => PortError::corrupt(PORT, *form),
            Err(reason) => corrupt(reason.to_string()),
        })?;
        if (catalog.sport, catalog.generation) != (sport, generation) {
            return Err(PortError::corrupt(PORT, format!("entry {generation} of {sport} is another entry")));
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
            // The entry may be this one, written by an earlier attempt whose response was lost.
            Ok(false) => Ok(if self.holds(&path, &bytes).await? { committed } else { Appended::Taken }),
            Err(error) => match self.holds(&path, &bytes).await {
                Ok(true) => Ok(committed),
                Ok(false) | Err(_) => Err(unavailable(error)),
            },
        }
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        // A random name: a leftover of an interrupted probe must not affect the result.
        let name = RandomState::new().build_hasher().finish();
        let path = Path::from(format!("probe-{name:016x}"));
        // The content shows which write succeeded; the response to a retried write may not.
        self.put_if_absent(&path, Bytes::from_static(b"first")).await.map_err(unavailable)?;
        let second = self.put_if_absent(&path, Bytes::from_static(b"second")).await.map_err(unavailable)?;
        let found = self.read(&path).await.map_err(|error| error.of_port(PORT))?;
        self.in_time(self.store.delete(&path)).await.map_err(unavailable)?;
        Ok(!second && found.as_deref() == Some(b"first"))
    }

    async fn ping(&self) -> Result<(), PortError> {
        // An unused name: any response shows that the store is available.
        match self.read(&Path::from("sign-of-life")).await {
            Err(ReadError::Unavailable(error)) => Err(unavailable(error)),
            _ => Ok(()),
        }
    }
}

impl ArtifactStore {
    /// Lists the numbers of a log; may omit those up to `after`.
    async fn listed_numbers(&self, sport: Sport, after: Option<Generation>) -> Result<Vec<Generation>, PortError> {
        let after = after.map(|generation| layout::entry(sport, generation));
        let names = self.names(&layout::log(sport), after.as_ref()).await.map_err(unavailable)?;
        let mut numbers: Vec<_> = names.iter().filter_map(|name| layout::generation(name)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    async fn holds(&self, path: &Path, bytes: &Bytes) -> Result<bool, PortError> {
        match self.read(path).await {
            Ok(found) => Ok(found.is_some_and(|found| found == *bytes)),
            Err(ReadError::NoObject(_) | ReadError::Unopened(_)) => Ok(false),
            Err(ReadError::Unavailable(error)) => Err(unavailable(error)),
        }
    }
}

// Numbers that were moved out of a log.

#[async_trait]
impl LogRepairs for ArtifactStore {
    async fn set_aside(&self, sport: Sport, generation: Generation) -> Result<SetAside, PortError> {
        let before = self.all_set_aside(sport).await?;
        let count = before.iter().filter(|moved| moved.generation == generation).count() + 1;
        let name = layout::set_aside_name(generation, count);
        let (from, to) = (layout::entry(sport, generation), layout::set_aside(sport).join(name.as_str()));
        self.in_time(self.store.rename(&from, &to)).await.map_err(unavailable)?;
        Ok(SetAside { generation, name })
    }

    async fn all_set_aside(&self, sport: Sport) -> Result<Vec<SetAside>, PortError> {
        let names = self.names(&layout::set_aside(sport), None).await.map_err(unavailable)?;
        let moved = names
            .into_iter()
            .filter_map(|name| Some(SetAside { generation: layout::set_aside_generation(&name)?, name }));
        let mut moved: Vec<_> = moved.collect();
        moved.sort_unstable();
        Ok(moved)
    }
}
