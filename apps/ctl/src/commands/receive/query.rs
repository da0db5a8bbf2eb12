//! Parameters of requests, which are refused where they are unknown, repeated or malformed.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use actix_web::web;
use sports_domain::printable;
use sports_publisher_files::did_you_mean;

use super::refusal::Refusal;

/// The parameters that may repeat; one value may list several, separated by commas.
const LISTS: [&str; 2] = ["allow", "replace_season"];

/// The parameters of a request.
#[derive(Debug, Default)]
pub struct Query(BTreeMap<&'static str, Vec<String>>);

impl Query {
    /// Reads the parameters of an operation, which knows these names.
    pub fn parse(text: &str, known: &[&'static str]) -> Result<Self, Refusal> {
        let pairs = web::Query::<Vec<(String, String)>>::from_query(text);
        let pairs = pairs.map_err(|error| Refusal::bad_request(format!("the parameters cannot be read: {error}")))?;
        let mut values = BTreeMap::<_, Vec<String>>::new();
        for (name, value) in pairs.into_inner() {
            let Some(known) = known.iter().find(|known| **known == name) else {
                let hint = did_you_mean(&name, known.iter().copied());
                let there_are = if known.is_empty() { "there are none here".to_owned() } else { known.join(", ") };
                let name = printable(&name).into_owned();
                return Err(Refusal::bad_request(format!("`{name}` is no parameter here: {there_are}{hint}")));
            };
            let values = values.entry(*known).or_default();
            if !values.is_empty() && !LISTS.contains(known) {
                return Err(Refusal::bad_request(format!("`{known}` is given twice: give it once")));
            }
            if LISTS.contains(known) {
                values.extend(value.split(',').map(|part| part.trim().to_owned()));
            } else {
                values.push(value);
            }
        }
        Ok(Self(values))
    }

    /// Returns a value that is true or false; false if it is absent.
    pub fn flag(&self, name: &'static str) -> Result<bool, Refusal> {
        match self.0.get(name).map(|values| values[0].as_str()) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(Refusal::bad_request(format!("`{name}` is true or false, not `{}`", printable(other)))),
        }
    }

    /// Returns one value.
    pub fn one<T: FromStr<Err: Display>>(&self, name: &'static str) -> Result<Option<T>, Refusal> {
        Ok(self.list(name)?.into_iter().next())
    }

    /// Returns the values of a list.
    pub fn list<T: FromStr<Err: Display>>(&self, name: &'static str) -> Result<Vec<T>, Refusal> {
        let values = self.0.get(name).into_iter().flatten();
        let parsed = values.map(|value| {
            let refusal = |error: T::Err| {
                let message = printable(&error.to_string()).into_owned();
                Refusal::bad_request(format!("`{name}` cannot be `{}`: {message}", printable(value)))
            };
            value.parse().map_err(refusal)
        });
        parsed.collect()
    }

    /// Returns the parameters in one form, whatever their order in the request; those that are false are left out.
    pub fn canonical(&self) -> String {
        let pairs = self.0.iter().filter(|(_, values)| values[..] != ["false"]).map(|(name, values)| {
            let mut values = values.clone();
            values.sort();
            format!("{name}={}", values.join(","))
        });
        pairs.collect::<Vec<_>>().join("&")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["dry_run", "allow"];

    #[test]
    fn what_is_unknown_repeated_or_malformed_is_refused() {
        let refused = |text: &str| match Query::parse(text, KNOWN) {
            Err(refusal) => refusal.to_string(),
            Ok(query) => query.flag("dry_run").expect_err(text).to_string(),
        };
        assert_eq!(refused("dryrun=true"), "`dryrun` is no parameter here: dry_run, allow (did you mean `dry_run`?)");
        assert_eq!(refused("dry_run=true&dry_run=false"), "`dry_run` is given twice: give it once");
        assert_eq!(refused("dry_run=yes"), "`dry_run` is true or false, not `yes`");
        assert_eq!(refused("dry_run"), "`dry_run` is true or false, not ``");
    }

    #[test]
    fn lists_are_one_value_or_several_in_any_order() {
        let one = Query::parse("allow=vig,time-zone&dry_run=true", KNOWN).expect("known");
        let other = Query::parse("dry_run=true&allow=time-zone&allow=vig", KNOWN).expect("known");
        assert_eq!(one.canonical(), other.canonical());
        assert_eq!(one.list::<String>("allow").expect("texts"), ["vig", "time-zone"]);
        assert!(one.flag("dry_run").expect("a flag") && !Query::default().flag("dry_run").expect("a flag"));
    }
}
