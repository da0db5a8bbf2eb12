//! Questions about a publisher's own models, of a season with a column equal to BLEND and a column with gaps.

use std::sync::Arc;

use async_trait::async_trait;
use sports_calibration::Calibration;
use sports_domain::{DateSpan, HomeSpread, ModelColumn, ModelName, ModelSet, Probability, Season};
use sports_ports::PortError;
use sports_ports::seasons::{SeasonRef, SeasonViews, Weighed};
use sports_publication::registry::{Declaration, DeclaredAs, Declaring, Moment, Registry};
use sports_publication::testing::{a_game, a_release};
use sports_publication::{ArchivedGame, Generation, SeasonArchive};
use sports_strategies::{Accounting, Rule};
use sports_usecases::analytics::{Analytics, ExcludedGames, ListedModels, ReplayedRule, SeasonAnalytics};
use sports_usecases::moment::Moments;

use crate::world::{MARKET, SEASON, SPORT, World, games, in_memory};

const BLEND: ModelName = ModelName::of(ModelColumn::Blend);

/// A source of figures with the same season for each reference.
struct Given(Arc<SeasonAnalytics>);

#[async_trait]
impl SeasonViews<SeasonAnalytics> for Given {
    async fn view(&self, _season: &SeasonRef) -> Result<Arc<SeasonAnalytics>, PortError> {
        Ok(self.0.clone())
    }
}

fn name(text: &str) -> ModelName {
    text.parse().expect("a name")
}

/// Builds forty games on as many days. The column `twin` equals BLEND, and `gaps` has a value on every third game.
fn season(own: &[&str]) -> SeasonArchive {
    let game = |day: u32| -> ArchivedGame {
        let date = chrono::NaiveDate::from_ymd_opt(2024, 4, 1).expect("a date") + chrono::Days::new(day.into());
        let blend = 0.3 + f64::from(day * 7 % 40) / 100.0;
        let value = |raw: f64| Probability::new(raw).expect("a probability");
        let game = a_game().on(&date.to_string()).ending(if day.is_multiple_of(3) { 24 } else { 10 }, 20).blend(blend);
        let game = game.with(|game| game.facts.lines.open_spread = HomeSpread::new(-1.5).ok());
        let is_own = |column| own.contains(&column);
        game.with(|game| {
            if is_own("twin") {
                game.forecast.own.insert(name("twin"), value(blend));
            }
            if is_own("gaps") && day.is_multiple_of(3) {
                game.forecast.own.insert(name("gaps"), value(0.7));
            }
        })
        .build()
    };
    let season = Season::parse(SPORT, SEASON).expect("a season");
    let archive = SeasonArchive::new(MARKET, season, (0..40).map(game).collect()).expect("distinct keys");
    archive.with_models(ModelSet::new(own.iter().map(|model| name(model))).expect("a set"))
}

/// Queries of seasons, and the moments they are of.
type Queries = (Analytics, Moments);

/// Creates questions that are answered from this season.
async fn analytics(archive: &SeasonArchive) -> Queries {
    let world = World::new();
    let mut release = a_release(SPORT, SEASON, games(&["ravens"]));
    for model in ["gaps", "other", "twin"] {
        let content = DeclaredAs::Model(Box::default());
        let declaration = Declaration { written: "{}".to_owned(), content };
        release.models.declarations.models.insert(model.to_owned(), declaration);
    }
    let moment = Moment { generation: Generation::FIRST, at: chrono::DateTime::UNIX_EPOCH };
    let declaring = Declaring { moment, before: None };
    let declared = Registry::default().declare(&release.models.declarations, &declaring);
    release.models.read_under = declared.expect("valid names");
    world.try_publish(&release).await.expect("publishes");
    let node = world.node();
    node.poll().await;
    let past = world.past(&node);
    let moments = Moments::new(Arc::clone(&past), world.clock.clone());
    let given = Arc::new(Given(Arc::new(SeasonAnalytics::from_archive(archive))));
    (Analytics::new(given, world.walks(past)), moments)
}

fn listing(models: &[&str]) -> ListedModels {
    ListedModels::Named(models.iter().map(|model| name(model)).collect())
}

/// Returns the debug text of a value without a model's name.
fn unnamed(value: &impl std::fmt::Debug, model: ModelName) -> String {
    format!("{value:?}").replace(&format!("model: {model}"), "").replace(&format!("Model({model})"), "")
}

#[tokio::test]
async fn a_column_equal_to_blend_has_blends_strategies_replay_and_grid() {
    let analytics = analytics(&season(&["gaps", "twin"])).await;
    let rule = Rule::named("follow_edge_home", MARKET.model_type).expect("a rule");
    let answers = async |model: ModelName| {
        let accounting = Accounting::RecordedV2;
        let board = in_memory(analytics.0.leaderboard(
            &analytics.1.now(SPORT).expect("read"),
            MARKET,
            None,
            accounting,
            Some(model),
        ));
        let replay = in_memory(analytics.0.replay(
            &analytics.1.now(SPORT).expect("read"),
            MARKET,
            None,
            ReplayedRule { rule, accounting, excluded: ExcludedGames::Listed, model: Some(model) },
        ));
        let density = in_memory(analytics.0.density(&analytics.1.now(SPORT).expect("read"), MARKET, Some(model)));
        let identities = [board.key(), replay.key(), density.key()];
        let (board, replay) = (board.answer().await.expect("answers"), replay.answer().await.expect("answers"));
        let density = density.answer().await.expect("answers");
        let counts = (replay.bets.len(), density.current.grid.games());
        ([unnamed(&board, model), unnamed(&replay, model), unnamed(&density, model)], identities, counts)
    };
    let [blend, twin, gaps, missing] =
        [answers(BLEND).await, answers(name("twin")).await, answers(name("gaps")).await, answers(name("other")).await];
    assert_eq!(blend.0, twin.0);
    for (one, other) in blend.1.iter().zip(&twin.1) {
        assert_ne!(one, other, "answers are kept by model");
    }
    // 0.7 exceeds the market's half on each of 14 games.
    assert_eq!((gaps.2, missing.2), ((14, 14), (0, 0)));
    assert!(blend.2.0 > 14 && blend.2.1 > 14);
}

#[tokio::test]
async fn lists_have_own_models_and_leave_out_others_without_changing_a_figure() {
    let (own, alone) = (analytics(&season(&["gaps", "twin"])).await, analytics(&season(&[])).await);
    let summary = async |analytics: &Queries, models| {
        let question = in_memory(analytics.0.summary(&analytics.1.now(SPORT).expect("read"), MARKET, None, models));
        question.answer().await.expect("answers").models
    };
    let all = summary(&own, ListedModels::All).await;
    let names: Vec<_> = all.iter().map(|model| model.summary.of.to_string()).collect();
    assert_eq!(names, ["BLEND", "gaps", "twin"], "even prices are no pick of IMPLIED");
    assert_eq!(all[..1], summary(&alone, ListedModels::All).await);
    assert_eq!(summary(&own, listing(&["twin", "BLEND"])).await, [all[0], all[2]]);
    let mut twin = all[2].summary;
    twin.of = all[0].summary.of;
    assert_eq!(twin, all[0].summary);

    let curves = async |models| {
        in_memory(own.0.rolling(&own.1.now(SPORT).expect("read"), MARKET, models)).answer().await.expect("answers")
    };
    let (every, one) = (curves(ListedModels::All).await, curves(listing(&["gaps"])).await);
    assert_eq!(every.seasons[0].1.points(BLEND), every.seasons[0].1.points(name("twin")));
    let listed: Vec<_> = one.seasons[0].1.iter().collect();
    assert_eq!(listed, every.seasons[0].1.iter().filter(|curve| curve.model == name("gaps")).collect::<Vec<_>>());

    let calibration = async |analytics: &Queries, models| -> Vec<(ModelName, Calibration)> {
        let question = in_memory(analytics.0.calibration(
            &analytics.1.now(SPORT).expect("read"),
            MARKET,
            None,
            DateSpan::default(),
            None,
            models,
        ));
        let models = question.answer().await.expect("answers").sources.remove(0).models;
        models.into_iter().map(|of| (of.model, of.calibration)).collect()
    };
    let all = calibration(&own, ListedModels::All).await;
    assert_eq!(
        all.iter().map(|(model, of)| (*model, of.games)).collect::<Vec<_>>(),
        [(BLEND, 40), (name("gaps"), 14), (name("twin"), 40)]
    );
    assert_eq!(calibration(&own, listing(&["BLEND"])).await, all[..1]);
    let (beside, by_itself) = (&all[0].1, &calibration(&alone, ListedModels::All).await[0].1);
    let [two, one] = [beside, by_itself].map(|of| of.p_holm.expect("forty games"));
    assert!((two - (2.0 * one).min(1.0)).abs() < 1e-12, "the correction is over both models with thirty games");
    let other = |of: &Calibration| Calibration { p_holm: None, verdict: by_itself.verdict, ..of.clone() };
    assert_eq!(other(beside), other(by_itself));
}

#[tokio::test]
async fn tracking_has_the_games_of_each_model() {
    let analytics = analytics(&season(&["gaps", "twin"])).await;
    let tracking = analytics
        .0
        .model_tracking(&analytics.1.now(SPORT).expect("read"), MARKET, None)
        .expect("a question")
        .answer()
        .await
        .expect("answers");
    let models: Vec<_> = tracking.models.iter().map(|of| (of.model.to_string(), of.games)).collect();
    assert_eq!(models, [("BLEND".to_owned(), 40), ("gaps".to_owned(), 14), ("twin".to_owned(), 40)]);
    let gaps = tracking.models[1];
    assert_eq!([gaps.first_date, gaps.last_date].map(|date| date.to_string()), ["2024-04-01", "2024-05-10"]);
}

#[test]
fn a_seasons_weight_counts_the_values_of_own_models() {
    let [alone, own] = [&[][..], &["gaps", "twin"]].map(|own| SeasonAnalytics::from_archive(&season(own)).weight());
    // A block of eight numbers for each of forty games, and the figures of two more models.
    assert!(own >= alone + 40 * 64, "{alone} {own}");
}
