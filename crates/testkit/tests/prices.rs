//! Tests that the fake of a prediction market keeps the contract.

use std::sync::Arc;

use sports_domain::Sport;
use sports_testkit::clock::ClockFake;
use sports_testkit::prices::{PricesFake, contract};

#[tokio::test]
async fn the_fake_keeps_the_contract() {
    let clock = Arc::new(ClockFake::at("2026-11-22T12:00:00Z"));
    let fake = PricesFake::new(clock.clone());
    fake.list(Sport::Nfl, vec![contract::a_quoted_game()]);
    fake.list(Sport::Nhl, Vec::new());
    contract::of_a_working_source(&fake, &*clock).await;
    fake.set_unavailable(true);
    contract::an_unreachable_source_is_unavailable(&fake).await;
}
