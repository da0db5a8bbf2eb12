use actix_web::test::TestRequest;
use chrono::TimeDelta;
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};

use sports_testkit::metering::contract::limits;

use crate::support::{Answer, World};

const SPORTS: &str = "/api/v1/sports";
const REFUSED: &str = "Invalid or expired API key";

#[actix_web::test]
async fn a_key_is_accepted_in_any_of_three_places() {
    let world = World::with_subscriber().await;
    let key = a_key(1);
    let requests = [
        TestRequest::get().uri(SPORTS).insert_header(("X-API-Key", key.reveal())),
        TestRequest::get().uri(SPORTS).insert_header(("Authorization", format!("Bearer {}", key.reveal()))),
        TestRequest::get().uri(&format!("{SPORTS}?api_key={}", key.reveal())),
    ];
    for request in requests {
        assert_eq!(world.send(request).await.status, 200);
    }
}

#[actix_web::test]
async fn no_key_is_401_with_a_challenge() {
    let answer = World::new().get(SPORTS).await;
    assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"sports\""));
    answer.expect_failure(401, "API key required");
}

#[actix_web::test]
async fn a_key_in_a_place_that_is_not_read_is_explained_in_the_challenge() {
    let world = World::with_subscriber().await;
    let key = a_key(1);
    for (name, value, part) in [
        ("apiKey", key.reveal().to_owned(), "the header apikey is not read: send the key as X-API-Key"),
        ("Authorization", key.reveal().to_owned(), "a key without a scheme: send Authorization: Bearer and the key"),
        ("Authorization", format!("Token {}", key.reveal()), "another scheme than Bearer"),
    ] {
        let answer = world.send(TestRequest::get().uri(SPORTS).insert_header((name, value.as_str()))).await;
        let challenge = answer.header("www-authenticate").expect("a challenge");
        assert!(challenge.starts_with("Bearer realm=\"sports\"") && challenge.contains(part), "{challenge}");
        assert!(!challenge.contains(key.reveal()), "{challenge}");
        answer.expect_failure(401, "API key required");
    }
}

#[actix_web::test]
async fn two_headers_with_a_key_are_400_before_anything_else() {
    let world = World::with_subscriber().await;
    let (known, unknown) = (a_key(1), a_key(9));
    let bearer = format!("Bearer {}", known.reveal());
    for path in [SPORTS, "/api/v1/liveness", "/no/such/path", "/api/v1/results/cricket/over_under"] {
        for other in [known.reveal(), unknown.reveal()] {
            let request = TestRequest::get().uri(path).append_header(("X-API-Key", known.reveal()));
            let twice = world.send(request.append_header(("x-api-key", other))).await;
            twice.expect_failure(400, "The header `X-API-Key` is given more than once; send it once");
        }
        let request = TestRequest::get().uri(path).append_header(("Authorization", bearer.as_str()));
        let twice = world.send(request.append_header(("Authorization", bearer.as_str()))).await;
        twice.expect_failure(400, "The header `Authorization` is given more than once; send it once");
    }
    let both = TestRequest::get().uri(SPORTS).append_header(("Authorization", "Bearer other"));
    assert_eq!(world.send(both.append_header(("X-API-Key", known.reveal()))).await.status, 200);
}

#[actix_web::test]
async fn an_unknown_revoked_or_expired_key_is_401() {
    let world = World::with_subscriber().await;
    let issued = || a_key_record().issued(second(-60));
    world.admit(&a_customer().seeded(2).build(), &issued().seeded(2).revoked(second(-1)).build()).await;
    world.admit(&a_customer().seeded(3).build(), &issued().seeded(3).expiring(second(0)).build()).await;
    for seed in [2, 3, 4] {
        let key = a_key(seed);
        let answer = world.send(TestRequest::get().uri(SPORTS).insert_header(("X-API-Key", key.reveal()))).await;
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
async fn a_well_formed_key_is_503_without_the_database_and_a_mistyped_one_401() {
    let world = World::with_subscriber().await;
    world.accounts.become_unavailable();
    let answer = world.get_with_key(SPORTS).await;
    assert!(answer.header("retry-after").is_some());
    answer.expect_failure(503, "This part of the service is temporarily unavailable, try again");

    let typo = a_key(1).reveal().replace("sk_service_", "sk_service_x");
    world.send(TestRequest::get().uri(SPORTS).insert_header(("X-API-Key", typo))).await.expect_failure(401, REFUSED);
}

#[actix_web::test]
async fn a_request_without_a_key_is_401_whatever_the_rest() {
    let world = World::new();
    world.get("/api/v1/sports?limit=x").await.expect_failure(401, "API key required");
    let unknown = format!("/api/v1/sports?limit=x&api_key={}", a_key(9).reveal());
    world.get(&unknown).await.expect_failure(401, REFUSED);
}

const TOO_MANY: &str = "Rate limit exceeded. Limit: 3 requests with an invalid key per second";

async fn from(world: &World, peer: &str, request: TestRequest) -> Answer {
    world.send(request.peer_addr(format!("{peer}:40000").parse().expect("an address"))).await
}

fn showing(key: &str) -> TestRequest {
    TestRequest::get().uri(SPORTS).insert_header(("X-API-Key", key))
}

/// Creates a world where subscriber 1 has a key; the key of customer 2 is revoked, that of customer 3 has expired.
async fn with_three_invalid_keys_a_second() -> World {
    let world = World::limited(limits(100, 3)).admitting_a_subscriber().await;
    let issued = || a_key_record().issued(second(-60));
    world.admit(&a_customer().seeded(2).build(), &issued().seeded(2).revoked(second(-1)).build()).await;
    world.admit(&a_customer().seeded(3).build(), &issued().seeded(3).expiring(second(0)).build()).await;
    world
}

#[actix_web::test]
async fn an_address_has_a_limit_of_invalid_keys_of_any_kind() {
    let world = with_three_invalid_keys_a_second().await;
    let keys = [2, 3, 4].map(|seed| a_key(seed).reveal().to_owned());
    let typo = a_key(1).reveal().replace("sk_service_", "sk_service_x");
    let requests = || {
        let [revoked, expired, unknown] = &keys;
        [
            showing(revoked),
            showing(&typo),
            TestRequest::get().uri(SPORTS).insert_header(("Authorization", format!("Bearer {expired}"))),
            TestRequest::get().uri(&format!("{SPORTS}?api_key={unknown}")),
            TestRequest::get().uri(SPORTS).insert_header(("Authorization", "Bearer eyJhbGciOiJIUzI1NiJ9.e30.x")),
        ]
    };
    for first in 0..requests().len() {
        world.clock.advance(TimeDelta::seconds(1));
        let mut requests = requests();
        requests.rotate_left(first);
        for (sent, request) in requests.into_iter().enumerate() {
            let answer = from(&world, "192.0.2.1", request).await;
            if sent < 3 {
                answer.expect_failure(401, REFUSED);
                continue;
            }
            answer.expect_failure(429, TOO_MANY);
            assert_eq!(answer.header("retry-after"), Some("1"));
            for silent in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-tier", "www-authenticate"] {
                assert_eq!(answer.header(silent), None, "there is no customer");
            }
        }
    }
}

#[actix_web::test]
async fn valid_keys_and_requests_without_a_key_are_not_limited_as_guesses() {
    let world = with_three_invalid_keys_a_second().await;
    for _ in 0..3 {
        from(&world, "192.0.2.1", showing(a_key(9).reveal())).await.expect_failure(401, REFUSED);
    }
    from(&world, "192.0.2.1", showing(a_key(9).reveal())).await.expect_failure(429, TOO_MANY);
    assert_eq!(from(&world, "192.0.2.1", showing(a_key(1).reveal())).await.status, 200);
    from(&world, "192.0.2.1", TestRequest::get().uri(SPORTS)).await.expect_failure(401, "API key required");
    from(&world, "192.0.2.2", showing(a_key(9).reveal())).await.expect_failure(401, REFUSED);
    // Valid keys and requests without a key do not use up the limit of guesses.
    world.clock.advance(TimeDelta::seconds(1));
    for _ in 0..3 {
        from(&world, "192.0.2.1", TestRequest::get().uri(SPORTS)).await.expect_failure(401, "API key required");
        from(&world, "192.0.2.1", showing(a_key(9).reveal())).await.expect_failure(401, REFUSED);
    }
}

#[actix_web::test]
async fn every_kind_of_operation_behind_a_key_limits_guesses() {
    let world = with_three_invalid_keys_a_second().await;
    let paths = ["/api/v1/sports", "/api/v1/customers/me", "/api/v1/customers/me/api-keys"];
    for path in paths {
        let guess = || TestRequest::get().uri(path).insert_header(("X-API-Key", a_key(9).reveal()));
        from(&world, "192.0.2.1", guess()).await.expect_failure(401, REFUSED);
    }
    for path in paths {
        let guess = TestRequest::get().uri(path).insert_header(("X-API-Key", a_key(9).reveal()));
        from(&world, "192.0.2.1", guess).await.expect_failure(429, TOO_MANY);
    }
}

#[actix_web::test]
async fn a_handler_outside_of_its_callers_scope_fails() {
    let world = World::with_subscriber().await;
    for path in ["/test/unscoped/subscriber", "/test/unscoped/public"] {
        world.get_with_key(path).await.expect_failure(500, "Something went wrong on our side");
    }
}
