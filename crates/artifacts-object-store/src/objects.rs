use async_trait::async_trait;
use bytes::Bytes;
use object_store::{ObjectStoreExt, PutPayload};
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{ObjectKind, Objects};

use crate::store::ReadError;
use crate::{ArtifactStore, layout};

const PORT: &str = "the object store";

fn unavailable(source: object_store::Error) -> PortError {
    PortError::unavailable(PORT, source)
}

fn unreadable(error: ReadError) -> PortError {
    error.of_port(PORT)
}

#[async_trait]
impl Objects for ArtifactStore {
    async fn put(&self, sport: Sport, kind: ObjectKind, bytes: Bytes) -> Result<ObjectHash, PortError> {
        let hash = ObjectHash::from_bytes(&bytes);
        let path = layout::object(sport, kind, &hash);
        let written = self.put_if_absent(&path, bytes.clone()).await.map_err(unavailable)?;
        if !written && self.read(&path).await.map_err(unreadable)?.as_ref() != Some(&bytes) {
            // The stored bytes were damaged and do not hash to their name. They are overwritten.
            self.in_time(self.store.put(&path, PutPayload::from(bytes))).await.map_err(unavailable)?;
        }
        Ok(hash)
    }

    async fn get(&self, sport: Sport, kind: ObjectKind, object: &ObjectHash) -> Result<Option<Bytes>, PortError> {
        let path = layout::object(sport, kind, object);
        let Some(bytes) = self.read(&path).await.map_err(unreadable)? else { return Ok(None) };
        if ObjectHash::from_bytes(&bytes) == *object {
            Ok(Some(bytes))
        } else {
            Err(PortError::corrupt(PORT, format!("the bytes of {path} do not hash to its name")))
        }
    }
}
