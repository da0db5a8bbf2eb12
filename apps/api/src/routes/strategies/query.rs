use sports_strategies::Accounting;
use utoipa::IntoParams;

use crate::answers::GradedAnswer;
use crate::codes::AccountingCode;
use crate::error::ApiError;
use crate::params::{FromParams, ParamReader};

/// When legacy accounting was deprecated: 21 November 2026, as RFC 9745 writes it.
const DEPRECATED_SINCE: &str = "@1795219200";

/// Where to read about it.
const ABOUT_IT: &str = "</docs>; rel=\"deprecation\"; type=\"text/html\"";

/// Says in headers that an accounting will go.
pub fn marked(answer: GradedAnswer, accounting: Accounting) -> GradedAnswer {
    match accounting {
        Accounting::LegacyV1 => answer.with_header("Deprecation", DEPRECATED_SINCE).with_header("Link", ABOUT_IT),
        Accounting::RecordedV2 => answer,
    }
}

/// The parameters of a leaderboard.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LeaderboardQuery {
    /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others; without it the latest season.
    #[param(example = "2023-24")]
    pub season: Option<String>,
    /// How bets are priced and counted; without it the deprecated `legacy_v1`.
    #[param(value_type = Option<AccountingCode>, example = "recorded_v2")]
    pub accounting: Option<Accounting>,
}

impl FromParams for LeaderboardQuery {
    const TAKES: &'static [&'static str] = &["season", "accounting"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self { season: params.text("season").map(str::to_owned), accounting: params.parsed("accounting")? })
    }
}

/// The parameters of a replay.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReplayQuery {
    /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others; without it the latest season.
    #[param(example = "2023-24")]
    pub season: Option<String>,
    /// How bets are priced and counted; without it `recorded_v2`.
    #[param(value_type = Option<AccountingCode>, example = "recorded_v2")]
    pub accounting: Option<Accounting>,
    /// Whether to list the finished games with a signal that are no bets, and why. Under `legacy_v1` these are
    /// moneyline bets without a price on their side; its totals and spreads exclude nothing.
    #[param(default = false)]
    pub include_excluded: Option<bool>,
}

impl FromParams for ReplayQuery {
    const TAKES: &'static [&'static str] = &["season", "accounting", "include_excluded"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self {
            season: params.text("season").map(str::to_owned),
            accounting: params.parsed("accounting")?,
            include_excluded: params.boolean("include_excluded")?,
        })
    }
}
