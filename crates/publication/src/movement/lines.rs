//! The lines of a game before its start, its first line and its closing line.

use std::ops::Range;

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{GameLines, LineColumn};

use crate::movement::publications::{Publications, Published};

/// The lines of a game that were published before its start.
#[derive(Debug, Clone, PartialEq)]
pub struct LineHistory {
    /// The lines, oldest first; each differs from the one before.
    pub lines: Vec<HistoryLine>,
    /// The closing line; `None` if no line had a price.
    pub close: Option<ClosingLine>,
    /// The number of publications at or after the start that quoted the game. Their prices may be in-play prices.
    pub quoted_after_start: usize,
}

/// A line of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryLine {
    /// The publication that began it.
    pub published: Published,
    /// The lines and prices, without openers; none if the odds quoted the game no longer.
    pub lines: GameLines,
    /// True for the first line that quotes anything.
    pub is_first: bool,
    /// True for the last line with a price.
    pub is_last: bool,
}

impl HistoryLine {
    /// Returns the mark of the line: the last one of a game is its close once the game has closed.
    pub const fn mark(&self, has_closed: bool) -> Option<LineMark> {
        match (self.is_first, self.is_last, has_closed) {
            (true, false, _) => Some(LineMark::First),
            (true, true, false) => Some(LineMark::FirstAndLatest),
            (true, true, true) => Some(LineMark::FirstAndClose),
            (false, true, false) => Some(LineMark::Latest),
            (false, true, true) => Some(LineMark::Close),
            (false, false, _) => None,
        }
    }
}

/// The mark of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineMark {
    /// The first line.
    First,
    /// The last line with a price of a game that has not closed.
    Latest,
    /// The last line with a price of a game that has closed.
    Close,
    /// The only line of a game that has not closed.
    FirstAndLatest,
    /// The only line of a game that has closed.
    FirstAndClose,
}

impl LineMark {
    /// Every mark.
    pub const ALL: [Self; 5] = [Self::First, Self::Latest, Self::Close, Self::FirstAndLatest, Self::FirstAndClose];

    /// Returns the word, such as `first`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Latest => "latest",
            Self::Close => "close",
            Self::FirstAndLatest => "first_and_latest",
            Self::FirstAndClose => "first_and_close",
        }
    }
}

/// The last line with a price before the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosingLine {
    /// The lines and prices, without openers.
    pub lines: GameLines,
    /// The publication that began the line.
    pub published: Published,
    /// The last publication before the start that quoted the line anew: odds published again without a change have no line of
    /// their own, and those that another start of some game made have been read before.
    pub last_quoted: Published,
    /// The time from the sources of that publication to the start.
    pub age: TimeDelta,
}

/// One line of a game and the publications that quoted it.
pub type Quote<'q> = (Range<usize>, Option<&'q GameLines>);

impl LineHistory {
    /// Returns the history of a game from its quotes, oldest first. `start` is the instant at which the game closed: what is
    /// published from then on is counted and not listed. Without a start the game has no closing line.
    pub(crate) fn new<'q>(
        quotes: impl Iterator<Item = Quote<'q>>,
        odds: &Publications,
        start: Option<DateTime<Utc>>,
    ) -> Self {
        let end = start.map_or(odds.len(), |start| odds.before(start));
        let (mut lines, mut last, mut after) = (Vec::new(), None, 0);
        for (span, quoted) in quotes {
            after += quoted.map_or(0, |_| span.end.saturating_sub(span.start.max(end)));
            let Some(published) = odds.get(span.start).filter(|_| span.start < end) else { continue };
            let lines_now = quoted.copied().unwrap_or_default();
            let line = HistoryLine { published, lines: lines_now, is_first: false, is_last: false };
            if has_price(&line.lines) {
                last = odds.last_look(span.start..span.end.min(end)).map(|quoted| (lines.len(), quoted));
            }
            lines.push(line);
        }
        let close = start.zip(last).map(|(start, (place, last_quoted))| {
            let HistoryLine { published, lines, .. }: HistoryLine = lines[place];
            ClosingLine { lines, published, last_quoted, age: start - last_quoted.source_as_of }
        });
        if let Some(first) = lines.iter_mut().find(|line| line.lines != GameLines::default()) {
            first.is_first = true;
        }
        if let Some((place, _)) = close.and(last) {
            lines[place].is_last = true;
        }
        Self { lines, close, quoted_after_start: after }
    }

    /// Returns the first line.
    pub fn first(&self) -> Option<&HistoryLine> {
        self.lines.iter().find(|line| line.is_first)
    }
}

fn has_price(lines: &GameLines) -> bool {
    LineColumn::ALL.iter().any(|column| column.holds_prices() && lines.value(*column).is_some())
}
