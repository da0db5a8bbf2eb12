//! Figures that travel: pictures of one size, links, calls and embeds.

use serde_json::{Value, json};

use super::charts::kept_file;
use super::visit::{Visit, list, text};
use crate::browser::{Browser, Page};
use crate::demo::Demo;

/// Stands in for the clipboard, of which a headless browser has none: the texts and the pictures that were copied.
const CLIPBOARD: &str = "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { \
                         writeText: async text => { window.copied = text; }, \
                         write: async ([item]) => { window.copied = (await item.getType('image/png')).size; } } }); 0";

/// Presses a button under a figure and returns what it copied.
pub(super) async fn copied(page: &mut Page<'_>, button: &str) -> Value {
    page.evaluate(CLIPBOARD);
    page.evaluate(&format!("window.copied = null; document.getElementById({}).click()", json!(button)));
    page.expect("window.copied !== null", &json!(true)).await;
    page.evaluate("window.copied")
}

/// Returns the width and the height of a PNG picture.
pub(super) fn size_of(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG"), "a picture");
    let number = |from: usize| u32::from_be_bytes(png[from..from + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_picture_has_one_size_in_every_window_and_scheme() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    for (width, scheme) in super::LOOKS {
        visit.look(width, scheme);
        let kept = folder.path().join(format!("{width}-{scheme}"));
        visit.save_to(&kept);
        for (view, figure) in [("track-record", "curves"), ("track-record", "grid"), ("strategies", "units")] {
            visit.show(&format!("{view}/nba/won_on_points")).await;
            visit.page.evaluate(&format!("document.getElementById('png-{figure}').click()"));
            let picture = kept_file(&kept.join(format!("{view}-nba-won_on_points-{figure}.png"))).await;
            assert_eq!(size_of(&picture), (1200, 675), "{view} {figure} at {width}, {scheme}");
        }
        assert_eq!(
            visit.page.evaluate("document.querySelectorAll('iframe').length"),
            json!(0),
            "nothing is left behind"
        );
    }
    let image = copied(&mut visit.page, "copy-image-units").await;
    assert!(image.as_u64().expect("a size") > 5_000, "{image}");
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_link_and_a_call_of_a_figure_are_absolute() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.show("track-record/nba/won_on_points?model=XGB&figure=curves").await;
    let link = copied(&mut visit.page, "copy-link-curves").await;
    let expected = demo.0.url("/figure/curves/track-record/nba/won_on_points?model=XGB");
    assert_eq!(link, json!(expected));
    let call = copied(&mut visit.page, "copy-call-curves").await;
    assert!(text(&call).starts_with("curl -H \"X-API-Key: $SPORTS_API_KEY\" '"), "{call}");
    assert!(text(&call).contains(&demo.0.url("/api/v1/results/nba/won_on_points/rolling")), "{call}");
    // Each request of the panel has a button of its own.
    visit.page.evaluate("document.querySelector('#api-curves').click()");
    visit.page.evaluate("document.querySelector('#api-curves + .panel button[aria-label=\"Copy as Python\"]').click()");
    visit.page.expect("window.copied.startsWith('import json')", &json!(true)).await;
    // Without a clipboard there is a sentence.
    visit.page.evaluate("Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined }); 0");
    visit.page.evaluate("document.querySelector('#copy-image-curves').click()");
    let told = "document.querySelector('#figure-curves .ways > [role=status]').textContent";
    visit.page.expect(&format!("{told}.startsWith('This page cannot use the clipboard here')"), &json!(true)).await;
}

/// An embed has one figure with its caption and a link, asks for no key, and sends none.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn an_embed_is_one_figure_of_public_data() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    let sent = "(ask => { window.keys = 0; window.fetch = (url, options) => { \
                window.keys += Number(options?.headers?.has?.('X-API-Key') ?? false); return ask(url, options); }; })(fetch)";
    for (hash, is_public) in [("#/freshness/nba?figure=days", true), ("#/track-record/nba?figure=curves", false)] {
        // A key in the tab is none of the embed.
        visit.page.go(&demo.0.url(&format!("/explore/?embed{hash}")));
        visit.page.expect("document.querySelector('main')?.dataset.shown", &json!(hash)).await;
        visit.page.evaluate(sent);
        let figures = "[...document.querySelectorAll('figure')].filter(figure => figure.checkVisibility()).length";
        visit.page.expect(figures, &json!(usize::from(is_public))).await;
        let shown = "[...document.querySelectorAll('header, footer, h1, form, .under, .bar, #key-needed')] \
                     .filter(part => part.checkVisibility()).length";
        assert_eq!(visit.page.evaluate(shown), json!(0), "{hash}");
        let link = visit.page.evaluate("document.querySelector('.source a').href");
        assert_eq!(link, json!(demo.0.url(&format!("/explore/{hash}"))));
        let missing = visit.page.evaluate("document.querySelector('.source .missing').checkVisibility()");
        assert_eq!(missing, json!(!is_public), "{hash}");
        let simulated = visit.page.evaluate("document.querySelector('.source #simulated').checkVisibility()");
        assert_eq!(simulated, json!(true), "{hash}");
        assert_eq!(visit.page.evaluate("window.keys"), json!(0), "{hash}");
    }
}

/// A tap and a drag read a line chart, and the marks of the others.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_tap_and_a_drag_read_a_chart() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.look(390, "light");
    visit.page.call("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
    for figure in ["curves", "grid", "reliability"] {
        visit.show(&format!("track-record/nba/won_on_points?figure={figure}")).await;
        let plot = format!("document.querySelector('[id^=figure-{figure}] .plot')");
        visit.page.evaluate(&format!("{plot}.scrollIntoView({{ block: 'center' }})"));
        let place = visit.page.evaluate(&format!(
            "(({{ left, top, width, height }}) => [left + width * 0.42, top + height * 0.58, left + width * 0.62])\
             ({plot}.getBoundingClientRect())"
        ));
        let [x, y, further] = [0, 1, 2].map(|part| list(&place)[part].as_f64().expect("a number"));
        let mut touch = |kind: &str, points: Value| {
            visit.page.call("Input.dispatchTouchEvent", &json!({ "type": kind, "touchPoints": points }));
            visit.page.evaluate(&format!("document.querySelector('[id^=figure-{figure}] output').textContent"))
        };
        touch("touchStart", json!([{ "x": x, "y": y }]));
        let tapped = touch("touchEnd", json!([]));
        assert!(!text(&tapped).is_empty(), "{figure}: a tap reads it");
        touch("touchStart", json!([{ "x": x, "y": y }]));
        for step in 1_u32..=8 {
            touch("touchMove", json!([{ "x": x + (further - x) * f64::from(step) / 8.0, "y": y }]));
        }
        let dragged = touch("touchEnd", json!([]));
        assert_ne!(tapped, dragged, "{figure}: a drag reads on");
    }
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

/// On a telephone the current view is in sight, a table has three columns and the rest after a tap, and every target is
/// large enough for a finger.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn a_telephone_fits_the_views_and_the_tables() {
    let Some(mut browser) = Browser::start() else { return };
    let demo = Demo::shared().await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    visit.look(390, "light");
    for (view, _) in super::VIEWS {
        visit.show(&format!("{view}/nba/won_on_points")).await;
        let sight = "(({ left, right }) => left >= 0 && right <= innerWidth)\
                     (document.querySelector('#views [aria-current]').getBoundingClientRect())";
        assert_eq!(visit.page.evaluate(sight), json!(true), "{view}: its tab is in sight");
        let columns = "Math.max(0, ...[...document.querySelectorAll('tbody tr')].map(row => \
                       [...row.cells].filter(cell => cell.checkVisibility()).length))";
        assert!(visit.page.evaluate(columns).as_u64().expect("a count") <= 3, "{view}");
        let small = "[...document.querySelectorAll('a[href], button, input, select, summary')] \
                     .filter(part => part.checkVisibility() && !part.closest('p, dd, td, #about')) \
                     .map(part => [part, part.getBoundingClientRect()]) \
                     .filter(([, { width, height }]) => width > 1 && (width < 24 || height < 24)) \
                     .map(([part]) => part.outerHTML)";
        assert_eq!(visit.page.evaluate(small), json!([]), "{view}: targets of 24 pixels");
    }
    visit.show("strategies/nba/won_on_points").await;
    let row = "document.querySelector('tbody tr:has(.unfold)')";
    let hidden = format!("[...{row}.cells].filter(cell => !cell.checkVisibility()).length");
    assert!(visit.page.evaluate(&hidden).as_u64().expect("a count") > 3);
    visit.page.evaluate(&format!("{row}.querySelector('.unfold').click()"));
    assert_eq!(visit.page.evaluate(&hidden), json!(0), "a tap shows the rest");
    visit.show("results/nba/won_on_points").await;
    let shown = "[...document.querySelectorAll('tbody tr:not(.more)')].filter(row => row.checkVisibility()).length";
    assert_eq!(visit.page.evaluate(shown), json!(20));
    let button = visit.text(".show-all")[0].clone();
    visit.page.evaluate("document.querySelector('.show-all').click()");
    let all = visit.page.evaluate(shown);
    assert_eq!(button, json!(format!("Show all {all}")));
}
