//! Who is asking, and whether they may ask right now.
//!
//! The first argument of a handler says who may call its operation, and is its [`Access`]. Every access but [`Anyone`] has
//! a scope: a middleware around the operation that lets the caller in, or refuses the request before any argument of the
//! handler is read, and settles the call when its answer is known.

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
