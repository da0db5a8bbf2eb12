//! Machines that count in a Redis of the test's own: the contracts of the ports, and what is lost when something fails.

mod contract;
mod interleavings;
mod losses;
mod machine;
