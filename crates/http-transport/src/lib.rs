#![doc = include_str!("../README.md")]

mod caching;
mod call_headers;
mod compute_queue;
mod connection;
mod connection_table;
mod encoding;
mod front;
mod kept_body;
pub mod limits;
mod open_files;
mod panic_guard;
mod phase;
mod proxy_trust;
mod ranges;
mod refusal;
mod request_body;
mod response_body;
mod response_cache;
mod server;
mod stream;
mod tail;
mod tally;

pub use caching::{Audience, Etag, insert_browser_headers};
pub use call_headers::{REQUEST_ID, insert_id_and_date, insert_quota};
pub use compute_queue::{ComputeQueue, QueueClient, QueueRefusal};
pub use connection::{Connection, Draining, ListenAddress};
pub use encoding::Encoding;
pub use kept_body::KeptBody;
pub use panic_guard::{LostRequestResponse, catch_panic};
pub use proxy_trust::ProxyTrust;
pub use ranges::{RequestedRange, route_head_as_get};
pub use refusal::{Refusal, RefusalResponse, Refusals};
pub use request_body::{close_after, receive_body, refuse_body};
pub use response_cache::{
    Admission, Admitted, CachePolicy, CachedCall, Repeatable, ResponseCache, Revision, Variant, league_of,
};
pub use server::{ListenError, Listeners, MetricsListener, Server, TlsError, Worker};
pub use tally::Tally;
