//! Connections: their number, the time that each client may take, and the one request that each is at.
//!
//! The HTTP library bounds the head of a connection's first request and nothing else, and decodes all heads that it has received.
//! So its stream and its dispatcher are wrapped here. `requests` hands it one request at a time. The stream notes the state of
//! its connection in atomics, which cost a request next to nothing; the shell notes where a request begins, where its body is
//! awaited, and where its response ends. One task checks all connections a few times a second and closes those whose client
//! takes too long. When all places are taken, a newcomer gets that of the connection that has been idle for longest.

mod answer;
mod connection;
mod descriptors;
mod head;
mod refusal;
mod requests;
mod room;
mod socket;
mod stream;
mod supervisor;
mod tally;

pub use answer::AnswerBody;
pub(crate) use answer::Answering;
pub(crate) use connection::{Connection, ListenAddress};
pub(crate) use descriptors::most_connections;
pub(crate) use head::RequestHead;
pub(crate) use refusal::Refusals;
pub(crate) use requests::{ReadyResponse, ReadyResponses};
pub(crate) use room::Room;
pub(crate) use stream::ClientStream;
pub(crate) use supervisor::{Supervised, Supervision};
pub use tally::Tally;
