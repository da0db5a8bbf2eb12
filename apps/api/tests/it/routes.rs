mod discovery;
mod docs;
mod edge_picks;
mod health;
mod markets;
mod picks;
mod root;
