//! Entry bundles: the texts of up to 256 leaves, each after its length in two bytes.

use sports_domain::FormError;

use crate::leaf::LEAF_LIMIT;

const CUT_OFF: FormError = FormError::fixed("the bundle ends within a leaf");

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
/// [`FormError`] if a leaf is cut off, or is not text.
pub fn read_bundle(mut bytes: &[u8]) -> Result<Vec<&str>, FormError> {
    let mut leaves = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk().ok_or(CUT_OFF)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (leaf, rest) = rest.split_at_checked(length).ok_or(CUT_OFF)?;
        let index = leaves.len();
        let text = std::str::from_utf8(leaf);
        leaves
            .push(text.map_err(|reason| FormError::new(format!("leaf {index} of the bundle is not UTF-8: {reason}")))?);
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
