//! Connections before any request of theirs is a request: how many there may be, how long each may make the server wait,
//! and what they are answered where the library cannot read what they send.
//!
//! The HTTP library bounds the head of a connection's first request and nothing else, so its stream and its dispatcher are
//! wrapped here. The stream notes what a connection does, in atomics that cost a request next to nothing; the shell notes
//! where a request begins, waits for its body and is answered. One task looks through all connections a few times a second
//! and ends those that were waited for too long. Where there are as many as there may be, a newcomer takes the place of
//! the one that has been waited for longest.

mod answer;
mod connection;
mod descriptors;
mod refusal;
mod room;
mod stream;
mod supervisor;
mod tally;

pub use answer::AnswerBody;
pub(crate) use answer::Answering;
pub(crate) use connection::{Connection, ListenAddress};
pub(crate) use descriptors::most_connections;
pub(crate) use refusal::Refusals;
pub(crate) use room::Room;
pub(crate) use stream::{ClientStream, FirstReader, FirstReaderOf};
pub(crate) use supervisor::{Supervised, Supervision};
pub use tally::Tally;
