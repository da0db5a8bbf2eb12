//! Brotli: one meta-block.

use crate::bits::{BitSlice, BitWriter, few};
use crate::format::Format;
use crate::prefix_code::{SEEN, Word, lengths, words};
use crate::sequences::{Sequence, Worth};

/// The code of a meta-block.
pub struct Brotli {
    literals: Vec<Word>,
    commands: Vec<Word>,
    distances: Vec<Word>,
    /// The meta-block's head behind its size.
    head: Vec<u8>,
    head_bits: u64,
}

const COMMANDS: usize = 704;
const DISTANCES: usize = 64;
/// The most bytes that a meta-block has.
const MOST: usize = 1 << 24;
/// The shortest copy.
const PAIR: usize = 2;

/// Numbers are written as a code and some extra bits: how many of these each code has.
const INSERTED_BITS: [u32; 24] = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24];
const COPIED_BITS: [u32; 24] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24];

impl Format for Brotli {
    const WORTH: Worth = Worth { farthest: 256 * 1024, repeated: 2, repetition: 15 };
    const HISTORIES: &'static [usize] = &[1, 24];

    fn learned(samples: &[(&[u8], Vec<Sequence>)]) -> Self {
        let (mut literals, mut commands, mut distances) = ([1; 256], [1; COMMANDS], [1; DISTANCES]);
        for (text, sequences) in samples {
            let (mut at, mut last) = (0, 0);
            for sequence in sequences {
                text[at..at + sequence.literals].iter().for_each(|byte| literals[usize::from(*byte)] += SEEN);
                let (inserted, copied) = (inserted(sequence.literals), copied(sequence.length));
                commands[command(inserted.0, copied.0)] += SEEN;
                distances[distance(sequence.distance, last).0] += SEEN;
                at += sequence.literals + sequence.length;
                last = sequence.distance;
            }
            text[at..].iter().for_each(|byte| literals[usize::from(*byte)] += SEEN);
        }
        let [literals, commands, distances] = [&literals[..], &commands, &distances].map(|counts| lengths(counts, 15));
        let mut head = BitWriter::default();
        // One type of block each; distances without postfix; literals of any context have one code, distances, too.
        head.put(0, 3 + 6 + 2 + 2);
        for lengths in [&literals, &commands, &distances] {
            write_lengths(lengths, &mut head);
        }
        let head_bits = head.len();
        let [literals, commands, distances] = [literals, commands, distances].map(|lengths| words(&lengths));
        Self { literals, commands, distances, head: head.finish(), head_bits }
    }

    fn begin(&self, size: usize) -> Option<BitWriter> {
        let size = u32::try_from(size.checked_sub(1).filter(|size| *size < MOST)?).ok()?;
        let mut out = BitWriter::default();
        // A window of 4 MiB; the last meta-block; not empty.
        out.put(0b1011, 4);
        out.put(0b01, 2);
        let nibbles = [4, 5, 6].into_iter().find(|nibbles| size < 1 << (4 * nibbles))?;
        out.put(nibbles - 4, 2);
        out.put(size, 4 * nibbles);
        out.append(BitSlice::new(&self.head, 0, self.head_bits));
        Some(out)
    }

    fn write(&self, text: &[u8], sequences: &[Sequence], out: &mut BitWriter) {
        let (mut at, mut last) = (0, 0);
        for sequence in sequences {
            self.command(&text[at..at + sequence.literals], sequence.length, out);
            let (symbol, bits, extra) = distance(sequence.distance, last);
            out.word(self.distances[symbol]);
            out.put(extra, bits);
            at += sequence.literals + sequence.length;
            last = sequence.distance;
        }
    }

    fn close(&self, text: &[u8], out: &mut BitWriter) {
        // The text ends before the command's copy.
        if !text.is_empty() {
            self.command(text, PAIR, out);
        }
    }

    /// Literals are written with the copy behind them, so a unit ends with a copy: at the latest place whose last two bytes
    /// are in the row already.
    fn end_of_unit(row: &[u8]) -> Option<usize> {
        (PAIR + 1..=row.len()).rev().find(|end| pair_before(&row[..*end]).is_some())
    }

    fn complete(text: &[u8], unit: usize, sequences: &mut Vec<Sequence>) {
        let split: usize = sequences.iter().map(|sequence| sequence.literals + sequence.length).sum();
        let mut left = unit - split;
        if left == 0 {
            return;
        }
        // A copy of the last two bytes, for one of which the copy before may have to make room.
        if left < PAIR
            && let Some(before) = sequences.pop()
        {
            if before.length > PAIR {
                sequences.push(Sequence { length: before.length - 1, ..before });
                left += 1;
            } else {
                left += before.literals + before.length;
            }
        }
        if let Some(distance) = pair_before(text) {
            sequences.push(Sequence { literals: left - PAIR, length: PAIR, distance });
        }
    }
}

/// How far back the last two bytes of a text are, too.
fn pair_before(text: &[u8]) -> Option<usize> {
    let (before, pair) = text.split_at(text.len().checked_sub(PAIR)?);
    let also = |start: &usize| text[*start..*start + PAIR] == *pair;
    (0..before.len()).rev().find(also).map(|start| before.len() - start)
}

impl Brotli {
    /// Literals and how long the copy behind them is.
    fn command(&self, literals: &[u8], length: usize, out: &mut BitWriter) {
        let (inserted, copied) = (inserted(literals.len()), copied(length));
        out.word(self.commands[command(inserted.0, copied.0)]);
        out.put(inserted.2, inserted.1);
        out.put(copied.2, copied.1);
        for byte in literals {
            out.word(self.literals[usize::from(*byte)]);
        }
    }
}

fn inserted(literals: usize) -> (usize, u32, u32) {
    coded(literals, 0, &INSERTED_BITS)
}

fn copied(length: usize) -> (usize, u32, u32) {
    coded(length, PAIR, &COPIED_BITS)
}

/// The code of a number, the number of extra bits, and these.
fn coded(number: usize, least: usize, bits: &[u32; 24]) -> (usize, u32, u32) {
    let mut base = least;
    for (code, bits) in bits.iter().enumerate() {
        if number < base + (1 << bits) {
            return (code, *bits, few(number - base));
        }
        base += 1 << bits;
    }
    (0, 0, 0)
}

/// The symbol of both numbers of a command that is followed by its distance.
fn command(inserted: usize, copied: usize) -> usize {
    const CELLS: [[usize; 3]; 3] = [[2, 3, 6], [4, 5, 8], [7, 9, 10]];
    (CELLS[inserted / 8][copied / 8] << 6) + ((inserted % 8) << 3) + copied % 8
}

/// A distance's symbol, the number of extra bits, and these; `last` is the distance before it, or 0.
fn distance(distance: usize, last: usize) -> (usize, u32, u32) {
    if last > 0 {
        let symbol = match distance.abs_diff(last) {
            0 => Some(0),
            by @ 1..=3 => Some(2 + 2 * by + usize::from(distance > last)),
            _ => None,
        };
        if let Some(symbol) = symbol {
            return (symbol, 0, 0);
        }
    }
    let shifted = distance + 3;
    let bits = shifted.ilog2() - 1;
    let half = (shifted >> bits) & 1;
    (16 + 2 * (bits as usize - 1) + half, bits, few(shifted - ((2 + half) << bits)))
}

/// Writes the lengths of a code, themselves in a code.
fn write_lengths(of: &[u32], out: &mut BitWriter) {
    const ORDER: [usize; 18] = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    const LENGTHS: [(u32, u32); 6] = [(0, 2), (7, 4), (3, 3), (2, 2), (1, 2), (15, 4)];
    const AGAIN: usize = 16;
    let mut coded = Vec::new();
    for run in of.chunk_by(|left, right| left == right) {
        let length = run[0] as usize;
        coded.push((length, 0));
        match run.len() - 1 {
            again @ 0..3 => coded.extend((0..again).map(|_| (length, 0))),
            again => {
                // Each repetition multiplies what those before it said.
                let (mut rest, first) = (again - 3, coded.len());
                loop {
                    coded.insert(first, (AGAIN, few(rest & 3)));
                    rest >>= 2;
                    if rest == 0 {
                        break;
                    }
                    rest -= 1;
                }
            }
        }
    }
    let mut counts = [0; 18];
    for (symbol, _) in &coded {
        counts[*symbol] += 1;
    }
    let of_lengths = lengths(&counts, 5);
    let words = words(&of_lengths);
    out.put(0, 2);
    let last = ORDER.iter().rposition(|symbol| of_lengths[*symbol] > 0).unwrap_or(0);
    for symbol in &ORDER[..=last] {
        let (bits, count) = LENGTHS[of_lengths[*symbol] as usize];
        out.put(bits, count);
    }
    for (symbol, extra) in coded {
        out.word(words[symbol]);
        if symbol == AGAIN {
            out.put(extra, 2);
        }
    }
}
