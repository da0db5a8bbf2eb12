use sports_domain::{ModelColumn, ModelName};

use crate::season_table::SEASON_COLUMNS;

/// Words with a meaning in requests, answers and files.
const WORDS: [&str; 11] =
    ["ENSEMBLE", "model", "models", "headline", "all", "none", "market", "average", "time", "sport", "void_markets"];

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
    "before_away_score",
    "before_home_score",
    "before_settlement_status",
    "before_date",
    "before_time",
    "before_starts_at",
    "after_away_score",
    "after_home_score",
    "after_settlement_status",
    "after_date",
    "after_time",
    "after_starts_at",
];

/// The other fields of answers about games and models. A test of the API compares them with its document.
const FIELDS: &[&str] = &[
    "archive_games",
    "as_of",
    "band_high",
    "band_low",
    "bin_width",
    "bins",
    "blend_probability",
    "book_away",
    "book_home",
    "brier",
    "cells",
    "clipped",
    "clv_ev",
    "clv_prob",
    "complete",
    "corp",
    "current",
    "current_season",
    "dates",
    "day",
    "difference",
    "dsc",
    "earlier_starts",
    "ece10",
    "ece10_if_perfect",
    "edge_home",
    "excluded",
    "excluded_rows",
    "exclusions",
    "first_date",
    "first_forecast_at",
    "forecast_games",
    "forecasts",
    "from",
    "game",
    "games_before",
    "generated_date",
    "graded_games",
    "high",
    "historical_average",
    "horizon",
    "implied_probability",
    "imported",
    "kalshi_away",
    "kalshi_home",
    "last_date",
    "last_forecast_at",
    "last_n",
    "line_clv",
    "line_moved",
    "lines",
    "live",
    "live_season",
    "log_loss",
    "low",
    "market_line",
    "markets",
    "mcb",
    "mcb_p",
    "mean",
    "mean_p",
    "min_sample",
    "missing_price",
    "model_away",
    "model_home",
    "models_used",
    "murphy",
    "next_offset",
    "no_close",
    "no_final",
    "no_forecast_then",
    "no_later_odds",
    "no_line",
    "no_pick",
    "no_prediction",
    "no_price",
    "not_played",
    "not_recorded_here",
    "not_started",
    "note",
    "offset",
    "over",
    "p",
    "p_holm",
    "p_max",
    "p_min",
    "picks",
    "positive",
    "predictions_date",
    "previous",
    "price_basis",
    "probabilities",
    "published_at",
    "rate",
    "reconstructed_oos",
    "record_index",
    "recorded",
    "rel",
    "reliability_diagram",
    "res",
    "results",
    "returned",
    "rows",
    "sample",
    "se",
    "seasons",
    "sha256",
    "since_generation",
    "skill",
    "snapshot",
    "source_end",
    "source_start",
    "sources",
    "stale_close",
    "strategies",
    "strategy",
    "summaries",
    "t",
    "taken",
    "teams",
    "thin",
    "to",
    "unc",
    "ungraded",
    "unverified_finality",
    "verdict",
    "verdict_in_words",
    "version",
    "versions",
    "walk_forward",
    "wbc",
    "wbv",
];

/// The reason why a column cannot be declared under its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotDeclarable {
    /// The name has another meaning.
    #[error("its name is reserved for something else")]
    Reserved,
    /// The name differs from another in letter case alone.
    #[error("its name differs from `{0}` in letter case alone")]
    InOtherCase(ModelName),
}

/// Returns true for a name that no own model can have, in any letter case.
pub fn is_reserved(name: &str) -> bool {
    let is_same = |known: &str| known.eq_ignore_ascii_case(name);
    let begins = |prefix: &str| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    let columns = SEASON_COLUMNS.iter().filter(|column| column.model_column().is_none()).map(|column| column.name);
    columns.chain(WORDS).chain(SERVED.iter().chain(FIELDS).copied()).any(is_same) || PREFIXES.into_iter().any(begins)
}

/// Returns true for the name of a standard model, and for one that an own model can have.
pub fn is_declarable(name: ModelName) -> bool {
    match name.column() {
        Some(column) => column != ModelColumn::Implied,
        None => check_spelling(name).is_ok(),
    }
}

/// Checks that an own model can have a name, whatever else is declared.
pub(super) fn check_spelling(name: ModelName) -> Result<(), NotDeclarable> {
    if is_reserved(name.as_str()) {
        return Err(NotDeclarable::Reserved);
    }
    let is_other =
        |column: &ModelColumn| column.name() != name.as_str() && column.name().eq_ignore_ascii_case(name.as_str());
    let standard = ModelColumn::FORECASTS.into_iter().find(is_other);
    standard.map_or(Ok(()), |standard| Err(NotDeclarable::InOtherCase(ModelName::of(standard))))
}
