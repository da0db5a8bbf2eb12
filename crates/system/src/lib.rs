#![doc = include_str!("../README.md")]

mod clock;
mod file_size_signal;
mod fixed_clock;
pub mod folder;
mod identity;
mod local_zone;
pub mod permissions;
pub mod printing;
mod random;
pub mod regular_file;
mod stop_signals;

pub use clock::SystemClock;
pub use file_size_signal::ignore_file_size_signal;
pub use fixed_clock::FixedClock;
pub use identity::{machine_name, user_name};
pub use local_zone::local_zone;
pub use random::SystemRandom;
pub use stop_signals::StopSignals;
