//! A text as literals and copies of earlier text.

use std::ops::Range;

/// Some bytes as they are, then a copy of earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sequence {
    /// How many bytes come first.
    pub literals: usize,
    /// How many bytes are copied after them.
    pub length: usize,
    /// How far back they are.
    pub distance: usize,
}

/// What copies are worth to a format.
#[derive(Debug, Clone, Copy)]
pub struct Worth {
    /// The longest distance.
    pub farthest: usize,
    /// The shortest copy from the distance of the copy before, which has a short word in some formats.
    pub repeated: usize,
    /// What such a copy is worth beside its length.
    pub repetition: i32,
}

impl Worth {
    /// What a copied byte saves, and what each bit of a distance costs.
    const BYTE: i32 = 135;
    const BIT: i32 = -30;
    /// Copies that save less are not made.
    const LEAST: i32 = 100;
    /// How much more the copy one byte later must save to be preferred.
    const LATER: i32 = 175;

    fn of_length(length: usize) -> i32 {
        Self::BYTE * i32::try_from(length).unwrap_or(i32::MAX / Self::BYTE)
    }

    fn of_distance(distance: usize) -> i32 {
        Self::BIT * distance.ilog2().cast_signed()
    }
}

/// A copy, and what it saves.
#[derive(Clone, Copy, Default)]
struct Found {
    length: usize,
    distance: usize,
    saving: i32,
}

/// The shortest and the longest copy that every format has.
const SHORTEST: usize = 3;
const LONGEST: usize = 258;

const NONE: u32 = u32::MAX;

/// Finds copies in a text that is read from its beginning to its end.
pub struct Finder<'a> {
    text: &'a [u8],
    /// The latest place of each hash.
    latest: Vec<u32>,
    /// The place before with the same hash, for the last places: twice as many as are within reach.
    before: Vec<u32>,
    /// How many places are looked at.
    depth: usize,
    worth: Worth,
    /// Up to where places are noted.
    noted: usize,
}

impl<'a> Finder<'a> {
    /// Thorough, for texts that are compressed once.
    pub fn thorough(text: &'a [u8], worth: Worth) -> Self {
        Self::new(text, worth, 1 << 15, 64)
    }

    /// Quick, for texts of a request.
    pub fn quick(text: &'a [u8], worth: Worth) -> Self {
        Self::new(text, worth, 1 << 11, 4)
    }

    fn new(text: &'a [u8], worth: Worth, slots: usize, depth: usize) -> Self {
        let places = text.len().next_power_of_two().min(2 * worth.farthest);
        Self { text, latest: vec![NONE; slots], before: vec![NONE; places], depth, worth, noted: 0 }
    }

    /// Splits a range into sequences, and the literals that are left; copies reach back to `earliest`, and no distance is
    /// known at the beginning. Ranges are asked for in their order.
    pub fn split(&mut self, range: Range<usize>, earliest: usize, sequences: &mut Vec<Sequence>) {
        let (mut at, mut literals, mut distance) = (range.start, 0, 0);
        self.note(at);
        while at < range.end {
            let mut found = self.best(at, range.end, earliest, distance);
            self.note(at + 1);
            if let Some(now) = found
                && now.length < 32
                && let Some(next) = self.best(at + 1, range.end, earliest, distance)
                && next.saving >= now.saving + Worth::LATER
            {
                found = None;
            }
            match found {
                None => {
                    literals += 1;
                    at += 1;
                }
                Some(copy) => {
                    sequences.push(Sequence { literals, length: copy.length, distance: copy.distance });
                    (at, literals, distance) = (at + copy.length, 0, copy.distance);
                    self.note(at);
                }
            }
        }
    }

    /// Notes all places before one.
    fn note(&mut self, end: usize) {
        for at in self.noted..end {
            if let Some(slot) = self.slot(at) {
                let ring = self.before.len() - 1;
                self.before[at & ring] = std::mem::replace(&mut self.latest[slot], u32::try_from(at).unwrap_or(NONE));
            }
        }
        self.noted = self.noted.max(end);
    }

    /// The copy to make, if one is worth it.
    fn best(&self, at: usize, end: usize, earliest: usize, repeated: usize) -> Option<Found> {
        let text = &self.text[..end];
        let mut best = Found { saving: Worth::LEAST, ..Found::default() };
        if repeated > 0 && repeated <= at - earliest {
            let length = common(text, at - repeated, at);
            let saving = Worth::of_length(length) + self.worth.repetition;
            if length >= self.worth.repeated && saving > best.saving {
                best = Found { length, distance: repeated, saving };
            }
        }
        let mut place = self.slot(at).map_or(NONE, |slot| self.latest[slot]);
        for _ in 0..self.depth {
            let start = place as usize;
            if place == NONE || start < earliest || at - start > self.worth.farthest {
                break;
            }
            let (length, distance) = (common(text, start, at), at - start);
            let saving = Worth::of_length(length) + Worth::of_distance(distance);
            if length >= SHORTEST && saving > best.saving {
                best = Found { length, distance, saving };
            }
            place = self.before[start & (self.before.len() - 1)];
        }
        (best.distance > 0).then_some(best)
    }

    /// Where the three bytes of a place are noted.
    fn slot(&self, at: usize) -> Option<usize> {
        let [first, second, third] = self.text.get(at..)?.first_chunk()?;
        let bytes = u32::from_le_bytes([*first, *second, *third, 0]);
        Some((bytes.wrapping_mul(0x9E37_79B1) >> (32 - self.latest.len().trailing_zeros())) as usize)
    }
}

/// How many bytes two places have in common.
fn common(text: &[u8], earlier: usize, later: usize) -> usize {
    let (mut length, most) = (0, LONGEST.min(text.len().saturating_sub(later)));
    while length + 8 <= most
        && let (Some(left), Some(right)) =
            (text[earlier + length..].first_chunk::<8>(), text[later + length..].first_chunk::<8>())
    {
        let differing = u64::from_le_bytes(*left) ^ u64::from_le_bytes(*right);
        if differing != 0 {
            return length + differing.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    while length < most && text[earlier + length] == text[later + length] {
        length += 1;
    }
    length
}
