use std::collections::HashMap;
use std::collections::hash_map::Entry;

use sports_publication::season_table::MATCH_ID;

use crate::cells;
use crate::findings::Findings;
use crate::game_columns::GameRow;
use crate::layout::Layout;
use crate::table::Row;

/// The characters that an id has at most.
const LONGEST: usize = 64;

fn check_length(id: &str, row: Row<'_>, column: usize, found: &mut Findings) {
    if id.chars().count() > LONGEST {
        found.cell(row, column, format!("an id of at most {LONGEST} characters"));
    }
}

/// The rule for the publisher's ids in files that may have an id more than once.
pub(crate) struct IdRules(Option<usize>);

impl IdRules {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self(layout.find(MATCH_ID))
    }

    pub(crate) fn check(&self, read: &GameRow<'_>, row: Row<'_>, found: &mut Findings) {
        if let (Some(id), Some(column)) = (read.text(MATCH_ID), self.0) {
            check_length(id, row, column, found);
        }
    }
}

/// Reads the publisher's ids of games, and checks that no two rows of a file have the same one.
#[derive(Debug)]
pub(crate) struct MatchIds {
    column: Option<usize>,
    rows: HashMap<String, usize>,
}

impl MatchIds {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self { column: layout.find(MATCH_ID), rows: HashMap::new() }
    }

    pub(crate) fn read(&mut self, row: Row<'_>, found: &mut Findings) -> Option<String> {
        let column = self.column?;
        // The problem of a hidden character is recorded with the other columns.
        let id = cells::text(row.cell(column)).ok()??.into_owned();
        check_length(&id, row, column, found);
        match self.rows.entry(id.clone()) {
            Entry::Vacant(vacant) => {
                vacant.insert(row.number());
            }
            Entry::Occupied(first) => {
                found.cell(row, column, format!("each match_id once; row {} has it already", first.get()));
            }
        }
        Some(id)
    }
}
