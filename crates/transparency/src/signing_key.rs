use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use sports_domain::FormError;

use crate::leaf::{instant_text, parse_instant};
use crate::note::Checkpoint;
use crate::verifier_key::SignatureLine;
use crate::{KeyId, KeyKind, KeyName, VerifierKey, note};

/// A private key of Ed25519 with its name.
pub struct SigningKey {
    verifier: VerifierKey,
    pair: Ed25519KeyPair,
}

const NOT_A_SEED: FormError = FormError::fixed("no key of Ed25519 can be made of this seed");

impl SigningKey {
    /// The length of a seed, in bytes.
    pub const SEED: usize = 32;

    /// Creates the key of a seed of random bytes.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the seed gives no usable key.
    pub fn from_seed(name: KeyName, kind: KeyKind, seed: &[u8; Self::SEED]) -> Result<Self, FormError> {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed).map_err(|_| NOT_A_SEED)?;
        let public = pair.public_key().as_ref();
        Ok(Self { verifier: VerifierKey::new(name, kind, public).map_err(|_| NOT_A_SEED)?, pair })
    }

    /// Returns the public key.
    pub const fn verifier(&self) -> &VerifierKey {
        &self.verifier
    }

    /// Signs a checkpoint as its log.
    pub fn sign(&self, checkpoint: &Checkpoint) -> SignatureLine {
        self.line(self.pair.sign(checkpoint.to_string().as_bytes()).as_ref().to_vec())
    }

    /// Signs a checkpoint as a witness that received it at this time, in seconds since 1970.
    pub fn cosign(&self, checkpoint: &Checkpoint, time: u64) -> SignatureLine {
        let signature = self.pair.sign(&note::message(time, &checkpoint.to_string()));
        self.line([time.to_be_bytes().as_slice(), signature.as_ref()].concat())
    }

    fn line(&self, signature: Vec<u8>) -> SignatureLine {
        SignatureLine { name: self.verifier.name().clone(), id: self.verifier.id(), signature }
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({}, ***)", self.verifier.name())
    }
}

/// A log's public key as it is published: with the time from which it signs, and the record that it signs.
///
/// Its text has a line for each of its parts:
///
/// ```text
/// example.com/api/v1/record/nfl+0a1b2c3d+AQ…
/// since 2026-11-24T15:00:00.000Z
/// record 1
/// replaces 4e5f6071 until 2026-12-24T15:00:00.000Z
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedKey {
    /// The key. Its name is the origin of the log that it signs.
    pub vkey: VerifierKey,
    /// The time from which it signs, by the publisher's clock.
    pub since: DateTime<Utc>,
    /// The number of the record: 1, and one more after each restart.
    pub record: NonZeroU32,
    /// The key that it takes the place of.
    pub replaces: Option<ReplacedKey>,
}

/// A key in whose place another one signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplacedKey {
    pub id: KeyId,
    /// The time until which it signs as well.
    pub until: DateTime<Utc>,
}

const NOT_A_PUBLISHED_KEY: FormError =
    FormError::fixed("a published key is a vkey and lines with `since`, `record` and, after a rotation, `replaces`");
const OF_A_WITNESS: FormError = FormError::fixed("the key is one of a witness, and not of a log");

impl fmt::Display for PublishedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\nsince {}\nrecord {}", self.vkey, instant_text(self.since), self.record)?;
        match &self.replaces {
            Some(ReplacedKey { id, until }) => writeln!(f, "replaces {id} until {}", instant_text(*until)),
            None => Ok(()),
        }
    }
}

impl FromStr for PublishedKey {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lines: Vec<_> = text.strip_suffix('\n').ok_or(NOT_A_PUBLISHED_KEY)?.split('\n').collect();
        let [vkey, since, record, rest @ ..] = &lines[..] else { return Err(NOT_A_PUBLISHED_KEY) };
        let vkey: VerifierKey = vkey.parse()?;
        if vkey.kind() != KeyKind::Log {
            return Err(OF_A_WITNESS);
        }
        let since = since.strip_prefix("since ").and_then(parse_instant).ok_or(NOT_A_PUBLISHED_KEY)?;
        let record = record.strip_prefix("record ").and_then(|number| number.parse().ok());
        let replaces = match rest {
            [] => None,
            [line] => Some(replaced(line).ok_or(NOT_A_PUBLISHED_KEY)?),
            _ => return Err(NOT_A_PUBLISHED_KEY),
        };
        let key = Self { vkey, since, record: record.ok_or(NOT_A_PUBLISHED_KEY)?, replaces };
        // The one form is the one that is written.
        if key.to_string() == text { Ok(key) } else { Err(NOT_A_PUBLISHED_KEY) }
    }
}

fn replaced(line: &str) -> Option<ReplacedKey> {
    let (id, until) = line.strip_prefix("replaces ")?.split_once(" until ")?;
    Some(ReplacedKey { id: id.parse().ok()?, until: parse_instant(until)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SigningKey;

    fn vkey() -> VerifierKey {
        let name = "example.com/api/v1/record/nfl".parse().expect("a name");
        let key = SigningKey::from_seed(name, KeyKind::Log, &[7; SigningKey::SEED]).expect("a key");
        key.verifier().clone()
    }

    #[test]
    fn a_published_key_reads_back_from_its_lines() {
        let first = format!("{}\nsince 2026-11-24T15:00:00.000Z\nrecord 1\n", vkey());
        let rotated = format!("{first}replaces 4e5f6071 until 2026-12-24T15:00:00.000Z\n");
        for text in [first, rotated] {
            let key: PublishedKey = text.parse().expect("a key");
            assert_eq!(key.to_string(), text);
            assert_eq!((key.vkey, key.record.get()), (vkey(), 1));
        }
    }

    #[test]
    fn other_lines_are_no_published_key() {
        let good = format!("{}\nsince 2026-11-24T15:00:00.000Z\nrecord 1\n", vkey());
        for bad in [
            good.trim_end().to_owned(),
            good.replace("record 1", "record 0"),
            good.replace("record 1", "record 01"),
            good.replace("since ", "since  "),
            good.replace(".000Z", "Z"),
            format!("{good}\n"),
            format!("{good}replaces 4E5F6071 until 2026-12-24T15:00:00.000Z\n"),
            format!("{good}until 2026-12-24T15:00:00.000Z\n"),
            vkey().to_string(),
        ] {
            assert_eq!(bad.parse::<PublishedKey>(), Err(NOT_A_PUBLISHED_KEY), "{bad}");
        }
    }
}
