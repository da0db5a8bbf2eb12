/// A line counter, so that problems name the line that an editor shows, including blank lines and line breaks within
/// quotes.
#[derive(Debug)]
pub struct LineCounter<'b> {
    bytes: &'b [u8],
    at: usize,
    line: usize,
}

impl<'b> LineCounter<'b> {
    /// Creates a counter at the beginning of a text.
    pub const fn of(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    /// Returns the line of the record whose bytes begin at `start`; skips blank lines before it. Starts must not
    /// decrease.
    pub fn line_at(&mut self, start: usize) -> usize {
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let blank = self.bytes.iter().skip(start).take_while(|byte| is_break(byte)).count();
        let end = (start + blank).min(self.bytes.len());
        while self.at < end {
            let ends_line = match self.bytes[self.at] {
                b'\n' => true,
                b'\r' => self.bytes.get(self.at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += usize::from(ends_line);
            self.at += 1;
        }
        self.line
    }
}
