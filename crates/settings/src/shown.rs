//! The printed form of a setting's value.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use sports_accounts::Networks;
use sports_transparency::Origin;
use toml::Value;

use crate::byte_size::ByteSize;
use crate::connection_url::ConnectionUrl;
use crate::contact::{Contact, SecurityContact};
use crate::secret::Secret;
use crate::service_url::ServiceUrl;
use crate::witnesses::{ServiceUrls, Witnesses};

/// The printed form of a value.
pub(crate) enum Shown {
    NotSet,
    /// The value is set but not printed.
    Hidden,
    Value(Value),
}

/// A type of a setting's value.
pub(crate) trait Show {
    fn shown(&self) -> Shown;
}

impl<T: Show> Show for Option<T> {
    fn shown(&self) -> Shown {
        self.as_ref().map_or(Shown::NotSet, Show::shown)
    }
}

impl Show for Secret {
    fn shown(&self) -> Shown {
        Shown::Hidden
    }
}

impl Show for Networks {
    fn shown(&self) -> Shown {
        if self.is_empty() { Shown::NotSet } else { text(self) }
    }
}

impl Show for Witnesses {
    fn shown(&self) -> Shown {
        if self.is_empty() { Shown::NotSet } else { text(self) }
    }
}

impl Show for ServiceUrls {
    fn shown(&self) -> Shown {
        if self.is_empty() { Shown::NotSet } else { text(self) }
    }
}

impl Show for bool {
    fn shown(&self) -> Shown {
        Shown::Value(Value::Boolean(*self))
    }
}

impl Show for PathBuf {
    fn shown(&self) -> Shown {
        text(&self.display())
    }
}

impl Show for Duration {
    fn shown(&self) -> Shown {
        text(&humantime::format_duration(*self))
    }
}

impl Show for DateTime<Utc> {
    fn shown(&self) -> Shown {
        text(&self.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

macro_rules! show {
    ($format:ident: $($kind:ty),*) => {
        $( impl Show for $kind {
            fn shown(&self) -> Shown {
                $format(self)
            }
        } )*
    };
}

show!(text: SocketAddr, ServiceUrl, ConnectionUrl, ByteSize, Contact, SecurityContact, Origin);
show!(number: NonZeroUsize, NonZeroU32, NonZeroU64);

fn text(value: &impl ToString) -> Shown {
    Shown::Value(Value::String(value.to_string()))
}

/// Formats a number; as a text if it exceeds TOML's range.
fn number(value: &impl ToString) -> Shown {
    value.to_string().parse().map_or_else(|_| text(value), |number| Shown::Value(Value::Integer(number)))
}
