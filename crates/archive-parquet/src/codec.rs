use std::panic::catch_unwind;

use bytes::Bytes;
use sports_domain::{Market, Season};
use sports_ports::PortError;
use sports_ports::publication::ArchiveCodec;
use sports_publication::SeasonArchive;

use crate::{decode, encode};

pub(crate) const PORT: &str = "the season archive format";

/// The Parquet format of season archives.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParquetArchives;

impl ArchiveCodec for ParquetArchives {
    fn encode(&self, archive: &SeasonArchive) -> Result<Bytes, PortError> {
        encode::archive(archive).map(Bytes::from).map_err(|reason| PortError::corrupt(PORT, reason))
    }

    fn decode(&self, market: Market, season: Season, bytes: Bytes) -> Result<SeasonArchive, PortError> {
        // The parquet crate panics on damaged lengths in a file, because it uses them to slice.
        let decoded = catch_unwind(|| decode::archive(market, season, bytes))
            .unwrap_or_else(|_| Err("the file's lengths do not fit its content".into()));
        decoded.map_err(|reason| PortError::corrupt(PORT, reason))
    }
}
