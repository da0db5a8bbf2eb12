//! The fields of `release.json`.

use std::borrow::Cow;

use sports_domain::Sport;
use sports_publication::season_table::ColumnKind;

use super::{Field, InputColumn, InputKind};

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
pub(crate) static MANIFEST: [InputColumn; 10] = [
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
        "models",
        InputKind::Object,
        "Your own models by the name of their column, and versions of standard models; `false` for a column that is no \
         model. A declaration holds until it is changed.",
    ),
    field(
        "headline",
        InputKind::Cell(ColumnKind::Text),
        "The model whose picks and edge are served to requests that name none; BLEND unless you name another.",
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
    field("public", InputKind::Cell(ColumnKind::Flag), "`true` shows the model in the public feed; default `false`."),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_league_is_here() {
        assert_eq!(SPORTS, Sport::ALL.map(Sport::code));
    }
}
