//! Requests to timestamp servers (RFC 3161), and the check that a reply answers one. Signatures are left to other programs.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, NaiveDateTime, Utc};
use sports_domain::{FormError, Sport};

use crate::TreeHash;
use crate::note::parse_number;

/// The SHA-256 of a text and a nonce, for a timestamp server to sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimestampRequest {
    hash: [u8; 32],
    nonce: [u8; 8],
}

/// The reason for which a reply is not a timestamp of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotATimestamp {
    /// The reply is not one of RFC 3161.
    #[error("the reply is not one of a timestamp server")]
    Malformed,
    /// The server refused.
    #[error("the server did not grant a timestamp: its status is {0}")]
    NotGranted(u8),
    /// The token is for something else.
    #[error("the timestamp is not one of this checkpoint")]
    OtherHash,
    /// The token answers another request.
    #[error("the timestamp answers another request")]
    OtherNonce,
}

impl TimestampRequest {
    /// The length of a request, in bytes.
    pub const LENGTH: usize = 69;

    const VERSION: [u8; 3] = [0x02, 0x01, 0x01];
    /// An imprint of SHA-256, up to its octets.
    const IMPRINT: [u8; 17] =
        [0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00];
    const OCTETS: [u8; 2] = [0x04, 0x20];
    const NONCE: [u8; 2] = [0x02, 0x08];
    /// The server's certificate is requested, so that a token can be checked in later years.
    const CERTIFICATE: [u8; 3] = [0x01, 0x01, 0xff];

    /// Creates a request for a text, with a nonce of random bytes.
    pub fn new(text: &str, random: [u8; 8]) -> Self {
        use sha2::Digest as _;
        let mut nonce = random;
        // A positive number of exactly eight bytes, which DER writes in one form.
        nonce[0] = nonce[0] & 0x7f | 0x40;
        Self { hash: sha2::Sha256::digest(text).into(), nonce }
    }

    /// Returns the bytes that are sent, as `application/timestamp-query`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let content = [
            Self::VERSION.as_slice(),
            &Self::IMPRINT,
            &Self::OCTETS,
            &self.hash,
            &Self::NONCE,
            &self.nonce,
            &Self::CERTIFICATE,
        ];
        // Two bytes of the sequence itself come first.
        [&[0x30, 0x43], content.concat().as_slice()].concat()
    }

    /// Checks that a reply is granted and has the hash and the nonce of this request.
    ///
    /// # Errors
    ///
    /// [`NotATimestamp`] if it is anything else.
    pub fn check(&self, reply: &[u8]) -> Result<(), NotATimestamp> {
        let status = status(reply).ok_or(NotATimestamp::Malformed)?;
        // 1 is granted with modifications, which hash and nonce show to be harmless.
        if status > 1 {
            return Err(NotATimestamp::NotGranted(status));
        }
        let has = |part: Vec<u8>| reply.windows(part.len()).any(|window| window == part);
        if !has([Self::OCTETS.as_slice(), &self.hash].concat()) {
            return Err(NotATimestamp::OtherHash);
        }
        if has([Self::NONCE.as_slice(), &self.nonce].concat()) { Ok(()) } else { Err(NotATimestamp::OtherNonce) }
    }
}

/// Returns `true` if a granted reply has the hash of a text. The signature of the server is not verified.
pub fn is_timestamp_of(text: &str, reply: &[u8]) -> bool {
    let request = TimestampRequest::new(text, [0; 8]);
    matches!(request.check(reply), Ok(()) | Err(NotATimestamp::OtherNonce))
}

/// Returns the time that a granted reply states for a text. The signature of the server and its accuracy are not checked.
pub fn stated_timestamp(text: &str, reply: &[u8]) -> Option<DateTime<Utc>> {
    let hash = [TimestampRequest::OCTETS.as_slice(), &TimestampRequest::new(text, [0; 8]).hash].concat();
    let place = is_timestamp_of(text, reply).then(|| reply.windows(hash.len()).position(|window| window == hash))??;
    // Behind the hash are the serial number and the time, which is shorter than 128 bytes.
    let [0x02, length, rest @ ..] = &reply[place + hash.len()..] else { return None };
    let [0x18, length, rest @ ..] = rest.get(usize::from(*length)..)? else { return None };
    let time = std::str::from_utf8(rest.get(..usize::from(*length))?).ok()?;
    NaiveDateTime::parse_from_str(time, "%Y%m%d%H%M%S%.fZ").ok().map(|time| time.and_utc())
}

/// Returns the status of a reply: a sequence that begins with a sequence that begins with a number.
fn status(reply: &[u8]) -> Option<u8> {
    let (reply, rest) = sequence(reply)?;
    let (info, _) = sequence(reply)?;
    match info {
        [0x02, 0x01, status, ..] if rest.is_empty() => Some(*status),
        _ => None,
    }
}

/// Returns the content of a DER sequence, and the bytes behind it.
fn sequence(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let [0x30, length, rest @ ..] = bytes else { return None };
    if *length < 0x80 {
        return rest.split_at_checked(usize::from(*length));
    }
    let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    let length = digits.iter().fold(0_usize, |length, digit| length << 8 | usize::from(*digit));
    rest.split_at_checked(length)
}

/// The size and the root of a league's tree without a signature, as answers with a key state them. Its text is one line, such as `nfl 4145 EQAf…=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedHead {
    pub sport: Sport,
    /// The number of leaves.
    pub size: u64,
    pub root: TreeHash,
}

const NOT_A_STATED_HEAD: FormError =
    FormError::fixed("expected a league, a size and a root, as in the header X-Record-Head: \"nfl 4145 EQAf…=\"");

impl fmt::Display for StatedHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.sport, self.size, self.root)
    }
}

impl FromStr for StatedHead {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let words: Vec<_> = text.split(' ').collect();
        let [sport, size, root] = words[..] else { return Err(NOT_A_STATED_HEAD) };
        let (sport, root) =
            (sport.parse().map_err(|_| NOT_A_STATED_HEAD)?, root.parse().map_err(|_| NOT_A_STATED_HEAD)?);
        let size = parse_number(size).ok_or(NOT_A_STATED_HEAD)?;
        // Other sizes are beyond every format of trees.
        if size == 0 || i64::try_from(size).is_err() { Err(NOT_A_STATED_HEAD) } else { Ok(Self { sport, size, root }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_a_league_a_size_and_a_root() {
        let root = TreeHash::of_empty_tree();
        let head = StatedHead { sport: Sport::Nfl, size: 4145, root };
        assert_eq!(format!("nfl 4145 {root}").parse(), Ok(head));
        assert_eq!(head.to_string(), format!("nfl 4145 {root}"));
        for bad in [
            "nfl 4145",
            "nfl 0 x",
            "cricket 1 x",
            "nfl 4145 x",
            "",
            &format!("nfl {} {root}", u64::MAX),
            &format!("nfl +50 {root}"),
        ] {
            assert!(bad.parse::<StatedHead>().is_err(), "{bad}");
        }
    }
}
