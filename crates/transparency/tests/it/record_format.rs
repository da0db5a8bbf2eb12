//! The example of docs/record-format.md, whose values were computed by another program.

use std::fs;

use sports_domain::{GameKey, ModelType};
use sports_transparency::{Leaf, LeafFact, Nonce, RightEdge, WrittenLeaf};

use crate::commitments::{hex_digits, ravens};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/record-format.md");

/// Returns the blocks of the page with this word behind their language.
fn blocks<'p>(page: &'p str, word: &str) -> Vec<&'p str> {
    let begun = page.split("\n```").skip(1).filter_map(|block| block.split_once('\n'));
    begun.filter(|(head, _)| head.ends_with(word)).map(|(_, block)| block).collect()
}

#[test]
fn the_example_of_the_page_has_its_salt_commitment_hashes_and_root() {
    let page = fs::read_to_string(PAGE).expect("the page");
    let values: Vec<_> = blocks(&page, " values").join("\n").lines().map(str::to_owned).collect();
    let value = |name: &str| {
        let line = values.iter().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name}"));
        line.trim().to_owned()
    };
    let [payload] = blocks(&page, " payload")[..] else { panic!("one payload") };
    let game: GameKey = ravens();
    let salt = Nonce::new([0x11; 32]).salt(1, ModelType::WonOnPoints, &game);
    let committed = salt.commit(payload.as_bytes());
    assert_eq!((salt.to_hex(), committed.to_string()), (value("salt"), value("commitment")));

    let leaves: Vec<_> = blocks(&page, " leaf")
        .into_iter()
        .map(|text| WrittenLeaf::from(Leaf::parse(&format!("{text}\n")).expect("a leaf")))
        .collect();
    for leaf in &leaves {
        assert_eq!(hex_digits(leaf.hash()), value(leaf.fact.kind()));
    }
    let LeafFact::Forecast { commitment, .. } = &leaves[2].fact else { panic!("a forecast") };
    assert_eq!(*commitment, committed);
    let edge: RightEdge = leaves.iter().map(WrittenLeaf::hash).collect();
    assert_eq!(edge.root().to_string(), value("root"));
}
