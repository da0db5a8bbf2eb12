use std::collections::HashMap;
use std::sync::Mutex;

use async_trait::async_trait;
use bytes::Bytes;
use sports_ports::PortError;
use sports_ports::attestation::{TimestampServer, Witness, WitnessAnswer};
use sports_transparency::{
    Checkpoint, KeyKind, KeyName, SignedCheckpoint, SigningKey, TreeHash, VerifierKey, verify_consistency,
};

/// The time of the first cosignature: 2024-01-06T15:00:01Z.
const FIRST: u64 = 1_704_553_201;

/// A witness that follows its rules, with a clock that is a second later at each cosignature.
#[derive(Debug)]
pub struct WitnessFake {
    signing: SigningKey,
    cosigned: Mutex<(u64, HashMap<KeyName, Checkpoint>)>,
}

impl WitnessFake {
    /// Creates a witness with this name.
    ///
    /// # Panics
    ///
    /// Panics if no key can have the name.
    pub fn named(name: &str) -> Self {
        let name = name.parse().expect("the name of a key");
        let signing = SigningKey::from_seed(name, KeyKind::Witness, &[0x77; 32]).expect("a key");
        Self { signing, cosigned: Mutex::new((FIRST, HashMap::new())) }
    }
}

#[async_trait]
impl Witness for WitnessFake {
    fn key(&self) -> &VerifierKey {
        self.signing.verifier()
    }

    async fn cosign(
        &self,
        old: u64,
        proof: &[TreeHash],
        checkpoint: &SignedCheckpoint,
    ) -> Result<WitnessAnswer, PortError> {
        let (time, cosigned) = &mut *self.cosigned.lock().expect("not poisoned");
        let checkpoint = checkpoint.checkpoint();
        let known = cosigned.get(&checkpoint.origin).map_or((0, TreeHash::of_empty_tree()), |it| (it.size, it.root));
        let is_other = known.0 == checkpoint.size && known.1 != checkpoint.root;
        if known.0 != old || is_other {
            return Ok(WitnessAnswer::Knows(known.0));
        }
        if verify_consistency(known, (checkpoint.size, checkpoint.root), proof).is_err() {
            return Ok(WitnessAnswer::DoesNotExtend);
        }
        *time += 1;
        cosigned.insert(checkpoint.origin.clone(), checkpoint.clone());
        Ok(WitnessAnswer::Cosigned(vec![self.signing.cosign(checkpoint, *time)]))
    }
}

/// A timestamp server that grants every request, with unsigned tokens.
#[derive(Debug)]
pub struct TimestampServerFake {
    address: String,
}

impl TimestampServerFake {
    /// Creates a server with this address.
    pub fn at(address: &str) -> Self {
        Self { address: address.to_owned() }
    }
}

#[async_trait]
impl TimestampServer for TimestampServerFake {
    fn address(&self) -> &str {
        &self.address
    }

    async fn timestamp(&self, request: &[u8]) -> Result<Bytes, PortError> {
        // The hash and the nonce of the request, behind a status of 0 in DER.
        let stated = request.get(22..66).ok_or_else(|| PortError::corrupt("a timestamp server", "no request"))?;
        Ok([&[0x30, 49, 0x30, 3, 2, 1, 0], stated].concat().into())
    }
}
