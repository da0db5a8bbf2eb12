use std::fmt::{Display, Write as _};

use sports_domain::{Forecasts, GameKey, GameLines, LineColumn, LineValue, ModelColumn};

/// A writer of CSV. No simulated cell contains a comma, a quote or a line break.
#[derive(Debug)]
pub(crate) struct Csv {
    text: String,
    at_start: bool,
}

impl Csv {
    /// Creates a file with this header.
    pub(crate) fn with_header<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut csv = Self { text: String::new(), at_start: true };
        names.into_iter().for_each(|name| csv.cell(name));
        csv.end_row();
        csv
    }

    pub(crate) fn cell(&mut self, value: impl Display) {
        if !std::mem::replace(&mut self.at_start, false) {
            self.text.push(',');
        }
        write!(self.text, "{value}").expect("a string takes any text");
    }

    /// Writes a cell; empty for a missing value.
    pub(crate) fn optional(&mut self, value: Option<impl Display>) {
        match value {
            Some(value) => self.cell(value),
            None => self.cell(""),
        }
    }

    pub(crate) fn end_row(&mut self) {
        self.text.push('\n');
        self.at_start = true;
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Writes date, time and teams; the caller writes the game number.
    pub(crate) fn key(&mut self, key: &GameKey) {
        self.cell(key.date);
        self.optional(key.time);
        self.cell(&key.away);
        self.cell(&key.home);
    }

    /// Writes the lines and prices of these columns.
    pub(crate) fn lines(&mut self, lines: &GameLines, columns: &[LineColumn], zeros: Zeros) {
        for column in columns {
            match lines.value(*column) {
                Some(LineValue::Price(price)) => self.cell(price.get()),
                Some(LineValue::Points(points)) => self.cell(format_args!("{points:.1}")),
                None if zeros == Zeros::InOpeners && is_zeroed(*column) => self.cell(0),
                None => self.cell(""),
            }
        }
    }

    /// Writes the probabilities of these models with four decimals each.
    pub(crate) fn models(&mut self, forecasts: &Forecasts<'_>, columns: &[ModelColumn]) {
        for column in columns {
            self.optional(forecasts.get(*column).map(|probability| format!("{:.4}", probability.get())));
        }
    }
}

/// The text for missing openers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zeros {
    Nowhere,
    InOpeners,
}

const fn is_zeroed(column: LineColumn) -> bool {
    matches!(column, LineColumn::OpenHomeMoneyLine | LineColumn::OpenAwayMoneyLine | LineColumn::OpenOverUnder)
}
