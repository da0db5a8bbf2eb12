use crate::bits::BitWriter;
use crate::sequences::{Sequence, Worth};

/// A format of compressed text, with one code for a whole season.
///
/// A text is split into units, and each unit into sequences and the literals behind them. The bits of units can be put one
/// behind the other in any order that makes their copies right.
pub trait Format: Sized {
    /// Which copies are worth it.
    const WORTH: Worth;
    /// From how many rows before it a row may copy, in each stream: the first of one, each more than the one before.
    const HISTORIES: &'static [usize];
    /// Whether a page ends with a checksum of its text.
    const HAS_CHECKSUM: bool = false;

    /// The code that makes such units shortest; every other unit has bits, too.
    fn learned(samples: &[(&[u8], Vec<Sequence>)]) -> Self;

    /// What comes before the first unit of a text of that many bytes; `None` where there cannot be so many.
    fn begin(&self, size: usize) -> Option<BitWriter>;

    /// Writes the first unit; `None` where it cannot be the first.
    fn open(&self, text: &[u8], sequences: &[Sequence], out: &mut BitWriter) -> Option<()> {
        self.write(text, sequences, out);
        Some(())
    }

    /// Writes a unit.
    fn write(&self, text: &[u8], sequences: &[Sequence], out: &mut BitWriter);

    /// Writes the last unit.
    fn close(&self, text: &[u8], out: &mut BitWriter);

    /// What comes behind a text.
    fn end(_checksum: u32, _size: usize, _out: &mut Vec<u8>) {}

    /// Where the unit of a row ends, in bytes from the row's beginning; what is left belongs to the next.
    fn end_of_unit(row: &[u8]) -> Option<usize> {
        Some(row.len())
    }

    /// Makes the last `_unit` bytes of a text a unit that others can follow.
    fn complete(_text: &[u8], _unit: usize, _sequences: &mut Vec<Sequence>) {}
}
