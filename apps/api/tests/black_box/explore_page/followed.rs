//! Picks and bets: the side that is taken of each game, and the record of who takes it beside the book's favourite.

use serde_json::{Value, json};

use super::visit::{Visit, list, text};
use crate::browser::Browser;
use crate::demo::Demo;

/// The fields of a market, the positive side first.
struct Fields {
    sides: [&'static str; 2],
    prices: [&'static str; 2],
    outcome: &'static str,
}

fn fields_of(market: &str) -> Fields {
    match market {
        "over_under" => Fields { sides: ["over", "under"], prices: ["over_line", "under_line"], outcome: "over" },
        "won_on_points" => {
            Fields { sides: ["home", "away"], prices: ["home_money_line", "away_money_line"], outcome: "won_on_points" }
        }
        _ => Fields {
            sides: ["home", "away"],
            prices: ["home_point_spread_line", "away_point_spread_line"],
            outcome: "won_on_spread",
        },
    }
}

/// Computes what one unit gains on average at a price.
fn expected_value(probability: f64, price: f64) -> f64 {
    let profit = if price > 0.0 { price / 100.0 } else { -100.0 / price };
    probability * profit - (1.0 - probability)
}

/// Returns the side that is taken of a game; `None` for no pick or no bet.
fn side_of(of: &str, fields: &Fields, model: &str, game: &Value) -> Option<&'static str> {
    let probability = game[model].as_f64()?;
    let side = |is_positive: bool| fields.sides[usize::from(!is_positive)];
    if of == "picks" {
        return ((probability - 0.5).abs() > 1e-9).then(|| side(probability > 0.5));
    }
    let [first, second] = fields.prices.map(|price| game[price].as_f64());
    let (first, second) = (expected_value(probability, first?), expected_value(1.0 - probability, second?));
    let is_first = if (first - second).abs() <= 1e-9 { probability >= 0.5 } else { first > second };
    (first.max(second) > 1e-9).then(|| side(is_first))
}

/// Returns the grade of a side, as rows have it.
fn grade_of(side: Option<&str>, fields: &Fields, game: &Value) -> &'static str {
    match side {
        None => "none",
        Some(_) if game["push"] == true => "pushed",
        Some(_) if game["graded"] != true => "none",
        Some(side) if (game[fields.outcome] == 1) == (side == fields.sides[0]) => "won",
        Some(_) => "lost",
    }
}

/// Counts grades as the attributes of a printed record.
fn record_of(grades: &[&str]) -> Value {
    let number = |grade: &str| grades.iter().filter(|found| **found == grade).count().to_string();
    json!([number("won"), number("lost"), number("pushed")])
}

fn printed(visit: &mut Visit<'_>, selector: &str) -> Value {
    let of = format!(
        "(({{ won, lost, pushed }}) => [won, lost, pushed])(document.querySelector({}).dataset)",
        json!(selector)
    );
    visit.page.evaluate(&of)
}

/// The record of a season is the API's, and equals the count of its rows; the favourite is counted over the same games.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn results_have_the_record_of_picks_or_of_bets_beside_the_books_favourite() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for (place, of) in [
        ("nba/won_on_points", "picks"),
        ("nba/won_on_points", "bets"),
        ("nfl/won_on_spread", "bets"),
        ("mlb/over_under", "picks"),
    ] {
        visit.show(&format!("results/{place}?of={of}")).await;
        assert_eq!(visit.page.evaluate("document.querySelector('main').dataset.of"), json!(of));
        let fields = fields_of(place.split('/').nth(1).expect("a market"));
        let page = demo.get(&format!("/api/v1/results/{place}?limit=100000")).await;
        let graded = |of: &str, model: &str, game: &Value| grade_of(side_of(of, &fields, model, game), &fields, game);
        let games: Vec<_> = list(&page["results"]).iter().filter(|game| graded(of, "BLEND", game) != "none").collect();
        let own: Vec<_> = games.iter().map(|game| graded(of, "BLEND", game)).collect();
        let book: Vec<_> = games.iter().map(|game| graded("picks", "IMPLIED", game)).collect();
        assert_eq!(printed(&mut visit, "#so-far [data-record=BLEND]"), record_of(&own), "{place} {of}");
        assert_eq!(printed(&mut visit, "#so-far [data-baseline=IMPLIED]"), record_of(&book), "{place} {of}");
        let summary = demo.get(&format!("/api/v1/summary/{place}?season={}", text(&page["season"]))).await;
        let blend = list(&summary["summaries"]).iter().find(|one| one["model"] == "BLEND").expect("BLEND");
        let served = ["won", "lost", "pushed"].map(|field| blend[of][field].to_string());
        assert_eq!(record_of(&own), json!(served), "{place} {of}");
        let rows = visit.page.evaluate(
            "[...document.querySelectorAll('tr[data-game]')].map(({ dataset }) => [dataset.game, dataset.side, dataset.grade])",
        );
        assert_eq!(list(&rows).len(), 50);
        for row in list(&rows) {
            let game = list(&page["results"]).iter().find(|game| game["game_id"] == row[0]).expect("a game");
            let side = side_of(of, &fields, "BLEND", game);
            assert_eq!(*row, json!([game["game_id"], side.unwrap_or("none"), grade_of(side, &fields, game)]));
        }
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// Green says that a model did better than the book's favourite.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_hit_is_green_where_the_favourite_lost_and_the_model_has_more_hits() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let fields = fields_of("won_on_points");
    for sport in ["mlb", "nba", "nfl", "nhl"] {
        visit.show(&format!("results/{sport}/won_on_points")).await;
        let page = demo.get(&format!("/api/v1/results/{sport}/won_on_points?limit=100000")).await;
        let number = |visit: &mut Visit<'_>, selector: &str| {
            printed(visit, selector)[0].as_str().expect("a count").parse::<u32>().expect("a number")
        };
        let won = number(&mut visit, "#figure-hits [data-record=BLEND]");
        let favourite = number(&mut visit, "#figure-hits [data-baseline=IMPLIED]");
        let green = visit.marks("#figure-hits .ahead .mark", "game");
        assert!(won > favourite || green.is_empty(), "{sport}: {won} {favourite}");
        for (id, _) in green {
            let game = list(&page["results"]).iter().find(|game| game["game_id"] == *id).expect("a game");
            let grades =
                ["BLEND", "IMPLIED"].map(|model| grade_of(side_of("picks", &fields, model, game), &fields, game));
            assert_eq!(grades, ["won", "lost"], "{game}");
        }
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_switch_between_picks_and_bets_goes_along_to_other_views() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("today/nba/won_on_points").await;
    assert_eq!(visit.page.evaluate("document.querySelector('main').dataset.of"), json!("picks"));
    assert_eq!(visit.text(".of-switch [aria-current]"), json!(["Picks"]));
    visit.page.evaluate("document.querySelector('#of-bets').focus()");
    visit.page.evaluate("document.querySelector('#of-bets').click()");
    let shown = "document.querySelector('main').dataset.shown";
    visit.page.expect(shown, &json!("#/today/nba/won_on_points?of=bets")).await;
    assert_eq!(visit.page.evaluate("document.querySelector('main').dataset.of"), json!("bets"));
    assert_eq!(visit.page.evaluate("document.activeElement.id"), json!("of-bets"), "the focus stays");
    let link = visit.page.evaluate("document.querySelector('.game-row .of-game a').hash");
    let game = visit.page.evaluate("document.querySelector('.game-row').dataset.game");
    assert_eq!(link, json!(format!("#/game/nba/{}?of=bets", text(&game))), "teams lead to the page of the game");
    visit.page.evaluate("document.querySelector('#view-results').click()");
    visit.page.expect(shown, &json!("#/results/nba/won_on_points?of=bets")).await;
    visit.page.evaluate("document.querySelector('#of-picks').click()");
    visit.page.expect(shown, &json!("#/results/nba/won_on_points")).await;
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// The filters are behind one button, and the rest of a row behind a tap on it.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_telephone_begins_with_the_games_of_today() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.look(390, "light");
    for place in ["nba/won_on_points", "ncaaf/won_on_spread", "mlb/over_under"] {
        visit.show(&format!("today/{place}")).await;
        let first = visit.page.evaluate("document.querySelector('.game-row').getBoundingClientRect().top + scrollY");
        assert!(first.as_f64().expect("a place") < 260.0, "{place}: {first}");
        let height = visit.page.evaluate("document.documentElement.scrollHeight").as_u64().expect("a height");
        assert!(height <= 5 * 844, "{place}: {height}");
    }
    let is_open = "document.querySelector('#search').checkVisibility()";
    assert_eq!(visit.page.evaluate(is_open), json!(false));
    visit.page.evaluate("document.querySelector('#filters-open').click()");
    assert_eq!(visit.page.evaluate(is_open), json!(true));
    assert_eq!(visit.page.evaluate("document.querySelector('#filters-open').ariaExpanded"), json!("true"));
    let price = "document.querySelector('.game-row .of-price').checkVisibility()";
    assert_eq!(visit.page.evaluate(price), json!(false));
    visit.page.evaluate("document.querySelector('.game-row .of-axis').click()");
    assert_eq!(visit.page.evaluate(price), json!(true));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_telephone_keeps_the_chosen_chapter_until_the_address_names_a_figure_of_another() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.look(390, "light");
    let chosen =
        "[...document.querySelectorAll('.chapter')].filter(chapter => chapter.checkVisibility()).map(({ id }) => id)";
    for (options, chapter) in [("?figure=grid", "market"), ("", "market"), ("?figure=returns", "summary")] {
        visit.show(&format!("track-record/nhl/won_on_points{options}")).await;
        assert_eq!(visit.page.evaluate(chosen), json!([format!("chapter-{chapter}")]), "{options}");
    }
    visit.page.evaluate("document.querySelector('#chip-clv').click()");
    visit.show("track-record/nhl/won_on_points").await;
    assert_eq!(visit.page.evaluate(chosen), json!(["chapter-clv"]));
    assert_eq!(visit.complaints(), Vec::<String>::new());
}
