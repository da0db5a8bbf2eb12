//! Agreement of the totals of results, summary, tracking, team form, leaderboards and replays.

use sports_demo::simulation::World;
use sports_domain::Sport;

use crate::agreement;
use crate::service::Site;

#[tokio::test]
async fn totals_agree_across_all_answers_about_a_season() {
    let site = Site::publishing(&["edge-cases", "nfl-2023-week-18", "doubleheader"]);
    let service = site.app().await;
    agreement::check_all(&service, &[Sport::Nfl, Sport::Mlb]).await;
}

/// Two seasons of every league of the simulated world, with all of its special cases.
#[tokio::test]
async fn six_leagues_in_three_markets_answer_and_agree() {
    const NOW: &str = "2026-02-14T15:30:00Z";
    let world = World::new(7, NOW.parse().expect("an instant"), 2);
    let site = Site::empty();
    for sport in Sport::ALL {
        let folder = site.place.path().join(sport.code());
        world.history_release(sport, NOW.parse().expect("an instant")).write(&folder).expect("written");
        site.publish(&folder);
    }
    let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", NOW)]).await;
    agreement::check_all(&service, &Sport::ALL).await;
}
