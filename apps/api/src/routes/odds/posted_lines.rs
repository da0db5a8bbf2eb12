//! The nine lines and prices of a game in the odds.

use serde::Serialize;
use sports_domain::{AmericanPrice, GameLines, HomeSpread, Total};
use utoipa::ToSchema;

use crate::tables::{TableOf, columns};

/// Defines the nine fields of posted lines under names that begin alike.
macro_rules! posted_lines {
    ($(#[$doc:meta])+ $name:ident, $prefix:literal) => { ::pastey::paste! {
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
        pub struct $name {
            /// The points the away team is given: the opposite of the home spread.
            #[schema(required, example = 2.5)]
            [<$prefix away_point_spread>]: Option<f64>,
            /// The price of the away spread, American odds.
            #[schema(required, example = -105)]
            [<$prefix away_point_spread_line>]: Option<i32>,
            /// The points the home team is given; negative when it is the favourite.
            #[schema(required, example = -2.5)]
            [<$prefix home_point_spread>]: Option<f64>,
            /// The price of the home spread.
            #[schema(required, example = -115)]
            [<$prefix home_point_spread_line>]: Option<i32>,
            /// The away team's money line.
            #[schema(required, example = 105)]
            [<$prefix away_money_line>]: Option<i32>,
            /// The home team's money line.
            #[schema(required, example = -125)]
            [<$prefix home_money_line>]: Option<i32>,
            /// The total, in points.
            #[schema(required, example = 43.5)]
            [<$prefix over_under>]: Option<f64>,
            /// The price of the over.
            #[schema(required, example = -110)]
            [<$prefix over_line>]: Option<i32>,
            /// The price of the under.
            #[schema(required, example = -110)]
            [<$prefix under_line>]: Option<i32>,
        }

        impl From<&GameLines> for $name {
            fn from(lines: &GameLines) -> Self {
                Self {
                    [<$prefix away_point_spread>]: lines.spread.map(HomeSpread::away),
                    [<$prefix away_point_spread_line>]: lines.spread_prices.negative.map(AmericanPrice::get),
                    [<$prefix home_point_spread>]: lines.spread.map(HomeSpread::home),
                    [<$prefix home_point_spread_line>]: lines.spread_prices.positive.map(AmericanPrice::get),
                    [<$prefix away_money_line>]: lines.money.negative.map(AmericanPrice::get),
                    [<$prefix home_money_line>]: lines.money.positive.map(AmericanPrice::get),
                    [<$prefix over_under>]: lines.total.map(Total::get),
                    [<$prefix over_line>]: lines.total_prices.positive.map(AmericanPrice::get),
                    [<$prefix under_line>]: lines.total_prices.negative.map(AmericanPrice::get),
                }
            }
        }

        impl $name {
            /// Adds the columns of these lines to a table.
            pub fn columns<'a>(lines: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
                columns!(
                    lines,
                    [<$prefix away_point_spread>], [<$prefix away_point_spread_line>],
                    [<$prefix home_point_spread>], [<$prefix home_point_spread_line>],
                    [<$prefix away_money_line>], [<$prefix home_money_line>],
                    [<$prefix over_under>], [<$prefix over_line>], [<$prefix under_line>],
                )
            }
        }
    }};
}

posted_lines! {
    /// The lines and prices of a game in the odds; all are null if the odds did not quote it.
    PostedLines, ""
}

posted_lines! {
    /// The opener: the first lines and prices that were published for a game.
    OpeningLines, "open_"
}

posted_lines! {
    /// The close: the last lines with a price that were published before the start.
    ClosingLines, "close_"
}
