use std::borrow::Cow;
use std::sync::LazyLock;

use sports_domain::Sport;
use sports_publication::season_table::{
    AWAY_SCORE, AWAY_TEAM, ColumnGroup as Group, ColumnKind, DATE, GAME_ID, GAME_NUMBER, GAME_TYPE, HOME_SCORE,
    HOME_TEAM, MATCH_ID, QUOTE_SOURCE, SEASON, SEASON_COLUMNS, SETTLEMENT_STATUS, SeasonColumn, TIME,
};

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
    /// The markets in which a final decides nothing.
    VoidMarkets,
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
    let of_a_season = SEASON_COLUMNS.iter().filter(move |column| everywhere && !column.is_published());
    let of_a_slate = if kind == FileKind::Predictions { EXPECTED_VALUES.as_slice() } else { &[] };
    of_a_season.map(|column| column.name).chain(of_a_slate.iter().copied())
}

const EXPECTED_VALUES: [&str; 6] = ["ev_pos", "ev_neg", "ev_away_spread", "ev_home_spread", "ev_away_ml", "ev_home_ml"];

// The columns of each kind of file. Columns of a season come from the season table; slates and finals have some
// explanations of their own.

/// Returns the columns of one kind of file, in the order of its template.
pub(crate) fn columns_of(kind: FileKind) -> &'static [InputColumn] {
    static COLUMNS: LazyLock<[Vec<InputColumn>; 6]> = LazyLock::new(|| FileKind::ALL.map(columns));
    &COLUMNS[kind as usize]
}

const KEY: &[&[Group]] = &[&[Group::Start], &[Group::Teams], &[Group::GameNumber]];

const GAME: &[&[Group]] = &[
    &[Group::GameType],
    &[Group::MatchId],
    &[Group::Score],
    &[Group::Quotes],
    &[Group::Settlement],
    &[Group::Closing],
    &[Group::Opening],
];

const IDS: &[&[Group]] = &[&[Group::MatchId]];

const MODELS: &[&[Group]] = &[&[Group::Models]];

const PROVENANCE: &[&[Group]] = &[&[Group::Origin], &[Group::Making]];

fn columns(kind: FileKind) -> Vec<InputColumn> {
    match kind {
        FileKind::Games => stored(KEY).chain(stored(GAME)).chain([void_markets()]).collect(),
        FileKind::Probabilities => {
            stored(KEY).chain(stored(IDS)).chain(stored(MODELS)).chain(stored(PROVENANCE)).collect()
        }
        FileKind::Results => stored(KEY)
            .chain(stored(GAME))
            .chain([void_markets()])
            .chain(stored(MODELS))
            .chain(stored(PROVENANCE))
            .collect(),
        FileKind::Odds => {
            slate_key().chain(current_line_columns()).chain([InputColumn::from(QUOTE_SOURCE), last_updated()]).collect()
        }
        FileKind::Predictions => slate_key()
            .chain([
                InputColumn::from(SEASON).with_explanation("The season; must agree with release.json."),
                InputColumn::from(GAME_TYPE).with_explanation(
                    "The part of the season; professional leagues take regular-season and postseason games only.",
                ),
            ])
            .chain([InputColumn::from(QUOTE_SOURCE)])
            .chain(current_line_columns())
            .chain(stored(&[&[Group::Opening]]))
            .chain(stored(MODELS))
            .collect(),
        FileKind::Finals => finals(),
    }
}

/// Returns the columns of a season's groups, without computed columns.
fn stored(groups: &'static [&'static [Group]]) -> impl Iterator<Item = InputColumn> {
    SeasonColumn::in_groups(groups).filter(|column| column.is_stored()).map(InputColumn::from)
}

/// Returns the columns of current lines: a slate has the current line where a season has the closing line.
fn current_line_columns() -> impl Iterator<Item = InputColumn> {
    stored(&[&[Group::Closing]]).map(|column| {
        let explanation = column.explanation.replacen("Closing", "Current", 1);
        InputColumn { explanation: Cow::Owned(explanation), ..column }
    })
}

fn slate_key() -> impl Iterator<Item = InputColumn> {
    let time = InputColumn::from(TIME)
        .with_explanation("Eastern wall-clock time of the start; a column called `time_est` is read alike.");
    let time = InputColumn { name: "time", required: true, ..time };
    let number = InputColumn::from(GAME_NUMBER);
    [DATE.into(), time, AWAY_TEAM.into(), HOME_TEAM.into(), number, GAME_ID.into(), MATCH_ID.into()].into_iter()
}

fn last_updated() -> InputColumn {
    InputColumn {
        name: "last_updated",
        kind: InputKind::Cell(ColumnKind::WallClock),
        required: false,
        explanation: "Eastern date and time at which the book was last looked at, as YYYY-MM-DD HH:MM:SS.".into(),
        field: Field::LastUpdated,
    }
}

fn void_markets() -> InputColumn {
    InputColumn {
        name: "void_markets",
        kind: InputKind::Cell(ColumnKind::Text),
        required: false,
        explanation: "The markets in which the final decides nothing, such as `over_under won_on_spread` of a shortened game; `none` \
                      for none."
            .into(),
        field: Field::VoidMarkets,
    }
}

fn finals() -> Vec<InputColumn> {
    vec![
        DATE.into(),
        InputColumn::from(TIME).with_explanation(
            "Eastern wall-clock time of the start; without it, the only game of these teams on this date is meant.",
        ),
        AWAY_TEAM.into(),
        HOME_TEAM.into(),
        GAME_NUMBER.into(),
        GAME_ID.into(),
        MATCH_ID.into(),
        InputColumn::from(AWAY_SCORE).with_explanation("Final score of the away team, empty without a final."),
        InputColumn::from(HOME_SCORE).with_explanation("Final score of the home team, empty without a final."),
        InputColumn::from(SETTLEMENT_STATUS).with_explanation(
            "`settled`, which empty means beside a final; without one `cancelled`, `postponed` or another word.",
        ),
        void_markets(),
        InputColumn {
            name: "sport",
            kind: InputKind::Cell(ColumnKind::Text),
            required: false,
            explanation: "The league; must be the one that is settled.".into(),
            field: Field::Sport,
        },
    ]
}

impl From<&'static SeasonColumn> for InputColumn {
    fn from(column: &'static SeasonColumn) -> Self {
        Self {
            name: column.name,
            kind: InputKind::Cell(column.kind),
            required: column.is_required(),
            explanation: Cow::Borrowed(column.in_a_file()),
            field: Field::Season(column),
        }
    }
}

impl InputColumn {
    fn with_explanation(self, explanation: &'static str) -> Self {
        Self { explanation: Cow::Borrowed(explanation), ..self }
    }
}

// The fields of `release.json`.

const fn field(name: &'static str, kind: InputKind, explanation: &'static str) -> InputColumn {
    InputColumn { name, kind, required: false, explanation: Cow::Borrowed(explanation), field: Field::Manifest }
}

const fn required(name: &'static str, kind: InputKind, explanation: &'static str) -> InputColumn {
    InputColumn { name, kind, required: true, explanation: Cow::Borrowed(explanation), field: Field::Manifest }
}

const SPORTS: [&str; Sport::ALL.len()] = [
    Sport::Mlb.code(),
    Sport::Nba.code(),
    Sport::Nfl.code(),
    Sport::Nhl.code(),
    Sport::Ncaaf.code(),
    Sport::Ncaab.code(),
];

/// The fields of `release.json`.
pub(crate) static MANIFEST: [InputColumn; 14] = [
    required("sport", InputKind::Cell(ColumnKind::Word(&SPORTS)), "The league everything in the folder is of."),
    field(
        "season",
        InputKind::Cell(ColumnKind::Season),
        "The season predictions are recorded in; required beside predictions.",
    ),
    required("slate_date", InputKind::Cell(ColumnKind::Date), "Eastern date the release is for."),
    field(
        "slate",
        InputKind::Cell(ColumnKind::Word(&["active", "none"])),
        "`active` if the league has games to serve; `none` is an off-day confirmed by a `run` with `completed_at`. \
         Default `active`.",
    ),
    field("run", InputKind::Object, "The run of the models that made the release."),
    field("source_as_of", InputKind::Object, "The instants as of which odds and predictions are."),
    field("held_games", InputKind::Object, "Per model type, the games whose previous predictions stay."),
    field(
        "moved",
        InputKind::List,
        "Games whose start or season changed: each by `game_id`, `match_id` or `from`, and `to` its new key.",
    ),
    field(
        "zero_spread_openers",
        InputKind::Cell(ColumnKind::Text),
        "The meaning of opening spreads of 0 in this release: `placeholder` for none, `pickem` for a real opener. Default: \
         `placeholder` for predictions, `pickem` for history.",
    ),
    field(
        "models",
        InputKind::Object,
        "Your own models by the name of their column, and versions of standard models; `false` for a column that is no \
         model. A declaration holds until it is changed.",
    ),
    field(
        "headline",
        InputKind::Cell(ColumnKind::Text),
        "The model whose picks and edge are served to requests that name none; without it BLEND, or the first model with values.",
    ),
    field(
        "markets",
        InputKind::List,
        "The model types that the league has: the data status expects these, and predictions of others are refused. It holds \
         until it is changed; null takes it back. Without it: those of the last fourteen slate dates.",
    ),
    field(
        "slate_days",
        InputKind::List,
        "The weekdays with a slate, `mon` to `sun` on the Eastern date; on others without a game nothing is due. It holds \
         until it is changed. Without it: every day.",
    ),
    field(
        "odds_dependent",
        InputKind::Cell(ColumnKind::Flag),
        "`false` if your models do not read odds: newer odds never make predictions late. It holds until it is changed. \
         Default `true`.",
    ),
];

/// The fields of a model under `models` in `release.json`.
pub(crate) static MODEL: [InputColumn; 8] = [
    field("title", InputKind::Cell(ColumnKind::Text), "A title for readers, at most 64 characters."),
    field("description", InputKind::Cell(ColumnKind::Text), "A description, at most 500 characters."),
    field("url", InputKind::Cell(ColumnKind::Text), "The address of a page about the model; it is never fetched."),
    field("version", InputKind::Cell(ColumnKind::Text), "The version, at most 64 characters."),
    field("sha256", InputKind::Cell(ColumnKind::Text), "64 hex digits of your choice that identify the version."),
    field("model_types", InputKind::List, "The markets that the model forecasts; all three if absent."),
    field(
        "public",
        InputKind::Cell(ColumnKind::Flag),
        "`true` shows the model in the public feed; default `false`, but for a league's only model.",
    ),
    field("retired", InputKind::Cell(ColumnKind::Flag), "`true` retires the model, `false` takes it back."),
];

/// The fields of `run` in `release.json`.
pub(crate) static RUN: [InputColumn; 3] = [
    required("id", InputKind::Cell(ColumnKind::Text), "The publisher's id of the run."),
    required("started_at", InputKind::Cell(ColumnKind::Instant), "The start of the run."),
    field("completed_at", InputKind::Cell(ColumnKind::Instant), "The end of the run; left out while it runs."),
];

/// The fields of `source_as_of` in `release.json`.
pub(crate) static SOURCE_TIMES: [InputColumn; 2] = [
    field("odds", InputKind::Cell(ColumnKind::Instant), "The odds."),
    field("predictions", InputKind::Cell(ColumnKind::Instant), "The predictions."),
];

/// The fields of a game under `held_games` and `moved` in `release.json`.
pub(crate) static GAME_KEY: [InputColumn; 4] = [
    required("date", InputKind::Cell(ColumnKind::Date), "Eastern date of the start."),
    required(
        "time_est",
        InputKind::Cell(ColumnKind::Time),
        "Eastern wall-clock time of the start; `time` is read alike.",
    ),
    required("away_team", InputKind::Cell(ColumnKind::Team), "The visiting team."),
    required("home_team", InputKind::Cell(ColumnKind::Team), "The home team."),
];

/// The fields of a game under `moved` in `release.json`.
pub(crate) static RESCHEDULE: [InputColumn; 4] = [
    field("game_id", InputKind::Cell(ColumnKind::Text), "The identity of the game; needs no `from`."),
    field("match_id", InputKind::Cell(ColumnKind::Text), "The publisher's name for the game; needs no `from`."),
    field("from", InputKind::Object, "The game as it was announced before; required without an id."),
    required("to", InputKind::Object, "The same game as it is announced now."),
];

/// A kind of table that a publisher writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// `games/{season}`: lines, prices and finals, for all three markets.
    Games,
    /// `probabilities/{model_type}/{season}`: a market's model probabilities.
    Probabilities,
    /// `results/{model_type}/{season}`: games and probabilities in one file, for one market.
    Results,
    /// `odds`: current lines and prices of the slate.
    Odds,
    /// `predictions/{model_type}`: a market's model probabilities for the slate.
    Predictions,
    /// A file of finals for `sportsctl settle`; never part of a release.
    Finals,
}

impl FileKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Games, Self::Probabilities, Self::Results, Self::Odds, Self::Predictions, Self::Finals];

    /// Returns the name of the kind; for kinds in a release this is the name of the folder or file.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Probabilities => "probabilities",
            Self::Results => "results",
            Self::Odds => "odds",
            Self::Predictions => "predictions",
            Self::Finals => "finals",
        }
    }

    /// Returns the name of the kind in a sentence, such as `odds` or `games/`.
    pub(crate) const fn place(self) -> &'static str {
        match self {
            Self::Games => "games/",
            Self::Probabilities => "probabilities/",
            Self::Results => "results/",
            Self::Odds => "odds",
            Self::Predictions => "predictions/",
            Self::Finals => "finals",
        }
    }
}

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
            assert_eq!(files.contains(&column.name), column.is_published(), "{}", column.name);
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

    #[test]
    fn every_league_is_here() {
        assert_eq!(SPORTS, Sport::ALL.map(Sport::code));
    }
}
