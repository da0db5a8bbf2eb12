use std::path::PathBuf;

use crate::ConnectError;
use crate::postgres::ServerAddress;

/// The location of a database.
#[derive(Debug, Clone)]
pub(crate) enum Address {
    Sqlite(PathBuf),
    Postgres(Box<ServerAddress>),
}

impl Address {
    /// Reads an address. Only the scheme of one that cannot be used is ever repeated: the rest may hold a password.
    pub fn parse(address: &str) -> Result<Self, ConnectError> {
        let (scheme, rest) = address.split_once(':').ok_or(ConnectError::NotAnAddress)?;
        match scheme.to_ascii_lowercase().as_str() {
            "sqlite" => file(rest).map(Self::Sqlite),
            "postgres" | "postgresql" => ServerAddress::parse(address).map(|server| Self::Postgres(Box::new(server))),
            _ => Err(ConnectError::UnsupportedScheme { scheme: scheme.to_owned() }),
        }
    }
}

/// Returns true if an address is that of PostgreSQL, which any number of servers share.
pub fn is_shared(address: &str) -> bool {
    matches!(Address::parse(address), Ok(Address::Postgres(_)))
}

/// Returns the file of a `sqlite:` address.
///
/// `sqlite:./var/a.db`, `sqlite://var/a.db` and `sqlite:///var/a.db` name `./var/a.db`, `var/a.db` and
/// `/var/a.db`.
///
/// # Errors
///
/// [`ConnectError`] when the address is not one of SQLite's, or names no file.
pub fn sqlite_file(address: &str) -> Result<PathBuf, ConnectError> {
    match Address::parse(address)? {
        Address::Sqlite(file) => Ok(file),
        Address::Postgres(_) => Err(ConnectError::NotSqlite),
    }
}

fn file(rest: &str) -> Result<PathBuf, ConnectError> {
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
            assert!(!is_shared(address));
        }
    }

    #[test]
    fn a_postgresql_address_names_no_file() {
        for address in ["postgres://ann:hunter2@db/sports", "postgresql://db/sports"] {
            assert!(matches!(sqlite_file(address), Err(ConnectError::NotSqlite)));
            assert!(is_shared(address));
        }
    }

    #[test]
    fn other_addresses_are_refused_without_repeating_their_secrets() {
        let either = "use sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME";
        let table = [
            ("mysql://ann:hunter2@db/sports", format!("`mysql` databases are not supported: {either}")),
            ("./var/hunter2.db", format!("a database address starts with its scheme: {either}")),
            ("", format!("a database address starts with its scheme: {either}")),
            ("sqlite:", "the database address names no file: use sqlite:PATH".to_owned()),
            ("sqlite://", "the database address names no file: use sqlite:PATH".to_owned()),
            ("sqlite:var/", "the database address names no file: use sqlite:PATH".to_owned()),
            ("sqlite::memory:", "the database address names no file: use sqlite:PATH".to_owned()),
            (
                "sqlite:a.db?mode=ro",
                "the address of a SQLite database takes no options: leave out `?` and what follows".to_owned(),
            ),
        ];
        for (address, message) in table {
            assert_eq!(sqlite_file(address).expect_err(address).to_string(), message);
        }
    }
}
