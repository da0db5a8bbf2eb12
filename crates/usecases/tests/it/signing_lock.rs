//! Signing on a machine where another process keeps the lock of the key.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sports_ports::PortError;
use sports_ports::signing::{SigningMemories, SigningMemory};
use sports_testkit::random::RandomFake;
use sports_transparency::{KeyKind, KeyName, SigningKey};
use sports_usecases::record::TreeReader;
use sports_usecases::signing::{LogKeys, RecordSigner, Signing, TreeSigning};

use crate::world::{SPORT, World, games};

/// The memory of a machine on which another process never releases the lock.
struct LockedElsewhere;

impl SigningMemories for LockedElsewhere {
    fn try_lock(&self) -> Result<Option<Box<dyn Send>>, PortError> {
        Ok(None)
    }

    fn recall(&self, _log: &KeyName) -> Result<Option<SigningMemory>, PortError> {
        Ok(Some(SigningMemory::default()))
    }

    fn logs(&self) -> Result<Vec<KeyName>, PortError> {
        Ok(Vec::new())
    }

    fn remember(&self, _log: &KeyName, _memory: &SigningMemory) -> Result<(), PortError> {
        Ok(())
    }
}

#[tokio::test]
async fn a_tree_is_not_signed_while_another_process_keeps_the_lock() {
    let world = World::new();
    world.publish(games(&["a team"])).await;
    let name = format!("example.com/api/v1/record/{SPORT}").parse().expect("a name");
    let newest = SigningKey::from_seed(name, KeyKind::Log, &[7; SigningKey::SEED]).expect("a key");
    let signing = Signing {
        keys: BTreeMap::from([(SPORT, LogKeys { newest, earlier: Vec::new() })]),
        memories: Arc::new(LockedElsewhere),
        witnesses: Vec::new(),
        servers: Vec::new(),
        timeout: Duration::from_secs(5),
    };
    let trees = TreeReader::new(Arc::clone(&world.store) as _, world.slates.clone(), Arc::clone(&world.store) as _);
    let random = Arc::new(RandomFake::default());
    let signer = RecordSigner::new(trees, Arc::clone(&world.clock) as _, random, TreeSigning::With(Arc::new(signing)));
    tokio::time::pause();
    let done = signer.complete(SPORT).await;
    let reason = done.unsigned.expect("not signed");
    assert!(reason.contains("another process has had the lock of the signing key for 20 s"), "{reason}");
    assert_eq!((done.checkpoint, done.warnings), (None, Vec::new()));
}
