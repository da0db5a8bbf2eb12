//! The times at which trusted voices had trees, by verified cosignatures and tokens.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sports_domain::eastern_instant;
use sports_record_signing::token::Token;
use sports_transparency::OTHER_SIGNATURES;
use sports_transparency::audit::{Evidence, StatedLeaves};
use sports_transparency::{Leaf, LeafFact};

use super::super::remote::Remote;
use super::super::voices::Voices;
use super::answers::progress;
use super::tree::SignedTree;
use crate::failure::Failure;

/// The number of listed checkpoints that are all verified. Of more, those that are the first or the last word on a leaf are.
const ALL: usize = 300;

/// The verified times, and sentences about checkpoints that contradict the tree.
pub struct Witnessed {
    pub times: Evidence,
    pub contradictions: Vec<String>,
    /// The tokens that are of no trusted authority, by the reason.
    foreign: BTreeMap<String, usize>,
}

/// A checkpoint as it is listed.
struct Listed {
    size: u64,
    root: String,
    /// The times of trusted witnesses, by their names.
    times: Vec<(String, i64)>,
    /// The names of timestamps.
    timestamps: Vec<String>,
}

/// Reads the lists of checkpoints of some records, compares each checkpoint with the tree, and verifies what trusted voices state
/// about those that have these leaves and those that lack them.
pub async fn evidence(
    tree: &SignedTree<'_>,
    records: &[&Remote],
    leaves: &BTreeSet<u64>,
    voices: &Voices,
) -> Result<Witnessed, Failure> {
    let mut found = Witnessed { times: voices.evidence(), contradictions: Vec::new(), foreign: BTreeMap::new() };
    for record in records {
        found.add(tree, record, leaves, voices).await?;
    }
    for (reason, count) in &found.foreign {
        progress(&format!("Timestamps that are of no trusted authority: {count}: {reason}"));
    }
    Ok(found)
}

impl Witnessed {
    async fn add(
        &mut self,
        tree: &SignedTree<'_>,
        record: &Remote,
        leaves: &BTreeSet<u64>,
        voices: &Voices,
    ) -> Result<(), Failure> {
        let mut listed = listed(record, tree.size(), voices).await?;
        // The list of a node that is behind would make forecasts late.
        let is_of_tree = std::ptr::eq(record, tree.remote);
        if is_of_tree && listed.iter().all(|checkpoint| checkpoint.size != tree.size()) {
            let size = tree.size();
            return Err(Failure::unchecked(format!(
                "the list of checkpoints lacks that of size {size}, which was served: try again later"
            )));
        }
        for checkpoint in &listed {
            if tree.root_of(checkpoint.size).is_none_or(|root| root.to_string() != checkpoint.root) {
                self.contradictions
                    .push(format!("the listed checkpoint of size {} is of another tree", checkpoint.size));
            }
        }
        listed.retain(|checkpoint| !checkpoint.times.is_empty() || !checkpoint.timestamps.is_empty());
        if listed.len() > ALL {
            let sizes = telling_sizes(&listed, leaves);
            listed.retain(|checkpoint| sizes.contains(&checkpoint.size));
        }
        progress(&format!("Verifying the cosignatures and timestamps of {} checkpoints", listed.len()));
        for Listed { size, timestamps, .. } in &listed {
            let note = record.of_size(*size).await?;
            if tree.root_of(*size) != Some(note.checkpoint().root) {
                self.contradictions.push(format!("the signed checkpoint of size {size} is of another tree"));
                continue;
            }
            let log = record.signer(&note).ok_or_else(|| Failure::other("a checkpoint lost its signature"))?;
            let cosignatures = note.verify(log, &voices.witnesses).map_err(Failure::other)?;
            voices.add_cosignatures(&mut self.times, *size, &cosignatures);
            let text = note.checkpoint().to_string();
            for name in timestamps {
                let reply = record.timestamp(*size, name).await?;
                let token = Token::read(&reply, &text).map_err(|reason| reason.to_string());
                let added = token.and_then(|token| voices.add_token(&mut self.times, *size, &token));
                if let Err(reason) = added {
                    *self.foreign.entry(reason).or_default() += 1;
                }
            }
        }
        Ok(())
    }

    /// Says which voices contradict the quorum, and about how many of these forecast leaves: they had them only at the starts or
    /// later.
    pub fn contradicting_voices(&self, leaves: &StatedLeaves, among: &BTreeSet<u64>, voices: &Voices) -> Vec<String> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for index in among {
            let leaf = usize::try_from(*index).ok().and_then(|place| leaves.leaves().get(place));
            let Some(Leaf { fact: LeafFact::Forecast { game, .. }, .. }) = leaf else { continue };
            let Some(time) = game.time else { continue };
            for voice in self.times.contradicting(*index, eastern_instant(game.date, time).timestamp()).into_keys() {
                *counts.entry(voice).or_default() += 1;
            }
        }
        let sentence = |(voice, count): (&usize, &usize)| {
            format!(
                "{} had {count} forecasts at their starts or later only, which the quorum had before",
                voices.name(*voice)
            )
        };
        counts.iter().map(sentence).collect()
    }
}

/// Returns the listed checkpoints up to the size of the tree that is audited: the list may grow meanwhile, and that of a dishonest
/// service for ever.
async fn listed(record: &Remote, size: u64, voices: &Voices) -> Result<Vec<Listed>, Failure> {
    let (mut listed, mut from) = (Vec::new(), 1);
    loop {
        let page = record.checkpoints_from(from).await?;
        // A list that cannot be read is no statement that no witness received the tree.
        let unreadable = || Failure::unchecked("the list of checkpoints has another form than expected");
        for item in page["checkpoints"].as_array().ok_or_else(unreadable)? {
            let checkpoint = listed_checkpoint(item, record, voices).ok_or_else(unreadable)?;
            if checkpoint.size <= size {
                listed.push(checkpoint);
            }
        }
        match page["next_size"].as_u64().filter(|next| *next <= size) {
            // Each page begins behind the one before, or the list would never end.
            Some(next) if next > from => from = next,
            Some(_) => return Err(Failure::unchecked("the list of checkpoints does not go on")),
            None => return Ok(listed),
        }
    }
}

fn listed_checkpoint(item: &Value, record: &Remote, voices: &Voices) -> Option<Listed> {
    let list = |name: &str| item[name].as_array().map_or(&[][..], Vec::as_slice);
    // One of a key that is not given cannot be verified.
    let signers: Vec<_> = list("signed_by").iter().filter_map(Value::as_str).collect();
    let is_known = signers.is_empty() || record.is_signed_by(&signers);
    let trusted = |cosigned: &Value| {
        let name = cosigned["name"].as_str()?;
        let is_trusted = voices.witnesses.iter().any(|witness| witness.name().as_str() == name);
        Some((name.to_owned(), time(cosigned)?)).filter(|_| is_trusted)
    };
    let stamps = list("timestamps").iter().filter_map(|name| Some(name.as_str()?.to_owned()));
    let wants_stamps = is_known && voices.trusts_authorities();
    Some(Listed {
        size: item["size"].as_u64()?,
        root: item["root"].as_str()?.to_owned(),
        times: list("cosigned").iter().filter(|_| is_known).filter_map(trusted).collect(),
        timestamps: stamps.filter(|_| wants_stamps).take(OTHER_SIGNATURES).collect(),
    })
}

/// Returns the time of a listed cosignature, in seconds since 1970: a number, or an instant of RFC 3339.
fn time(cosigned: &Value) -> Option<i64> {
    let time = &cosigned["time"];
    time.as_i64().or_else(|| Some(crate::report::read_instant(time.as_str()?).ok()?.timestamp()))
}

/// Returns the sizes at which the list has the first time of each voice with one of these leaves, and its last time without it. A
/// token's time is not listed: the smallest tree is the first.
fn telling_sizes(listed: &[Listed], leaves: &BTreeSet<u64>) -> BTreeSet<u64> {
    let mut voices: BTreeMap<&str, Vec<(u64, i64)>> = BTreeMap::new();
    for checkpoint in listed {
        for (name, time) in &checkpoint.times {
            voices.entry(name).or_default().push((checkpoint.size, *time));
        }
        if !checkpoint.timestamps.is_empty() {
            let time = i64::try_from(checkpoint.size).unwrap_or(i64::MAX);
            voices.entry("").or_default().push((checkpoint.size, time));
        }
    }
    let mut telling = BTreeSet::new();
    for mut times in voices.into_values() {
        times.sort_unstable();
        let mut last: Vec<(u64, i64)> = Vec::with_capacity(times.len());
        for (size, time) in &times {
            let best = last.last().copied().filter(|(_, best)| best > time);
            last.push(best.unwrap_or((*size, *time)));
        }
        let mut first = vec![(0, i64::MAX); times.len() + 1];
        for (place, (size, time)) in times.iter().enumerate().rev() {
            let best = Some(first[place + 1]).filter(|(_, best)| best <= time);
            first[place] = best.unwrap_or((*size, *time));
        }
        for leaf in leaves {
            let place = times.partition_point(|(size, _)| size <= leaf);
            telling.extend(first.get(place).map(|(size, _)| *size));
            telling.extend(place.checked_sub(1).map(|place| last[place].0));
        }
    }
    telling
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_with_a_leaf_and_the_last_without_it_are_verified() {
        let listed = |size, times: &[(&str, i64)]| Listed {
            size,
            root: String::new(),
            times: times.iter().map(|(name, time)| ((*name).to_owned(), *time)).collect(),
            timestamps: Vec::new(),
        };
        let mut all = [
            listed(10, &[("a", 100)]),
            listed(20, &[("b", 300)]),
            listed(30, &[("a", 90), ("b", 310)]),
            listed(40, &[("a", 200)]),
        ];
        let sizes = |all: &[Listed], leaf: u64| {
            let mut sizes = telling_sizes(all, &BTreeSet::from([leaf]));
            // No tree has the leaf.
            sizes.remove(&0);
            sizes.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(sizes(&all, 3), [20, 30], "a later tree was received earlier by a");
        assert_eq!(sizes(&all, 25), [10, 20, 30]);
        assert_eq!(sizes(&all, 35), [10, 30, 40], "the tree of 10 was the last word of a before that of 40");
        all[1].timestamps.push("stamp".to_owned());
        assert_eq!(sizes(&all, 15), [10, 20, 30]);
        assert_eq!(sizes(&all, 45), [20, 30, 40]);
    }
}
