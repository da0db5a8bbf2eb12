//! The response cache: whole responses, head and body, that are sent before the HTTP library receives their request.
//!
//! # Contract
//!
//! - A response is cached if its handler marked the request as [`Repeatable`], it has an `ETag`, and its path and query were
//!   requested before. Its key is path, query and negotiated variant.
//! - It is sent while the [`Revision`] of the content that it depends on is current, and while a condition of its handler holds, to
//!   a plain `GET` whose caller the [`Admission`] of the application admits. That call is counted, logged and measured like any
//!   other.
//! - Everything else goes to the library untouched: another method, a body, a range, a repeated header, a refused caller, a
//!   draining server.
//! - So a client cannot distinguish a cached response from the application's, except by its speed.
//! - Each worker has a cache of its own, of at most 8 MiB. Responses about earlier moments have an eighth of it, and never replace
//!   others.

mod admission;
mod entries;
mod entry;
mod repeatable;
mod respond;

pub use admission::{Admission, Admitted, CachedCall};
pub use entries::{ResponseCache, store_response};
pub use entry::{CachePolicy, Revision, Variant};
pub use repeatable::{Repeatable, league_of};
