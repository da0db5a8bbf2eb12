use strsim::damerau_levenshtein;

use crate::limits::LONGEST_NAME;

/// The minimum length of a candidate: shorter names are too close to each other for a guess.
const SHORTEST: usize = 4;
/// The minimum length for two typing errors; below it only one is allowed, so that `note` is not taken for `date`.
const LONG: usize = 7;

/// Returns the known name closest to `name`, within the allowed number of typing errors; ignores letter case.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let name = name.to_lowercase();
    let known = known.into_iter().filter(|_| name.len() <= LONGEST_NAME);
    known
        .map(|candidate| (damerau_levenshtein(&name, &candidate.to_lowercase()), candidate))
        .filter(|(typos, candidate)| *typos == 0 || *typos <= most_typos(&name, candidate))
        .min_by_key(|(typos, _)| *typos)
        .map(|(_, candidate)| candidate)
}

/// Returns the number of typing errors allowed between two names, by the length of the shorter name.
fn most_typos(name: &str, candidate: &str) -> usize {
    match name.len().min(candidate.len()) {
        LONG.. => 2,
        _ if candidate.len() >= SHORTEST => 1,
        _ => 0,
    }
}

/// Returns ` (did you mean …?)` for a phrase to end with, or an empty string.
pub fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
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
