//! Bits one after the other, the lowest of a byte first.

use crate::prefix_code::Word;

/// Writes bits.
#[derive(Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are not in `bytes` yet: fewer than 32.
    pending: u64,
    count: u32,
}

/// A run of bits that can be put behind other bits.
#[derive(Debug, Clone, Copy)]
pub struct BitSlice<'a> {
    bytes: &'a [u8],
    start: u64,
    end: u64,
}

impl BitWriter {
    /// Continues behind whole bytes.
    pub fn after(bytes: Vec<u8>) -> Self {
        Self { bytes, pending: 0, count: 0 }
    }

    /// Writes the lowest `count` bits of a number, 32 at most; the others are zero.
    pub fn put(&mut self, bits: u32, count: u32) {
        self.pending |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= 32 {
            self.bytes.extend_from_slice(&low_half(self.pending).to_le_bytes());
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    /// Writes a word of a code.
    pub fn word(&mut self, word: Word) {
        self.put(word.bits, word.length);
    }

    /// Writes whole bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.put(u32::from(*byte), 8);
        }
    }

    /// Makes room for so many bytes.
    pub fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve(bytes + 16);
    }

    /// Copies bits.
    pub fn append(&mut self, slice: BitSlice<'_>) {
        let mut at = slice.start;
        self.bytes.reserve(usize::try_from((slice.end - slice.start) / 8).unwrap_or(0) + 8);
        while at + 32 <= slice.end {
            self.put(slice.word(at), 32);
            at += 32;
        }
        let rest = u32::try_from(slice.end - at).unwrap_or(0);
        if rest > 0 {
            self.put(slice.word(at) & ((1 << rest) - 1), rest);
        }
    }

    /// How many bits were written.
    pub fn len(&self) -> u64 {
        8 * self.bytes.len() as u64 + u64::from(self.count)
    }

    /// The whole bytes; what is missing of the last is zero.
    pub fn finish(mut self) -> Vec<u8> {
        let bytes = self.count.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..bytes]);
        self.bytes
    }
}

impl<'a> BitSlice<'a> {
    /// Those from `start` to `end`.
    pub const fn new(bytes: &'a [u8], start: u64, end: u64) -> Self {
        Self { bytes, start, end }
    }

    /// How many bytes they take.
    pub fn bytes(self) -> usize {
        usize::try_from((self.end - self.start).div_ceil(8)).unwrap_or(0)
    }

    /// 32 bits from a place on; zero beyond the last byte.
    fn word(&self, at: u64) -> u32 {
        let bytes = usize::try_from(at / 8).ok().and_then(|byte| self.bytes.get(byte..)).unwrap_or_default();
        let word = match bytes.first_chunk() {
            Some(whole) => u64::from_le_bytes(*whole),
            None => bytes.iter().rev().fold(0, |word, byte| (word << 8) | u64::from(*byte)),
        };
        low_half(word >> (at % 8))
    }
}

/// A number of few bits, to be written.
pub fn few(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[expect(clippy::cast_possible_truncation, reason = "the other half is dropped on purpose")]
const fn low_half(word: u64) -> u32 {
    word as u32
}
