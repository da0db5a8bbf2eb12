use std::fs;
use std::ops::Range;

use futures::TryStreamExt;
use sports_content::ObjectHash;
use sports_ports::datasets::{DatasetFiles, StoredFile};

async fn put(files: &impl DatasetFiles, bytes: &[u8]) -> StoredFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), bytes).expect("written");
    files.put_file(file.path()).await.expect("put_file answers")
}

async fn read(files: &impl DatasetFiles, object: &ObjectHash, range: Range<u64>) -> Vec<u8> {
    let pieces = files.read_file(object, range).await.expect("read_file answers").expect("it is there");
    pieces.try_collect::<Vec<_>>().await.expect("every piece").concat()
}

/// Reads the whole file, the first byte, the last byte and the middle.
pub async fn a_file_reads_back_whole_and_in_part(files: &impl DatasetFiles) {
    let bytes = b"date,home,away\n2024-11-24,chi,min\n";
    let StoredFile { object, bytes: size, written } = put(files, bytes).await;
    assert_eq!((object, size, written), (ObjectHash::from_bytes(bytes), 34, true));
    assert_eq!(files.file_size(&object).await.expect("file_size answers"), Some(34));
    for range in [0..34, 0..1, 33..34, 15..25] {
        let expected = &bytes[usize::try_from(range.start).expect("small")..usize::try_from(range.end).expect("small")];
        assert_eq!(read(files, &object, range).await, expected);
    }
}

/// Checks that storing a file again writes nothing.
pub async fn the_same_bytes_have_the_same_name(files: &impl DatasetFiles) {
    let first = put(files, b"once").await;
    assert_eq!(put(files, b"once").await, StoredFile { written: false, ..first });
    assert_eq!(read(files, &first.object, 0..4).await, b"once");
}

/// Checks that absence is not a failure.
pub async fn an_object_that_was_never_put_is_absent(files: &impl DatasetFiles) {
    let object = ObjectHash::from_bytes(b"never put");
    assert_eq!(files.file_size(&object).await.expect("absence is no failure"), None);
    assert!(files.read_file(&object, 0..1).await.expect("absence is no failure").is_none());
}

/// Checks that a missing file and a folder are errors.
pub async fn a_file_that_is_not_there_is_not_stored(files: &impl DatasetFiles) {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(files.put_file(&folder.path().join("missing.csv")).await.is_err());
    assert!(files.put_file(folder.path()).await.is_err());
}

/// Reads a file that exceeds the size of one request to any store.
pub async fn a_large_file_reads_back_in_order(files: &impl DatasetFiles) {
    let large: Vec<u8> = (0..12_000_000_u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let stored = put(files, &large).await;
    assert_eq!(stored.object, ObjectHash::from_bytes(&large));
    assert!(read(files, &stored.object, 0..12_000_000).await == large);
    assert!(read(files, &stored.object, 7_999_990..8_000_010).await == large[7_999_990..8_000_010]);
}
