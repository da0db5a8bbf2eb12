//! Records of graded games.

mod by_hand;
mod laws;
mod own_models;
