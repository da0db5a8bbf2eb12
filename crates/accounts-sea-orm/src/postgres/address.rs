use std::fmt;
use std::str::FromStr;

use sea_orm::sqlx::postgres::PgConnectOptions;

use crate::ConnectError;

/// The address of a PostgreSQL database with its credentials, read as `psql` reads it. Its printed form has no password.
#[derive(Clone)]
pub(crate) struct ServerAddress(pub PgConnectOptions);

/// The options that may follow the `?` of an address. Anything else is a mistake, and may be a secret: no message repeats it.
const OPTIONS: [&str; 13] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "statement-cache-capacity",
];

/// An option that PostgreSQL has not, or that is not supported.
#[derive(Debug, thiserror::Error)]
#[error("it has an option that is not one of {}", OPTIONS.join(", "))]
struct UnknownOption;

/// A password or user that is written with the marks of addresses.
#[derive(Debug, thiserror::Error)]
#[error("write `/`, `@`, `?` and `#` in its user and password as %2F, %40, %3F and %23")]
struct LooseSign;

impl ServerAddress {
    /// Reads an address with the scheme `postgres` or `postgresql`.
    pub fn parse(address: &str) -> Result<Self, ConnectError> {
        let unusable = |source| ConnectError::NotAServer { source };
        let options = address.split_once('?').map_or("", |(_, options)| options);
        let names = options.split('&').filter_map(|option| option.split('=').next()).filter(|name| !name.is_empty());
        for name in names {
            if !OPTIONS.contains(&name) {
                return Err(unusable(UnknownOption.into()));
            }
        }
        // Of a password with `/`, the rest would be the name of the database, which messages have.
        if address
            .split('?')
            .next()
            .is_some_and(|place| place.splitn(4, '/').nth(3).is_some_and(|name| name.contains('@')))
        {
            return Err(unusable(LooseSign.into()));
        }
        PgConnectOptions::from_str(address).map(Self).map_err(|error| unusable(error.into()))
    }
}

/// Such as `the database sports on db.internal:5432`.
impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(options) = self;
        let name = options.get_database().unwrap_or(options.get_username());
        match options.get_socket() {
            Some(folder) => write!(f, "{name} on {}", folder.display()),
            None => write!(f, "{name} on {}:{}", options.get_host(), options.get_port()),
        }
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServerAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_shown_by_host_port_and_name_and_never_with_a_password() {
        let table = [
            ("postgres://ann:hunter2@db.internal:6432/sports", "sports on db.internal:6432"),
            ("postgresql://ann:hunter2@db/sports?sslmode=verify-full", "sports on db:5432"),
            ("postgres://db/sports?user=ann&password=hunter2", "sports on db:5432"),
            ("postgres:///sports?host=/run/postgresql", "sports on /run/postgresql"),
        ];
        for (address, shown) in table {
            let address = ServerAddress::parse(address).expect(address);
            assert_eq!(address.to_string(), shown);
            assert!(!format!("{address:?}").contains("hunter2"));
        }
    }

    #[test]
    fn an_address_that_cannot_be_used_is_refused_without_repeating_a_password() {
        let table = [
            "postgres://ann:hunter2@db:port/sports",
            "postgres://ann:hunter2@db:99999/sports",
            "postgres://ann:p@ss/hunter2@db/sports",
            "postgres://ann:hunter2@db/sports?sslmode=always",
            "postgres://ann@db/sports?passwort=hunter2",
            "postgres://ann:hunter2@db/sports?pool_size=hunter2",
        ];
        for address in table {
            let refused = ServerAddress::parse(address).expect_err(address);
            let said = sports_ports::in_one_line(&refused);
            assert!(
                refused.blames_the_address() && said.starts_with("the PostgreSQL address cannot be used"),
                "{said}"
            );
            assert!(!said.contains("hunter2") && !format!("{refused:?}").contains("hunter2"), "{said}");
        }
    }
}
