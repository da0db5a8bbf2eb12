//! A scanner for Thrift's compact protocol. It reports integers and the sizes of lists, with their positions.

/// The maximum nesting of structures; those of Parquet need six levels.
const DEEPEST: usize = 16;

/// The error for bytes that are not a structure of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

/// Callbacks for the parts of a structure. A path consists of field ids.
pub trait Visitor {
    /// Receives a list's number of elements. An error ends the scan.
    fn list(&mut self, _path: &[i16], _size: usize) -> Result<(), Malformed> {
        Ok(())
    }

    /// Receives the beginning of a structure, which is an element of a list or a field.
    fn begin(&mut self, _path: &[i16]) {}

    /// Receives an integer field.
    fn number(&mut self, path: &[i16], number: i64);
}

/// Scans a structure and returns its size in bytes.
pub fn visit(bytes: &[u8], visitor: &mut impl Visitor) -> Result<usize, Malformed> {
    let mut reader = Reader { bytes, at: 0, path: Vec::new() };
    reader.structure(visitor)?;
    Ok(reader.at)
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    /// The ids of the fields that enclose the current position.
    path: Vec<i16>,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, Malformed> {
        let byte = *self.bytes.get(self.at).ok_or(Malformed)?;
        self.at += 1;
        Ok(byte)
    }

    fn skip(&mut self, count: usize) -> Result<(), Malformed> {
        self.at = self.at.checked_add(count).filter(|at| *at <= self.bytes.len()).ok_or(Malformed)?;
        Ok(())
    }

    fn unsigned(&mut self) -> Result<u64, Malformed> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Malformed)
    }

    fn signed(&mut self) -> Result<i64, Malformed> {
        let zigzag = self.unsigned()?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    fn structure(&mut self, visitor: &mut impl Visitor) -> Result<(), Malformed> {
        if self.path.len() >= DEEPEST {
            return Err(Malformed);
        }
        visitor.begin(&self.path);
        let mut id = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            id = match head >> 4 {
                0 => i16::try_from(self.signed()?).map_err(|_| Malformed)?,
                delta => id.checked_add(delta.into()).ok_or(Malformed)?,
            };
            self.path.push(id);
            match head & 0x0f {
                TRUE | FALSE => {}
                kind => self.value(kind, visitor)?,
            }
            self.path.pop();
        }
    }

    fn value(&mut self, kind: u8, visitor: &mut impl Visitor) -> Result<(), Malformed> {
        match kind {
            TRUE | FALSE | 3 => self.skip(1),
            4..=6 => {
                let number = self.signed()?;
                visitor.number(&self.path, number);
                Ok(())
            }
            7 => self.skip(8),
            8 => {
                let length = self.unsigned()?;
                self.skip(usize::try_from(length).map_err(|_| Malformed)?)
            }
            9 | 10 => self.list(visitor),
            12 => self.structure(visitor),
            // Parquet has no maps.
            _ => Err(Malformed),
        }
    }

    fn list(&mut self, visitor: &mut impl Visitor) -> Result<(), Malformed> {
        let head = self.byte()?;
        let size = match head >> 4 {
            15 => self.unsigned()?,
            size => size.into(),
        };
        // Every element takes at least one byte.
        let size = usize::try_from(size).ok().filter(|size| *size <= self.bytes.len() - self.at).ok_or(Malformed)?;
        visitor.list(&self.path, size)?;
        if self.path.len() >= DEEPEST {
            return Err(Malformed);
        }
        for _ in 0..size {
            self.value(head & 0x0f, visitor)?;
        }
        Ok(())
    }
}
