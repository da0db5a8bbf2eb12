//! The places of the sites of these tests: one machine with a folder or, with `SPORTS_TEST_PLACES=services`, servers that many
//! machines can share.

use std::env;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use sports_testkit::programs::TestFolder;
use sports_testkit::services::{Postgres, Redis, S3Server};
use tokio::runtime::Builder;

static REDIS: LazyLock<Option<Redis>> = LazyLock::new(|| {
    let start = || Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(redis());
    // A test's own runtime cannot block on another.
    thread::spawn(start).join().expect("no panic")
});

static STORE: LazyLock<S3Server> = LazyLock::new(S3Server::start);

const REDIS_DATABASES: usize = 1_000;

/// The sites so far.
static SITES: AtomicUsize = AtomicUsize::new(0);

async fn redis() -> Option<Redis> {
    Redis::start_with(&["--databases", &REDIS_DATABASES.to_string()]).await
}

/// Returns true if sites use PostgreSQL, Redis and S3.
fn on_services() -> bool {
    let places = env::var_os("SPORTS_TEST_PLACES");
    assert!(places.as_ref().is_none_or(|places| places == "services"), "SPORTS_TEST_PLACES is `services` or not set");
    places.is_some()
}

/// Creates a place for a new site. On services it has a database, a bucket and a numbered database of Redis of its own;
/// parts that are not installed are those of one machine.
pub fn fresh() -> TestFolder {
    if !on_services() {
        return TestFolder::fresh();
    }
    let site = SITES.fetch_add(1, Ordering::Relaxed) % REDIS_DATABASES;
    let bucket = format!("s3://{}/some/prefix", STORE.fresh_bucket());
    let variables = STORE.variables().into_iter().chain([("SPORTS_STORE__URL", bucket)]);
    let database = Postgres::database().map(|url| ("SPORTS_DATABASE__URL", url));
    let redis = REDIS.as_ref().map(|redis| ("SPORTS_LIMITS__REDIS", format!("{}/{site}", redis.url())));
    variables.chain(database).chain(redis).fold(TestFolder::fresh(), |place, (name, value)| place.with(name, value))
}

/// Returns the folder with the files of a site's store, which may be that of its bucket.
pub fn store(place: &TestFolder) -> PathBuf {
    let command = place.sportsctl::<&str>([]);
    let url = command.get_envs().find_map(|(name, value)| value.filter(|_| name == "SPORTS_STORE__URL"));
    let bucket = url.and_then(|url| url.to_str().expect("text").strip_prefix("s3://")?.split_once('/'));
    bucket.map_or_else(|| place.store(), |(bucket, prefix)| STORE.folder_of(bucket).join(prefix))
}
