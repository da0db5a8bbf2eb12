mod data_status;
mod discovery;
mod docs;
mod health;
mod odds;
mod predictions;
mod public_picks;
mod root;
