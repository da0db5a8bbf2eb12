//! Zstandard: a block or more for each unit, all with the code of the first.

use crate::bits::{BitWriter, few};
use crate::format::Format;
use crate::prefix_code::{SEEN, Word, lengths};
use crate::sequences::{Sequence, Worth};
use crate::state_code::StateCode;

/// The codes of a frame.
pub struct Zstd {
    literals: Vec<Word>,
    /// How long the words for literals are, as a block has it.
    lengths: Vec<u8>,
    inserted: StateCode,
    distances: StateCode,
    copied: StateCode,
}

/// Literals that have words: ASCII, but for its last character.
const LITERALS: usize = 127;
const LONGEST_WORD: u32 = 11;
/// The most literals of a block, and of its copies.
const MOST_LITERALS: usize = 1000;
const MOST_SEQUENCES: usize = 0x7f00;
const INSERTED: usize = 29;
const COPIED: usize = 44;
const DISTANCES: usize = 19;
const SHORTEST: usize = 3;

impl Format for Zstd {
    const WORTH: Worth = Worth { farthest: 256 * 1024, repeated: 3, repetition: 15 };
    const HISTORIES: &'static [usize] = &[1, 24];

    fn learned(samples: &[(&[u8], Vec<Sequence>)]) -> Self {
        let mut literals = [1; LITERALS];
        let (mut insertions, mut distances, mut copies) = ([1; INSERTED], [1; DISTANCES], [1; COPIED]);
        for (text, sequences) in samples {
            let (mut at, mut last) = (0, 0);
            let mut note = |text: &[u8]| {
                for byte in text.iter().filter(|byte| usize::from(**byte) < LITERALS) {
                    literals[usize::from(*byte)] += SEEN;
                }
            };
            for sequence in sequences {
                note(&text[at..at + sequence.literals]);
                insertions[inserted(sequence.literals.min(MOST_LITERALS)).0] += SEEN;
                copies[copied(sequence.length).0] += SEEN;
                distances[distance(sequence, last).0] += SEEN;
                at += sequence.literals + sequence.length;
                last = sequence.distance;
            }
            note(&text[at..]);
        }
        let of_literals = lengths(&literals, LONGEST_WORD);
        let longest = of_literals.iter().copied().max().unwrap_or(0);
        let weights: Vec<_> =
            of_literals.iter().map(|length| u8::try_from(longest + 1 - length).unwrap_or(0)).collect();
        // The weight of the last literal follows from the others.
        let mut lengths = vec![127 + u8::try_from(LITERALS - 1).unwrap_or(0)];
        lengths.extend(weights[..LITERALS - 1].chunks(2).map(|pair| (pair[0] << 4) | pair.get(1).unwrap_or(&0)));
        Self {
            literals: words_by_weight(&of_literals),
            lengths,
            inserted: StateCode::new(&insertions, 8),
            distances: StateCode::new(&distances, 8),
            copied: StateCode::new(&copies, 8),
        }
    }

    fn begin(&self, size: usize) -> Option<BitWriter> {
        let size = u32::try_from(size).ok()?;
        // The magic number; four bytes of size, no checksum; a window of 1 MiB.
        let head = [&[0x28, 0xb5, 0x2f, 0xfd, 0b1000_0000, 10 << 3], &size.to_le_bytes()[..]].concat();
        Some(BitWriter::after(head))
    }

    fn open(&self, text: &[u8], sequences: &[Sequence], out: &mut BitWriter) -> Option<()> {
        // The first block has the codes, so it has a sequence and no raw bytes: what is before the rows is enough.
        let first = sequences.first()?;
        let (before, rest) = text.split_at(first.literals + first.length);
        let first = Block { text: before, sequences: vec![*first] };
        if first.text.len() > MOST_LITERALS || !first.has_words() {
            return None;
        }
        self.compressed(&first, true, out);
        self.write(rest, &sequences[1..], out);
        Some(())
    }

    fn write(&self, text: &[u8], sequences: &[Sequence], out: &mut BitWriter) {
        Blocks { text, rest: sequences, literals: 0 }.for_each(|block| self.block(&block, out));
    }

    fn close(&self, text: &[u8], out: &mut BitWriter) {
        self.write(text, &[], out);
        // An empty block of raw bytes is the last.
        out.put(1, 24);
    }
}

/// What becomes a block.
struct Block<'a> {
    text: &'a [u8],
    sequences: Vec<Sequence>,
}

/// The blocks of a unit.
struct Blocks<'a> {
    text: &'a [u8],
    rest: &'a [Sequence],
    /// Literals of the first sequence that were in blocks before.
    literals: usize,
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        let (mut sequences, mut room, mut size) = (Vec::with_capacity(self.rest.len()), MOST_LITERALS, 0);
        while let Some(sequence) = self.rest.first()
            && sequence.literals - self.literals <= room
            && sequences.len() < MOST_SEQUENCES
        {
            let sequence = Sequence { literals: sequence.literals - self.literals, ..*sequence };
            room -= sequence.literals;
            size += sequence.literals + sequence.length;
            sequences.push(sequence);
            (self.rest, self.literals) = (&self.rest[1..], 0);
        }
        if sequences.len() < MOST_SEQUENCES {
            let left = self.rest.first().map_or(self.text.len() - size, |next| next.literals - self.literals);
            let literals = left.min(room);
            size += literals;
            self.literals += if self.rest.is_empty() { 0 } else { literals };
        }
        let (text, rest) = self.text.split_at(size);
        self.text = rest;
        (!text.is_empty()).then_some(Block { text, sequences })
    }
}

impl Block<'_> {
    /// Whether its literals have words.
    fn has_words(&self) -> bool {
        self.literals().flatten().all(|byte| usize::from(*byte) < LITERALS)
    }

    /// The parts of its text that are no copies.
    fn literals(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        let mut at = 0;
        let mut parts = Vec::with_capacity(self.sequences.len() + 1);
        for sequence in &self.sequences {
            parts.push(&self.text[at..at + sequence.literals]);
            at += sequence.literals + sequence.length;
        }
        parts.push(&self.text[at..]);
        parts.into_iter()
    }
}

impl Zstd {
    fn block(&self, block: &Block<'_>, out: &mut BitWriter) {
        if block.has_words() {
            self.compressed(block, false, out);
        } else {
            head(block.text.len(), 0, out);
            out.bytes(block.text);
        }
    }

    fn compressed(&self, block: &Block<'_>, first: bool, out: &mut BitWriter) {
        let mut literals = BitWriter::default();
        let mut count = 0;
        for byte in block.literals().rev().flat_map(|part| part.iter().rev()) {
            literals.word(self.literals[usize::from(*byte)]);
            count += 1;
        }
        let mut body = BitWriter::default();
        if count == 0 {
            body.put(0, 8);
        } else {
            literals.put(1, 1);
            let literals = literals.finish();
            let of_lengths: &[u8] = if first { &self.lengths } else { &[] };
            let size = few(of_lengths.len() + literals.len());
            // One stream, by a code of its own or by that of the block before.
            body.put((if first { 2 } else { 3 }) | (few(count) << 4) | (size << 14), 24);
            body.bytes(of_lengths);
            body.bytes(&literals);
        }
        self.sequences(&block.sequences, first, &mut body);
        let body = body.finish();
        head(body.len(), 2, out);
        out.bytes(&body);
    }

    fn sequences(&self, sequences: &[Sequence], first: bool, body: &mut BitWriter) {
        let Some((last, others)) = sequences.split_last() else { return body.put(0, 8) };
        let number = few(sequences.len());
        if number < 128 {
            body.put(number, 8);
        } else {
            body.put((128 + (number >> 8)) | ((number & 255) << 8), 16);
        }
        body.put(if first { 0b1010_1000 } else { 0b1111_1100 }, 8);
        if first {
            for code in [&self.inserted, &self.distances, &self.copied] {
                let mut table = BitWriter::default();
                code.write(&mut table);
                body.bytes(&table.finish());
            }
        }
        let before = |index: usize| if index > 0 { sequences[index - 1].distance } else { 0 };
        let parts = |sequence: &Sequence, last| {
            (inserted(sequence.literals), distance(sequence, last), copied(sequence.length))
        };
        let extra = |(inserted, distance, copied): (Coded, Coded, Coded), out: &mut BitWriter| {
            out.put(inserted.2, inserted.1);
            out.put(copied.2, copied.1);
            out.put(distance.2, distance.1);
        };
        let mut out = BitWriter::default();
        let of_last = parts(last, before(others.len()));
        let mut states =
            (self.inserted.last(of_last.0.0), self.distances.last(of_last.1.0), self.copied.last(of_last.2.0));
        extra(of_last, &mut out);
        for (index, sequence) in others.iter().enumerate().rev() {
            let parts = parts(sequence, before(index));
            self.distances.before(parts.1.0, &mut states.1, &mut out);
            self.copied.before(parts.2.0, &mut states.2, &mut out);
            self.inserted.before(parts.0.0, &mut states.0, &mut out);
            extra(parts, &mut out);
        }
        self.copied.first(states.2, &mut out);
        self.distances.first(states.1, &mut out);
        self.inserted.first(states.0, &mut out);
        out.put(1, 1);
        body.bytes(&out.finish());
    }
}

/// A symbol, the number of extra bits, and these.
type Coded = (usize, u32, u32);

fn head(size: usize, kind: u32, out: &mut BitWriter) {
    out.put((kind << 1) | (few(size) << 3), 24);
}

fn inserted(literals: usize) -> Coded {
    const BITS: [u32; 9] = [1, 1, 1, 1, 2, 2, 3, 3, 4];
    match literals {
        0..16 => (literals, 0, 0),
        16..64 => beyond(literals, 16, 16, &BITS),
        _ => {
            let bits = literals.ilog2();
            (19 + bits as usize, bits, few(literals - (1 << bits)))
        }
    }
}

fn copied(length: usize) -> Coded {
    const BITS: [u32; 12] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7];
    match length - SHORTEST {
        number @ 0..32 => (number, 0, 0),
        number => beyond(number, 32, 32, &BITS),
    }
}

fn beyond(number: usize, mut base: usize, first: usize, bits: &[u32]) -> Coded {
    for (code, bits) in (first..).zip(bits) {
        if number < base + (1 << bits) {
            return (code, *bits, few(number - base));
        }
        base += 1 << bits;
    }
    (first, 0, 0)
}

/// The distance of a copy; `last` is that of the one before it in its block, or 0.
fn distance(sequence: &Sequence, last: usize) -> Coded {
    if sequence.distance == last && sequence.literals > 0 {
        return (0, 0, 0);
    }
    let number = sequence.distance + 3;
    let bits = number.ilog2();
    (bits as usize, bits, few(number - (1 << bits)))
}

/// The words of the code for literals: the longest are the lowest numbers, and are read from their highest bit on.
fn words_by_weight(lengths: &[u32]) -> Vec<Word> {
    let mut words = vec![Word::default(); lengths.len()];
    let mut next = 0;
    for length in (1..=lengths.iter().copied().max().unwrap_or(0)).rev() {
        for (word, _) in words.iter_mut().zip(lengths).filter(|(_, of)| **of == length) {
            *word = Word { bits: next, length };
            next += 1;
        }
        next >>= 1;
    }
    words
}
