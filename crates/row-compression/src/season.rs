use std::ops::Range;

use crc32fast::Hasher;

use crate::bits::{BitSlice, BitWriter};
use crate::format::Format;
use crate::rows::Rows;
use crate::sequences::{Finder, Sequence};
use crate::turns::Turns;

/// A season's rows in one format.
pub struct Season<F> {
    /// The code of pages that are cut from the streams.
    code: F,
    /// The code of pages of few rows.
    few: F,
    streams: Vec<Stream>,
    /// The checksum of all text before each row, if the format has one.
    checksums: Vec<u32>,
}

/// The unit of every row, with copies from some rows before it at most.
struct Stream {
    history: usize,
    bits: Vec<u8>,
    /// Where each unit begins in `bits`, and where a next one would.
    starts: Vec<u32>,
}

/// Up to so many rows a page is compressed as a whole: it is shorter then, and takes little longer.
const FEW: usize = 3;

impl<F: Format> Season<F> {
    /// Compresses rows; `None` where some are so unlike what the format is good for that it cannot have them.
    pub fn new(rows: Rows<'_>) -> Option<Self> {
        let ends: Option<Vec<_>> =
            (0..rows.len()).map(|row| Some(rows.start(row) + F::end_of_unit(rows.row(row))?)).collect();
        let ends = ends?;
        let units = Units { rows, ends: &ends };
        let (code, few) = (units.learn(&[1, 16, 16, 32]), units.learn(&[0, 0, 4]));
        let streams = F::HISTORIES.iter().map(|history| Stream::new(&code, units, *history)).collect::<Option<_>>()?;
        let mut checksum = Hasher::new();
        let mut checksums = vec![0];
        for row in (0..rows.len()).take_while(|_| F::HAS_CHECKSUM) {
            checksum.update(&rows.text()[rows.with_separator(row)]);
            checksums.push(checksum.clone().finalize());
        }
        Some(Self { code, few, streams, checksums })
    }

    /// A page: `head`, the rows of a range, `tail`.
    pub fn page(&self, head: &[u8], rows: Rows<'_>, range: Range<usize>, tail: &[u8]) -> Option<Vec<u8>> {
        if range.len() <= FEW {
            return self.of_few(&[head, rows.slice(&range), tail].concat());
        }
        let (plain, first, last) = (rows.slice(&range), rows.row(range.start), rows.row(range.end - 1));
        let opening = [head, &first[..F::end_of_unit(first)?]].concat();
        let closing = [&last[F::end_of_unit(last)?..], tail].concat();
        let size = head.len() + plain.len() + tail.len();
        let mut out = self.code.begin(size)?;
        let parts: Vec<_> = self.parts(range.clone()).collect();
        out.reserve(opening.len() + closing.len() + parts.iter().map(|part| part.bytes()).sum::<usize>());
        let mut sequences = Vec::with_capacity(64);
        Finder::quick(&opening, F::WORTH).split(0..opening.len(), 0, &mut sequences);
        F::complete(&opening, opening.len(), &mut sequences);
        self.code.open(&opening, &sequences, &mut out)?;
        for part in parts {
            out.append(part);
        }
        self.code.close(&closing, &mut out);
        let mut out = out.finish();
        F::end(self.checksum(head, rows, &range, tail), size, &mut out);
        Some(out)
    }

    fn of_few(&self, plain: &[u8]) -> Option<Vec<u8>> {
        let mut out = self.few.begin(plain.len())?;
        let mut sequences = Vec::with_capacity(256);
        Finder::quick(plain, F::WORTH).split(0..plain.len(), 0, &mut sequences);
        let copied: usize = sequences.iter().map(|sequence| sequence.literals + sequence.length).sum();
        let (opening, closing) = plain.split_at(copied);
        self.few.open(opening, &sequences, &mut out)?;
        self.few.close(closing, &mut out);
        let mut out = out.finish();
        let checksum = if F::HAS_CHECKSUM { crc32fast::hash(plain) } else { 0 };
        F::end(checksum, plain.len(), &mut out);
        Some(out)
    }

    /// The units of a range but the first: each from the stream that copies from most rows of the range.
    fn parts(&self, range: Range<usize>) -> impl Iterator<Item = BitSlice<'_>> {
        let ends = self.streams.iter().skip(1).map(|next| next.history).chain([usize::MAX]);
        self.streams.iter().zip(ends).filter_map(move |(stream, end)| {
            let from = range.start + stream.history;
            let to = range.end.min(range.start.saturating_add(end));
            (from < to).then(|| BitSlice::new(&stream.bits, stream.starts[from].into(), stream.starts[to].into()))
        })
    }

    /// A page's checksum, from those before and behind its rows.
    fn checksum(&self, head: &[u8], rows: Rows<'_>, range: &Range<usize>, tail: &[u8]) -> u32 {
        if !F::HAS_CHECKSUM {
            return 0;
        }
        let mut before = Hasher::new_with_initial(self.checksums[range.start]);
        before.update(&rows.text()[rows.with_separator(range.start).start..rows.start(range.start)]);
        let bytes = rows.slice(range).len() as u64;
        before.combine(&Hasher::new_with_initial_len(0, bytes));
        let mut checksum = Hasher::new();
        checksum.update(head);
        checksum.combine(&Hasher::new_with_initial_len(before.finalize() ^ self.checksums[range.end], bytes));
        checksum.update(tail);
        checksum.finalize()
    }

    /// Bytes held.
    pub fn weight(&self) -> usize {
        let streams = self.streams.iter().map(|stream| stream.bits.len() + size_of_val(&*stream.starts));
        streams.sum::<usize>() + size_of_val(&*self.checksums)
    }
}

/// Rows and where the unit of each ends.
#[derive(Clone, Copy)]
struct Units<'a> {
    rows: Rows<'a>,
    ends: &'a [usize],
}

impl<'a> Units<'a> {
    /// Where the unit of a row is.
    fn range(self, row: usize) -> Range<usize> {
        let start = row.checked_sub(1).map_or(self.rows.start(0), |before| self.ends[before]);
        start..self.ends[row]
    }

    /// The code for units that copy from so many rows before them.
    fn learn<F: Format>(self, histories: &[usize]) -> F {
        let mut finder = Finder::thorough(self.rows.text(), F::WORTH);
        let mut samples = Vec::new();
        let mut turns = Turns::default();
        for (row, history) in self.rows.samples().zip(histories.iter().cycle()) {
            let mut sequences = Vec::new();
            let text = self.split::<F>(row, *history, &mut finder, &mut sequences);
            turns.worked(text.len());
            samples.push((text, sequences));
        }
        F::learned(&samples)
    }

    fn split<F: Format>(
        self,
        row: usize,
        history: usize,
        finder: &mut Finder<'_>,
        sequences: &mut Vec<Sequence>,
    ) -> &'a [u8] {
        let range = self.range(row);
        let unit = &self.rows.text()[range.clone()];
        let earliest = self.rows.start(row.saturating_sub(history)).min(range.start);
        sequences.clear();
        finder.split(range.clone(), earliest, sequences);
        F::complete(&self.rows.text()[earliest..range.end], unit.len(), sequences);
        unit
    }
}

impl Stream {
    fn new<F: Format>(code: &F, units: Units<'_>, history: usize) -> Option<Self> {
        let mut finder = Finder::thorough(units.rows.text(), F::WORTH);
        let mut sequences = Vec::new();
        let mut bits = BitWriter::default();
        let mut starts = vec![0];
        let mut turns = Turns::default();
        for row in 0..units.rows.len() {
            let unit = units.split::<F>(row, history, &mut finder, &mut sequences);
            code.write(unit, &sequences, &mut bits);
            turns.worked(unit.len());
            starts.push(u32::try_from(bits.len()).ok()?);
        }
        let mut bits = bits.finish();
        bits.shrink_to_fit();
        Some(Self { history, bits, starts })
    }
}
