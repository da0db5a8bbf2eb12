use actix_web::test::TestRequest;

use crate::support::{Answer, World};

async fn with_id(world: &World, path: &str, id: &str) -> Answer {
    world.send(TestRequest::get().uri(path).insert_header(("X-Request-Id", id))).await
}

#[actix_web::test]
async fn a_valid_request_id_is_returned_with_every_kind_of_answer() {
    let world = World::new();
    for path in ["/", "/nowhere", "/api/v1/sports", "/test/panicking", "/openapi.json"] {
        let answer = with_id(&world, path, "order-7_a.1").await;
        assert_eq!(answer.header("x-request-id"), Some("order-7_a.1"), "{path}");
    }
}

#[actix_web::test]
async fn any_other_request_id_is_replaced_by_a_new_one() {
    let world = World::new();
    for id in ["a b", "<script>", &"x".repeat(65)] {
        let answer = with_id(&world, "/", id).await;
        let new = answer.header("x-request-id").expect("an id");
        assert!(new != id && !new.is_empty() && new.len() <= 64, "{new}");
    }
    assert_ne!(world.get("/").await.header("x-request-id"), world.get("/").await.header("x-request-id"));
}
