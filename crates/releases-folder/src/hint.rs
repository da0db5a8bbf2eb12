use strsim::damerau_levenshtein;

/// How many letters may be wrong, missing or too many for one name to be a slip of another.
const MOST_SLIPS: usize = 2;
/// Shorter names are too close to each other to guess from.
const SHORTEST: usize = 4;

/// The known name that `name` is most likely a slip of, if any; letter case does not count.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let name = name.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (damerau_levenshtein(&name, &candidate.to_lowercase()), candidate))
        .filter(|(slips, candidate)| *slips == 0 || (*slips <= MOST_SLIPS && candidate.len() >= SHORTEST))
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// ` (did you mean …?)` to end a phrase with, or nothing.
pub(crate) fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(name, known).map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_a_strange_word_none() {
        let known = ["games", "probabilities", "results", "RF"];
        assert_eq!(nearest("gamse", known), Some("games"));
        assert_eq!(nearest("Probability", known), None);
        assert_eq!(nearest("result", known), Some("results"));
        assert_eq!(nearest("rf", known), Some("RF"));
        assert_eq!(nearest("xx", known), None);
    }
}
