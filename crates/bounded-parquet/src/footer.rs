use parquet::errors::{ParquetError, Result};

use crate::thrift::{Malformed, Visitor, visit};

/// A footer of some hundred columns and row groups has less.
const LARGEST: usize = 1 << 20;

/// The footer's length and the mark at the end of a file.
const TAIL: usize = 8;

/// The schema of a file's metadata, as a list of elements, and how many children one has.
const SCHEMA: [i16; 1] = [2];
const CHILDREN: [i16; 2] = [2, 5];

/// Looks at a file's footer before anything is made of it.
///
/// # Errors
///
/// When it is none, or announces more than `columns` columns, or some within others.
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

/// What a footer says of its columns.
struct Schema {
    elements: usize,
    /// Of each element that has any.
    children: Vec<i64>,
    columns: usize,
}

impl Schema {
    /// Whether the elements announce no more children than there are: memory is set aside for as many.
    fn is_consistent(&self) -> bool {
        let announced = self
            .children
            .iter()
            .try_fold(0_i64, |sum, children| if *children < 0 { None } else { sum.checked_add(*children) });
        announced.and_then(|announced| usize::try_from(announced).ok()).is_some_and(|sum| sum < self.elements.max(1))
    }
}

impl Visitor for Schema {
    fn list(&mut self, path: &[i16], size: usize) -> std::result::Result<(), Malformed> {
        if path == SCHEMA {
            self.elements += size;
            // Groups are elements, too; a few are let pass, to be refused by their names.
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
