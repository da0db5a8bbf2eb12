use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use sports_domain::content::ObjectHash;
use sports_domain::{DateSpan, Market, ModelColumn, ModelName, ModelType, Season};
use sports_ports::seasons::{SeasonRef, SeasonViews};
use sports_ports::{Clock, PortError};
use sports_publication::testing::{GameBuilder, a_game, a_release, place};
use sports_publication::{
    ArchivedGame, CountedForecasts, Extras, ForecastRow, ForecastSource, Located, MarketHistory, RowIds,
};
use sports_strategies::Accounting;
use sports_testkit::seasons;
use sports_usecases::analytics::{
    AnalyseSeasons, Analytics, CalibratedModel, ListedModels, SeasonAnalytics, SeasonCalibration,
};
use sports_usecases::moment::{LeagueMoment, Moments};
use sports_usecases::record::Archives;
use sports_usecases::results::ResultsError;

use crate::world::{MARKET, SEASON, SPORT, World, games, in_memory};

const BLEND: ModelName = ModelName::of(ModelColumn::Blend);

/// The season before.
const BEFORE: &str = "2023";

/// A source of figures that counts the seasons opened.
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

/// Queries of seasons, and the moments they are of.
type Queries = (Analytics, Moments);

/// Creates analytics of a world's published seasons, and their counting source.
async fn analytics(world: &World) -> (Queries, Arc<Counting>) {
    let inner = AnalyseSeasons(world.archives.clone());
    let counting = Arc::new(Counting { inner, opened: AtomicUsize::new(0) });
    let node = world.node();
    node.poll().await;
    let past = world.past(&node);
    let moments = Moments::new(Arc::clone(&past), world.clock.clone());
    ((Analytics::new(counting.clone(), world.walks(past), world.checkpoints()), moments), counting)
}

fn season(label: &str) -> Season {
    Season::parse(SPORT, label).expect("a season")
}

/// Publishes two seasons of one game each.
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
async fn a_question_opens_no_season_before_its_answer_is_computed() {
    let world = World::new();
    two_seasons(&world).await;
    let (analytics, counting) = analytics(&world).await;
    let opened = || counting.opened.swap(0, Ordering::SeqCst);
    let (summary, curves) = (
        in_memory(analytics.0.summary(&analytics.1.now(SPORT).expect("read"), MARKET, None, None, ListedModels::All)),
        in_memory(analytics.0.rolling(&analytics.1.now(SPORT).expect("read"), MARKET, ListedModels::All)),
    );
    assert_eq!(opened(), 0);
    let summary = summary.answer().await.expect("answers");
    assert_eq!((summary.season.archive.season, summary.current, opened()), (season(SEASON), Some(season(SEASON)), 1));
    let curves = curves.answer().await.expect("answers");
    let listed: Vec<_> = curves.seasons.iter().map(|(season, _)| season.archive.season).collect();
    assert_eq!((listed, opened()), (vec![season(SEASON), season(BEFORE)], 2));
    let density = in_memory(analytics.0.density(&analytics.1.now(SPORT).expect("read"), MARKET, None))
        .answer()
        .await
        .expect("answers");
    assert_eq!((density.current.seasons, density.previous.seasons), (vec![season(SEASON)], vec![season(BEFORE)]));
}

#[tokio::test]
async fn an_identity_changes_with_the_dependencies_of_its_answer_alone() {
    let world = World::new();
    two_seasons(&world).await;
    let (before, _) = analytics(&world).await;
    let identities = async |analytics: &Queries| {
        let board = |season, accounting| {
            in_memory(analytics.0.leaderboard(
                &analytics.1.now(SPORT).expect("read"),
                MARKET,
                season,
                accounting,
                None,
                None,
            ))
        };
        let calibration = |from: Option<&str>, to: Option<&str>| {
            let date = |text: &str| text.parse().expect("a date");
            let span = DateSpan::new(from.map(date), to.map(date)).expect("forward");
            in_memory(analytics.0.calibration(
                &analytics.1.now(SPORT).expect("read"),
                MARKET,
                None,
                span,
                None,
                ListedModels::All,
            ))
        };
        [
            in_memory(analytics.0.summary(
                &analytics.1.now(SPORT).expect("read"),
                MARKET,
                None,
                None,
                ListedModels::All,
            ))
            .key(),
            in_memory(analytics.0.summary(
                &analytics.1.now(SPORT).expect("read"),
                MARKET,
                Some(season(BEFORE)),
                None,
                ListedModels::All,
            ))
            .key(),
            in_memory(analytics.0.team_form(&analytics.1.now(SPORT).expect("read"), MARKET)).key(),
            analytics
                .0
                .model_tracking(&analytics.1.now(SPORT).expect("read"), MARKET, Some(season(BEFORE)), None)
                .await
                .expect("a question")
                .0
                .key(),
            board(None, Accounting::LegacyV1).key(),
            board(None, Accounting::RecordedV2).key(),
            board(Some(season(BEFORE)), Accounting::RecordedV2).key(),
            calibration(None, None).key(),
            calibration(Some("2024-11-24"), None).key(),
            calibration(None, Some("2024-11-24")).key(),
        ]
    };
    let changed = |left: &[ObjectHash; 10], right: &[ObjectHash; 10]| {
        let differs = left.iter().zip(right).map(|(left, right)| left != right);
        differs.collect::<Vec<_>>()
    };
    let first = identities(&before).await;
    assert_eq!(first.iter().collect::<std::collections::BTreeSet<_>>().len(), first.len(), "all identities differ");
    assert_eq!(identities(&analytics(&world).await.0).await, first, "another process has equal identities");

    world.clock.advance(chrono::TimeDelta::days(1));
    let next_day = identities(&before).await;
    assert_eq!(
        changed(&first, &next_day),
        [false, false, true, false, false, false, false, false, false, false],
        "form depends on the date"
    );

    world.publish(games(&["ravens", "bengals"])).await;
    let published = identities(&analytics(&world).await.0).await;
    let of_the_current_season = [true, false, true, false, true, true, false, true, true, true];
    assert_eq!(changed(&next_day, &published), of_the_current_season, "the previous season is unchanged");
}

#[tokio::test]
async fn a_season_that_is_not_published_is_no_question() {
    let world = World::new();
    world.publish(games(&["ravens"])).await;
    let (analytics, _) = analytics(&world).await;
    let missing = |refused: Option<ResultsError>| {
        let is_missing = |refused| matches!(refused, ResultsError::NoSuchSeason { market: MARKET, season: of } if of == season(BEFORE));
        refused.is_some_and(is_missing)
    };
    let (analytics, moments) = analytics;
    let moment = moments.now(SPORT).expect("read");
    assert!(missing(analytics.model_tracking(&moment, MARKET, Some(season(BEFORE)), None).await.err()));
    assert!(missing(analytics.summary(&moment, MARKET, Some(season(BEFORE)), None, ListedModels::All).await.err()));
    let leaderboard =
        analytics.leaderboard(&moment, MARKET, Some(season(BEFORE)), Accounting::LegacyV1, None, None).await;
    assert!(missing(leaderboard.err()));
    let elsewhere = Market::new(sports_domain::Sport::Nba, ModelType::OverUnder);
    let nothing = LeagueMoment::current(elsewhere.sport, None, world.clock.now());
    let refused = analytics.summary(&nothing, elsewhere, None, None, ListedModels::All).await.err();
    assert!(matches!(refused, Some(ResultsError::NothingPublished(market)) if market == elsewhere));
}

/// Computes the calibration of the season that a world has published.
async fn calibrated(world: &World, span: DateSpan, source: Option<ForecastSource>) -> SeasonCalibration {
    let (analytics, _) = analytics(world).await;
    in_memory(analytics.0.calibration(
        &analytics.1.now(SPORT).expect("read"),
        MARKET,
        None,
        span,
        source.map(CountedForecasts::From),
        ListedModels::All,
    ))
    .answer()
    .await
    .expect("answers")
}

/// Returns the sources of a calibration, each with the number of games of its models.
fn counted(calibration: &SeasonCalibration) -> Vec<(ForecastSource, Vec<(ModelName, u32)>)> {
    let models = |models: &[CalibratedModel]| models.iter().map(|of| (of.model, of.calibration.games)).collect();
    calibration.sources.iter().map(|source| (source.source, models(&source.models))).collect()
}

/// Publishes games with their forecasts of the market.
async fn publish(world: &World, games: Vec<ArchivedGame>) {
    let predicted = games.iter().filter(|game| !game.forecast.forecasts.is_empty());
    let forecast = |(row, game): (usize, &ArchivedGame)| {
        let value = ForecastRow {
            key: game.facts.key.clone(),
            ids: RowIds::default(),
            record: game.forecast.clone(),
            extras: Extras::default(),
        };
        Located { place: place(row), value }
    };
    let forecasts = (2..).zip(predicted).map(forecast).collect();
    let mut release = a_release(SPORT, SEASON, games);
    release.history[0].markets.insert(MARKET.model_type, MarketHistory { games: Vec::new(), forecasts });
    world.try_publish(&release).await.expect("publishes");
}

fn on(date: &str, visitors: &str, change: impl FnOnce(GameBuilder) -> GameBuilder) -> ArchivedGame {
    change(a_game().on(date).visited_by(visitors)).build()
}

#[tokio::test]
async fn live_and_reconstructed_forecasts_are_never_pooled() {
    let world = World::new();
    let published = "2024-11-17T12:00:00Z".parse().expect("an instant");
    let games = vec![
        on("2024-11-10", "ravens", |game| game),
        on("2024-11-11", "ravens", |game| game),
        on("2024-11-17", "ravens", |game| game.live("a-run", published)),
    ];
    publish(&world, games).await;
    let all = calibrated(&world, DateSpan::default(), None).await;
    let of = |source, games| (source, vec![(BLEND, games)]);
    assert_eq!(counted(&all), [of(ForecastSource::Live, 1), of(ForecastSource::WalkForward, 2)]);
    for source in ForecastSource::ALL {
        let one = calibrated(&world, DateSpan::default(), Some(source)).await;
        let expected: Vec<_> = all.sources.iter().filter(|calibrated| calibrated.source == source).cloned().collect();
        assert_eq!(one.sources, expected, "{source:?}");
    }
    let none = World::new();
    publish(&none, vec![a_game().build()]).await;
    assert_eq!(calibrated(&none, DateSpan::default(), Some(ForecastSource::Live)).await.sources, []);
}

#[tokio::test]
async fn a_span_includes_both_its_dates_and_does_not_limit_the_models_listed() {
    let world = World::new();
    let dates = ["2024-11-10", "2024-11-11", "2024-11-12"];
    publish(&world, dates.iter().map(|date| on(date, "ravens", |game| game)).collect()).await;
    let date = |text: &str| Some(text.parse().expect("a date"));
    for (from, to, games) in [
        (None, None, 3),
        (date("2024-11-11"), None, 2),
        (None, date("2024-11-11"), 2),
        (date("2024-11-11"), date("2024-11-11"), 1),
        (date("2024-11-13"), None, 0),
    ] {
        let span = DateSpan::new(from, to).expect("forward");
        let counted = counted(&calibrated(&world, span, None).await);
        assert_eq!(counted, [(ForecastSource::WalkForward, vec![(BLEND, games)])], "{from:?} {to:?}");
    }
    let backward = DateSpan::new(date("2024-11-12"), date("2024-11-11")).expect_err("backward");
    assert_eq!(backward.to_string(), "2024-11-12 is after 2024-11-11");
}

#[tokio::test]
async fn a_season_without_a_final_lists_its_models_without_figures() {
    let world = World::new();
    publish(&world, vec![on("2024-11-29", "ravens", GameBuilder::unplayed)]).await;
    let calibrated = calibrated(&world, DateSpan::default(), None).await;
    assert_eq!(counted(&calibrated), [(ForecastSource::WalkForward, vec![(BLEND, 0)])]);
    let blend = &calibrated.sources[0].models[0].calibration;
    assert!(blend.scores.is_none() && blend.market.is_none() && blend.picks.rate.is_none());
}

/// A push, a game without a line and a game without that model's probability do not count.
#[tokio::test]
async fn calibration_counts_games_with_a_final_a_line_no_push_and_a_probability() {
    let world = World::new();
    let games = vec![
        on("2024-11-10", "ravens", |game| game),
        on("2024-11-11", "ravens", |game| game.with(|game| game.facts.lines.spread_prices.negative = None)),
        on("2024-11-12", "ravens", |game| game.with(|game| game.facts.lines.spread = None)),
        on("2024-11-13", "ravens", GameBuilder::unforecast),
        on("2024-11-14", "ravens", GameBuilder::unplayed),
        on("2024-11-15", "ravens", |game| {
            game.with(|game| game.facts.lines.spread = sports_domain::HomeSpread::new(-4.0).ok())
        }),
    ];
    publish(&world, games).await;
    let calibrated = calibrated(&world, DateSpan::default(), None).await;
    assert_eq!(counted(&calibrated), [(ForecastSource::WalkForward, vec![(BLEND, 2)])]);
    let market = calibrated.sources[0].models[0].calibration.market.expect("a game with both");
    assert_eq!(market.games, 1, "the other has one price");
}
