//! The law of moves in tables, read by polars.

use crate::application::moves::{PUBLICATIONS, random_log};
use crate::python;

#[tokio::test]
async fn tables_of_moves_lead_from_each_slate_to_the_one_now() {
    let site = random_log(6);
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-07T03:00:00Z")]).await;
    let (url, newest) = (service.url(""), PUBLICATIONS.to_string());
    let folder = site.place.path().to_owned();
    let script = python::Script {
        path: "black_box/moving.py",
        packages: "polars",
        folder: &folder,
        variables: &[("API_KEY", &site.key)],
    };
    // The server answers while this thread is blocked.
    let Some(applied) = script.answer(&[&*url, &newest]) else { return };
    let applied = applied.as_object().expect("an object");
    assert_eq!(applied.len(), 9, "three slates in three formats");
    assert!(applied.values().all(|moves| moves.as_u64() > Some(20)), "{applied:?}");
    let of = |form: &str| {
        applied.iter().filter(|(name, _)| name.ends_with(form)).map(|(_, moves)| moves).collect::<Vec<_>>()
    };
    assert_eq!((of("csv"), of("ndjson")), (of("parquet"), of("parquet")));
}
