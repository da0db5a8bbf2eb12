mod customers;
mod datasets;
mod discovery;
mod docs;
mod downloads;
mod health;
mod root;
