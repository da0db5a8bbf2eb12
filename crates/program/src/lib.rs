#![doc = include_str!("../README.md")]

mod clock;
pub mod folder;
mod identity;
pub mod permissions;
pub mod printing;
mod random;
pub mod regular_file;
pub mod settings;
mod stop_signals;

pub use clock::{FixedClock, SystemClock, local_zone};
pub use identity::{machine_name, user_name};
pub use random::SystemRandom;
pub use stop_signals::{StopSignals, ignore_file_size_signal};
