//! The tree against `ct-merkle`.

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use sha2::Sha256;
use sports_calibration::SplitMix64;
use sports_transparency::{
    ConsistencyError, Growth, InclusionError, RightEdge, Tree, TreeHash, consistency_path, inclusion_path,
    verify_consistency, verify_inclusion,
};

use crate::numbers::below;

/// A tree of ours and one of `ct-merkle` with the same leaves.
#[derive(Default)]
struct Both {
    ours: Tree,
    edge: RightEdge,
    theirs: Option<MemoryBackedTree<Sha256, Vec<u8>>>,
}

impl Both {
    fn append(&mut self, leaf: Vec<u8>) {
        self.ours.append(TreeHash::of_leaf(&leaf));
        self.edge.append(TreeHash::of_leaf(&leaf));
        self.theirs.get_or_insert_with(MemoryBackedTree::new).push(leaf);
    }

    fn their_root(&self) -> TreeHash {
        let root = match &self.theirs {
            Some(tree) => tree.root(),
            None => MemoryBackedTree::<Sha256, Vec<u8>>::new().root(),
        };
        TreeHash::new((*root.as_bytes()).into())
    }

    fn check_root(&self) {
        let root = self.their_root();
        assert_eq!(self.edge.root(), root, "size {}", self.edge.size());
        assert_eq!(RightEdge::of(&self.ours, self.ours.size()).expect("all hashes"), self.edge);
        assert_eq!(self.edge.hashes().len(), self.edge.size().count_ones() as usize);
    }

    fn check_inclusion(&self, index: u64) {
        let (size, root) = (self.ours.size(), self.edge.root());
        let path = inclusion_path(&self.ours, index, size).expect("all hashes");
        let index_there = usize::try_from(index).expect("a small tree");
        let tree = self.theirs.as_ref().expect("leaves");
        assert_eq!(path.as_flattened_bytes(), tree.prove_inclusion(index_there).as_bytes(), "{index} of {size}");
        let leaf = TreeHash::of_leaf(tree.get(index_there).expect("a leaf"));
        assert_eq!(verify_inclusion(leaf, index, size, &path, root), Ok(()), "{index} of {size}");
        let other = TreeHash::of_leaf(b"other");
        assert_eq!(verify_inclusion(other, index, size, &path, root), Err(InclusionError::OtherRoot));
        if let Some((_, shorter)) = path.split_last() {
            assert!(verify_inclusion(leaf, index, size, shorter, root).is_err(), "{index} of {size}");
        }
        let longer = [path.as_slice(), &[other]].concat();
        assert_eq!(verify_inclusion(leaf, index, size, &longer, root), Err(InclusionError::PathLength));
        for moved in [index ^ 1, index + 1, index.wrapping_sub(1)].into_iter().filter(|moved| *moved < size) {
            assert!(verify_inclusion(leaf, moved, size, &path, root).is_err(), "{index} as {moved} of {size}");
        }
    }

    fn check_consistency(&self, old: u64) {
        let (size, root) = (self.ours.size(), self.edge.root());
        let before = RightEdge::of(&self.ours, old).expect("all hashes");
        let old_root = before.root();
        let path = consistency_path(&self.ours, old, size).expect("all hashes");
        if old > 0 && old < size {
            let added = usize::try_from(size - old).expect("a small tree");
            let theirs = self.theirs.as_ref().expect("leaves").prove_consistency(added);
            assert_eq!(path.as_flattened_bytes(), theirs.as_bytes(), "{old} to {size}");
        }
        let behind = self.ours.hashes(0, old..size).expect("all hashes");
        let growth = Growth::new(before.clone(), behind.to_vec());
        assert_eq!(consistency_path(&growth, old, size), Ok(path.clone()), "{old} to {size}");
        if let [needed @ .., _] = behind {
            let short = Growth::new(before, needed.to_vec());
            assert_eq!(consistency_path(&short, old, size).is_err(), old > 0, "{old} to {size}");
        }
        let verify = |old_root, root, path: &[TreeHash]| verify_consistency((old, old_root), (size, root), path);
        assert_eq!(verify(old_root, root, &path), Ok(()), "{old} to {size}");
        let other = TreeHash::of_leaf(b"other");
        assert!(verify(other, root, &path).is_err(), "{old} to {size}");
        // Everything extends the empty tree.
        assert_eq!(verify(old_root, other, &path).is_ok(), old == 0, "{old} to {size}");
        assert!(verify(old_root, root, &[path.as_slice(), &[other]].concat()).is_err(), "{old} to {size}");
        if let Some((_, shorter)) = path.split_last() {
            assert!(verify(old_root, root, shorter).is_err(), "{old} to {size}");
        }
    }
}

/// Paths as one sequence of bytes.
trait Flattened {
    fn as_flattened_bytes(&self) -> Vec<u8>;
}

impl Flattened for Vec<TreeHash> {
    fn as_flattened_bytes(&self) -> Vec<u8> {
        self.iter().flat_map(|hash| *hash.as_bytes()).collect()
    }
}

#[test]
fn every_size_up_to_1030_agrees_with_ct_merkle() {
    let mut both = Both::default();
    both.check_root();
    for size in 1..=1030 {
        both.append(format!("leaf {size}").into_bytes());
        both.check_root();
        let indexes =
            if size <= 66 { (0..size).collect() } else { vec![0, size / 2, size * 2 / 3, size - 2, size - 1] };
        for index in indexes {
            both.check_inclusion(index);
            both.check_consistency(index);
        }
        both.check_consistency(size);
    }
}

#[test]
fn a_thousand_random_trees_agree_with_ct_merkle() {
    let mut numbers = SplitMix64::from_seed(30);
    for _ in 0..1000 {
        let mut both = Both::default();
        for _ in 0..=below(&mut numbers, 150) {
            let length = below(&mut numbers, 80);
            both.append((0..length).map(|_| numbers.bits().to_be_bytes()[0]).collect());
        }
        both.check_root();
        let size = both.ours.size();
        both.check_inclusion(below(&mut numbers, size));
        both.check_consistency(below(&mut numbers, size + 1));
    }
}

#[test]
fn a_proof_beyond_its_tree_is_refused() {
    let root = TreeHash::of_leaf(b"a");
    assert_eq!(verify_inclusion(root, 0, 1, &[], root), Ok(()));
    assert_eq!(verify_inclusion(root, 1, 1, &[], root), Err(InclusionError::BeyondTree { index: 1, size: 1 }));
    assert_eq!(verify_inclusion(root, 0, 0, &[], root), Err(InclusionError::BeyondTree { index: 0, size: 0 }));
    let smaller = Err(ConsistencyError::Smaller { old: 2, new: 1 });
    assert_eq!(verify_consistency((2, root), (1, root), &[]), smaller);
    let empty = TreeHash::of_empty_tree();
    assert_eq!(verify_consistency((0, empty), (1, root), &[]), Ok(()));
    assert_eq!(verify_consistency((0, root), (1, root), &[]), Err(ConsistencyError::OtherOldRoot));
    assert_eq!(verify_consistency((1, root), (1, empty), &[]), Err(ConsistencyError::OtherNewRoot));
    assert!(inclusion_path(&Tree::new(), 0, 2).is_err());
    assert_eq!(inclusion_path(&Tree::new(), 1, 1), Ok(Vec::new()));
    assert_eq!(consistency_path(&Tree::new(), 3, 2), Ok(Vec::new()));
}

#[test]
fn an_edge_has_a_hash_for_each_bit_of_its_size() {
    let hash = TreeHash::of_leaf(b"a");
    assert!(RightEdge::new(5, vec![hash; 2]).is_ok());
    let error = RightEdge::new(5, vec![hash; 3]).expect_err("one too many");
    assert_eq!(error.to_string(), "a tree of 5 leaves has 2 complete subtrees, not 3");
}

#[test]
fn a_hash_has_one_spelling() {
    let text = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    assert_eq!(text.parse(), Ok(TreeHash::of_empty_tree()));
    // The last digit but one has two bits that belong to no byte.
    for other in ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=", &text[..43], &text[4..], "", "47DE QpjA==="] {
        assert!(other.parse::<TreeHash>().is_err(), "{other}");
    }
}
