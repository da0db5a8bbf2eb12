use sports_domain::{AmericanPrice, NO_DIFFERENCE, rounded};

/// A figure of a bet that a rule can limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// The model's probability less the no-vig probability.
    Edge,
    /// The model's probability times the decimal odds, less one.
    ExpectedValue,
    /// The model's probability.
    Probability,
    /// The price of the bet.
    Price,
    /// The total, or the points that the team of the bet receives.
    Line,
}

impl Quantity {
    /// Every quantity, in the order of parameters.
    pub const ALL: [Self; 5] = [Self::Edge, Self::ExpectedValue, Self::Probability, Self::Price, Self::Line];

    const fn terms(self) -> &'static Terms {
        &TERMS[self as usize]
    }

    /// Returns the names of the parameters of both ends.
    pub const fn names(self) -> [&'static str; 2] {
        self.terms().names
    }

    /// Returns the values of an end, for the sentence "`name` must be …".
    pub const fn allowed(self) -> &'static str {
        self.terms().allowed
    }
}

/// The terms of a quantity: the names of both ends, their values, and the distance of a neighbour.
struct Terms {
    names: [&'static str; 2],
    allowed: &'static str,
    bounds: [f64; 2],
    step: f64,
}

const FRACTION: &str = "a fraction from -1 to 1, such as 0.03 for three percent";

const PRICE: &str = "American odds, a whole number of 100 or more or of -100 or less, such as -110";

const POINTS: &str = "a number of points from -1000 to 1000, such as 44.5 or -3.5";

const ANY: [f64; 2] = [f64::MIN, f64::MAX];

/// The terms of [`Quantity::ALL`].
const TERMS: [Terms; 5] = [
    Terms { names: ["min_edge", "max_edge"], allowed: FRACTION, bounds: [-1.0, 1.0], step: 0.01 },
    Terms { names: ["min_ev", "max_ev"], allowed: FRACTION, bounds: [-1.0, 1.0], step: 0.01 },
    Terms {
        names: ["min_probability", "max_probability"],
        allowed: "a probability from 0 to 1, such as 0.55",
        bounds: [0.0, 1.0],
        step: 0.01,
    },
    Terms { names: ["min_price", "max_price"], allowed: PRICE, bounds: ANY, step: 10.0 },
    Terms { names: ["min_line", "max_line"], allowed: POINTS, bounds: [-1_000.0, 1_000.0], step: 0.5 },
];

/// An end of a range: a value that its quantity can have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    quantity: Quantity,
    /// As written; of both spellings of even money −100.
    value: f64,
}

impl Threshold {
    /// Checks a value; `None` if the quantity cannot have it. Prices are in American odds; +100 and −100 are equal.
    pub fn new(quantity: Quantity, value: f64) -> Option<Self> {
        let [least, most] = quantity.terms().bounds;
        // Adding zero turns `-0.0` into `0.0`.
        let value = if quantity == Quantity::Price { from_cents(to_cents(american(value)?)) } else { value + 0.0 };
        (least..=most).contains(&value).then_some(Self { quantity, value })
    }

    /// Returns the value, prices in American odds.
    pub const fn value(self) -> f64 {
        self.value
    }

    /// Returns the value as figures of bets are compared: prices as decimal odds.
    fn compared(self) -> f64 {
        match self.quantity {
            Quantity::Price => american(self.value).map_or(1.0, |price| 1.0 + price.profit_per_unit()),
            _ => self.value,
        }
    }

    /// Returns the thresholds one step down and one step up; `None` for a step to a value that the quantity cannot have.
    pub fn neighbours(self) -> [Option<Self>; 2] {
        let step = self.quantity.terms().step;
        [-step, step].map(|step| match self.quantity {
            Quantity::Price => Self::new(self.quantity, from_cents(to_cents(american(self.value)?) + step)),
            _ => Self::new(self.quantity, rounded(self.value + step, 12)),
        })
    }
}

/// Returns a whole number of American odds as a price.
#[expect(clippy::cast_possible_truncation, reason = "compared with the number")]
fn american(value: f64) -> Option<AmericanPrice> {
    let price = AmericanPrice::new(value as i32).ok()?;
    (f64::from(price.get()) - value == 0.0).then_some(price)
}

/// Returns the distance of a price from even money in cents: better prices are larger numbers, without a gap at even money.
fn to_cents(price: AmericanPrice) -> f64 {
    let raw = f64::from(price.get());
    if raw > 0.0 { raw - 100.0 } else { raw + 100.0 }
}

fn from_cents(cents: f64) -> f64 {
    if cents > 0.0 { cents + 100.0 } else { cents - 100.0 }
}

/// The values of a quantity that a rule bets, both ends inside. An end can be open.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range([Option<Threshold>; 2]);

impl Range {
    /// Creates a range of two ends of one quantity; `None` if the first is above the second.
    pub fn new(ends: [Option<Threshold>; 2]) -> Option<Self> {
        let is_in_order = match ends {
            [Some(min), Some(max)] => min.quantity == max.quantity && min.compared() <= max.compared() + NO_DIFFERENCE,
            _ => true,
        };
        is_in_order.then_some(Self(ends))
    }

    /// Returns the lower and the upper end.
    pub const fn ends(self) -> [Option<Threshold>; 2] {
        self.0
    }

    /// Returns true without an end.
    pub const fn is_open(self) -> bool {
        matches!(self.0, [None, None])
    }

    /// Returns true if a figure is inside, up to 1e-9; prices as decimal odds.
    pub fn contains(self, figure: f64) -> bool {
        let [min, max] = self.0.map(|end| end.map(Threshold::compared));
        min.is_none_or(|min| figure >= min - NO_DIFFERENCE) && max.is_none_or(|max| figure <= max + NO_DIFFERENCE)
    }
}
