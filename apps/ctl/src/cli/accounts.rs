//! Arguments about customers and all that is theirs.

use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, Utc};
use clap::Subcommand;
use sports_accounts::{CustomerId, CustomerName, Email, FileName, KeyName, KeyScope, Plan, Product, expect_no_key};
use sports_domain::{Label, Sport};

use crate::report;

/// Accounts.
#[derive(Debug, Subcommand)]
pub enum Customer {
    /// Open an account
    Create {
        /// The customer's email, one account each
        #[arg(long, value_parser = without_key(Email::new))]
        email: Email,
        /// The customer's name
        #[arg(long, value_parser = without_key(label::<{ CustomerName::LONGEST }>))]
        name: CustomerName,
        /// The plan: ai for all data, or none for the account alone; data, basic and premium are former names of ai
        #[arg(long, default_value = "ai", value_parser = plan)]
        plan: PlanChoice,
    },
    /// List every account
    List,
    /// Show one account
    Show {
        /// The customer's id
        id: CustomerId,
    },
    /// Put a customer on another plan, or on none
    Plan {
        /// The customer's id
        id: CustomerId,
        /// The plan: ai for all data, or none for the account alone; data, basic and premium are former names of ai
        #[arg(value_parser = plan)]
        plan: PlanChoice,
    },
    /// Change a customer's email
    Email {
        /// The customer's id
        id: CustomerId,
        /// The new email
        #[arg(value_parser = without_key(Email::new))]
        email: Email,
    },
    /// Delete a customer for good, with all keys and rights; counts of requests and the audit log stay, without a name
    Delete {
        /// The customer's id
        id: CustomerId,
        /// Confirm the deletion
        #[arg(long)]
        yes: bool,
    },
    /// Show how many requests and refreshes a customer used, month by month
    Usage {
        /// The customer's id
        id: CustomerId,
    },
}

/// Returns the parser of a text that is stored and shown, and so must not contain an API key.
pub(super) fn without_key<T, E: ToString>(
    parse: fn(&str) -> Result<T, E>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let text = expect_no_key(text).map_err(|error| error.to_string())?;
        parse(text).map_err(|error| error.to_string())
    }
}

/// A plan, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanChoice(pub Option<Plan>);

pub(super) fn label<const LONGEST: usize>(text: &str) -> Result<Label<LONGEST>, String> {
    Label::new(text).map_err(|reason| format!("expected {reason}"))
}

fn plan(word: &str) -> Result<PlanChoice, String> {
    if word.eq_ignore_ascii_case("none") {
        return Ok(PlanChoice(None));
    }
    word.parse().map(|plan| PlanChoice(Some(plan))).map_err(|unknown| format!("{unknown}, none"))
}

/// API keys.
#[derive(Debug, Subcommand)]
pub enum Key {
    /// Issue a key; it is shown this once
    Issue {
        /// The customer's id
        #[arg(long)]
        customer: CustomerId,
        /// The customer's name for the key
        #[arg(long, value_parser = without_key(label::<{ KeyName::LONGEST }>))]
        name: KeyName,
        /// The expiry, as an RFC 3339 instant
        #[arg(long, value_name = "INSTANT", value_parser = report::read_instant)]
        expires: Option<DateTime<Utc>>,
        /// The operations that the key may call: read, or full to change the account's keys as well
        #[arg(long, default_value = "full")]
        scope: KeyScope,
        /// An address or a network that the key works from; repeat it for more, and leave it out for every network
        #[arg(long, value_name = "NETWORK")]
        allow: Vec<String>,
    },
    /// List a customer's keys, masked: who created each, and when and from which network it was last used
    List {
        /// The customer's id
        #[arg(long, required_unless_present = "expiring")]
        customer: Option<CustomerId>,
        /// Only active keys that expire within this time, such as 14d; those of every customer without --customer
        #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
        expiring: Option<Duration>,
    },
    /// Make a key, or all of a customer, unusable for good
    Revoke {
        /// The key, or its masked form with --customer; `-` reads it from standard input
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        key: Option<String>,
        /// The customer's id; needed for a masked form, and for --all
        #[arg(long)]
        customer: Option<CustomerId>,
        /// Revoke every active key of the customer
        #[arg(long, requires = "customer")]
        all: bool,
        /// Keep this key, or its masked form; `-` reads it from standard input
        #[arg(long, value_name = "KEY", requires = "all")]
        except: Option<String>,
        /// Keep the keys that were created before this RFC 3339 instant
        #[arg(long, value_name = "INSTANT", requires = "all", value_parser = report::read_instant)]
        since: Option<DateTime<Utc>>,
    },
}

/// All accounts at once.
#[derive(Debug, Subcommand)]
pub enum Accounts {
    /// Copy customers, keys, counts, refreshes, entitlements, datasets, secrets and the audit log; repeat it until the source
    /// is stopped
    Copy {
        /// The database that is served, such as sqlite:./var/sports.db
        #[arg(long, value_name = "URL")]
        from: String,
        /// The database to serve from then on, such as the address of a PostgreSQL database; `database.url` when not given,
        /// so that a password need not be on the command line
        #[arg(long, value_name = "URL")]
        to: Option<String>,
    },
}

/// Files that customers buy.
#[derive(Debug, Subcommand)]
pub enum Dataset {
    /// Add a file, or put it in the place of the one with the same name
    Add {
        /// The product it belongs to, such as historical-odds
        product: Product,
        /// The league it is about
        sport: Sport,
        /// The file; customers save it under the same name
        file: PathBuf,
    },
    /// List every file
    List,
    /// Read every file in the store and check that it is what was added
    Verify,
    /// Remove a product's files of a league, or one of them
    Remove {
        /// The product
        product: Product,
        /// The league
        sport: Sport,
        /// The file's name; all of them if absent
        name: Option<FileName>,
    },
}

/// Rights to datasets.
#[derive(Debug, Subcommand)]
pub enum Entitlement {
    /// Give a customer a product's files of a league; run it again to change the expiry
    Grant {
        /// The customer's id
        #[arg(long)]
        customer: CustomerId,
        /// The product
        #[arg(long)]
        product: Product,
        /// The league
        #[arg(long)]
        sport: Sport,
        /// The expiry, as an RFC 3339 instant
        #[arg(long, value_name = "INSTANT", value_parser = report::read_instant)]
        expires: Option<DateTime<Utc>>,
    },
    /// List a customer's rights
    List {
        /// The customer's id
        #[arg(long)]
        customer: CustomerId,
    },
    /// Take a right back
    Revoke {
        /// The customer's id
        #[arg(long)]
        customer: CustomerId,
        /// The product
        #[arg(long)]
        product: Product,
        /// The league
        #[arg(long)]
        sport: Sport,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_one_of_four_or_none() {
        assert_eq!(plan("none"), Ok(PlanChoice(None)));
        assert_eq!(plan("AI"), Ok(PlanChoice(Some(Plan::Ai))));
        assert!(plan("gold").expect_err("no such plan").ends_with("known plans: ai, data, basic, premium, none"));
    }
}
