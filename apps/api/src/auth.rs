//! Identification and admission of callers.
//!
//! The first argument of a handler is its [`Access`]: the callers that may call its operation. Every access but
//! [`Anyone`] has a scope, which is a middleware around the operation. It admits the caller, or refuses the request
//! before any argument of the handler is read, and settles the call once its status is known.

mod access;
mod admission;
mod entrance;
mod failed_keys;
mod keyed;
mod presented;
mod public;
mod quota;

pub use access::{Access, Anyone};
pub(crate) use admission::{Admission, Admitter, Deciders, Requirement};
pub use admission::{CallLimits, Caller};
pub(crate) use entrance::Entrance;
pub use failed_keys::FailedKeys;
pub use keyed::{ActiveSubscription, AnyKey, KeyNeed, Keyed, Subscriber, Uncounted, UncountedCaller, Valid, key_owner};
pub(crate) use presented::ShownKey;
pub use public::{CrossOriginCaller, PublicCaller};
pub(crate) use quota::{QUOTA, settled, write_lines as write_quota_lines};
