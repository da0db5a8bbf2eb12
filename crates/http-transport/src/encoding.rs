//! Negotiation of the content encoding.

use actix_web::http::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};

/// The content encoding of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Not compressed.
    Identity,
    Brotli,
    /// Zstandard.
    Zstd,
    Gzip,
}

impl Encoding {
    /// The encodings that compress, the preferred one first.
    pub const COMPRESSED: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// Returns the name in headers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// Returns the value of `Content-Encoding`; `None` for [`Self::Identity`].
    pub const fn content_encoding(self) -> Option<HeaderValue> {
        match self {
            Self::Identity => None,
            compressed => Some(HeaderValue::from_static(compressed.name())),
        }
    }

    /// Returns the encoding that a client prefers: the highest weight wins, and among equals `br`, then `zstd`, then `gzip`,
    /// then the plain form. A client that names no known encoding gets the plain form. `None` if it forbids all of them.
    pub fn negotiated(headers: &HeaderMap) -> Option<Self> {
        Self::preferred(headers.get_all(ACCEPT_ENCODING).map(HeaderValue::as_bytes))
    }

    /// Returns true if a client forbids the plain form and all others.
    pub fn is_none_accepted(headers: &HeaderMap) -> bool {
        // Only a weight of zero excludes an encoding.
        let may_refuse = |value: &HeaderValue| value.as_bytes().contains(&b'0');
        headers.get_all(ACCEPT_ENCODING).any(may_refuse) && Self::negotiated(headers).is_none()
    }

    /// Returns the same as [`negotiated`](Self::negotiated) for the values of `Accept-Encoding`.
    pub fn preferred<'a>(values: impl Iterator<Item = &'a [u8]>) -> Option<Self> {
        let (mut best, mut identity, mut others) = (None, None, None);
        for item in values.flat_map(|value| value.split(|byte| *byte == b',')) {
            let Some((name, weight)) = weighted(item) else { continue };
            if name.eq_ignore_ascii_case(Self::Identity.name().as_bytes()) {
                identity = Some(weight);
            } else if name == b"*" {
                others = Some(weight);
            } else if let Some(rank) =
                Self::COMPRESSED.iter().rposition(|known| name.eq_ignore_ascii_case(known.name().as_bytes()))
            {
                // The first of `COMPRESSED` is the largest.
                best = best.max(Some((weight, Self::COMPRESSED.len() - rank)));
            }
        }
        let plain = identity.or(others);
        match best.filter(|(weight, _)| *weight > 0) {
            Some((weight, rank)) if weight >= identity.unwrap_or(0) => {
                Some(Self::COMPRESSED[Self::COMPRESSED.len() - rank])
            }
            _ if plain != Some(0) => Some(Self::Identity),
            // Anything but the plain form is accepted: every client can read gzip.
            _ => others.filter(|weight| *weight > 0).map(|_| Self::Gzip),
        }
    }
}

/// Parses a name and its weight in thousandths; `None` if it is malformed.
fn weighted(item: &[u8]) -> Option<(&[u8], u16)> {
    let mut parts = item.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    let name = parts.next().filter(|name| !name.is_empty())?;
    match parts.next() {
        None => Some((name, 1_000)),
        Some(weight) => match weight.split_first_chunk() {
            Some((b"q=" | b"Q=", digits)) => Some((name, thousandths(digits)?)),
            _ => None,
        },
    }
}

/// Parses a number from 0 to 1 with at most three decimals, as thousandths.
fn thousandths(digits: &[u8]) -> Option<u16> {
    let (whole, decimals) = match digits {
        [whole] | [whole, b'.'] => (*whole, &[][..]),
        [whole, b'.', decimals @ ..] if decimals.len() <= 3 => (*whole, decimals),
        _ => return None,
    };
    let digit = |digit: u8| digit.is_ascii_digit().then(|| u16::from(digit - b'0'));
    let places = [100, 10, 1].into_iter().zip(decimals);
    let decimals = places.map(|(place, decimal)| Some(digit(*decimal)? * place)).sum::<Option<u16>>()?;
    digit(whole).map(|whole| 1_000 * whole + decimals).filter(|weight| *weight <= 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn negotiated(values: &[&str]) -> Option<Encoding> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT_ENCODING, HeaderValue::from_str(value).expect("a value"));
        }
        Encoding::negotiated(&headers)
    }

    #[test]
    fn the_highest_weight_wins_and_br_then_zstd_then_gzip_among_equals() {
        use Encoding::{Brotli, Gzip, Identity, Zstd};
        let table: [(&[&str], Option<Encoding>); 27] = [
            (&[], Some(Identity)),
            (&[""], Some(Identity)),
            (&["gzip, deflate, br, zstd"], Some(Brotli)),
            (&["gzip, deflate, zstd"], Some(Zstd)),
            (&["gzip, deflate"], Some(Gzip)),
            (&["gzip", "br"], Some(Brotli)),
            (&["GZip;Q=0.5 , zstd ; q=0.4"], Some(Gzip)),
            (&["br;q=0.5, gzip"], Some(Gzip)),
            (&["br;q=1.000, gzip;q=0.999"], Some(Brotli)),
            (&["identity"], Some(Identity)),
            (&["identity, gzip"], Some(Gzip)),
            (&["identity, gzip;q=0.9"], Some(Identity)),
            (&["*, identity;q=0.1, gzip;q=0.5"], Some(Gzip)),
            (&["deflate"], Some(Identity)),
            (&["unheard-of, deflate;q=0.5"], Some(Identity)),
            (&["*"], Some(Identity)),
            (&["gzip;q=0"], Some(Identity)),
            (&["gzip;q=0, *"], Some(Identity)),
            (&["br;q=2, gzip;q=x, zstd;v=1, gzip;q=0.1234"], Some(Identity)),
            (&["br;q=, gzip;q=0."], Some(Identity)),
            (&["identity;q=0, gzip"], Some(Gzip)),
            (&["*;q=0, zstd"], Some(Zstd)),
            (&["identity;q=0, *;q=0.5"], Some(Gzip)),
            (&["identity;q=0"], None),
            (&["*;q=0"], None),
            (&["identity;q=0.000, deflate"], None),
            (&["*;q=0, br;q=0"], None),
        ];
        for (values, chosen) in table {
            assert_eq!(negotiated(values), chosen, "{values:?}");
        }
        assert_eq!(negotiated(&["*;q=0, identity"]), Some(Identity));
    }
}
