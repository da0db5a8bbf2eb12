use std::fmt;

use redis::Client;

/// The address of Redis with its credentials: `redis://user:password@host:6379/2`, or `rediss://` for TLS. It is not printed.
#[derive(Clone)]
pub struct RedisAddress(pub(crate) Client);

/// A text that is no address of a Redis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("limits.redis is no address of a Redis: expected redis://user:password@host:6379/0, or rediss:// for TLS")]
pub struct NotARedisAddress;

impl RedisAddress {
    /// Reads an address, without connecting to it.
    ///
    /// # Errors
    ///
    /// [`NotARedisAddress`] for any other text.
    pub fn new(text: &str) -> Result<Self, NotARedisAddress> {
        // The library's errors could repeat the address, and a password with it.
        Client::open(text).map(Self).map_err(|_| NotARedisAddress)
    }
}

impl fmt::Debug for RedisAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedisAddress(*****)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_with_its_user_and_database_and_other_texts_are_refused() {
        for text in ["redis://localhost", "redis://user:p%40ss@127.0.0.1:6379/2", "rediss://:pass@cache.internal:6380"]
        {
            let address = RedisAddress::new(text).expect(text);
            assert!(!format!("{address:?}").contains("ss@"), "{address:?}");
        }
        for text in ["", "redis:", "redis://", "http://localhost", "redis://localhost/two", "redis://:pass@host:port"] {
            let refused = RedisAddress::new(text).expect_err(text).to_string();
            assert!(!refused.contains("pass@host"), "{refused}");
        }
    }
}
