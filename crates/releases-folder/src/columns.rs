mod manifest;
mod tables;

use std::borrow::Cow;

use sports_publication::season_table::{ColumnKind, InSeasons, SEASON_COLUMNS, SeasonColumn};

use crate::file_kind::FileKind;

pub(crate) use manifest::{GAME_KEY, MANIFEST, MODEL, RESCHEDULE, RUN, SOURCE_TIMES};
pub(crate) use tables::columns_of;

/// The content of a table column or of a field of `release.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    Cell(ColumnKind),
    /// An object with fields, only in `release.json`.
    Object,
    /// A list: only in `release.json`.
    List,
}

/// A column of a table, or a field of `release.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputColumn {
    /// The exact name, in this letter case.
    pub name: &'static str,
    /// The kind of content.
    pub kind: InputKind,
    /// True if every file must have the column.
    pub required: bool,
    /// A one-sentence explanation.
    pub explanation: Cow<'static, str>,
    pub(crate) field: Field,
}

/// The meaning of a column for the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// A column of a season.
    Season(&'static SeasonColumn),
    /// The time of the last check of the sportsbook, in a file of odds.
    LastUpdated,
    /// The league, in a file of finals.
    Sport,
    /// A field of `release.json`.
    Manifest,
}

impl From<&'static SeasonColumn> for Field {
    fn from(column: &'static SeasonColumn) -> Self {
        Self::Season(column)
    }
}

impl Field {
    /// Returns the column of a season, if the field is one.
    pub(crate) const fn season_column(self) -> Option<&'static SeasonColumn> {
        if let Self::Season(column) = self { Some(column) } else { None }
    }
}

/// The names of the start time, in every kind of file.
pub(crate) const TIMES: [&str; 2] = ["time_est", "time"];

/// Returns the columns that the service computes or keeps for itself; a file's values in them are ignored.
pub(crate) fn computed(kind: FileKind) -> impl Iterator<Item = &'static str> {
    let everywhere = !matches!(kind, FileKind::Odds | FileKind::Finals);
    let of_a_season = SEASON_COLUMNS.iter().filter(move |column| everywhere && !is_published(column));
    let of_a_slate = if kind == FileKind::Predictions { EXPECTED_VALUES.as_slice() } else { &[] };
    of_a_season.map(|column| column.name).chain(of_a_slate.iter().copied())
}

/// Returns true if publishers give the values of a column.
fn is_published(column: &SeasonColumn) -> bool {
    column.is_stored() && column.in_seasons != InSeasons::None
}

const EXPECTED_VALUES: [&str; 6] = ["ev_pos", "ev_neg", "ev_away_spread", "ev_home_spread", "ev_away_ml", "ev_home_ml"];

#[cfg(test)]
mod tests {
    use sports_domain::{LineColumn, ModelColumn, ModelType};

    use super::*;

    #[test]
    fn no_file_has_a_column_twice_and_no_known_column_is_computed() {
        for kind in FileKind::ALL {
            let names: Vec<_> = columns_of(kind).iter().map(|column| column.name).collect();
            let once: std::collections::BTreeSet<_> = names.iter().collect();
            assert_eq!(once.len(), names.len());
            assert!(names.iter().all(|name| computed(FileKind::Predictions).all(|computed| computed != *name)));
            assert_eq!(names.iter().filter(|name| TIMES.contains(name)).count(), 1, "{kind:?}");
        }
    }

    #[test]
    fn a_file_of_results_has_every_column_that_an_archive_stores() {
        let files: Vec<_> = columns_of(FileKind::Results).iter().map(|column| column.name).collect();
        for column in SEASON_COLUMNS {
            assert_eq!(files.contains(&column.name), is_published(column), "{}", column.name);
        }
    }

    #[test]
    fn every_line_model_and_outcome_is_here() {
        let season_columns = |kind| columns_of(kind).iter().filter_map(|column| column.field.season_column());
        for kind in [FileKind::Games, FileKind::Results, FileKind::Predictions] {
            let mut all: Vec<_> = season_columns(kind).filter_map(SeasonColumn::line_column).collect();
            all.sort_unstable();
            assert_eq!(all, LineColumn::ALL, "{kind:?}");
        }
        for column in FileKind::ALL.into_iter().flat_map(season_columns) {
            if let Some(line) = column.line_column() {
                assert_eq!(column.kind == ColumnKind::Price, line.holds_prices(), "{}", column.name);
            }
        }
        for kind in [FileKind::Probabilities, FileKind::Results, FileKind::Predictions] {
            let models: Vec<_> = season_columns(kind).filter_map(SeasonColumn::model_column).collect();
            assert_eq!(models, ModelColumn::FORECASTS, "{kind:?}");
        }
        let outcomes = ModelType::ALL.map(ModelType::outcome_column);
        assert!(outcomes.iter().all(|outcome| computed(FileKind::Games).any(|computed| computed == *outcome)));
    }

    #[test]
    fn odds_are_current_lines_only() {
        let odds = columns_of(FileKind::Odds).iter();
        let lines =
            odds.filter(|column| column.field.season_column().is_some_and(|column| column.line_column().is_some()));
        let lines: Vec<_> = lines.collect();
        assert_eq!(lines.len(), 9);
        for line in lines {
            assert!(!line.name.starts_with("open_") && line.explanation.starts_with("Current "), "{line:?}");
        }
    }
}
