//! Use cases over fakes that keep the ports' contracts.

mod accounts;
mod datasets;
mod following;
mod history;
mod publishing;
mod verifying;
mod world;
