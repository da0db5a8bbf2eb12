//! Cached answers, computed once and served many times.

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use sports_content::ObjectHash;

use crate::PortError;

/// The pending computation of an answer.
pub type Making<'a, A> = Pin<Box<dyn Future<Output = Result<Arc<A>, PortError>> + Send + 'a>>;

/// A cache of answers, keyed by the hash of everything they depend on, so that a key has one meaning.
///
/// # Contract
///
/// - While an answer is cached, `making` for its name is not polled.
/// - If several readers miss the same answer at once, one computes it.
/// - `kept` returns what `answer` has cached, and makes nothing.
/// - A failure is returned to every reader that shares the computation, and is not cached.
#[async_trait]
pub trait Answers<A: Send + Sync>: Send + Sync {
    /// Returns the answer with this name; runs `making` if the answer is not cached.
    async fn answer(&self, name: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError>;

    /// Returns the answer with this name if it is cached.
    async fn kept(&self, name: &ObjectHash) -> Option<Arc<A>>;
}

/// A cache that keeps nothing, for a program that asks once. Readers that miss at once each make the answer.
#[derive(Debug, Clone, Copy)]
pub struct Uncached;

#[async_trait]
impl<A: Send + Sync + 'static> Answers<A> for Uncached {
    async fn answer(&self, _: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError> {
        making.await
    }

    async fn kept(&self, _: &ObjectHash) -> Option<Arc<A>> {
        None
    }
}
