//! The contracts of the ports, in memory and in a Redis of the test's own, and what is lost when something fails.

mod contract;
mod interleavings;
mod machine;
mod memory;
mod outages;
