use strsim::damerau_levenshtein;

use crate::limits::LONGEST_NAME;

/// Shorter names are too close to each other to guess from.
const SHORTEST: usize = 4;
/// From this length on two letters may be wrong, missing or too many, below only one: `note` is no `date`.
const LONG: usize = 7;

/// The known name that `name` most likely misspells, if any; letter case does not count.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let name = name.to_lowercase();
    let known = known.into_iter().filter(|_| name.len() <= LONGEST_NAME);
    known
        .map(|candidate| (damerau_levenshtein(&name, &candidate.to_lowercase()), candidate))
        .filter(|(typos, candidate)| *typos == 0 || *typos <= most_typos(&name, candidate))
        .min_by_key(|(typos, _)| *typos)
        .map(|(_, candidate)| candidate)
}

/// How many typing errors one name may be away from another; the shorter of the two decides.
fn most_typos(name: &str, candidate: &str) -> usize {
    match name.len().min(candidate.len()) {
        LONG.. => 2,
        _ if candidate.len() >= SHORTEST => 1,
        _ => 0,
    }
}

/// ` (did you mean …?)` to end a phrase with, or nothing.
pub(crate) fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(name, known).map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_found_and_another_word_is_not() {
        let known = ["games", "probabilities", "results", "RF"];
        assert_eq!(nearest("gamse", known), Some("games"));
        assert_eq!(nearest("Probability", known), None);
        assert_eq!(nearest("result", known), Some("results"));
        assert_eq!(nearest("rf", known), Some("RF"));
        assert_eq!(nearest("xx", known), None);
    }

    #[test]
    fn a_short_word_does_not_misspell_another_short_word() {
        let known = ["date", "time", "season", "over_line"];
        for word in ["note", "type", "tier", "state"] {
            assert_eq!(nearest(word, known), None, "{word}");
        }
        assert_eq!(nearest("dat", known), Some("date"));
        assert_eq!(nearest("tiem", known), Some("time"));
        assert_eq!(nearest("saeson", known), Some("season"));
        assert_eq!(nearest("overline_", known), Some("over_line"));
    }
}
