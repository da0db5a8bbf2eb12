//! Authentication and admission of callers.
//!
//! The first argument of a handler is its [`Access`]: it determines who may call the operation. Every access but [`Anyone`]
//! has a scope, a middleware that admits the caller through the gate. It refuses a request before any
//! argument of the handler is read, and settles the call when the response is known. The response cache uses the same gate.

mod access;
mod credentials;
mod gate;
mod keyed;
mod now_public;
mod opened;
mod public;
mod reader;
mod scope;
mod stream_caller;

pub use access::{Access, AdmissionRule, Anyone, Requirement};
pub(crate) use credentials::{Credentials, expect_one_key};
pub(crate) use gate::{CallAdmission, Gate};
pub use keyed::{
    Account, AccountHolder, ActiveSubscription, AnyKey, KeyNeed, Keyed, Profile, ProfileHolder, Refresh, Refresher,
    Subscriber, Valid,
};
pub use now_public::PublicNow;
pub(crate) use opened::{FINISHED, OPEN};
pub use opened::{RecordPart, reader_of};
pub use public::{CrossOriginCaller, PublicCaller};
pub use reader::{KnownPart, OfAllSeasons, OfLeague, OfSeason, RecordReader};
pub use scope::{Caller, key_owner};
pub use stream_caller::StreamCaller;
