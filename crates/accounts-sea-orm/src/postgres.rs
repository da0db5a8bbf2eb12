//! The database on a PostgreSQL server, which any number of servers share.

mod address;
mod connections;
mod server;

pub(crate) use address::ServerAddress;
pub(crate) use server::PostgresServer;
