//! Negotiation of the content encoding.

use std::io;
use std::io::Write;
use std::panic::resume_unwind;

use actix_web::http::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};
use bytes::Bytes;
use tokio::task::{JoinError, spawn_blocking};

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

// Compression of bodies at levels that are fast enough for a first request: a page of 100 rows takes less than a millisecond
// of CPU as gzip or Zstandard, less than three as Brotli.

const GZIP_LEVEL: u32 = 4;

const BROTLI_QUALITY: u32 = 4;

const BROTLI_BUFFER: usize = 16 * 1024;

const ZSTD_LEVEL: i32 = 1;

/// The size up to which a body is compressed on the thread that answers the request, in bytes.
const INLINE: usize = 64 * 1024;

/// Returns a body in an encoding; `None` if that is not smaller than its pieces, which follow each other.
pub(crate) async fn compressed<const N: usize>(encoding: Encoding, pieces: [Bytes; N]) -> Option<Bytes> {
    let size: usize = pieces.iter().map(Bytes::len).sum();
    let compress = move || compress(encoding, &pieces, size);
    let compressed = if size <= INLINE || encoding == Encoding::Identity {
        compress()
    } else {
        match spawn_blocking(compress).await.map_err(JoinError::try_into_panic) {
            Ok(compressed) => compressed,
            Err(Ok(panic)) => resume_unwind(panic),
            // The program ends.
            Err(Err(_)) => return None,
        }
    };
    compressed.ok()?.filter(|compressed| compressed.len() < size).map(Bytes::from)
}

/// Compresses the pieces of a body; `None` without compression.
fn compress(encoding: Encoding, pieces: &[Bytes], size: usize) -> io::Result<Option<Vec<u8>>> {
    let mut out = Vec::new();
    match encoding {
        Encoding::Identity => return Ok(None),
        Encoding::Brotli => {
            // A window that is larger than the body takes memory and time for nothing.
            let window = (usize::BITS - size.leading_zeros()).clamp(16, 20);
            let mut encoder = brotli::CompressorWriter::new(&mut out, BROTLI_BUFFER, BROTLI_QUALITY, window);
            write(pieces, &mut encoder)?;
        }
        Encoding::Zstd => {
            let mut encoder = zstd::stream::Encoder::new(&mut out, ZSTD_LEVEL)?;
            encoder.set_pledged_src_size(Some(size as u64))?;
            write(pieces, &mut encoder)?;
            encoder.finish()?;
        }
        Encoding::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(&mut out, flate2::Compression::new(GZIP_LEVEL));
            write(pieces, &mut encoder)?;
            encoder.finish()?;
        }
    }
    // The body is kept for as long as its generation is current.
    out.shrink_to_fit();
    Ok(Some(out))
}

fn write(pieces: &[Bytes], out: &mut impl Write) -> io::Result<()> {
    pieces.iter().try_for_each(|piece| out.write_all(piece))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

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

    /// Returns the body that a client reads from a compressed one.
    fn decompressed(encoding: Encoding, compressed: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        match encoding {
            Encoding::Identity => panic!("{encoding:?} compresses nothing"),
            Encoding::Brotli => brotli::Decompressor::new(compressed, 4096).read_to_end(&mut plain),
            Encoding::Zstd => zstd::stream::copy_decode(compressed, &mut plain).map(|()| plain.len()),
            Encoding::Gzip => flate2::read::GzDecoder::new(compressed).read_to_end(&mut plain),
        }
        .expect("a whole body");
        plain
    }

    #[tokio::test]
    async fn a_compressed_body_has_the_bytes_of_its_pieces_in_their_order() {
        for rows in [1, 20, 100, 2_000, 60_000] {
            let row = |row| format!("{{\"row\":{row},\"home_team\":\"boston_celtics\"}},");
            let pieces = ["{\"results\":[".to_owned(), (0..rows).map(row).collect(), "]}".repeat(20)].map(Bytes::from);
            for encoding in Encoding::COMPRESSED {
                let first = compressed(encoding, pieces.clone()).await.expect("smaller");
                assert_eq!(decompressed(encoding, &first), pieces.concat(), "{encoding:?} {rows}");
                assert_eq!(compressed(encoding, pieces.clone()).await, Some(first), "{encoding:?} {rows}");
            }
        }
    }

    #[tokio::test]
    async fn a_body_that_does_not_become_smaller_has_no_compressed_form() {
        for encoding in [Encoding::Identity].into_iter().chain(Encoding::COMPRESSED) {
            assert_eq!(compressed(encoding, [Bytes::from_static(b"[1]")]).await, None, "{encoding:?}");
            assert_eq!(compressed(encoding, [Bytes::new()]).await, None, "{encoding:?}");
        }
    }
}
