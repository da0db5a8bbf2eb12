use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use sports_domain::{Market, ModelType, Season};
use sports_ports::PortError;
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_publication::testing::{a_game, a_release};
use sports_strategies::Accounting;
use sports_testkit::seasons;
use sports_usecases::analytics::{AnalyseSeasons, Analytics, SeasonAnalytics};
use sports_usecases::record::Archives;
use sports_usecases::results::ResultsError;

use crate::world::{MARKET, SEASON, SPORT, World, games};

/// The season before.
const BEFORE: &str = "2023-24";

/// Counts the seasons that are opened.
struct Counting {
    inner: AnalyseSeasons,
    opened: AtomicUsize,
}

#[async_trait]
impl SeasonViews<SeasonAnalytics> for Counting {
    async fn view(&self, season: &SeasonRef) -> Result<Arc<SeasonAnalytics>, PortError> {
        self.opened.fetch_add(1, Ordering::SeqCst);
        self.inner.view(season).await
    }
}

/// Analytics over what a world has published, and the number of seasons opened for them.
async fn analytics(world: &World) -> (Analytics, Arc<Counting>) {
    let inner = AnalyseSeasons(world.archives.clone());
    let counting = Arc::new(Counting { inner, opened: AtomicUsize::new(0) });
    let node = world.node();
    node.poll().await;
    (Analytics::new(node, counting.clone(), world.clock.clone()), counting)
}

fn season(label: &str) -> Season {
    Season::parse(SPORT, label).expect("a season")
}

/// Two seasons of one game each.
async fn two_seasons(world: &World) {
    let before = a_release(SPORT, BEFORE, vec![a_game().on("2023-11-26").build()]);
    world.try_publish(&before).await.expect("publishes");
    world.publish(games(&["ravens"])).await;
}

#[tokio::test]
async fn analysed_seasons_keep_the_contract() {
    seasons::contract(|objects, codec| AnalyseSeasons(Archives::new(objects, codec))).await;
}

#[tokio::test]
async fn a_question_opens_no_season_before_its_answer_is_asked_for() {
    let world = World::new();
    two_seasons(&world).await;
    let (analytics, counting) = analytics(&world).await;
    let opened = || counting.opened.swap(0, Ordering::SeqCst);
    let (summary, curves) = (analytics.summary(MARKET).expect("asked"), analytics.rolling(MARKET).expect("asked"));
    assert!(!summary.identity().is_empty() && !curves.identity().is_empty());
    assert_eq!(opened(), 0);
    let summary = summary.answer().await.expect("answers");
    assert_eq!((summary.season.archive.season, summary.current, opened()), (season(SEASON), Some(season(SEASON)), 1));
    let curves = curves.answer().await.expect("answers");
    let listed: Vec<_> = curves.seasons.iter().map(|(season, _)| season.archive.season).collect();
    assert_eq!((listed, opened()), (vec![season(SEASON), season(BEFORE)], 2));
    let density = analytics.density(MARKET).expect("asked").answer().await.expect("answers");
    assert_eq!((density.current.seasons, density.previous.seasons), (vec![season(SEASON)], vec![season(BEFORE)]));
}

#[tokio::test]
async fn an_identity_changes_with_what_the_answer_depends_on_and_with_nothing_else() {
    let world = World::new();
    two_seasons(&world).await;
    let (before, _) = analytics(&world).await;
    let identities = |analytics: &Analytics| {
        let board = |season, accounting| analytics.leaderboard(MARKET, season, accounting).expect("asked");
        [
            analytics.summary(MARKET).expect("asked").identity().to_owned(),
            analytics.team_form(MARKET).expect("asked").identity().to_owned(),
            analytics.model_tracking(MARKET, Some(season(BEFORE))).expect("asked").identity().to_owned(),
            board(None, Accounting::LegacyV1).identity().to_owned(),
            board(None, Accounting::RecordedV2).identity().to_owned(),
            board(Some(season(BEFORE)), Accounting::RecordedV2).identity().to_owned(),
        ]
    };
    let changed = |left: &[String; 6], right: &[String; 6]| {
        let differs = left.iter().zip(right).map(|(left, right)| left != right);
        differs.collect::<Vec<_>>()
    };
    let first = identities(&before);
    assert_eq!(first.iter().collect::<std::collections::BTreeSet<_>>().len(), first.len(), "all are other questions");
    assert_eq!(identities(&analytics(&world).await.0), first, "another process asks the same");

    world.clock.advance(chrono::TimeDelta::days(1));
    let next_day = identities(&before);
    assert_eq!(changed(&first, &next_day), [false, true, false, false, false, false], "form depends on the date");

    world.publish(games(&["ravens", "bengals"])).await;
    let published = identities(&analytics(&world).await.0);
    let of_the_current_season = [true, true, false, true, true, false];
    assert_eq!(changed(&next_day, &published), of_the_current_season, "the season before is what it was");
}

#[tokio::test]
async fn a_season_that_is_not_published_is_no_question() {
    let world = World::new();
    world.publish(games(&["ravens"])).await;
    let (analytics, _) = analytics(&world).await;
    let missing = ResultsError::NoSuchSeason { market: MARKET, season: season(BEFORE) };
    assert_eq!(analytics.model_tracking(MARKET, Some(season(BEFORE))).err(), Some(missing.clone()));
    assert_eq!(analytics.leaderboard(MARKET, Some(season(BEFORE)), Accounting::LegacyV1).err(), Some(missing));
    let elsewhere = Market::new(sports_domain::Sport::Nba, ModelType::OverUnder);
    assert_eq!(analytics.summary(elsewhere).err(), Some(ResultsError::NothingPublished(elsewhere)));
}
