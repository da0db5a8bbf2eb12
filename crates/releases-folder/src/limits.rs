//! Size limits for files from publishers. Each limit is at least ten times the size of the largest leagues' files; a
//! larger file is a mistake or an attack, and is reported instead of filling the memory.

use std::path::Path;

/// Maximum size of one table, in bytes.
pub(crate) const LARGEST_FILE: u64 = 32 << 20;
/// Maximum size of a JSON file, in bytes; JSON files hold the games of one slate.
pub(crate) const LARGEST_JSON: u64 = 8 << 20;
/// Maximum size of all files of a release together, in bytes.
pub(crate) const LARGEST_RELEASE: u64 = 256 << 20;
/// Maximum number of rows of a table, incomplete rows included.
pub(crate) const MOST_ROWS: usize = 50_000;
/// Maximum number of columns of a table.
pub(crate) const MOST_COLUMNS: usize = 1_000;
/// Maximum number of cells of a table.
pub(crate) const MOST_CELLS: usize = 4_000_000;
/// Maximum length of a column name, in bytes.
pub(crate) const LONGEST_NAME: usize = 200;
/// Maximum length of a cell, in bytes.
pub(crate) const LONGEST_CELL: usize = 16 << 10;
/// Maximum number of problems recorded per file.
pub(crate) const MOST_FINDINGS: usize = 10_000;
/// Maximum number of warnings recorded per file; each is compared with the others.
pub(crate) const MOST_WARNINGS: usize = 1_000;

/// Returns the size limit of a file with this name, in bytes.
pub(crate) fn largest(path: &Path) -> u64 {
    if path.extension().is_some_and(|ending| ending == "json") { LARGEST_JSON } else { LARGEST_FILE }
}
