use parquet::errors::{ParquetError, Result};

use crate::thrift::{Malformed, Visitor, visit};

/// The limit for a footer, in bytes. A footer with some hundred columns and row groups is smaller.
const LARGEST: usize = 1 << 20;

/// The size of a file's end: the footer's length and the magic bytes.
const TAIL: usize = 8;

/// The path of the list of schema elements in a file's metadata, and of an element's number of children.
const SCHEMA: [i16; 1] = [2];
const CHILDREN: [i16; 2] = [2, 5];

/// Checks a file's footer before it is decoded.
///
/// # Errors
///
/// Returns an error if the footer is malformed, or declares more than `columns` columns, or nested columns.
pub fn check(file: &[u8], columns: usize) -> Result<()> {
    let general = |reason: String| Err(ParquetError::General(reason));
    let Some((before, tail)) = file.len().checked_sub(TAIL).map(|at| file.split_at(at)) else {
        return general("it is too short".to_owned());
    };
    let length = usize::try_from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]])).unwrap_or(usize::MAX);
    if length > LARGEST {
        return general(format!("its footer has {length} bytes, and no more than {LARGEST} are read"));
    }
    let Some(start) = before.len().checked_sub(length) else {
        return general("its footer is larger than the file".to_owned());
    };
    let mut schema = Schema { elements: 0, children: Vec::new(), columns };
    match visit(&before[start..], &mut schema) {
        Err(Malformed) if schema.elements > columns + 1 => {
            general(format!("it has more than {columns} columns, the most that are read"))
        }
        Err(Malformed) => general("its footer cannot be read".to_owned()),
        Ok(_) if !schema.is_consistent() => general("its schema does not add up".to_owned()),
        Ok(_) => Ok(()),
    }
}

/// The schema in a footer, as far as it is checked.
struct Schema {
    elements: usize,
    /// The number of children of each element that has any.
    children: Vec<i64>,
    columns: usize,
}

impl Schema {
    /// Returns `true` if the elements declare no more children than exist: the library allocates memory for the
    /// declared number.
    fn is_consistent(&self) -> bool {
        let declared = self
            .children
            .iter()
            .try_fold(0_i64, |sum, children| if *children < 0 { None } else { sum.checked_add(*children) });
        declared.and_then(|declared| usize::try_from(declared).ok()).is_some_and(|sum| sum < self.elements.max(1))
    }
}

impl Visitor for Schema {
    fn list(&mut self, path: &[i16], size: usize) -> std::result::Result<(), Malformed> {
        if path == SCHEMA {
            self.elements += size;
            // Groups are elements, too. A few are accepted here, and refused later by their names.
            if self.elements > self.columns + 1 {
                return Err(Malformed);
            }
        }
        Ok(())
    }

    fn number(&mut self, path: &[i16], number: i64) {
        if path == CHILDREN {
            self.children.push(number);
        }
    }
}
