use std::collections::HashMap;
use std::sync::Mutex;

use sports_ports::PortError;
use sports_ports::signing::{SigningMemories, SigningMemory};
use sports_transparency::KeyName;

/// The memory of a machine on which one process signs, and on which every key was made.
#[derive(Debug, Default)]
pub struct MemoriesFake(Mutex<HashMap<KeyName, SigningMemory>>);

impl SigningMemories for MemoriesFake {
    fn try_lock(&self) -> Result<Option<Box<dyn Send>>, PortError> {
        Ok(Some(Box::new(())))
    }

    fn recall(&self, log: &KeyName) -> Result<Option<SigningMemory>, PortError> {
        let memories = self.0.lock().expect("not poisoned");
        Ok(Some(memories.get(log).cloned().unwrap_or_default()))
    }

    fn remember(&self, log: &KeyName, memory: &SigningMemory) -> Result<(), PortError> {
        self.0.lock().expect("not poisoned").insert(log.clone(), memory.clone());
        Ok(())
    }
}
