use std::fmt;

use chrono::{DateTime, Utc};
use idna::AsciiDenyList;
use sports_domain::{FormError, check_visible, printable_line};

use crate::{CustomerId, CustomerName, Plan, SubscriptionStatus, Tier};

/// A person or company with an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// The id, which no other customer has.
    pub id: CustomerId,
    /// The email address; no two customers share one.
    pub email: Email,
    pub name: CustomerName,
    /// The plan in force, if any.
    pub plan: Option<Plan>,
    /// The time at which the account was opened.
    pub created_at: DateTime<Utc>,
}

impl Customer {
    /// Returns the level of access: [`Tier::Free`] without a plan.
    pub fn tier(&self) -> Tier {
        self.plan.map_or(Tier::Free, Plan::tier)
    }

    /// Returns the plan as accounts show it: a former plan is shown as the plan sold today.
    pub const fn api_plan(&self) -> Option<Plan> {
        if self.plan.is_some() { Some(Plan::Ai) } else { None }
    }

    /// Returns the status of the subscription: active with any plan.
    pub const fn subscription(&self) -> SubscriptionStatus {
        if self.plan.is_some() { SubscriptionStatus::Active } else { SubscriptionStatus::Inactive }
    }

    /// Returns `true` if the customer may call routes that need a subscription.
    pub fn is_subscribed(&self) -> bool {
        self.subscription() == SubscriptionStatus::Active
    }
}

/// An email address of visible ASCII characters in lower case: one `@` with text on both sides, at most 254 bytes.
///
/// An international host has the form of IDNA, `xn--…`. Nothing finer is checked, because only mail that arrives proves
/// that an address works. Letter case and the spelling of the host are dropped, so that one mailbox cannot open two
/// accounts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Email(String);

fn not_an_email(text: &str) -> FormError {
    let hidden = check_visible(text).err().map(|hidden| format!("; this has {hidden}")).unwrap_or_default();
    FormError::new(format!(
        "`{}` is not an email address: it has one @ with text on both sides, no blanks, ASCII characters but for an \
     international host, and at most {} bytes{hidden}",
        printable_line(text),
        Email::LONGEST
    ))
}

impl Email {
    /// The maximum length of a deliverable address, in bytes.
    pub const LONGEST: usize = 254;

    /// Checks an address, and converts it to lower case and its host to ASCII.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the text is not an address.
    pub fn new(raw: &str) -> Result<Self, FormError> {
        in_ascii(raw).filter(|address| is_address(address)).map(Self).ok_or_else(|| not_an_email(raw))
    }

    /// Creates an address from a store. It may be older than the restriction to ASCII.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the text has no single `@` with text on both sides.
    pub fn recorded(text: &str) -> Result<Self, FormError> {
        if is_address(text) { Ok(Self(text.to_owned())) } else { Err(not_an_email(text)) }
    }

    /// Returns the address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns an address in its one spelling; `None` if it cannot be written in visible ASCII characters. A hidden character
/// is looked for first: the conversion of hosts drops some.
fn in_ascii(raw: &str) -> Option<String> {
    check_visible(raw).ok()?;
    let (name, host) = raw.rsplit_once('@')?;
    let host = idna::domain_to_ascii_cow(host.as_bytes(), AsciiDenyList::URL).ok()?;
    let address = format!("{}@{host}", name.to_ascii_lowercase());
    address.bytes().all(|byte| byte.is_ascii_graphic()).then_some(address)
}

fn is_address(text: &str) -> bool {
    let parts = text.split_once('@');
    let two_parts = parts.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    two_parts && text.len() <= Email::LONGEST
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::a_customer;

    #[test]
    fn a_customer_without_a_plan_is_free_and_inactive() {
        let lapsed = a_customer().without_plan().build();
        assert_eq!((lapsed.tier(), lapsed.api_plan()), (Tier::Free, None));
        assert_eq!(lapsed.subscription(), SubscriptionStatus::Inactive);
        assert!(!lapsed.is_subscribed());
    }

    #[test]
    fn any_plan_is_an_active_subscription_reported_as_the_one_sold_today() {
        for plan in Plan::ALL {
            let customer = a_customer().on(plan).build();
            assert_eq!((customer.tier(), customer.api_plan()), (Tier::Ai, Some(Plan::Ai)), "{plan}");
            assert_eq!(customer.subscription(), SubscriptionStatus::Active);
            assert!(customer.is_subscribed());
        }
    }

    #[test]
    fn one_mailbox_has_one_spelling() {
        for raw in ["ann@example.com", "Ann@Example.COM", "ANN@EXAMPLE.COM"] {
            let email = Email::new(raw).expect("an address");
            assert_eq!((email.as_str(), email.to_string().as_str()), ("ann@example.com", "ann@example.com"));
        }
        assert!(Email::new("o'hara+models@sub.example.co.uk").is_ok());
        for raw in ["ann@bücher.example", "ANN@BÜCHER.example", "ann@xn--bcher-kva.example"] {
            assert_eq!(Email::new(raw).expect("an address").as_str(), "ann@xn--bcher-kva.example");
        }
    }

    #[test]
    fn a_bad_address_is_refused() {
        let table = [
            "",
            "@",
            "ann",
            "ann@",
            "@example.com",
            "a@b@c",
            "an n@example.com",
            "ann@example.com ",
            "a\u{0}@b.com",
            "ann\u{202e}@example.com",
            "ann@exam\u{200b}ple.com",
            "ann@exam\u{ad}ple.com",
            "ännchen@example.com",
            "ann@xn--a",
        ];
        for raw in table {
            assert_eq!(Email::new(raw), Err(not_an_email(raw)));
        }
        let message = not_an_email("ann\u{202e}@example.com").to_string();
        assert!(message.starts_with("`ann\\u{202e}@example.com` is not an email address"), "{message}");
        assert!(message.contains("; this has U+202E at character 4, which is invisible"), "{message}");
    }

    #[test]
    fn an_address_on_record_stays_readable() {
        for text in ["ännchen@bücher.example", "ann\u{202e}@example.com"] {
            assert_eq!(Email::recorded(text).expect("an address").as_str(), text);
        }
        assert!(Email::recorded("ann").is_err());
    }

    #[test]
    fn an_address_has_at_most_254_bytes() {
        let of_length = |length: usize| format!("{}@b.com", "a".repeat(length - "@b.com".len()));
        assert!(Email::new(&of_length(254)).is_ok());
        assert!(Email::new(&of_length(255)).is_err());
    }
}
