//! The fields of `release.json`.

use sports_domain::Sport;

use super::{ColumnKind, Field, InputColumn, column, required};

const fn field(name: &'static str, kind: ColumnKind, explanation: &'static str) -> InputColumn {
    column(Field::Manifest, name, kind, explanation)
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
pub(crate) static MANIFEST: [InputColumn; 8] = [
    required(field("sport", ColumnKind::Word(&SPORTS), "The league everything in the folder is of.")),
    field("season", ColumnKind::Season, "The season predictions are recorded in; required beside predictions."),
    required(field("slate_date", ColumnKind::Date, "Eastern date the release is for.")),
    field(
        "slate",
        ColumnKind::Word(&["active", "none"]),
        "Whether the league has games to serve; `none` is an off-day confirmed by a `run` with `completed_at`. Default \
         `active`.",
    ),
    field("run", ColumnKind::Object, "The run of the models that made the release."),
    field("source_as_of", ColumnKind::Object, "As of when the sources spoke."),
    field("held_games", ColumnKind::Object, "Per model type, the games whose previous predictions stay."),
    field("moved", ColumnKind::List, "Games whose start changed: each `from` one key `to` another."),
];

/// The fields of `run` in `release.json`.
pub(crate) static RUN: [InputColumn; 3] = [
    required(field("id", ColumnKind::Text, "The publisher's id of the run.")),
    required(field("started_at", ColumnKind::Instant, "When it started.")),
    field("completed_at", ColumnKind::Instant, "When it ended; left out while it runs."),
];

/// The fields of `source_as_of` in `release.json`.
pub(crate) static SOURCE_TIMES: [InputColumn; 2] =
    [field("odds", ColumnKind::Instant, "The odds."), field("predictions", ColumnKind::Instant, "The predictions.")];

/// The fields of a game under `held_games` and `moved` in `release.json`.
pub(crate) static GAME_KEY: [InputColumn; 4] = [
    required(field("date", ColumnKind::Date, "Eastern date of the start.")),
    required(field("time_est", ColumnKind::Time, "Eastern wall-clock time of the start; `time` is read alike.")),
    required(field("away_team", ColumnKind::Team, "The visiting team.")),
    required(field("home_team", ColumnKind::Team, "The home team.")),
];

/// The fields of a game under `moved` in `release.json`.
pub(crate) static MOVE: [InputColumn; 2] = [
    required(field("from", ColumnKind::Object, "The game as it was announced before.")),
    required(field("to", ColumnKind::Object, "The same game as it is announced now.")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_league_is_here() {
        assert_eq!(SPORTS, Sport::ALL.map(Sport::code));
    }
}
