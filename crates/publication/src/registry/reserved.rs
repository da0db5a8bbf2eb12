use sports_domain::ModelColumn;

use crate::season_table::SEASON_COLUMNS;

/// Words with a meaning in requests and answers.
const WORDS: [&str; 10] =
    ["ENSEMBLE", "model", "models", "headline", "all", "none", "market", "average", "time", "sport"];

/// The beginnings of names of columns that the service has or may get.
const PREFIXES: [&str; 4] = ["ev_", "open_", "close_", "odds_"];

/// The columns of served tables beside those of the season table, as far as they could be names of models. A test of
/// the API compares them with the tables.
const SERVED: &[&str] = &[
    "accounting",
    "break_even",
    "exclusions_missing_price",
    "exclusions_unverified_finality",
    "games",
    "id",
    "kind",
    "title",
    "description",
    "url",
    "public",
    "model_types",
    "declared_at",
    "declared_generation",
    "retired_at",
    "last_10",
    "last_updated",
    "line",
    "losses",
    "model_type",
    "n",
    "name",
    "next_game_date",
    "outcome",
    "price",
    "profit",
    "profit_units",
    "pushes",
    "rank",
    "ranked",
    "reason",
    "record",
    "roi",
    "roi_high",
    "roi_low",
    "season_end",
    "side",
    "signal",
    "stake",
    "stakes",
    "strategy_id",
    "streak",
    "team",
    "total",
    "total_games",
    "wilson_high",
    "wilson_low",
    "win_pct",
    "wins",
    "won",
    "pick",
    "pick_side",
    "confidence",
    "predictions",
    "generation",
    "known_at",
    "starts_at",
    "predictions_published_at",
    "published_at",
    "release_id",
    "source_as_of",
    "standing",
    "record_index",
    "mark",
    "quotes",
];

/// Returns true for a name that no own model can have, in any letter case.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    let is_same = |known: &str| known.eq_ignore_ascii_case(name);
    let begins = |prefix: &str| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    let columns = SEASON_COLUMNS.iter().filter(|column| column.model_column().is_none()).map(|column| column.name);
    columns.chain(WORDS).chain(SERVED.iter().copied()).any(is_same) || PREFIXES.into_iter().any(begins)
}

/// Returns the standard model whose name differs from `name` in letter case alone.
pub(super) fn standard_in_other_case(name: &str) -> Option<ModelColumn> {
    let other = |column: &ModelColumn| column.name() != name && column.name().eq_ignore_ascii_case(name);
    ModelColumn::FORECASTS.into_iter().find(other)
}
