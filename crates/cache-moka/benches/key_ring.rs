//! What it costs to know whose key a request came with, while that is in memory. `cargo bench -p sports-cache-moka`

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use sports_accounts::testing::{a_customer, a_key_record};
use sports_cache_moka::CachedKeyRing;
use sports_ports::accounts::{CustomerCreation, Customers, KeyIssue, KeyRing};
use sports_testkit::accounts::AccountsFake;
use tokio::runtime::Builder;
use tokio::time::Instant;

fn known_key(criterion: &mut Criterion) {
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
    let (ring, digest) = runtime.block_on(async {
        let accounts = Arc::new(AccountsFake::default());
        let (customer, key) = (a_customer().build(), a_key_record().build());
        assert_eq!(accounts.create(&customer).await.expect("answers"), CustomerCreation::Created);
        assert_eq!(accounts.issue(customer.id, &key).await.expect("answers"), KeyIssue::Issued);
        (CachedKeyRing::new(accounts), key.digest)
    });
    criterion.bench_function("the holder of a known key", |bencher| {
        bencher.iter_custom(|times| {
            runtime.block_on(async {
                let began = Instant::now();
                for _ in 0..times {
                    ring.holder(&digest).await.expect("answers").expect("held");
                }
                began.elapsed()
            })
        });
    });
}

criterion_group!(benches, known_key);
criterion_main!(benches);
