//! The figures on the page, each compared with the API answer that it comes from.

use serde_json::{Value, json};
use sports_testkit::programs::TestFolder;

use super::VIEWS;
use super::visit::{Visit, text};
use crate::browser::Browser;
use crate::demo::Demo;

const NOTHING: &str = "–";
const MINUS: char = '\u{2212}';

/// Formats a served number, shifted by so many decimal places and rounded to so many; halves go away from zero. It
/// rounds the digits, since floating numbers have none of their own.
fn rounded(value: &Value, moved: i32, decimals: usize, signed: bool) -> Option<String> {
    let text = value.as_f64()?.to_string();
    let (negative, text) = text.strip_prefix('-').map_or((false, text.as_str()), |rest| (true, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().expect("digits");
    let places = i32::try_from(fraction.len()).expect("few") - moved - i32::try_from(decimals).expect("few");
    let scale = 10_i128.pow(places.unsigned_abs());
    let scaled = if places > 0 { (digits + scale / 2) / scale } else { digits * scale };
    let padded = format!("{scaled:0>width$}", width = decimals + 1);
    let (whole, fraction) = padded.split_at(padded.len() - decimals);
    let dot = if decimals > 0 { "." } else { "" };
    let sign = match (scaled, negative) {
        (0, _) => String::new(),
        (_, true) => MINUS.to_string(),
        (_, false) => if signed { "+" } else { "" }.to_owned(),
    };
    Some(format!("{sign}{whole}{dot}{fraction}"))
}

fn or_nothing(text: Option<String>) -> String {
    text.unwrap_or_else(|| NOTHING.to_owned())
}

pub(super) fn share(value: &Value) -> String {
    or_nothing(rounded(value, 2, 1, false).map(|number| format!("{number}\u{a0}%")))
}

pub(super) fn gain(value: &Value) -> String {
    or_nothing(rounded(value, 2, 1, true).map(|number| format!("{number}\u{a0}%")))
}

pub(super) fn percent(value: &Value, signed: bool) -> String {
    or_nothing(rounded(value, 0, 1, signed).map(|number| format!("{number}\u{a0}%")))
}

pub(super) fn units(value: &Value) -> String {
    or_nothing(rounded(value, 0, 2, true))
}

fn score(value: &Value) -> String {
    or_nothing(rounded(value, 0, 4, false))
}

fn price(value: &Value) -> String {
    or_nothing(rounded(value, 0, 0, true))
}

pub(super) fn whole(value: &Value) -> String {
    let number = value.as_u64().expect("a count").to_string();
    let grouped: Vec<_> =
        number.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits")).collect();
    grouped.join(",")
}

fn name_of(team: &Value) -> String {
    let words = team.as_str().expect("a team").split('_');
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let spelt = |word: &str| if word == "st" { "St.".to_owned() } else { capital(word) };
    words.map(spelt).collect::<Vec<_>>().join(" ")
}

/// Returns an id as the page makes it: letters and digits, with a dash for all characters between.
fn id(parts: &[&str]) -> String {
    let joined = parts.join(" ");
    let words: Vec<_> =
        joined.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[test]
fn numbers_have_the_notation_of_the_trade() {
    for (value, moved, decimals, signed, expected) in [
        (json!(0.5125), 2, 1, false, "51.3"),
        (json!(-110), 0, 0, true, "\u{2212}110"),
        (json!(105), 0, 0, true, "+105"),
        (json!(0.004), 2, 1, true, "+0.4"),
        (json!(-0.0004), 2, 1, true, "0.0"),
        (json!(1.005), 0, 2, true, "+1.01"),
        (json!(3), 0, 2, true, "+3.00"),
    ] {
        assert_eq!(rounded(&value, moved, decimals, signed).expect("a number"), expected);
    }
}

#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn every_displayed_figure_equals_the_served_one() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[]).await;
    let mut visit = Visit::with_key(&mut browser, &demo.0).await;
    assert_eq!(VIEWS.len(), 9, "each is below, but the first, which has files of its own");
    freshness(&mut visit, &demo).await;
    today(&mut visit, &demo).await;
    track_record(&mut visit, &demo).await;
    strategies(&mut visit, &demo).await;
    teams(&mut visit, &demo).await;
    results(&mut visit, &demo).await;
    the_record(&mut visit, &demo).await;
    account(&mut visit, &demo).await;
    assert_eq!(visit.complaints(), Vec::<String>::new());
}

async fn freshness(visit: &mut Visit<'_>, demo: &Demo) {
    visit.show("freshness").await;
    for sport in ["mlb", "nba", "nfl", "nhl", "ncaaf", "ncaab"] {
        let status = demo.get(&format!("/api/v1/data-status/{sport}")).await;
        let word = |value: &Value| {
            let word = text(value).replace("off_day", "off-day");
            word[..1].to_uppercase() + &word[1..]
        };
        let row = visit.row(&format!("league-{sport}"));
        assert_eq!(row[1], word(&status["status"]), "{sport}");
        for (column, market) in ["over_under", "won_on_points", "won_on_spread"].into_iter().enumerate() {
            assert!(row[column + 2].starts_with(&word(&status["markets"][market]["status"])), "{sport} {row:?}");
        }
        assert_eq!(row[6], status["awaiting_settlement"]["count"].to_string(), "{sport}");
    }
}

async fn today(visit: &mut Visit<'_>, demo: &Demo) {
    for (market, fields, values) in [
        ("won_on_points", &["away_money_line", "home_money_line"][..], ["ev_home_ml", "ev_away_ml"]),
        ("over_under", &["over_line", "under_line"], ["ev_pos", "ev_neg"]),
        ("won_on_spread", &["away_point_spread_line", "home_point_spread_line"], ["ev_home_spread", "ev_away_spread"]),
    ] {
        visit.show(&format!("today/nba/{market}")).await;
        visit.open_numbers();
        let predictions = demo.get(&format!("/api/v1/predictions/nba/{market}")).await;
        let compared = demo.get("/api/v1/markets/nba").await;
        let odds = demo.get("/api/v1/odds/nba").await;
        let games = predictions["games"].as_array().expect("games");
        assert!(games.len() > 3);
        for game in games {
            let time = &text(&game["time"])[..5];
            let [away, home] = ["away_team", "home_team"].map(|field| name_of(&game[field]));
            let row = visit.row(&id(&["game", text(&game["date"]), time, &away, &home]));
            assert_eq!(row[0], format!("{away} at {home}"));
            assert_eq!(row[2], share(&game["predictions"]["BLEND"]));
            let posted = odds["games"].as_array().expect("games").iter().find(|other| same_game(other, game));
            for field in fields {
                let shown = price(&posted.unwrap_or(game)[*field]);
                assert!(row.iter().any(|cell| cell.ends_with(&shown)), "{field} {shown} {row:?}");
            }
            let served = values.map(|field| gain(&game[field]));
            assert_eq!(row[row.len() - 4..row.len() - 2], served, "{game}");
            if market == "won_on_points" {
                let other = compared["games"].as_array().expect("games").iter().find(|other| same_game(other, game));
                let other = other.expect("compared");
                assert_eq!(row[3], share(&other["book_home"]));
                // Prices of the prediction market change by themselves: only their presence is compared.
                assert_eq!(row[4] == NOTHING, other["kalshi_home"].is_null(), "{row:?}");
                if other["kalshi_home"].is_null() {
                    assert_eq!(row[5], gain(&other["edge_home"]));
                }
                assert_edge_is_over_the_lower(&row);
            } else {
                assert_eq!(row[3], share(&game["predictions"]["IMPLIED"]));
            }
        }
    }
}

/// Returns whether two answers have the same game; some have times with seconds.
fn same_game(one: &Value, other: &Value) -> bool {
    let same = |field: &&str| one[*field] == other[*field];
    ["date", "away_team", "home_team"].iter().all(same) && text(&one["time"])[..5] == text(&other["time"])[..5]
}

/// Asserts that the edge is BLEND's probability less the lower price beside it, within rounding.
fn assert_edge_is_over_the_lower(row: &[String]) {
    let [blend, book, exchange, edge] = [2, 3, 4, 5].map(|column| {
        let number = row[column].replace(MINUS, "-").replace("\u{a0}%", "");
        number.parse::<f64>().ok()
    });
    let lower = book.into_iter().chain(exchange).reduce(f64::min).expect("a price");
    let above = blend.expect("a probability") - lower;
    assert!((above - edge.expect("an edge")).abs() < 0.16, "{row:?}");
}

/// Writes a record as the page does: without pushes, if there are none.
pub(super) fn record(of: &Value) -> String {
    let [won, lost, pushed] = ["won", "lost", "pushed"].map(|field| &of[field]);
    let even = if *pushed == 0 { String::new() } else { format!("\u{2013}{}", whole(pushed)) };
    format!("{}\u{2013}{}{even}", whole(won), whole(lost))
}

/// Counts the book's favourite over the graded picks of a model.
fn favourite(rows: &[Value], column: &str, model: &str) -> Value {
    let side =
        |row: &Value, model: &str| row[model].as_f64().filter(|share| (share - 0.5).abs() > 1e-9).map(|p| p > 0.5);
    let mut counts = [0, 0, 0];
    for row in rows {
        let is_push = row["push"] == true;
        let (true, Some(_), Some(home)) = (is_push || row["graded"] == true, side(row, model), side(row, "IMPLIED"))
        else {
            continue;
        };
        let hit = home == (row[column] == 1);
        counts[if is_push { 2 } else { usize::from(!hit) }] += 1;
    }
    serde_json::json!({ "won": counts[0], "lost": counts[1], "pushed": counts[2] })
}

/// By bets, the table has the record, break-even and return of bets, and each one's favourite over the same games.
async fn track_record_of_bets(visit: &mut Visit<'_>, demo: &Demo) {
    visit.show("track-record/nhl/won_on_points?of=bets").await;
    let summary = demo.get("/api/v1/summary/nhl/won_on_points").await;
    for model in summary["summaries"].as_array().expect("models") {
        let name = text(&model["model"]);
        if ["IMPLIED", "ENSEMBLE"].contains(&name) {
            continue;
        }
        let bets = &model["bets"];
        let row = visit.row(&format!("summary-{name}"));
        assert_eq!(row[2], record(bets), "{name}");
        assert_eq!(row[5], share(&bets["break_even"]), "{name}");
        assert!(row[6].starts_with(&gain(&bets["roi"])), "{name}: {row:?}");
        assert_eq!(row[7], units(&bets["units"]), "{name}");
    }
    assert_eq!(visit.page.evaluate("document.querySelector('main').dataset.of"), serde_json::json!("bets"));
}

async fn track_record(visit: &mut Visit<'_>, demo: &Demo) {
    track_record_of_bets(visit, demo).await;
    for market in ["over_under", "won_on_points"] {
        visit.show(&format!("track-record/nhl/{market}")).await;
        let summary = demo.get(&format!("/api/v1/summary/nhl/{market}")).await;
        let sides = if market == "over_under" { ["over", "under"] } else { ["home", "away"] };
        let models = summary["summaries"].as_array().expect("models");
        assert!(models.len() > 5);
        let season = text(&summary["season"]);
        let played = demo.get(&format!("/api/v1/results/nhl/{market}?season={season}&state=final&limit=10000")).await;
        let games = played["results"].as_array().expect("games");
        let column = if market == "over_under" { "over" } else { market };
        for model in models {
            let name = text(&model["model"]);
            let row = visit.row(&format!("summary-{name}"));
            let picks = &model["picks"];
            assert_eq!(row[1..3], [whole(&model["total_games"]), record(picks)], "{name}");
            let interval = format!("{} to {}", share(&model["wilson_low"]), share(&model["wilson_high"]));
            assert_eq!(row[4], format!("{} {interval}", share(&model["win %"])), "{name}");
            assert_eq!(row[5], share(&picks["break_even"]), "{name}");
            let returned = gain(&picks["roi"]);
            let expected = match &picks["roi_low"] {
                Value::Null => returned,
                low => format!("{returned} {} to {}", gain(low), gain(&picks["roi_high"])),
            };
            assert_eq!(row[6..8], [expected, units(&picks["units"])], "{name}");
            assert_eq!(row[8..], ["win % 4W", "fade %"].map(|field| share(&model[field])), "{name}");
            if !["IMPLIED", "ENSEMBLE"].contains(&name) {
                assert_eq!(row[3], record(&favourite(games, column, name)), "{name}");
            }
            let windows = ["", " 4W", " 1W"];
            let shares = sides.iter().flat_map(|side| windows.map(|window| share(&model[format!("{side} %{window}")])));
            assert_eq!(visit.row(&format!("sides-{name}"))[1..], shares.collect::<Vec<_>>(), "{name}");
        }
        let rolling = demo.get(&format!("/api/v1/results/nhl/{market}/rolling")).await;
        let season =
            rolling["seasons"].as_array().expect("seasons").iter().find(|one| one["season"] == summary["season"]);
        let curve = &season.expect("drawn")["models"]["BLEND"];
        let last = curve.as_array().expect("points").last().expect("one");
        let shown = visit.text(".legend [data-tone=blend] .value")[0].clone();
        assert_eq!(text(&shown), share(&last["win_pct"]));
        assert!(visit.text(".legend").to_string().contains("BLEND, mean of earlier seasons"));
        let calibration = demo.get(&format!("/api/v1/calibration/nhl/{market}")).await;
        for source in calibration["sources"].as_array().expect("sources") {
            for model in source["models"].as_array().expect("models") {
                let row = visit.row(&format!("scores-{}-{}", text(&source["forecast_source"]), text(&model["model"])));
                let figures = [&model["brier"], &model["market"]["implied"]["brier"]].map(score);
                assert_eq!(row[1], whole(&model["games"]));
                assert_eq!(row[2..4], figures);
                assert_eq!(row[4], gain(&model["market"]["skill"]));
                assert_eq!(row[6], score(&model["market"]["brier"]["p_holm"]));
                assert_eq!(row[7], text(&model["verdict"]).replace('_', " "));
            }
        }
        // The mean is of the seasons before the current one, whichever season is shown.
        let earlier = text(&rolling["seasons"][1]["season"]);
        visit.show(&format!("track-record/nhl/{market}?season={earlier}")).await;
        assert!(!visit.text(".legend").to_string().contains("mean of earlier seasons"));
    }
}

async fn strategies(visit: &mut Visit<'_>, demo: &Demo) {
    for accounting in ["recorded_v2", "legacy_v1"] {
        let path = "/api/v1/strategies/ncaab/won_on_spread";
        let board = demo.get(&format!("{path}?accounting={accounting}")).await;
        let entries = board["strategies"].as_array().expect("strategies");
        assert_eq!(entries.len(), 16);
        let chosen = text(&entries[2]["id"]);
        visit.show(&format!("strategies/ncaab/won_on_spread?accounting={accounting}&strategy={chosen}")).await;
        for entry in entries {
            let row = visit.row(&format!("rule-{}", text(&entry["id"])));
            assert!(row[0].starts_with(text(&entry["name"])), "{row:?}");
            assert_eq!(row[1], entry["rank"].as_u64().map_or(NOTHING.to_owned(), |rank| rank.to_string()));
            assert_eq!(row[4..6], [text(&entry["record"]).to_owned(), percent(&entry["win_pct"], false)]);
            assert!(row[6].starts_with(&percent(&entry["roi"], true)), "{row:?}");
            assert_eq!(row[7], whole(&entry["n"]));
            if accounting == "recorded_v2" {
                let exclusions = &entry["exclusions"];
                let served = [
                    whole(&entry["stakes"]),
                    units(&entry["profit_units"]),
                    whole(&exclusions["missing_price"]),
                    whole(&exclusions["unverified_finality"]),
                ];
                assert_eq!(row[8..], served);
            }
        }
        let basis = if accounting == "legacy_v1" { "flat \u{2212}110" } else { "as recorded" };
        let caption = visit.text("caption")[0].clone();
        assert!(text(&caption).ends_with(&format!("are not ranked. Prices: {basis}.")), "{caption}");
        let replay = demo.get(&format!("{path}/{chosen}/replay?accounting={accounting}")).await;
        let last = replay["rows"].as_array().expect("bets").last().expect("one");
        let shown = visit.text(".legend .value")[0].clone();
        assert_eq!(text(&shown), units(&last["total"]), "{accounting}");
    }
}

async fn teams(visit: &mut Visit<'_>, demo: &Demo) {
    visit.show("teams/nfl/won_on_spread").await;
    let form = demo.get("/api/v1/results/nfl/won_on_spread/team-form").await;
    let teams = form["teams"].as_array().expect("teams");
    assert_eq!(teams.len(), 32);
    for team in teams {
        let row = visit.row(&format!("team-{}", text(&team["team"])));
        assert_eq!(row[0], name_of(&team["team"]));
        assert_eq!(row[1..4], ["games", "wins", "losses"].map(|field| whole(&team[field])));
        assert_eq!(row[4], share(&team["win_pct"]));
        let letters: String = row[5].split_whitespace().collect();
        let won = |won: &Value| if won == 1 { 'W' } else { 'L' };
        assert_eq!(letters, team["last_10"].as_array().expect("games").iter().map(won).collect::<String>());
        assert_eq!(row[6], text(&team["streak"]));
    }
}

/// Returns a season's games in the order of the page: played ones first, the newest of them first.
fn in_order(page: &Value) -> Vec<Value> {
    let mut games = page["results"].as_array().expect("rows").clone();
    let begins = |game: &Value| format!("{} {}", text(&game["date"]), game["time_est"].as_str().unwrap_or_default());
    games.sort_by_key(begins);
    let now = "2026-03-14 12:00:00";
    let (coming, mut played): (Vec<_>, Vec<_>) =
        games.into_iter().partition(|game| game["home_score"].is_null() && begins(game).as_str() > now);
    played.reverse();
    played.into_iter().chain(coming).collect()
}

/// Returns whether BLEND's forecast of a total was right; none for a game that is not graded.
fn is_right(game: &Value) -> Option<bool> {
    let forecast = game["BLEND"].as_f64().filter(|_| game["graded"] == true)?;
    Some((forecast > 0.5) == (game["over"] == 1)).filter(|_| (forecast - 0.5).abs() > f64::EPSILON)
}

async fn results(visit: &mut Visit<'_>, demo: &Demo) {
    for (address, query, offset) in [("", "", 0), ("?season=2025&offset=50", "season=2025&", 50)] {
        visit.show(&format!("results/mlb/over_under{address}")).await;
        let page = demo.get(&format!("/api/v1/results/mlb/over_under?{query}limit=100000")).await;
        let all = in_order(&page);
        let rows = &all[offset..offset + 50];
        let shown = visit.page.evaluate("[...document.querySelectorAll('tbody tr:not(.more)')].map(row => [...row.cells].map(cell => cell.innerText))");
        let shown = shown.as_array().expect("rows");
        assert_eq!((shown.len(), rows.len()), (50, 50));
        for (place, (cells, game)) in shown.iter().zip(rows).enumerate() {
            let matchup = format!("{} at {}", name_of(&game["away_team"]), name_of(&game["home_team"]));
            assert!(text(&cells[0]).ends_with(&matchup), "{cells}");
            let score = format!("{}–{}", game["away_score"], game["home_score"]);
            assert_eq!(text(&cells[2]), if game["home_score"].is_null() { NOTHING } else { &score });
            assert_eq!(text(&cells[4]), price(&game["over_line"]));
            assert_eq!(text(&cells[5]), price(&game["under_line"]));
            assert_eq!(text(&cells[6]), share(&game["BLEND"]));
            assert_eq!(text(&cells[7]), share(&game["IMPLIED"]));
            let over = match (&game["push"], &game["over"]) {
                (Value::Bool(true), _) => "push",
                (Value::Bool(false), over) => {
                    if over == 1 {
                        "yes"
                    } else {
                        "no"
                    }
                }
                _ => NOTHING,
            };
            assert_eq!(text(&cells[8]), over);
            let hit = is_right(game);
            let side = game["BLEND"].as_f64().map(|forecast| if forecast > 0.5 { "Over" } else { "Under" });
            if let (Some(side), Some(line)) = (side, game["over_under"].as_f64()) {
                assert_eq!(text(&cells[9]), format!("{side} {line}"), "{game}");
            }
            let word = match (game["ungraded_reason"].as_str(), hit) {
                (None, Some(true)) => "won",
                (None, Some(false)) => "lost",
                (None, None) => NOTHING,
                (Some("push"), _) => "pushed",
                (Some("no_final"), _) => "no final score yet",
                (Some("no_line"), _) => "no line was posted",
                (Some(reason), _) => panic!("{reason} has no words here"),
            };
            // The mark before the word has words of its own.
            assert!(text(&cells[10]).trim().ends_with(word), "{cells} {game}");
            // Every game that is graded was played, so what follows on the page was played before.
            let before = &all[offset + place..];
            let hits: Vec<_> = before.iter().filter_map(is_right).collect();
            let won = hits.iter().filter(|hit| **hit).count();
            let is_taken = |game: &&Value| game["BLEND"].as_f64().is_some_and(|forecast| (forecast - 0.5).abs() > 0.0);
            let even = before.iter().filter(is_taken).filter(|game| game["push"] == true).count();
            let record = record(&serde_json::json!({ "won": won, "lost": hits.len() - won, "pushed": even }));
            assert_eq!(text(&cells[11]), if ["won", "lost", "pushed"].contains(&word) { &record } else { NOTHING });
        }
        let note = visit.text("#shown")[0].as_str().expect("text").to_owned();
        assert!(note.contains(&format!("of {} in", whole(&page["total"]))), "{note}");
        let summary = demo.get(&format!("/api/v1/summary/mlb/over_under?season={}", text(&page["season"]))).await;
        let summary = summary["summaries"].as_array().expect("models").iter().find(|one| one["model"] == "BLEND");
        let summary = summary.expect("a summary");
        let so_far = visit.text("#so-far")[0].as_str().expect("text").to_owned();
        let picks = &summary["picks"];
        let pushed = if picks["pushed"] == 0 { String::new() } else { format!("–{}", whole(&picks["pushed"])) };
        let record =
            format!("{}–{}{pushed}, {} won", whole(&picks["won"]), whole(&picks["lost"]), share(&summary["win %"]));
        assert!(so_far.contains(&record), "{so_far}");
        for figure in
            [share(&picks["break_even"]), gain(&picks["roi"]), gain(&picks["roi_low"]), gain(&picks["roi_high"])]
        {
            assert!(so_far.contains(&figure), "{figure}: {so_far}");
        }
        visit.page.evaluate("document.querySelector('.opener').click()");
        let game = &rows[0];
        for (field, opener) in [("home_money_line", "open_home_money_line"), ("away_point_spread_line", "")] {
            let [date, away, home] = ["date", "away_team", "home_team"].map(|part| text(&game[part]));
            let row = visit.row(&id(&["field", date, away, home, field]));
            assert_eq!(row[1..], [price(&game[opener]), price(&game[field])], "{field}");
        }
    }
}

async fn the_record(visit: &mut Visit<'_>, demo: &Demo) {
    visit.show("record/nfl").await;
    let releases = demo.get("/api/v1/releases/nfl").await;
    assert_eq!(visit.text("#head")[0], releases["head"]);
    assert!(text(&releases["head"]).len() == 64);
    // The others are in a table that is opened.
    for release in releases["releases"].as_array().expect("releases").iter().take(7) {
        let id = format!("release-{}", release["generation"]);
        let row = visit.row(&id);
        visit.page.evaluate(&format!("document.querySelector('#{id} .opener').click()"));
        let opened = visit.text(&format!("#{id} + tr"))[0].as_str().expect("text").to_owned();
        for hash in [&release["sha256"], &release["previous"]] {
            assert!(opened.contains(hash.as_str().unwrap_or("none: the first")), "{opened}");
        }
        let changed = release["changed"]["results"].as_array().expect("seasons");
        for season in changed {
            let named = format!("results of {} (Total, Moneyline, Spread)", text(&season["season"]));
            assert!(row[2].contains(&named), "{row:?}");
        }
    }
}

/// The page's command works as written, with the output on the page.
#[tokio::test]
#[ignore = "a browser: `just slow`"]
async fn the_record_is_verified_by_the_command_on_the_page() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::still(folder.path(), &[]).await;
    let mut visit = Visit::start(&mut browser, &demo.0).await;
    visit.show("record/nhl").await;
    let section = "[aria-labelledby=section-how-to-verify-it]";
    let text_of_page = visit.text(&format!("{section} p"))[1].as_str().expect("text").to_owned();
    let printed = text_of_page.split(['“', '…']).nth(1).expect("what it prints").to_owned();
    let command = visit.text(&format!("{section} code"))[0].as_str().expect("a command").to_owned();
    let store = folder.path().join("world/store");
    let words = command.replace("FOLDER", store.to_str().expect("text"));
    let place = TestFolder::fresh();
    let output = place.ctl(words.split(' ').skip(1));
    assert!(output.contains(&printed) && printed.starts_with("head "), "{command}: {output}");
}

async fn account(visit: &mut Visit<'_>, demo: &Demo) {
    visit.show("account").await;
    let customer = demo.get("/api/v1/customers/me").await;
    let usage = visit.text("#usage")[0].as_str().expect("text").to_owned();
    let limit = whole(&customer["monthly_limit"]);
    assert!(usage.contains(&format!(" of {limit} requests")), "{usage}");
    let keys = demo.get("/api/v1/customers/me/api-keys").await;
    for (index, key) in keys.as_array().expect("keys").iter().enumerate() {
        let row = visit.row(&format!("key-{index}"));
        assert!(row[0].starts_with(text(&key["name"])), "{row:?}");
        assert_eq!(row[1], text(&key["api_key"]));
    }
    let datasets = demo.get("/api/v1/service-sports-data/status").await;
    let refreshes = visit.text("#refreshes")[0].as_str().expect("text").to_owned();
    let text_of_page = format!("{} of {} refreshes", datasets["refreshes_used"], datasets["refresh_limit"]);
    assert!(refreshes.starts_with(&text_of_page), "{refreshes}");
}
