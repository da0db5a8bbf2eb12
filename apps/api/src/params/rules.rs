use super::known::KnownParams;
use super::raw_query::RawQuery;
use crate::error::ApiError;

/// The parameter that carries a key. Every route lets it pass, so that a client may send it everywhere.
pub const API_KEY: &str = "api_key";

/// What becomes of parameters that a handler does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Those are refused that would be ignored by mistake.
    Checked,
    /// All are ignored: the paths of old clients, which send what they always sent.
    Ignored,
}

/// Names shorter than this differ by one letter, or begin alike, too easily.
const LONG_ENOUGH: usize = 4;

/// Names of parameters that ask for another time than now, which no route takes yet. Letters alone count.
const OTHER_TIMES: [&str; 3] = ["asof", "date", "slatedate"];

/// Refuses what would be ignored by mistake: a parameter given twice, one that only other routes take, one that
/// asks for another time, a misspelling or a shortened or longer form of one that this route takes. Any other
/// unknown name is ignored; and where `others` are, only a parameter given twice is refused.
pub(super) fn check(query: &RawQuery, (takes, others): (&[&str], Others), known: &KnownParams) -> Result<(), ApiError> {
    for (position, name) in query.names().enumerate() {
        if takes.contains(&name) || name == API_KEY {
            if query.names().take(position).any(|earlier| earlier == name) {
                return Err(ApiError::BadRequest(format!("`{name}` is given more than once")));
            }
        } else if others == Others::Checked {
            check_other(name, takes, known)?;
        }
    }
    Ok(())
}

fn check_other(name: &str, takes: &[&str], known: &KnownParams) -> Result<(), ApiError> {
    let allowed = allowed(takes);
    let detail = if let Some(meant) = takes.iter().chain(&[API_KEY]).find(|taken| is_near_miss(name, taken)) {
        format!("`{name}` is not a parameter here, did you mean `{meant}`? {allowed}")
    } else if let Some(known) = known.find(name) {
        format!("`{known}` is not a parameter here. {allowed}")
    } else if asks_for_another_time(name) {
        format!("`{name}` is not a parameter here: this path answers as of now. {allowed}")
    } else {
        return Ok(());
    };
    Err(ApiError::BadRequest(detail))
}

fn asks_for_another_time(name: &str) -> bool {
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    OTHER_TIMES.iter().any(|time| letters.eq_ignore_ascii_case(time))
}

fn is_near_miss(name: &str, taken: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let begins_alike =
        name.len().min(taken.len()) >= LONG_ENOUGH && (name.starts_with(taken) || taken.starts_with(&name));
    // Comparing letter by letter takes time, which a long name is not worth: it is far from every other.
    let is_as_long = taken.len() >= LONG_ENOUGH && name.len().abs_diff(taken.len()) <= 1;
    name == taken || begins_alike || (is_as_long && strsim::osa_distance(&name, taken) == 1)
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
        KnownParams::named(&[RESULTS, &["upcoming_only", "sport", "market"]].concat())
    }

    fn refusal(query: &str, takes: &[&str]) -> Option<String> {
        check(&RawQuery::parse(query), (takes, Others::Checked), &known()).err().map(|error| error.to_string())
    }

    #[test]
    fn known_and_unrelated_parameters_pass() {
        let passing = ["", "limit=1&offset=2", "api_key=x&season=2024", "utm_source=mail&_=17&lim=1", "page=2&page=3"];
        for query in passing {
            assert_eq!(refusal(query, RESULTS), None, "{query}");
        }
        assert_eq!(refusal("seasoning=salt", &[]), None);
    }

    #[test]
    fn a_parameter_of_other_routes_is_refused_naming_those_of_this_one() {
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
    fn a_parameter_that_asks_for_another_time_is_refused() {
        let now = "is not a parameter here: this path answers as of now. This path takes";
        for name in ["as_of", "asOf", "AS-OF", "date", "slate_date"] {
            assert_eq!(refusal(&format!("{name}=2024-01-06"), &[]), Some(format!("`{name}` {now} no parameters")));
        }
        assert_eq!(refusal("as_of=x", &["limit"]), Some(format!("`as_of` {now}: limit")));
        assert_eq!(refusal("update=1&dated=1&asphalt=x", RESULTS), None);
    }

    #[test]
    fn a_repeated_parameter_is_refused_where_unknown_ones_are_ignored() {
        let check = |query: &str| check(&RawQuery::parse(query), (&["sport"], Others::Ignored), &known()).is_ok();
        assert!(check("season=2024&as_of=x&sports=nfl&limit=1&limit=2&sport=nfl"));
        assert!(!check("sport=nfl&sport=nba"));
    }

    #[test]
    fn a_misspelling_is_refused_naming_what_was_meant() {
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
