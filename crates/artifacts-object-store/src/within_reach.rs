use chrono::Datelike;
use serde::{Deserialize, Serialize};
use sports_domain::OutOfReach;

/// A date or an instant of a stored file. Deserialization fails if it is out of reach, because this program never
/// writes such values.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(try_from = "Unchecked<T>", bound(deserialize = "T: Datelike + Deserialize<'de>"))]
#[serde(into = "Unchecked<T>", bound(serialize = "T: Copy + Serialize"))]
pub struct WithinReach<T>(pub T);

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Unchecked<T>(T);

impl<T: Datelike> TryFrom<Unchecked<T>> for WithinReach<T> {
    type Error = OutOfReach;

    fn try_from(Unchecked(moment): Unchecked<T>) -> Result<Self, OutOfReach> {
        sports_domain::within_reach(moment).map(Self)
    }
}

impl<T> From<WithinReach<T>> for Unchecked<T> {
    fn from(WithinReach(moment): WithinReach<T>) -> Self {
        Self(moment)
    }
}
