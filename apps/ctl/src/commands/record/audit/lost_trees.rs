//! The trees of the logs that were named, compared with the newest checkpoints of them that witnesses have.

use sports_domain::content::ObjectHash;
use sports_program::settings::WitnessAddress;
use sports_transparency::{Checkpoint, KeyName};

use super::super::remote::Remote;
use super::answers::progress;
use super::tree::SignedTree;
use crate::failure::Failure;

/// What witnesses have of lost trees.
#[derive(Default)]
pub struct Asked {
    /// Sentences about witnesses that have more than the log states to be lost.
    pub contradictions: Vec<String>,
    /// Sentences about witnesses that have a checkpoint of which the log may have named a later one, or an earlier one.
    pub unnamed: Vec<String>,
}

/// Asks witnesses for the newest checkpoint of each log that was named, of which the tree has to be a continuation, or to state the
/// loss. What a witness has of the tree's own log beyond it was published meanwhile.
pub async fn asked(tree: &SignedTree<'_>, records: &[Remote], witnesses: &[WitnessAddress]) -> Result<Asked, Failure> {
    let mut found = Asked::default();
    let named: Vec<_> = tree.leaves.leaves().iter().filter_map(|leaf| leaf.fact.lost_checkpoint()).collect();
    let logs = records.iter().flat_map(|remote| remote.named_logs().into_iter().map(move |log| (remote, log)));
    for ((remote, log), witness) in logs.flat_map(|log| witnesses.iter().map(move |witness| (log, witness))) {
        let name = witness.key.name();
        let known = match remote.newest_at(witness, log).await? {
            Ok(known) => known,
            Err(reason) => {
                progress(&format!("{name}: {reason}"));
                continue;
            }
        };
        let is_newer = known.origin == *tree.origin() && known.size > tree.size();
        let is_kept = tree.root_of(known.size) == Some(known.root);
        if is_newer || is_kept || named.contains(&hash_of(&known)) {
            continue;
        }
        let (size, origin) = (known.size, &known.origin);
        match named_within(tree, origin, &named) {
            Some(stated) => found.contradictions.push(format!(
                "{name} has the checkpoint of size {size} of {origin}, and the log states that no more than {stated} \
                 leaves of it were lost or kept"
            )),
            None if named.is_empty() => found.contradictions.push(format!(
                "{name} has the checkpoint of size {size} of {origin}, which is no beginning of the tree, and no entry states that it \
                 was lost"
            )),
            None => found.unnamed.push(format!(
                "{name} has the checkpoint of size {size} of {origin}, which is not the one that the log names"
            )),
        }
    }
    Ok(found)
}

fn hash_of(checkpoint: &Checkpoint) -> ObjectHash {
    ObjectHash::from_bytes(checkpoint.to_string().as_bytes())
}

/// Returns the size of the named checkpoint that is a beginning of the tree, under the name of the earlier log.
fn named_within(tree: &SignedTree<'_>, origin: &KeyName, named: &[ObjectHash]) -> Option<u64> {
    (1..=tree.size()).rev().find(|size| {
        let root = tree.root_of(*size);
        root.is_some_and(|root| named.contains(&hash_of(&Checkpoint { origin: origin.clone(), size: *size, root })))
    })
}
