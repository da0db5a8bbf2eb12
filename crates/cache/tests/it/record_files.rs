//! Files of the record behind the cache.

use std::sync::Arc;

use bytes::Bytes;
use sports_cache::{CachedRecordFiles, ContentCache};
use sports_domain::Sport;
use sports_ports::record::{RecordFile, RecordFiles as _};
use sports_testkit::publication::{StoreFake, contract};

#[tokio::test]
async fn cached_files_keep_the_contract() {
    contract::record_files(&CachedRecordFiles::new(Arc::new(StoreFake::default()), &ContentCache::new(10_000))).await;
}

#[tokio::test]
async fn a_file_is_read_once_and_an_absent_one_each_time() {
    let store = Arc::new(StoreFake::default());
    let cached = CachedRecordFiles::new(Arc::clone(&store) as _, &ContentCache::new(10_000));
    let file = RecordFile::Tile(Sport::Nfl, "0/000".parse().expect("a tile"));
    assert_eq!(cached.record_file(&file).await.expect("reads"), None);
    let bytes = Bytes::from_static(b"hashes");
    let _ = store.put_record_file(&file, bytes.clone()).await.expect("stored");
    assert_eq!(cached.record_file(&file).await.expect("reads"), Some(bytes.clone()));
    store.set_unavailable(true);
    assert_eq!(cached.record_file(&file).await.expect("kept"), Some(bytes));
}
