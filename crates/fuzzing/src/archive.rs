//! Season archives.

use bytes::Bytes;
use serde_json::{Map, Value};
use sports_archive_parquet::ParquetArchives;
use sports_domain::{Market, ModelType};
use sports_paging::{Order, PageRows};
use sports_ports::publication::ArchiveCodec;
use sports_ports::tables::TableFormat;
use sports_publication::SeasonArchive;
use sports_row_formats::{RenderedSeason, SeasonTable, TabularSeason};

use crate::head;

/// Decodes any bytes as an archive. If this succeeds, the archive encodes to the same bytes each time, these decode
/// to an equal archive, and it can be served.
pub fn decode(bytes: &[u8]) {
    let _ = decoded(bytes);
}

fn decoded(bytes: &[u8]) -> Option<()> {
    let (model_type, rest) = head::choice(&ModelType::ALL, bytes)?;
    let (sport, season, bytes) = head::season(rest)?;
    let market = Market::new(sport, model_type);
    let archive = ParquetArchives.decode(market, season, Bytes::copy_from_slice(bytes)).ok()?;
    let encoded = ArchiveCodec::encode(&ParquetArchives, &archive).expect("what decodes encodes");
    assert_eq!(
        ArchiveCodec::encode(&ParquetArchives, &archive).expect("what decodes encodes"),
        encoded,
        "encoded by other bytes"
    );
    let again = ParquetArchives.decode(market, season, encoded).expect("what was encoded decodes");
    assert_eq!(again, archive, "decoded to another archive");
    check_served(archive);
    Some(())
}

/// Checks that its rows can be served as JSON and as a table.
fn check_served(archive: SeasonArchive) {
    let count = archive.games().len();
    let table = TabularSeason::from_archive(archive.clone());
    let season = RenderedSeason::from_archive(archive);
    let rows = [b"[", &season.json(Order::NewestFirst).slice(&(0..count))[..], b"]"].concat();
    let rows: Vec<Map<String, Value>> = serde_json::from_slice(&rows).expect("rows are JSON");
    assert_eq!(rows.len(), count, "a row for each game");
    TableFormat::encode(&ParquetArchives, table.table(Order::OldestFirst, &PageRows::Run(0..count)))
        .expect("a table can be written");
}
