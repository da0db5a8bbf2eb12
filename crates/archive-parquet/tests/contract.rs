//! The codec's contract, and bytes that are no archive.

use bytes::Bytes;
use proptest::prelude::*;
use sports_archive_parquet::ParquetArchives;
use sports_bounded_parquet::testing::bombs;
use sports_ports::PortError;
use sports_ports::publication::ArchiveCodec;
use sports_testkit::publication::contract;

#[test]
fn parquet_archives_keep_the_contract() {
    contract::codec(&ParquetArchives);
}

#[test]
fn small_files_that_stand_for_more_are_no_archives() {
    let archive = contract::an_archive();
    for (what, bytes) in bombs() {
        let decoded = ParquetArchives.decode(archive.market(), archive.season(), Bytes::from(bytes));
        assert!(matches!(decoded, Err(PortError::Corrupt { .. })), "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A file with some bytes changed reads as an archive or is refused; it never panics.
    #[test]
    fn spoilt_bytes_are_refused(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let archive = contract::an_archive();
        let mut bytes = ParquetArchives.encode(&archive).expect("encodes").to_vec();
        for (index, byte) in changes {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        let decoded = ParquetArchives.decode(archive.market(), archive.season(), Bytes::from(bytes));
        let kept = matches!(decoded, Ok(_) | Err(PortError::Corrupt { .. }));
        prop_assert!(kept, "{decoded:?}");
    }
}
