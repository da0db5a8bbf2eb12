//! The changes of live rows that an entry commits to, of which each expectation follows from the table of leaves alone.

use sports_domain::{GameKey, LineColumn, Market, ModelType, Probability, Sport};
use sports_publication::testing::{GameBuilder, a_game, called_off, season};
use sports_publication::{ArchivedGame, Ending, ReleaseId, RowChanges, RowComparison, SeasonArchive};

const TOTALS: ModelType = ModelType::OverUnder;
const MONEY: ModelType = ModelType::WonOnPoints;
const NOW: &str = "the release of the entry";

fn row(away: &str) -> GameBuilder {
    a_game().visited_by(away).unplayed().with(|game| game.facts.game_id = Some(format!("game of {away}")))
}

fn forecast_by(run: &str, away: &str) -> GameBuilder {
    let at = "2024-11-24T15:00:00Z".parse().expect("an instant");
    row(away).live(run, at)
}

fn earlier(away: &str) -> GameBuilder {
    forecast_by("an earlier release", away)
}

/// Moves a game to another time.
fn at(time: &str, game: GameBuilder) -> GameBuilder {
    game.with(|game| game.facts.key.time = Some(time.parse().expect("a time")))
}

fn archive(model_type: ModelType, label: &str, games: Vec<ArchivedGame>) -> SeasonArchive {
    let market = Market::new(Sport::Nfl, model_type);
    SeasonArchive::new(market, season(Sport::Nfl, label), games).expect("each game once")
}

fn changes(places: &[(Option<SeasonArchive>, Option<SeasonArchive>)]) -> RowChanges {
    let release_id = ReleaseId::from_log(NOW.to_owned());
    let mut comparison = RowComparison::of(&release_id);
    for (before, after) in places {
        comparison.compare(before.as_ref(), after.as_ref());
    }
    comparison.finish()
}

/// Returns the changes of one season of one market.
fn between(before: Vec<ArchivedGame>, after: Vec<ArchivedGame>) -> RowChanges {
    changes(&[(Some(archive(TOTALS, "2024-25", before)), Some(archive(TOTALS, "2024-25", after)))])
}

fn key(game: &GameBuilder) -> GameKey {
    game.clone().build().facts.key
}

#[test]
fn a_row_of_the_release_is_a_forecast_and_no_other_row_is() {
    let forecast = forecast_by(NOW, "new").with(|game| {
        game.forecast.own.insert("zeta".parse().expect("a name"), Probability::new(0.25).expect("valid"));
    });
    let backtest = row("backtest").with(|game| {
        game.forecast.origin = Some(sports_publication::ForecastOrigin::WalkForward { run: Some(NOW.to_owned()) });
    });
    let after = [&forecast, &earlier("imported"), &backtest, &row("bare")].map(|game| game.clone().build());
    let found = between(vec![earlier("gone").unforecast().build()], after.into());
    let made = &found.forecast[&(TOTALS, key(&forecast))];
    assert_eq!(found, RowChanges { forecast: found.forecast.clone(), ..RowChanges::default() });
    assert_eq!((found.forecast.len(), made.season), (1, season(Sport::Nfl, "2024-25")));
    let probabilities: Vec<_> = made.probabilities.iter().map(|(name, value)| (name.as_str(), value.get())).collect();
    let expected = forecast.build();
    assert_eq!(made.lines.value(LineColumn::OverUnder), expected.facts.lines.value(LineColumn::OverUnder));
    let blend = expected.forecast.forecasts.iter().next().expect("a blend").1.get();
    assert_eq!(probabilities, [("BLEND", blend), ("zeta", 0.25)]);
}

#[test]
fn a_live_row_without_its_forecast_is_withdrawn_once_also_if_its_game_is_gone() {
    let before = || vec![earlier("kept").build(), earlier("emptied").build(), earlier("gone").build()];
    let found = between(before(), vec![earlier("kept").build(), row("emptied").unforecast().build()]);
    let withdrawn = [key(&row("emptied")), key(&row("gone"))].map(|key| ((TOTALS, key), season(Sport::Nfl, "2024-25")));
    assert_eq!(found, RowChanges { withdrawn: withdrawn.into(), ..RowChanges::default() });
}

#[test]
fn a_game_with_another_start_is_moved_once_for_all_markets() {
    let (old, new) = (earlier("a"), at("20:15:00", earlier("a")));
    let place = |of| {
        (
            Some(archive(of, "2024-25", vec![old.clone().build()])),
            Some(archive(of, "2024-25", vec![new.clone().build()])),
        )
    };
    let moved = [(key(&old), (key(&new), season(Sport::Nfl, "2024-25")))].into();
    assert_eq!(changes(&[place(TOTALS), place(MONEY)]), RowChanges { moved, ..RowChanges::default() });
    // A game without a live row has no place in the tree.
    let history = |game: GameBuilder| vec![game.unforecast().build()];
    assert_eq!(between(history(old), history(new)), RowChanges::default());
}

#[test]
fn a_game_that_is_moved_and_withdrawn_stands_under_its_new_name() {
    let (old, new) = (earlier("a"), at("20:15:00", row("a").unforecast()));
    let found = between(vec![old.clone().build()], vec![new.clone().build()]);
    let label = season(Sport::Nfl, "2024-25");
    assert_eq!(found.moved, [(key(&old), (key(&new), label))].into());
    assert_eq!(found.withdrawn, [((TOTALS, key(&new)), label)].into());
}

#[test]
fn two_games_that_exchange_their_starts_are_both_moved() {
    let starts = |first, second| {
        let second_game = earlier("a").with(|game| game.facts.game_id = Some("the second game".to_owned()));
        vec![at(first, earlier("a")).build(), at(second, second_game).build()]
    };
    let found = between(starts("13:00:00", "20:00:00"), starts("20:00:00", "13:00:00"));
    let key = |time| key(&at(time, earlier("a")));
    let label = season(Sport::Nfl, "2024-25");
    let moved = [(key("13:00:00"), (key("20:00:00"), label)), (key("20:00:00"), (key("13:00:00"), label))];
    assert_eq!(found, RowChanges { moved: moved.into(), ..RowChanges::default() });
}

#[test]
fn a_game_is_followed_into_the_season_it_is_corrected_to() {
    let (old, new) = (earlier("a"), at("20:15:00", earlier("a")).ending(17, 10));
    let found = changes(&[
        (Some(archive(TOTALS, "2023-24", vec![old.clone().build()])), None),
        (None, Some(archive(TOTALS, "2024-25", vec![new.clone().build()]))),
    ]);
    let label = season(Sport::Nfl, "2024-25");
    let moved = [(key(&old), (key(&new), label))].into();
    let ended = [(key(&new), (label, new.build().facts.ending))].into();
    assert_eq!(found, RowChanges { moved, ended, ..RowChanges::default() });
}

#[test]
fn an_ending_of_a_live_row_is_listed_when_it_comes_changes_or_goes() {
    let off = || earlier("a").called_off("postponed");
    let table = [
        (earlier("a"), earlier("a").ending(17, 10), Some(earlier("a").ending(17, 10).build().facts.ending)),
        (
            earlier("a").ending(17, 10),
            earlier("a").ending(17, 11),
            Some(earlier("a").ending(17, 11).build().facts.ending),
        ),
        (earlier("a"), off(), Some(Some(called_off("postponed")))),
        (off(), forecast_by(NOW, "a"), Some(None)),
        (off(), off(), None),
        // Rows that are live from this entry on: a forecast of the release, and an import.
        (
            row("a").unforecast().called_off("postponed"),
            forecast_by(NOW, "a").called_off("postponed"),
            Some(Some(called_off("postponed"))),
        ),
        (row("a").unforecast(), forecast_by(NOW, "a"), None),
        (row("a").unforecast().called_off("postponed"), forecast_by(NOW, "a"), None),
        (row("a").unforecast(), earlier("a").ending(17, 10), None),
        // Imported history.
        (row("a").unforecast(), row("a").unforecast().ending(17, 10), None),
    ];
    for (before, after, expected) in table {
        let found = between(vec![before.build()], vec![after.build()]);
        let label = season(Sport::Nfl, "2024-25");
        let expected = expected.map(|ending: Option<Ending>| (key(&row("a")), (label, ending)));
        assert_eq!(found.ended, expected.into_iter().collect(), "{found:?}");
    }
}

#[test]
fn a_final_that_one_market_has_is_the_games() {
    let place = |of, after: GameBuilder| {
        (
            Some(archive(of, "2024-25", vec![earlier("a").called_off("postponed").build()])),
            Some(archive(of, "2024-25", vec![after.build()])),
        )
    };
    let found = changes(&[place(TOTALS, earlier("a")), place(MONEY, earlier("a").ending(17, 10))]);
    let ending = earlier("a").ending(17, 10).build().facts.ending;
    assert_eq!(found.ended, [(key(&row("a")), (season(Sport::Nfl, "2024-25"), ending))].into());
}
