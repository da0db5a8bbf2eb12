//! Wrong input, as publishers really had it: refused, or named with its column or game, and never taken in silence.

mod cases;
mod history;
mod mistakes;
mod slates;
mod tables;
