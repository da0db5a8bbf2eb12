//! The limit of callers without a key, by their address, which only a trusted proxy can forward.

use crate::operations;
use crate::service::{Answer, Site};
use crate::signed;

const ONE: (&str, &str) = ("SPORTS_LIMITS__PUBLIC_PER_SECOND", "1");
const BEHIND_A_PROXY: (&str, &str) = ("SPORTS_HTTP__TRUSTED_PROXIES", "127.0.0.1");

/// A number of successive requests that takes longer than a second.
const MANY: u8 = 200;

#[tokio::test]
async fn exactly_the_public_paths_that_declare_a_limit_have_one() {
    let site = Site::publishing(&["nfl-2023-week-18-slate"]);
    let _ = signed::sign(&site).await;
    let service = site.serve_with(&[ONE, BEHIND_A_PROXY]).await;
    let operations = operations::all(&service).await;
    let mut limited = 0;
    for (client, operation) in operations.iter().filter(|operation| operation.public).enumerate() {
        let path = operation.path();
        let status = async || {
            let request = service.request(&path).header("X-Forwarded-For", format!("203.0.113.{client}"));
            Answer::to(request).await.status
        };
        assert_eq!(status().await, 200, "{path}");
        // A path that takes a key for earlier moments declares the limit of the key.
        let declared = operation.declared.contains(&429) && !operation.declared.contains(&403);
        limited += usize::from(declared);
        let mut refused = false;
        for _ in 0..MANY {
            refused |= status().await == 429;
        }
        assert_eq!(refused, declared, "{path}");
    }
    assert_eq!(limited, 14, "the free feed, the open leagues, the teams, the record and the old picks");
}
