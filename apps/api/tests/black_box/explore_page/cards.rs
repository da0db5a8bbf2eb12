//! The card of a model in a league with a public record, without a key.

use serde_json::json;

use super::visit::Visit;
use crate::browser::Browser;
use crate::public_record::{league, serve};

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_public_league_shows_the_card_of_the_model_and_how_to_embed_it() {
    let Some(mut browser) = Browser::start() else { return };
    let site = league();
    let service = serve(&site, "nfl=all").await;
    let mut visit = Visit::start(&mut browser, &service).await;
    visit.show("track-record/nfl/won_on_points?model=ELO").await;
    visit.page.evaluate("document.querySelector('img.card').scrollIntoView()");
    // The picture is of this server, although its address is another one in the snippets.
    visit.page.expect("document.querySelector('img.card').naturalWidth", &json!(1200)).await;
    let card = "https://picks.example/card/nfl/won_on_points/ELO.svg";
    let markdown = format!("[![ELO, NFL moneyline]({card})](https://picks.example/explore/)");
    assert_eq!(visit.page.evaluate("document.getElementById('embed-markdown').value"), json!(markdown));
    let html = visit.page.evaluate("document.getElementById('embed-html').value");
    assert!(html.as_str().is_some_and(|html| html.contains(&format!("<img src=\"{card}\""))), "{html}");
    for (width, scheme) in [(1280, "light"), (390, "dark")] {
        visit.look(width, scheme);
        let wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert!(wide.as_i64().is_some_and(|wide| wide <= 0), "wider than {width}: {wide}");
        visit.keep_picture(&format!("card-{width}-{scheme}"));
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}
