//! The forms in which serde writes the types: names and codes as text, lines as a number for each column.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use chrono::Datelike;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::{
    AmericanPrice, ClockSource, GameLines, GameType, HomeSpread, LineColumn, LineValue, ModelName, ModelType, NotALine,
    Probability, Season, Sport, TeamSlug, Total, within_reach,
};

/// Serializes types as their text, and deserializes them from a text that the function accepts.
macro_rules! serialized_as_text {
    ($($type:ty: $parse:expr;)*) => {$(
        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <::std::borrow::Cow<'_, str> as ::serde::Deserialize>::deserialize(from)?;
                ($parse)(&text).map_err(<D::Error as ::serde::de::Error>::custom)
            }
        }
    )*};
}

serialized_as_text! {
    Sport: str::parse;
    ModelType: str::parse;
    ModelName: str::parse;
    Season: season;
    TeamSlug: TeamSlug::normalise;
    GameType: |word: &str| Ok::<_, std::convert::Infallible>(GameType::from_word(word));
}

fn season(label: &str) -> Result<Season, String> {
    let of_any = Season::parse(Sport::Mlb, label).or_else(|_| Season::parse(Sport::Nfl, label));
    of_any.map_err(|_| format!("`{label}` is not a season: expected YYYY, or YYYY-YY with consecutive years"))
}

impl Serialize for ClockSource {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for ClockSource {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let word = Cow::<'_, str>::deserialize(from)?;
        Self::from_word(&word).ok_or_else(|| D::Error::custom(format!("clock `{word}`")))
    }
}

impl Serialize for Probability {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.get())
    }
}

impl<'de> Deserialize<'de> for Probability {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(f64::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Deserializes a date or an instant that is [within reach](crate::within_reach).
///
/// # Errors
///
/// The errors of the deserializer, and one for other years.
pub fn deserialize_reached<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: Datelike + Deserialize<'de>,
    D: Deserializer<'de>,
{
    within_reach(T::deserialize(from)?).map_err(D::Error::custom)
}

/// Deserializes an optional date or instant, which is [within reach](crate::within_reach).
///
/// # Errors
///
/// The errors of [`deserialize_reached`].
pub fn deserialize_reached_option<'de, T, D>(from: D) -> Result<Option<T>, D::Error>
where
    T: Datelike + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(from)?.map(within_reach).transpose().map_err(D::Error::custom)
}

impl Serialize for LineValue {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Price(price) => to.serialize_i32(price.get()),
            Self::Points(points) => to.serialize_f64(*points),
        }
    }
}

/// The columns with a number, in the order of their names.
impl Serialize for GameLines {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let posted = LineColumn::ALL.into_iter().filter_map(|column| Some((column.name(), self.value(column)?)));
        to.collect_map(posted.collect::<BTreeMap<_, _>>())
    }
}

impl<'de> Deserialize<'de> for GameLines {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Lines)
    }
}

struct Lines;

impl<'de> Visitor<'de> for Lines {
    type Value = GameLines;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of lines")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GameLines, A::Error> {
        let mut lines = GameLines::default();
        while let Some(name) = map.next_key::<Cow<'_, str>>()? {
            let column = LineColumn::ALL.into_iter().find(|column| column.name() == name);
            let column = column.ok_or_else(|| A::Error::custom(format!("`{name}` is not a line column")))?;
            let refused = |reason: &dyn fmt::Display| A::Error::custom(format!("{name}: {reason}"));
            if column.holds_prices() {
                let price = AmericanPrice::new(map.next_value()?).map_err(|reason| refused(&reason))?;
                lines.set_price(column, Some(price));
            } else {
                set_points(&mut lines, column, map.next_value()?).map_err(|reason| refused(&reason))?;
            }
        }
        Ok(lines)
    }
}

fn set_points(lines: &mut GameLines, column: LineColumn, points: f64) -> Result<(), NotALine> {
    match column {
        LineColumn::HomePointSpread => lines.spread = Some(HomeSpread::new(points)?),
        LineColumn::OpenHomePointSpread => lines.open_spread = Some(HomeSpread::new(points)?),
        LineColumn::OverUnder => lines.total = Some(Total::new(points)?),
        LineColumn::OpenOverUnder => lines.open_total = Some(Total::new(points)?),
        // The spread of the away team is always the negative of the home team's.
        _ => {}
    }
    Ok(())
}
