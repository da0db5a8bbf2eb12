//! The database and the store that a writing command opens, displayed without passwords.

use serde_json::Value;
use sports_program::settings::masked;

use crate::cli::{Accounts, Command, Customer, Dataset, Entitlement, Key, Publish, Record, Store};
use crate::places::Places;
use crate::report::print_place;

/// The places that a command writes to.
pub enum Target {
    /// No place: the command only reads, or writes a file of the publisher's.
    Nothing,
    /// The places of the settings.
    Settings,
    /// A place that the arguments name.
    Named(&'static str, String),
}

impl Target {
    pub fn of(command: &Command) -> Self {
        match command {
            Command::Store(Store::Copy { to, .. }) => Self::Named("store", to.clone()),
            Command::Accounts(Accounts::Copy { to: Some(to), .. }) => Self::Named("database", to.clone()),
            Command::Publish(Publish { dry_run: false, .. })
            | Command::Settle(_)
            | Command::Repair { yes: true, .. }
            | Command::Watch { .. }
            | Command::Receive(_)
            | Command::Accounts(Accounts::Copy { to: None, .. })
            | Command::Backup { .. }
            | Command::Restore { .. }
            | Command::Migrate
            | Command::Customer(
                Customer::Create { .. } | Customer::Plan { .. } | Customer::Email { .. } | Customer::Delete { .. },
            )
            | Command::Key(Key::Issue { .. } | Key::Revoke { .. })
            | Command::Dataset(Dataset::Add { .. } | Dataset::Remove { .. })
            | Command::Entitlement(Entitlement::Grant { .. } | Entitlement::Revoke { .. }) => Self::Settings,
            Command::Publish(_)
            | Command::Init(_)
            | Command::Verify { .. }
            | Command::Repair { .. }
            | Command::Releases { .. }
            | Command::History { .. }
            | Command::Games { .. }
            | Command::Known(_)
            | Command::Backtest(_)
            | Command::Status { .. }
            | Command::Models { .. }
            | Command::Convert(_)
            | Command::Template { .. }
            | Command::Completions { .. }
            | Command::Man { .. }
            | Command::Publisher(_)
            | Command::Customer(Customer::List | Customer::Show { .. } | Customer::Usage { .. })
            | Command::Key(Key::List { .. })
            | Command::AuditLog { .. }
            | Command::Dataset(Dataset::List | Dataset::Verify)
            | Command::Entitlement(Entitlement::List { .. }) => Self::Nothing,
            Command::Record(record) => Self::of_record(record),
        }
    }

    const fn of_record(record: &Record) -> Self {
        match record {
            Record::Sign { .. } | Record::Restart { .. } => Self::Settings,
            Record::Check(_)
            | Record::Prove(_)
            | Record::Watch(_)
            | Record::Announce { .. }
            | Record::Verifier
            | Record::Audit(_)
            | Record::Init
            | Record::Keys { .. } => Self::Nothing,
        }
    }

    /// Returns the places, to be checked before a command that writes opens them. A backup only reads them.
    pub fn checked<'a>(&self, command: &Command, places: Places<'a>) -> Places<'a> {
        let writes = matches!(self, Self::Settings) && !matches!(command, Command::Backup { .. });
        if writes { places.written() } else { places }
    }

    /// Prints the places as text on standard error; the places of the settings when they are opened.
    pub fn print<'a>(&self, places: Places<'a>) -> Places<'a> {
        match self {
            Self::Nothing => places,
            Self::Settings => places.printed(),
            Self::Named(kind, address) => {
                print_place(kind, &masked(address));
                places
            }
        }
    }

    /// Adds the opened places to a command's JSON report, unless the report names them itself.
    pub fn add_to(&self, json: &mut Value, places: &Places<'_>) {
        let Value::Object(fields) = json else { return };
        let mut add = |kind: &str, address: String| {
            fields.entry(kind).or_insert(address.into());
        };
        match self {
            Self::Nothing => {}
            Self::Settings => places.used().into_iter().for_each(|(kind, url)| add(kind, url.to_string())),
            Self::Named(kind, address) => add(kind, masked(address)),
        }
    }
}
