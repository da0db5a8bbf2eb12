//! Cached results, computed once and served many times.

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use sports_domain::content::ObjectHash;

use crate::PortError;

/// The pending computation of a result.
pub type Making<'a, A> = Pin<Box<dyn Future<Output = Result<Arc<A>, PortError>> + Send + 'a>>;

/// A cache of results, keyed by the hash of everything they depend on, so that a key has one meaning.
///
/// # Contract
///
/// - While a result is cached, `making` for its name is not polled.
/// - If several readers miss the same result at once, one computes it.
/// - `cached` returns what `result` has cached, and makes nothing.
/// - A failure is returned to every reader that shares the computation, and is not cached.
#[async_trait]
pub trait ResultCache<A: Send + Sync>: Send + Sync {
    /// Returns the result with this name; runs `making` if the result is not cached.
    async fn result(&self, name: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError>;

    /// Returns the result with this name if it is cached.
    async fn cached(&self, name: &ObjectHash) -> Option<Arc<A>>;
}

/// A cache that keeps nothing, for a program that asks once. Readers that miss at once each make the result.
#[derive(Debug, Clone, Copy)]
pub struct Uncached;

#[async_trait]
impl<A: Send + Sync + 'static> ResultCache<A> for Uncached {
    async fn result(&self, _: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError> {
        making.await
    }

    async fn cached(&self, _: &ObjectHash) -> Option<Arc<A>> {
        None
    }
}
