mod manifest;
mod tables;

use sports_domain::{LineColumn, ModelColumn};

use crate::file_kind::FileKind;

pub(crate) use manifest::{GAME_KEY, MANIFEST, MOVE, RUN, SOURCE_TIMES};

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// `YYYY-MM-DD`.
    Date,
    /// `HH:MM:SS` or `HH:MM`.
    Time,
    /// An Eastern date and time, `YYYY-MM-DD HH:MM:SS`.
    WallClock,
    /// A time with its offset from UTC (RFC 3339).
    Instant,
    /// `YYYY` for mlb, else `YYYY-YY`.
    Season,
    /// A display name or slug.
    Team,
    /// A whole number, 1 to 9.
    GameNumber,
    /// A whole number, 0 or more.
    Score,
    /// American odds; 0 for none.
    Price,
    /// A spread in points; 0 is a pick'em.
    Points,
    /// A total in points; 0 for none.
    Total,
    /// From 0 to 1.
    Probability,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Anything.
    Text,
    /// Fields of its own: only in `release.json`.
    Object,
    /// A list: only in `release.json`.
    List,
}

/// A column of a table, or a field of `release.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputColumn {
    /// Its name, spelt and cased like this.
    pub name: &'static str,
    /// What its cells hold.
    pub kind: ColumnKind,
    /// Whether a file must have it.
    pub required: bool,
    /// What it means, in a sentence.
    pub explanation: &'static str,
    pub(crate) field: Field,
}

/// What the reader takes a column for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Date,
    Time,
    Season,
    AwayTeam,
    HomeTeam,
    GameNumber,
    GameType,
    MatchId,
    AwayScore,
    HomeScore,
    Line(LineColumn),
    LastUpdated,
    QuoteSource,
    SettlementStatus,
    Sport,
    Model(ModelColumn),
    ForecastSource,
    ForecastRun,
    ForecastPublishedAt,
    ProbabilitySource,
    TrainingThrough,
    ReconstructionMethod,
    /// A field of `release.json`.
    Manifest,
}

/// The names of the start time, in every kind of file.
pub(crate) const TIMES: [&str; 2] = ["time_est", "time"];

pub(crate) const FORECAST_SOURCES: [&str; 2] = ["live", "walk_forward"];

/// The columns of one kind of file, in the order a template lists them.
pub(crate) fn columns_of(kind: FileKind) -> impl Iterator<Item = &'static InputColumn> {
    tables::of(kind).iter().copied().flatten()
}

/// Columns the service computes itself, whatever a file of this kind says.
pub(crate) const fn computed(kind: FileKind) -> &'static [&'static str] {
    match kind {
        FileKind::Games | FileKind::Probabilities | FileKind::Results => COMPUTED.split_at(COMPUTED_EVERYWHERE).0,
        FileKind::Predictions => &COMPUTED,
        FileKind::Odds | FileKind::Finals => &[],
    }
}

/// How many of [`COMPUTED`] are computed for history too.
const COMPUTED_EVERYWHERE: usize = 7;

const COMPUTED: [&str; 13] = [
    ModelColumn::Implied.name(),
    "push",
    "graded",
    "ungraded_reason",
    "over",
    "won_on_points",
    "won_on_spread",
    "ev_pos",
    "ev_neg",
    "ev_away_spread",
    "ev_home_spread",
    "ev_away_ml",
    "ev_home_ml",
];

const fn column(field: Field, name: &'static str, kind: ColumnKind, explanation: &'static str) -> InputColumn {
    InputColumn { name, kind, required: false, explanation, field }
}

const fn required(column: InputColumn) -> InputColumn {
    InputColumn { required: true, ..column }
}

#[cfg(test)]
mod tests {
    use sports_domain::ModelType;

    use super::*;

    #[test]
    fn no_file_has_a_column_twice_and_no_known_column_is_computed() {
        for kind in FileKind::ALL {
            let names: Vec<_> = columns_of(kind).map(|column| column.name).collect();
            let once: std::collections::BTreeSet<_> = names.iter().collect();
            assert_eq!(once.len(), names.len());
            assert!(names.iter().all(|name| !COMPUTED.contains(name)));
            assert_eq!(names.iter().filter(|name| TIMES.contains(name)).count(), 1, "{kind:?}");
        }
    }

    #[test]
    fn every_line_model_and_outcome_is_here() {
        let lines = |kind| {
            columns_of(kind).filter_map(|column| match column.field {
                Field::Line(line) => Some((column, line)),
                _ => None,
            })
        };
        for kind in [FileKind::Games, FileKind::Results, FileKind::Predictions] {
            let mut all: Vec<_> = lines(kind).map(|(_, line)| line).collect();
            all.sort_unstable();
            assert_eq!(all, LineColumn::ALL, "{kind:?}");
        }
        for (column, line) in FileKind::ALL.into_iter().flat_map(lines) {
            assert_eq!(column.name, line.name());
            assert_eq!(column.kind == ColumnKind::Price, line.holds_prices(), "{}", column.name);
        }
        for kind in [FileKind::Probabilities, FileKind::Results, FileKind::Predictions] {
            let models: Vec<_> = columns_of(kind).filter(|column| matches!(column.field, Field::Model(_))).collect();
            let names: Vec<_> = models.iter().map(|column| column.name).collect();
            assert_eq!(names, ModelColumn::FORECASTS.map(ModelColumn::name), "{kind:?}");
        }
        let outcomes = ModelType::ALL.map(ModelType::outcome_column);
        assert!(outcomes.iter().all(|outcome| computed(FileKind::Games).contains(outcome)));
    }

    #[test]
    fn odds_are_current_lines_only() {
        let lines: Vec<_> =
            columns_of(FileKind::Odds).filter(|column| matches!(column.field, Field::Line(_))).collect();
        assert_eq!(lines.len(), 9);
        assert!(lines.iter().all(|column| !column.name.starts_with("open_")));
    }
}
