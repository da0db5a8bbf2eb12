mod by_hand;
mod consistency;
mod requests;
