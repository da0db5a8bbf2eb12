//! How much is read of what a publisher gives. Each is ten times or more what the largest leagues have; beyond it a file
//! is a mistake or an attack, and is named instead of filling the memory.

use std::path::Path;

/// Bytes of one table.
pub(crate) const LARGEST_FILE: u64 = 32 << 20;
/// Bytes of a file in JSON, which is for the games of one slate.
pub(crate) const LARGEST_JSON: u64 = 8 << 20;
/// Bytes of all files of a release together.
pub(crate) const LARGEST_RELEASE: u64 = 256 << 20;
/// Rows of a table, whole or not.
pub(crate) const MOST_ROWS: usize = 50_000;
/// Columns of a table.
pub(crate) const MOST_COLUMNS: usize = 1_000;
/// Cells of a table.
pub(crate) const MOST_CELLS: usize = 4_000_000;
/// Bytes of a column's name.
pub(crate) const LONGEST_NAME: usize = 200;
/// Bytes of a cell.
pub(crate) const LONGEST_CELL: usize = 16 << 10;
/// Problems that are kept of one file.
pub(crate) const MOST_FINDINGS: usize = 10_000;
/// Warnings that are kept of one file, each compared with the others.
pub(crate) const MOST_WARNINGS: usize = 1_000;

/// The bytes that are read of a file with this name.
pub(crate) fn largest(path: &Path) -> u64 {
    if path.extension().is_some_and(|ending| ending == "json") { LARGEST_JSON } else { LARGEST_FILE }
}
