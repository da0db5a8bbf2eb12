use crate::service::{Service, Site};

const LIMIT: &str = "`limit` must be a whole number from 1 to 100000";
const OFFSET: &str = "`offset` must be a whole number from 0 to 2147483647";
const TAKES: &str =
    "This path takes: limit, season, offset, snapshot, from, to, team, state, format, as_of, generation";

async fn nfl_and_mlb() -> (Site, Service) {
    let site = Site::publishing(&["nfl-2023-week-18", "doubleheader"]);
    let service = site.app().await;
    (site, service)
}

#[tokio::test]
async fn a_malformed_value_is_refused_by_name() {
    let (_site, service) = nfl_and_mlb().await;
    let season = |label: &str| {
        format!("`season`: `{label}` is not a season of nfl; expected YYYY-YY with consecutive years, such as 2024-25")
    };
    let mut table: Vec<(String, String)> = Vec::new();
    for limit in ["0", "100001", "abc", "-1", "1.5", "", "%2B5", "1e3", "99999999999999999999", "0x10", "%205"] {
        table.push((format!("limit={limit}"), LIMIT.to_owned()));
    }
    for offset in ["-1", "x", "", "1.5", "2147483648", "99999999999999999999"] {
        table.push((format!("offset={offset}"), OFFSET.to_owned()));
    }
    for label in ["2023", "2023-25", "23-24", "2023-2024", "", "2023/24", "current", "2023-24%20"] {
        table.push((format!("season={label}"), season(&label.replace("%20", " "))));
    }
    for format in ["xml", "", "CSV"] {
        table.push((format!("format={format}"), "`format` must be json, csv, ndjson or parquet".to_owned()));
    }
    for (query, detail) in table {
        let answer = service.get(&format!("/api/v1/results/nfl/over_under?{query}")).await;
        assert_eq!(answer.failure(400), detail, "{query}");
    }
    let mlb = service.get("/api/v1/results/mlb/over_under?season=2016-17").await;
    assert_eq!(mlb.failure(400), "`season`: `2016-17` is not a season of mlb; expected YYYY, such as 2024");
}

#[tokio::test]
async fn the_smallest_and_largest_values_are_taken() {
    let (_site, service) = nfl_and_mlb().await;
    for query in [
        "limit=1",
        "limit=100000",
        "offset=0",
        "limit=007",
        "offset=2147483647",
        "season=2023%2D24",
        "season=2023-24&offset=0",
    ] {
        service.page(&format!("nfl/over_under?{query}")).await;
    }
}

#[tokio::test]
async fn parameters_that_belong_together_are_required_together() {
    let (_site, service) = nfl_and_mlb().await;
    let needs_snapshot = "`offset` beyond the first page of a `season` needs the first page's `snapshot`";
    let needs_season = "`snapshot` needs the `season` it was given for";
    let unknown = "This is no snapshot of season 2023-24 of nfl over_under; \
                   start again from the first page, without `snapshot` and `offset`";
    let no_snapshot = "`snapshot` must be the `snapshot` of a first page";
    let table = [
        ("season=2023-24&offset=7", 400, needs_snapshot),
        ("snapshot=0123456789abcdef", 400, needs_season),
        ("snapshot=0123456789abcdef&offset=7", 400, needs_season),
        ("snapshot=", 400, no_snapshot),
        ("season=2023-24&snapshot=0123456789abcdef", 409, unknown),
        ("season=2023-24&offset=7&snapshot=0123456789abcdef", 409, unknown),
        ("season=2023-24&offset=7&snapshot=", 400, no_snapshot),
    ];
    for (query, status, detail) in table {
        let answer = service.get(&format!("/api/v1/results/nfl/over_under?{query}")).await;
        assert_eq!(answer.failure(status), detail, "{query}");
    }
}

#[tokio::test]
async fn a_mistyped_misplaced_or_unrelated_parameter_is_refused() {
    let (_site, service) = nfl_and_mlb().await;
    let meant =
        |given: &str, meant: &str| format!("`{given}` is not a parameter here, did you mean `{meant}`? {TAKES}");
    let table = [
        ("seasons=2023-24", meant("seasons", "season")),
        ("Season=2023-24", meant("Season", "season")),
        ("Limit=5", meant("Limit", "limit")),
        ("ofset=5", meant("ofset", "offset")),
        ("snapshots=x", meant("snapshots", "snapshot")),
        ("formt=csv", meant("formt", "format")),
        ("upcoming_only=false", format!("`upcoming_only` is not a parameter here. {TAKES}")),
        ("accounting=recorded_v2", format!("`accounting` is not a parameter here. {TAKES}")),
        ("sport=nfl", format!("`sport` is not a parameter here. {TAKES}")),
        ("utm_source=mail", format!("`utm_source` is not a parameter here. {TAKES}")),
        ("_=1&_=2", format!("`_` is not a parameter here. {TAKES}")),
        ("model=XGB", format!("`model` is not a parameter here. {TAKES}")),
        ("limit=5&limit=6", "`limit` is given more than once".to_owned()),
        ("season=2023-24&season=2022-23", "`season` is given more than once".to_owned()),
        ("limit=5&offset=0&limit=5", "`limit` is given more than once".to_owned()),
    ];
    for (query, detail) in table {
        let answer = service.get(&format!("/api/v1/results/nfl/over_under?{query}")).await;
        assert_eq!(answer.failure(400), detail, "{query}");
    }
    let plain = service.page("nfl/over_under").await;
    for query in ["", "&&"] {
        assert_eq!(service.page(&format!("nfl/over_under?{query}")).await.body, plain.body, "{query}");
    }
    for query in ["limit=5", "season=2023-24"] {
        let answer = service.get(&format!("/api/v1/results/nfl/over_under/seasons?{query}")).await;
        let name = query.split('=').next().expect("a name");
        let takes = "This path takes: as_of, generation";
        assert_eq!(answer.failure(400), format!("`{name}` is not a parameter here. {takes}"));
    }
}

#[tokio::test]
async fn codes_are_read_in_any_case_and_unknown_ones_are_refused() {
    let (_site, service) = nfl_and_mlb().await;
    let plain = service.page("nfl/won_on_points").await;
    for path in ["NFL/won_on_points", "Nfl/Won_On_Points", "nfl/WON_ON_POINTS"] {
        assert_eq!(service.page(path).await.body, plain.body, "{path}");
    }
    let sports = "known sports: mlb, nba, nfl, nhl, ncaaf, ncaab";
    let types = "known model types: over_under, won_on_points, won_on_spread";
    let near =
        |path: &str| format!("No such path, did you mean `/api/v1/results/{path}`? See /docs for the paths there are");
    let table = [
        ("cricket/over_under", 400, format!("`cricket` is not a sport; {sports}")),
        ("cricket/moneyline", 400, format!("`cricket` is not a sport; {sports}")),
        ("nfl%20/over_under", 400, format!("`nfl ` is not a sport; {sports}")),
        (
            "nfl/moneyline",
            400,
            format!("`moneyline` is not a model type; {types}; did you mean `/api/v1/results/nfl/won_on_points`?"),
        ),
        ("nfl/seasons", 400, format!("`seasons` is not a model type; {types}")),
        ("cricket/over_under/seasons", 400, format!("`cricket` is not a sport; {sports}")),
        ("nba/over_under", 404, "No results are published for nba over_under".to_owned()),
        ("nba/over_under?season=2019-20", 404, "No results are published for nba over_under".to_owned()),
        ("NBA/Over_Under?limit=5", 404, "No results are published for nba over_under".to_owned()),
        (
            "nfl/over_under?season=2019-20",
            404,
            "No results are published for nfl over_under in season 2019-20; \
             /api/v1/results/nfl/over_under/seasons lists those there are"
                .to_owned(),
        ),
        ("nfl", 404, near("nfl/{model_type}")),
        ("nfl/over_under/", 404, near("nfl/over_under")),
        ("nfl/over_under/Seasons", 404, near("nfl/over_under/seasons")),
    ];
    for (path, status, detail) in table {
        let answer = service.get(&format!("/api/v1/results/{path}")).await;
        assert_eq!(answer.failure(status), detail, "{path}");
    }
}
