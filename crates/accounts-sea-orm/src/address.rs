use std::path::PathBuf;

use crate::ConnectError;

/// The file behind a `sqlite:` address.
///
/// `sqlite:./var/a.db`, `sqlite://var/a.db` and `sqlite:///var/a.db` name `./var/a.db`, `var/a.db` and
/// `/var/a.db`. Only the scheme of another address is ever repeated: the rest may hold a password.
///
/// # Errors
///
/// [`ConnectError`] when the address is not one of SQLite's, or names no file.
pub fn sqlite_file(address: &str) -> Result<PathBuf, ConnectError> {
    let (scheme, rest) = address.split_once(':').ok_or(ConnectError::NotAnAddress)?;
    if !scheme.eq_ignore_ascii_case("sqlite") {
        return Err(ConnectError::UnsupportedScheme { scheme: scheme.to_owned() });
    }
    let path = rest.strip_prefix("//").unwrap_or(rest);
    if path.contains('?') {
        return Err(ConnectError::Options);
    }
    if path.is_empty() || path.ends_with('/') || path == ":memory:" {
        return Err(ConnectError::NoFile);
    }
    Ok(PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sqlite_address_names_a_file() {
        let table = [
            ("sqlite:./var/sports.db", "./var/sports.db"),
            ("sqlite:sports.db", "sports.db"),
            ("sqlite://var/sports.db", "var/sports.db"),
            ("sqlite:/srv/sports.db", "/srv/sports.db"),
            ("sqlite:///srv/sports.db", "/srv/sports.db"),
            ("SQLite:a b.db", "a b.db"),
        ];
        for (address, file) in table {
            assert_eq!(sqlite_file(address).expect(address), PathBuf::from(file), "{address}");
        }
    }

    #[test]
    fn other_addresses_are_refused_without_repeating_their_secrets() {
        let table = [
            (
                "postgres://ann:hunter2@db/sports",
                "`postgres` databases are not supported in this version: use sqlite:PATH",
            ),
            ("mysql://ann:hunter2@db/sports", "`mysql` databases are not supported in this version: use sqlite:PATH"),
            ("./var/hunter2.db", "a database address starts with its scheme: use sqlite:PATH"),
            ("", "a database address starts with its scheme: use sqlite:PATH"),
            ("sqlite:", "the database address names no file: use sqlite:PATH"),
            ("sqlite://", "the database address names no file: use sqlite:PATH"),
            ("sqlite:var/", "the database address names no file: use sqlite:PATH"),
            ("sqlite::memory:", "the database address names no file: use sqlite:PATH"),
            ("sqlite:a.db?mode=ro", "the database address takes no options: leave out `?` and what follows"),
        ];
        for (address, message) in table {
            assert_eq!(sqlite_file(address).expect_err(address).to_string(), message);
        }
    }
}
