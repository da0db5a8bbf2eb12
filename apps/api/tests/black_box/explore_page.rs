//! The page at `/explore` in a browser, against the demo.

mod accessibility;
mod cards;
mod charts;
mod closing;
mod everywhere;
mod failures;
mod figures;
mod followed;
mod game;
mod horizons;
mod landing;
mod leagues;
mod models;
mod moments;
mod movement;
mod one_click;
mod open_record;
mod passing_on;
mod proofs;
mod visit;
mod your_rule;

use serde_json::json;
use visit::Visit;

use crate::browser::Browser;
use crate::demo::Demo;
use crate::service::eventually;

/// Every view, and whether it shows data without a key.
const VIEWS: [(&str, bool); 9] = [
    ("overview", true),
    ("freshness", true),
    ("today", true),
    ("track-record", false),
    ("strategies", false),
    ("teams", false),
    ("results", false),
    ("record", true),
    ("account", false),
];

/// Window widths of a desktop and a telephone, in the light and the dark scheme.
const LOOKS: [(u32, &str); 4] = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")];

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn every_view_loads_without_errors_or_outside_requests_in_every_look() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for (width, scheme) in LOOKS {
        visit.look(width, scheme);
        for (view, _) in VIEWS {
            visit.show(&format!("{view}/nba/won_on_spread")).await;
            assert_eq!(visit.text("#failure, #key-needed"), json!([]), "{view}");
            let wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
            assert!(wide.as_i64().expect("a number") <= 0, "{view} is wider than {width}: {wide}");
            let footer = visit.page.evaluate("document.querySelector('footer').innerText");
            assert!(footer.as_str().expect("text").contains("Research signals, no edge is guaranteed."), "{view}");
            visit.keep_picture(&format!("{view}-{width}-{scheme}"));
        }
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
    let requested = visit.requested();
    assert!(requested.len() > 50, "{requested:?}");
    // A date field has a picture that the browser itself provides.
    let is_sent = |url: &&String| !url.starts_with("data:");
    let outside: Vec<_> = requested.iter().filter(is_sent).filter(|url| !url.starts_with(&demo.0.url("/"))).collect();
    assert_eq!(outside, Vec::<&String>::new());
    assert!(!requested.iter().any(|url| url.contains(demo.0.key())), "the key is in no address");
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_view_is_restored_from_its_address() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let seasons = demo.get("/api/v1/results/nfl/over_under/seasons").await;
    let season = seasons["seasons"][1].as_str().expect("a label").to_owned();
    let hash = format!("#/strategies/nfl/over_under?season={season}&accounting=legacy_v1");
    visit.page.evaluate(&format!("location.hash = {}; location.reload()", json!(hash)));
    visit.page.expect("document.querySelector('main')?.dataset.shown", &json!(hash)).await;
    let chosen = visit.text(".picker [aria-current]");
    assert_eq!(chosen, json!(["NFL", "Total", "BLEND", season, "Legacy, −110"]));
    assert_eq!(visit.text("h2")[0], json!(format!("Cumulative units in {season}")));
    let title = format!("Strategies · NFL · Total · {season} – Sports model data");
    assert_eq!(visit.page.evaluate("document.title"), json!(title));
}

/// A view or a place in the season that the page lacks is the first one.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_address_that_names_no_view_or_no_game_shows_the_first() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for view in ["constructor", "toString/nfl", "nowhere"] {
        visit.show(view).await;
        assert!(visit.page.evaluate("document.title").as_str().expect("text").starts_with("Overview"), "{view}");
        assert_eq!(visit.text("#failure"), json!([]), "{view}");
    }
    for offset in ["abc", "-50", "10.5"] {
        visit.show(&format!("results/nba/won_on_points?offset={offset}")).await;
        let shown = visit.text("#shown")[0].as_str().expect("text").to_owned();
        assert!(shown.starts_with("Games 1 to 50 of "), "{offset}: {shown}");
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn games_are_filtered_by_date_and_team_as_the_api_filters_them() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("results/nba/won_on_points").await;
    for (field, value) in [("from", "2026-01-15"), ("to", "2026-02-28"), ("team", "boston_celtics")] {
        visit.page.evaluate(&format!("document.querySelector('#filter-{field}').value = '{value}'"));
    }
    visit.page.evaluate("document.querySelector('#filter').click()");
    let hash = "#/results/nba/won_on_points?from=2026-01-15&to=2026-02-28&team=boston_celtics";
    visit.page.expect("document.querySelector('main').dataset.shown", &json!(hash)).await;
    let served = demo.get("/api/v1/results/nba/won_on_points?from=2026-01-15&to=2026-02-28&team=boston_celtics").await;
    let games = served["results"].as_array().expect("games").len();
    assert!(games > 2 && games < 50, "{games}");
    assert_eq!(visit.page.evaluate("document.querySelectorAll('tbody tr:not(.more)').length"), json!(games));
    let note = visit.text("#shown")[0].as_str().expect("text").to_owned();
    assert!(note.starts_with(&format!("{games} games in ")), "{note}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_filter_without_matches_is_reported_beneath_the_filters() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let season = demo.get("/api/v1/results/nba/won_on_points").await["season"].as_str().expect("one").to_owned();
    for (filters, message) in [
        ("team=zzz", format!("There is no team “zzz” in {season}.")),
        ("from=2026-02-02&to=2026-02-01", "`from` must be `to` or earlier: 2026-02-02 is after 2026-02-01.".to_owned()),
    ] {
        visit.show(&format!("results/nba/won_on_points?{filters}")).await;
        let note = visit.text("#no-match")[0].as_str().expect("text").to_owned();
        assert!(note.starts_with(&message), "{note}");
        assert_eq!(visit.text("#failure"), json!([]));
        assert_eq!(visit.text("#download-csv"), json!(["CSV"]));
        assert_eq!(visit.text("[aria-label=Season] [aria-current]"), json!([season]));
    }
    visit.page.evaluate("document.querySelector('#filter-from').value = '2026-01-31'");
    visit.page.evaluate("document.querySelector('#filter').click()");
    visit.page.expect("document.querySelectorAll('tbody tr').length > 2", &json!(true)).await;
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn links_between_views_keep_season_and_model_but_no_filters() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.show("strategies/nba/won_on_spread?season=2024-25&accounting=legacy_v1&strategy=follow_edge_home").await;
    let needed = "[...document.querySelectorAll('#key-needed a')].map(link => link.hash)";
    let place = "/nba/won_on_spread?season=2024-25&accounting=legacy_v1";
    let free = ["freshness", "today", "record", "track-record"].map(|view| format!("#/{view}{place}"));
    assert_eq!(visit.page.evaluate(needed), json!(free));

    visit.type_key(demo.0.key()).await;
    let seasons = demo.get("/api/v1/results/nba/won_on_spread/seasons").await;
    let season = seasons["seasons"][1].as_str().expect("a label").to_owned();
    visit.show(&format!("results/nba/won_on_spread?season={season}&model=XGB&team=boston_celtics&offset=0")).await;
    let link = |id: &str| format!("document.querySelector('#{id}').hash");
    let along = format!("season={season}&model=XGB");
    for (id, expected) in [
        ("view-track-record", format!("#/track-record/nba/won_on_spread?{along}")),
        ("view-today", format!("#/today/nba/won_on_spread?{along}")),
        ("pick-league-nhl", "#/results/nhl/won_on_spread?model=XGB".to_owned()),
        ("pick-market-total", format!("#/results/nba/over_under?{along}&team=boston_celtics")),
    ] {
        assert_eq!(visit.page.evaluate(&link(id)), json!(expected), "{id}");
    }
    visit.page.evaluate("document.querySelector('#view-today').click()");
    let chosen = "[...document.querySelectorAll('[aria-label=Model] [aria-current]')].map(link => link.innerText)";
    visit.page.expect(chosen, &json!(["XGB"])).await;
    visit.show("today/nba/won_on_spread?model=FOO").await;
    assert_eq!(visit.page.evaluate(chosen), json!(["BLEND"]), "a model that is none");
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn teams_and_held_games_are_the_same_with_a_key_and_without() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    let games = "[...document.querySelectorAll('.slate .game-row')].map(row => \
                 [row.querySelector('.opener').innerText, row.querySelector('.marks').innerText])";
    let leagues = ["mlb", "nba", "nfl", "nhl", "ncaaf", "ncaab"];
    let mut shown = Vec::new();
    for key in [None, Some(demo.0.key())] {
        if let Some(key) = key {
            visit.type_key(key).await;
        }
        for sport in leagues {
            visit.show(&format!("today/{sport}/over_under")).await;
            shown.push(visit.page.evaluate(games));
        }
    }
    let (free, full) = shown.split_at(leagues.len());
    assert_eq!(free, full);
    let held = full
        .iter()
        .flat_map(|games| games.as_array().expect("games"))
        .filter(|game| game[1].as_str().expect("text").contains("Held"))
        .count();
    assert!(held > 2, "{held}");
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_downloaded_season_equals_the_file_of_the_api() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let kept = folder.path().join("downloads");
    visit.save_to(&kept);
    visit.show("results/nhl/won_on_points").await;
    let season =
        demo.get("/api/v1/results/nhl/won_on_points/seasons").await["seasons"][0].as_str().expect("one").to_owned();
    for format in ["csv", "parquet"] {
        visit.page.evaluate(&format!("document.querySelector('#download-{format}').click()"));
        let path = kept.join(format!("nhl-won_on_points-{season}.{format}"));
        eventually("it is kept", || path.exists()).await;
        let served = format!("/api/v1/results/nhl/won_on_points?season={season}&limit=100000&format={format}");
        let served = demo.0.get(&served).await;
        assert!(std::fs::read(&path).expect("a file") == served.body, "{format}");
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn without_a_key_public_views_work_and_others_prompt_for_a_key() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    for (view, is_public) in VIEWS {
        visit.show(&format!("{view}/nfl/won_on_points")).await;
        let prompt = visit.text("#key-needed h2");
        assert_eq!(prompt == json!([]), is_public, "{view}");
        assert_eq!(visit.text("#failure"), json!([]), "{view}");
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// The typed key is kept in the tab, and is gone with it.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_key_is_kept_in_the_session_alone_and_forgotten_on_demand() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[("RUST_LOG", "info")]).await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.show("account").await;
    visit.type_key(demo.0.key()).await;
    let kept = visit.page.evaluate("[{ ...sessionStorage }, { ...localStorage }, document.cookie]");
    assert_eq!(kept, json!([{ "api-key": demo.0.key() }, {}, ""]));
    visit.page.evaluate("window.before = true; location.reload()");
    let shown = "!window.before && !!document.querySelector('#usage')?.innerText.includes('200,000')";
    visit.page.expect(&format!("{shown} && !!document.querySelector('#key-field-forget')"), &json!(true)).await;
    visit.page.evaluate("document.querySelector('#key-field-forget').click()");
    visit.page.expect("!!document.querySelector('#key-needed')", &json!(true)).await;
    assert_eq!(visit.page.evaluate("({ ...sessionStorage })"), json!({}));
    let log = std::fs::read_to_string(folder.path().join("demo.log")).expect("a log");
    assert!(log.contains("/api/v1/customers/me/usage") && !log.contains(demo.0.key()), "{log}");
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_customer_creates_renames_and_revokes_a_key_that_is_shown_once() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[]).await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("account").await;
    visit.page.evaluate("document.querySelector('#new-key-name').value = 'from the page'");
    visit.page.evaluate("document.querySelector('#create-key').click()");
    visit.page.expect("!!document.querySelector('#new-key')", &json!(true)).await;
    let made = visit.page.evaluate("document.querySelector('#new-key').innerText");
    let made = made.as_str().expect("text").to_owned();
    assert_eq!(demo.0.with_key(&made).get("/api/v1/sports").await.status, 200);

    let row = "[...document.querySelectorAll('tr')].find(row => row.innerText.startsWith('from the page'))";
    visit.page.evaluate(&format!("{row}.querySelector('input').value = 'renamed'"));
    visit.page.evaluate(&format!("{row}.querySelector('button[id$=-rename]').click()"));
    visit.page.expect("document.querySelector('#keys-status')?.innerText.includes('renamed')", &json!(true)).await;
    assert_eq!(visit.text("#new-key"), json!([]), "it is shown once");
    let row = "[...document.querySelectorAll('tr')].find(row => row.innerText.startsWith('renamed'))";
    let revoke = format!("{row}.querySelector('button.danger').click()");
    visit.page.evaluate(&revoke);
    assert_eq!(demo.0.with_key(&made).get("/api/v1/sports").await.status, 200, "it prompt once more");
    visit.page.evaluate(&revoke);
    visit.page.expect("document.querySelector('#keys-status')?.innerText.includes('revoked')", &json!(true)).await;
    assert_eq!(demo.0.with_key(&made).get("/api/v1/sports").await.status, 401);
    assert_eq!(visit.page.evaluate("document.activeElement.id"), json!("keys-status"), "the button is gone");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn download_links_are_counted_at_once_and_stay_on_the_page() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[]).await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("account").await;
    let counted = "document.querySelector('#refreshes').innerText.slice(0, 8)";
    assert_eq!(visit.page.evaluate(counted), json!("0 of 8 r"));
    visit.page.evaluate("document.querySelector('#refresh').click(); document.querySelector('#refresh').click()");
    visit.page.expect(counted, &json!("1 of 8 r")).await;
    let links = "[...document.querySelectorAll('#dataset-links a')].map(link => link.href)";
    let made = visit.page.evaluate(links);
    assert_ne!(made, json!([]));
    visit.show("teams/nba/won_on_points").await;
    visit.show("account").await;
    assert_eq!(visit.page.evaluate(links), made);
    visit.page.evaluate("document.querySelector('#key-field-forget').click()");
    visit.page.expect("!!document.querySelector('#key-needed')", &json!(true)).await;
    visit.type_key(demo.0.key()).await;
    visit.page.expect("!!document.querySelector('#refreshes')", &json!(true)).await;
    assert_eq!(visit.page.evaluate(links), json!([]), "they go with the key");
}
