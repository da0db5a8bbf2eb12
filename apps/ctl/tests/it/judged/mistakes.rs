//! One mistake at a time, and the words with which each has to be named.

use super::tables::{Table, negated, plus};

/// A mistake in a file of games.
pub struct Mistake {
    pub name: &'static str,
    /// The leagues whose files show it; the others cannot.
    pub leagues: &'static str,
    /// The number of games from which it shows.
    pub fewest: usize,
    pub make: fn(&mut Table),
    /// Words of which one is in the message: columns, or the game.
    pub named: &'static [&'static str],
}

const ALL: &str = "mlb nba nfl nhl ncaaf ncaab";
/// Leagues whose spreads are no fixed 1.5.
const SPREADS: &str = "nba nfl ncaaf ncaab";
const SPREAD: &[&str] = &["column home_point_spread"];
const TOTAL: &[&str] = &["column over_under"];
const MONEY: &[&str] =
    &["column home_money_line", "column away_money_line", "columns home_money_line and away_money_line"];
/// The column of starts in a message, which has either name in a file.
const START: &[&str] = &["column time or time_est: "];

/// Mistakes in lines and prices, which a slate, odds and a season of history show alike.
pub const LINES: [Mistake; 22] = [
    Mistake {
        name: "all spreads negated",
        leagues: ALL,
        fewest: 1,
        named: SPREAD,
        make: |it| it.change(&["home_point_spread"], |_, cell| negated(cell)),
    },
    Mistake {
        name: "half of the spreads negated",
        leagues: ALL,
        fewest: 1,
        named: SPREAD,
        make: |it| {
            it.change(&["home_point_spread"], |row, cell| if row % 2 == 0 { negated(cell) } else { cell.to_owned() });
        },
    },
    Mistake {
        name: "ten added to spreads",
        leagues: "mlb nfl nhl ncaab",
        fewest: 1,
        named: SPREAD,
        make: |it| it.change(&["home_point_spread"], |_, cell| plus(cell, 10.0)),
    },
    Mistake {
        name: "ten added to totals",
        leagues: "mlb nhl",
        fewest: 1,
        named: TOTAL,
        make: |it| it.change(&["over_under"], |_, cell| plus(cell, 10.0)),
    },
    Mistake {
        name: "no minus in any column",
        leagues: ALL,
        fewest: 1,
        named: &["column home_point_spread", "columns home_point_spread_line and", "columns home_money_line and"],
        make: |it| it.change(&PRICED, |_, cell| cell.trim_start_matches('-').to_owned()),
    },
    Mistake {
        name: "no minus in moneylines",
        leagues: ALL,
        fewest: 1,
        named: MONEY,
        make: |it| {
            it.change(&["home_money_line", "away_money_line"], |_, cell| cell.trim_start_matches('-').to_owned());
        },
    },
    Mistake {
        name: "no minus in prices of spreads",
        leagues: ALL,
        fewest: 1,
        named: &["columns home_point_spread_line and away_point_spread_line"],
        make: |it| {
            it.change(&["home_point_spread_line", "away_point_spread_line"], |_, cell| {
                cell.trim_start_matches('-').to_owned()
            });
        },
    },
    Mistake {
        name: "no minus in spreads",
        leagues: "nba nfl nhl ncaaf ncaab",
        fewest: 1,
        named: SPREAD,
        make: |it| it.change(&["home_point_spread"], |_, cell| cell.trim_start_matches('-').to_owned()),
    },
    Mistake {
        name: "a price for the total",
        leagues: ALL,
        fewest: 1,
        named: TOTAL,
        make: |it| it.copy("over_line", "over_under"),
    },
    Mistake {
        name: "a price for the spread",
        leagues: ALL,
        fewest: 1,
        named: SPREAD,
        make: |it| it.copy("home_point_spread_line", "home_point_spread"),
    },
    Mistake {
        name: "a spread for the moneyline",
        leagues: ALL,
        fewest: 1,
        named: MONEY,
        make: |it| it.copy("home_point_spread", "home_money_line"),
    },
    Mistake {
        name: "spread and total exchanged",
        leagues: ALL,
        fewest: 1,
        named: &["column home_point_spread", "column over_under"],
        make: |it| it.exchange(["home_point_spread", "over_under"]),
    },
    Mistake {
        name: "moneylines exchanged",
        leagues: ALL,
        fewest: 1,
        named: SPREAD,
        make: |it| it.exchange(["home_money_line", "away_money_line"]),
    },
    Mistake {
        name: "moneyline and total exchanged",
        leagues: ALL,
        fewest: 1,
        named: &["column home_money_line", "column over_under"],
        make: |it| it.exchange(["home_money_line", "over_under"]),
    },
    Mistake {
        name: "decimal moneylines",
        leagues: ALL,
        fewest: 1,
        named: MONEY,
        make: |it| it.change(&["home_money_line", "away_money_line"], |_, cell| decimal(cell)),
    },
    Mistake {
        name: "a tenth of the total",
        leagues: SPREADS,
        fewest: 1,
        named: TOTAL,
        make: |it| {
            it.change(&["over_under"], |_, cell| {
                plus(&format!("{}", (cell.parse::<f64>().expect("a total") / 5.0).round() / 2.0), 0.0)
            });
        },
    },
    Mistake {
        name: "an hundredfold moneyline",
        leagues: "mlb nba nfl nhl",
        fewest: 1,
        named: MONEY,
        make: |it| it.change(&["home_money_line"], |_, cell| format!("{cell}00")),
    },
    Mistake {
        name: "both sides favourites",
        leagues: ALL,
        fewest: 1,
        named: MONEY,
        make: |it| {
            it.change(&["home_money_line", "away_money_line"], |_, cell| format!("-{}", cell.trim_start_matches('-')));
        },
    },
    Mistake {
        name: "the moneyline's sign for the spread",
        leagues: SPREADS,
        fewest: 1,
        named: SPREAD,
        make: |it| it.copy("home_money_line", "home_point_spread"),
    },
    Mistake {
        name: "totals of 1",
        leagues: ALL,
        fewest: 1,
        named: TOTAL,
        make: |it| it.change(&["over_under"], |_, _| "1".to_owned()),
    },
    Mistake {
        name: "ten added to spreads of leagues that have such spreads",
        leagues: "nba ncaaf",
        fewest: 16,
        named: SPREAD,
        make: |it| it.change(&["home_point_spread"], |_, cell| plus(cell, 10.0)),
    },
    Mistake {
        name: "no minus in the spreads of clear favourites at home",
        leagues: "mlb",
        fewest: 16,
        named: SPREAD,
        make: |it| it.change(&["home_point_spread"], |_, cell| cell.trim_start_matches('-').to_owned()),
    },
];

/// Mistakes that only a slate and odds show game by game: quarters, and one value for all.
pub const OF_SLATES: [Mistake; 4] = [
    Mistake {
        name: "quarter totals",
        leagues: ALL,
        fewest: 1,
        named: TOTAL,
        make: |it| it.change(&["over_under"], |_, cell| plus(cell, 0.25)),
    },
    Mistake {
        name: "quarter spreads",
        leagues: ALL,
        fewest: 1,
        named: SPREAD,
        make: |it| it.change(&["home_point_spread"], |_, cell| plus(cell, 0.25)),
    },
    Mistake {
        name: "one total for all",
        leagues: SPREADS,
        fewest: 4,
        named: TOTAL,
        make: |it| {
            let first = it.rows[0]["over_under"].clone();
            it.change(&["over_under"], |_, _| first.clone());
        },
    },
    Mistake {
        name: "one moneyline for all",
        leagues: ALL,
        fewest: 4,
        named: MONEY,
        make: |it| it.change(&["home_money_line", "away_money_line"], |_, _| "-110".to_owned()),
    },
];

/// Mistakes in the starts of a slate that is not on record.
pub const STARTS: [Mistake; 5] = [
    Mistake { name: "UTC", leagues: "mlb nba nfl nhl", fewest: 1, named: START, make: |it| it.shift("time", 5) },
    Mistake {
        name: "UTC in summer",
        leagues: "mlb nba nfl nhl",
        fewest: 4,
        named: START,
        make: |it| it.shift("time", 4),
    },
    Mistake {
        name: "UTC of colleges",
        leagues: "ncaaf ncaab",
        fewest: 16,
        named: START,
        make: |it| it.shift("time", 5),
    },
    Mistake {
        name: "midnight",
        leagues: ALL,
        fewest: 1,
        named: START,
        make: |it| it.change(&["time"], |_, _| "00:00".to_owned()),
    },
    Mistake {
        name: "a minute before midnight",
        leagues: ALL,
        fewest: 1,
        named: START,
        make: |it| it.change(&["time"], |_, _| "23:59".to_owned()),
    },
];

/// Mistakes in the probabilities of a slate.
pub const PROBABILITIES: [Mistake; 2] = [
    Mistake {
        name: "percentages",
        leagues: ALL,
        fewest: 1,
        named: &["BLEND"],
        make: |it| it.change(&["BLEND"], |_, cell| format!("{}", cell.parse::<f64>().expect("a number") * 100.0)),
    },
    Mistake {
        name: "hundredths",
        leagues: ALL,
        fewest: 4,
        named: &["BLEND"],
        make: |it| it.change(&["BLEND"], |_, cell| format!("0.00{}", &cell[2..])),
    },
];

const PRICED: [&str; 7] = [
    "home_money_line",
    "away_money_line",
    "home_point_spread",
    "home_point_spread_line",
    "away_point_spread_line",
    "over_line",
    "under_line",
];

/// Returns an American price as decimal odds.
fn decimal(cell: &str) -> String {
    let price: f64 = cell.parse().expect("a price");
    let profit = if price > 0.0 { price / 100.0 } else { -100.0 / price };
    format!("{:.2}", 1.0 + profit)
}
