use sports_strategies::Accounting;
use utoipa::IntoParams;

use crate::answers::GradedAnswer;
use crate::codes::AccountingCode;
use crate::error::ApiError;
use crate::format::Format;
use crate::params::{FORMAT, FromParams, ParamReader, format_of};

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

/// The parameters of a leaderboard beside the season.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LeaderboardQuery {
    /// How bets are priced and counted; without it the deprecated `legacy_v1`.
    #[param(value_type = Option<AccountingCode>, default = json!(Accounting::LegacyV1.code()))]
    pub accounting: Option<Accounting>,
    /// The form of the answer; without it the `Accept` header decides.
    pub format: Option<Format>,
}

impl FromParams for LeaderboardQuery {
    const TAKES: &'static [&'static str] = &["accounting", FORMAT];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self { accounting: params.parsed("accounting")?, format: format_of(params)? })
    }
}

/// The parameters of a replay beside the season.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReplayQuery {
    /// How bets are priced and counted; without it `recorded_v2`.
    #[param(value_type = Option<AccountingCode>, default = json!(Accounting::RecordedV2.code()))]
    pub accounting: Option<Accounting>,
    /// Whether to list the finished games with a signal that are no bets, and why. Under `legacy_v1` these are
    /// moneyline bets without a price on their side; its totals and spreads exclude nothing.
    #[param(default = false)]
    pub include_excluded: Option<bool>,
    /// The form of the answer; without it the `Accept` header decides. In a table the games left out come after the bets.
    pub format: Option<Format>,
}

impl FromParams for ReplayQuery {
    const TAKES: &'static [&'static str] = &["accounting", "include_excluded", FORMAT];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self {
            accounting: params.parsed("accounting")?,
            include_excluded: params.boolean("include_excluded")?,
            format: format_of(params)?,
        })
    }
}
