//! Rules of one's own over HTTP and on the command line. What a rule bets is compared with pandas in `second_opinion/backtest.rs`.

use std::fs;

use serde_json::Value;

use crate::application::clv::{Season, TUESDAY};
use crate::service::{Answer, Service, Site};

const PATH: &str = "/api/v1/backtest/nfl/won_on_spread";

/// Returns the JSON of an answer, which must be 200.
async fn answer_of(service: &Service, path: &str) -> Value {
    let answer = service.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.json()
}

async fn refusal(service: &Service, query: &str, status: u16) -> String {
    service.get(&format!("{PATH}?{query}")).await.failure(status)
}

#[tokio::test]
async fn a_wrong_value_is_refused_with_its_parameter() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let numbers = ["nan", "inf", "1e400", "3 %25", "3", "0,03", ""];
    let edges = numbers.map(|number| (format!("min_edge={number}"), "min_edge"));
    let others = [
        ("min_edge=0.2&max_edge=0.1", "min_edge"),
        ("min_price=50", "min_price"),
        ("min_price=-110.5", "min_price"),
        ("side=over", "side"),
        ("fraction=0.5", "fraction"),
        ("max_stake=0.5&stake=flat", "max_stake"),
        ("stake=kelly&fraction=0", "fraction"),
        ("agree=2", "agree"),
        ("models=BLEND", "models"),
        ("agree=2&models=BLEND", "agree"),
        ("agree=1&models=BLEND,BLEND", "models"),
        ("agree=1&models=IMPLIED", "models"),
        ("model=IMPLIED", "model"),
        ("tried=0", "tried"),
        ("tried=1.5", "tried"),
        ("tried=1e9", "tried"),
        ("season=2023-24,2023-24", "season"),
        ("season=2023", "season"),
        ("bet=best", "bet"),
        ("month=13", "month"),
        ("weekday=someday", "weekday"),
        ("from=2024-02-30", "from"),
        ("from=2024-02-01&to=2024-01-01", "from"),
        ("to=1999-01-01", "to"),
        ("hours_before=6&forecast_source=walk_forward", "hours_before"),
        ("hours_before=0.1", "hours_before"),
        ("hours_before=6", "hours_before"),
        ("accounting=legacy_v1", "accounting"),
        ("min_edges=0.03", "min_edge"),
        ("min_line=5000", "min_line"),
        ("team=oakland_raiders", "team"),
        ("season=all,2023-24", "season"),
        ("bet=pick&bet=fade", "bet"),
        ("team=new_york", "team"),
        ("format=xml", "format"),
    ];
    let forty: Vec<_> = (0..40).map(|number| format!("m{number}")).collect();
    let forty = (format!("agree=1&models={}", forty.join(",")), "models");
    let others = others.map(|(query, name)| (query.to_owned(), name));
    for (query, name) in edges.into_iter().chain(others).chain([forty]) {
        let detail = refusal(&service, &query, 400).await;
        assert!(detail.contains(&format!("`{name}`")), "{query}: {detail}");
    }
    let money = service.get("/api/v1/backtest/nfl/won_on_points?min_line=3").await.failure(400);
    assert!(money.contains("`min_line`"), "{money}");
    for query in ["model=NOBODY", "season=1999-00", "team=harlem_globetrotters", "agree=1&models=NOBODY"] {
        let detail = refusal(&service, query, 404).await;
        assert!(!detail.is_empty(), "{query}: {detail}");
    }
    for query in
        ["min_edge=.5", "min_edge=3e-2", "min_price=%2B100", "min_price=+100", "min_price=100.0", "team=Dolphins"]
    {
        let answer = service.get(&format!("{PATH}?{query}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    }
}

#[tokio::test]
async fn addresses_with_one_meaning_have_one_answer_and_validator() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let plain = service.get(&format!("{PATH}?bet=pick&min_price=-110&tried=3")).await;
    let same = [
        "tried=3&min_price=-1.1e2&bet=PICK&model=BLEND",
        "bet=pick&min_price=-110&season=2023-24&stake=flat&forecast_source=all&tried=3.0",
        "bet=pick&min_price=-110&season=all&tried=3",
    ];
    for query in same {
        let answer = service.get(&format!("{PATH}?{query}")).await;
        assert_eq!((answer.text(), answer.header("etag")), (plain.text(), plain.header("etag")), "{query}");
    }
    let etag = plain.header("etag").expect("a validator").to_owned();
    let again = service.keyed(&format!("{PATH}?min_price=-110&bet=pick&tried=3")).header("If-None-Match", &etag);
    assert_eq!(Answer::to(again).await.status, 304);
    for query in
        ["bet=pick&min_price=-110", "bet=pick&min_price=-110&tried=3&format=csv", "bet=pick&min_price=-111&tried=3"]
    {
        let other = service.get(&format!("{PATH}?{query}")).await;
        assert_ne!(other.header("etag"), Some(&*etag), "{query}");
    }
    let even = |price: &str| format!("{PATH}?bet=pick&min_price={price}");
    let [plus, minus] = [service.get(&even("100")).await, service.get(&even("-100")).await];
    assert_eq!(plus.header("etag"), minus.header("etag"), "even money is one price");
}

#[tokio::test]
async fn a_rule_needs_a_key_with_a_plan() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let lapsed = site.key_of_another("none", &[]);
    let service = site.app().await;
    assert_eq!(Answer::to(service.request(PATH)).await.status, 401);
    assert_eq!(service.with_key(&lapsed).get(PATH).await.status, 403);
}

#[tokio::test]
async fn bets_as_they_were_known_have_the_line_and_price_that_were_served() {
    let season = Season::new();
    season.settle("A", "10,24,settled", "2024-01-09T11:00:00Z");
    season.settle("D", "20,21,settled", "2024-01-09T11:00:00Z");
    let service = season.site.app().await;
    for hours in ["0.25", "0.75", "3"] {
        let path = format!("{PATH}?bet=pick&hours_before={hours}");
        let answer = answer_of(&service, &path).await;
        let table = service.get(&format!("{path}&format=ndjson")).await;
        let bets: Vec<Value> = table.text().lines().map(|line| serde_json::from_str(line).expect("a bet")).collect();
        assert_eq!(answer["record"]["bets"], bets.len(), "{answer}");
        assert_eq!(bets.len(), 2, "{}", table.text());
        let known = service
            .get(&format!(
                "/api/v1/predictions/nfl/won_on_spread/season?season=2023-24&hours_before={hours}&format=ndjson"
            ))
            .await;
        for bet in bets {
            let rows = known.text().lines().map(|line| serde_json::from_str::<Value>(line).expect("a row"));
            let row = rows.into_iter().find(|row| row["game_id"] == bet["game_id"]).expect("the game was known");
            let then = row["known_at"].as_str().expect("an instant");
            let then = format!("/api/v1/predictions/nfl/won_on_spread?as_of={then}&upcoming_only=false");
            let page = answer_of(&service, &then).await;
            let games = page["games"].as_array().expect("games");
            let game = games.iter().find(|game| game["game_id"] == bet["game_id"]).expect("served then");
            assert_eq!(bet["side"], "home", "BLEND gives the home side 0.6 or more");
            assert_eq!([&bet["line"], &bet["price"]], [&game["home_point_spread"], &game["home_point_spread_line"]]);
            assert_eq!(bet["probability"], game["predictions"]["BLEND"], "{bet}");
            assert!(bet["record_index"].is_u64(), "{bet}");
        }
        assert_eq!(answer["proof"]["recorded"], 2, "{answer}");
        assert_eq!(answer["forecast_sources"]["recorded"], 2, "{answer}");
    }
    let refused = service.get(&format!("{PATH}?hours_before=3&as_of={TUESDAY}")).await.failure(400);
    assert!(refused.contains("`hours_before`"), "{refused}");
    let earlier = answer_of(&service, &format!("{PATH}?bet=pick&as_of=2024-01-09T10:30:00Z")).await;
    assert_eq!(earlier["record"]["bets"], 1, "the imported game alone had a final: {earlier}");
    let arguments = ["backtest", "nfl", "won_on_spread", "--bet=pick", "--as-of=2024-01-09T10:30:00Z", "--json"];
    let printed: Value = serde_json::from_str(&season.site.place.ctl(arguments)).expect("JSON");
    assert_eq!(printed, earlier, "the command line as of that instant");
    let newest = season.site.place.ctl(["backtest", "nfl", "won_on_spread", "--bet=pick", "--generation=7", "--json"]);
    let newest: Value = serde_json::from_str(&newest).expect("JSON");
    assert_eq!(newest, answer_of(&service, &format!("{PATH}?bet=pick&generation=7")).await);
}

#[tokio::test]
async fn the_command_line_answers_what_the_server_does() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    for (query, flags) in [
        ("bet=pick&tried=12", vec!["--bet", "pick", "--tried", "12"]),
        ("min_edge=0.01&stake=kelly", vec!["--min-edge=0.01", "--stake", "kelly"]),
        ("min_price=-120&side=home&season=all", vec!["--min-price", "-120", "--side=home", "--season=all"]),
    ] {
        let served = answer_of(&service, &format!("{PATH}?{query}")).await;
        let printed = site.place.ctl([vec!["backtest", "nfl", "won_on_spread", "--json"], flags.clone()].concat());
        let printed: Value = serde_json::from_str(&printed).expect("JSON");
        assert_eq!(printed, served, "{query}");
        let file = site.place.path().join(format!("{}.csv", query.len()));
        let out = format!("--out={}", file.display());
        let text = site.place.ctl([vec!["backtest", "nfl", "won_on_spread", &out], flags].concat());
        assert!(text.starts_with(served["rule"]["sentence"].as_str().expect("a sentence")), "{text}");
        let table = service.get(&format!("{PATH}?{query}&format=csv")).await;
        assert_eq!(fs::read_to_string(file).expect("written"), table.text(), "{query}");
    }
}
