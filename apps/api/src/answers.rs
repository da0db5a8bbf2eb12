//! Answers that are a function of published content: written once, kept, and handed out ready to send.

mod body;
mod slate;

pub use body::Body;
pub use slate::{SlateAnswers, SlateQuestion, SlateVersion};
