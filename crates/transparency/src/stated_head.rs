use std::fmt;
use std::str::FromStr;

use sports_domain::Sport;

use crate::TreeHash;
use crate::checkpoint::parse_number;

/// The size and the root of a league's tree without a signature, as answers with a key state them. Its text is one line, such as `nfl 4145 EQAf…=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedHead {
    pub sport: Sport,
    /// The number of leaves.
    pub size: u64,
    pub root: TreeHash,
}

/// The text is not the head of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a league, a size and a root, as in the header X-Record-Head: \"nfl 4145 EQAf…=\"")]
pub struct NotAStatedHead;

impl fmt::Display for StatedHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.sport, self.size, self.root)
    }
}

impl FromStr for StatedHead {
    type Err = NotAStatedHead;

    fn from_str(text: &str) -> Result<Self, NotAStatedHead> {
        let words: Vec<_> = text.split(' ').collect();
        let [sport, size, root] = words[..] else { return Err(NotAStatedHead) };
        let (sport, root) = (sport.parse().map_err(|_| NotAStatedHead)?, root.parse().map_err(|_| NotAStatedHead)?);
        let size = parse_number(size).ok_or(NotAStatedHead)?;
        // Other sizes are beyond every format of trees.
        if size == 0 || i64::try_from(size).is_err() { Err(NotAStatedHead) } else { Ok(Self { sport, size, root }) }
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
