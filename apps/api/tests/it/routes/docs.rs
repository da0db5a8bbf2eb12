use crate::support::World;

#[actix_web::test]
async fn the_document_is_served_as_json() {
    let answer = World::new().get("/openapi.json").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["openapi"], "3.1.0");
}

#[actix_web::test]
async fn the_page_comes_from_the_program_and_reads_our_document() {
    let world = World::new();
    let moved = world.get("/docs").await;
    assert_eq!((moved.status.as_u16(), moved.header("location")), (307, Some("docs/")));
    let page = world.get("/docs/").await;
    assert!(page.text.contains("swagger-ui"), "{}", page.text);
    for elsewhere in ["src=\"http", "href=\"http", "src=\"//"] {
        assert!(!page.text.contains(elsewhere), "{}", page.text);
    }
    let settings = world.get("/docs/swagger-initializer.js").await;
    assert!(settings.text.contains("\"../openapi.json\""), "{}", settings.text);
    assert!(settings.text.contains("\"validatorUrl\": \"none\""), "{}", settings.text);
    for file in ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-standalone-preset.js"] {
        assert_eq!(world.get(&format!("/docs/{file}")).await.status, 200, "{file}");
    }
}
