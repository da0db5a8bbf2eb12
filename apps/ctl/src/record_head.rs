//! The head of a record, as answers with a key have it.

use std::str::FromStr;

use sports_domain::Sport;
use sports_transparency::TreeHash;

/// The size and the root of a league's tree, without a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordHead {
    /// The league.
    pub sport: Sport,
    /// The number of leaves.
    pub size: u64,
    /// The root.
    pub root: TreeHash,
}

impl FromStr for RecordHead {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected a league, a size and a root, as in the header X-Record-Head: \"nfl 4145 EQAf…=\"";
        let words: Vec<_> = text.split(' ').collect();
        let [sport, size, root] = words[..] else { return Err(expected) };
        let (sport, root) = (sport.parse().map_err(|_| expected)?, root.parse().map_err(|_| expected)?);
        let size: u64 = size.parse().map_err(|_| expected)?;
        // Other sizes are beyond every format of trees.
        if size == 0 || i64::try_from(size).is_err() { Err(expected) } else { Ok(Self { sport, size, root }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_a_league_a_size_and_a_root() {
        let root = TreeHash::of_empty_tree();
        let head = RecordHead { sport: Sport::Nfl, size: 4145, root };
        assert_eq!(format!("nfl 4145 {root}").parse(), Ok(head));
        for bad in ["nfl 4145", "nfl 0 x", "cricket 1 x", "nfl 4145 x", "", &format!("nfl {} {root}", u64::MAX)] {
            assert!(bad.parse::<RecordHead>().is_err(), "{bad}");
        }
    }
}
