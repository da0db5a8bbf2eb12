use std::fmt;

/// A parameter that a rule can have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleParameter {
    /// The name, such as `min_edge`.
    pub name: &'static str,
    /// The form of its value.
    pub form: ParameterForm,
    /// The description: sentences without the last full stop.
    pub help: &'static str,
}

/// The form of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterForm {
    /// A text, such as the name of a model.
    Text,
    /// A date, `YYYY-MM-DD`.
    Date,
    /// A decimal number from one to another.
    Number(f64, f64),
    /// A whole number from one to another.
    Whole(i32, i32),
    /// One of some words.
    Words(&'static [&'static str]),
}

/// The words of the parameter `side`, in all markets.
const SIDES: &[&str] = &["home", "away", "over", "under", "favourite", "underdog"];

/// The days of the week from Monday, in the order of [`chrono::Weekday`].
pub const DAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const fn parameter(name: &'static str, form: ParameterForm, help: &'static str) -> RuleParameter {
    RuleParameter { name, form, help }
}

impl RuleParameter {
    /// Every parameter, in their order.
    pub const ALL: &[Self] = {
        use ParameterForm::{Date, Number, Text, Whole, Words};
        &[
            parameter("model", Text, "The model whose probabilities decide; the market's default if absent"),
            parameter(
                "season",
                Text,
                "The label of a season, several with commas between them, or `all`; the current season if absent",
            ),
            parameter("from", Date, "The first date of games, Eastern"),
            parameter("to", Date, "The last date of games, Eastern"),
            parameter(
                "forecast_source",
                Words(&["all", "recorded", "live", "walk_forward"]),
                "The rows that can be bet, by their forecast: every row (`all`, the default), live forecasts that this log made \
                 (`recorded`), these and imported live ones (`live`), or those of a backtest (`walk_forward`)",
            ),
            parameter(
                "hours_before",
                Number(0.25, 168.0),
                "The hours before each start, from 0.25 to 168, at which rows, lines, prices and forecasts are given as they were \
                 known. Without it they are those of the record: the last before the start",
            ),
            parameter(
                "bet",
                Words(&["value", "fade_value", "pick", "fade", "line", "fade_line"]),
                "The side: the one that the model rates above the market (`value`, the default), that it gives more than one half \
                 (`pick`), or that the line moved to (`line`); or the other one (`fade_…`, `fade`)",
            ),
            parameter(
                "side",
                Words(SIDES),
                "The only side that is bet: `home` or `away`, of totals `over` or `under`; or the dearer one (`favourite`), or the \
                 other one (`underdog`)",
            ),
            parameter(
                "min_edge",
                Number(-1.0, 1.0),
                "The least edge: the model's probability less the no-vig probability, from -1 to 1",
            ),
            parameter("max_edge", Number(-1.0, 1.0), "The largest edge, from -1 to 1"),
            parameter(
                "min_ev",
                Number(-1.0, 1.0),
                "The least expected value of a unit: probability times decimal odds, less 1, from -1 to 1",
            ),
            parameter("max_ev", Number(-1.0, 1.0), "The largest expected value of a unit, from -1 to 1"),
            parameter(
                "min_probability",
                Number(0.0, 1.0),
                "The least probability that the model gives the side, from 0 to 1",
            ),
            parameter(
                "max_probability",
                Number(0.0, 1.0),
                "The largest probability that the model gives the side, from 0 to 1",
            ),
            parameter(
                "min_price",
                Whole(i32::MIN, i32::MAX),
                "The worst price, in American odds: 100 and more, or -100 and less",
            ),
            parameter(
                "max_price",
                Whole(i32::MIN, i32::MAX),
                "The best price, in American odds: 100 and more, or -100 and less",
            ),
            parameter(
                "min_line",
                Number(-1_000.0, 1_000.0),
                "The least total, or of a spread the least number of the side: home -3.5, away +3.5; from -1000 to 1000. Moneylines have none",
            ),
            parameter(
                "max_line",
                Number(-1_000.0, 1_000.0),
                "The largest total, or number of the side. Moneylines have none",
            ),
            parameter(
                "line_move",
                Words(&["with", "against", "none"]),
                "The line moved to the side since its opener (`with`), away from it (`against`), or not at all (`none`)",
            ),
            parameter(
                "agree",
                Whole(1, i32::MAX),
                "The least number of `models` that give the side more than one half",
            ),
            parameter("models", Text, "The models that vote for `agree`, with commas between them"),
            parameter("team", Text, "The team of the side, by its slug in the rows; of totals either team"),
            parameter("weekday", Words(DAYS), "The day of the week of the Eastern date"),
            parameter("month", Whole(1, 12), "The month of the Eastern date, from 1 to 12"),
            parameter(
                "stake",
                Words(&["flat", "kelly"]),
                "One unit a bet (`flat`, the default), or beside that a bank that bets shares of itself by Kelly's formula (`kelly`)",
            ),
            parameter(
                "fraction",
                Number(0.0, 1.0),
                "The share of Kelly's stake, above 0 and at most 1; 0.25 if absent. With stake=kelly alone",
            ),
            parameter(
                "max_stake",
                Number(0.0, 1.0),
                "The largest share of the bank, above 0 and at most 1; 0.05 if absent. With stake=kelly alone",
            ),
            parameter(
                "tried",
                Whole(1, 100_000),
                "The number of rules that were looked at to find this one, from 1 to 100,000; 1 if absent",
            ),
        ]
    };
}

/// A parameter of a rule by its name, with the normal form of its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name, such as `min_edge`.
    pub name: &'static str,
    /// The value, with numbers in their shortest form.
    pub value: String,
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}
