mod by_hand;
mod consistency;
mod ranking;
mod requests;
