//! The memory that figures of a publisher's own models take.

use sports_domain::{ModelName, ModelSet, Probability, Season};
use sports_ports::seasons::Weighed as _;
use sports_publication::SeasonArchive;
use sports_publication::testing::a_game;
use sports_usecases::analytics::SeasonAnalytics;

use crate::world::{MARKET, SEASON, SPORT};

/// Builds forty games on as many days, with a value of each of these models.
fn season(own: &[&str]) -> SeasonArchive {
    let names: Vec<ModelName> = own.iter().map(|name| name.parse().expect("a name")).collect();
    let first = chrono::NaiveDate::from_ymd_opt(2024, 4, 1).expect("a date");
    let game = |day| {
        let game = a_game().on(&(first + chrono::Days::new(day)).to_string()).blend(0.6);
        let value = Probability::new(0.7).expect("a probability");
        game.with(|game| names.iter().for_each(|name| game.forecast.own.insert(*name, value))).build()
    };
    let season = Season::parse(SPORT, SEASON).expect("a season");
    let archive = SeasonArchive::new(MARKET, season, (0..40).map(game).collect()).expect("distinct keys");
    archive.with_models(ModelSet::new(names.iter().copied()).expect("a set"))
}

#[test]
fn a_seasons_weight_counts_the_values_of_own_models() {
    let [alone, own] = [&[][..], &["gaps", "twin"]].map(|own| SeasonAnalytics::from_archive(&season(own)).weight());
    // A block of eight numbers for each of forty games, and the figures of two more models.
    assert!(own >= alone + 40 * 64, "{alone} {own}");
}
