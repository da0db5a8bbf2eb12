use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::Sport;

/// The application's knowledge of its representations and its content.
pub trait CachePolicy {
    /// Returns the representation that the values of `Accept` and `Accept-Encoding` select; `None` if the application refuses
    /// the request.
    fn variant(&self, accept: Option<&[u8]>, accept_encoding: Option<&[u8]>) -> Option<Variant>;

    /// Returns the revision of the content of a league at an instant; of all content without a league.
    fn revision(&self, league: Option<Sport>, now: DateTime<Utc>) -> Revision;
}

/// A representation of a response: format and encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant(pub [u8; 2]);

/// The state of content. It differs after each publish and on each day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revision {
    /// The day of the service.
    pub day: NaiveDate,
    pub changes: u64,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A policy whose variants are the lengths of the headers. It refuses the encoding `refused`.
    pub(crate) struct Lengths;

    impl CachePolicy for Lengths {
        fn variant(&self, accept: Option<&[u8]>, accept_encoding: Option<&[u8]>) -> Option<Variant> {
            let length = |value: Option<&[u8]>| u8::try_from(value.map_or(0, <[u8]>::len)).ok();
            let variant = Variant([length(accept)?, length(accept_encoding)?]);
            (accept_encoding != Some(b"refused")).then_some(variant)
        }

        fn revision(&self, _: Option<Sport>, now: DateTime<Utc>) -> Revision {
            Revision { day: now.date_naive(), changes: 0 }
        }
    }
}
