//! The columns of each kind of file. Columns of a season come from the season table; slates and finals have some
//! explanations of their own.

use std::borrow::Cow;
use std::sync::LazyLock;

use sports_publication::season_table::{
    AWAY_SCORE, AWAY_TEAM, ColumnGroup as Group, ColumnKind, DATE, GAME_ID, GAME_NUMBER, GAME_TYPE, HOME_SCORE,
    HOME_TEAM, MATCH_ID, QUOTE_SOURCE, SEASON, SETTLEMENT_STATUS, SeasonColumn, TIME,
};

use super::{Field, InputColumn, InputKind};
use crate::file_kind::FileKind;

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
        FileKind::Games => stored(KEY).chain(stored(GAME)).collect(),
        FileKind::Probabilities => {
            stored(KEY).chain(stored(IDS)).chain(stored(MODELS)).chain(stored(PROVENANCE)).collect()
        }
        FileKind::Results => stored(KEY).chain(stored(GAME)).chain(stored(MODELS)).chain(stored(PROVENANCE)).collect(),
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
    [DATE.into(), time, AWAY_TEAM.into(), HOME_TEAM.into(), GAME_ID.into(), MATCH_ID.into()].into_iter()
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
