use std::fmt;

use ring::signature::{Ed25519KeyPair, KeyPair as _};

use crate::checkpoint::Checkpoint;
use crate::cosignature;
use crate::signature_line::SignatureLine;
use crate::{KeyKind, KeyName, VerifierKey};

/// A private key of Ed25519 with its name.
pub struct SigningKey {
    verifier: VerifierKey,
    pair: Ed25519KeyPair,
}

/// The error for a seed that no key can be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no key of Ed25519 can be made of this seed")]
pub struct NotASeed;

impl SigningKey {
    /// The length of a seed, in bytes.
    pub const SEED: usize = 32;

    /// Creates the key of a seed of random bytes.
    ///
    /// # Errors
    ///
    /// [`NotASeed`] if the seed gives no usable key.
    pub fn from_seed(name: KeyName, kind: KeyKind, seed: &[u8; Self::SEED]) -> Result<Self, NotASeed> {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed).map_err(|_| NotASeed)?;
        let public = pair.public_key().as_ref().try_into().map_err(|_| NotASeed)?;
        Ok(Self { verifier: VerifierKey::new(name, kind, public).map_err(|_| NotASeed)?, pair })
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
        let signature = self.pair.sign(&cosignature::message(time, &checkpoint.to_string()));
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
