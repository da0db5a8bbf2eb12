use std::iter;

use sports_accounts::hide_keys;

use super::RawQuery;
use crate::error::ApiError;
use crate::openapi::KnownParams;

/// The parameter with a key. Every route takes it, so that a client may send it with every request.
pub const API_KEY: &str = "api_key";

/// The parameter that names an instant.
const AS_OF: &str = "as_of";

/// The rule for parameters that a handler does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownParams {
    /// All are refused: a caller with a key must not get another season or model than the named one.
    Refused,
    /// Parameters that were meant for this API are refused: names of other operations, misspellings and other times.
    LookalikesRefused,
    /// All are ignored: on the paths of old clients, which send the parameters they always sent.
    Ignored,
}

/// The shortest name that is compared by its beginning; shorter names begin alike too easily.
const LONG_ENOUGH: usize = 4;

/// The most edits between a misspelling and the name that was meant.
const MOST_EDITS: usize = 2;

/// The most parameters that are compared with the known ones. A comparison takes time, so their number is limited.
const MOST_PARAMS: usize = 64;

/// The most characters of a refused name that the refusal repeats.
const MOST_REPEATED: usize = 64;

/// Names of parameters that select another time than now. Only letters are compared.
const OTHER_TIMES: [&str; 3] = ["asof", "date", "slatedate"];

/// Refuses a taken parameter that is given twice, and unknown ones by `rule`.
pub(super) fn check(
    query: &RawQuery,
    takes: &[&str],
    rule: UnknownParams,
    known: &KnownParams,
) -> Result<(), ApiError> {
    expect_few(query, rule)?;
    let is_taken = |name: &str| takes.contains(&name) || name == API_KEY;
    for (position, name) in query.names().enumerate() {
        if is_taken(name) && query.names().take(position).any(|earlier| earlier == name) {
            return Err(ApiError::BadRequest(format!("`{name}` is given more than once")));
        }
        check_name(name, takes, rule, known)?;
    }
    Ok(())
}

/// Refuses more parameters than can be compared.
pub(super) fn expect_few(query: &RawQuery, rule: UnknownParams) -> Result<(), ApiError> {
    if rule == UnknownParams::Ignored || query.names().nth(MOST_PARAMS).is_none() {
        return Ok(());
    }
    Err(ApiError::BadRequest(format!("The query has more than {MOST_PARAMS} parameters")))
}

/// Refuses the name of a parameter that is not taken, if `rule` demands it.
pub(super) fn check_name(name: &str, takes: &[&str], rule: UnknownParams, known: &KnownParams) -> Result<(), ApiError> {
    if takes.contains(&name) || name == API_KEY || rule == UnknownParams::Ignored {
        return Ok(());
    }
    let allowed = allowed(takes);
    let (given, nearest) = (repeated(name), nearest(name, takes));
    let detail = if names_another_time(name) && takes.contains(&AS_OF) {
        format!("`{given}` is not a parameter here, did you mean `{AS_OF}`? {allowed}")
    } else if let Some(meant) = nearest {
        format!("`{given}` is not a parameter here, did you mean `{meant}`? {allowed}")
    } else if names_another_time(name) {
        format!("`{given}` is not a parameter here: this path answers as of now. {allowed}")
    } else if let Some(known) = known.find(name) {
        format!("`{known}` is not a parameter here. {allowed}")
    } else if rule == UnknownParams::Refused || known.names().any(|known| is_misspelling(name, known)) {
        format!("`{given}` is not a parameter here. {allowed}")
    } else {
        return Ok(());
    };
    Err(ApiError::BadRequest(detail))
}

/// Returns the taken parameter that is nearest to the name, with the fewest edits; `None` if no name resembles it.
fn nearest<'a>(name: &str, takes: &[&'a str]) -> Option<&'a str> {
    let known = || takes.iter().copied().chain(iter::once(API_KEY));
    let misspelt = known().filter(|known| is_misspelling(name, known));
    let misspelt = misspelt.min_by_key(|known| strsim::osa_distance(&name.to_ascii_lowercase(), known));
    misspelt.or_else(|| known().find(|known| begins_alike(name, known)))
}

/// Returns a refused name as its refusal repeats it: without a key in it, and shortened.
fn repeated(name: &str) -> String {
    let name = hide_keys(name);
    let mut letters = name.chars();
    let start: String = letters.by_ref().take(MOST_REPEATED).collect();
    if letters.next().is_some() { start + "…" } else { start }
}

fn names_another_time(name: &str) -> bool {
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    OTHER_TIMES.iter().any(|time| letters.eq_ignore_ascii_case(time))
}

/// Returns whether a name is `known` in another case or with a few edits. As many edits as letters would make any two
/// short names alike.
fn is_misspelling(name: &str, known: &str) -> bool {
    let length = name.chars().count();
    // The comparison takes time, and names of too different lengths need more than the allowed edits.
    if length.abs_diff(known.len()) > MOST_EDITS {
        return false;
    }
    let edits = strsim::osa_distance(&name.to_ascii_lowercase(), known);
    let (shorter, longer) = (length.min(known.len()), length.max(known.len()));
    // Two other letters make `page` of `date`.
    edits <= MOST_EDITS && edits < shorter.max(1) && (edits < MOST_EDITS || longer > LONG_ENOUGH)
}

fn begins_alike(name: &str, taken: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.len().min(taken.len()) >= LONG_ENOUGH && (name.starts_with(taken) || taken.starts_with(&name))
}

fn allowed(takes: &[&str]) -> String {
    match takes {
        [] => "This path takes no parameters".to_owned(),
        takes => format!("This path takes: {}", takes.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULTS: &[&str] = &["limit", "season", "offset", "snapshot"];

    fn known() -> KnownParams {
        KnownParams::named(&[RESULTS, &["upcoming_only", "sport", "market", "to", "from"]].concat())
    }

    fn refusal_by(rule: UnknownParams, query: &str, takes: &[&str]) -> Option<String> {
        check(&RawQuery::parse(query), takes, rule, &known()).err().map(|error| error.to_string())
    }

    fn refusal(query: &str, takes: &[&str]) -> Option<String> {
        let [strict, lenient] = [UnknownParams::Refused, UnknownParams::LookalikesRefused];
        let refusal = refusal_by(strict, query, takes);
        assert_eq!(refusal_by(lenient, query, takes), refusal, "{query}");
        refusal
    }

    #[test]
    fn taken_parameters_and_the_key_pass() {
        for query in ["", "limit=1&offset=2", "api_key=x&season=2024", "&&"] {
            assert_eq!(refusal(query, RESULTS), None, "{query}");
        }
    }

    #[test]
    fn an_unrelated_parameter_is_refused_where_all_are_and_ignored_elsewhere() {
        let takes = "This path takes: limit, season, offset, snapshot";
        for name in
            ["utm_source", "_", "page", "model", "generation", "bookmaker", "v", "t", "id", "fbclid", "seasoning_"]
        {
            let query = format!("{name}=1&{name}=2");
            let refused = refusal_by(UnknownParams::Refused, &query, &[]);
            assert_eq!(refused, Some(format!("`{name}` is not a parameter here. This path takes no parameters")));
            assert_eq!(refusal_by(UnknownParams::LookalikesRefused, &query, &[]), None, "{name}");
        }
        let refused = refusal_by(UnknownParams::Refused, "model=XGB", RESULTS);
        assert_eq!(refused, Some(format!("`model` is not a parameter here. {takes}")));
        assert_eq!(refusal_by(UnknownParams::LookalikesRefused, "model=XGB", RESULTS), None);
    }

    #[test]
    fn a_misspelling_of_another_routes_parameter_is_refused_everywhere() {
        for name in
            ["seasn", "SEASONS", "saeson", "sesons", "season[]", "too", "form", "sports", "upcomin_onl", "ofset"]
        {
            let refused = refusal(&format!("{name}=1"), &[]);
            assert_eq!(refused, Some(format!("`{name}` is not a parameter here. This path takes no parameters")));
        }
    }

    #[test]
    fn more_parameters_than_can_be_compared_are_refused_unless_all_are_ignored() {
        let many = |count: usize| "v=1&".repeat(count);
        let refused = Some("The query has more than 64 parameters".to_owned());
        assert_eq!(refusal_by(UnknownParams::LookalikesRefused, &many(64), &[]), None);
        assert_eq!(refusal(&many(65), &[]), refused);
        assert_eq!(refusal_by(UnknownParams::Ignored, &many(65), &[]), None);
    }

    #[test]
    fn the_nearest_of_several_names_is_suggested() {
        let refused = refusal("form=1", &["format", "from"]).expect("refused");
        assert!(refused.contains("did you mean `from`?"), "{refused}");
    }

    #[test]
    fn a_long_name_is_repeated_in_part_and_a_key_in_it_not_at_all() {
        let long = refusal_by(UnknownParams::Refused, &"é".repeat(5_000), &[]).expect("refused");
        assert!(long.starts_with(&format!("`{}…`", "é".repeat(MOST_REPEATED))), "{long}");
        let key = sports_accounts::testing::a_key(1);
        let secret = key.reveal().to_string();
        let refused =
            refusal_by(UnknownParams::Refused, &format!("{}{secret}=1", "x".repeat(30)), &[]).expect("refused");
        assert!(!refused.contains(&secret[..30]), "{refused}");
    }

    #[test]
    fn a_refused_parameter_of_other_routes_names_the_parameters_of_this_one() {
        let table: [(&str, &[&str], &str); 4] = [
            (
                "upcoming_only=true",
                RESULTS,
                "`upcoming_only` is not a parameter here. This path takes: limit, season, offset, snapshot",
            ),
            ("season=2024", &[], "`season` is not a parameter here. This path takes no parameters"),
            ("SEASON=2024", &[], "`season` is not a parameter here. This path takes no parameters"),
            ("sport=nfl", &["market"], "`sport` is not a parameter here. This path takes: market"),
        ];
        for (query, takes, expected) in table {
            assert_eq!(refusal(query, takes).as_deref(), Some(expected), "{query}");
        }
    }

    #[test]
    fn a_parameter_for_another_time_is_refused() {
        let now = "is not a parameter here: this path answers as of now. This path takes";
        for name in ["as_of", "asOf", "AS-OF", "date", "slate_date"] {
            assert_eq!(refusal(&format!("{name}=2024-01-06"), &[]), Some(format!("`{name}` {now} no parameters")));
        }
        assert_eq!(refusal("as_of=x", &["limit"]), Some(format!("`as_of` {now}: limit")));
        assert_eq!(refusal_by(UnknownParams::LookalikesRefused, "update=1&dated=1&asphalt=x", RESULTS), None);
    }

    #[test]
    fn a_repeated_parameter_is_refused_where_unknown_ones_are_ignored() {
        let refusal = |query: &str| refusal_by(UnknownParams::Ignored, query, &["sport"]);
        assert_eq!(refusal("season=2024&as_of=x&sports=nfl&limit=1&limit=2&sport=nfl"), None);
        assert!(refusal("sport=nfl&sport=nba").is_some());
    }

    #[test]
    fn a_refused_misspelling_names_the_parameter_that_was_meant() {
        let table = [
            ("seasons=2024", "season"),
            ("saeson=2024", "season"),
            ("Limit=1", "limit"),
            ("LIMITS=1", "limit"),
            ("ofset=1", "offset"),
            ("apikey=x", "api_key"),
            ("seas=2024", "season"),
            ("Season_label=2024", "season"),
            ("snapshot_id=x", "snapshot"),
            ("upcoming=false", "upcoming_only"),
            ("UPCO=false", "upcoming_only"),
        ];
        for (query, meant) in table {
            let takes = [RESULTS, &["upcoming_only"]].concat();
            let refused = refusal(query, &takes).expect(query);
            assert!(refused.contains(&format!("did you mean `{meant}`?")), "{refused}");
        }
    }

    #[test]
    fn a_repeated_parameter_is_refused() {
        for query in ["season=2023&season=2024", "limit=1&offset=0&limit=1", "api_key=a&api_key=b"] {
            let refused = refusal(query, RESULTS).expect(query);
            assert!(refused.ends_with("is given more than once"), "{refused}");
        }
    }
}
