//! Entry bundles: the texts of up to 256 leaves, each after its length in two bytes.

use std::str::Utf8Error;

use crate::leaf::LEAF_LIMIT;
use sports_domain::FormError;

/// The reason for which bytes are not an entry bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotABundle {
    /// The bytes end within a leaf.
    #[error("the bundle ends within a leaf")]
    CutOff,
    /// A leaf is not text.
    #[error("leaf {index} of the bundle is not UTF-8")]
    NotText {
        /// The index of the leaf within the bundle.
        index: usize,
        /// The first byte that is not text.
        #[source]
        source: Utf8Error,
    },
}

/// Writes the bundle of these leaves.
///
/// # Errors
///
/// [`FormError`] if the length of a leaf does not fit.
pub fn bundle_bytes<'a>(leaves: impl IntoIterator<Item = &'a str>) -> Result<Vec<u8>, FormError> {
    let mut bytes = Vec::new();
    for leaf in leaves {
        let length = u16::try_from(leaf.len())
            .map_err(|_| FormError::new(format!("a leaf has {} bytes: at most {LEAF_LIMIT} fit", leaf.len())))?;
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(leaf.as_bytes());
    }
    Ok(bytes)
}

/// Reads the leaves of a bundle.
///
/// # Errors
///
/// [`NotABundle`] if a leaf is cut off, or is not text.
pub fn read_bundle(mut bytes: &[u8]) -> Result<Vec<&str>, NotABundle> {
    let mut leaves = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk().ok_or(NotABundle::CutOff)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (leaf, rest) = rest.split_at_checked(length).ok_or(NotABundle::CutOff)?;
        let index = leaves.len();
        leaves.push(std::str::from_utf8(leaf).map_err(|source| NotABundle::NotText { index, source })?);
        bytes = rest;
    }
    Ok(leaves)
}

/// Returns the length of the beginning of a bundle that has this number of leaves; `None` if the bundle has fewer.
pub fn bundle_beginning(bundle: &[u8], leaves: u16) -> Option<usize> {
    let mut end = 0;
    for _ in 0..leaves {
        let (length, _) = bundle.get(end..)?.split_first_chunk()?;
        end += size_of::<u16>() + usize::from(u16::from_be_bytes(*length));
    }
    (end <= bundle.len()).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_bundle_is_the_bundle_of_its_first_leaves() {
        let leaves = ["a\n", "", "a longer leaf\n"];
        let bundle = bundle_bytes(leaves).expect("short leaves");
        for (count, end) in [(0, 0), (1, 4), (2, 6), (3, 22)] {
            assert_eq!(bundle_beginning(&bundle, count), Some(end), "{count}");
        }
        for cut in [21, 7, 5, 1] {
            assert_eq!(bundle_beginning(&bundle[..cut], 3), None, "{cut}");
        }
        assert_eq!(bundle_beginning(&bundle, 4), None);
    }
}
