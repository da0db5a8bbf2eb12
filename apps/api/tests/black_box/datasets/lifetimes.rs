//! The lifetimes of a link and of the allowance of refreshes.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::{REFRESH, STATUS, with_an_owner};
use crate::service::{Answer, Customer};

const AS_OF: &str = "SPORTS_CLOCK__AS_OF";

#[tokio::test]
async fn a_link_lives_for_fifteen_minutes() {
    let (site, _, key) = with_an_owner();
    let service = site.serve_with(&[(AS_OF, "2026-03-14T16:00:00Z")]).await;
    let before = service.clock().await;
    let refreshed = service.with_key(&key).post(REFRESH).await.json();
    let after = service.clock().await;
    let link = &refreshed["downloads"][0];
    let expires_at: DateTime<Utc> = link["expires_at"].as_str().and_then(|at| at.parse().ok()).expect("an instant");
    let lifetime = TimeDelta::minutes(15);
    // Expiry is in whole seconds, rounded up.
    assert!((before + lifetime..after + lifetime + TimeDelta::seconds(1)).contains(&expires_at), "{refreshed}");
    let path = link["url"].as_str().and_then(|url| url.splitn(4, '/').nth(3)).expect("a link");
    service.stop();

    // A minute is more than a server needs to start.
    for (at, status) in [(expires_at - TimeDelta::minutes(1), 200), (expires_at, 403)] {
        let service = site.serve_with(&[(AS_OF, &at.to_rfc3339())]).await;
        let answer = Answer::to(service.request(&format!("/{path}"))).await;
        assert_eq!(answer.status, status, "at {at}: {}", answer.text());
        service.stop();
    }
}

/// Returns the used and the remaining refreshes of a customer, and the time of the reset.
async fn allowance(customer: &Customer<'_>) -> serde_json::Value {
    let status = customer.get(STATUS).await.json();
    json!([status["refreshes_used"], status["refreshes_remaining"], status["refresh_limit"], status["next_reset_at"]])
}

#[tokio::test]
async fn a_calendar_month_has_eight_refreshes_and_the_next_has_eight_again() {
    let (site, _, key) = with_an_owner();
    // Six in the evening of New Year's Eve in New York: the month ends in UTC first.
    let service = site.serve_with(&[(AS_OF, "2099-12-31T23:00:00Z")]).await;
    let owner = service.with_key(&key);
    for left in (0..8).rev() {
        let refreshed = owner.post(REFRESH).await.json();
        assert_eq!(refreshed["refreshes_remaining"], left);
        assert_eq!(refreshed["next_reset_at"], "2100-01-01T00:00:00Z");
    }
    let ninth = owner.post(REFRESH).await;
    assert_eq!(ninth.failure(429), "Refresh limit exceeded. Limit: 8 refreshes per month");
    assert_eq!(allowance(&owner).await, json!([8, 0, 8, "2100-01-01T00:00:00Z"]));
    service.stop();

    let service = site.serve_with(&[(AS_OF, "2100-01-01T00:00:00Z")]).await;
    let owner = service.with_key(&key);
    assert_eq!(allowance(&owner).await, json!([0, 8, 8, "2100-02-01T00:00:00Z"]));
    assert_eq!(owner.post(REFRESH).await.json()["refreshes_remaining"], 7);
    service.stop();
}
