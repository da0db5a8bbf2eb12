#![doc = include_str!("../README.md")]

mod hash;
mod validator;

pub use hash::{NotAHash, ObjectHash, ObjectHasher};
pub use validator::Validator;
