use std::fmt;
use std::sync::Arc;

use sports_transparency::StatedHead;

use crate::Catalog;

/// The head of a league's tree in one line: the league, the number of leaves and the root, such as `nfl 4145 EQAf…=`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordHead(Arc<str>);

impl RecordHead {
    /// Returns the head after an entry; `None` for an entry whose tree is not known yet.
    pub fn of(entry: &Catalog) -> Option<Self> {
        let edge = &entry.tree.as_ref()?.edge;
        let head = StatedHead { sport: entry.sport, size: edge.size(), root: edge.root() };
        Some(Self(head.to_string().into()))
    }

    /// Returns the line.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RecordHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
