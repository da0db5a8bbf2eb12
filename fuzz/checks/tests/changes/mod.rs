/// Texts and bytes that often cause failures.
const AWKWARD: [&[u8]; 20] = [
    b"",
    b"\0",
    b"\xff",
    b"\n",
    b"\"",
    b",",
    b"\xef\xbb\xbf",
    b"-",
    b"-0",
    b"NaN",
    b"1e999",
    b"9999999999999999999",
    b"0001-01-01",
    b"24:00:00",
    b"[[[[[[[[",
    b"{",
    b"null",
    b"\xf0\x9f\x98\x80",
    b"%",
    b"\xff\xff\xff\x7f",
];

/// A generator of changes to inputs. Its sequence is always the same.
pub struct Changes(u64);

impl Default for Changes {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Changes {
    /// Returns a number below `limit`, which is above zero.
    pub fn below(&mut self, limit: usize) -> usize {
        // Marsaglia's xorshift: variety suffices here.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit
    }

    /// Returns the input with one to four changes, which may insert pieces of `other`.
    pub fn changed(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = input.to_vec();
        for _ in 0..=self.below(4) {
            let (start, end) = self.span(bytes.len());
            let piece = match self.below(6) {
                0 => AWKWARD[self.below(AWKWARD.len())].to_vec(),
                1 => vec![u8::try_from(self.below(256)).unwrap_or_default()],
                2 => bytes[start..end].repeat(2 + self.below(3)),
                3 => bytes[start..end].iter().map(|byte| byte ^ (1 << self.below(8))).collect(),
                4 => {
                    let (start, end) = self.span(other.len());
                    other[start..end].to_vec()
                }
                _ => Vec::new(),
            };
            let end = if self.below(3) == 0 { start } else { end };
            bytes.splice(start..end, piece);
        }
        bytes
    }

    /// Returns a range within an input, usually a short one.
    fn span(&mut self, length: usize) -> (usize, usize) {
        let start = self.below(length + 1);
        let longest = if self.below(8) == 0 { length } else { 8 };
        (start, length.min(start + self.below(longest + 1)))
    }
}
