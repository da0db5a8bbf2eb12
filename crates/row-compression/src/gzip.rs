//! Gzip: one block of deflate.

use crate::bits::{BitSlice, BitWriter, few};
use crate::format::Format;
use crate::prefix_code::{SEEN, Word, lengths, words};
use crate::sequences::{Sequence, Worth};

/// The code of a block.
pub struct Gzip {
    symbols: Vec<Word>,
    distances: Vec<Word>,
    /// What a stream begins with: the member's head and the block's with its code.
    head: Vec<u8>,
    head_bits: u64,
}

/// The head of a gzip member: nothing is known of a file, a time or a system.
const MEMBER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
const END_OF_BLOCK: usize = 256;
const SYMBOLS: usize = 286;
const DISTANCES: usize = 30;

impl Format for Gzip {
    const WORTH: Worth = Worth { farthest: 32 * 1024, repeated: 3, repetition: -240 };
    const HISTORIES: &'static [usize] = &[1, 16];
    const HAS_CHECKSUM: bool = true;

    fn learned(samples: &[(&[u8], Vec<Sequence>)]) -> Self {
        let (mut symbols, mut distances) = ([1; SYMBOLS], [1; DISTANCES]);
        for (text, sequences) in samples {
            let mut at = 0;
            for sequence in sequences {
                text[at..at + sequence.literals].iter().for_each(|byte| symbols[usize::from(*byte)] += SEEN);
                symbols[length(sequence.length).0] += SEEN;
                distances[distance(sequence.distance).0] += SEEN;
                at += sequence.literals + sequence.length;
            }
            text[at..].iter().for_each(|byte| symbols[usize::from(*byte)] += SEEN);
        }
        let (symbols, distances) = (lengths(&symbols, 15), lengths(&distances, 15));
        let mut head = BitWriter::after(MEMBER.to_vec());
        // The last block, with a code of its own.
        head.put(0b101, 3);
        write_lengths(&symbols, &distances, &mut head);
        let head_bits = head.len();
        Self { symbols: words(&symbols), distances: words(&distances), head: head.finish(), head_bits }
    }

    fn begin(&self, _: usize) -> Option<BitWriter> {
        let mut out = BitWriter::default();
        out.append(BitSlice::new(&self.head, 0, self.head_bits));
        Some(out)
    }

    fn write(&self, text: &[u8], sequences: &[Sequence], out: &mut BitWriter) {
        let mut at = 0;
        for sequence in sequences {
            self.literals(&text[at..at + sequence.literals], out);
            let (symbol, bits, extra) = length(sequence.length);
            out.word(self.symbols[symbol]);
            out.put(extra, bits);
            let (symbol, bits, extra) = distance(sequence.distance);
            out.word(self.distances[symbol]);
            out.put(extra, bits);
            at += sequence.literals + sequence.length;
        }
        self.literals(&text[at..], out);
    }

    fn close(&self, text: &[u8], out: &mut BitWriter) {
        self.literals(text, out);
        out.word(self.symbols[END_OF_BLOCK]);
    }

    fn end(checksum: u32, size: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(&checksum.to_le_bytes());
        out.extend_from_slice(&size.to_le_bytes()[..4]);
    }
}

impl Gzip {
    fn literals(&self, text: &[u8], out: &mut BitWriter) {
        for byte in text {
            out.word(self.symbols[usize::from(*byte)]);
        }
    }
}

/// Writes the lengths of a block's two codes, themselves in a code.
fn write_lengths(symbols: &[u32], distances: &[u32], out: &mut BitWriter) {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    const AGAIN: usize = 16;
    // Each length, or the last one again: three to six times.
    let mut coded = Vec::new();
    let both = [symbols, distances].concat();
    let mut rest = both.as_slice();
    while let Some(length) = rest.first() {
        let run = rest.iter().take_while(|other| *other == length).count();
        coded.push((*length as usize, 0, 0));
        let mut again = run - 1;
        while again >= 3 {
            let times = again.min(6);
            coded.push((AGAIN, few(times - 3), 2));
            again -= times;
        }
        coded.extend((0..again).map(|_| (*length as usize, 0, 0)));
        rest = &rest[run..];
    }
    let mut counts = [0_u64; 19];
    for (symbol, ..) in &coded {
        counts[*symbol] += 1;
    }
    let of_lengths = lengths(&counts, 7);
    let words = words(&of_lengths);
    out.put(few(symbols.len() - 257), 5);
    out.put(few(distances.len() - 1), 5);
    out.put(19 - 4, 4);
    for symbol in ORDER {
        out.put(of_lengths[symbol], 3);
    }
    for (symbol, extra, bits) in coded {
        out.put(words[symbol].bits, words[symbol].length);
        out.put(extra, bits);
    }
}

/// A length's symbol, the number of extra bits, and these.
fn length(length: usize) -> (usize, u32, u32) {
    match length {
        258 => (285, 0, 0),
        3..11 => (254 + length, 0, 0),
        _ => {
            let (group, bits, extra) = grouped(length - 3, 2);
            (257 + group, bits, extra)
        }
    }
}

/// A distance's symbol, the number of extra bits, and these.
fn distance(distance: usize) -> (usize, u32, u32) {
    if distance < 5 { (distance - 1, 0, 0) } else { grouped(distance - 1, 1) }
}

/// Numbers in groups, each power of two in `1 << fine` of them.
fn grouped(number: usize, fine: u32) -> (usize, u32, u32) {
    let bits = number.ilog2() - fine;
    let group = (bits as usize) << fine;
    (group + (number >> bits), bits, few(number & ((1 << bits) - 1)))
}
