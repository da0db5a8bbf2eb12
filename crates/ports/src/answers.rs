//! Answers made once and given many times.

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use sports_content::ObjectHash;

use crate::PortError;

/// An answer on its way.
pub type Making<'a, A> = Pin<Box<dyn Future<Output = Result<Arc<A>, PortError>> + Send + 'a>>;

/// Answers kept by the hash of everything they depend on, so that a name never means two things.
///
/// # Contract
///
/// - While an answer is kept, `making` for its name is not awaited.
/// - Of several readers who miss the same answer at once, one makes it.
/// - A failure is returned to every reader who waited for it, and not kept.
#[async_trait]
pub trait Answers<A: Send + Sync>: Send + Sync {
    /// The answer of that name; `making` makes it where it is not kept.
    async fn answer(&self, name: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError>;
}
