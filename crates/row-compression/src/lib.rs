#![doc = include_str!("../README.md")]

mod bits;
mod brotli;
mod format;
mod gzip;
mod prefix_code;
mod rows;
mod season;
mod sequences;
mod state_code;
mod turns;
mod zstd;

use std::ops::Range;

pub use rows::Rows;

use brotli::Brotli;
use gzip::Gzip;
use season::Season;
use zstd::Zstd;

/// A compressed format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Gzip.
    Gzip,
    /// Brotli.
    Brotli,
    /// Zstandard.
    Zstd,
}

impl Compression {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Gzip, Self::Brotli, Self::Zstd];
}

/// Compressed rows of which any run can be put into a page.
pub struct CompressedRows(Formats);

enum Formats {
    Gzip(Box<Season<Gzip>>),
    Brotli(Box<Season<Brotli>>),
    Zstd(Box<Season<Zstd>>),
}

impl CompressedRows {
    /// Compresses rows; `None` where the format cannot have them in parts. That does not happen to JSON objects of several
    /// fields.
    #[must_use]
    pub fn new(compression: Compression, rows: Rows<'_>) -> Option<Self> {
        let formats = match compression {
            Compression::Gzip => Formats::Gzip(Box::new(Season::new(rows)?)),
            Compression::Brotli => Formats::Brotli(Box::new(Season::new(rows)?)),
            Compression::Zstd => Formats::Zstd(Box::new(Season::new(rows)?)),
        };
        Some(Self(formats))
    }

    /// A page: `head`, a range of the rows that were compressed, with their separators between them, and `tail`. `None` where
    /// the format cannot have it, which is so for pages of 16 MiB and more. Equal pages are equal bytes.
    ///
    /// # Panics
    ///
    /// If there are not that many rows.
    #[must_use]
    pub fn page(&self, head: &[u8], rows: Rows<'_>, range: Range<usize>, tail: &[u8]) -> Option<Vec<u8>> {
        match &self.0 {
            Formats::Gzip(season) => season.page(head, rows, range, tail),
            Formats::Brotli(season) => season.page(head, rows, range, tail),
            Formats::Zstd(season) => season.page(head, rows, range, tail),
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn weight(&self) -> usize {
        match &self.0 {
            Formats::Gzip(season) => season.weight(),
            Formats::Brotli(season) => season.weight(),
            Formats::Zstd(season) => season.weight(),
        }
    }
}
