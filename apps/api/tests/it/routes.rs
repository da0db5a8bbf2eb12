mod discovery;
mod docs;
mod health;
mod root;
