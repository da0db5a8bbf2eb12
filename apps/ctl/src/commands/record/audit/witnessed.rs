//! The times at which trusted witnesses received trees, by verified cosignatures.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sports_transparency::VerifierKey;
use sports_transparency::audit::Evidence;

use super::super::remote::Remote;
use super::answers::progress;
use super::tree::SignedTree;
use crate::failure::Failure;

/// The verified times, and sentences about checkpoints that contradict the tree.
pub struct Witnessed {
    pub times: Evidence,
    pub contradictions: Vec<String>,
}

/// A checkpoint as it is listed.
struct Listed {
    size: u64,
    root: String,
    /// The earliest time of a trusted witness, as it is listed.
    time: Option<i64>,
}

/// Reads the lists of checkpoints of some records, compares each checkpoint with the tree, and verifies those that are the earliest
/// evidence of a leaf.
pub async fn evidence(
    tree: &SignedTree<'_>,
    records: &[&Remote],
    leaves: &BTreeSet<u64>,
    witnesses: &[VerifierKey],
) -> Result<Witnessed, Failure> {
    let mut found = Witnessed { times: Evidence::default(), contradictions: Vec::new() };
    for record in records {
        found.add(tree, record, leaves, witnesses).await?;
    }
    Ok(found)
}

impl Witnessed {
    async fn add(
        &mut self,
        tree: &SignedTree<'_>,
        record: &Remote,
        leaves: &BTreeSet<u64>,
        witnesses: &[VerifierKey],
    ) -> Result<(), Failure> {
        let listed = listed(record, tree.size(), witnesses).await?;
        for checkpoint in &listed {
            if tree.root_of(checkpoint.size).is_none_or(|root| root.to_string() != checkpoint.root) {
                self.contradictions
                    .push(format!("the listed checkpoint of size {} is of another tree", checkpoint.size));
            }
        }
        let sizes = earliest_sizes(&listed, leaves.iter().copied());
        progress(&format!("Verifying the cosignatures of {} checkpoints", sizes.len()));
        for size in sizes {
            let note = record.of_size(size).await?;
            if tree.root_of(size) != Some(note.checkpoint().root) {
                self.contradictions.push(format!("the signed checkpoint of size {size} is of another tree"));
                continue;
            }
            let log = record.signer(&note).ok_or_else(|| Failure::other("a checkpoint lost its signature"))?;
            for cosignature in note.verify(log, witnesses).map_err(Failure::other)? {
                self.times.add(size, cosignature.time);
            }
        }
        Ok(())
    }
}

/// Returns the listed checkpoints up to the size of the tree that is audited: the list may grow meanwhile, and that of a dishonest
/// service for ever.
async fn listed(record: &Remote, size: u64, witnesses: &[VerifierKey]) -> Result<Vec<Listed>, Failure> {
    let (mut listed, mut from) = (Vec::new(), 1);
    loop {
        let page = record.checkpoints_from(from).await?;
        // A list that cannot be read is no statement that no witness received the tree.
        let unreadable = || Failure::other("the list of checkpoints has another form than expected");
        for item in page["checkpoints"].as_array().ok_or_else(unreadable)? {
            let checkpoint = listed_checkpoint(item, record, witnesses).ok_or_else(unreadable)?;
            if checkpoint.size <= size {
                listed.push(checkpoint);
            }
        }
        match page["next_size"].as_u64().filter(|next| *next <= size) {
            // Each page begins behind the one before, or the list would never end.
            Some(next) if next > from => from = next,
            Some(_) => return Err(Failure::other("the list of checkpoints does not go on")),
            None => return Ok(listed),
        }
    }
}

fn listed_checkpoint(item: &Value, record: &Remote, witnesses: &[VerifierKey]) -> Option<Listed> {
    let list = |name: &str| item[name].as_array().map_or(&[][..], Vec::as_slice);
    // One of a key that is not given cannot be verified.
    let signers: Vec<_> = list("signed_by").iter().filter_map(Value::as_str).collect();
    let is_known = signers.is_empty() || record.is_signed_by(&signers);
    let cosigned = if is_known { list("cosigned") } else { &[] };
    let is_trusted = |name: &str| witnesses.iter().any(|witness| witness.name().as_str() == name);
    let times = cosigned.iter().filter(|one| one["name"].as_str().is_some_and(is_trusted)).filter_map(time);
    Some(Listed { size: item["size"].as_u64()?, root: item["root"].as_str()?.to_owned(), time: times.min() })
}

/// Returns the time of a listed cosignature, in seconds since 1970: a number, or an instant of RFC 3339.
fn time(cosigned: &Value) -> Option<i64> {
    let time = &cosigned["time"];
    time.as_i64().or_else(|| Some(crate::report::read_instant(time.as_str()?).ok()?.timestamp()))
}

/// Returns the sizes that the list has as the earliest evidence of these leaves.
fn earliest_sizes(listed: &[Listed], leaves: impl Iterator<Item = u64>) -> BTreeSet<u64> {
    let mut earliest = BTreeMap::new();
    let mut best: Option<(i64, u64)> = None;
    let mut timed: Vec<_> = listed.iter().filter_map(|one| Some((one.size, one.time?))).collect();
    timed.sort_unstable_by(|one, other| other.cmp(one));
    for (size, time) in timed {
        best = Some(best.map_or((time, size), |best| best.min((time, size))));
        earliest.extend(best.map(|(_, of)| (size, of)));
    }
    leaves.filter_map(|leaf| earliest.range(leaf.saturating_add(1)..).next().map(|(_, size)| *size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_has_the_earliest_time_of_all_trees_that_have_it() {
        let listed = |size, time| Listed { size, root: String::new(), time };
        let all = [listed(10, Some(100)), listed(20, None), listed(30, Some(90)), listed(40, Some(200))];
        let sizes = |leaves: &[u64]| earliest_sizes(&all, leaves.iter().copied()).into_iter().collect::<Vec<_>>();
        assert_eq!(sizes(&[3]), [30], "a later tree was received earlier");
        assert_eq!(sizes(&[10, 29]), [30]);
        assert_eq!(sizes(&[30]), [40]);
        assert_eq!(sizes(&[40]), Vec::<u64>::new());
    }
}
