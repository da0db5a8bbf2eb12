//! Prefix codes of limited length: the more frequent a symbol, the shorter its word.

/// What a sighting of a symbol counts. Symbols that were never seen count one, and take next to no room.
pub const SEEN: u64 = 1 << 10;

/// The lengths of the words of an optimal prefix code, none longer than `limit`. A symbol without a count has none; there
/// must be two with one.
pub fn lengths(counts: &[u64], limit: u32) -> Vec<u32> {
    let mut counts = counts.to_vec();
    loop {
        let lengths = huffman(&counts);
        if lengths.iter().all(|length| *length <= limit) {
            return lengths;
        }
        // The more alike the counts, the shorter the longest word.
        counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
    }
}

/// Huffman's algorithm on a sorted list and a queue of pairs.
fn huffman(counts: &[u64]) -> Vec<u32> {
    let mut leaves: Vec<_> = (0..counts.len()).filter(|symbol| counts[*symbol] > 0).collect();
    leaves.sort_by_key(|symbol| counts[*symbol]);
    let number = leaves.len();
    let mut weights: Vec<_> = leaves.iter().map(|symbol| counts[*symbol]).collect();
    let mut parents = vec![0; 2 * number - 1];
    let (mut leaf, mut pair) = (0, number);
    for made in number..2 * number - 1 {
        let mut weight = 0;
        for _ in 0..2 {
            let lighter =
                if leaf < number && (pair >= made || weights[leaf] <= weights[pair]) { &mut leaf } else { &mut pair };
            weight += weights[*lighter];
            parents[*lighter] = made;
            *lighter += 1;
        }
        weights.push(weight);
    }
    let mut depths = vec![0_u32; 2 * number - 1];
    for node in (0..2 * number - 2).rev() {
        depths[node] = depths[parents[node]] + 1;
    }
    let mut lengths = vec![0; counts.len()];
    for (symbol, depth) in leaves.iter().zip(depths) {
        lengths[*symbol] = depth;
    }
    lengths
}

/// A word of a code: its bits as they are written, and how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Word {
    /// The bits.
    pub bits: u32,
    /// Their number.
    pub length: u32,
}

/// The words of the canonical code of deflate and Brotli, the first bit of a word the lowest.
pub fn words(lengths: &[u32]) -> Vec<Word> {
    let mut words = vec![Word::default(); lengths.len()];
    let mut next = 0_u32;
    for length in 1..=lengths.iter().copied().max().unwrap_or(0) {
        for (word, _) in words.iter_mut().zip(lengths).filter(|(_, of)| **of == length) {
            *word = Word { bits: next.reverse_bits() >> (32 - length), length };
            next += 1;
        }
        next <<= 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_complete_and_within_its_limit() {
        for (counts, limit) in [(vec![1, 1], 1), (vec![0, 5, 9, 1, 0, 30], 15), ((0..40).map(|n| 1 << n).collect(), 7)]
        {
            let lengths = lengths(&counts, limit);
            let space: u64 = lengths.iter().filter(|length| **length > 0).map(|length| 1 << (40 - length)).sum();
            assert_eq!(space, 1 << 40, "{lengths:?}");
            assert!(lengths.iter().all(|length| *length <= limit), "{lengths:?}");
        }
    }
}
