//! Figures of a publisher's own models: a league calculated by hand, and comparisons with the same columns under names
//! of the specification.

use chrono::{Days, NaiveDate};
use proptest::prelude::*;
use sports_domain::{
    AmericanPrice, FinalScore, Forecasts, GameKey, GameLines, ModelColumn, ModelId, ModelName, ModelSet, ModelType,
    OwnBlock, Probability, TeamSlug, TwoWayPrices,
};
use sports_grading::MarketGame;
use sports_performance::{
    Curves, Grid, ModelSummary, SeasonGame, Summarised, grids, model_coverage, picked_prices, staked_games, summarise,
};

fn set(own: usize) -> ModelSet {
    let names = (0..own).map(|index| format!("m{index}").parse().expect("a name"));
    ModelSet::new(names).expect("at most 32 names")
}

/// A moneyline game; `own` has the probabilities of own models, NaN for none.
#[derive(Debug, Clone)]
struct Recorded {
    key: GameKey,
    money: [i32; 2],
    score: Option<(u16, u16)>,
    standard: [f64; 8],
    own: Vec<OwnBlock>,
}

impl Recorded {
    fn new(day: u64, money: [i32; 2], score: Option<(u16, u16)>, standard: [f64; 8], own: &[f64]) -> Self {
        let team = |name| TeamSlug::normalise(name).expect("a team");
        let date = NaiveDate::from_ymd_opt(2023, 9, 7).expect("a date") + Days::new(day);
        let key = GameKey { date, time: None, away: team("foxes"), home: team("gulls"), game_number: None };
        let block = |values: &[f64]| {
            let mut block = [f64::NAN; 8];
            block[..values.len()].copy_from_slice(values);
            block
        };
        Self { key, money, score, standard, own: own.chunks(8).map(block).collect() }
    }

    fn game(&self) -> SeasonGame<'_> {
        let [positive, negative] = self.money.map(|raw| AmericanPrice::new(raw).ok());
        let lines = GameLines { money: TwoWayPrices { positive, negative }, ..GameLines::default() };
        let given = ModelColumn::FORECASTS.into_iter().zip(self.standard);
        let forecasts = given.fold(Forecasts::default(), |all, (model, raw)| {
            Probability::new(raw).map_or(all, |probability| all.with(model, probability))
        });
        let score = self.score.map(|(away, home)| FinalScore { away, home });
        let market = MarketGame::new(ModelType::WonOnPoints, &lines, score, forecasts.with_own(&self.own));
        SeasonGame::new(&self.key, market)
    }
}

fn season(recorded: &[Recorded]) -> Vec<SeasonGame<'_>> {
    recorded.iter().map(Recorded::game).collect()
}

const NONE: f64 = f64::NAN;

/// ELO and `nn_v2` alone: no model of the specification has a probability.
fn hand_league() -> (Vec<Recorded>, ModelSet) {
    let game = |day, money, score, own: [f64; 2]| Recorded::new(day, money, Some(score), [NONE; 8], &own);
    let games = vec![
        game(0, [-150, 130], (17, 24), [0.62, 0.58]),
        game(3, [120, -140], (24, 17), [0.55, NONE]),
        game(3, [-110, -110], (16, 20), [0.5, 0.45]),
        game(4, [-200, 170], (16, 22), [NONE, 0.7]),
        game(7, [-120, 100], (20, 20), [0.6, NONE]),
    ];
    let models = ModelSet::new(["ELO", "nn_v2"].map(|name| name.parse().expect("a name"))).expect("two names");
    (games, models)
}

/// ELO's units are on the home side of each of its games: 2/3, -1, 10/11 at one half, and a returned stake. The value of
/// the third, 0.5 / 1.1 - 0.5, is below zero. `nn_v2`'s units earn 2/3, -1 on the away side at -110, and 1/2; the value of
/// the first, 0.58 / 1.5 - 0.42, is below zero, and that of the other side, 0.42 · 1.3 - 0.58, is lower.
#[test]
fn the_summary_of_the_hand_league_is_calculated_by_hand() {
    let (recorded, models) = hand_league();
    let games = season(&recorded);
    let summaries = summarise(&games, &models);
    let figures = |summary: &ModelSummary| {
        let (all, staked) = (summary.season.all, summary.season.staked);
        let valued = (summary.valued.bets(), summary.valued.units());
        (summary.of.to_string(), (all.wins, all.losses), staked.roi(), valued)
    };
    let of = |name: &str| {
        summaries.iter().map(figures).find(|(of, ..)| of == name).unwrap_or_else(|| panic!("{name} is not listed"))
    };
    assert_eq!(of("ELO"), ("ELO".into(), (1, 1), Some(0.143_939), (3, -0.333_333)));
    assert_eq!(of("nn_v2"), ("nn_v2".into(), (2, 1), Some(0.055_556), (2, -0.5)));
    assert_eq!(of("IMPLIED").1, (3, 0));
    let listed: Vec<_> = summaries.iter().map(|summary| summary.of.to_string()).collect();
    assert_eq!(listed, ["IMPLIED", "ELO", "nn_v2"]);
    assert_eq!(games.iter().filter(|game| game.graded().is_some()).count(), 4);
}

#[test]
fn the_grid_and_the_curves_of_the_hand_league_are_calculated_by_hand() {
    let (recorded, models) = hand_league();
    let games = season(&recorded);
    let cells: Vec<_> = Grid::from_games(&games, models.id("ELO").expect("declared"))
        .cells()
        .map(|(own, implied, cell)| {
            (Grid::lower_edge(own), Grid::lower_edge(implied), cell.picks.wins, cell.picks.losses)
        })
        .collect();
    // (0.55, 10/11 / (10/11 + 7/6)) lost, and (0.62, 0.6 / (0.6 + 10/23)) won.
    assert_eq!(cells, [(0.55, 0.4, 0, 1), (0.6, 0.55, 1, 0)]);
    let curves = Curves::from_games(&games, &models);
    let points = |name: &str| {
        let points = curves.points(name.parse::<ModelName>().expect("a name")).iter();
        points.map(|point| (point.day, point.trailing.win_share())).collect::<Vec<_>>()
    };
    assert_eq!(points("ELO"), [(0, Some(1.0)), (3, Some(0.5))]);
    assert_eq!(points("nn_v2"), [(0, Some(1.0)), (3, Some(0.5)), (4, Some(0.666_667))]);
    let coverage = model_coverage(&games, &models);
    let covered: Vec<_> = coverage.iter().map(|of| (of.model.to_string(), of.games)).collect();
    assert_eq!(covered, [("ELO".to_owned(), 4), ("nn_v2".to_owned(), 3)]);
}

fn any_probability() -> impl Strategy<Value = f64> {
    prop_oneof![2 => Just(NONE), 1 => Just(0.5), 1 => Just(0.0), 1 => Just(1.0), 9 => 0.0..=1.0_f64]
}

/// Generates seasons in which each game has a pick of AI, so that own models grade no other game.
fn any_season(own: usize) -> impl Strategy<Value = Vec<Recorded>> {
    let price = prop_oneof![4 => -180..=-100_i32, 4 => 100..=180_i32, 1 => Just(0)];
    let score = proptest::option::weighted(0.9, (0..=4_u16, 0..=4_u16));
    let probabilities = proptest::collection::vec(any_probability(), 8 + own);
    let game = (0..60_u64, [price.clone(), price], score, probabilities).prop_map(|(day, money, score, given)| {
        let mut standard: [f64; 8] = given[..8].try_into().expect("eight");
        standard[0] = 0.6;
        Recorded::new(day, money, score, standard, &given[8..])
    });
    proptest::collection::vec(game, 0..40)
}

fn own_of(game: &Recorded, index: usize) -> f64 {
    game.own[index / 8][index % 8]
}

/// The figures of one model, without its name.
fn figures(games: &[SeasonGame<'_>], models: &ModelSet, model: ModelId) -> String {
    let of = Summarised::Model(models.name(model));
    let summary = summarise(games, models).into_iter().find(|summary| summary.of == of).map(|summary| {
        let ModelSummary { season, one_week, four_weeks, valued, .. } = summary;
        (season, one_week, four_weeks, valued)
    });
    let staked: Vec<_> = staked_games(games, models, of).map(|(date, units)| (date, units.to_bits())).collect();
    let prices: Vec<_> = picked_prices(games, models, of).collect();
    let curves = Curves::from_games(games, models);
    let grid = Grid::from_games(games, model);
    assert_eq!(grids(games, models)[model.index()], grid, "the grid that is kept with a season");
    let covered = model_coverage(games, models).into_iter().find(|covered| covered.model == models.name(model));
    let covered = covered.map(|covered| (covered.games, covered.first_date, covered.last_date));
    format!("{summary:?} {staked:?} {prices:?} {:?} {grid:?} {covered:?}", curves.points(models.name(model)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Each own model of sets at the borders of blocks has the figures of its column under the name XGB, gaps included.
    /// AI's pick keeps games graded.
    #[test]
    fn an_own_column_has_the_figures_of_the_same_column_under_a_standard_name(
        (own, recorded) in prop::sample::select(vec![1_usize, 7, 8, 9, 16, 17, 32])
            .prop_flat_map(|own| (Just(own), any_season(own))),
        chosen in any::<prop::sample::Index>(),
    ) {
        let (models, chosen) = (set(own), chosen.index(own));
        let renamed: Vec<_> = recorded.iter().cloned().map(|mut game| {
            game.standard[ModelColumn::Xgb.index() - 1] = own_of(&game, chosen);
            game.own.clear();
            game
        }).collect();
        let own = figures(&season(&recorded), &models, ModelId::own(chosen).expect("a place"));
        prop_assert_eq!(own, figures(&season(&renamed), &ModelSet::default(), ModelColumn::Xgb.into()));
    }

    #[test]
    fn own_models_change_no_figure_of_the_specifications_models(recorded in any_season(17)) {
        let alone: Vec<_> = recorded.iter().cloned().map(|game| Recorded { own: Vec::new(), ..game }).collect();
        let (beside, alone) = (season(&recorded), season(&alone));
        let is_standard = |of: &Summarised| Summarised::all(&ModelSet::default()).any(|known| known == *of);
        let mut summaries = summarise(&beside, &set(17));
        summaries.retain(|summary| is_standard(&summary.of));
        prop_assert_eq!(summaries, summarise(&alone, &ModelSet::default()));
        for model in ModelColumn::ALL {
            let own = figures(&beside, &set(17), model.into());
            prop_assert_eq!(own, figures(&alone, &ModelSet::default(), model.into()));
        }
    }

    /// A model's figures do not depend on its place in the set.
    #[test]
    fn permuted_models_have_permuted_figures(recorded in any_season(9)) {
        let reversed: Vec<_> = recorded.iter().map(|game| {
            let own: Vec<_> = (0..9).rev().map(|index| own_of(game, index)).collect();
            Recorded { own: Recorded::new(0, [0; 2], None, [NONE; 8], &own).own, ..game.clone() }
        }).collect();
        let (games, reversed, models) = (season(&recorded), season(&reversed), set(9));
        for index in 0..9 {
            let [here, there] = [index, 8 - index].map(|index| ModelId::own(index).expect("a place"));
            prop_assert_eq!(figures(&games, &models, here), figures(&reversed, &models, there));
        }
    }

    #[test]
    fn a_model_without_a_value_changes_nothing(recorded in any_season(3)) {
        let games = season(&recorded);
        let (few, many) = (set(3), set(16));
        prop_assert_eq!(summarise(&games, &few), summarise(&games, &many));
        prop_assert_eq!(Curves::from_games(&games, &few), Curves::from_games(&games, &many));
        prop_assert_eq!(model_coverage(&games, &few), model_coverage(&games, &many));
    }
}
