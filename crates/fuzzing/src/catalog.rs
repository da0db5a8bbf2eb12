//! Entries of the publication log.

use sports_artifacts_object_store::ArtifactStore;
use sports_ports::PortError;
use sports_ports::publication::{Appended, PublicationLog as _};
use sports_publication::Generation;

use crate::head;
use crate::runtime::block_on;
use crate::scratch::Scratch;

thread_local! {
    static STORE: Scratch = Scratch::new();
}

/// Reads any bytes as a log's first entry: the result is a catalog of this league, or corrupt. A catalog that is
/// appended to another log is read back equal.
pub fn read(bytes: &[u8]) {
    let Some((sport, bytes)) = head::sport(bytes) else { return };
    STORE.with(|scratch| {
        scratch.write(&format!("sports/{sport}/log/000000000001.json"), bytes);
        let store = ArtifactStore::open(&format!("file:{}", scratch.path().display())).expect("a store");
        block_on(async {
            let entry = match store.entry(sport, Generation::FIRST).await {
                Ok(entry) => entry.expect("it was written"),
                Err(PortError::Corrupt { .. }) => return,
                Err(error) => panic!("the store is there: {error:?}"),
            };
            let other = ArtifactStore::in_memory();
            let Appended::Committed { .. } = other.append(&entry.catalog).await.expect("it can be written") else {
                panic!("an empty log has room");
            };
            let again = other.entry(sport, Generation::FIRST).await.expect("what was written reads");
            assert_eq!(again.expect("it was appended").catalog, entry.catalog, "read back, it differs");
        });
    });
}
