use std::borrow::Cow;
use std::collections::BTreeSet;

use bytes::Bytes;
use csv::{Reader, ReaderBuilder, StringRecord};
use sports_domain::{trim_blanks, without_spreadsheet_escape};

use super::entry::Entry;
use super::field::RowOfGame;
use super::plan::Origin;
use super::prices::{Decimal, DecimalMark};
use crate::remedy::is_pick;
use crate::table::{NOT_UTF16, is_utf16, named_separator, without_mark};
use crate::{LineCounter, ParquetTable, did_you_mean};

/// The rows of a file as texts, from CSV or Parquet.
pub(crate) struct Source<'b> {
    rows: SourceRows<'b>,
    pub(crate) header: StringRecord,
    pub(crate) mark: DecimalMark,
}

enum SourceRows<'b> {
    Csv {
        reader: Box<Reader<&'b [u8]>>,
        lines: LineCounter<'b>,
        /// The number of lines before the header.
        skipped: u64,
    },
    Parquet {
        table: ParquetTable,
        next: usize,
    },
}

/// The error for bytes that are no table; the text is the expected form.
pub(crate) type NotATable = String;

const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

impl<'b> Source<'b> {
    /// Opens a table: Parquet by its first bytes, else CSV with commas, semicolons, tabs or vertical bars.
    ///
    /// The columns of a table of text without a header are called by their position: `#1`, `#2` and so on.
    pub(crate) fn open(bytes: &'b Bytes, has_header: bool) -> Result<Self, NotATable> {
        if bytes.starts_with(b"PAR1") {
            let table = ParquetTable::read(bytes.clone())?;
            let header = table.columns().iter().map(String::as_str).collect();
            return Ok(Self { rows: SourceRows::Parquet { table, next: 0 }, header, mark: DecimalMark::Point });
        }
        if bytes.starts_with(b"PK\x03\x04") {
            return Err("CSV or Parquet; this is a workbook or an archive: save the sheet as CSV".to_owned());
        }
        let text = without_mark(bytes);
        if is_utf16(text) {
            return Err(NOT_UTF16.to_owned());
        }
        let named = named_separator(text);
        let (separator, text) = named.unwrap_or_else(|| (separator(text), text));
        let begin = || ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text);
        let mut reader = begin();
        let mut header = StringRecord::new();
        match reader.read_record(&mut header) {
            Ok(true) => {}
            Ok(false) => return Err("a header row naming the columns".to_owned()),
            Err(error) => return Err(unreadable(&error)),
        }
        if !has_header {
            header = (1..=header.len()).map(|position| format!("#{position}")).collect();
            reader = begin();
        }
        // Spreadsheets that write decimal commas separate cells by semicolons.
        let mark = if separator == b';' { DecimalMark::Comma } else { DecimalMark::Point };
        let skipped = u64::from(named.is_some());
        let rows = SourceRows::Csv { reader: Box::new(reader), lines: LineCounter::of(text), skipped };
        Ok(Self { rows, header, mark })
    }

    /// Reads the next row; returns its number, or `None` at the end. The header is row 1.
    pub(crate) fn read(&mut self, record: &mut StringRecord) -> Result<Option<u64>, NotATable> {
        match &mut self.rows {
            SourceRows::Csv { reader, lines, skipped } => match reader.read_record(record) {
                Ok(true) => {
                    let start = record.position().map_or(0, csv::Position::byte);
                    Ok(Some(lines.line_at(usize::try_from(start).unwrap_or(usize::MAX)) as u64 + *skipped))
                }
                Ok(false) => Ok(None),
                Err(error) => Err(unreadable(&error)),
            },
            SourceRows::Parquet { table, next } => {
                let Some(cells) = table.row(*next) else { return Ok(None) };
                record.clear();
                cells.for_each(|cell| record.push_field(&cell));
                *next += 1;
                Ok(Some(*next as u64 + 1))
            }
        }
    }
}

/// Returns the cell of a row, trimmed and without the apostrophe that keeps spreadsheets from computing it.
pub(crate) fn cell(record: &StringRecord, index: usize) -> &str {
    without_spreadsheet_escape(trim_blanks(record.get(index).unwrap_or_default()))
}

/// Returns the separator that occurs most often in the first line, outside of quotes.
fn separator(text: &[u8]) -> u8 {
    let line = text.split(|byte| matches!(byte, b'\n' | b'\r')).find(|line| !line.is_empty()).unwrap_or_default();
    let mut counts = [0_usize; SEPARATORS.len()];
    let mut is_quoted = false;
    for byte in line {
        is_quoted ^= *byte == b'"';
        if let Some(index) = SEPARATORS.iter().position(|separator| separator == byte).filter(|_| !is_quoted) {
            counts[index] += 1;
        }
    }
    let most = counts.iter().copied().max().unwrap_or_default();
    let first = counts.iter().position(|count| *count == most).unwrap_or_default();
    SEPARATORS[first]
}

fn unreadable(error: &csv::Error) -> String {
    let row = error.position().map(|position| format!("; row {} is not", position.line())).unwrap_or_default();
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => format!("text in UTF-8{row}"),
        _ => format!("a CSV file; reading it failed: {error}"),
    }
}

/// The columns of a file, and those of them that are read.
#[derive(Debug)]
pub(crate) struct Header {
    names: Vec<String>,
    used: BTreeSet<usize>,
}

/// The error for a column that cannot be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoColumn {
    /// The file has no column of these names, but perhaps one with a similar name.
    Absent(String),
    /// The file has several columns of the name.
    Repeated(String),
}

impl Header {
    pub(crate) fn of(record: &StringRecord) -> Self {
        Self { names: record.iter().map(|name| name.trim().to_owned()).collect(), used: BTreeSet::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns the name of a column, or its position if another one has the name.
    pub(crate) fn name(&self, index: usize) -> Cow<'_, str> {
        let name = &self.names[index];
        let is_single = self.names.iter().filter(|known| *known == name).nth(1).is_none();
        if is_single { Cow::Borrowed(name) } else { format!("#{}", index + 1).into() }
    }

    /// Finds the first of the candidates that the file has, and notes that it is read.
    pub(crate) fn find(&mut self, candidates: &[String]) -> Result<usize, NoColumn> {
        for candidate in candidates {
            if let Some(index) = self.index(candidate)? {
                self.used.insert(index);
                return Ok(index);
            }
        }
        let quoted: Vec<_> = candidates.iter().map(|candidate| format!("`{candidate}`")).collect();
        let hint = candidates.first().map_or_else(String::new, |first| self.hint(first));
        Err(NoColumn::Absent(format!("{}{hint}", quoted.join(", "))))
    }

    /// Finds the column of an entry; `None` for a constant.
    pub(crate) fn column(&mut self, entry: &Entry) -> Result<Option<usize>, NoColumn> {
        if entry.constant.is_some() {
            return Ok(None);
        }
        if entry.after.is_empty() {
            return self.find(&entry.column).map(Some);
        }
        let right = self.find(&entry.after)? + 1;
        if right < self.names.len() && (is_nameless(&self.names[right]) || self.is_repeated(right)) {
            self.used.insert(right);
            return Ok(Some(right));
        }
        let expected = "a column without a name of its own, right of";
        Err(NoColumn::Absent(format!("{expected} `{}`", self.names[right - 1])))
    }

    /// Returns true for a name that several columns have; data frames number them, as in `PTS` and `PTS.1`.
    fn is_repeated(&self, index: usize) -> bool {
        let plain = |name: &'_ str| match name.rsplit_once('.') {
            Some((plain, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => plain.to_owned(),
            _ => name.to_owned(),
        };
        let name = plain(&self.names[index]);
        self.names.iter().filter(|known| plain(known) == name).nth(1).is_some()
    }

    /// Returns a hint at a column with a name similar to `name`.
    pub(crate) fn hint(&self, name: &str) -> String {
        did_you_mean(name, self.names.iter().map(String::as_str).filter(|name| !name.is_empty()))
    }

    /// Returns the names of the columns that are not read.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &str> {
        let unused =
            self.names.iter().enumerate().filter(|(index, name)| !self.used.contains(index) && !is_nameless(name));
        unused.map(|(_, name)| name.as_str())
    }

    /// Finds a column by its exact name, else by its name in other letter case, else by its position, such as `#4`.
    fn index(&self, name: &str) -> Result<Option<usize>, NoColumn> {
        let exact = |known: &&String| known.as_str() == name;
        let folded = |known: &&String| known.eq_ignore_ascii_case(name);
        let count = self.names.iter().filter(exact).count();
        if count > 1 || (count == 0 && self.names.iter().filter(folded).count() > 1) {
            return Err(NoColumn::Repeated(name.to_owned()));
        }
        let position = |matches: &dyn Fn(&&String) -> bool| self.names.iter().position(|known| matches(&known));
        let place = || name.strip_prefix('#')?.parse::<usize>().ok()?.checked_sub(1);
        let by_position = || place().filter(|index| *index < self.names.len());
        Ok(if count == 1 { position(&exact) } else { position(&folded).or_else(by_position) })
    }
}

/// Returns true for a blank name, and for the name that data frames give a blank one.
fn is_nameless(name: &str) -> bool {
    name.is_empty() || name.starts_with("Unnamed: ")
}

/// One of the two teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Team {
    Away,
    Home,
}

impl Team {
    const fn other(self) -> Self {
        match self {
            Self::Away => Self::Home,
            Self::Home => Self::Away,
        }
    }
}

/// Splits a matchup such as `LAL @ BOS` or `BOS vs. LAL` into two names; returns them with the side of the first.
pub(crate) fn matchup(text: &str) -> Option<(&str, &str, Team)> {
    let at = [" @ ", " at "].into_iter().find_map(|word| text.split_once(word)).map(|teams| (teams, Team::Away));
    let versus = || [" vs. ", " vs "].into_iter().find_map(|word| text.split_once(word));
    let ((first, second), team) = at.or_else(|| versus().map(|teams| (teams, Team::Home)))?;
    Some((first.trim(), second.trim(), team))
}

/// A row of the file, with its number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberedRow<'r> {
    pub(crate) number: u64,
    pub(crate) record: &'r StringRecord,
}

/// The cells of one game: one row of the file, or the rows of both teams.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'r> {
    pub(crate) away: NumberedRow<'r>,
    /// `None` for a game with one row.
    pub(crate) home: Option<NumberedRow<'r>>,
    pub(crate) mark: DecimalMark,
    /// Words for an empty cell.
    pub(crate) missing: &'r [String],
}

/// The cells of a column in the two rows of a game, by size.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BySize {
    /// Both rows have a number; the team is that of the smaller one.
    Both {
        smaller: Team,
    },
    /// One row has a number, or both have the same: it may be either.
    Unclear,
    Neither,
}

impl<'r> Cells<'r> {
    /// Returns the text of a value, empty if it is missing.
    pub(crate) fn text(&self, origin: &'r Origin) -> &'r str {
        match origin {
            Origin::Constant(text) => text,
            Origin::Column { index, row, .. } => self.team_with(*index, *row).map_or("", |team| self.of(team, *index)),
        }
    }

    /// Returns the number of the first row.
    pub(crate) fn first_row(&self) -> u64 {
        self.home.map_or(self.away.number, |home| self.away.number.min(home.number))
    }

    /// Returns the number of the row from which a value is read; the first row if no row has it.
    pub(crate) fn row_of(&self, origin: &Origin) -> u64 {
        let team = match origin {
            Origin::Constant(_) => None,
            Origin::Column { index, row, .. } => self.team_with(*index, *row),
        };
        team.map_or_else(|| self.first_row(), |team| self.row(team).number)
    }

    /// Returns the two cells of a column with the numbers of their rows, in the order of the file; `None` for a game
    /// with one row.
    pub(crate) fn in_both_rows(&self, index: usize) -> Option<[(u64, &'r str); 2]> {
        let home = self.home?;
        let mut cells = [Team::Away, Team::Home].map(|team| (self.row(team).number, self.of(team, index)));
        if home.number < self.away.number {
            cells.reverse();
        }
        Some(cells)
    }

    /// Returns the team whose row has a value; `None` if neither has.
    fn team_with(&self, index: usize, row: Option<RowOfGame>) -> Option<Team> {
        if self.home.is_none() {
            return Some(Team::Away);
        }
        let smaller = || match self.by_size(index) {
            BySize::Both { smaller } => Some(smaller),
            BySize::Unclear | BySize::Neither => None,
        };
        match row {
            None => [Team::Away, Team::Home].into_iter().find(|team| !self.of(*team, index).is_empty()),
            Some(RowOfGame::Away) => Some(Team::Away),
            Some(RowOfGame::Home) => Some(Team::Home),
            Some(RowOfGame::Smaller) => smaller(),
            Some(RowOfGame::Larger) => smaller().map(Team::other),
        }
    }

    /// Returns the only team whose row has the value.
    pub(crate) fn only_team_with(&self, index: usize) -> Option<Team> {
        match (self.of(Team::Away, index).is_empty(), self.of(Team::Home, index).is_empty()) {
            (false, true) => Some(Team::Away),
            (true, false) => Some(Team::Home),
            _ => None,
        }
    }

    /// Compares the numbers that a column has in the two rows.
    pub(crate) fn by_size(&self, index: usize) -> BySize {
        let [away, home] = [Team::Away, Team::Home].map(|team| self.of(team, index));
        match (self.number(away), self.number(home)) {
            (Some(of_away), Some(of_home)) => match of_away.absolute().compared(of_home.absolute()) {
                std::cmp::Ordering::Less => BySize::Both { smaller: Team::Away },
                std::cmp::Ordering::Greater => BySize::Both { smaller: Team::Home },
                std::cmp::Ordering::Equal => BySize::Unclear,
            },
            _ if away.is_empty() && home.is_empty() => BySize::Neither,
            _ => BySize::Unclear,
        }
    }

    /// Parses a number, or a word for a spread of zero.
    pub(crate) fn number(&self, text: &str) -> Option<Decimal> {
        if is_pick(text) { Some(Decimal::ZERO) } else { Decimal::parse(text, self.mark) }
    }

    fn row(&self, team: Team) -> NumberedRow<'r> {
        match team {
            Team::Away => self.away,
            Team::Home => self.home.unwrap_or(self.away),
        }
    }

    fn of(&self, team: Team, index: usize) -> &'r str {
        let text = cell(self.row(team).record, index);
        if self.missing.iter().any(|word| word.eq_ignore_ascii_case(text)) { "" } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &[u8]) -> Result<Vec<(u64, Vec<String>)>, String> {
        let bytes = Bytes::copy_from_slice(text);
        let mut source = Source::open(&bytes, true)?;
        let cells = |record: &StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
        let mut rows = vec![(1, cells(&source.header))];
        let mut record = StringRecord::new();
        while let Some(number) = source.read(&mut record)? {
            rows.push((number, cells(&record)));
        }
        Ok(rows)
    }

    #[test]
    fn exports_of_spreadsheets_have_a_mark_any_separator_and_line_ends_of_two_bytes() {
        let expected = vec![(1, vec!["a;x".to_owned(), "b".to_owned()]), (2, vec!["1,5".to_owned(), String::new()])];
        assert_eq!(rows(b"\xEF\xBB\xBF\"a;x\";b\r\n1,5;\r\n").expect("rows"), expected);
        for text in ["a,b\n1,2", "a\tb\n1\t2\n", "a|b\r1|2", "\n\na,b\n1,2\n"] {
            let read = rows(text.as_bytes()).expect(text);
            assert_eq!((read.len(), &read[1].1), (2, &vec!["1".to_owned(), "2".to_owned()]), "{text:?}");
        }
        assert_eq!(rows(b"a,b\n1,\"x\ny\"\n3,4\n").expect("rows")[2].0, 4, "rows are numbered by line");
        let read = rows(b"sep=;\r\na,x;b\r\n1,5;2\r\n").expect("rows");
        assert_eq!((read[0].1.len(), &read[1]), (2, &(3, vec!["1,5".to_owned(), "2".to_owned()])));
    }

    #[test]
    fn bytes_that_are_no_table_are_refused_by_what_they_are() {
        for (bytes, message) in [
            (&b""[..], "a header row naming the columns"),
            (b"PK\x03\x04....", "CSV or Parquet; this is a workbook or an archive: save the sheet as CSV"),
            (b"a,b\n1,\xE9\n", "text in UTF-8; row 2 is not"),
            (b"\xFF\xFEa\0,\0b\0", NOT_UTF16),
            (b"\0a\0,\0b", NOT_UTF16),
            (b"PAR1....", "a whole Parquet file; reading it failed"),
        ] {
            let refused = rows(bytes).expect_err(message);
            assert!(refused.starts_with(message), "{refused}");
        }
    }

    fn entry(toml: &str) -> Entry {
        toml::from_str(toml).expect("an entry")
    }

    #[test]
    fn a_column_is_found_by_the_first_candidate_that_the_file_has() {
        let mut header = Header::of(&StringRecord::from(vec!["Date", " Home Team ", "Run Line", "", "over", "over"]));
        assert_eq!(header.column(&entry("column = [\"home\", \"home team\"]")), Ok(Some(1)));
        assert_eq!(header.column(&entry("after = \"Run Line\"")), Ok(Some(3)));
        assert_eq!(header.column(&entry("constant = \"x\"")), Ok(None));
        assert_eq!(header.column(&entry("column = \"over\"")), Err(NoColumn::Repeated("over".into())));
        let absent = NoColumn::Absent("`dates` (did you mean `Date`?)".into());
        assert_eq!(header.column(&entry("column = \"dates\"")), Err(absent));
        let absent = NoColumn::Absent("a column without a name of its own, right of `Date`".into());
        assert_eq!(header.column(&entry("after = \"Date\"")), Err(absent));
        assert_eq!(header.unused().collect::<Vec<_>>(), ["over", "over"]);
        assert_eq!(header.column(&entry("column = \"#6\"")), Ok(Some(5)));
        assert_eq!((header.name(5), header.name(0)), ("#6".into(), "Date".into()));
        let outside = NoColumn::Absent("`#7`".into());
        assert_eq!(header.column(&entry("column = \"#7\"")), Err(outside));
    }

    #[test]
    fn a_repeated_name_is_found_by_the_name_to_its_left() {
        for names in [["Visitor", "PTS", "Home", "PTS"], ["Visitor", "PTS", "Home", "PTS.1"]] {
            let mut header = Header::of(&StringRecord::from(names.to_vec()));
            let found = ["Visitor", "Home"].map(|name| header.column(&entry(&format!("after = \"{name}\""))));
            assert_eq!(found, [Ok(Some(1)), Ok(Some(3))], "{names:?}");
        }
    }
}
