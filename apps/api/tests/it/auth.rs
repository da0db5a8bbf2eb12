use actix_web::test::TestRequest;
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};

use crate::support::World;

const SPORTS: &str = "/api/v1/sports";
const REFUSED: &str = "Invalid or expired API key";

#[actix_web::test]
async fn a_key_opens_from_any_of_three_places() {
    let world = World::with_subscriber().await;
    let key = a_key(1);
    let requests = [
        TestRequest::get().uri(SPORTS).insert_header(("X-API-Key", key.reveal())),
        TestRequest::get().uri(SPORTS).insert_header(("Authorization", format!("Bearer {}", key.reveal()))),
        TestRequest::get().uri(&format!("{SPORTS}?api_key={}", key.reveal())),
    ];
    for request in requests {
        assert_eq!(world.ask(request).await.status, 200);
    }
}

#[actix_web::test]
async fn no_key_is_401_with_a_challenge() {
    let answer = World::new().get(SPORTS).await;
    assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"sports\""));
    answer.expect_failure(401, "API key required");
}

#[actix_web::test]
async fn an_unknown_revoked_or_expired_key_is_401() {
    let world = World::with_subscriber().await;
    let issued = || a_key_record().issued(second(-60));
    world.admit(&a_customer().seeded(2).build(), &issued().seeded(2).revoked(second(-1)).build()).await;
    world.admit(&a_customer().seeded(3).build(), &issued().seeded(3).expiring(second(0)).build()).await;
    for seed in [2, 3, 4] {
        let key = a_key(seed);
        let answer = world.ask(TestRequest::get().uri(SPORTS).insert_header(("X-API-Key", key.reveal()))).await;
        assert!(answer.header("www-authenticate").is_some());
        answer.expect_failure(401, REFUSED);
    }
}

#[actix_web::test]
async fn without_a_subscription_a_valid_key_is_403() {
    let world = World::new();
    world.admit(&a_customer().without_plan().build(), &a_key_record().issued(second(-60)).build()).await;
    world.get_with_key(SPORTS).await.expect_failure(403, "Active subscription required");
}

#[actix_web::test]
async fn when_keys_cannot_be_looked_up_a_possible_key_is_503_and_a_mistyped_one_still_401() {
    let world = World::with_subscriber().await;
    world.accounts.go_away();
    let answer = world.get_with_key(SPORTS).await;
    assert!(answer.header("retry-after").is_some());
    answer.expect_failure(503, "This part of the service is temporarily unavailable, try again");

    let typo = a_key(1).reveal().replace("sk_service_", "sk_service_x");
    world.ask(TestRequest::get().uri(SPORTS).insert_header(("X-API-Key", typo))).await.expect_failure(401, REFUSED);
}

#[actix_web::test]
async fn a_caller_without_a_key_learns_nothing_about_the_rest_of_the_request() {
    let world = World::new();
    world.get("/api/v1/sports?limit=x").await.expect_failure(401, "API key required");
    let unknown = format!("/api/v1/sports?limit=x&api_key={}", a_key(9).reveal());
    world.get(&unknown).await.expect_failure(401, REFUSED);
}
