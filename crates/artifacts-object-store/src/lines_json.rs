//! The lines of a game as JSON: a number for each column that has one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use sports_domain::{AmericanPrice, GameLines, HomeSpread, LineColumn, LineValue, Total};

/// The lines of a game, stored in the order of the names of their columns.
#[derive(Default)]
pub struct LinesJson(pub GameLines);

impl LinesJson {
    fn posted(&self) -> impl Iterator<Item = (LineColumn, LineValue)> {
        LineColumn::ALL.into_iter().filter_map(|column| Some((column, self.0.value(column)?)))
    }

    /// Returns `true` if no column has a number.
    pub fn is_empty(&self) -> bool {
        self.posted().next().is_none()
    }
}

impl Serialize for LinesJson {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let number = |value| match value {
            LineValue::Price(price) => Value::from(price.get()),
            LineValue::Points(points) => Value::from(points),
        };
        let numbers: BTreeMap<_, _> = self.posted().map(|(column, value)| (column.name(), number(value))).collect();
        numbers.serialize(json)
    }
}

impl<'j> Deserialize<'j> for LinesJson {
    fn deserialize<D: Deserializer<'j>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(Numbers)
    }
}

struct Numbers;

/// The name of a column.
#[derive(Deserialize)]
struct Name<'j>(#[serde(borrow)] Cow<'j, str>);

impl<'j> Visitor<'j> for Numbers {
    type Value = LinesJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of lines")
    }

    fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<LinesJson, A::Error> {
        let mut lines = GameLines::default();
        while let Some((Name(name), value)) = map.next_entry()? {
            let column = LineColumn::ALL.into_iter().find(|column| column.name() == name);
            let column = column.ok_or_else(|| A::Error::custom(format!("`{name}` is not a line column")))?;
            set(&mut lines, column, &value).map_err(|reason| A::Error::custom(format!("{name}: {reason}")))?;
        }
        Ok(LinesJson(lines))
    }
}

fn set(lines: &mut GameLines, column: LineColumn, value: &Value) -> Result<(), Box<dyn Error>> {
    let points = || value.as_f64().ok_or("not a number");
    match column {
        LineColumn::HomePointSpread => lines.spread = Some(HomeSpread::new(points()?)?),
        LineColumn::OpenHomePointSpread => lines.open_spread = Some(HomeSpread::new(points()?)?),
        LineColumn::OverUnder => lines.total = Some(Total::new(points()?)?),
        LineColumn::OpenOverUnder => lines.open_total = Some(Total::new(points()?)?),
        // Always the negative of the home team's spread, which is a field of its own.
        LineColumn::AwayPointSpread | LineColumn::OpenAwayPointSpread => {}
        price => {
            let raw = value.as_i64().and_then(|raw| i32::try_from(raw).ok()).ok_or("not a whole number")?;
            lines.set_price(price, Some(AmericanPrice::new(raw)?));
        }
    }
    Ok(())
}
