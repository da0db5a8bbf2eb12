use std::time::Duration;

use serde_json::json;

use crate::support::{NOW, World};

#[actix_web::test]
async fn the_process_is_alive_whatever_is_unavailable() {
    let world = World::new();
    world.accounts.become_unavailable();
    world.store.set_unavailable(true);
    let answer = world.get("/api/v1/liveness").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({ "status": "alive", "timestamp": NOW })));
}

#[actix_web::test]
async fn the_server_is_ready_once_the_database_answers_and_every_catalog_was_read() {
    let world = World::new();
    let unread = world.get("/api/v1/readiness").await;
    assert_eq!(unread.status, 503);
    assert_eq!(unread.json()["checks"], json!({ "database": true, "catalogs": false, "running": true }));

    world.generations.poll().await;
    let ready = world.get("/api/v1/readiness").await;
    assert_eq!((ready.status.as_u16(), &ready.json()["status"]), (200, &json!("ready")));
}

#[actix_web::test]
async fn the_server_is_not_ready_while_the_store_answers_for_no_league() {
    let world = World::new();
    world.store.set_unavailable(true);
    world.generations.poll().await;
    assert_eq!(world.get("/api/v1/readiness").await.status, 503);
    world.store.set_unavailable(false);
    world.generations.poll().await;
    assert!(world.generations.status().first_look);
}

#[actix_web::test]
async fn the_server_is_not_ready_without_its_database() {
    let world = World::new();
    world.generations.poll().await;
    world.accounts.become_unavailable();
    let answer = world.get("/api/v1/readiness").await;
    assert_eq!((answer.status.as_u16(), &answer.json()["status"]), (503, &json!("not_ready")));
}

#[actix_web::test]
async fn the_server_is_not_ready_while_a_task_in_the_background_is_restarted() {
    let world = World::new();
    world.generations.poll().await;
    let (mend, mended) = tokio::sync::watch::channel(false);
    let task = world.state.operations.tasks.supervise("any", move |pulse| {
        let mended = mended.clone();
        async move {
            assert!(*mended.borrow(), "a fault");
            pulse.beat();
            std::future::pending::<()>().await;
        }
    });
    let until = async |status: u16| {
        while world.get("/api/v1/readiness").await.status != status {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    until(503).await;
    let answer = world.get("/api/v1/readiness").await;
    assert_eq!(answer.json()["checks"], json!({ "database": true, "catalogs": true, "running": false }));
    mend.send_replace(true);
    until(200).await;
    task.abort();
}

#[actix_web::test]
async fn an_unavailable_store_degrades_health() {
    let world = World::new();
    world.generations.poll().await;
    world.store.set_unavailable(true);
    let answer = world.get("/api/v1/health").await;
    let body = answer.json();
    assert_eq!((answer.status.as_u16(), &body["status"]), (200, &json!("degraded")));
    assert_eq!(body["dependencies"]["database"]["status"], "healthy");
    assert_eq!(body["dependencies"]["cache"], json!({ "status": "healthy", "latency_ms": null, "detail": null }));
    assert_eq!(body["dependencies"]["object_storage"]["detail"], "It does not answer");
    assert_eq!((&body["timestamp"], &body["version"]), (&json!(NOW), &json!(env!("CARGO_PKG_VERSION"))));
}

#[actix_web::test]
async fn a_service_without_database_and_store_is_unhealthy() {
    let world = World::new();
    world.accounts.become_unavailable();
    world.store.set_unavailable(true);
    let answer = world.get("/api/v1/health").await;
    assert_eq!((answer.status.as_u16(), &answer.json()["status"]), (503, &json!("unhealthy")));
}

#[actix_web::test]
async fn a_health_answer_is_cached_for_one_second() {
    let world = World::new();
    assert_eq!(world.get("/api/v1/health").await.json()["dependencies"]["database"]["status"], "healthy");
    world.accounts.become_unavailable();
    assert_eq!(world.get("/api/v1/health").await.json()["dependencies"]["database"]["status"], "healthy");
}
