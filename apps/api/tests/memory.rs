//! The memory of seasons against their weight, by which `memory.archives` is shared. A process of its own, so that no other test
//! changes the memory that it measures.
#![cfg(target_os = "linux")]

use std::fs;

use sports_domain::{Market, ModelColumn, ModelName, ModelSet, ModelType, Probability, Sport};
use sports_ports::seasons::{LoadedSeason, Weighed};
use sports_publication::testing::{a_game, season};
use sports_publication::{ArchivedGame, SeasonArchive};
use sports_tables::{RenderedSeason, TabularSeason};
use sports_usecases::analytics::SeasonAnalytics;

const MARKET: Market = Market::new(Sport::Ncaab, ModelType::WonOnSpread);
const GAMES: u32 = 5_500;
/// With the eight, forty models.
const OWN: u32 = 32;
/// So many seasons at once that what a single one leaves in the allocator is a small part.
const SEASONS: usize = 8;

fn names() -> Vec<ModelName> {
    (0..OWN).map(|number| format!("model_{number:02}").parse().expect("a name")).collect()
}

fn probability(number: u32) -> Probability {
    Probability::new(f64::from(number % 997) / 997.0).expect("a probability")
}

fn archive() -> SeasonArchive {
    let names = names();
    let game = |number: u32| -> ArchivedGame {
        let (day, away) = (number / 50, format!("team {}", number % 50));
        let date = chrono::NaiveDate::from_ymd_opt(2023, 11, 6).expect("a date") + chrono::Days::new(day.into());
        let game = a_game().on(&date.to_string()).visited_by(&away).with(|game| {
            game.facts.game_id = Some(format!("ncaab-{date}-{away}-home_team"));
            for (place, model) in (0..).zip(ModelColumn::FORECASTS) {
                game.forecast.forecasts = game.forecast.forecasts.with(model, probability(number * 7 + place * 31));
            }
            for (place, model) in (0..).zip(&names) {
                game.forecast.own.insert(*model, probability(number * 11 + place * 37));
            }
        });
        game.build()
    };
    let games = (0..GAMES).map(game).collect();
    let archive = SeasonArchive::new(MARKET, season(Sport::Ncaab, "2023-24"), games).expect("no key repeats");
    archive.with_models(ModelSet::new(names).expect("a set"))
}

fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("a process of Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") * 1024
}

/// Asserts that several of these seasons take the memory of their weights, within a tenth. Returns them: memory that is
/// given back would be used by those that are measured next.
fn check<S: Weighed>(name: &str, load: impl Fn() -> S) -> Vec<S> {
    // What loading itself needs is in the allocator after the first.
    let mut seasons = vec![load()];
    let before = resident();
    seasons.extend((0..SEASONS).map(|_| load()));
    let taken = resident() - before;
    let counted: usize = seasons[1..].iter().map(Weighed::weight).sum();
    println!("{name}: {taken} bytes resident, {counted} counted");
    assert!(taken.abs_diff(counted) * 10 <= counted, "{name}: {taken} bytes resident, {counted} counted");
    seasons
}

#[test]
fn a_season_with_forty_models_takes_the_memory_that_is_counted() {
    let archive = archive();
    let tables = check("tables", || TabularSeason::from_archive(archive.clone()));
    let figures = check("figures", || SeasonAnalytics::from_archive(&archive));
    let rows = check("rows", || {
        let season = RenderedSeason::from_archive(archive.clone());
        season.make_ready();
        season
    });
    drop((tables, figures, rows));
}
